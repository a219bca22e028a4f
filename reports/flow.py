"""Blocks of known height poured into pages: which of them stand on which page, and where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from reports.paper import Paper

Draw = Callable[[Paper, float], None]
"""Draws a block whose upper edge lies at the given y, mm."""


@dataclass(frozen=True)
class Block:
    """One thing that is never cut in two.

    Args:
        height: mm.
        draw: Draws it.
        with_next: It stays on one page with the block behind it (a heading, a row above a line).
        boxed: Neighbours that are boxed get one frame around them on each page.
    """

    height: float
    draw: Draw
    with_next: bool = False
    boxed: bool = False


def paginate(blocks: Iterable[Block], room: float) -> list[list[Block]]:
    """Fill pages of a height from top to bottom; at least one page, perhaps empty.

    A chain of blocks that want to stay together moves to the next page as a whole; one that is higher
    than a page is cut where it has to be.
    """
    pages: list[list[Block]] = [[]]
    used = 0.0
    for chain in _chains(blocks):
        height = sum(block.height for block in chain)
        if pages[-1] and used + height > room:
            pages.append([])
            used = 0.0
        for block in chain:
            if pages[-1] and used + block.height > room:
                pages.append([])
                used = 0.0
            pages[-1].append(block)
            used += block.height
    return pages


def draw_blocks(
    paper: Paper, blocks: Sequence[Block], top: float, left: float, right: float
) -> float:
    """Draw the blocks of one page one below the other.

    Args:
        paper: Where.
        blocks: What.
        top: The upper edge of the first, mm.
        left: The left edge of the frame around boxed ones, mm.
        right: Its right edge, mm.

    Returns:
        The lower edge of the last, mm.
    """
    y = top
    box_top: float | None = None
    for index, block in enumerate(blocks):
        if block.boxed and box_top is None:
            box_top = y
        block.draw(paper, y)
        y += block.height
        ends = index + 1 == len(blocks) or not blocks[index + 1].boxed
        if box_top is not None and ends:
            paper.frame(left, box_top, right - left, y - box_top, 0.4)
            box_top = None
    return y


def _chains(blocks: Iterable[Block]) -> list[list[Block]]:
    chains: list[list[Block]] = []
    joined = False
    for block in blocks:
        if joined:
            chains[-1].append(block)
        else:
            chains.append([block])
        joined = block.with_next
    return chains
