"""Ink: blank, dash, or written, told from the pixels inside a box's frame.

The costs are not alike. An answer taken for a blank is lost to the eye of the jury; a speck taken for an
answer costs one glance. So whatever is doubtful counts as written, with `sure` False; and a blank in
which something was explained away (dust, a neighbour's stroke) is not `sure` either, so that the strip of
blanks shows it first.

Crossed-out text counts as written: a rule that tells it from a dense or underlined word would now and
then take away a real answer.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray, Ink
from scanner.rectify import PX_PER_MM
from scanner.strokes import Line, Mark, is_dash, straight_course, through_line

Darkness = NDArray[np.float32]
Mask = NDArray[np.bool_]
Levels = NDArray[np.uint8]
Labels = NDArray[np.int32]

# The frame's line is 0.22 mm wide and is found to within 0.15 mm: nothing nearer to it is looked at.
FRAME_MM = 0.4
# Where the frame was not found (1-bit scans of crumpled paper) its line may lie as far inside as this.
FRAME_ASTRAY_MM = 1.1
# A mark along the frame and no thicker than this is a rest of the frame.
REMNANT_MM = 0.35
# Pencil at 15 % contrast must be seen. Two thirds of it is the least that a stroke's middle keeps after
# the warp and the blur.
LEAST_DARKNESS = 0.095
# However noisy the paper is, this much is ink.
SURELY_DARK = 0.30
# Above the paper's own noise by this many standard deviations (robust, from the box itself).
NOISE_FACTOR = 5.0
# Paper and noise are measured anew every so many millimetres.
PART_MM = 20.0
# What touches something clearly dark counts from this share of the threshold on, so that a faint stroke
# stays in one piece; but not what is within this many deviations of the paper.
LOW_SHARE, LOW_FACTOR = 0.7, 2.5
# A pen leaves strokes: at least this long in some direction, and this much area.
STROKE_MM = 1.0
STROKE_MM2 = 0.25
# The largest speck of dust, and how much a few of them side by side may be.
SPECK_MM, SPECKS_MM2 = 0.65, 1.0
# Smaller marks are dirt one by one, though this much of it makes a blank doubtful. Nearer to each other
# than the gap and together as long as this they are one broken stroke.
FRAGMENT_MM2 = 0.06
FRAGMENTS_MM2 = 0.3
BROKEN_GAP_MM, BROKEN_MM, BROKEN_PARTS = 0.8, 2.0, 4
# Fewer than this much ink in all, and nobody can say for sure whether it is a mark or dirt.
DOUBTFUL_MM2 = 1.2
# Darkness 0 and 1 in an 8-bit picture, with room for paper that is brighter than its surroundings.
_ZERO, _LEVELS = 40.0, 200.0
_EDGES = np.arange(257)


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
    levels: Levels = cv2.convertScaleAbs(darkness, alpha=_LEVELS, beta=_ZERO)  # type: ignore[assignment]
    top, left, bottom, right = _insets(levels)
    inside = levels[top:bottom, left:right]
    mask = np.zeros(darkness.shape, dtype=bool)
    if streaks is not None:
        inside = np.where(streaks[top:bottom, left:right], np.uint8(np.median(inside)), inside)
    # 0.3 mm: as wide as a thin stroke; noise of single pixels averages out.
    smooth: Levels = cv2.blur(inside, (3, 3))  # type: ignore[assignment]
    threshold, low = _thresholds(smooth)
    strong = smooth > threshold
    if not strong.any():
        return InkFinding(Ink.BLANK, True, 0.0, mask)
    marks = _marks(smooth, smooth > low, strong)
    found = {index: through_line(marks.of(index)) for index in marks.strokes}
    lines = tuple(line.moved(left, top) for line in found.values() if line is not None)
    strokes = [index for index, line in found.items() if line is None]
    if not strokes:
        mask[top:bottom, left:right] = marks.only(marks.fragments)
        area = float(mask.sum()) / PX_PER_MM**2
        if _broken_stroke(marks) or (area >= FRAGMENTS_MM2 and _cut_by_a_side(marks)):
            return InkFinding(Ink.WRITTEN, False, area, mask, lines)
        sure = not lines and area < FRAGMENTS_MM2
        return InkFinding(Ink.BLANK, sure, 0.0, np.zeros_like(mask), lines)
    mask[top:bottom, left:right] = marks.only(strokes)
    area = float(mask.sum()) / PX_PER_MM**2
    parts = [marks.of(index) for index in strokes]
    line = straight_course(parts)
    course = None if line is None else line.moved(left, top)
    if is_dash(parts, smooth):
        return InkFinding(Ink.DASH, area >= DOUBTFUL_MM2 / 2, area, mask, lines, course)
    return InkFinding(Ink.WRITTEN, area >= DOUBTFUL_MM2, area, mask, lines, course)


@dataclass(frozen=True, slots=True)
class _Marks:
    """Connected marks of a box: which are strokes of a pen, which smaller."""

    labels: Labels
    stats: Labels
    strokes: list[int]
    fragments: list[int]

    def of(self, index: int) -> Mark:
        left, top, width, height, _ = (int(value) for value in self.stats[index])
        part = self.labels[top : top + height, left : left + width]
        return Mark(left, top, part == index, (self.labels.shape[0], self.labels.shape[1]))

    def only(self, indexes: list[int]) -> Mask:
        chosen = np.zeros(len(self.stats), dtype=bool)
        chosen[indexes] = True
        return chosen[self.labels]


def _marks(smooth: Levels, low: Mask, strong: Mask) -> _Marks:
    # Gaps of a quarter millimetre in a faint or hasty stroke.
    joined = cv2.morphologyEx(low.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    found: Any = cv2.connectedComponentsWithStats(joined, connectivity=8)
    count, labels, stats, _ = found
    dark = np.bincount(labels[strong], minlength=count)
    area = stats[:, cv2.CC_STAT_AREA] / PX_PER_MM**2
    extent = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) / PX_PER_MM
    # A tenth of it is clearly dark, as the middle of every stroke is.
    ink = dark >= 0.1 * stats[:, cv2.CC_STAT_AREA]
    ink[0] = False  # the paper
    ink &= ~_along_the_frame(stats, labels.shape)
    stroke = ink & (area >= STROKE_MM2) & (extent >= STROKE_MM)
    for index in np.flatnonzero(stroke & (area < SPECKS_MM2)).tolist():
        stroke[index] = not _specks(smooth, labels, stats, index)
    fragment = ink & ~stroke & (area >= FRAGMENT_MM2)
    return _Marks(labels, stats, np.flatnonzero(stroke).tolist(), np.flatnonzero(fragment).tolist())


def _along_the_frame(stats: Labels, shape: tuple[int, ...]) -> Mask:
    """Marks that hug the frame: the rest of its own line where the paper bends between two sections."""
    left, top, width, height = (stats[:, column] for column in range(4))
    thin = REMNANT_MM * PX_PER_MM
    level = (height <= thin) & ((top == 0) | (top + height == shape[0]))
    upright = (width <= thin) & ((left == 0) | (left + width == shape[1]))
    return level | upright


def _specks(smooth: Levels, labels: Labels, stats: Labels, index: int) -> bool:
    """True if a mark is only specks side by side: at half its darkness it falls into round dots."""
    left, top, width, height, _ = (int(value) for value in stats[index])
    own = labels[top : top + height, left : left + width] == index
    levels = smooth[top : top + height, left : left + width]
    inked = levels[own]
    half = (float(np.percentile(inked, 90)) + float(inked.min())) / 2
    dots = (own & (levels > half)).astype(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(dots, connectivity=8)
    largest = parts[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max()
    return bool(largest <= SPECK_MM * PX_PER_MM)


def _cut_by_a_side(marks: _Marks) -> bool:
    """True if a mark touches the left or right side: of a letter on the frame only a part is seen."""
    stats = marks.stats[marks.fragments]
    left, width = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_WIDTH]
    return bool(((left <= 1) | (left + width >= marks.labels.shape[1] - 1)).any())


def _broken_stroke(marks: _Marks) -> bool:
    """True if small marks stand so near each other that they are one faint stroke."""
    if len(marks.fragments) < BROKEN_PARTS:
        return False
    reach = 2 * round(BROKEN_GAP_MM * PX_PER_MM / 2) + 1
    near = cv2.dilate(
        marks.only(marks.fragments).astype(np.uint8), np.ones((reach, reach), np.uint8)
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    area, parts = np.zeros(count), np.zeros(count, dtype=int)
    for index in marks.fragments:
        left, top, width, height, pixels = (int(value) for value in marks.stats[index])
        cluster = int(labels[top : top + height, left : left + width].max())
        area[cluster] += pixels / PX_PER_MM**2
        parts[cluster] += 1
    # The dilation made each cluster larger by one gap.
    extent = stats[:, 2:4].max(axis=1) / PX_PER_MM - BROKEN_GAP_MM
    return bool(((parts >= BROKEN_PARTS) & (area >= STROKE_MM2) & (extent >= BROKEN_MM))[1:].any())


def _thresholds(smooth: Levels) -> tuple[Levels, Levels]:
    """Above which level a pixel is clearly ink, and above which it may belong to some; shape (1, width).

    Told for each part of about 20 mm by itself: in a shadow the noise is twice as large.
    """
    width = smooth.shape[1]
    parts = max(1, round(width / (PART_MM * PX_PER_MM)))
    edges = np.linspace(0, width, parts + 1).round().astype(int)
    high, low = np.empty((1, width), np.uint8), np.empty((1, width), np.uint8)
    for left, right in itertools.pairwise(edges.tolist()):
        paper, noise = _paper(smooth[:, left:right])
        threshold = min(max(LEAST_DARKNESS, paper + NOISE_FACTOR * noise), SURELY_DARK)
        least = max(threshold * LOW_SHARE, min(paper + LOW_FACTOR * noise, threshold))
        high[:, left:right] = round(_ZERO + _LEVELS * threshold)
        low[:, left:right] = round(_ZERO + _LEVELS * least)
    return high, low


def _paper(smooth: Levels) -> tuple[float, float]:
    """The paper's darkness and its standard deviation, from the light side of a part's histogram.

    Writing never fills three quarters of a part, so the lightest quarter is paper. Its width tells the
    noise, or its far tail where that is longer than a bell curve's: JPEG and a shadow's edge disturb both
    ways alike, while ink only darkens.
    """
    counts = np.bincount(smooth[::2, ::2].ravel(), minlength=256)
    share = np.cumsum(counts) / counts.sum()
    # The upper edge of each level's bin; between them a straight line.
    tail, fifth, quarter = np.interp((0.005, 0.05, 0.25), [0.0, *share], _EDGES)
    core = max(0.0, float(quarter - fifth) - 0.75) / (1.645 - 0.674)
    middle = float(quarter) + 0.674 * core
    noise = max(core, (middle - float(tail) - 1) / 2.576)
    return (middle - 0.5 - _ZERO) / _LEVELS, noise / _LEVELS


def _insets(levels: Levels) -> tuple[int, int, int, int]:
    """What lies within the frame: its first row and column, and the ones after its last.

    The frame's own line is left out also where it lies a little astray, unless another line is at its
    place: then the inner one is somebody's stroke.
    """
    height, width = levels.shape
    depth = round(FRAME_ASTRAY_MM * PX_PER_MM)
    # A whole number: against a fraction every pixel would be made one first.
    dark = np.uint8(_ZERO + _LEVELS * LEAST_DARKNESS)
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
