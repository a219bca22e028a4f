"""Streaks: dust on a feeder's glass draws straight lines down the whole scan.

They are looked for on the scan as it came, where they run exactly along its columns (or rows, if the file
was turned), and left out of every box that they cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.geometry import Rect
from scanner.rectify import FLAT_PX_PER_MM, PX_PER_MM, Drift, Page
from scanner.strokes import Line

# The scan is averaged in this many bands across. A streak is seen in most of them (not where it crosses a
# fiducial), and in the outermost ones: nothing is printed there, while the longest printed line, the rule
# under the name, is seen in nine bands of ten.
BANDS = 48
LEAST_SHARE = 0.85
# Darker than both sides by this much, as a share of white.
LEAST_CONTRAST = 0.015
# The widest one, mm; a broader stripe is a shadow.
WIDEST_MM = 1.2
# Its soft edge, mm.
EDGE_MM = 0.15
# Along a box its course is told at so many places.
PLACES = 9
# A line through a box is dust or a fold if it goes on this far beyond the frame on both sides, mm; the
# first part of the way is left to the frame's own line and its neighbour's.
BEYOND_MM, FRAMES_MM = 4.0, 0.9
# Inside it is looked at in so many pieces, and no part is fainter than this share of the darkest.
PIECES, EVEN = 6, 0.3
# It is compared with the paper so far beside it, and may lie so far aside of the straight way.
BESIDE_MM, ASIDE_MM = 1.0, 0.6

Darkness = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Streak:
    """A straight line along a column (or row) of the scan: its first and last pixel across."""

    upright: bool
    first: float
    last: float


def find_streaks(page: Page) -> list[Streak]:
    """All streaks of a scan; none on a photo."""
    found = []
    step = page.image.shape[0] / page.coarse.shape[0]
    per_mm = page.registration.dpi / step / 25.4
    for axis in (0, 1):
        parts = np.array_split(page.coarse, BANDS, axis=axis)
        bands = [cv2.reduce(part, axis, cv2.REDUCE_AVG).ravel() for part in parts]
        for first, last in _in_bands(np.stack(bands), per_mm):
            found.append(Streak(axis == 0, first * step, (last + 1) * step - 1))
    return found


def streak_mask(
    page: Page, streaks: list[Streak], rect: Rect, drift: Drift
) -> NDArray[np.bool_] | None:
    """Where streaks cross a box, the shape of its `Page.cut`; None if they don't."""
    if not streaks:
        return None
    height, width = round(rect.height * PX_PER_MM), round(rect.width * PX_PER_MM)
    places = np.linspace(rect.x, rect.right, PLACES)
    drifts = np.array([drift.at(float(x)) for x in places])
    edges = [
        page.registration.to_image(np.stack([places, np.full(PLACES, y)], axis=1) + drifts)
        for y in (rect.y, rect.bottom)
    ]
    columns = rect.x + (np.arange(width) + 0.5) / PX_PER_MM
    share = ((np.arange(height) + 0.5) / height)[:, None]
    soft = EDGE_MM * page.registration.dpi / 25.4
    mask = None
    for axis in (0, 1):
        # The scan's column (or row) of every pixel: linear between the upper and the lower edge.
        upper, lower = (np.interp(columns, places, edge[:, axis]) for edge in edges)
        least = min(upper.min(), lower.min())
        most = max(upper.max(), lower.max())
        for streak in streaks:
            first, last = streak.first - soft, streak.last + soft
            if streak.upright != (axis == 0) or most < first or least > last:
                continue
            at = upper + share * (lower - upper)
            hit = (at >= first) & (at <= last)
            mask = hit if mask is None else mask | hit
    return mask


