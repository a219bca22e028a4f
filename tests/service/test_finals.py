"""Guards the final stake: no stake above the sum, nothing decided silently, and the right winner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from final_event import REGULATION
from small_event import make_event, page, pdf, scan

from otbor.errors import ConflictError, NotFoundError, OtborError, TableError
from scanner.geometry import SheetKind
from scoring.rules import StakeFault
from scoring.stakes import Opening
from service import final_entries, finals, rulings
from service.cli import app
from service.event import Event


@pytest.fixture
def event(tmp_path: Path) -> Event:
    """The young ones before the final: 1 has 50 points, 2 has 30, 3 has −10."""
    made = make_event(tmp_path)
    regulation = tmp_path / "regulation.toml"
    regulation.write_text(REGULATION, encoding="utf-8")
    made.update(regulation=regulation)
    lines = [
        "sheet;theme;nominal;verdict",
        "1;1;50;right",
        "2;1;30;right",
        "3;1;10;wrong",
    ]
    file = tmp_path / "rulings.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    rulings.rule_from_file(made, file, "jury")
    return made


def _enter(event: Event, *lines: str) -> int:
    file = event.folder / "stakes.csv"
    file.write_text(
        "номер;ставка;вердикт;ставка судьи\n" + "\n".join(lines) + "\n", encoding="utf-8"
    )
    return finals.enter(event, file, "jury")


def _young(event: Event) -> finals.Final:
    return finals.finals(event, "младшие")[0]


def _after(event: Event) -> dict[int, int]:
    return {row.number: row.after for row in _young(event).result.rows}


def test_stakes_are_added_and_taken_away(event: Event) -> None:
    assert _enter(event, "1;20;неверно;", "2;30;верно;") == 2
    assert _after(event) == {1: 30, 2: 60, 3: -10}
    assert _young(event).result.winner == 2


def test_a_missing_stake_counts_as_the_regulation_says(event: Event) -> None:
    _enter(event, "1;;верно;", "2;10;неверно;")
    rows = {row.number: row for row in _young(event).result.rows}
    assert (rows[1].stake, rows[1].fault, rows[1].after) == (1, StakeFault.MISSING, 51)


@pytest.mark.parametrize(
    ("stake", "fault"),
    [("51", StakeFault.TOO_HIGH), ("?", StakeFault.UNREADABLE), ("20/30", StakeFault.DOUBLED)],
)
def test_what_the_regulation_leaves_open_goes_to_the_chief(
    event: Event, stake: str, fault: StakeFault
) -> None:
    _enter(event, f"1;{stake};верно;", "2;10;неверно;")
    result = _young(event).result
    assert result.chief == (1,)
    assert result.winner is None
    assert {row.number: row.fault for row in result.rows}[1] is fault
    _enter(event, f"1;{stake};верно;5")
    assert _after(event)[1] == 55
    assert _young(event).result.winner == 1


def test_a_player_without_a_positive_sum_stakes_nothing(event: Event) -> None:
    _enter(event, "1;10;верно;", "2;10;верно;", "3;5;верно;")
    assert _after(event)[3] == -10


def test_a_later_line_replaces_the_earlier_one(event: Event) -> None:
    _enter(event, "1;10;верно;", "2;1;неверно;")
    _enter(event, "1;10;неверно;")
    assert _after(event)[1] == 40


def test_a_ruling_on_the_written_round_shows_at_once(event: Event, tmp_path: Path) -> None:
    _enter(event, "1;50;верно;", "2;1;неверно;")
    assert _after(event)[1] == 100
    file = tmp_path / "more.csv"
    file.write_text("sheet;theme;nominal;verdict\n1;2;40;wrong\n")
    rulings.rule_from_file(event, file, "jury")
    # 10 points are left: the stake of 50 is too high now, and the chief is asked.
    assert _young(event).result.chief == (1,)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("77;10;верно;", NotFoundError),
        ("1;много;верно;", TableError),
        ("1;10;наверное;", TableError),
        ("1;10;верно;99", ConflictError),
    ],
)
def test_a_bad_line_enters_nothing(event: Event, line: str, error: type[OtborError]) -> None:
    with pytest.raises(error):
        _enter(event, "2;10;верно;", line)
    assert final_entries.sheets(event) == {}


def test_a_regulation_without_a_final_says_so(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    with pytest.raises(ConflictError, match="final stake"):
        finals.finals(event)


def test_nobody_positive_means_no_final(event: Event, tmp_path: Path) -> None:
    file = tmp_path / "more.csv"
    file.write_text("sheet;theme;nominal;verdict\n1;2;50;wrong\n2;2;30;wrong\n")
    rulings.rule_from_file(event, file, "jury")
    assert _young(event).result.opening is Opening.NOBODY_POSITIVE
    assert _young(event).result.winner is None


def test_scanned_final_sheets_are_shown_with_a_table_to_fill_in(
    event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scan(event, pdf(tmp_path / "final.pdf", [page(n, kind=SheetKind.FINAL) for n in (2, 1)]))
    assert _young(event).waiting == (1, 2)
    folder = tmp_path / "crops"
    capsys.readouterr()
    assert app.run(["final", str(event.folder), "--crops", str(folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sorted(Path(name).name for name in data["files"]) == [
        "F1-answer.jpg",
        "F1-stake.jpg",
        "F2-answer.jpg",
        "F2-stake.jpg",
        "final.csv",
    ]
    table = (folder / "final.csv").read_text(encoding="utf-8-sig")
    assert table.splitlines() == ["number;stake;verdict;ruled", "1;;;", "2;;;"]
    young = next(part for part in data["categories"] if part["category"] == "младшие")
    assert young["waiting"] == [1, 2]
