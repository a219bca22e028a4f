"""Guards against disputes that get lost, are ruled by the wrong person, or by a chief who saw nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_event import page, pdf, scan
from starlette.testclient import TestClient
from web_event import PIN, client, look, read_as, rule

from jury.boxes import BoxVerdict
from jury.double import Scope
from scoring.model import Verdict
from service import accounts, answers, double, double_showing, kept_from, rulings, sheets
from service.accounts import Role
from service.double_showing import Note
from service.event import Event
from service.results import event_standings

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
HTML = "<img src=x onerror=alert(1)> & «так»"


def _confirm(browser: TestClient, place: str = "1/10", **marks: object) -> Any:
    wall = look(browser, place)
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{place}/confirm", json=body)


def _question(browser: TestClient, place: str = "1/10", *, looking: bool = True) -> dict[str, Any]:
    """A question of the chief's page; `looking`: its pictures were on the screen."""
    found = dict(browser.get(f"/api/disputes/{place}").json())
    if looking:
        pages = [one["page"] for group in found["groups"] for one in group["answers"]]
        browser.post(f"/api/wall/{place}/seen", json={"pages": pages})
    return found


def _rule(browser: TestClient, place: str, verdicts: dict[str, tuple[str, int]]) -> Any:
    body = {sheet: {"verdict": verdict, "page": at} for sheet, (verdict, at) in verdicts.items()}
    return browser.post(f"/api/disputes/{place}/rule", json={"verdicts": body})


def _pages(question: dict[str, Any]) -> dict[str, int]:
    return {one["sheet"]: one["page"] for group in question["groups"] for one in group["answers"]}


def _ruled(event: Event, box: str = "t1r1") -> dict[str, Verdict]:
    return {sheet: v for (sheet, key), v in rulings.current(event).items() if key == box}


