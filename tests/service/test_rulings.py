"""Guards against scores from nowhere: nothing counts that nobody confirmed, and a bad file enters nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_event import make_event, page, pdf, scan, words

from jury.boxes import BoxVerdict
from otbor.errors import TableError
from scoring.model import Status, Verdict
from service import results, rulings
from service.event import Event


def _rule(event: Event, tmp_path: Path, *lines: str) -> tuple[int, int]:
    file = tmp_path / "rulings.csv"
    file.write_text("sheet;theme;nominal;verdict\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return rulings.rule_from_file(event, file, "jury")


def _scores(event: Event) -> dict[int, int]:
    standings = results.event_standings(event)
    return {row.player.number: row.score for part in standings.categories for row in part.rows}


def test_nothing_is_scored_that_is_not_confirmed(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1, words((1, 10), (2, 20)))]))
    standings = results.event_standings(event)
    assert _scores(event)[1] == 0
    assert standings.unconfirmed == 40
    _rule(event, tmp_path, "1;1;10;right", "1;2;20;wrong", "1;3;10;blank", "1;4;50;disputed")
    assert _scores(event)[1] == 10 - 20
    # A dispute is not a ruling yet.
    assert results.event_standings(event).unconfirmed == 37


def test_a_player_without_a_sheet_is_absent(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1)]))
    rows = {
        row.player.number: row
        for part in results.event_standings(event).categories
        for row in part.rows
    }
    assert rows[1].status is Status.IN
    assert {rows[number].status for number in (2, 3, 4, 5)} == {Status.ABSENT}


def test_a_jury_that_marks_on_paper_needs_no_scans(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    _rule(event, tmp_path, "3;8;50;верно", "№3;8;40;неверно")
    assert _scores(event)[3] == 10


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("1;9;10;right", "9–10"),
        ("1;1;15;right", "1–15"),
        ("77;1;10;right", "77"),
        ("F1;1;10;right", "final"),
        ("1;1;10;maybe", "maybe"),
        ("X;1;10;right", "X"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_entered(tmp_path: Path, line: str, named: str) -> None:
    event = make_event(tmp_path)
    with pytest.raises(TableError, match=named) as refused:
        _rule(event, tmp_path, "1;1;20;right", line)
    assert refused.value.hint
    assert rulings.history(event) == []


def test_the_same_file_again_enters_nothing(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    assert _rule(event, tmp_path, "1;1;10;right", "1;1;20;wrong") == (2, 2)
    assert _rule(event, tmp_path, "1;1;10;right", "1;1;20;wrong") == (2, 0)
    assert _rule(event, tmp_path, "1;1;10;wrong", "1;1;20;wrong") == (2, 1)
    assert _scores(event)[1] == -30


def test_undo_goes_back_step_by_step_and_the_log_only_grows(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    box = [BoxVerdict("1", "t1r1", Verdict.RIGHT)]
    rulings.enter(event, box, "anna", origin="t1r1")
    rulings.enter(event, [BoxVerdict("1", "t1r1", Verdict.WRONG)], "anna", origin="t1r1")
    rulings.enter(event, [BoxVerdict("2", "t1r1", Verdict.WRONG)], "boris", origin="t1r1")
    assert rulings.undo_last(event, "anna") == ("t1r1", 1)
    assert rulings.current(event) == {
        ("1", "t1r1"): Verdict.RIGHT,
        ("2", "t1r1"): Verdict.WRONG,
    }
    assert rulings.undo_last(event, "anna") == ("t1r1", 1)
    assert rulings.current(event) == {("2", "t1r1"): Verdict.WRONG}
    assert rulings.undo_last(event, "anna") is None
    assert len(rulings.history(event)) == 5
    assert [entry.id for entry in rulings.history(event)] == [1, 2, 3, 4, 5]
