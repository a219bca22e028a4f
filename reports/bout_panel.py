"""A panel of a bout sheet: themes and nominals as rows, players as columns, boxes for ± and the sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.paper import LEADING, Paper

HEAD_MM = 9.5
MOST_ROW_MM, LEAST_ROW_MM = 9.2, 4.5
"""A row higher than a blank's box only looks empty; one lower than 4.5 mm can't be written in."""

SUM_GAP_MM = 1.8
_NOMINAL_MM = 9.0
_TITLE_MM = 15.0
"""Under a theme's number there is room for its part and its title from this height on."""

Rows = tuple[int, str, tuple[int, ...]]
"""A theme as it is drawn: number, name of its part, nominals from top to bottom."""


def heights(panels: Sequence[Sequence[tuple[int, ...]]], room: float) -> float:
    """The one height of a row, mm, with which the highest of the panels fits into `room` mm.

    Args:
        panels: The nominals of each theme of each panel.
        room: Without the names above the rows the panel has `HEAD_MM` less.
    """
    rows = [sum(len(nominals) + 1 for nominals in panel) for panel in panels]
    gaps = max((len(panel) for panel in panels), default=0) * SUM_GAP_MM
    each = (room - HEAD_MM - gaps) / max(*rows, 1)
    return max(LEAST_ROW_MM, min(MOST_ROW_MM, each))


@dataclass(frozen=True)
class Panel:
    """Where a panel stands.

    Args:
        left: mm.
        width: mm.
        names: The players in the order of their seats.
        row: Height of a row, mm.
    """

    left: float
    width: float
    names: Sequence[str]
    row: float

    @property
    def _label(self) -> float:
        """Width of the themes' column, mm."""
        return 24.0 if self.width > 100 else 13.0

    @property
    def _seat(self) -> float:
        return (self.width - self._label - _NOMINAL_MM) / max(len(self.names), 1)

    def _x(self, seat: int) -> float:
        return self.left + self._label + _NOMINAL_MM + seat * self._seat

    def draw(self, paper: Paper, top: float, themes: Sequence[Rows]) -> float:
        """Draw names and themes from `top`, mm, downwards; returns the lower edge."""
        self._names(paper, top)
        y = top + HEAD_MM
        for number, part, nominals in themes:
            self._theme(paper, y, number, part, nominals)
            y += (len(nominals) + 1) * self.row + SUM_GAP_MM
        return y - SUM_GAP_MM

    def _names(self, paper: Paper, top: float) -> None:
        for seat, name in enumerate(self.names):
            x = self._x(seat)
            paper.text(x + 1.0, top + 7.4, str(seat + 1), 12, BOLD)
            short = fit(self._short(name), REGULAR, 9.5, (self._seat - 5.4) * MM, least=6, lines=2)
            step = short.size * LEADING / MM
            paper.fitted(x + 4.6, top + 7.4 - (len(short.lines) - 1) * step, short)

    def _short(self, name: str) -> str:
        """The surname, as long as nobody else in the bout has it: the name in full stands above."""
        surname = name.split(" ")[0]
        same = sum(other.split(" ")[0] == surname for other in self.names)
        return surname if same == 1 else name

    def _theme(
        self, paper: Paper, y: float, number: int, part: str, nominals: tuple[int, ...]
    ) -> None:
        height = len(nominals) * self.row
        self._label_of(paper, y, number, part, height)
        size = min(12.0, self.row * 1.7)
        for at, nominal in enumerate(nominals):
            words = fit(str(nominal), BOLD, size, (_NOMINAL_MM - 1.5) * MM, least=5, lines=1)
            baseline = y + (at + 0.5) * self.row + size * CAP_HEIGHT / MM / 2
            paper.fitted(self._x(0) - 1.4, baseline, words, BOLD, align="right")
        room = (self._label + _NOMINAL_MM - 2.8) * MM
        words = fit(pgettext("bout", "sum so far"), REGULAR, 9, room, least=5, lines=1)
        baseline = y + height + self.row / 2 + words.size * CAP_HEIGHT / MM / 2
        paper.fitted(self._x(0) - 1.4, baseline, words, align="right")
        right = self.left + self.width
        for at in range(1, len(nominals)):
            row_y = y + at * self.row
            paper.line(self._x(0) - _NOMINAL_MM, row_y, right, row_y, 0.12, grey=0.45)
        bottom = y + height + self.row
        # The sum is apart from the answers: a stronger line, and a light ground.
        for seat in range(len(self.names)):
            paper.fill([(self._x(seat), y + height, self._seat, self.row)], grey=0.93)
        for seat in range(len(self.names)):
            paper.line(self._x(seat), y, self._x(seat), bottom, 0.18, grey=0.2)
        paper.line(self._x(0) - _NOMINAL_MM, y + height, right, y + height, 0.3)
        paper.frame(self.left, y, self.width, bottom - y, 0.45)

    def _label_of(self, paper: Paper, y: float, number: int, part: str, height: float) -> None:
        """The theme's number, its part, and a line on which its title may be written."""
        room = (self._label - 2.0) * MM
        title = _("Theme {number}").format(number=number)
        low = height < _TITLE_MM
        if low and part:
            title = f"{title} · {part}"
        caption = fit(title, BOLD, 11, room, least=6, lines=1)
        paper.fitted(self.left + 1.4, y + min(5.4, self.row - 0.4), caption, BOLD)
        if low:
            return
        if part:
            words = fit(part, REGULAR, 8, room, least=5.5, lines=2)
            paper.fitted(self.left + 1.4, y + 9.6, words, grey=0.25)
        line_y = y + height - 1.6
        paper.line(self.left + 1.4, line_y, self.left + self._label - 1.6, line_y, 0.12, grey=0.4)
