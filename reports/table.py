"""The results as a table of plain values: the columns that the workbook and the CSV share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.wording import has_score, places_text, status_text
from scoring.model import Regulation, StandingRow, Standings

Value = str | int | None
"""What a cell holds: a text, a number, or nothing."""


@dataclass(frozen=True)
class Column:
    """A column.

    Args:
        title: Its heading in the current language.
        width: In characters, as spreadsheets count.
        value: Takes a row, gives the cell.
    """

    title: str
    width: float
    value: Callable[[StandingRow], Value]


def columns(standings: Standings) -> list[Column]:
    """All columns of a category's table: who, how much, which place, then every cell.

    Points that no answer brought (a penalty, what was brought in) have a column where somebody has any:
    the cells and this column together always give the score.
    """
    regulation = standings.regulation
    rows = [row for part in standings.categories for row in part.rows]
    beside = [
        Column(
            pgettext("spreadsheet", "Beside the answers"),
            12,
            lambda row: _if_here(row, row.brought - row.penalty),
        )
    ]
    return [
        Column(pgettext("spreadsheet", "Place"), 9, lambda row: places_text(row.places)),
        Column("№", 7, lambda row: row.player.number),
        Column(pgettext("spreadsheet", "Player"), 34, lambda row: row.player.name),
        Column(pgettext("spreadsheet", "School"), 28, lambda row: row.player.school),
        Column(pgettext("spreadsheet", "City"), 18, lambda row: row.player.city),
        Column(pgettext("spreadsheet", "Score"), 9, lambda row: _if_here(row, row.score)),
        Column(pgettext("spreadsheet", "Right"), 9, lambda row: _if_here(row, row.rights)),
        Column(pgettext("spreadsheet", "Wrong"), 9, lambda row: _if_here(row, row.wrongs)),
        Column(pgettext("spreadsheet", "Empty"), 9, lambda row: _if_here(row, row.blanks)),
        Column(
            pgettext("spreadsheet", "Unconfirmed"),
            16,
            lambda row: _if_here(row, row.unconfirmed),
        ),
        Column(pgettext("spreadsheet", "Status"), 30, lambda row: status_text(row.status)),
        Column(pgettext("spreadsheet", "Place from"), 10, lambda row: row.places and row.places[0]),
        Column(pgettext("spreadsheet", "Place to"), 10, lambda row: row.places and row.places[1]),
        *(beside if any(row.brought or row.penalty for row in rows) else []),
        *_cells(regulation),
    ]


def _if_here(row: StandingRow, number: int) -> int | None:
    """An absent or exempt player has no score; 0 would be one."""
    return number if has_score(row) else None


def _cells(regulation: Regulation) -> list[Column]:
    found = []
    for theme in range(regulation.themes):
        for index, nominal in enumerate(regulation.nominals):
            # A bare “1-10” would become the first of October when a CSV file is opened.
            title = _("T{theme}-{nominal}").format(theme=theme + 1, nominal=nominal)
            at = theme * len(regulation.nominals) + index
            found.append(Column(title, 7, partial(_cell, at=at)))
    return found


def _cell(row: StandingRow, *, at: int) -> int | None:
    return row.cells[at] if has_score(row) and at < len(row.cells) else None
