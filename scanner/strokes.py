"""The shape of single marks: which are dashes, and which are dust, folds and scratches.

All lengths in pixels of a box, PX_PER_MM a millimetre, unless the name says mm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scanner.rectify import PX_PER_MM

Mask = NDArray[np.bool_]

# A dash: much longer than thick, as thick all along, and straight.
DASH_LEAST_MM = 1.8
DASH_THICK_MM = 0.75
DASH_RATIO = 3.0
# Thickness (90th percentile against the median): even a blunt pen's dash keeps to this, while the letters
# of the smallest joined word (x-height 1.1 mm) go up and down by three times their stroke. And nowhere is
# there a stroke across, were it a quarter millimetre wide.
DASH_EVEN, DASH_THICKEST = 1.35, 1.7
# It has at most small gaps, and no holes.
DASH_WHOLE, DASH_FILLED = 0.95, 0.98
# A hand's dash may sag and rise a little, but is no wave.
DASH_BEND_MM = 0.3
DASH_SLOPE, DASH_RISE = 0.25, 0.3
# A line of dust or a fold: thin, straight, and from frame to frame.
LINE_THICK_MM = 1.0
LINE_BEND_MM, LINE_BOW_MM = 0.2, 1.0
# Its thicker or bent parts are together no longer than this, and no more ink lies beside a fold's pieces.
ODD_MM, BESIDE_MM2 = 0.5, 0.12
# A faint fold is seen in pieces on one straight and rather flat line, at least this long. A hand that
# writes only this writes a dash.
COURSE_LEAST_MM, COURSE_SLOPE = 2.0, 0.25


@dataclass(frozen=True, slots=True)
class Mark:
    """One connected mark: its place in the box and its pixels there."""

    left: int
    top: int
    pixels: Mask
    box: tuple[int, int]  # height and width of what was searched

    @property
    def area(self) -> int:
        """Pixels of ink."""
        return int(np.count_nonzero(self.pixels))


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line from one side of a box to the other: its two ends."""

    start: tuple[float, float]
    end: tuple[float, float]

    def moved(self, right: float, down: float) -> Line:
        """The same line in another frame of coordinates."""
        return Line(
            (self.start[0] + right, self.start[1] + down), (self.end[0] + right, self.end[1] + down)
        )


def through_line(mark: Mark) -> Line | None:
    """The mark as a thin straight line from frame to frame, if it is one.

    Dust on a feeder's glass draws such a line, so does a fold. A digit hardly does, and one that does ends
    near the frame, where a streak goes on.
    """
    height, width = mark.pixels.shape
    for flipped in (False, True):
        length = width if flipped else height
        if length < mark.box[1 if flipped else 0] - 2:
            continue
        pixels = mark.pixels.T if flipped else mark.pixels  # along the first axis now
        middle, thick = _course(pixels)
        along = np.flatnonzero(thick)
        if len(along) < 0.9 * length:
            continue
        # A fold may bow a little; a slanting line is as thin as it is across itself.
        bow, slope, start = np.polyfit(along, middle[along], 2)
        bend = np.abs(middle[along] - np.polyval((bow, slope, start), along))
        mean_slope = slope + bow * length
        steep = float(np.hypot(1.0, mean_slope))
        thin = (thick[along] - abs(mean_slope)) / steep
        # Counted, not shared: a digit that touches a fold is a small part of 80 mm.
        odd = (thin > LINE_THICK_MM * PX_PER_MM) | (bend / steep > LINE_BEND_MM * PX_PER_MM)
        bowed = abs(bow) * length**2 / 4 / steep
        if np.count_nonzero(odd) > ODD_MM * PX_PER_MM or bowed > LINE_BOW_MM * PX_PER_MM:
            continue
        ends = [(float(np.polyval((bow, slope, start), at)), float(at)) for at in (0, length - 1)]
        if flipped:
            ends = [(y, x) for x, y in ends]
        return Line(*ends).moved(mark.left, mark.top)
    return None


