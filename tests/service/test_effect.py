"""Guards against «decided» said of an event whose sheets are not all here, a mark that was kept too long, and
work that is done in the wrong order near the deadline.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from effect_event import BOXES, confirm, narrow
from small_event import make_event
from web_event import filled_event, rule

from otbor.errors import ConflictError
from scoring.effect import State
from scoring.model import Status, Verdict
from scoring.reach import Fate
from service import effect, rulings, sheets, verdict_board
from service.cli import app
from service.decisions import Decision, decide
from service.effect import EventEffect
from service.event import Event
from service.results import event_standings
from service.verdict_board import box_keys
from service.web import effect_view, work


def group(event: Event, name: str = "младшие") -> effect.GroupEffect:
    return next(one for one in effect.current(event).groups if one.group == name)


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        narrow(made, tmp_path)
        yield made


def test_a_category_is_decided_with_the_last_answer_that_matters_and_not_before(
    event: Event,
) -> None:
    confirm(event, *BOXES[1:], right="1")
    # 1 leads by 1190; one question for 10 is open.
    assert group(event).state is State.DECIDED
    assert group(event).of(Fate.IN) == (1,)
    confirm(event, *BOXES[1:39])
    # 1 leads by 50, and a question for 10 makes 20 at most.
    assert group(event).state is State.DECIDED
    confirm(event, BOXES[39])
    assert group(event).state is State.OPEN
    confirm(event, BOXES[0])
    assert group(event).state is State.TIE
    rule(event, "x", ("2", "t1r1", Verdict.RIGHT))
    assert group(event).of(Fate.IN) == (2,)
    rule(event, "x", ("2", "t1r1", Verdict.DISPUTED))
    assert group(event).state is State.OPEN
    rulings.undo_last(event, "x")
    assert group(event).of(Fate.IN) == (2,)


def test_when_all_is_ruled_it_is_what_the_standings_say(event: Event) -> None:
    confirm(event, *BOXES[::2], right="1")
    confirm(event, *BOXES[1::2], right="3")
    rule(event, "x", ("4", "t8r5", Verdict.WRONG))
    for part in event_standings(event).categories:
        found = group(event, part.category)
        for row in part.rows:
            fate = {Status.IN: Fate.IN, Status.TIED: Fate.TIED}.get(row.status, Fate.OUT)
            assert row.player.number in found.of(fate)


def test_a_missing_sheet_takes_the_certainty_until_the_organizer_says_all_are_in(
    event: Event, tmp_path: Path
) -> None:
    confirm(event, *BOXES, right="1")
    assert group(event).final
    roster = tmp_path / "players.csv"
    roster.write_text(
        "number;name;category\n"
        + "".join(f"{n};И{n};{'младшие' if n < 4 or n == 6 else 'старшие'}\n" for n in range(1, 7)),
        encoding="utf-8",
    )
    event.update(players=roster)
    late = group(event)
    assert (late.state, late.final, late.missing) == (State.DECIDED, False, 1)
    effect.say_all_in(event, True, who="x")
    assert group(event).final
    with pytest.raises(ConflictError):
        effect.say_all_in(event, True, who="x")
    # A page of which nobody knows whose it is may be the missing one.
    with event.database.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE page SET outcome = 'unknown', sheet = NULL WHERE sheet = '5'"
        )
    assert effect.current(event).unsettled == 1
    assert not group(event).final
    effect.say_all_in(event, False, who="x")
    assert not effect.current(event).all_in


def test_a_leader_whom_no_missing_sheet_can_reach_is_in_for_good(
    event: Event, tmp_path: Path
) -> None:
    roster = tmp_path / "players.csv"
    names = "".join(f"{n};И{n};младшие\n" for n in range(1, 7))
    roster.write_text("number;name;category\n" + names, encoding="utf-8")
    event.update(players=roster)
    narrow(event, tmp_path, places=2)
    confirm(event, *BOXES, right="1")
    assert not group(event).final
    rule(event, "x", *((("2"), box, Verdict.RIGHT) for box in BOXES[1:]))
    # 1 has everything, 2 all but 10 points: the missing one may overtake 2.
    assert not group(event).final
    rule(event, "x", ("2", BOXES[0], Verdict.RIGHT))
    assert not group(event).final
    narrow(event, tmp_path, places=3)
    assert group(event).of(Fate.IN) == (1, 2)


def test_what_is_kept_follows_rulings_decisions_scans_and_rollbacks(event: Event) -> None:
    def afresh() -> EventEffect:
        effect._known.clear()
        effect._grounds.clear()
        verdict_board._boards.clear()
        return effect.current(event)

    def check() -> None:
        kept, made = effect.current(event), afresh()
        assert kept.groups == made.groups
        assert kept.weights() == made.weights()
        assert effect.near_the_line(event) == effect._named(kept, kept.found.near)  # type: ignore[union-attr]

    check()
    confirm(event, "t1r1", "t8r5", right="2")
    check()
    before = effect.current(event).groups
    with pytest.raises(RuntimeError), event.database.writing():
        confirm(event, *BOXES[5:20], right="3")
        assert effect.current(event).groups != before
        raise RuntimeError
    assert effect.current(event).groups == before
    # The numbers of the rulings that were rolled back go to others.
    confirm(event, *BOXES[5:20], right="1")
    check()
    decide(event, Decision.REMOVE, {"theme": 8, "nominal": 50}, who="x")
    check()
    assert effect.current(event).weights()["t8r5"] == 0
    with event.database.writing() as connection:
        rulings.withdraw_sheet(connection, "2", "x")
    check()
    with event.database.writing() as connection:
        page = sheets.counting_pages(connection)["5"]
        connection.exec_driver_sql(f"UPDATE page SET outcome = 'empty' WHERE id = {page}")
    check()


def test_near_the_line_is_what_one_other_verdict_would_change(event: Event) -> None:
    confirm(event, *BOXES)
    rule(event, "x", ("1", "t1r3", Verdict.RIGHT), ("2", "t2r2", Verdict.RIGHT))

    def going_on() -> list[tuple[int, Status]]:
        return [
            (row.player.number, row.status)
            for part in event_standings(event).categories
            for row in part.rows
        ]

    usual, near = sorted(going_on()), effect.near_the_line(event)
    assert 0 < sum(map(len, near.values())) < 5 * len(BOXES)
    for sheet in "123":
        for box in ("t1r1", "t1r3", "t2r2", "t8r5"):
            changes = False
            for verdict in (Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK):
                rule(event, "y", (sheet, box, verdict))
                changes |= sorted(going_on()) != usual
                rulings.undo_last(event, "y")
            assert changes is (box in near.get(sheet, ()))


def test_decisions_that_contradict_the_regulation_stop_no_work(
    event: Event, tmp_path: Path
) -> None:
    path = tmp_path / "announced.toml"
    path.write_text('cut = { places = "announced" }\n', encoding="utf-8")
    event.update(regulation=path)
    assert {one.state for one in effect.current(event).groups} == {State.UNKNOWN}
    assert effect.near_the_line(event) == {}
    assert effect_view.group_rows(effect.current(event))[0]["say"] == ["unknown"]
    assert work.summary(event)["left"] == 200


def test_an_empty_event_has_nothing_to_say(tmp_path: Path) -> None:
    with make_event(tmp_path) as event:
        assert {one.state for one in effect.current(event).groups} == {State.EMPTY}
        assert len(box_keys(event.regulation())) == 40
        assert work.summary(event)["questions"][0]["effect"] == ""


def test_the_command_line_says_it(event: Event, capsys: pytest.CaptureFixture[str]) -> None:
    confirm(event, *BOXES, right="1")
    rule(event, "x", ("1", "t1r1", Verdict.DISPUTED), ("4", "t1r1", Verdict.DISPUTED))
    folder = str(event.folder)
    assert app.run(["--lang", "en", "effect", folder, "--players"]) == 0
    said = capsys.readouterr().out
    assert "младшие: Decided: 1 go on." in said
    assert "старшие: surely in: 0 · open: 2 · surely out: 0." in said
    assert "Ли Су" in said
    assert app.run(["--lang", "en", "effect", folder, "--all-in", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["all_in"] is True
    assert data["categories"][0]["in"] == [1]
    assert data["weights"]["t1r1"] == 20
    assert app.run(["--lang", "en", "effect", folder, "--all-in", "--more-come"]) == 7
    assert app.run(["--lang", "en", "effect", folder, "--all-in"]) == 7
