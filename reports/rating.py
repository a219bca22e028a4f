"""The results as rating sites take them: one line a player, one column a question.

The layout is the one that sites of Russian-language quiz ratings have for single games: the columns
`id`, `name`, `city`, `q1` … `q40`, headings in Latin letters in any language, questions in the order in
which they are read (theme by theme, cheapest first). Chosen here, since every site asks for it in its own
way:

- `id` is the player's number in this event. A site's own numbers stand in no roster: whoever uploads the
  table puts them in.
- A question is 1 for a right answer, −1 for a wrong one, 0 for none; with `points`, it is the points
  themselves. A box that nobody has confirmed is left empty, and so is a removed question.
- Everybody who handed in a sheet has a line, best first; absent and disqualified players have none.
- CSV as in `reports.csv_file`: semicolons, UTF-8 with a byte order mark; one file a category. XLSX: one
  workbook with a sheet a category.
"""

from __future__ import annotations

import csv
import datetime
import io

import xlsxwriter

from reports.formula_escape import escape_formula
from reports.order import ordered
from reports.question_counts import verdict_of
from reports.sheet_names import sheet_names
from scoring.model import CategoryStandings, Regulation, StandingRow, Standings, Verdict

CREATED = datetime.datetime(2000, 1, 1)
_WIDTHS = {"id": 8, "name": 34, "city": 18}


def rating_rows(
    standings: Standings, part: CategoryStandings, *, points: bool = False
) -> list[list[str | int | None]]:
    """The table of one category: headings, then a list a player.

    Args:
        standings: Regulation and removed questions are taken from it.
        part: The category.
        points: The questions' columns hold points instead of 1, 0 and −1.
    """
    regulation = standings.regulation
    count = regulation.themes * len(regulation.nominals)
    removed = {
        (theme - 1) * len(regulation.nominals) + regulation.nominals.index(nominal)
        for theme, nominal in standings.removed
        if nominal in regulation.nominals
    }
    table: list[list[str | int | None]] = [
        ["id", "name", "city", *(f"q{at}" for at in range(1, count + 1))]
    ]
    for row in ordered(part.rows):
        if row.status.value in ("absent", "disqualified") or row.exempt:
            continue
        cells = [
            None if at in removed else _cell(row, at, regulation, points) for at in range(count)
        ]
        table.append([row.player.number, row.player.name, row.player.city, *cells])
    return table


def rating_csv(standings: Standings, part: CategoryStandings, *, points: bool = False) -> bytes:
    """One category as a CSV file; texts are kept from being run as formulas."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    for line in rating_rows(standings, part, points=points):
        writer.writerow(
            [
                "" if cell is None else escape_formula(cell) if isinstance(cell, str) else cell
                for cell in line
            ]
        )
    return file.getvalue().encode("utf-8-sig")


def rating_xlsx(standings: Standings, *, points: bool = False) -> bytes:
    """All categories as a workbook, a sheet each; numbers are numbers, headings stay in view."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(
        file, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    book.set_properties({"title": standings.title, "created": CREATED})
    head = book.add_format({"bold": True, "bottom": 2})
    names = sheet_names([part.category for part in standings.categories])
    for name, part in zip(names, standings.categories, strict=True):
        sheet = book.add_worksheet(name)
        for row, line in enumerate(rating_rows(standings, part, points=points)):
            for column, cell in enumerate(line):
                if isinstance(cell, str):
                    sheet.write_string(row, column, cell, head if row == 0 else None)
                elif cell is not None:
                    sheet.write_number(row, column, cell)
        for column, width in enumerate(_WIDTHS.values()):
            sheet.set_column(column, column, width)
        sheet.set_column(3, 3 + standings.regulation.themes * len(standings.regulation.nominals), 5)
        sheet.freeze_panes(1, 2)
    if not standings.categories:
        book.add_worksheet("q")
    book.close()
    return file.getvalue()


_SIGNS = {Verdict.RIGHT: 1, Verdict.WRONG: -1, Verdict.BLANK: 0}


def _cell(row: StandingRow, at: int, regulation: Regulation, points: bool) -> int | None:
    value = row.cells[at] if at < len(row.cells) else None
    if points:
        return value
    nominal = regulation.nominals[at % len(regulation.nominals)]
    verdict = verdict_of(value, nominal, regulation)
    return None if verdict is None else _SIGNS[verdict]
