"""What a layout of the standings consists of; each of them is a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from reports.flow import Block
from reports.paper import Paper
from scoring.model import StandingRow


class LayoutName(StrEnum):
    """How standings can be laid out on A4."""

    PORTRAIT = "portrait"
    """Upright, with the sums by theme."""
    LANDSCAPE = "landscape"
    """On its side: school, town, sums by theme and right answers by nominal in columns."""
    COLUMNS = "columns"
    """Upright, place, name and score only, three columns: 150 names a page."""
    LARGE = "large"
    """Upright, nothing under 20 points in the table: read in a corridor from two metres."""


@dataclass(frozen=True)
class Layout:
    """One layout.

    Args:
        width: The page's, mm.
        height: The page's, mm.
        left: Left edge of the (first) column, mm.
        right: Its right edge, mm.
        head_mm: Height of the table's headings.
        draw_head: Draws them; takes their upper edge, mm.
        row: A player's line as a block; its second argument keeps it with the block behind it.
        words: Size of the lines that stand between players, points.
        tie_size: Size of the note on a tie, points.
        note_size: Size of the sentences on what was decided, points.
        columns: How many columns a page has.
        gap: Room between two columns, mm.
        cut_line: Thickness of the line under the last sure place, mm.
        large: The page's heading is in large print too.
    """

    width: float
    height: float
    left: float
    right: float
    head_mm: float
    draw_head: Callable[[Paper, float], None]
    row: Callable[[StandingRow, bool], Block]
    words: float = 11.0
    tie_size: float = 11.0
    note_size: float = 9.0
    columns: int = 1
    gap: float = 0.0
    cut_line: float = 1.3
    large: bool = False

    @property
    def page_right(self) -> float:
        """Right edge of the last column, mm."""
        return self.right + (self.columns - 1) * self.step

    @property
    def step(self) -> float:
        """From one column to the next, mm."""
        return self.right - self.left + self.gap