def without_streaks(page: Page, streaks: Sequence[Streak], darkness: Darkness) -> Darkness:
    """The darkness of the flat page with nothing where the streaks run.

    Args:
        page: The page.
        streaks: Those of the page.
        darkness: Shape of `page.flat`; changed in place.
    """
    back = np.linalg.inv(page.registration.matrix)
    height, width = page.image.shape
    for streak in streaks:
        middle = (streak.first + streak.last) / 2
        ends = [(middle, 0), (middle, height)] if streak.upright else [(0, middle), (width, middle)]
        places = cv2.perspectiveTransform(np.array([ends], dtype=np.float64), back)[0]
        start, end = np.round((places * FLAT_PX_PER_MM - 0.5) * 8).astype(int).tolist()
        wide = (streak.last - streak.first + 1) / page.registration.dpi * 25.4 + 2 * EDGE_MM
        cv2.line(darkness, start, end, (0,), round(wide * FLAT_PX_PER_MM) + 1, shift=3)
    return darkness


def goes_on(page: Page, rect: Rect, drift: Drift, line: Line) -> bool:
    """True if a line through a box goes on beyond its frame on both sides; a digit ends there.

    Args:
        page: The page.
        rect: The box, mm.
        drift: How it lies off its place.
        line: In pixels of the box's `Page.cut`.
    """
    ends = []
    for x, y in (line.start, line.end):
        at = rect.x + (x + 0.5) / PX_PER_MM
        right, down = drift.at(at)
        ends.append(np.array([at + right, rect.y + (y + 0.5) / PX_PER_MM + down]))
    along = ends[1] - ends[0]
    along = along / max(float(np.hypot(*along)), 1e-6)
    across = np.array([-along[1], along[0]])
    step = 1 / FLAT_PX_PER_MM
    length = float(np.hypot(*(ends[1] - ends[0])))
    places = np.arange(FRAMES_MM, length - FRAMES_MM, step)[:, None]
    inside = [
        _contrast(page, ends[0] + part * along, across) for part in np.array_split(places, PIECES)
    ]
    beyond = np.arange(FRAMES_MM, BEYOND_MM, step)[:, None]
    outside = [
        _contrast(page, ends[0] - beyond * along, across),
        _contrast(page, ends[1] + beyond * along, across),
    ]
    # As dark outside as inside, and all along, which a dash is not. Beside the box its printed value may
    # hide a line from side to side; one that might be a digit must be seen on both sides.
    least = EVEN * max(*inside, 1.0)
    seen = max(outside) if from_side_to_side(line, rect) else min(outside)
    return min(inside) > least and seen > least


def from_side_to_side(line: Line, rect: Rect) -> bool:
    """True if a line runs along the whole box; no digit does."""
    return abs(line.end[0] - line.start[0]) >= 0.95 * rect.width * PX_PER_MM


def _contrast(page: Page, path: NDArray[np.float64], across: NDArray[np.float64]) -> float:
    """How much darker the flat page is along a path in mm than beside it, on both sides.

    The path may lie ASIDE_MM aside, since a fold bows.
    """
    offsets = np.arange(-BESIDE_MM - ASIDE_MM, BESIDE_MM + ASIDE_MM + 0.01, 1 / FLAT_PX_PER_MM)
    places = path[None] + offsets[:, None, None] * across
    at = (places * FLAT_PX_PER_MM - 0.5).astype(np.float32)
    pixels = cv2.remap(page.flat, at[..., 0], at[..., 1], cv2.INTER_LINEAR).mean(axis=1)
    reach = round(BESIDE_MM * FLAT_PX_PER_MM)
    beside = np.minimum(pixels[: -2 * reach], pixels[2 * reach :])
    return float((beside - pixels[reach:-reach]).max())


def _in_bands(bands: Gray, per_mm: float) -> list[tuple[int, int]]:
    """First and last column of every streak in bands, one band a row; `per_mm` columns a millimetre."""
    widest = max(1, round(WIDEST_MM * per_mm))
    # The brightness without what is narrower than the widest streak.
    kernel = np.ones((1, widest + 2), np.uint8)
    around = cv2.morphologyEx(bands, cv2.MORPH_CLOSE, kernel)
    white = max(float(np.percentile(around, 75)), 1.0)
    darker = (around.astype(np.float32) - bands) / white > LEAST_CONTRAST
    streaky = (darker.mean(axis=0) >= LEAST_SHARE) & darker[0] & darker[-1]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], streaky, [False])).astype(np.int8)))
    return [
        (int(start), int(end) - 1) for start, end in edges.reshape(-1, 2) if end - start <= widest
    ]
