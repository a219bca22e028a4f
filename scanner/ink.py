"""Ink: blank, dash, crossed out, or written, told from the pixels inside a box's frame.

The costs are not alike. An answer taken for a blank is lost to the eye of the jury; a speck taken for an
answer costs one glance. So whatever is doubtful counts as written, with `sure` False.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray, Ink
from scanner.rectify import PX_PER_MM

Darkness = NDArray[np.float32]

# The frame's line is 0.25 mm wide and is found to within 0.2 mm: nothing nearer to it is looked at.
FRAME_MM = 0.5
# Pencil at 15 % contrast must be seen. Two thirds of it is the least that a stroke's middle keeps after
# the warp and the blur.
LEAST_DARKNESS = 0.095
# Above the paper's own noise by this many standard deviations (robust, from the box itself).
NOISE_FACTOR = 5.0
# A pen leaves strokes: at least this long in some direction, and this much area.
STROKE_MM = 0.9
STROKE_MM2 = 0.22
# Fewer than this much ink in all, and nobody can say for sure whether it is a mark or dirt.
DOUBTFUL_MM2 = 1.2
# A dash is one low stroke, much wider than high.
DASH_HEIGHT_MM = 1.6
DASH_LEAST_MM = 1.8
DASH_RATIO = 3.0


@dataclass(frozen=True, slots=True)
class InkFinding:
    """What is in a box.

    Args:
        ink: The kind.
        sure: False where a person should look twice.
        area: Ink in mm².
        mask: True where the ink is; the shape of the darkness that was given.
    """

    ink: Ink
    sure: bool
    area: float
    mask: NDArray[np.bool_]


def find_ink(darkness: Darkness) -> InkFinding:
    """Tell what is in a box.

    Args:
        darkness: The inside of a frame with its lines, 0 paper to 1 black, PX_PER_MM pixels a millimetre.
    """
    inset = round(FRAME_MM * PX_PER_MM)
    inside = darkness[inset:-inset, inset:-inset]
    # 0.3 mm: as wide as a thin stroke; noise of single pixels averages out.
    smooth = cv2.blur(inside, (3, 3))
    # The paper's noise, from the quieter half of the box: writing never fills half of it.
    # A sixth of the pixels tells it as well as all, in a sixth of the time.
    sampled = smooth[::2, ::3]
    middle = float(np.median(sampled))
    quiet = sampled[sampled <= middle]
    spread = 1.4826 * float(np.median(np.abs(quiet - np.median(quiet)))) * 2
    threshold = max(LEAST_DARKNESS, middle + NOISE_FACTOR * spread)
    # Hysteresis: what touches something clearly dark counts from half of it on, so that a faint stroke
    # stays in one piece.
    low = (smooth > max(threshold * 0.7, middle + 2.5 * spread)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(low, connectivity=8)
    strokes = [
        index
        for index in range(1, count)
        if _is_stroke(stats[index], smooth, labels, index, threshold)
    ]
    mask = np.zeros(darkness.shape, dtype=bool)
    mask[inset:-inset, inset:-inset] = np.isin(labels, strokes)
    area = float(mask.sum()) / PX_PER_MM**2
    if not strokes:
        return InkFinding(Ink.BLANK, True, 0.0, mask)
    boxes = stats[strokes]
    if _is_dash(boxes):
        return InkFinding(Ink.DASH, area >= DOUBTFUL_MM2 / 2, area, mask)
    return InkFinding(Ink.WRITTEN, area >= DOUBTFUL_MM2, area, mask)


def _is_stroke(
    stat: Any,
    smooth: Any,
    labels: Any,
    index: int,
    threshold: float,
) -> bool:
    """A mark that a pen may have left: not a speck, not a hair of dust through the whole box."""
    left, top, width, height, area = (int(value) for value in stat)
    if area < STROKE_MM2 * PX_PER_MM**2 or max(width, height) < STROKE_MM * PX_PER_MM:
        return False
    part = smooth[top : top + height, left : left + width]
    own = part[labels[top : top + height, left : left + width] == index]
    if float(np.percentile(own, 90)) < threshold:
        return False
    # A streak of dust on the scanner's glass runs dead straight through the whole height of the box.
    return not (height >= labels.shape[0] - 2 and width <= 0.6 * PX_PER_MM)


def _is_dash(boxes: Any) -> bool:
    """One low stroke, or two in a line; a dash means «no answer»."""
    if len(boxes) > 2:
        return False
    left, right = boxes[:, 0].min(), (boxes[:, 0] + boxes[:, 2]).max()
    top, bottom = boxes[:, 1].min(), (boxes[:, 1] + boxes[:, 3]).max()
    width, height = (right - left) / PX_PER_MM, (bottom - top) / PX_PER_MM
    flat = all(box[2] >= DASH_RATIO * box[3] or box[3] <= 0.8 * PX_PER_MM for box in boxes)
    return (
        bool(flat)
        and bool(height <= DASH_HEIGHT_MM)
        and bool(width >= DASH_LEAST_MM)
        and bool(width >= DASH_RATIO * height)
    )


def clean_crop(gray: Gray, white: Gray, finding: InkFinding) -> Gray:
    """The inside of a box for a reader: paper made white, frame and specks gone, ink as it was.

    Args:
        gray: The inside of the frame with its lines.
        white: The paper's brightness, same shape.
        finding: What `find_ink` said of it.
    """
    flat = np.minimum(gray.astype(np.float32) * 255.0 / np.maximum(white, 1), 255.0).astype(
        np.uint8
    )
    # A stroke's soft edge belongs to it.
    grown = cv2.dilate(finding.mask.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    return np.where(grown, flat, np.uint8(255)).astype(np.uint8)
