"""Who goes on to the next stage, by category, with the reserves; to be signed."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.fitting import fit
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.order import ordered
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper
from reports.sign_off import SIGN_OFF_MM, sign_off
from reports.wording import places_text, points_text, provisional_text
from scoring.model import CategoryStandings, StandingRow, Standings, Status

LEFT, RIGHT = 13.0, 197.0
HEAD_MM = 8.5
AT, NUMBER, NAME, PLACE, SCORE = LEFT + 9.0, LEFT + 21.0, LEFT + 24.0, RIGHT - 33.0, RIGHT - 14.0
BOX_MM = 5.0


def invitations_pdf(standings: Standings, *, stage: str = "", generated_note: str = "") -> bytes:
    """Print the list in the current language; the same standings give the same bytes.

    First those who are in, in the order of the standings; while a tie across the line is undecided,
    the tied under a heading of their own; then the reserves in the order in which they are called. A box
    at the end of each line is ticked when the player has answered.

    Args:
        standings: Who is in; the order of the rows does not matter.
        stage: What the next stage is called; empty for «the next stage».
        generated_note: Printed small at the foot of every page.
    """
    paper = Paper(title=printable(standings.title))
    for index, part in enumerate(standings.categories):
        if index:
            paper.next_page()
        going = sum(row.status is Status.IN for row in part.rows)
        frame = PageFrame(
            standings.title,
            part.category,
            LEFT,
            RIGHT,
            subtitle=stage or _("invited to the next stage"),
            about=ngettext("{n} goes on", "{n} go on", going).format(n=going),
            note=generated_note,
            banner=provisional_text(standings, part) if standings.unconfirmed else "",
            legend=_("the box: the player has confirmed"),
        )
        _category(paper, frame, part, f"category-{index}")
    if not standings.categories:
        room = (RIGHT - LEFT) * MM
        paper.fitted(LEFT, 24.6, fit(standings.title, BOLD, 20, room, least=12), BOLD)
        paper.text(LEFT, 48, pgettext("standings", "There are no players yet."), 12)
    return paper.finish()


def reserves(part: CategoryStandings) -> list[StandingRow]:
    """The reserves in the order in which they are called; equal ones in the order of the table."""
    order = [number for group in part.cut.reserve for number in group]
    rows = [row for row in ordered(part.rows) if row.status.value == "reserve"]
    return sorted(
        rows,
        key=lambda row: (
            order.index(row.player.number) if row.player.number in order else len(order)
        ),
    )


def _category(paper: Paper, frame: PageFrame, part: CategoryStandings, key: str) -> None:
    rows = ordered(part.rows)
    going = [row for row in rows if row.status is Status.IN]
    tied = [row for row in rows if row.status is Status.TIED]
    blocks = [_row(row, at) for at, row in enumerate(going, start=1)]
    if not going:
        blocks.append(_heading(_("Nobody goes on yet."), REGULAR))
    if tied:
        title = ngettext("{n} place undecided", "{n} places undecided", part.cut.left)
        blocks.append(_heading(title.format(n=part.cut.left), BOLD))
        blocks += [_row(row, None) for row in tied]
    waiting = reserves(part)
    if waiting:
        blocks.append(_heading(_("Reserves, in this order"), BOLD))
        blocks += [_row(row, at) for at, row in enumerate(waiting, start=1)]
    blocks.append(Block(SIGN_OFF_MM, lambda paper, y: sign_off(paper, y, LEFT, RIGHT)))
    top = frame.top + HEAD_MM
    pages = paginate(blocks, frame.bottom(paper) - top)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        _head(paper, frame.top)
        draw_blocks(paper, page, top, LEFT, RIGHT)


def _row(row: StandingRow, at: int | None) -> Block:
    room = (PLACE - NAME - 19.0) * MM
    name = fit(row.player.name, BOLD, 11.5, room, least=9, lines=4)
    about = ", ".join(text for text in (row.player.school, row.player.city) if text)
    school = fit(about, REGULAR, 8.5, room, least=6.5, lines=1)
    first = 1.9 + name.size * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    height = last + (5.3 if about else 2.4)

    def draw(paper: Paper, y: float) -> None:
        baseline = y + first
        if at is not None:
            paper.text(AT, baseline, str(at), 11, align="right")
        paper.text(NUMBER, baseline, str(row.player.number), 9, align="right", grey=0.3)
        paper.fitted(NAME, baseline, name, BOLD)
        if about:
            paper.fitted(NAME, y + last + 3.7, school)
        place = fit(places_text(row.places), REGULAR, 11, 16 * MM, least=7, lines=1)
        paper.fitted(PLACE, baseline, place, align="right")
        if not row.exempt:
            score = fit(points_text(row.score), BOLD, 11.5, 15 * MM, least=7, lines=1)
            paper.fitted(SCORE, baseline, score, BOLD, align="right")
        paper.frame(RIGHT - BOX_MM - 0.5, baseline - 3.9, BOX_MM, BOX_MM, 0.25)
        paper.line(LEFT, y + height, RIGHT, y + height, 0.1, grey=0.5)

    return Block(height, draw)


def _heading(text: str, font: str) -> Block:
    def draw(paper: Paper, y: float) -> None:
        words = fit(text, font, 11, (RIGHT - LEFT) * MM, least=7, lines=1)
        paper.fitted(LEFT, y + 7.5, words, font)
        paper.line(LEFT, y + 9.6, RIGHT, y + 9.6, 0.3)

    return Block(10.0, draw, with_next=True)


def _head(paper: Paper, y: float) -> None:
    for x, text, align in (
        (NUMBER, "№", "right"),
        (NAME, pgettext("standings", "player"), "left"),
        (PLACE, pgettext("standings", "place"), "right"),
        (SCORE, pgettext("standings", "score"), "right"),
    ):
        words = fit(text, REGULAR, 8.5, 16 * MM, least=5, lines=1)
        paper.fitted(x, y + 5.2, words, align=align)
    paper.line(LEFT, y + HEAD_MM - 1.2, RIGHT, y + HEAD_MM - 1.2, 0.5)