def straight_course(marks: list[Mark]) -> Line | None:
    """The rather flat line on which all marks lie, prolonged from side to side; None if there is none."""
    top = min(mark.top for mark in marks)
    bottom = max(mark.top + mark.pixels.shape[0] for mark in marks)
    if bottom - top > COURSE_SLOPE * marks[0].box[1] + LINE_THICK_MM * PX_PER_MM + 2 or all(
        mark.pixels.shape[0] > COURSE_SLOPE * mark.pixels.shape[1] + LINE_THICK_MM * PX_PER_MM + 2
        for mark in marks
    ):
        return None
    pixels = [np.argwhere(mark.pixels) + np.array([mark.top, mark.left]) for mark in marks]
    points = np.concatenate(pixels)[:, ::-1].astype(np.float64)
    centre = points.mean(axis=0)
    _, _, axes = np.linalg.svd(
        (points - centre)[:: max(1, len(points) // 500)], full_matrices=False
    )
    along, across = (points - centre) @ axes[0], (points - centre) @ axes[1]
    if np.ptp(along) < COURSE_LEAST_MM * PX_PER_MM:
        return None
    beside = np.abs(across) > LINE_THICK_MM * PX_PER_MM / 2 + 1
    if np.count_nonzero(beside) > BESIDE_MM2 * PX_PER_MM**2:
        return None
    if abs(axes[0][1]) > COURSE_SLOPE * abs(axes[0][0]):
        return None
    slope = axes[0][1] / axes[0][0]
    right = float(marks[0].box[1] - 1)
    x, y = (float(value) for value in centre)
    return Line((0.0, y - slope * x), (right, y + slope * (right - x)))


def is_dash(marks: list[Mark], smooth: NDArray[np.uint8]) -> bool:
    """True for one low, straight, even stroke, or two in a line: a dash means «no answer».

    «=» and «÷» have two strokes above each other, «1» stands, «~» and the smallest word go up and down.

    Args:
        marks: All marks of a box.
        smooth: The box's darkness in whole levels.
    """
    if not 1 <= len(marks) <= 2:
        return False
    left = min(mark.left for mark in marks)
    right = max(mark.left + mark.pixels.shape[1] for mark in marks)
    top = min(mark.top for mark in marks)
    bottom = max(mark.top + mark.pixels.shape[0] for mark in marks)
    length = right - left
    if length < DASH_LEAST_MM * PX_PER_MM or bottom - top > DASH_RISE * length + 15:
        return False
    levels = np.zeros((bottom - top, length), dtype=np.uint8)
    for mark in marks:
        height, width = mark.pixels.shape
        here = levels[mark.top - top :, mark.left - left :][:height, :width]
        own = smooth[mark.top : mark.top + height, mark.left : mark.left + width]
        here[mark.pixels] = own[mark.pixels]
    # At half its darkness a stroke is as thick as the pen, whatever blur and noise are around it.
    inked = levels[levels > 0]
    half = (float(np.percentile(inked, 90)) + float(inked.min())) / 2
    core = levels >= half
    middle, extent = _course(core.T)
    along = np.flatnonzero(extent)
    filled = np.count_nonzero(core) / max(int(extent.sum()), 1)
    if len(along) < DASH_WHOLE * (along[-1] - along[0] + 1) or filled < DASH_FILLED:
        return False
    # From the first to the last pixel of a column: two strokes above each other are one thick one.
    typical = float(np.median(extent[along]))
    thick = float(np.percentile(extent[along], 90))
    thickest = float(np.sort(extent)[-3])
    slope, start = np.polyfit(along, middle[along], 1)
    bend = np.abs(middle[along] - (slope * along + start))
    return (
        thick <= DASH_THICK_MM * PX_PER_MM
        and thick <= DASH_EVEN * typical + 1
        and thickest <= DASH_THICKEST * typical + 2
        and length >= DASH_RATIO * thick
        and abs(float(slope)) <= DASH_SLOPE
        and float(np.percentile(bend, 95)) <= DASH_BEND_MM * PX_PER_MM + 0.02 * length
    )


def _course(pixels: Mask) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Along the first axis: the middle of the ink, and its extent from its first to its last pixel."""
    first = pixels.argmax(axis=1)
    last = pixels.shape[1] - 1 - pixels[:, ::-1].argmax(axis=1)
    extent = np.where(pixels.any(axis=1), last - first + 1, 0)
    return (first + last) / 2.0, extent
