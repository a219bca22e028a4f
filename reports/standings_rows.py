"""The standings upright, the usual layout: place, number, name with school, sums by theme, score."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import pgettext
from reports.fitting import Fitted, fit
from reports.flow import Block
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.order import theme_sums
from reports.paper import LEADING, Paper
from reports.standings_layout import Layout
from reports.wording import places_text, points_text, special_text
from scoring.model import Regulation, StandingRow, Status

COLUMNS_LEFT, COLUMNS_RIGHT = 13.0, 197.0

HEAD_MM = 9.5
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


def portrait(regulation: Regulation) -> Layout:
    """A4 upright."""
    columns = Columns.of(regulation)
    return Layout(
        210.0,
        297.0,
        COLUMNS_LEFT,
        COLUMNS_RIGHT,
        HEAD_MM,
        lambda paper, y: _head(paper, y, columns),
        lambda row, with_next: row_block(
            row, regulation=regulation, columns=columns, with_next=with_next
        ),
    )


def about_player(row: StandingRow) -> str:
    """School and town; before them what is special about the player, if anything is."""
    special = special_text(row)
    return ", ".join(part for part in (special, row.player.school, row.player.city) if part)


def row_block(
    row: StandingRow, *, regulation: Regulation, columns: Columns, with_next: bool = False
) -> Block:
    """The line of a player as a block of the height that the name needs."""
    room = columns.name_width * MM
    font = BOLD if row.status is Status.IN else REGULAR
    name = fit(row.player.name, font, NAME_SIZE, room, least=NAME_LEAST, lines=NAME_LINES)
    about = about_player(row)
    school = fit(about, REGULAR, SCHOOL_SIZE, room, least=6.5, lines=3)
    first = 1.7 + name.size * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    below = (len(school.lines) - 1) * school.size * LEADING / MM
    height = last + (3.6 + below + 1.5 if about else 2.2)

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
    if row.status is Status.ABSENT or row.exempt:
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


def _head(paper: Paper, y: float, columns: Columns) -> None:
    """The table's headings, repeated on every page; `y` is their upper edge."""
    baseline = y + 6.6

    def caption(x: float, text: str, room: float, align: str, size: float = 8.5) -> None:
        words = fit(text, REGULAR, size, room * MM, least=5, lines=1)
        paper.fitted(x, baseline, words, align=align)

    caption(columns.place, pgettext("standings", "place"), 14, "right")
    caption(columns.number, "№", 9, "right")
    caption(columns.name, pgettext("standings", "player"), 50, "left")
    caption(columns.right, pgettext("standings", "right"), 9, "right", 7.5)
    caption(columns.wrong, pgettext("standings", "wrong"), 9, "right", 7.5)
    caption(columns.score, pgettext("standings", "score"), 15, "right")
    if columns.themes:
        first, last = columns.themes[0] - columns.theme_width + 1.2, columns.themes[-1]
        middle = (first + last) / 2
        words = fit(pgettext("standings", "points by theme"), REGULAR, 7, 50 * MM, least=5, lines=1)
        paper.fitted(middle, y + 2.6, words, align="center")
        paper.line(first, y + 3.5, last, y + 3.5, 0.12)
        for theme, x in enumerate(columns.themes, start=1):
            caption(x, str(theme), columns.theme_width - 1, "right", 7.5)
    paper.line(COLUMNS_LEFT, y + HEAD_MM - 1.0, COLUMNS_RIGHT, y + HEAD_MM - 1.0, 0.5)
