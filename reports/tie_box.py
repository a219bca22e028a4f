"""The framed note that says who is tied across the line and what is to be decided."""

from __future__ import annotations

from dataclasses import replace

from reports.decided_notes import called
from reports.fitting import enumeration, paragraph
from reports.flow import Block
from reports.fonts import BOLD, MM, REGULAR
from reports.paper import LEADING, Paper
from reports.standings_rows import TIE_MARK
from reports.wording import tie_note, tied_rows
from scoring.model import CategoryStandings

PADDING = 4.0
SENTENCE_SIZE = 11.0
KEEP_TOGETHER = 60.0


def tie_box(
    part: CategoryStandings, left: float, right: float, size: float = SENTENCE_SIZE
) -> list[Block]:
    """The note as lines that share one frame; nothing if the line is clear.

    Args:
        part: The category.
        left: The frame's left edge, mm.
        right: Its right edge, mm.
        size: Of the sentence, points; the names are a little smaller.
    """
    note = tie_note(part)
    if not note:
        return []
    names = [called(row.player) for row in tied_rows(part)]
    padding = min(PADDING, (right - left) / 20)
    room = (right - left - 2 * padding) * MM
    x = left + padding
    # Where nothing may be small, the names are no smaller either.
    names_size = size if size > SENTENCE_SIZE else size - 0.5
    box = [
        _space(2.2),
        *_lines(paragraph(f"{TIE_MARK} {note}", BOLD, size, room), BOLD, size, x),
        _space(1.6),
        *_lines(enumeration(names, REGULAR, names_size, room), REGULAR, names_size, x),
        _space(3.4),
    ]
    together = sum(block.height for block in box) <= KEEP_TOGETHER * max(1.0, size / SENTENCE_SIZE)
    joined = [
        # A long list may go over to the next page, but not right at its beginning or end.
        replace(block, with_next=together or index < 4 or index == len(box) - 2)
        for index, block in enumerate(box[:-1])
    ]
    return [Block(3.0, _nothing, with_next=True), *joined, box[-1], _rule(left, right)]


def _lines(lines: list[str], font: str, size: float, x: float) -> list[Block]:
    height = size * LEADING * 1.1 / MM
    return [_line(line, font, size, x, height) for line in lines]


def _line(text: str, font: str, size: float, x: float, height: float) -> Block:
    def draw(paper: Paper, y: float) -> None:
        paper.text(x, y + height * 0.8, text, size, font)

    return Block(height, draw, boxed=True)


def _rule(left: float, right: float) -> Block:
    """Room below the box and the line under which the table goes on."""

    def draw(paper: Paper, y: float) -> None:
        paper.line(left, y + 4.0, right, y + 4.0, 0.3)

    return Block(4.0, draw)


def _space(height: float) -> Block:
    return Block(height, _nothing, boxed=True)


def _nothing(_paper: Paper, _y: float) -> None:
    """A block that is only room."""
