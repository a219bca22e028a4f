"""Guards against a juror judging own pupils: their answers must not reach that juror by any way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_event import PLAYERS, page, pdf, scan
from starlette.testclient import TestClient
from web_event import PIN, client, filled_event, look, rule

from jury.double import Scope
from otbor.errors import ConflictError, NotFoundError
from scanner.geometry import SheetKind
from scoring.model import Verdict
from service import (
    accounts,
    answers,
    double,
    kept_from,
    kept_rulings,
    rulings,
    sheets,
    sightings,
)
from service.accounts import Account, Role
from service.event import Event
from service.web import work

RIGHT, WRONG, BLANK = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        accounts.add_account(made, "anna", Role.JUROR, PIN)
        yield made


@pytest.fixture
def juror(event: Event) -> TestClient:
    """Kept from player 1."""
    kept_from.keep(event, "juror", players=[1], who="organizer")
    return client(event)


def _account(event: Event, name: str = "juror") -> Account:
    return accounts.find(event, name)


def _named(event: Event, name: str) -> TestClient:
    browser = client(event, None)
    assert browser.post("/sign-in", data={"name": name, "pin": PIN}).status_code == 303
    return browser


def _sheets(wall: dict[str, Any]) -> set[str]:
    return {entry["sheet"] for entry in (*wall["written"], *wall["blanks"])}


def _confirm(browser: TestClient, place: str = "1/10", **marks: object) -> Any:
    wall = look(browser, place)
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{place}/confirm", json=body)


def _ruled(event: Event) -> set[str]:
    return {sheet for sheet, _box in rulings.current(event)}


def test_the_answers_are_not_among_what_is_sent(event: Event, juror: TestClient) -> None:
    assert _sheets(look(juror)) == {"2", "3", "4", "5"}
    assert _sheets(look(_named(event, "anna"))) == {"1", "2", "3", "4", "5"}
    assert look(juror)["kept"] == 1
    # A blank box tells something of a player too.
    kept_from.keep(event, "juror", players=[5], who="organizer")
    assert _sheets(look(juror)) == {"2", "3", "4"}


def test_the_pictures_are_refused_to_that_juror_alone(event: Event, juror: TestClient) -> None:
    other = _named(event, "anna")
    shown = {entry["sheet"]: entry for entry in look(other)["written"]}
    for kind in ("crop", "around"):
        refused = juror.get(shown["1"][kind])
        assert refused.status_code == 403
        assert refused.json()["error"] == "kept_from"
        assert other.get(shown["1"][kind]).status_code == 200
        assert juror.get(shown["3"][kind]).status_code == 200
    # Neither by the page of a kept sheet under the name of another one.
    assert juror.get(f"/api/around/3/t1r1?page={shown['1']['page']}").status_code == 403
    assert juror.get(f"/api/crop/3/t1r1?page={shown['1']['page']}").status_code == 403
    assert juror.get("/api/crop/1/t1r1").status_code == 403
    assert juror.get("/api/crop/01/t1r1").status_code == 404


def test_confirming_rules_the_others_and_leaves_these_open(event: Event, juror: TestClient) -> None:
    reply = _confirm(juror)
    assert reply.json()["entered"] == 4
    assert _ruled(event) == {"2", "3", "4", "5"}
    here = answers.progress_of_all(event)[0]
    assert (here.unruled, here.done) == (1, False)
    assert _confirm(_named(event, "anna")).json()["entered"] == 1
    assert _ruled(event) == {"1", "2", "3", "4", "5"}
    assert [entry.by for entry in rulings.history(event)] == ["juror"] * 4 + ["anna"]


def test_marks_on_a_hidden_sheet_are_refused(event: Event, juror: TestClient) -> None:
    assert _confirm(juror, flipped=["1"]).status_code == 409
    assert rulings.history(event) == []


def test_a_wall_with_nothing_else_left_is_passed_over(event: Event, juror: TestClient) -> None:
    rule(event, "anna", *((sheet, "t1r2", BLANK) for sheet in "2345"))
    assert _confirm(juror).json()["next"] == {"theme": 1, "nominal": 30}
    # For everybody else there is work on both.
    anna = _account(event, "anna")
    parts = work.parts_for(event, anna, answers.progress_of_all(event))
    assert (following := work.next_question(parts, anna)) is not None
    assert (following.theme, following.nominal) == (1, 10)


def test_nothing_is_left_for_a_juror_kept_from_everybody(event: Event, juror: TestClient) -> None:
    kept_from.keep(event, "juror", players=range(1, 6), who="organizer")
    wall = juror.get("/api/wall/1/10").json()
    assert (_sheets(wall), wall["next"], wall["kept"]) == (set(), None, 5)
    assert "Go on with" not in juror.get("/").text
    assert juror.get("/wall/1/10").status_code == 200


def test_a_school_covers_those_who_are_entered_later(event: Event, tmp_path: Path) -> None:
    kept_from.keep(event, "juror", schools=["ШКОЛА  № 1"], who="organizer")
    juror = client(event)
    assert _sheets(look(juror)) == {"3", "4", "5"}
    roster = tmp_path / "late.csv"
    roster.write_text(PLAYERS + "6;Новый Нил;старшие;школа № 1\n", encoding="utf-8")
    event.update(players=roster)
    scan(event, pdf(tmp_path / "late.pdf", [page(6, {(1, 10): "ответ 110"})]))
    assert "6" in _sheets(look(_named(event, "anna")))
    assert "6" not in _sheets(look(juror))


def test_a_spare_sheet_of_nobody_may_be_anybodys(
    event: Event, juror: TestClient, tmp_path: Path
) -> None:
    event.print_spares(2)
    spare = [page(number, {(1, 10): "ещё"}, kind=SheetKind.SPARE) for number in (1, 2)]
    scan(event, pdf(tmp_path / "spares.pdf", spare))
    assert {"S1", "S2"} <= _sheets(look(_named(event, "anna")))
    assert not {"S1", "S2"} & _sheets(look(juror))
    sheets.give_spare(event, "S1", 4)
    sheets.give_spare(event, "S2", 1)
    assert "S1" in _sheets(look(juror))
    assert "S2" not in _sheets(look(juror))
    # Taken from the player again it is nobody's, and hidden.
    sheets.give_spare(event, "S1", None)
    assert "S1" not in _sheets(look(juror))


def test_undo_does_not_touch_what_the_juror_must_not_judge(event: Event) -> None:
    juror = client(event)
    _confirm(juror)
    kept_from.keep(event, "juror", players=[1, 5], who="organizer")
    assert juror.post("/api/undo", json={}).json()["undone"]["changed"] == 3
    assert _ruled(event) == {"1", "5"}
    assert juror.post("/api/undo", json={}).json()["undone"] is None


def test_earlier_rulings_are_told_and_taken_back_on_request(event: Event) -> None:
    _confirm(client(event))
    rule(event, "anna", ("1", "t2r1", RIGHT))
    kept_from.keep(event, "juror", players=[1], who="organizer")
    account = _account(event)
    organizer = client(event, Role.ORGANIZER)
    shown = organizer.get(f"/people/{account.id}").text
    assert "1 ruling on these players was given by this person before" in shown
    assert organizer.post(f"/people/{account.id}/take-back").status_code == 303
    assert ("1", "t1r1") not in rulings.current(event)
    assert ("1", "t2r1") in rulings.current(event)
    assert kept_rulings.earlier(event, account) == []
    assert "given by this person before" not in organizer.get(f"/people/{account.id}").text
    # It is a ruling of the organizer's and can be taken back like any other.
    assert rulings.undo_last(event, "organizer") == ("kept_from", 1)
    assert rulings.current(event)["1", "t1r1"] is RIGHT


def test_what_was_not_shown_is_not_recorded_as_seen(event: Event, juror: TestClient) -> None:
    pages = {entry["sheet"]: entry["page"] for entry in look(_named(event, "anna"))["written"]}
    reply = juror.post("/api/wall/1/10/seen", json={"pages": [pages["1"], pages["3"]]})
    assert reply.json() == {"new": 1}
    assert sightings.seen_by(event, "t1r1", "juror") == {pages["3"]}


def test_a_remark_on_a_hidden_answer_does_not_come_through(event: Event) -> None:
    anna = _named(event, "anna")
    remarks = {"1": {"text": "похоже на мимо", "form": ""}}
    assert _confirm(anna, disputed=["1"], remarks=remarks).status_code == 200
    kept_from.keep(event, "juror", players=[1], who="organizer")
    sent = client(event).get("/api/wall/1/10").text
    assert "похоже" not in sent
    assert "похоже" in anna.get("/api/wall/1/10").text


def test_the_list_is_for_the_organizer_alone(event: Event, juror: TestClient) -> None:
    account = _account(event)
    for role in (Role.CHIEF, Role.JUROR, Role.DESK, Role.SPECTATOR):
        assert client(event, role).get(f"/people/{account.id}").status_code == 403
    everything = [juror.get(path).text for path in ("/", "/wall/1/10", "/api/progress")]
    everything.append(json.dumps(look(_named(event, "anna")), ensure_ascii=False))
    assert not any("Ёжиков" in text or "organizer" in text for text in everything)


def test_it_holds_at_once_and_only_while_it_is_set(event: Event, juror: TestClient) -> None:
    before = look(juror)["fingerprint"]
    kept_from.let(event, "juror", players=[1], who="organizer")
    assert _sheets(look(juror)) == {"1", "2", "3", "4", "5"}
    wall = look(juror)
    kept_from.keep(event, "juror", players=[1], who="organizer")
    # What was on the screen before is not confirmed.
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    assert juror.post("/api/wall/1/10/confirm", json=body).json()["error"] == "wall_changed"
    assert rulings.history(event) == []
    assert look(juror)["fingerprint"] == before


def test_a_change_that_is_rolled_back_hides_nothing(event: Event) -> None:
    account = _account(event)
    with pytest.raises(RuntimeError), event.database.writing():
        kept_from.keep(event, "juror", players=[1], who="organizer")
        assert kept_from.hidden_sheets(event, account) == {"1", "F1"}
        raise RuntimeError
    assert kept_from.hidden_sheets(event, account) == frozenset()
    kept_from.keep(event, "juror", players=[2], who="organizer")
    assert kept_from.hidden_sheets(event, account) == {"2", "F2"}


@pytest.mark.parametrize(
    ("name", "players", "schools", "error"),
    [
        ("juror", [77], [], NotFoundError),
        ("juror", [], ["школа № 57"], NotFoundError),
        ("juror", [], [""], NotFoundError),
        ("juror", [], [], ConflictError),
        ("desk", [1], [], ConflictError),
        ("nobody", [1], [], NotFoundError),
    ],
)
def test_nonsense_is_refused(
    event: Event, name: str, players: list[int], schools: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        kept_from.keep(event, name, players=players, schools=schools, who="organizer")
    assert kept_from.lists(event) == {}


def test_a_player_who_left_the_roster_can_be_let_again(event: Event, tmp_path: Path) -> None:
    roster = tmp_path / "more.csv"
    roster.write_text(PLAYERS + "6;Новый Нил;старшие;школа № 9\n", encoding="utf-8")
    event.update(players=roster)
    kept_from.keep(event, "juror", players=[6], schools=["школа № 9"], who="organizer")
    roster.write_text(PLAYERS, encoding="utf-8")
    event.update(players=roster)
    left = kept_from.let(event, "juror", players=[6], schools=["школа № 9"], who="organizer")
    assert not left


def test_the_organizer_finds_and_sets_it_in_the_browser(event: Event) -> None:
    account = _account(event)
    organizer = client(event, Role.ORGANIZER)
    base = f"/people/{account.id}"
    found = organizer.get(f"{base}?q=ежиков").text
    assert "Ёжиков Ёж" in found and "Петров" not in found
    assert "All of школа № 1" in organizer.get(f"{base}?q=школа+1").text
    assert "Ли Су" in organizer.get(f"{base}?q=5").text
    assert organizer.post(f"{base}/keep", data={"player": 1, "q": "ежиков"}).status_code == 303
    assert organizer.post(f"{base}/keep", data={"school": "школа № 2"}).status_code == 303
    kept = kept_from.list_of(event, account)
    assert (kept.players, kept.schools) == ((1,), ("школа № 2",))
    assert "kept from 2 players" in organizer.get("/people").text
    organizer.post(f"{base}/let", data={"player": 1})
    organizer.post(f"{base}/let", data={"school": "школа № 2"})
    assert not kept_from.list_of(event, account)
    refused = organizer.post(f"{base}/keep", data={"player": 99})
    assert refused.status_code == 404
    assert "no player 99" in refused.text


def test_it_holds_under_double_reading_too(event: Event, juror: TestClient) -> None:
    accounts.add_account(event, "boris", Role.JUROR, PIN)
    double.set_scope(event, Scope.ALL, who="organizer")
    assert _confirm(_named(event, "anna")).json()["entered"] == 5
    assert _sheets(look(juror)) == {"2", "3", "4", "5"}
    assert _confirm(juror).json()["entered"] == 4
    # Two have read the others; sheet 1 waits for a second juror, who is not this one.
    assert _ruled(event) == {"2", "3", "4", "5"}
    assert juror.get("/api/wall/1/20").json()["next"] != {"theme": 1, "nominal": 10}
    assert _confirm(_named(event, "boris")).json()["entered"] >= 1
    assert _ruled(event) == {"1", "2", "3", "4", "5"}


def test_a_chief_who_is_kept_from_a_player_does_not_decide_the_dispute(event: Event) -> None:
    assert _confirm(_named(event, "anna"), disputed=["1", "2"]).status_code == 200
    kept_from.keep(event, "chief", players=[1], who="organizer")
    chief, organizer = client(event, Role.CHIEF), client(event, Role.ORGANIZER)

    def disputed(browser: TestClient) -> set[str]:
        [question] = browser.get("/api/disputes").json()["questions"]
        return {answer["sheet"] for group in question["groups"] for answer in group["answers"]}

    assert disputed(chief) == {"2"}
    assert disputed(organizer) == {"1", "2"}
