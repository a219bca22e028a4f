"""Where the frames of the boxes really lie.

Paper that was crumpled or went skew through a feeder does not lie flat: the homography is right at the
fiducials and up to a millimetre off in between. Therefore each frame's lines are looked for once more,
in sections of about 20 mm, and a box is cut along them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Box
from scanner.geometry import Blank, Field, Rect
from scanner.rectify import FLAT_PX_PER_MM, Drift, Page
from scanner.streaks import Streak, without_streaks

# How far from its place a frame's line is looked for.
SEARCH_MM = 1.2
# Length of a section in which a line counts as straight.
SECTION_MM = 20.0
# A line must be this much darker than its surroundings to count, as a share of white. Whole it has 0.4; of
# a 1-bit scan at 150 dpi a tenth of its pixels may be left (with 0.05 boxes were 0.85 mm off there, with
# this 0.3 mm), and the mean of 80 pixels of the noisiest paper strays by 0.006.
LEAST_CONTRAST = 0.02
# Of two lines the nearer one is the frame, if the farther is not darker by this much a millimetre: a streak
# of dust may run along a column of frames.
FAR_PENALTY = 0.1
# Darker than this is ink and letters rather than a thin line: capped, so that a thick stroke across the
# line does not weigh more than the line's whole length.
LINE_DARKNESS = 0.4
# Paper bends smoothly: a section is off by no more than this against the middle of its neighbours, those
# within NEAR_MM (walking along the axes).
LARGEST_STEP_MM = 0.35
NEIGHBOURS = 7
NEAR_MM = 45.0
# A section without neighbours is believed up to here.
LARGEST_LONELY_MM = 0.8

Darkness = NDArray[np.float32]
_REACH = round(SEARCH_MM * FLAT_PX_PER_MM)


@dataclass(slots=True)
class Sight:
    """One place where a frame was looked for: mm on the blank, and how far off it is (NaN: not seen)."""

    key: str
    x: float
    y: float
    off: float


def box_shifts(page: Page, blank: Blank, streaks: Sequence[Streak] = ()) -> dict[str, Drift]:
    """How each box and field lies off its place on the registered paper, in mm.

    A line that cannot be seen (1-bit scans lose grey lines) or that contradicts its neighbours, since
    somebody wrote along it, takes the middle of those around it.

    Args:
        page: The page.
        blank: What is printed on it.
        streaks: Lines of dust, which might be taken for a frame's.
    """
    boxes: list[Box] = [*blank.boxes, *blank.fields]
    across, down = _sights(page, boxes, streaks)
    _agree(across)
    _agree(down)
    return {box.key: _drift(box.key, across, down) for box in boxes}


def sights(page: Page, blank: Blank) -> tuple[list[Sight], list[Sight]]:
    """Where the lines of the frames that every such blank has were looked for, across and down."""
    fields = [field for field in blank.fields if not field.spare_only]
    return _sights(page, [*blank.boxes, *fields], ())


def _sights(
    page: Page, boxes: Sequence[Box], streaks: Sequence[Streak]
) -> tuple[list[Sight], list[Sight]]:
    darkness = without_streaks(page, streaks, page_darkness(page))
    across: list[Sight] = []
    down: list[Sight] = []
    for box in boxes:
        cells = box.cells if isinstance(box, Field) else ()
        for rect in cells or (box.rect,):
            across += _sides(darkness, box.key, rect, paired=bool(cells))
            down += _tops(darkness, box.key, rect)
    return across, down


def page_darkness(page: Page) -> Darkness:
    """How dark the flat page is against its paper, 0 to LINE_DARKNESS; the shape of `page.flat`."""
    height, width = page.flat.shape
    white = cv2.resize(page.white, (width, height), interpolation=cv2.INTER_LINEAR)
    ratio = cv2.divide(page.flat, np.maximum(white, 1), dtype=cv2.CV_32F)
    return np.clip(1 - ratio, 0, LINE_DARKNESS).astype(np.float32)


def _tops(darkness: Darkness, key: str, rect: Rect) -> list[Sight]:
    """The upper and lower line of a frame, in sections.

    Looked for as a pair: a neighbouring box's line, half a millimetre away, is on one side only.
    """
    count = max(1, round(rect.width / SECTION_MM))
    edges = np.linspace(rect.x, rect.right, count + 1)
    sights = []
    for left, right in itertools.pairwise(edges.tolist()):
        # The corners' other lines stay out of it.
        trim = min(SEARCH_MM, (right - left) / 4)
        strip = _window(
            darkness, left + trim, rect.y - SEARCH_MM, right - trim, rect.bottom + SEARCH_MM
        )
        off = np.nan if strip is None else _pair(strip.mean(axis=1), rect.y, rect.height)
        sights.append(Sight(key, (left + right) / 2, rect.y + rect.height / 2, off))
    return sights


def _sides(darkness: Darkness, key: str, rect: Rect, paired: bool) -> list[Sight]:
    """The left and right line: each by itself on a wide box, as a pair on a narrow cell."""
    trim = min(SEARCH_MM, rect.height / 4)
    top, bottom = rect.y + trim, rect.bottom - trim
    middle = rect.y + rect.height / 2
    if paired:
        strip = _window(darkness, rect.x - SEARCH_MM, top, rect.right + SEARCH_MM, bottom)
        off = np.nan if strip is None else _pair(strip.mean(axis=0), rect.x, rect.width)
        return [Sight(key, rect.x + rect.width / 2, middle, off)]
    sights = []
    for place in (rect.x, rect.right):
        strip = _window(darkness, place - SEARCH_MM, top, place + SEARCH_MM, bottom)
        off = np.nan if strip is None else _pair(strip.mean(axis=0), place, 0.0)
        sights.append(Sight(key, place, middle, off))
    return sights


def _window(
    darkness: Darkness, left: float, top: float, right: float, bottom: float
) -> Darkness | None:
    """The pixels of a rectangle in mm; None if a part of it is off the paper."""
    x0, y0, x1, y1 = (int(np.floor(mm * FLAT_PX_PER_MM)) for mm in (left, top, right, bottom))
    if x0 < 0 or y0 < 0 or x1 >= darkness.shape[1] or y1 >= darkness.shape[0]:
        return None
    return darkness[y0 : y1 + 1, x0 : x1 + 1]


def _pair(profile: Darkness, place: float, distance: float) -> float:
    """Where two lines lie best, as mm from their expected place; NaN if they cannot be seen.

    Args:
        profile: Mean darkness across the lines, starting at the pixel of `place` − SEARCH_MM.
        place: Where the first line should be, mm.
        distance: From it to the second, mm; 0 for a single line.
    """
    start = int(np.floor((place - SEARCH_MM) * FLAT_PX_PER_MM))
    expected = place * FLAT_PX_PER_MM - 0.5 - start
    gap = distance * FLAT_PX_PER_MM
    offsets = np.arange(-_REACH, _REACH + 1) / 1.0
    positions = np.arange(len(profile), dtype=np.float64)
    first = np.interp(expected + offsets, positions, profile)
    second = np.interp(expected + gap + offsets, positions, profile)
    both = np.minimum(first, second) - FAR_PENALTY * np.abs(offsets) / FLAT_PX_PER_MM
    ground = float(_middle(profile))
    best = int(both.argmax())
    if both[best] - ground < LEAST_CONTRAST:
        return float("nan")
    # Between pixels: the weighted middle of the peak of both lines together.
    low, high = max(best - 1, 0), min(best + 2, len(offsets))
    weights = np.maximum((first + second)[low:high] / 2 - ground, 1e-6)
    return float((offsets[low:high] * weights).sum() / weights.sum()) / FLAT_PX_PER_MM


def _middle(values: NDArray[Any]) -> Any:
    """The median, the upper one of two; np.median takes ten times as long for a few values."""
    return np.sort(values)[len(values) // 2]


def _agree(sights: list[Sight]) -> None:
    """Replace what was not seen or contradicts its neighbours by their middle."""
    seen = [sight for sight in sights if not np.isnan(sight.off)]
    if not seen:
        for sight in sights:
            sight.off = 0.0
        return
    places = np.array([(sight.x, sight.y) for sight in seen])
    offs = np.array([sight.off for sight in seen])
    settled = []
    for sight in sights:
        distance = np.abs(places - (sight.x, sight.y)).sum(axis=1)
        order = np.argsort(distance, kind="stable")
        near = order[distance[order] <= NEAR_MM][: NEIGHBOURS + 1]
        middle = float(_middle(offs[near if len(near) else order[:1]]))
        lonely = len(near) < 4
        believed = (
            abs(sight.off) <= LARGEST_LONELY_MM
            if lonely
            else abs(sight.off - middle) <= LARGEST_STEP_MM
        )
        # A comparison with NaN is false: what was not seen is not believed.
        settled.append(sight.off if believed else middle)
    for sight, off in zip(sights, settled, strict=True):
        sight.off = off


def _drift(key: str, across: list[Sight], down: list[Sight]) -> Drift:
    sides = [(sight.x, sight.off) for sight in across if sight.key == key]
    tops = [(sight.x, sight.off) for sight in down if sight.key == key]
    places = np.array(sorted({x for x, _ in sides} | {x for x, _ in tops}))
    right = _along(places, sides)
    lower = _along(places, tops)
    return Drift(places, np.stack([right, lower], axis=1))


def _along(places: NDArray[np.float64], seen: list[tuple[float, float]]) -> NDArray[np.float64]:
    """What was seen, at other places: linear between, and beyond the ends by half a section."""
    x, off = (np.array(part) for part in zip(*seen, strict=True))
    if len(x) > 1:
        first, last = 1.5 * off[0] - 0.5 * off[1], 1.5 * off[-1] - 0.5 * off[-2]
        half = (x[1] - x[0]) / 2
        x = np.array([x[0] - half, *x, x[-1] + half])
        off = np.array([first, *off, last])
    return np.interp(places, x, off)
