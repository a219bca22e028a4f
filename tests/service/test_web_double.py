"""Two jurors rule on the same answers.

Guards against one seeing what the other ruled, a single reading that passes for two, a difference that never
reaches the chief, and votes lost or doubled by undo, another scan, a change of the setting or a dead server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_event import PLAYERS, Answers, page, pdf, scan
from starlette.testclient import TestClient
from web_event import PIN, client, filled_event, look, rule

from jury.boxes import BoxVerdict, box_key
from jury.double import Scope
from scoring.model import Verdict
from service import accounts, double, double_showing, results, rulings, sheets
from service.accounts import Role
from service.event import Event

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
AGREED = {"1": RIGHT, "3": RIGHT, "2": WRONG, "4": WRONG, "5": BLANK}


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        for name in ("anna", "boris", "clara"):
            accounts.add_account(made, name, Role.JUROR, PIN)
        double.set_scope(made, Scope.ALL, who="organizer")
        yield made


def _named(event: Event, name: str) -> TestClient:
    browser = client(event, None)
    assert browser.post("/sign-in", data={"name": name, "pin": PIN}).status_code == 303
    return browser


@pytest.fixture
def anna(event: Event) -> TestClient:
    return _named(event, "anna")


@pytest.fixture
def boris(event: Event) -> TestClient:
    return _named(event, "boris")


def _confirm(browser: TestClient, place: str = "1/10", **marks: object) -> Any:
    wall = look(browser, place)
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{place}/confirm", json=body)


def _ruled(event: Event, box: str = "t1r1") -> dict[str, Verdict]:
    return {sheet: v for (sheet, key), v in rulings.current(event).items() if key == box}


def _shown(browser: TestClient, place: str = "1/10") -> dict[str, str | None]:
    wall = browser.get(f"/api/wall/{place}").json()
    return {entry["sheet"]: entry["ruling"] for entry in (*wall["written"], *wall["blanks"])}


def test_one_reading_rules_nothing_and_two_that_agree_do(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    assert _confirm(anna).json()["entered"] == 5
    assert rulings.current(event) == {}
    assert results.event_standings(event).unconfirmed == 200
    assert _confirm(boris).json()["entered"] == 5
    assert _ruled(event) == AGREED
    entries = rulings.history(event)
    assert {entry.by for entry in entries} == {"anna + boris"}
    assert len({entry.batch for entry in entries}) == 1


def test_a_juror_is_never_the_second_reader_of_their_own(event: Event, anna: TestClient) -> None:
    _confirm(anna)
    assert _confirm(anna).json()["entered"] == 0
    assert _confirm(anna, boundary=1).json()["entered"] == 1
    assert rulings.current(event) == {}
    assert _shown(anna) == {"1": "right", "3": "wrong", "2": "wrong", "4": "wrong", "5": "blank"}


def test_nothing_sent_to_a_juror_tells_what_the_other_one_ruled(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    """Whatever anna rules, boris is sent the very same, before and after his own confirmation."""

    def everything(browser: TestClient) -> str:
        wall = browser.get("/api/wall/1/10").json()
        counts = browser.get("/api/progress").json()
        home = browser.get("/").text
        return json.dumps([wall, counts, home], ensure_ascii=False)

    before = browser_wall = look(boris)
    _confirm(anna)
    first = everything(boris)
    _confirm(anna, boundary=4, disputed=["2"], emptied=["3"], written_blanks={"5": "right"})
    assert everything(boris) == first
    assert look(boris)["fingerprint"] == before["fingerprint"]
    assert set(_shown(boris).values()) == {None}
    assert browser_wall["marks"] == look(boris)["marks"]
    _confirm(boris)
    second = everything(boris)
    anna.post("/api/undo", json={})
    assert len(double_showing.differences(event)) == 0
    _confirm(anna, boundary=0)
    assert len(double_showing.differences(event)) == 2
    assert everything(boris) == second
    assert _shown(boris)["1"] == "right"
    assert "anna" not in second


def test_a_difference_goes_to_the_chief_with_both_verdicts(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    _confirm(anna, disputed=["2"], remarks={"2": {"text": "плохо видно", "form": "мимо!"}})
    _confirm(boris, boundary=1)
    assert _ruled(event) == AGREED | {"3": DISPUTED, "2": DISPUTED}
    disputed = rulings.disputes(event)
    assert disputed["3", "t1r1"].why == "anna: верно; boris: неверно"
    assert disputed["2", "t1r1"].why == "anna: спорный (плохо видно); boris: неверно [+ мимо!]"
    assert {
        where: [(reading.by, reading.verdict) for reading in given]
        for where, given in double_showing.differences(event).items()
    } == {
        ("2", "t1r1"): [("anna", DISPUTED), ("boris", WRONG)],
        ("3", "t1r1"): [("anna", RIGHT), ("boris", WRONG)],
    }
    chief = client(event, Role.CHIEF)
    [question] = chief.get("/api/disputes").json()["questions"]
    notes = {a["sheet"]: a["notes"] for group in question["groups"] for a in group["answers"]}
    assert notes["2"] == [
        {"who": "anna", "verdict": "disputed", "text": "плохо видно"},
        {"who": "boris", "verdict": "wrong", "text": ""},
    ]
    assert anna.get("/api/disputes").status_code == 403


def test_the_chiefs_decision_stands_whatever_the_two_say_later(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    _confirm(anna)
    _confirm(boris, boundary=1)
    chief = client(event, Role.CHIEF)
    look(chief)
    page_id = sheets.all_sheets(event)[2].page_id
    answer = chief.post(
        "/api/disputes/1/10/rule",
        json={"verdicts": {"3": {"verdict": "right", "page": page_id}}},
    )
    assert answer.status_code == 200, answer.text
    assert _ruled(event) == AGREED
    assert double_showing.differences(event) == {}
    # Both see the decision now, and cannot overrule it.
    assert _shown(boris)["3"] == "right"
    refused = _confirm(boris, boundary=1)
    assert (refused.status_code, refused.json()["error"]) == (409, "decided")
    assert boris.post("/api/undo", json={}).json()["undone"]["changed"] == 4
    assert _ruled(event) == {"3": RIGHT}
    chief.post("/api/disputes/undo")
    # Taken back: boris' reading of this answer still stands beside anna's.
    assert _ruled(event) == {"3": DISPUTED}


def test_undo_of_either_takes_back_the_joint_ruling_and_leaves_the_others_vote(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    _confirm(anna)
    _confirm(boris)
    reply = anna.post("/api/undo", json={}).json()
    assert reply["undone"] == {"theme": 1, "nominal": 10, "changed": 5}
    assert rulings.current(event) == {}
    assert set(_shown(anna).values()) == {None}
    assert _shown(boris)["1"] == "right"
    assert anna.post("/api/undo", json={}).json()["undone"] is None
    _confirm(anna)
    assert _ruled(event) == AGREED
    assert len({entry.id for entry in rulings.history(event)}) == 15


def test_undo_walks_back_several_steps(event: Event, anna: TestClient, boris: TestClient) -> None:
    _confirm(boris)
    _confirm(anna)
    _confirm(anna, "1/20")
    _confirm(anna, boundary=1)
    assert _ruled(event)["3"] is DISPUTED
    undone = [anna.post("/api/undo", json={}).json()["undone"] for _step in range(4)]
    assert [step and (step["nominal"], step["changed"]) for step in undone] == [
        (10, 1),
        (20, 5),
        (10, 5),
        None,
    ]
    assert rulings.current(event) == {}
    assert boris.post("/api/undo", json={}).json()["undone"]["changed"] == 5


def test_only_what_waits_for_this_juror_is_their_work(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    reply = _confirm(anna).json()
    assert reply["left"] == 195
    assert reply["progress"]["left"] == 0
    assert reply["next"] == {"theme": 1, "nominal": 20}
    counts = anna.get("/api/progress").json()
    assert (counts["left"], counts["second"], counts["personal"]) == (195, 5, True)
    assert boris.get("/api/progress").json()["left"] == 200
    assert "Begin with 1–10" in boris.get("/").text
    # Anna's next round passes over what only boris can finish.
    rest = [
        BoxVerdict(str(sheet), box_key(question.theme, question.row), BLANK)
        for question in event.key().questions()
        for sheet in range(1, 6)
        if (question.theme, question.nominal) not in ((1, 10), (8, 50))
    ]
    double.enter(event, rest, "anna", origin=rulings.FROM_FILE)
    done = _confirm(anna, "8/50").json()
    assert (done["left"], done["next"]) == (0, None)
    _confirm(boris)
    watching = client(event, Role.SPECTATOR).get("/api/progress").json()
    assert (watching["left"], watching["second"]) == (195, 195)
    assert _confirm(_named(event, "clara")).json()["entered"] == 0


def test_the_number_of_differences_is_for_those_who_decide(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    _confirm(anna)
    _confirm(boris, boundary=1)
    for browser in (anna, boris, client(event, Role.SPECTATOR)):
        assert browser.get("/api/progress").json()["disputed"] == 0
    assert client(event, Role.CHIEF).get("/api/progress").json()["disputed"] == 1


def test_what_a_juror_has_not_seen_is_no_reading(event: Event, anna: TestClient) -> None:
    boris = _named(event, "boris")
    _confirm(anna)
    wall = boris.get("/api/wall/1/10").json()
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    refused = boris.post("/api/wall/1/10/confirm", json=body)
    assert refused.json()["error"] == "unseen"
    assert rulings.current(event) == {}


def test_another_scan_of_a_sheet_is_read_anew_by_both(
    event: Event, anna: TestClient, boris: TestClient, tmp_path: Path
) -> None:
    _confirm(anna)
    _confirm(boris, boundary=1)
    scan(event, pdf(tmp_path / "again.pdf", [page(4, {(1, 10): "иное", (3, 10): "ещё"})]))
    assert _ruled(event)["4"] is WRONG
    sheets.choose_page(event, "again.pdf#1")
    assert "4" not in _ruled(event)
    assert _shown(anna)["4"] is None
    # Not even when the first scan is chosen again.
    sheets.choose_page(event, "scan.pdf#4")
    assert _shown(anna)["4"] is None
    _confirm(anna)
    assert "4" not in _ruled(event)
    _confirm(boris)
    assert _ruled(event)["4"] is WRONG


def test_a_sharper_scan_does_not_replace_one_that_a_juror_has_read(
    event: Event, tmp_path: Path
) -> None:
    roster = tmp_path / "players.csv"
    roster.write_text(PLAYERS + "6;Новый Нил;старшие;\n7;Ким Ия;старшие;\n", encoding="utf-8")
    event.update(players=roster)
    text: Answers = {(1, 10): "ответ"}

    def counting(name: str, blur: float) -> dict[str, int | None]:
        scan(event, pdf(tmp_path / name, [page(number, text, blur=blur) for number in (6, 7)]))
        return {sheet.name: sheet.page_id for sheet in sheets.all_sheets(event)}

    before = counting("blurred.pdf", 1.0)
    double.enter(event, [BoxVerdict("6", "t1r1", RIGHT)], "anna", origin="t1r1")
    after = counting("sharp.pdf", 0.0)
    assert after["6"] == before["6"]
    assert after["7"] != before["7"]  # nobody has read that one


def test_what_was_ruled_before_is_its_authors_first_reading(tmp_path: Path) -> None:
    with filled_event(tmp_path) as event:
        for name in ("anna", "boris"):
            accounts.add_account(event, name, Role.JUROR, PIN)
        anna, boris = _named(event, "anna"), _named(event, "boris")
        _confirm(anna)
        double.set_scope(event, Scope.ALL, who="organizer")
        assert _ruled(event) == AGREED
        assert _shown(anna)["1"] == "right"
        assert set(_shown(boris).values()) == {None}
        assert anna.get("/api/progress").json()["left"] == 195
        _confirm(boris, boundary=1)
        assert _ruled(event) == AGREED | {"3": DISPUTED}
        boris.post("/api/undo", json={})
        assert _ruled(event) == AGREED
        _confirm(boris)
        assert {entry.by for entry in rulings.history(event)[-5:]} == {"anna + boris"}
        # Her ruling is taken back as a reading, and his waits for a second one.
        assert anna.post("/api/undo", json={}).json()["undone"]["changed"] == 5
        assert rulings.current(event) == {}
        _confirm(anna)
        assert _ruled(event) == AGREED


def test_ending_it_leaves_single_votes_as_rulings_and_can_be_taken_back(
    event: Event, anna: TestClient, boris: TestClient
) -> None:
    _confirm(anna)
    _confirm(boris, "1/20")
    _confirm(anna, "1/20")
    assert double.only_votes(event) == 5
    assert double.set_scope(event, Scope.NONE, who="organizer") == 5
    assert _ruled(event) == AGREED
    assert {entry.by for entry in rulings.history(event) if entry.box == "t1r1"} == {"anna"}
    assert _shown(boris)["1"] == "right"
    double.set_scope(event, Scope.ALL, who="organizer")
    assert set(_shown(boris).values()) == {None}
    assert set(_shown(boris, "1/20").values()) == {"right", "wrong", "blank"}
    _confirm(boris)
    assert {entry.by for entry in rulings.history(event)[-5:]} == {"anna + boris"}


def test_a_paper_jury_s_file_is_that_persons_reading(event: Event, tmp_path: Path) -> None:
    def enter(who: str, *lines: str) -> tuple[int, int]:
        file = tmp_path / f"{who}.csv"
        file.write_text("sheet;theme;nominal;verdict\n" + "\n".join(lines), encoding="utf-8")
        return rulings.rule_from_file(event, file, who)

    assert enter("Петров", "1;1;10;right", "1;1;20;wrong") == (2, 2)
    assert enter("Петров", "1;1;10;right", "1;1;20;wrong") == (2, 0)
    assert rulings.current(event) == {}
    assert enter("Сидоров", "1;1;10;right", "1;1;20;right") == (2, 2)
    assert rulings.current(event) == {("1", "t1r1"): RIGHT, ("1", "t1r2"): DISPUTED}
    assert double.undo_last(event, "Петров") == ("file", 2)
    assert rulings.current(event) == {}


def test_a_ruling_that_failed_half_way_leaves_neither_vote_nor_ruling(
    event: Event, anna: TestClient, boris: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    _confirm(anna)

    def broken(*_given: object, **_more: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr("service.double.settle", broken)
        assert _confirm(boris).status_code == 500
    assert rulings.current(event) == {}
    assert set(_shown(boris).values()) == {None}
    assert _confirm(boris).json()["entered"] == 5


def test_a_vote_is_there_after_the_server_is_gone(event: Event, anna: TestClient) -> None:
    _confirm(anna)
    with Event(event.folder) as again:
        assert _shown(_named(again, "anna"))["1"] == "right"
        _confirm(_named(again, "boris"))
        assert _ruled(again) == AGREED
    assert re.findall("anna", json.dumps(_shown(_named(event, "boris")))) == []


def test_a_ruling_entered_directly_is_a_decision(event: Event, anna: TestClient) -> None:
    rule(event, "chief", ("1", "t1r1", WRONG))
    assert _shown(anna)["1"] == "wrong"
    assert anna.get("/api/progress").json()["left"] == 199


def test_the_organizer_is_asked_before_single_votes_become_rulings(
    event: Event, anna: TestClient
) -> None:
    _confirm(anna)
    organizer = client(event, Role.ORGANIZER)
    asked = organizer.post("/double", data={"scope": "none"})
    assert asked.status_code == 200
    assert "5 answers have been read by one juror alone" in asked.text
    assert double.scope_of(event) is Scope.ALL
    _confirm(anna, "1/20")
    # More has been read meanwhile than was agreed to.
    again = organizer.post("/double", data={"scope": "none", "votes": 5})
    assert "10 answers have been read by one juror alone" in again.text
    assert anna.post("/double", data={"scope": "none", "votes": 10}).status_code == 403
    assert client(event, Role.CHIEF).post("/double", data={"scope": "none"}).status_code == 403
    assert organizer.post("/double", data={"scope": "none", "votes": 10}).status_code == 303
    assert len(rulings.current(event)) == 10
    assert organizer.post("/double", data={"scope": "none"}).status_code == 409
    counts = organizer.get("/api/double").json()
    assert (counts["scope"], counts["total"]) == ("none", 0)
