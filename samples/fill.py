"""Fills boxes: where in its box an answer stands, what is done when it is too long, crossings-out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from samples.hands.contracts import PX_PER_MM, Hand, Line, Mask
from samples.hands.marks import dash, strike_out
from samples.hands.pens import textured
from samples.plan import Kind, PlannedBox

OVER = 1.5
"""How far ink may stick out over the edge of its box, mm; the rest is written smaller."""

CARELESS_SHARE = 0.08
"""How often a player lets an answer stick out that could have been kept inside."""

SMALLEST = 0.62
"""How much smaller than usual somebody writes before taking a second line."""

GAP = 2.2
"""Between a crossed out answer and the one that replaces it, mm."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """The ink of one box: a mask of the box and `OVER` mm around it."""

    width: float
    height: float
    mask: Mask = field(repr=False)

    @classmethod
    def bare(cls, width: float, height: float) -> Canvas:
        """A canvas without ink for a box of this size, mm."""
        shape = (round((height + 2 * OVER) * PX_PER_MM), round((width + 2 * OVER) * PX_PER_MM))
        return cls(width, height, np.zeros(shape, dtype=np.uint8))

    def put(self, mask: Mask, left: float, top: float) -> None:
        """Add ink with its top left corner at a point in mm from that of the box.

        Ink that would leave the canvas is moved back onto it: people see where their paper ends.
        """
        rows, columns = self.mask.shape
        height, width = min(mask.shape[0], rows), min(mask.shape[1], columns)
        x = min(max(round((left + OVER) * PX_PER_MM), 0), columns - width)
        y = min(max(round((top + OVER) * PX_PER_MM), 0), rows - height)
        place = self.mask[y : y + height, x : x + width]
        np.maximum(place, mask[:height, :width], out=place)


def fill_box(
    hand: Hand, box: PlannedBox, size: tuple[float, float], rng: np.random.Generator
) -> Mask | None:
    """Write what the plan says into one box.

    Args:
        hand: The player's.
        box: The plan.
        size: Width and height of the box, mm.
        rng: This box's own random numbers.

    Returns:
        Opacity of the ink, 0 to 255, of the box grown by `OVER` mm on each side at `PX_PER_MM`, or None
        if the box stays bare.
    """
    canvas = Canvas.bare(*size)
    if box.kind is Kind.BLANK:
        return None
    if box.kind is Kind.DASH:
        _put_dash(canvas, hand, rng)
    elif box.kind is Kind.CROSSED:
        _write(canvas, hand, [box.struck], 1, rng)
    elif box.kind is Kind.REWRITTEN:
        _write(canvas, hand, [box.struck, box.text], 1, rng)
    else:
        _write(canvas, hand, [box.text], 0, rng)
    return textured(canvas.mask, hand.pen, rng)


def write_free(hand: Hand, text: str, size: tuple[float, float], rng: np.random.Generator) -> Mask:
    """Write a text into a free place of a size, mm, as `fill_box` does into a box."""
    canvas = Canvas.bare(*size)
    _write(canvas, hand, [text], 0, rng)
    return textured(canvas.mask, hand.pen, rng)


def _put_dash(canvas: Canvas, hand: Hand, rng: np.random.Generator) -> None:
    mask = dash(hand.pen.width, rng)
    length = mask.shape[1] / PX_PER_MM
    if rng.random() < 0.6:
        left = float(rng.uniform(0.5, 8.0))
    else:
        left = float(np.clip(rng.normal(canvas.width / 2 - length / 2, 8.0), 0.0, None))
    middle = canvas.height * rng.uniform(0.42, 0.64)
    canvas.put(mask, min(left, canvas.width - length), middle - mask.shape[0] / PX_PER_MM / 2)


def _write(
    canvas: Canvas, hand: Hand, parts: list[str], struck: int, rng: np.random.Generator
) -> None:
    """Write parts one after the other, the first `struck` of them crossed out."""
    left = float(rng.uniform(0.8, 4.0))
    careless = rng.random() < CARELESS_SHARE
    room = canvas.width - left + (OVER - 0.2 if careless else -0.6)
    x_height = hand.x_height * float(rng.uniform(0.94, 1.06))
    lines = [hand.line(part, x_height, rng) for part in parts]
    natural = sum(line.width for line in lines) + GAP * (len(lines) - 1)
    if natural > room:
        ratio = room / natural * 0.98
        if ratio >= SMALLEST:
            x_height *= ratio
            lines = [hand.line(part, x_height, rng) for part in parts]
        else:
            _write_in_two_lines(canvas, hand, parts, struck, left, rng)
            return
    middle = canvas.height * 0.5
    _put_row(canvas, hand, lines, struck, left, middle, 0.0 if not careless else OVER, rng)


def _write_in_two_lines(
    canvas: Canvas,
    hand: Hand,
    parts: list[str],
    struck: int,
    left: float,
    rng: np.random.Generator,
) -> None:
    rows = parts if len(parts) == 2 else _halves(parts[0])
    for index, row in enumerate(rows):
        room = canvas.width - left - 0.4
        x_height = hand.x_height * 0.6
        line = hand.line(row, x_height, rng)
        if line.width > room:
            line = hand.line(row, x_height * room / line.width * 0.98, rng)
        crossed = int(index < struck) if len(parts) == 2 else struck
        middle = canvas.height * (0.27 + 0.48 * index / max(1, len(rows) - 1))
        _put_row(canvas, hand, [line], crossed, left, middle, 0.8, rng)


def _put_row(
    canvas: Canvas,
    hand: Hand,
    lines: list[Line],
    struck: int,
    left: float,
    middle: float,
    over: float,
    rng: np.random.Generator,
) -> None:
    """Put lines side by side so that small letters lie around `middle`, as far as the box allows."""
    above = max(line.above for line in lines)
    below = max(line.below for line in lines)
    baseline = middle + min(above, 3.6) * 0.42 + rng.normal(0.0, 0.35)
    lowest, highest = canvas.height + over + 0.25 - below, above - over - 0.25
    baseline = min(max(baseline, highest), lowest) if highest <= lowest else (highest + lowest) / 2
    for index, line in enumerate(lines):
        top = baseline - line.above
        canvas.put(line.mask, left, top)
        if index < struck:
            _cross_out(canvas, hand, line, left, baseline, rng)
        left += line.width + GAP


def _cross_out(
    canvas: Canvas,
    hand: Hand,
    line: Line,
    left: float,
    baseline: float,
    rng: np.random.Generator,
) -> None:
    above, below = min(line.above, 4.5), min(line.below, 1.0)
    mask = strike_out((line.width, above + below), hand.pen.width, rng)
    middle = baseline + (below - above) / 2
    high, wide = mask.shape[0] / PX_PER_MM, mask.shape[1] / PX_PER_MM
    canvas.put(mask, left + line.width / 2 - wide / 2, middle - high / 2)


def _halves(text: str) -> list[str]:
    """Break a text near its middle, at a space if there is one."""
    spaces = [index for index, char in enumerate(text) if char == " "]
    if not spaces:
        half = len(text) // 2
        return [f"{text[:half]}-", text[half:]]
    best = min(spaces, key=lambda index: abs(index - len(text) / 2))
    return [text[:best], text[best + 1 :]]
