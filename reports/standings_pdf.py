"""The standings to post in a corridor: A4 upright, every category on pages of its own."""

from __future__ import annotations

from functools import partial

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, MM, REGULAR, printable
from reports.order import ordered
from reports.page_frame import PageFrame
from reports.paper import Paper
from reports.standings_rows import COLUMNS_LEFT, COLUMNS_RIGHT, Columns, row_block
from reports.tie_box import tie_box
from reports.wording import cut_caption, has_open_answers
from scoring.model import CategoryStandings, StandingRow, Standings, Status

HEAD_MM = 9.5


def standings_pdf(
    standings: Standings, *, generated_note: str = "", provisional: bool | None = None
) -> bytes:
    """Print the standings in the current language; the same standings give the same bytes.

    Args:
        standings: What to print; the order of the rows does not matter.
        generated_note: Printed small at the foot of every page (when and from what it was made).
        provisional: True prints the banner «preliminary» in any case. While answers are unconfirmed
            it is printed whatever is asked for, for then the results may still change.

    Returns:
        A PDF with at least one page.
    """
    banner = bool(provisional) or standings.unconfirmed > 0
    paper = Paper(title=printable(standings.title))
    for index, part in enumerate(standings.categories):
        if index:
            paper.next_page()
        frame = PageFrame(
            standings,
            part,
            COLUMNS_LEFT,
            COLUMNS_RIGHT,
            _("results of the qualifier"),
            generated_note,
            banner,
            _("* not all answers are confirmed") if has_open_answers(part) else "",
        )
        _category(paper, frame, f"category-{index}")
    if not standings.categories:
        room = (COLUMNS_RIGHT - COLUMNS_LEFT) * MM
        paper.fitted(COLUMNS_LEFT, 24.6, fit(standings.title, BOLD, 20, room, least=12), BOLD)
        paper.text(COLUMNS_LEFT, 48, _("There are no players yet."), 12)
    return paper.finish()


def _category(paper: Paper, frame: PageFrame, key: str) -> None:
    part = frame.part
    columns = Columns.of(frame.standings.regulation)
    top = frame.top + HEAD_MM
    pages = paginate(_blocks(frame.standings, part, columns), frame.bottom(paper) - top)
    for number, blocks in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        _head(paper, frame.top, columns)
        draw_blocks(paper, blocks, top, COLUMNS_LEFT, COLUMNS_RIGHT)


def _blocks(standings: Standings, part: CategoryStandings, columns: Columns) -> list[Block]:
    rows = ordered(part.rows)
    present = [row for row in rows if row.status is not Status.ABSENT]
    absent = [row for row in rows if row.status is Status.ABSENT]
    to_block = partial(row_block, regulation=standings.regulation, columns=columns)
    by_status: dict[Status, list[StandingRow]] = {status: [] for status in Status}
    for row in present:
        by_status[row.status].append(row)

    blocks = [
        to_block(row, with_next=index + 1 == len(by_status[Status.IN]))
        for index, row in enumerate(by_status[Status.IN])
    ]
    if present:
        blocks.append(_cut_line(cut_caption(part)))
    else:
        blocks.append(_words(_("Nobody took part in this category."), REGULAR))
    if by_status[Status.TIED]:
        blocks += [to_block(row) for row in by_status[Status.TIED]]
        blocks += tie_box(part, COLUMNS_LEFT, COLUMNS_RIGHT)
    blocks += [to_block(row) for row in by_status[Status.OUT]]
    if absent:
        blocks.append(_words(pgettext("standings", "Absent"), BOLD))
        blocks += [to_block(row) for row in absent]
    return blocks


def _cut_line(caption: str) -> Block:
    """The heavy line under the last sure place, with its caption hanging below."""

    def draw(paper: Paper, y: float) -> None:
        paper.fill([(COLUMNS_LEFT, y, COLUMNS_RIGHT - COLUMNS_LEFT, 1.3)])
        words = fit(caption, BOLD, 11, 120 * MM, least=8, lines=1)
        paper.fitted(COLUMNS_RIGHT, y + 5.6, words, BOLD, align="right")

    return Block(7.6, draw)


def _words(text: str, font: str) -> Block:
    """A line of its own, before what it announces."""

    def draw(paper: Paper, y: float) -> None:
        paper.text(COLUMNS_LEFT, y + 7.5, text, 11, font)
        paper.line(COLUMNS_LEFT, y + 9.6, COLUMNS_RIGHT, y + 9.6, 0.3)

    return Block(10.0, draw, with_next=True)


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
