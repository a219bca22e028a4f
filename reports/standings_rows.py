"""One player's line on the posted standings."""

from __future__ import annotations

from dataclasses import dataclass

from reports.fitting import Fitted, fit
from reports.flow import Block
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.order import theme_sums
from reports.paper import LEADING, Paper
from reports.wording import places_text, points_text
from scoring.model import Regulation, StandingRow, Status

COLUMNS_LEFT, COLUMNS_RIGHT = 13.0, 197.0

NAME_SIZE, NAME_LEAST, SCHOOL_SIZE = 12.0, 9.0, 8.0
NAME_LINES = 4  # sixty of the widest letters need them

# More themes than this don't fit beside a name of 60 letters; the protocol shows them all.
MOST_THEMES = 10

TIE_MARK = "◊"
"""Beside the tint, so that a tied player is still known on a photocopy."""

TIE_TINT = 0.88


@dataclass(frozen=True)
class Columns:
    """Where the columns are, mm: right edges of the numbers, left edge of the name."""

    place: float
    number: float
    name: float
    name_width: float
    themes: tuple[float, ...]
    theme_width: float
    right: float
    wrong: float
    score: float

    @classmethod
    def of(cls, regulation: Regulation) -> Columns:
        """The columns for a regulation: its themes take their room from the names."""
        score, wrong, right = COLUMNS_RIGHT - 2.0, COLUMNS_RIGHT - 16.5, COLUMNS_RIGHT - 26.5
        count = regulation.themes if regulation.themes <= MOST_THEMES else 0
        theme_width = 7.1 if count <= 8 else 5.8
        last = right - 9.5
        themes = tuple(last - theme_width * (count - 1 - index) for index in range(count))
        name = COLUMNS_LEFT + 28.0
        edge = themes[0] - theme_width if themes else last
        return cls(
            COLUMNS_LEFT + 16.5,
            COLUMNS_LEFT + 25.8,
            name,
            edge - name - 1.0,
            themes,
            theme_width,
            right,
            wrong,
            score,
        )


def row_block(
    row: StandingRow, *, regulation: Regulation, columns: Columns, with_next: bool = False
) -> Block:
    """The line of a player as a block of the height that the name needs."""
    room = columns.name_width * MM
    font = BOLD if row.status is Status.IN else REGULAR
    name = fit(row.player.name, font, NAME_SIZE, room, least=NAME_LEAST, lines=NAME_LINES)
    about = ", ".join(part for part in (row.player.school, row.player.city) if part)
    school = fit(about, REGULAR, SCHOOL_SIZE, room, least=6.5, lines=1)
    first = 1.7 + name.size * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    height = last + (3.6 + 1.5 if about else 2.2)

    def draw(paper: Paper, y: float) -> None:
        if row.status is Status.TIED:
            paper.fill([(COLUMNS_LEFT, y, COLUMNS_RIGHT - COLUMNS_LEFT, height)], grey=TIE_TINT)
            paper.fill([(COLUMNS_LEFT, y, 1.4, height)])
            # The tint has covered the lower half of the line above.
            paper.line(COLUMNS_LEFT, y, COLUMNS_RIGHT, y, 0.1, grey=0.5)
        paper.line(COLUMNS_LEFT, y + height, COLUMNS_RIGHT, y + height, 0.1, grey=0.5)
        paper.fitted(columns.name, y + first, name, font)
        if about:
            paper.fitted(columns.name, y + last + 3.6, school)
        _figures(paper, y + first, row, regulation, columns)

    return Block(height, draw, with_next)


def _figures(
    paper: Paper, baseline: float, row: StandingRow, regulation: Regulation, columns: Columns
) -> None:
    paper.text(columns.number, baseline, str(row.player.number), 9, align="right")
    if row.places is None:
        return
    tied = row.status is Status.TIED
    place = fit(places_text(row.places), BOLD, 12, (10.5 if tied else 15.0) * MM, least=6, lines=1)
    paper.fitted(columns.place, baseline, place, BOLD, align="right")
    if tied:
        paper.text(COLUMNS_LEFT + 2.6, baseline, TIE_MARK, 12, BOLD)
    for x, points in zip(columns.themes, theme_sums(row, regulation), strict=False):
        _figure(paper, x, baseline, points_text(points), 8.0, columns.theme_width - 0.8)
    _figure(paper, columns.right, baseline, str(row.rights), 10, 9)
    _figure(paper, columns.wrong, baseline, str(row.wrongs), 10, 9)
    score = fit(points_text(row.score), BOLD, 13, 15 * MM, least=8, lines=1)
    paper.fitted(columns.score, baseline, score, BOLD, align="right")
    if row.unconfirmed:
        # Hangs outside the column, so that the figures stay aligned.
        paper.text(columns.score + 0.3, baseline, "*", 11, BOLD)


def _figure(paper: Paper, x: float, baseline: float, text: str, size: float, room: float) -> None:
    fitted: Fitted = fit(text, REGULAR, size, room * MM, least=5, lines=1)
    paper.fitted(x, baseline, fitted, align="right")
