"""What is the same on every page of printed results: heading, banner, footer."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from reports.blank_marks import draw_pattern, qr
from reports.fitting import Fitted, fit
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.paper import LEADING, Paper, text_width
from reports.wording import present_text, provisional_text
from scanner.geometry import Rect
from scoring.model import CategoryStandings, Standings

BANNER_MM = 9.0

LARGE = 20.0
"""No heading in large print is smaller, points."""

QR_MM = 19.0
"""Side of the code to the posted pages: some 0.5 mm a module for an address of 60 characters."""


@dataclass(frozen=True)
class PageFrame:
    """The frame of the pages of one category, or of one kind of list.

    Args:
        event: The event's title.
        heading: What the pages are about, large: a category, or the kind of list.
        left: Left edge of what is printed, mm.
        right: Right edge, mm.
        subtitle: What kind of paper this is, beside the event's title.
        about: Beside the heading: how many.
        note: When and from what it was made; printed small at the foot.
        banner: What every page has to warn of; empty if of nothing.
        legend: What the signs in the table mean; printed small at the foot.
        link: The address of the posted pages, printed as a QR code; empty for none.
        fingerprint: The line by which the paper can be checked; empty for none.
        large: Heading, counts and banner are in large print, one below the other.
    """

    event: str
    heading: str
    left: float
    right: float
    subtitle: str = ""
    about: str = ""
    note: str = ""
    banner: str = ""
    legend: str = ""
    link: str = ""
    fingerprint: str = ""
    large: bool = False

    @property
    def top(self) -> float:
        """Where the table may begin, mm."""
        return self._head_end + (self._banner_mm + 2.0 if self.banner else 0.0)

    @property
    def _head_end(self) -> float:
        """Lower edge of the heading, mm."""
        if not self.large:
            return 29.0
        heading = self._large_heading()
        return 37.5 + (len(heading.lines) - 1) * heading.size * LEADING / MM

    @property
    def _banner_mm(self) -> float:
        return BANNER_MM * (1.6 if self.large else 1.0)

    def _large_heading(self) -> Fitted:
        room = self.right - self.left - (QR_MM + 3.5 if self.link else 0.0)
        return fit(self.heading, BOLD, 30, room * MM, least=LARGE, lines=4)

    def bottom(self, paper: Paper) -> float:
        """Where the table has to end, mm."""
        return self._footer_line(paper) - 1.6

    def draw(self, paper: Paper, page: int, pages: int) -> None:
        """Draw heading, banner and footer of page `page` of `pages` of this kind."""
        self._heading(paper)
        if self.banner:
            self._banner(paper)
        self._footer(paper, page, pages)

    def _heading(self, paper: Paper) -> None:
        right = self.right
        if self.link:
            # Half a millimetre into the margin: the modules' edge then looks flush with the text's.
            draw_pattern(paper, qr(self.link), Rect(right - QR_MM, 8.0, QR_MM, QR_MM))
            right -= QR_MM + 3.5
        room = right - self.left
        title = f"{self.event} · {self.subtitle}" if self.subtitle else self.event
        line = fit(title, REGULAR, 10.5, room * MM, least=7.5, lines=1)
        paper.fitted(self.left, 14.5, line)
        if self.large:
            last = paper.fitted(self.left, 25.5, self._large_heading(), BOLD)
            count = fit(self.about, REGULAR, LARGE, room * MM, least=14, lines=1)
            paper.fitted(self.left, last + 9.5, count)
            return
        count = fit(self.about, REGULAR, 11, 60 * MM, least=8, lines=1)
        paper.fitted(right, 24.6, count, align="right")
        taken = 63.0 if self.about else 0.0
        heading = fit(self.heading, BOLD, 26, (room - taken) * MM, least=13)
        paper.fitted(self.left, 24.6 if len(heading.lines) == 1 else 20.2, heading, BOLD)

    def _banner(self, paper: Paper) -> None:
        y, width, height = self._head_end - 0.5, self.right - self.left, self._banner_mm
        paper.fill([(self.left, y, width, height)])
        size = LARGE if self.large else 13
        words = fit(self.banner, BOLD, size, (width - 8) * MM, least=8, lines=1)
        baseline = y + height / 2 + words.size * CAP_HEIGHT / MM / 2
        paper.fitted((self.left + self.right) / 2, baseline, words, BOLD, align="center", grey=1.0)

    def _footer_line(self, paper: Paper) -> float:
        return paper.height - 15.4 - (3.6 if self.fingerprint or self.link else 0.0)

    def _footer(self, paper: Paper, page: int, pages: int) -> None:
        line = self._footer_line(paper)
        y = line + 2.4
        paper.line(self.left, line, self.right, line, 0.2)
        count = " · " + _("page {page} of {pages}").format(page=page, pages=pages)
        paper.text(self.right, y + 1.4, count, 8.5, align="right")
        count_width = text_width(count, REGULAR, 8.5)
        self._small(paper, self.right - count_width, y + 1.4, self.heading, 8.5, "right")
        self._small(paper, self.left, y + 1.4, self.event, 8.5, "left")
        self._small(paper, self.left, y + 5.0, self.note, 7.5, "left")
        beside = 0.4 if self.note else 1.0
        self._small(paper, self.right, y + 5.0, self.legend, 7.5, "right", beside)
        self._small(paper, self.left, y + 8.6, self.fingerprint, 7.5, "left", 0.6)
        self._small(paper, self.right, y + 8.6, self.link, 7.5, "right", 0.38)

    def _small(
        self,
        paper: Paper,
        x: float,
        baseline: float,
        text: str,
        size: float,
        align: str,
        share: float = 0.4,
    ) -> None:
        """One of the footer's texts: never more than its share of the width."""
        room = (self.right - self.left) * share * MM
        paper.fitted(x, baseline, fit(text, REGULAR, size, room, least=6, lines=1), align=align)


def category_frame(
    standings: Standings,
    part: CategoryStandings,
    left: float,
    right: float,
    *,
    subtitle: str,
    note: str = "",
    provisional: bool = False,
    legend: str = "",
    link: str = "",
    fingerprint: str = "",
    large: bool = False,
) -> PageFrame:
    """The frame of one category's pages; `provisional` prints the banner that results may change."""
    return PageFrame(
        standings.title,
        part.category,
        left,
        right,
        subtitle=subtitle,
        about=present_text(part),
        note=note,
        banner=provisional_text(standings, part) if provisional else "",
        legend=legend,
        link=link,
        fingerprint=fingerprint,
        large=large,
    )
