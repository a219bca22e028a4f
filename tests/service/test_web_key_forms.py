"""Guards against a key that changes unseen: open walls that do not notice, rulings that silently disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_event import key_text, make_event, page, pdf, scan
from starlette.testclient import TestClient
from web_event import client, filled_event, look, read_as, rule

from jury.boxes import BoxVerdict
from scoring.model import Verdict
from service import answers, intake, key_changes, rulings
from service.accounts import Role
from service.cli import app
from service.event import Event
from service.executors import SerialExecutor
from service.results import event_standings

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """Sheets 2 and 4 both read «что-то» on 1–10; sheet 1 and 3 are right."""
    with filled_event(tmp_path) as made:
        read_as(made, "2", "t1r1", "что-то")
        yield made


@pytest.fixture
def chief(event: Event) -> TestClient:
    return client(event, Role.CHIEF)


def _effect(browser: TestClient, form: str = "что-то", **more: object) -> Any:
    answer = browser.post("/api/key/1/10/effect", json={"form": form, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def _add(browser: TestClient, form: str = "что-то", **more: object) -> Any:
    state = more.pop("state", None) or _effect(browser, form)["state"]
    return browser.post("/api/key/1/10/forms", json={"form": form, "state": state, **more})


def _ruled(event: Event) -> dict[str, Verdict]:
    return {sheet: v for (sheet, box), v in rulings.current(event).items() if box == "t1r1"}


def _all_ruled(event: Event) -> None:
    rule(event, "juror", ("1", "t1r1", RIGHT), ("3", "t1r1", RIGHT), ("5", "t1r1", BLANK))
    rule(event, "juror", ("2", "t1r1", WRONG), ("4", "t1r1", WRONG))


def _all_ruled_but_two(event: Event) -> None:
    rule(event, "juror", ("1", "t1r1", RIGHT), ("4", "t1r1", WRONG), ("5", "t1r1", BLANK))


def test_a_new_form_orders_the_wall_anew_everywhere(event: Event, chief: TestClient) -> None:
    juror = client(event)
    before = look(juror)
    assert before["marks"]["boundary"] == 2
    effect = _effect(chief)
    assert (effect["suggested"], effect["contradicting"]) == (2, [])
    assert event.key().question(1, 10).accepted == ()
    assert _add(chief).status_code == 200
    after = look(juror)
    assert after["key"]["accepted"] == ["что-то"]
    assert after["marks"]["boundary"] == 4
    assert {entry["suggestion"] for entry in after["written"]} == {"right"}
    assert rulings.current(event) == {}


def test_a_wall_that_is_open_elsewhere_notices_the_key(event: Event, chief: TestClient) -> None:
    juror = client(event)
    wall, other = look(juror), look(juror, "1/20")
    version = juror.get("/api/progress").json()["key"]
    assert wall["key_version"] == version
    _add(chief)
    # Told at once, by the counts that every open page listens to...
    assert juror.get("/api/progress").json()["key"] > version
    # ...and in no case is anything recorded that was marked under the old key.
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    answer = juror.post("/api/wall/1/10/confirm", json=body)
    assert (answer.status_code, answer.json()["error"]) == (409, "wall_changed")
    assert rulings.current(event) == {}
    # Another question's wall is as it was.
    body = {"fingerprint": other["fingerprint"], "marks": other["marks"]}
    assert juror.post("/api/wall/1/20/confirm", json=body).status_code == 200


def test_the_effect_names_who_was_ruled_otherwise_and_who_gains(
    event: Event, chief: TestClient
) -> None:
    _all_ruled(event)
    effect = _effect(chief)
    assert [(one["sheet"], one["ruling"]) for one in effect["contradicting"]] == [
        ("2", "wrong"),
        ("4", "wrong"),
    ]
    gains = {player["number"]: player["points"] for player in effect["players"] if player["points"]}
    assert gains == {2: "+20", 4: "+20"}
    only_one = _effect(chief, anew=["4"])
    assert [one["number"] for one in only_one["players"] if one["points"]] == [4]
    assert _effect(chief, anew=[])["players"] == []
    # A look changes nothing.
    assert event.key().question(1, 10).accepted == ()
    assert _ruled(event)["2"] is WRONG


def test_the_form_and_its_rulings_come_and_go_together(event: Event, chief: TestClient) -> None:
    _all_ruled(event)
    before, key = event_standings(event), event.key()
    text = key_changes.key_text(key)
    effect = _effect(chief)
    pages = [one["page"] for one in effect["contradicting"]]
    chief.post("/api/wall/1/10/seen", json={"pages": pages})
    answer = _add(chief, state=effect["state"], anew=["2", "4"])
    added = answer.json()["added"]
    assert (added["form"], added["accepted"]) == ("что-то", True)
    assert _ruled(event) == {"1": RIGHT, "2": RIGHT, "3": RIGHT, "4": RIGHT, "5": BLANK}
    assert event_standings(event) != before
    assert [one["id"] for one in chief.get("/api/disputes").json()["forms"]] == [added["id"]]
    back = chief.post(f"/api/key/forms/{added['id']}/take-back").json()
    assert back["changed"] == 2
    assert event_standings(event) == before
    assert event.key() == key
    assert key_changes.key_text(event.key()) == text
    assert chief.get("/api/disputes").json()["forms"] == []
    assert chief.post(f"/api/key/forms/{added['id']}/take-back").status_code == 404


def test_nothing_unseen_is_ruled_with_a_form(event: Event, chief: TestClient) -> None:
    _all_ruled(event)
    answer = _add(chief, anew=["2", "4"])
    assert (answer.status_code, answer.json()["error"]) == (409, "unseen")
    assert event.key().question(1, 10).accepted == ()
    assert _ruled(event)["2"] is WRONG


def test_a_form_rules_the_disputed_group_with_it_and_undo_takes_both_back(
    event: Event, chief: TestClient
) -> None:
    rule(event, "juror", ("2", "t1r1", DISPUTED), ("4", "t1r1", DISPUTED))
    look(chief)
    verdicts = {"2": "right", "4": "right"}
    effect = _effect(chief, verdicts=verdicts)
    assert {one["number"] for one in effect["players"] if one["points"]} == {2, 4}
    assert _add(chief, state=effect["state"], verdicts=verdicts).status_code == 200
    assert _ruled(event) == {"2": RIGHT, "4": RIGHT}
    undone = chief.post("/api/disputes/undo").json()["undone"]
    assert undone == {"theme": 1, "nominal": 10, "changed": 2, "form": "что-то"}
    assert _ruled(event) == {"2": DISPUTED, "4": DISPUTED}
    assert event.key().question(1, 10).accepted == ()
    assert chief.post("/api/disputes/undo").json()["undone"] is None


def test_what_was_ruled_after_a_form_stays_when_it_is_taken_back(
    event: Event, chief: TestClient
) -> None:
    _all_ruled(event)
    look(chief)
    added = _add(chief, anew=["2", "4"]).json()["added"]
    rule(event, "organizer", ("4", "t1r1", DISPUTED))
    assert chief.post(f"/api/key/forms/{added['id']}/take-back").json()["changed"] == 1
    assert (_ruled(event)["2"], _ruled(event)["4"]) == (WRONG, DISPUTED)


def test_a_form_that_is_not_accepted_names_equal_answers_ruled_right(
    event: Event, chief: TestClient
) -> None:
    rule(event, "juror", ("2", "t1r1", RIGHT), ("4", "t1r1", RIGHT))
    look(chief)
    effect = _effect(chief, accepted=False)
    assert [one["sheet"] for one in effect["contradicting"]] == ["2", "4"]
    assert _add(chief, accepted=False, anew=["2", "4"], state=effect["state"]).status_code == 200
    assert _ruled(event) == {"2": WRONG, "4": WRONG}
    assert event.key().question(1, 10).rejected == ("мимо", "что-то")


def test_a_form_moves_from_the_answers_not_accepted(event: Event, chief: TestClient) -> None:
    assert _effect(chief, "МИМО")["moved"] == "мимо"
    added = _add(chief, "МИМО").json()["added"]
    question = event.key().question(1, 10)
    assert (question.accepted, question.rejected) == (("МИМО",), ())
    # A later form stands when the earlier one is taken back.
    _add(chief, "иное")
    chief.post(f"/api/key/forms/{added['id']}/take-back")
    question = event.key().question(1, 10)
    assert (question.accepted, question.rejected) == (("иное",), ("мимо",))


def _somebody_rules(event: Event, folder: Path) -> None:
    rule(event, "juror", ("2", "t1r1", WRONG))


def _another_key(event: Event, folder: Path) -> None:
    file = folder / "other.toml"
    file.write_text(key_text().replace('"мимо"', '"иное"', 1), encoding="utf-8")
    event.update(key=file)


@pytest.mark.parametrize("change", [_somebody_rules, _another_key])
def test_a_form_is_added_only_to_what_was_looked_at(
    event: Event, chief: TestClient, tmp_path: Path, change: Any
) -> None:
    effect = _effect(chief)
    change(event, tmp_path)
    key = event.key()
    answer = _add(chief, state=effect["state"])
    assert (answer.status_code, answer.json()["error"]) == (409, "wall_changed")
    assert event.key() == key


@pytest.mark.parametrize(
    ("form", "place", "status"),
    [
        ("", "1/10", 409),
        ("Ответ 110", "1/10", 409),
        ("по смыслу", "1/10", 409),
        ("x" * 101, "1/10", 409),
        ("x" * 2000, "1/10", 422),
        ("иное", "9/10", 404),
        ("иное", "1/15", 404),
    ],
)
def test_what_no_key_can_take_is_refused_with_the_reason(
    chief: TestClient, form: str, place: str, status: int
) -> None:
    state = _effect(chief, "другое")["state"]
    for path, more in (("effect", {}), ("forms", {"state": state})):
        answer = chief.post(f"/api/key/{place}/{path}", json={"form": form, **more})
        assert answer.status_code == status, path
        assert answer.json()["error"] != "wall_changed"
        assert answer.json()["message"]
        assert answer.json()["hint"]


@pytest.mark.parametrize("verdicts", [{"77": "right"}, {"2": "right"}, {"1": "disputed"}])
def test_a_form_rules_only_on_answers_that_have_a_ruling(
    event: Event, chief: TestClient, verdicts: dict[str, str]
) -> None:
    rule(event, "juror", ("1", "t1r1", RIGHT))
    look(chief)
    state = _effect(chief)["state"]
    assert _add(chief, state=state, verdicts=verdicts).status_code in (404, 409)
    assert event.key().question(1, 10).accepted == ()
    assert _ruled(event) == {"1": RIGHT}


def test_html_in_a_form_stays_text(event: Event, chief: TestClient) -> None:
    form = "</script><b>«x»</b>"
    _add(chief, form)
    assert look(chief)["key"]["accepted"] == [form]
    for path in ("/wall/1/10", "/disputes"):
        assert "<b>" not in chief.get(path).text
    assert event.key().question(1, 10).accepted == (form,)


def test_a_form_is_tried_added_listed_and_taken_back(
    event: Event, capsys: pytest.CaptureFixture[str]
) -> None:
    _all_ruled(event)
    key, before = event.key(), event_standings(event)

    def run(*arguments: str) -> Any:
        capsys.readouterr()
        assert app.run(["key", *arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    where = str(event.folder)
    trial = run("add-form", where, "1", "10", "что-то", "--rule", "4", "--dry-run")
    assert [one["sheet"] for one in trial["contradicting"]] == ["2", "4"]
    gains = {one["number"]: one["points"] for one in trial["changes"]["players"]}
    assert gains[4] == 20 and not gains.get(2)
    assert event.key() == key
    added = run("add-form", where, "1", "10", "что-то", "--rule", "4", "--why", "спор")
    assert event.key().question(1, 10).accepted == ("что-то",)
    assert (_ruled(event)["2"], _ruled(event)["4"]) == (WRONG, RIGHT)
    (listed,) = run("list", where)
    assert (listed["id"], listed["why"], listed["taken_back"]) == (added["id"], "спор", False)
    run("undo", where, str(added["id"]))
    assert event.key() == key
    assert event_standings(event) == before
    assert run("list", where)[0]["taken_back"] is True
    assert app.run(["key", "undo", where, str(added["id"])]) == 6
    assert app.run(["key", "add-form", where, "1", "10", "по смыслу"]) == 7


def test_a_rebuilt_event_keeps_forms_remarks_and_the_chiefs_rulings(
    event: Event, chief: TestClient
) -> None:
    rulings.enter(event, [BoxVerdict("2", "t1r1", DISPUTED, "взгляните")], "juror", origin="t1r1")
    _all_ruled_but_two(event)
    look(chief)
    _add(chief, anew=["4"])
    before = (event.key(), _ruled(event), event_standings(event), rulings.disputes(event))
    intake.rebuild(event, reader="none", factory=SerialExecutor)
    assert (event.key(), _ruled(event), event_standings(event), rulings.disputes(event)) == before
    assert [entry.change.form for entry in key_changes.entries(event)] == ["что-то"]


def test_an_answer_that_was_misread_is_found_by_its_picture(tmp_path: Path) -> None:
    """The reading is wrong, but the trace of the picture says the new form."""
    with make_event(tmp_path) as made:
        written = {(1, 10): "Лермонтов", (1, 20): "Лермонтов"}
        scan(made, pdf(tmp_path / "scan.pdf", [page(1, written)]), reader="handwriting")
        for box in ("t1r1", "t1r2"):
            read_as(made, "1", box, "Яерманшов")
        rule(made, "juror", ("1", "t1r1", WRONG))
        ruled = key_changes.effect(made, 1, 10, "Лермонтов", accepted=True)
        assert [answer.sheet for answer in ruled.contradicting] == ["1"]
        waiting = key_changes.effect(made, 1, 20, "Лермонтов", accepted=True)
        assert [answer.sheet for answer in waiting.suggested] == ["1"]
        other = key_changes.effect(made, 1, 10, "Достоевский", accepted=True)
        assert (other.contradicting, other.suggested) == ((), ())
        # What was said beforehand is what comes.
        key_changes.add_form(made, 1, 20, "Лермонтов", accepted=True, who="chief")
        (answer,) = answers.all_answers(made, made.key().question(1, 20))
        assert answer.suggestion.verdict is RIGHT
