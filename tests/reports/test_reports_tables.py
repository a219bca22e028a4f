"""Guards against tables that spreadsheets misread.

A name run as a formula, a score that became a text, «1-10» that became the first of October, a player
lost between the standings and the file.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import random
from collections.abc import Callable

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.i18n import speaking
from reports.csv_file import standings_csv
from reports.formula_escape import DANGEROUS, escape_formula
from reports.sheet_names import LONGEST, sheet_names
from reports.workbook import standings_xlsx
from scoring.model import CategoryStandings, Player, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]


def _shuffled(standings: Standings) -> Standings:
    rng = random.Random(1)
    return dataclasses.replace(
        standings,
        categories=tuple(
            dataclasses.replace(part, rows=tuple(rng.sample(part.rows, len(part.rows))))
            for part in standings.categories
        ),
    )


def _renamed(standings: Standings, name: str, school: str = "") -> Standings:
    """The first player of the first category under another name."""
    part = standings.categories[0]
    row = part.rows[0]
    player = Player(row.player.number, name, part.category, school)
    rows = (dataclasses.replace(row, player=player), *part.rows[1:])
    return dataclasses.replace(standings, categories=(dataclasses.replace(part, rows=rows),))


def _read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2),
        category("Старшая", 20, first_number=101, unconfirmed=2),
    )


def test_the_csv_holds_every_player_and_every_cell(event: Standings) -> None:
    with speaking("ru"):
        data = standings_csv(event)
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == data.count(b"\n") == 1 + 67
    read = {int(line["№"]): line for line in _read_csv(data)}
    for part in event.categories:
        for row in part.rows:
            line = read.pop(row.player.number)
            assert (line["Категория"], line["Участник"]) == (part.category, row.player.name)
            points = [line[f"Т{theme}-{n}"] for theme in range(1, 9) for n in (10, 20, 30, 40, 50)]
            if row.places is None:
                assert line["Место"] == line["Очки"] == "" and not any(points)
                continue
            assert (int(line["Место с"]), int(line["Место по"])) == row.places
            assert [None if text == "" else int(text) for text in points] == list(row.cells)
            assert sum(int(text or 0) for text in points) == int(line["Очки"]) == row.score
    assert not read


def test_csv_places_are_shared_with_an_en_dash(event: Standings) -> None:
    with speaking("ru"):
        lines = _read_csv(standings_csv(event))
    places = {line["№"]: line["Место"] for line in lines}
    tied = event.categories[0].cut.tied
    assert {places[str(number)] for number in tied} == {"30–34"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_name_never_runs_as_a_formula(category: Make, standings: MakeAll, start: str) -> None:
    name = f'{start}HYPERLINK("http://example.org";"нажми")'
    event = _renamed(standings(category("Младшая", 3)), name, "=1+1")
    with speaking("en"):
        line = next(line for line in _read_csv(standings_csv(event)) if line["№"] == "1")
        sheet = openpyxl.load_workbook(io.BytesIO(standings_xlsx(event))).worksheets[0]
    assert line["Player"] == "'" + name
    assert line["School"] == "'=1+1"
    cells = {cell.value: cell.data_type for line in sheet.iter_rows() for cell in line}
    assert cells["=1+1"] == "s"
    assert "f" not in cells.values()


def test_negative_scores_stay_numbers_in_the_csv(category: Make, standings: MakeAll) -> None:
    event = standings(category("Младшая", 45))
    with speaking("en"):
        scores = [line["Score"] for line in _read_csv(standings_csv(event))]
    assert any(score.startswith("-") for score in scores)
    assert [int(score) for score in scores] == sorted(map(int, scores), reverse=True)


@given(st.text(max_size=20))
def test_escaped_texts_are_harmless_and_nothing_is_lost(text: str) -> None:
    escaped = escape_formula(text)
    assert escaped in (text, "'" + text)
    assert not escaped.lstrip(" \u00a0").startswith(DANGEROUS)
    assert escape_formula(escaped) == escaped


@given(st.text(alphabet=st.characters(categories=("L", "N")), min_size=1))
def test_plain_names_are_left_alone(text: str) -> None:
    assert escape_formula(text) == text


def test_the_workbook_has_numbers_where_numbers_belong(event: Standings) -> None:
    with speaking("ru"):
        book = openpyxl.load_workbook(io.BytesIO(standings_xlsx(event)))
    assert book.sheetnames == ["Младшая", "Старшая"]
    for part in event.categories:
        sheet = book[part.category]
        titles = [cell.value for cell in sheet[1]]
        assert sheet.freeze_panes == "D2"
        assert sheet.auto_filter.ref.startswith("A1:")
        lines = [dict(zip(titles, line, strict=True)) for line in sheet.iter_rows(min_row=2)]
        by_number = {line["№"].value: line for line in lines if line["№"].value is not None}
        assert len(by_number) == len(part.rows)
        for row in part.rows:
            line = by_number[row.player.number]
            assert line["Участник"].value == row.player.name
            if row.places is None:
                assert line["Очки"].value is None
                continue
            assert line["Место"].data_type == "s"
            assert (line["Место с"].value, line["Место по"].value) == row.places
            assert line["Очки"].value == row.score and line["Очки"].data_type == "n"
            cells = [line[f"Т{t}-{n}"].value for t in range(1, 9) for n in (10, 20, 30, 40, 50)]
            assert cells == list(row.cells)


def test_the_workbook_marks_the_line_and_the_tied(event: Standings) -> None:
    with speaking("ru"):
        sheet = openpyxl.load_workbook(io.BytesIO(standings_xlsx(event)))["Младшая"]
    thick = [line for line in range(1, 49) if sheet.cell(line, 3).border.bottom.style == "thick"]
    assert thick == [1 + event.categories[0].cut.sure]
    filled = {
        sheet.cell(line, 2).value
        for line in range(2, 49)
        if sheet.cell(line, 3).fill.fill_type == "solid"
    }
    assert filled == set(event.categories[0].cut.tied)
    titles = [cell.value for cell in sheet[1]]
    status = titles.index("Итог") + 1
    tied = [row for row in event.categories[0].rows if row.status is Status.TIED]
    words = [sheet.cell(line, status).value for line in range(2, 49)]
    assert words.count("делёж на черте: решает жюри") == len(tied)
    below = [sheet.cell(line, 1).value for line in range(50, 54)]
    assert any(text and "решает жюри" in text for text in below)
    assert any(text and text.startswith("Предварительно") for text in below)


def test_tables_do_not_depend_on_the_order_of_rows_or_the_hour(event: Standings) -> None:
    assert standings_xlsx(_shuffled(event)) == standings_xlsx(event)
    assert standings_csv(_shuffled(event)) == standings_csv(event)


def test_no_categories_still_give_files_that_open(standings: MakeAll) -> None:
    with speaking("ru"):
        book = openpyxl.load_workbook(io.BytesIO(standings_xlsx(standings())))
    assert book.sheetnames == ["Итоги"]
    assert _read_csv(standings_csv(standings())) == []


@given(st.lists(st.text(max_size=60), max_size=8))
def test_worksheets_get_names_that_excel_takes(categories: list[str]) -> None:
    names = sheet_names(categories)
    assert len(names) == len(categories)
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert 0 < len(name) <= LONGEST
        assert not set(name) & set("[]:*?/\\")
        assert not name.startswith("'") and not name.endswith("'")
        assert name.casefold() != "history"


def test_an_awkward_category_still_becomes_a_sheet(category: Make, standings: MakeAll) -> None:
    long = "Младшая [4/5]: «" + "очень " * 9 + "длинная»"
    event = standings(category(long, 2), category(long, 2, first_number=11), category("", 1))
    assert len(openpyxl.load_workbook(io.BytesIO(standings_xlsx(event))).sheetnames) == 3
