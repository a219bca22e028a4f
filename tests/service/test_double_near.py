"""Answers near the line get a second look.

Guards against a result published while one juror alone has decided who goes on, and against a second look at
what cannot matter, or by the one who looked first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_event import PIN, client, filled_event, look

from jury.boxes import BoxId, BoxVerdict
from jury.double import Scope
from otbor.errors import ConflictError
from scoring.model import Verdict
from service import accounts, double, double_readings, double_showing, publications, rulings
from service import second_looks as looks
from service.accounts import Role
from service.cli import app
from service.event import Event, default_regulation

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
JUNIORS, SENIORS = ("1", "2", "3"), ("4", "5")
BOXES = [f"t{theme}r{row}" for theme in range(1, 9) for row in range(1, 6)]
# One place in each category. Sheet 1 leads its category by 40, sheet 4 by 600.
POINTS = {
    ("1", "t1r5"): RIGHT,
    ("2", "t1r1"): RIGHT,
    **{("3", f"t{theme}r5"): WRONG for theme in range(1, 5)},
    **{("4", f"t{theme}r{row}"): RIGHT for theme in range(1, 5) for row in range(1, 6)},
}


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    regulation = tmp_path / "regulation.toml"
    text = default_regulation().replace("cut = 32", "cut = 1")
    regulation.write_text(text.replace('"undecided"', '"all_in"'), encoding="utf-8")
    with filled_event(tmp_path) as made:
        made.update(regulation=regulation)
        for name in ("anna", "boris"):
            accounts.add_account(made, name, Role.JUROR, PIN)
        double.set_scope(made, Scope.NEAR, who="organizer")
        yield made


def _first(event: Event, *sheets: str, without: tuple[BoxId, ...] = ()) -> None:
    """Anna rules on everything of some sheets."""
    for box in BOXES:
        given = [
            BoxVerdict(sheet, box, POINTS.get((sheet, box), BLANK))
            for sheet in sheets
            if (sheet, box) not in without
        ]
        double.enter(event, given, "anna", origin=box)


def _named(event: Event, name: str) -> TestClient:
    browser = client(event, None)
    assert browser.post("/sign-in", data={"name": name, "pin": PIN}).status_code == 303
    return browser


def _confirm(browser: TestClient, place: str, turned: dict[str, str | None]) -> Any:
    """Confirm a wall as it stands, but for some boxes of the strip; None: nothing is written there."""
    wall = look(browser, place)
    blanks = {**wall["marks"]["written_blanks"], **turned}
    marks = {"written_blanks": {sheet: given for sheet, given in blanks.items() if given}}
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{place}/confirm", json=body)


def _opened(event: Event) -> frozenset[BoxId]:
    return double_readings.setting(event).opened


def test_only_what_is_near_the_line_is_opened_and_only_when_its_category_is_ruled_on(
    event: Event,
) -> None:
    _first(event, *JUNIORS, *SENIORS, without=(("3", "t8r5"),))
    # The seniors' line is far from everybody; the juniors' category is not all ruled on.
    assert _opened(event) == frozenset()
    _first(event, *JUNIORS)
    opened = _opened(event)
    # Who leads would fall behind if the 50 were wrong; nothing on sheet 3 alone lifts it over the line.
    assert ("1", "t1r5") in opened
    assert {sheet for sheet, _box in opened} <= {"1", "2"}
    # A blank of 10 points is too little to matter on either sheet.
    assert ("1", "t2r1") not in opened
    assert set(looks.waiting(event)) == opened
    assert rulings.current(event)["1", "t1r5"] is RIGHT


def test_another_juror_looks_without_seeing_what_the_first_one_ruled(event: Event) -> None:
    _first(event, *JUNIORS, *SENIORS)
    anna, boris = _named(event, "anna"), _named(event, "boris")
    place = "1/50"
    shown = {e["sheet"]: e["ruling"] for e in _entries(boris, place)}
    assert shown["1"] is None
    assert shown["3"] == "wrong"  # far from the line: as ruled
    assert {e["sheet"]: e["ruling"] for e in _entries(anna, place)}["1"] == "right"
    waiting = len(looks.waiting(event))
    assert boris.get("/api/progress").json()["left"] == waiting
    assert anna.get("/api/progress").json()["left"] == 0
    assert anna.get("/api/progress").json()["second"] == waiting
    assert boris.get(f"/api/wall/{place}").json()["next"] is not None
    assert anna.get(f"/api/wall/{place}").json()["next"] is None
    assert "anna" not in json.dumps(boris.get(f"/api/wall/{place}").json())


def _entries(browser: TestClient, place: str) -> list[dict[str, Any]]:
    wall = browser.get(f"/api/wall/{place}").json()
    return [*wall["written"], *wall["blanks"]]


def test_a_second_look_that_agrees_is_noted_and_one_that_differs_goes_to_the_chief(
    event: Event,
) -> None:
    _first(event, *JUNIORS, *SENIORS)
    boris = _named(event, "boris")
    assert ("2", "t1r5") in _opened(event)
    _confirm(boris, "1/50", {"1": "right"})
    [last] = [r for r in rulings.history(event) if (r.sheet, r.box) == ("1", "t1r5")][1:]
    assert (last.verdict, last.by) == (RIGHT, "anna + boris")
    assert ("1", "t1r5") not in looks.waiting(event)
    place = next(
        box for sheet, box in looks.waiting(event) if sheet == "2" and box not in ("t1r5", "t1r1")
    )
    theme, row = place[1], int(place[3])
    _confirm(boris, f"{theme}/{row * 10}", {"2": "right"})
    assert rulings.current(event)["2", place] is DISPUTED
    assert set(double_showing.differences(event)) == {("2", place)}
    # Anna is not told, and her own ruling is what she sees.
    anna = _named(event, "anna")
    shown = {e["sheet"]: e["ruling"] for e in _entries(anna, f"{theme}/{row * 10}")}
    assert shown["2"] == "blank"
    # What was opened stays open, though the dispute moves the line.
    assert ("2", "t1r5") in _opened(event)
    boris.post("/api/undo", json={})
    assert rulings.current(event)["2", place] is BLANK
    assert rulings.history(event)[-1].restores is not None


def test_the_first_reader_taking_theirs_back_leaves_the_second_look_waiting(event: Event) -> None:
    _first(event, *JUNIORS, *SENIORS)
    boris, anna = _named(event, "boris"), _named(event, "anna")
    _confirm(boris, "1/50", {"1": "right"})
    both = {where for where in _opened(event) if where[1] == "t1r5"}
    double.undo_last(event, "anna", "t1r5")
    now = rulings.current(event)
    assert not both & set(now)
    assert {e["sheet"]: e["ruling"] for e in _entries(boris, "1/50")}["1"] == "right"
    _confirm(anna, "1/50", {"1": "right", "3": "wrong", "4": "right"})
    last = [r for r in rulings.history(event) if (r.sheet, r.box) == ("1", "t1r5")][-1]
    assert (last.verdict, last.by) == (RIGHT, "boris + anna")


def test_the_first_reader_may_mend_a_ruling_while_nobody_has_looked_again(event: Event) -> None:
    _first(event, *JUNIORS, *SENIORS)
    anna = _named(event, "anna")
    _confirm(anna, "1/50", {"1": None})
    last = rulings.history(event)[-1]
    assert (last.sheet, last.box, last.verdict, last.by) == ("1", "t1r5", BLANK, "anna")
    assert ("1", "t1r5") in looks.waiting(event)


def test_nothing_is_published_while_second_looks_wait(event: Event) -> None:
    _first(event, *JUNIORS, *SENIORS)
    organizer = client(event, Role.ORGANIZER)
    assert "wait for a second juror" in organizer.get("/standings").text
    with pytest.raises(ConflictError, match="wait"):
        publications.publish(event, who="organizer")
    for box in BOXES:
        given = [
            BoxVerdict(sheet, box, POINTS.get((sheet, box), BLANK))
            for sheet in (*JUNIORS, *SENIORS)
        ]
        double.enter(event, given, "boris", origin=box)
    assert looks.waiting(event) == []
    publications.publish(event, who="organizer")


def test_the_command_says_how_far_it_is_and_asks_before_votes_become_rulings(
    event: Event, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")

    def run(*more: str) -> tuple[int, str]:
        capsys.readouterr()
        status = app.run(["double", str(event.folder), *more])
        said = capsys.readouterr()
        return status, said.out + said.err

    assert run("all", "--who", "organizer")[0] == 0
    double.enter(event, [BoxVerdict("1", "t1r1", RIGHT)], "anna", origin="t1r1")
    status, said = run("--json")
    found = json.loads(said)
    assert (status, found["scope"], found["total"], found["one"]) == (0, "all", 200, 1)
    assert found["by_person"] == {"anna": 1}
    status, said = run("none")
    assert status == 7
    assert "1 answer has been read by one juror alone" in said
    assert double.scope_of(event) is Scope.ALL
    status, said = run("none", "--yes")
    assert status == 0
    assert "1 vote became a ruling" in said
    assert rulings.current(event) == {("1", "t1r1"): RIGHT}
    assert run("none")[0] == 7
    assert run("some")[0] == 2


def test_what_matters_for_the_line_does_not_tell_that_the_other_one_differs(event: Event) -> None:
    double.set_scope(event, Scope.ALL, who="organizer")
    anna, boris = _named(event, "anna"), _named(event, "boris")
    assert any(entry["matters"] for entry in _entries(anna, "1/50"))
    _confirm(anna, "1/50", {"1": "right"})

    def sent() -> list[Any]:
        counts = anna.get("/api/progress").json()["questions"]
        here = [q for q in counts if (q["theme"], q["nominal"]) == (1, 50)]
        return [anna.get("/api/wall/1/50").json()["blanks"], here]

    _confirm(boris, "1/50", {"1": "right"})
    agreed = sent()
    boris.post("/api/undo", json={})
    _confirm(boris, "1/50", {"1": "wrong"})
    assert set(double_showing.differences(event)) == {("1", "t1r5")}
    differ = sent()
    assert [entry["matters"] for entry in differ[0]] == [False] * 5
    assert differ[0] == agreed[0]
    assert differ[1][0]["matters"] == agreed[1][0]["matters"] == 0
