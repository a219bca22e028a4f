"""The standings as one CSV file that Russian Excel opens by a double click."""

from __future__ import annotations

import csv
import io

from otbor.i18n import pgettext
from reports.formula_escape import escape_formula
from reports.order import ordered
from reports.shown_names import Names, shown_standings
from reports.table import Value, columns
from scoring.model import Standings


def standings_csv(standings: Standings, *, names: Names | str = Names.FULL) -> bytes:
    """All categories in one table, in the current language.

    UTF-8 with a byte order mark, semicolons, CRLF: so Excel takes it for what it is where the decimal
    sign is a comma. Texts are kept from being run as formulas; numbers stay numbers. Players are called as
    `names` says.
    """
    standings = shown_standings(standings, Names(names))
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    table = columns(standings)
    titles = [pgettext("spreadsheet", "Category"), *(column.title for column in table)]
    writer.writerow([escape_formula(title) for title in titles])
    for part in standings.categories:
        for row in ordered(part.rows):
            values = [part.category, *(column.value(row) for column in table)]
            writer.writerow([_cell(value) for value in values])
    return file.getvalue().encode("utf-8-sig")


def _cell(value: Value) -> str | int:
    if value is None:
        return ""
    return escape_formula(value) if isinstance(value, str) else value
