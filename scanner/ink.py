"""Ink: blank, dash, or written, told from the pixels inside a box's frame.

The costs are not alike. An answer taken for a blank is lost to the eye of the jury; a speck taken for an
answer costs one glance. So whatever is doubtful counts as written, with `sure` False; and a blank in
which something was explained away (dust, a neighbour's stroke) is not `sure` either, so that the strip of
blanks shows it first.

Crossed-out text counts as written here: no rule tells it from a dense or underlined word without now and then
taking away a real answer. `scanner.readers.struck` tells it by what it has learnt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray, Ink
from scanner.marks import FRAGMENTS_MM2, Mask, broken_stroke, cut_by_a_side, find_marks
from scanner.paper_noise import LEVELS, PLAIN, ZERO, Levels, thresholds
from scanner.rectify import PX_PER_MM
from scanner.strokes import Line, is_dash, straight_course, through_line

Darkness = NDArray[np.float32]

# The frame's line is 0.22 mm wide and is found to within 0.15 mm: nothing nearer to it is looked at.
FRAME_MM = 0.4
# Where the frame was not found (1-bit scans of crumpled paper) its line may lie as far inside as this.
FRAME_ASTRAY_MM = 1.1
# Above the paper's own noise by this many standard deviations (robust, from the box itself).
NOISE_FACTOR = 5.0
# On noisy paper a blank is looked at once more, more softly: of strokes 0.3 mm wide at 14 to 20 % contrast in
# noise of sigma 8 to 12 at 150 dpi one look loses 17 of 124, two lose 10.
SECOND_FACTOR = 5.5
# Fewer than this much ink in all, and nobody can say for sure whether it is a mark or dirt.
DOUBTFUL_MM2 = 1.2


@dataclass(frozen=True, slots=True)
class InkFinding:
    """What is in a box.

    Args:
        ink: The kind.
        sure: False where a person should look twice.
        area: Ink in mm².
        mask: True where the ink is; the shape of the darkness that was given.
        lines: Straight thin lines from frame to frame that were taken for dust or folds and left out of
            all else; whether they go on beyond the frame only the page can tell.
        course: If all ink lies on one straight thin line, that line from frame to frame: it may be a
            faint fold, of which the page shows more.
    """

    ink: Ink
    sure: bool
    area: float
    mask: Mask
    lines: tuple[Line, ...] = ()
    course: Line | None = None


def find_ink(darkness: Darkness, streaks: Mask | None = None) -> InkFinding:
    """Tell what is in a box.

    Args:
        darkness: The inside of a frame with its lines, 0 paper to 1 black, PX_PER_MM pixels a millimetre.
        streaks: Where the scanner's glass drew lines, same shape; what is there does not count.
    """
    levels: Levels = cv2.convertScaleAbs(darkness, alpha=LEVELS, beta=ZERO)  # type: ignore[assignment]
    top, left, bottom, right = _insets(levels)
    inside = levels[top:bottom, left:right]
    if streaks is not None:
        inside = np.where(streaks[top:bottom, left:right], np.uint8(np.median(inside)), inside)
    # 0.3 mm: as wide as a thin stroke; noise of single pixels averages out.
    finding, noisy = _look(inside, 3, NOISE_FACTOR)
    if finding.ink is Ink.BLANK and noisy and not finding.lines:
        # On noisy paper 0.5 mm tell a faint stroke better.
        second, _ = _look(inside, 5, SECOND_FACTOR)
        if second.ink is not Ink.BLANK:
            finding = replace(second, ink=Ink.WRITTEN, sure=False)
    mask = np.zeros(darkness.shape, dtype=bool)
    mask[top:bottom, left:right] = finding.mask
    course = None if finding.course is None else finding.course.moved(left, top)
    lines = tuple(line.moved(left, top) for line in finding.lines)
    return replace(finding, mask=mask, lines=lines, course=course)


def _look(inside: Levels, blur: int, factor: float) -> tuple[InkFinding, bool]:
    """What is inside the frame, seen with a blur of so many pixels; and whether the paper is noisy."""
    smooth: Levels = cv2.blur(inside, (blur, blur))  # type: ignore[assignment]
    threshold, low = thresholds(smooth, factor)
    noisy = bool(threshold.max() > PLAIN)
    strong = smooth > threshold
    nothing = np.zeros(inside.shape, dtype=bool)
    if not strong.any():
        return InkFinding(Ink.BLANK, True, 0.0, nothing), noisy
    marks = find_marks(smooth, smooth > low, strong)
    found = {index: through_line(marks.of(index)) for index in marks.strokes}
    lines = tuple(line for line in found.values() if line is not None)
    strokes = [index for index, line in found.items() if line is None]
    if not strokes:
        mask = marks.only(marks.fragments)
        area = float(mask.sum()) / PX_PER_MM**2
        if broken_stroke(marks) or (area >= FRAGMENTS_MM2 and cut_by_a_side(marks)):
            return InkFinding(Ink.WRITTEN, False, area, mask, lines), noisy
        sure = not lines and area < FRAGMENTS_MM2
        return InkFinding(Ink.BLANK, sure, 0.0, nothing, lines), noisy
    mask = marks.only(strokes)
    area = float(mask.sum()) / PX_PER_MM**2
    parts = [marks.of(index) for index in strokes]
    course = straight_course(parts)
    if is_dash(parts, smooth):
        return InkFinding(Ink.DASH, area >= DOUBTFUL_MM2 / 2, area, mask, lines, course), noisy
    return InkFinding(Ink.WRITTEN, area >= DOUBTFUL_MM2, area, mask, lines, course), noisy


def _insets(levels: Levels) -> tuple[int, int, int, int]:
    """What lies within the frame: its first row and column, and the ones after its last.

    The frame's own line is left out also where it lies a little astray, unless another line is at its
    place: then the inner one is somebody's stroke.
    """
    height, width = levels.shape
    depth = round(FRAME_ASTRAY_MM * PX_PER_MM)
    # A whole number: against a fraction every pixel would be made one first.
    dark = np.uint8(PLAIN)
    top = _inset((levels[:depth] > dark).mean(axis=1), 0.6)
    bottom = height - _inset((levels[: -depth - 1 : -1] > dark).mean(axis=1), 0.6)
    left = _inset((levels[:, :depth] > dark).mean(axis=0), 0.85)
    right = width - _inset((levels[:, : -depth - 1 : -1] > dark).mean(axis=0), 0.85)
    return top, left, bottom, right


def _inset(shares: NDArray[np.float64], least: float) -> int:
    """How many rows from the edge belong to the frame; `least` is the share of a row that is dark."""
    near = round(FRAME_MM * PX_PER_MM)
    astray = shares[near:]
    if (shares[: near - 1] >= least).any() or not (astray >= least).any():
        return near
    return near + int(np.flatnonzero(astray >= least)[-1]) + 3


def clean_crop(gray: Gray, white: Gray, finding: InkFinding) -> Gray:
    """The inside of a box for a reader: paper made white, frame and specks gone, ink as it was.

    Args:
        gray: The inside of the frame with its lines.
        white: The paper's brightness, same shape.
        finding: What `find_ink` said of it.
    """
    flat = cv2.divide(gray, np.maximum(white, 1), scale=255.0)
    # A stroke's soft edge belongs to it.
    grown = cv2.dilate(finding.mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    flat[grown == 0] = 255
    return flat  # type: ignore[return-value]
