"""The marks of a box: which are strokes of a pen, which are dirt or a rest of the frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.paper_noise import PLAIN, Levels
from scanner.rectify import PX_PER_MM
from scanner.strokes import Mark

Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]

# A mark along the frame and no thicker than this is a rest of the frame.
REMNANT_MM = 0.35
# A pen leaves strokes: at least this long in some direction, and this much area.
STROKE_MM = 1.0
STROKE_MM2 = 0.25
# The largest speck of dust, and how much a few of them side by side may be.
SPECK_MM, SPECKS_MM2 = 0.8, 1.2
# Smaller marks are dirt one by one, though this much of it makes a blank doubtful. Nearer to each other
# than the gap and together as long as this they are one broken stroke.
FRAGMENT_MM2 = 0.06
FRAGMENTS_MM2 = 0.3
BROKEN_GAP_MM, BROKEN_MM, BROKEN_PARTS = 0.8, 2.0, 4
# A mark that is fainter than plain ink must be thin and long as a stroke is: a stain of a rubber is not.
FAINT_THICK_MM, FAINT_LONG_MM = 1.0, 1.5


@dataclass(frozen=True, slots=True)
class Marks:
    """Connected marks of a box.

    Args:
        labels: The number of its mark at every pixel, 0 for the paper.
        stats: Left, top, width, height and pixels of every mark.
        strokes: Numbers of the marks that a pen made.
        fragments: Numbers of smaller marks, dirt or pieces of a stroke.
    """

    labels: Labels
    stats: Labels
    strokes: list[int]
    fragments: list[int]

    def of(self, index: int) -> Mark:
        """One mark by its number."""
        left, top, width, height, _ = (int(value) for value in self.stats[index])
        part = self.labels[top : top + height, left : left + width]
        return Mark(left, top, part == index, (self.labels.shape[0], self.labels.shape[1]))

    def only(self, indexes: list[int]) -> Mask:
        """Where some of the marks are."""
        chosen = np.zeros(len(self.stats), dtype=bool)
        chosen[indexes] = True
        return chosen[self.labels]


def find_marks(smooth: Levels, low: Mask, strong: Mask) -> Marks:
    """Find the marks of a box.

    Args:
        smooth: Its darkness.
        low: What may belong to a mark.
        strong: What is clearly ink; the shape of all three is the same.
    """
    # Gaps of a quarter millimetre in a faint or hasty stroke.
    joined = cv2.morphologyEx(low.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    found: Any = cv2.connectedComponentsWithStats(joined, connectivity=8)
    count, labels, stats, _ = found
    dark = np.bincount(labels[strong], minlength=count)
    area = stats[:, cv2.CC_STAT_AREA] / PX_PER_MM**2
    extent = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) / PX_PER_MM
    # A part of it is clearly dark, as the middle of every stroke is: a tenth, or as much as a stroke has,
    # since a digit may be joined to a long faint fold.
    needed = np.minimum(0.1 * stats[:, cv2.CC_STAT_AREA], STROKE_MM2 * PX_PER_MM**2)
    ink = dark >= needed
    ink[0] = False  # the paper
    ink &= ~_along_the_frame(stats, labels.shape)
    stroke = ink & (area >= STROKE_MM2) & (extent >= STROKE_MM)
    plain = np.bincount(labels[smooth > PLAIN], minlength=count) >= needed
    for index in np.flatnonzero(stroke).tolist():
        if area[index] < SPECKS_MM2 and _specks(smooth, labels, stats, index):
            stroke[index] = False
        elif not plain[index]:
            stroke[index] = extent[index] >= FAINT_LONG_MM and _thin(labels, stats, index)
    fragment = ink & ~stroke & (area >= FRAGMENT_MM2)
    return Marks(labels, stats, np.flatnonzero(stroke).tolist(), np.flatnonzero(fragment).tolist())


def _along_the_frame(stats: Labels, shape: tuple[int, ...]) -> Mask:
    """Marks that hug the frame: the rest of its own line where the paper bends between two sections."""
    left, top, width, height = (stats[:, column] for column in range(4))
    thin = REMNANT_MM * PX_PER_MM
    level = (height <= thin) & ((top == 0) | (top + height == shape[0]))
    upright = (width <= thin) & ((left == 0) | (left + width == shape[1]))
    return level | upright


def _thin(labels: Labels, stats: Labels, index: int) -> bool:
    """True if a mark is nowhere thicker than a stroke."""
    left, top, width, height, _ = (int(value) for value in stats[index])
    own = labels[top : top + height, left : left + width] == index
    inside = cv2.distanceTransform(np.pad(own, 1).astype(np.uint8), cv2.DIST_L2, 3)
    return float(inside.max()) * 2 <= FAINT_THICK_MM * PX_PER_MM


def _specks(smooth: Levels, labels: Labels, stats: Labels, index: int) -> bool:
    """True if a mark is only specks side by side: at half its darkness it falls into round dots."""
    left, top, width, height, _ = (int(value) for value in stats[index])
    own = labels[top : top + height, left : left + width] == index
    levels = smooth[top : top + height, left : left + width]
    inked = levels[own]
    half = (float(np.percentile(inked, 90)) + float(inked.min())) / 2
    dots = (own & (levels >= half)).astype(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(dots, connectivity=8)
    largest = parts[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max()
    return bool(largest <= SPECK_MM * PX_PER_MM)


def cut_by_a_side(marks: Marks) -> bool:
    """True if a mark touches the left or right side: of a letter on the frame only a part is seen."""
    stats = marks.stats[marks.fragments]
    left, width = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_WIDTH]
    return bool(((left <= 1) | (left + width >= marks.labels.shape[1] - 1)).any())


def broken_stroke(marks: Marks) -> bool:
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
