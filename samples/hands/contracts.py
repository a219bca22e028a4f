"""What every hand can do: write one line of text with its pen.

Masks are at `PX_PER_MM` pixels a millimetre whatever the resolution of the later scan, 0 bare paper to
255 fully inked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

PX_PER_MM = 24
"""About 600 dpi: twice the finest scan, so that a pen stroke has soft edges there."""

Mask = NDArray[np.uint8]
"""Coverage with ink, shape (height, width)."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A writing instrument.

    Args:
        name: `ballpoint`, `gel` or `pencil`.
        width: Width of its stroke, mm.
        colour: Of its ink as red, green, blue, 0 to 255.
        opacity: How much of the paper's white the ink takes, 0 to 1.
        grain: How uneven the stroke is, 0 smooth to 1 with gaps.
    """

    name: str
    width: float
    colour: tuple[int, int, int]
    opacity: float
    grain: float

    @property
    def dark(self) -> bool:
        """True if the ink survives a 1-bit scan with a threshold near the middle."""
        red, green, blue = self.colour
        brightness = 0.299 * red + 0.587 * green + 0.114 * blue
        return 255 - self.opacity * (255 - brightness) < 110


@dataclass(frozen=True, slots=True)
class Line:
    """One written line: its mask, trimmed to the ink, and the row of the mask on which it stands."""

    mask: Mask
    baseline: int

    @property
    def width(self) -> float:
        """Width of the ink, mm."""
        return self.mask.shape[1] / PX_PER_MM

    @property
    def above(self) -> float:
        """Height of the ink above the baseline, mm."""
        return self.baseline / PX_PER_MM

    @property
    def below(self) -> float:
        """Depth of the ink below the baseline, mm."""
        return (self.mask.shape[0] - self.baseline) / PX_PER_MM


class Hand(Protocol):
    """One player's hand. It is used in the process that made it."""

    @property
    def pen(self) -> Pen:
        """What this player writes with."""
        ...

    @property
    def x_height(self) -> float:
        """Height of a small letter as this player likes it, mm."""
        ...

    def line(self, text: str, x_height: float, rng: np.random.Generator) -> Line:
        """Write a text (not empty) on one line, small letters `x_height` mm high."""
        ...


def trimmed(mask: Mask, baseline: int) -> Line:
    """A line from a mask with bare margins; a mask without ink becomes one bare pixel."""
    rows = np.flatnonzero(mask.max(axis=1))
    columns = np.flatnonzero(mask.max(axis=0))
    if rows.size == 0:
        return Line(np.zeros((1, 1), dtype=np.uint8), 1)
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Line(cut, baseline - int(rows[0]))
