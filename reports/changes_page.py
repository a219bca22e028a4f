"""The page before the standings that says what is different from the publication before."""

from __future__ import annotations

from otbor.i18n import pgettext
from reports.changes import (
    ARROW,
    ChangeLine,
    PublishedChanges,
    change_lines,
    changes_summary,
    changes_title,
    question_sentences,
)
from reports.fitting import fit, paragraph
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper

HEAD_MM = 8.0

PRINTED_ARROW = "›"
"""PT Sans has no arrow."""


def draw_changes(paper: Paper, frame: PageFrame, published: PublishedChanges) -> None:
    """Draw the list on pages of its own, beginning on the page that is open; the frame is its own."""
    lines = change_lines(published.changes)
    blocks = [
        _sentence(text, frame)
        for text in [*question_sentences(published.changes), changes_summary(lines)]
    ]
    if lines:
        blocks.append(Block(HEAD_MM, lambda paper, y: _head(paper, y, frame), with_next=True))
    blocks += [_row(line, frame) for line in lines]
    pages = paginate(blocks, frame.bottom(paper) - frame.top)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(changes_title(published)), "changes")
        frame.draw(paper, number, len(pages))
        draw_blocks(paper, page, frame.top, frame.left, frame.right)


def _columns(frame: PageFrame) -> tuple[float, float, float, float, float]:
    """Right edge of the number; left edges of name, score, place, remark."""
    width = frame.right - frame.left
    return (
        frame.left + 11.0,
        frame.left + 13.5,
        frame.left + width * 0.47,
        frame.left + width * 0.61,
        frame.left + width * 0.77,
    )


def _sentence(text: str, frame: PageFrame) -> Block:
    lines = paragraph(text, REGULAR, 11, (frame.right - frame.left) * MM)

    def draw(paper: Paper, y: float) -> None:
        for at, line in enumerate(lines):
            paper.text(frame.left, y + 4.6 + at * 5.0, line, 11)

    return Block(len(lines) * 5.0 + 1.4, draw)


def _head(paper: Paper, y: float, frame: PageFrame) -> None:
    number, name, score, place, _remark = _columns(frame)
    for x, text, align in (
        (number, "№", "right"),
        (name, pgettext("standings", "player"), "left"),
        (score, pgettext("standings", "score"), "left"),
        (place, pgettext("standings", "place"), "left"),
    ):
        paper.fitted(x, y + 5.4, fit(text, REGULAR, 8.5, 20 * MM, least=5, lines=1), align=align)
    paper.line(frame.left, y + HEAD_MM - 1.0, frame.right, y + HEAD_MM - 1.0, 0.5)


def _row(line: ChangeLine, frame: PageFrame) -> Block:
    number, name_x, score_x, place_x, remark_x = _columns(frame)
    name = fit(line.player.name, BOLD, 11, (score_x - name_x - 2) * MM, least=8.5, lines=4)
    category = fit(line.category, REGULAR, 8, (score_x - name_x - 2) * MM, least=6, lines=1)
    remark = fit(line.remark, BOLD, 10, (frame.right - remark_x) * MM, least=7, lines=2)
    first = 1.7 + 11 * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    height = max(last + 5.2, first + (len(remark.lines) - 1) * remark.size * LEADING / MM + 2.0)

    def draw(paper: Paper, y: float) -> None:
        baseline = y + first
        paper.text(number, baseline, str(line.player.number), 9, align="right")
        paper.fitted(name_x, baseline, name, BOLD)
        paper.fitted(name_x, y + last + 3.6, category)
        for x, text, room in (
            (score_x, line.score, place_x - score_x - 1.5),
            (place_x, line.place, remark_x - place_x - 1.5),
        ):
            text = text.replace(ARROW, PRINTED_ARROW)
            paper.fitted(x, baseline, fit(text, REGULAR, 10.5, room * MM, least=6, lines=1))
        paper.fitted(remark_x, baseline, remark, BOLD)
        paper.line(frame.left, y + height, frame.right, y + height, 0.1, grey=0.5)

    return Block(height, draw)
