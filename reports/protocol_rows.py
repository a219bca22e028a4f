"""The lines of the jury's protocol and the grid on which they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.fitting import fit
from reports.flow import Block
from reports.fonts import BOLD, CAP_HEIGHT, ITALIC, MM, REGULAR
from reports.order import theme_sums
from reports.paper import LEADING, Paper
from reports.standings_rows import TIE_MARK
from reports.wording import (
    has_score,
    is_listed,
    places_text,
    points_text,
    special_text,
    status_text,
)
from scoring.model import Regulation, StandingRow, Standings, Status

LEFT, RIGHT = 9.0, 288.0
WRONG_TINT = 0.87
REMOVED = "×"
"""In the place of an answer to a question that was removed."""

CELL_SIZE = 6.6
NAME_SIZE, NAME_LEAST, NAME_LINES = 9.0, 7.0, 4


@dataclass(frozen=True)
class Grid:
    """The columns of the protocol, mm.

    `place`, `number` and `score` are right edges, `name` is the left edge of the name; the themes lie
    side by side between `left` and `right`, each with a cell per nominal and its sum. `removed` are the
    questions that count for nobody.
    """

    regulation: Regulation
    removed: frozenset[tuple[int, int]]
    place: float
    number: float
    name: float
    name_width: float
    left: float
    right: float
    cell: float
    sum: float
    score: float

    @classmethod
    def of(cls, standings: Standings) -> Grid:
        """The grid that a regulation asks for; the cells share what the name leaves."""
        regulation = standings.regulation
        left, right = LEFT + 60.0, RIGHT - 12.5
        theme = (right - left) / max(1, regulation.themes)
        # A sum needs four characters («−150») where a cell needs three.
        cell = theme / (len(regulation.nominals) + 1.45)
        return cls(
            regulation,
            frozenset(standings.removed),
            place=LEFT + 13.0,
            number=LEFT + 21.0,
            name=LEFT + 22.5,
            name_width=left - LEFT - 23.5,
            left=left,
            right=right,
            cell=cell,
            sum=1.45 * cell,
            score=RIGHT - 1.0,
        )

    @property
    def themes(self) -> int:
        """How many themes there are."""
        return self.regulation.themes

    @property
    def nominals(self) -> tuple[int, ...]:
        """The nominals of the rows, top first."""
        return self.regulation.nominals

    @property
    def theme_width(self) -> float:
        """The width of one theme with its sum."""
        return (self.right - self.left) / max(1, self.themes)

    def cell_left(self, theme: int, row: int) -> float:
        """The left edge of a cell; theme and row from 0."""
        return self.left + theme * self.theme_width + row * self.cell

    def sum_right(self, theme: int) -> float:
        """The right edge of the sum's figures; theme from 0."""
        return self.left + (theme + 1) * self.theme_width - 0.7


def player_block(
    row: StandingRow, *, grid: Grid, thick: bool = False, dashed: bool = False
) -> Block:
    """A player's line.

    Args:
        row: The player.
        grid: Where the columns are.
        thick: Under this line lies the cut.
        dashed: Under this line ends the tie across the cut.
    """
    font = BOLD if row.status is Status.IN else REGULAR
    name = fit(
        row.player.name, font, NAME_SIZE, grid.name_width * MM, least=NAME_LEAST, lines=NAME_LINES
    )
    first = 1.5 + NAME_SIZE * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    words = _special(row)
    special = fit(words, ITALIC, 7.5, grid.name_width * MM, least=5.5, lines=1) if words else None
    height = last + (4.6 if special else 1.6)

    def draw(paper: Paper, y: float) -> None:
        if has_score(row):
            _cells(paper, y, height, y + first, row, grid)
        else:
            paper.text(grid.left + 2, y + first, status_text(row.status), 8, ITALIC)
        paper.fitted(grid.name, y + first, name, font)
        if special:
            paper.fitted(grid.name, y + last + 3.0, special, ITALIC)
        paper.text(grid.number, y + first, str(row.player.number), 7.5, align="right")
        bottom = y + height
        if thick:
            paper.line(LEFT, bottom, RIGHT, bottom, 0.9)
        elif dashed:
            paper.line(LEFT, bottom, RIGHT, bottom, 0.5, dash=(2.0, 1.2))
        else:
            paper.line(LEFT, bottom, RIGHT, bottom, 0.1, grey=0.5)

    return Block(height, draw)


def _special(row: StandingRow) -> str:
    """What has to be said of a player whose verdicts stand in the line, under the name."""
    words = [status_text(row.status)] if has_score(row) and not is_listed(row) else []
    return ", ".join(text for text in (*words, special_text(row)) if text)


def totals_block(
    caption: str, counts: Sequence[int], grid: Grid, *, with_next: bool = False
) -> Block:
    """A line under the table with one count a question."""

    def draw(paper: Paper, y: float) -> None:
        words = fit(caption, ITALIC, 8, (grid.left - LEFT - 2) * MM, least=5, lines=1)
        paper.fitted(grid.left - 1.2, y + 4.0, words, ITALIC, align="right")
        for at, count in enumerate(counts):
            theme, row = divmod(at, len(grid.nominals))
            x = grid.cell_left(theme, row) + grid.cell / 2
            text = fit(str(count), REGULAR, CELL_SIZE, grid.cell * MM, least=3.5, lines=1)
            paper.fitted(x, y + 4.0, text, align="center")
        paper.line(LEFT, y + 5.4, RIGHT, y + 5.4, 0.1, grey=0.5)

    return Block(5.4, draw, with_next)


def _cells(
    paper: Paper, top: float, height: float, baseline: float, row: StandingRow, grid: Grid
) -> None:
    for at, points in enumerate(row.cells):
        theme, index = divmod(at, len(grid.nominals))
        left = grid.cell_left(theme, index)
        if points is not None and points < 0:
            # White between the tints keeps «−20» and «−30» apart, and the cut line whole.
            paper.fill([(left + 0.15, top + 0.55, grid.cell - 0.3, height - 0.9)], grey=WRONG_TINT)
        gone = (theme + 1, grid.nominals[index]) in grid.removed
        text, font = (REMOVED, REGULAR) if gone else _cell_text(points)
        fitted = fit(text, font, CELL_SIZE, (grid.cell - 0.1) * MM, least=3.5, lines=1)
        paper.fitted(left + grid.cell / 2, baseline, fitted, font, align="center")
    for theme, points in enumerate(theme_sums(row, grid.regulation)):
        fitted = fit(points_text(points), REGULAR, 7.5, (grid.sum - 0.9) * MM, least=3.5, lines=1)
        paper.fitted(grid.sum_right(theme), baseline, fitted, align="right")
    tied = row.status is Status.TIED
    place = fit(places_text(row.places), BOLD, 9, (9.5 if tied else 12.5) * MM, least=5, lines=1)
    paper.fitted(grid.place, baseline, place, BOLD, align="right")
    if tied:
        paper.text(LEFT, baseline, TIE_MARK, 9, BOLD)
    score = fit(points_text(row.score), BOLD, 10, 11 * MM, least=6, lines=1)
    paper.fitted(grid.score, baseline, score, BOLD, align="right")


def _cell_text(points: int | None) -> tuple[str, str]:
    """What a cell says, and its face."""
    if points is None:
        return "?", BOLD
    if points == 0:
        return "·", REGULAR
    return points_text(points), BOLD if points > 0 else REGULAR
