"""The standings as an XLSX workbook: a sheet per category, numbers as numbers."""

from __future__ import annotations

import datetime
import io
from typing import Any

import xlsxwriter

from otbor.i18n import pgettext
from reports.csv_file import standings_csv
from reports.decided_notes import decided_sentences
from reports.order import ordered
from reports.sheet_names import sheet_names
from reports.shown_names import Names, shown_standings
from reports.table import Column, Value, columns
from reports.wording import cut_caption, provisional_text, tie_note
from scoring.model import CategoryStandings, StandingRow, Standings, Status

__all__ = ["standings_csv", "standings_xlsx"]

# The workbook names a day on which it was made; any fixed one keeps its bytes reproducible.
CREATED = datetime.datetime(2000, 1, 1)

TIED_FILL = "#D9D9D9"
THIN, THICK = 1, 5
FROZEN_COLUMNS = 3  # place, number, name


def standings_xlsx(standings: Standings, *, names: Names | str = Names.FULL) -> bytes:
    """The workbook in the current language; the same standings give the same bytes.

    A sheet per category with frozen headings and a filter; a thick line under the last sure place, the
    tied filled and named in the status column. Texts are written as texts, whatever they begin with.
    Players are called as `names` says.
    """
    standings = shown_standings(standings, Names(names))
    file = io.BytesIO()
    book = xlsxwriter.Workbook(
        file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    book.set_properties({"title": standings.title, "created": CREATED})
    formats = _Formats(book)
    table = columns(standings)
    titles = sheet_names([part.category for part in standings.categories])
    for name, part in zip(titles, standings.categories, strict=True):
        _sheet(book.add_worksheet(name), formats, table, standings, part)
    if not standings.categories:
        sheet = book.add_worksheet(pgettext("spreadsheet", "Results"))
        sheet.write_string(0, 0, pgettext("standings", "There are no players yet."))
    book.close()
    return file.getvalue()


class _Formats:
    """Cell formats, made when first asked for: the fill of the tied, the line of the cut."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._made: dict[tuple[bool, bool, bool], Any] = {}
        self.head = book.add_format(
            {"bold": True, "bottom": 2, "text_wrap": True, "valign": "vcenter"}
        )
        self.note = book.add_format({"italic": True})
        self.warning = book.add_format({"bold": True})

    def cell(self, *, bold: bool, tied: bool, cut: bool) -> Any:
        """The format of a row's cells."""
        key = (bold, tied, cut)
        if key not in self._made:
            look: dict[str, Any] = {"bold": bold, "bottom": THICK if cut else 0}
            if tied:
                look |= {"bg_color": TIED_FILL, "top": THIN, "bottom": THIN}
            self._made[key] = self._book.add_format(look)
        return self._made[key]


def _sheet(
    sheet: Any,
    formats: _Formats,
    table: list[Column],
    standings: Standings,
    part: CategoryStandings,
) -> None:
    rows = ordered(part.rows)
    sheet.set_row(0, 32)
    for at, column in enumerate(table):
        sheet.set_column(at, at, column.width)
        sheet.write_string(0, at, column.title, formats.head)
    last_sure = max((at for at, row in enumerate(rows) if row.status is Status.IN), default=-1)
    for at, row in enumerate(rows):
        _row(sheet, at + 1, row, table, formats, cut=at == last_sure)
    sheet.freeze_panes(1, FROZEN_COLUMNS)
    sheet.autofilter(0, 0, len(rows), len(table) - 1)
    # A place of one's own is a text too, as «5–7» has to be one: no green corners for that.
    sheet.ignore_errors({"number_stored_as_text": f"A2:A{len(rows) + 1}"})
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    _notes(sheet, len(rows) + 2, formats, standings, part)


def _row(
    sheet: Any, at: int, row: StandingRow, table: list[Column], formats: _Formats, *, cut: bool
) -> None:
    tied = row.status is Status.TIED
    plain = formats.cell(bold=False, tied=tied, cut=cut)
    strong = formats.cell(bold=row.status is Status.IN, tied=tied, cut=cut)
    for index, column in enumerate(table):
        look = strong if index < FROZEN_COLUMNS else plain
        _write(sheet, at, index, column.value(row), look)


def _write(sheet: Any, row: int, column: int, value: Value, look: Any) -> None:
    if value is None or value == "":
        sheet.write_blank(row, column, None, look)
    elif isinstance(value, str):
        sheet.write_string(row, column, value, look)
    else:
        sheet.write_number(row, column, value, look)


def _notes(
    sheet: Any, at: int, formats: _Formats, standings: Standings, part: CategoryStandings
) -> None:
    """Below the table and outside its filter: the line, the tie, the warning."""
    lines = [(cut_caption(part), formats.note), (tie_note(part), formats.note)]
    lines += [(text, formats.note) for text in decided_sentences(standings, part)]
    if standings.unconfirmed:
        lines.insert(0, (provisional_text(standings, part), formats.warning))
    for offset, (text, look) in enumerate((text, look) for text, look in lines if text):
        sheet.write_string(at + offset, 0, text, look)