def test_a_remark_goes_with_the_dispute_to_the_chief(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    remarks = {"2": {"text": "другая форма", "form": "Мимо!"}, "4": {"text": HTML}}
    answer = _confirm(juror, disputed=["2", "4"], remarks=remarks)
    assert answer.status_code == 200
    found = _question(chief)
    said = {one["sheet"]: one for group in found["groups"] for one in group["answers"]}
    assert set(said) == {"2", "4"}
    assert (said["2"]["remark"], said["2"]["proposed"]) == ("другая форма", "Мимо!")
    assert said["4"]["remark"] == HTML
    assert {one["by"] for one in said.values()} == {"juror"}
    # The ledger says it too, and the wall brings it back to whoever opens it next.
    assert rulings.disputes(event)["4", "t1r1"].why == HTML
    assert look(juror)["marks"]["remarks"]["2"] == {"text": "другая форма", "form": "Мимо!"}


def test_nothing_a_juror_typed_becomes_html_on_the_chiefs_page(
    juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["4"], remarks={"4": {"text": "</script><b>", "form": "<i>"}})
    assert "<b>" not in chief.get("/disputes").text + juror.get("/wall/1/10").text
    data = chief.get("/api/disputes")
    assert data.headers["content-type"] == "application/json"
    assert json.loads(data.text)["questions"][0]["groups"][0]["proposed"] == ["<i>"]


def test_a_remark_can_be_changed_and_taken_away_without_another_verdict(
    event: Event, juror: TestClient
) -> None:
    _confirm(juror, disputed=["4"], remarks={"4": {"text": "раз"}})
    assert _confirm(juror, remarks={"4": {"text": "два"}}).json()["entered"] == 1
    assert rulings.disputes(event)["4", "t1r1"].why == "два"
    assert _confirm(juror, remarks={"4": {"text": "два"}}).json()["entered"] == 0
    # Who says nothing of it leaves it; a remark on an answer that is not disputed is none.
    assert _confirm(juror, remarks={"1": {"text": "три"}}).json()["entered"] == 0
    assert _confirm(juror, remarks={"4": {"text": ""}}).json()["entered"] == 1
    assert rulings.disputes(event)["4", "t1r1"].why == ""
    # Undo walks back through the remarks too.
    juror.post("/api/undo", json={})
    assert rulings.disputes(event)["4", "t1r1"].why == "два"
    assert look(juror)["marks"]["remarks"]["4"]["text"] == "два"


def test_a_remark_by_somebody_else_changes_the_wall(event: Event, juror: TestClient) -> None:
    _confirm(juror, disputed=["4"])
    wall = look(juror)
    rulings.enter(event, [BoxVerdict("4", "t1r1", DISPUTED, "взгляните")], "другой", origin="t1r1")
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    answer = juror.post("/api/wall/1/10/confirm", json=body)
    assert (answer.status_code, answer.json()["error"]) == (409, "wall_changed")
    assert rulings.disputes(event)["4", "t1r1"].why == "взгляните"


@pytest.mark.parametrize("remark", [{"text": "x" * 201}, {"form": "x" * 101}])
def test_a_remark_that_is_too_long_is_refused_whole(
    event: Event, juror: TestClient, remark: dict[str, str]
) -> None:
    assert _confirm(juror, disputed=["4"], remarks={"4": remark}).status_code == 422
    assert rulings.current(event) == {}


def test_equal_answers_are_one_group_and_ruled_once(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["1", "3", "4"])
    found = _question(chief)
    assert [[one["sheet"] for one in group["answers"]] for group in found["groups"]] == [
        ["1", "3"],
        ["4"],
    ]
    pages = _pages(found)
    answer = _rule(chief, "1/10", {sheet: ("right", pages[sheet]) for sheet in ("1", "3")})
    assert answer.json()["entered"] == 2
    assert _ruled(event) == {"1": RIGHT, "3": RIGHT, "2": WRONG, "4": DISPUTED, "5": BLANK}
    given = [entry for entry in rulings.history(event) if entry.by == "chief"]
    assert len({entry.batch for entry in given}) == 1
    assert [group["elsewhere"]["right"] for group in _question(chief)["groups"]] == [0]


def test_numbers_and_short_words_are_one_group_only_when_identical(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    for sheet, text in {"1": "1812", "2": "1813", "3": "1812", "4": "Лермантов"}.items():
        read_as(event, sheet, "t1r1", text)
    rule(event, "juror", *((sheet, "t1r1", DISPUTED) for sheet in "1234"))
    groups = [[one["sheet"] for one in g["answers"]] for g in _question(chief)["groups"]]
    assert sorted(groups) == [["1", "3"], ["2"], ["4"]]
    for sheet, text in {"2": "Лермонтов", "3": "Лермонтов"}.items():
        read_as(event, sheet, "t1r1", text)
    groups = [[one["sheet"] for one in g["answers"]] for g in _question(chief)["groups"]]
    assert sorted(map(sorted, groups)) == [["1"], ["2", "3", "4"]]


def test_what_was_ruled_on_the_same_reading_elsewhere_is_shown(
    event: Event, chief: TestClient
) -> None:
    for sheet in "1234":
        read_as(event, sheet, "t1r1", "мимо")
    rule(event, "juror", ("1", "t1r1", DISPUTED), ("2", "t1r1", RIGHT), ("3", "t1r1", WRONG))
    (group,) = _question(chief)["groups"]
    assert {name: group["elsewhere"][name] for name in ("right", "wrong", "open")} == {
        "right": 1,
        "wrong": 1,
        "open": 1,
    }
    assert [(one["sheet"], one["ruling"]) for one in group["elsewhere"]["shown"]] == [
        ("2", "right"),
        ("3", "wrong"),
    ]


def test_the_chief_rules_on_nothing_unseen(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["1", "3"])
    pages = _pages(_question(chief, looking=False))
    both = {sheet: ("right", at) for sheet, at in pages.items()}
    answer = _rule(chief, "1/10", both)
    assert (answer.status_code, answer.json()["error"]) == (409, "unseen")
    chief.post("/api/wall/1/10/seen", json={"pages": [pages["1"]]})
    assert _rule(chief, "1/10", both).status_code == 409
    assert set(_ruled(event).values()) == {DISPUTED, WRONG, BLANK}
    assert _rule(chief, "1/10", {"1": ("right", pages["1"])}).status_code == 200


def _taken_by_another(event: Event, folder: Path) -> None:
    rule(event, "organizer", ("4", "t1r1", RIGHT))


def _other_scan(event: Event, folder: Path) -> None:
    scan(event, pdf(folder / "again.pdf", [page(4, {(1, 10): "иное", (3, 10): "ещё"})]))
    sheets.choose_page(event, "again.pdf#1")
    rule(event, "juror", ("4", "t1r1", DISPUTED))


@pytest.mark.parametrize("change", [_taken_by_another, _other_scan])
def test_an_answer_that_changed_meanwhile_is_looked_at_again(
    event: Event, juror: TestClient, chief: TestClient, tmp_path: Path, change: Any
) -> None:
    _confirm(juror, disputed=["2", "4"])
    pages = _pages(_question(chief))
    change(event, tmp_path)
    before = rulings.current(event)
    answer = _rule(chief, "1/10", {sheet: ("wrong", at) for sheet, at in pages.items()})
    assert (answer.status_code, answer.json()["error"]) == (409, "wall_changed")
    assert rulings.current(event) == before


@pytest.mark.parametrize("verdicts", [{}, {"4": ("disputed", 0)}, {"77": ("right", 1)}])
def test_what_is_no_ruling_of_the_chief_is_refused(
    event: Event, juror: TestClient, chief: TestClient, verdicts: dict[str, tuple[str, int]]
) -> None:
    _confirm(juror, disputed=["4"])
    _question(chief)
    assert _rule(chief, "1/10", verdicts).status_code == 409
    assert _ruled(event)["4"] is DISPUTED


def test_undo_gives_the_disputes_back_with_their_remarks(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["1", "4"], remarks={"4": {"text": "не разобрать"}})
    before = event_standings(event)
    pages = _pages(_question(chief))
    _rule(chief, "1/10", {"1": ("right", pages["1"])})
    _rule(chief, "1/10", {"4": ("wrong", pages["4"])})
    assert chief.get("/api/disputes").json()["questions"] == []
    # «Undo» on a wall takes back what was confirmed there, not what was ruled here.
    assert chief.post("/api/undo", json={}).json()["undone"] is None
    undone = chief.post("/api/disputes/undo").json()["undone"]
    assert undone == {"theme": 1, "nominal": 10, "changed": 1, "form": None}
    assert _ruled(event)["4"] is DISPUTED
    chief.post("/api/disputes/undo")
    assert chief.post("/api/disputes/undo").json()["undone"] is None
    said = {one["sheet"]: one for g in _question(chief)["groups"] for one in g["answers"]}
    assert (said["4"]["by"], said["4"]["remark"]) == ("juror", "не разобрать")
    assert event_standings(event) == before


@pytest.mark.parametrize("role", [Role.JUROR, Role.DESK, Role.SPECTATOR])
def test_the_chiefs_addresses_are_for_those_who_may_decide(event: Event, role: Role) -> None:
    rule(event, "juror", ("4", "t1r1", DISPUTED))
    other = client(event, role)
    answer = answers.all_answers(event)[0]
    posts: dict[str, dict[str, object]] = {
        "/api/disputes/1/10/rule": {
            "verdicts": {"4": {"verdict": "right", "page": answer.page_id}}
        },
        "/api/disputes/undo": {},
        "/api/key/1/10/effect": {"form": "иное"},
        "/api/key/1/10/forms": {"form": "иное", "state": ""},
        "/api/key/forms/1/take-back": {},
    }
    key = event.key()
    for path, body in posts.items():
        assert other.post(path, json=body).status_code == 403, path
    for path in ("/disputes", "/api/disputes", "/api/disputes/1/10"):
        assert other.get(path).status_code == 403, path
    assert _ruled(event) == {"4": DISPUTED}
    assert event.key() == key
    assert "/disputes" not in other.get("/").text
    assert "/disputes" in client(event, Role.CHIEF).get("/").text


def test_a_forged_ruling_is_refused(event: Event, juror: TestClient, chief: TestClient) -> None:
    _confirm(juror, disputed=["4"])
    pages = _pages(_question(chief))
    chief.headers["sec-fetch-site"] = "cross-site"
    assert _rule(chief, "1/10", {"4": ("right", pages["4"])}).status_code == 403
    assert _ruled(event)["4"] is DISPUTED


def test_no_name_of_a_player_is_among_the_disputes(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["1", "2", "3", "4"])
    sent = chief.get("/api/disputes").text + chief.get("/disputes").text
    assert not [player.name for player in event.players() if player.name in sent]


def test_notes_from_elsewhere_stand_beside_the_answer(
    event: Event, juror: TestClient, chief: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def source(_event: Event, boxes: Any) -> dict[Any, list[Note]]:
        return {box: [Note("Анна", RIGHT), Note("Борис", WRONG, HTML)] for box in boxes}

    monkeypatch.setattr(double_showing, "notes", source)
    _confirm(juror, disputed=["4"])
    (group,) = _question(chief)["groups"]
    assert group["answers"][0]["notes"] == [
        {"who": "Анна", "verdict": "right", "text": ""},
        {"who": "Борис", "verdict": "wrong", "text": HTML},
    ]


def test_a_chief_who_is_kept_from_a_player_does_not_see_that_dispute(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    _confirm(juror, disputed=["2", "4"])
    pages = _pages(_question(chief))
    kept_from.keep(event, "chief", players=[4], who="organizer")
    assert set(_pages(_question(chief))) == {"2"}
    assert '"4"' not in chief.get("/api/disputes").text
    answer = _rule(chief, "1/10", {"4": ("right", pages["4"])})
    assert answer.status_code == 409
    form = {"form": "что-то", "verdicts": {"4": "right"}}
    assert chief.post("/api/key/1/10/effect", json=form).status_code == 404
    assert _ruled(event)["4"] is DISPUTED
    assert set(_pages(_question(client(event, Role.ORGANIZER)))) == {"2", "4"}


def test_what_two_jurors_saw_differently_is_decided_by_the_chief_side_by_side(
    event: Event, juror: TestClient, chief: TestClient
) -> None:
    double.set_scope(event, Scope.ALL, who="organizer")
    accounts.add_account(event, "Вторая", Role.JUROR, PIN)
    second = client(event, None)
    second.post("/sign-in", data={"name": "Вторая", "pin": PIN})
    assert _confirm(juror).status_code == 200
    assert _confirm(second, boundary=3).status_code == 200  # sheet 4 is right for her
    (group,) = _question(chief)["groups"]
    (answer,) = group["answers"]
    assert answer["sheet"] == "4"
    said = {note["who"]: note["verdict"] for note in answer["notes"]}
    assert said == {"juror": "wrong", "Вторая": "right"}
    assert _rule(chief, "1/10", {"4": ("right", answer["page"])}).status_code == 200
    assert _ruled(event)["4"] is RIGHT
    chief.post("/api/disputes/undo")
    (again,) = _question(chief)["groups"]
    assert {note["who"] for note in again["answers"][0]["notes"]} == {"juror", "Вторая"}
