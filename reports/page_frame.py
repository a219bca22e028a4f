"""What is the same on every page of printed results: heading, banner, footer."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from reports.fitting import fit
from reports.fonts import BOLD, MM, REGULAR
from reports.paper import Paper, text_width
from reports.wording import present_text, provisional_text
from scoring.model import CategoryStandings, Standings

BANNER_MM = 9.0


@dataclass(frozen=True)
class PageFrame:
    """The frame of one category's pages.

    Args:
        standings: The whole of the event.
        part: The category.
        left: Left edge of what is printed, mm.
        right: Right edge, mm.
        subtitle: What kind of paper this is, beside the event's title.
        note: When and from what it was made; printed small at the foot.
        provisional: A banner says on every page that the results may change.
        legend: What the signs in the table mean; printed small at the foot.
    """

    standings: Standings
    part: CategoryStandings
    left: float
    right: float
    subtitle: str
    note: str
    provisional: bool
    legend: str = ""

    @property
    def top(self) -> float:
        """Where the table may begin, mm."""
        return 29.0 + (BANNER_MM + 2.0 if self.provisional else 0.0)

    def bottom(self, paper: Paper) -> float:
        """Where the table has to end, mm."""
        return paper.height - 17.0

    def draw(self, paper: Paper, page: int, pages: int) -> None:
        """Draw heading, banner and footer of page `page` of `pages` of this category."""
        self._heading(paper)
        if self.provisional:
            self._banner(paper)
        self._footer(paper, page, pages)

    def _heading(self, paper: Paper) -> None:
        room = self.right - self.left
        title = f"{self.standings.title} · {self.subtitle}" if self.subtitle else ""
        line = fit(title or self.standings.title, REGULAR, 10.5, room * MM, least=7.5, lines=1)
        paper.fitted(self.left, 14.5, line)
        count = fit(present_text(self.part), REGULAR, 11, 60 * MM, least=8, lines=1)
        paper.fitted(self.right, 24.6, count, align="right")
        category = fit(self.part.category, BOLD, 26, (room - 63) * MM, least=13)
        paper.fitted(self.left, 24.6 if len(category.lines) == 1 else 20.2, category, BOLD)

    def _banner(self, paper: Paper) -> None:
        y, width = 28.5, self.right - self.left
        paper.fill([(self.left, y, width, BANNER_MM)])
        text = provisional_text(self.standings, self.part)
        words = fit(text, BOLD, 13, (width - 8) * MM, least=8, lines=1)
        paper.fitted((self.left + self.right) / 2, y + 6.1, words, BOLD, align="center", grey=1.0)

    def _footer(self, paper: Paper, page: int, pages: int) -> None:
        y = paper.height - 13.0
        paper.line(self.left, y - 2.4, self.right, y - 2.4, 0.2)
        count = " · " + _("page {page} of {pages}").format(page=page, pages=pages)
        paper.text(self.right, y + 1.4, count, 8.5, align="right")
        count_width = text_width(count, REGULAR, 8.5)
        self._small(paper, self.right - count_width, y + 1.4, self.part.category, 8.5, "right")
        self._small(paper, self.left, y + 1.4, self.standings.title, 8.5, "left")
        self._small(paper, self.left, y + 5.0, self.note, 7.5, "left")
        self._small(paper, self.right, y + 5.0, self.legend, 7.5, "right")

    def _small(
        self, paper: Paper, x: float, baseline: float, text: str, size: float, align: str
    ) -> None:
        """One of the footer's four texts: never more than two fifths of the width."""
        room = (self.right - self.left) * 0.4 * MM
        paper.fitted(x, baseline, fit(text, REGULAR, size, room, least=6, lines=1), align=align)
