"""Which boxes hold nothing but a fold: blank, never surely, so that the strip of blanks shows them first.

Whatever is written on or beside a fold stays written: all ink must lie on folds that go on outside the box,
that are no darker in it than there and even all along.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Ink
from scanner.folds import Fold, across, find_folds
from scanner.geometry import Rect
from scanner.ink import Darkness, InkFinding, find_ink
from scanner.marks import Mask
from scanner.rectify import PX_PER_MM, Drift, Page
from scanner.strokes import Line

Floats = NDArray[np.float64]

# So much of it is seen outside of a box that is called blank for it.
OUTSIDE_MM = 30.0
# Within a box all ink lies so near the middle of a fold, or as far as that is wide outside; but so little.
NEAR_MM, ASTRAY_MM, BESIDE_MM2 = 0.7, 1.2, 0.12
# A fold is as dark all along: no millimetre is darker than its middle one, and a box not darker than the
# rest, by these factors and this much.
EVEN, AS_OUTSIDE, SOFT = 1.7, 1.6, 0.012
# Nobody's fold is darker; what is faint is looked at with folds in mind.
FAINT_DARKNESS = 0.3
# The frame's own line, wherever the paper bends.
FRAME_EDGE_MM = 0.7


@dataclass(slots=True)
class Folds:
    """The folds of a page, looked for when first asked for."""

    page: Page
    _found: list[Fold] | None = field(default=None)

    def found(self) -> list[Fold]:
        """All folds that are plain on the page."""
        if self._found is None:
            self._found = find_folds(self.page)
        return self._found

    def explain(
        self,
        rect: Rect,
        drift: Drift,
        darkness: Darkness,
        finding: InkFinding,
        streaks: Mask | None = None,
    ) -> bool:
        """True if a box holds nothing but folds that go on outside of it.

        Args:
            rect: The box, mm.
            drift: How it lies off its place.
            darkness: Its inside, as `find_ink` got it.
            finding: What `find_ink` said.
            streaks: What does not count anyhow.
        """
        if not _may_be_fold(darkness, finding):
            return False
        tracks = [
            track
            for fold in self.found()
            if (track := _through(fold, rect, drift, darkness)) is not None
        ]
        tracks = [track for track in tracks if _even(track, tracks)]
        if not tracks:
            return False
        near = np.logical_or.reduce([track.near for track in tracks])
        if not all(_on_a_fold(line, near) for line in finding.lines):
            return False
        if np.count_nonzero(finding.mask & ~near) > BESIDE_MM2 * PX_PER_MM**2:
            return False
        # And nothing is seen beside it once the fold is taken away: a faint word may lie there in pieces.
        rest = find_ink(darkness, near if streaks is None else near | streaks)
        return rest.ink is Ink.BLANK and rest.sure


@dataclass(frozen=True, slots=True)
class _Track:
    """A fold within a box, in pixels of the box.

    Args:
        points: Its middle, five a millimetre, inside the frame.
        peaks: How dark the fold is there, over a millimetre of its way.
        near: Where its darkness may be; the shape of the box.
    """

    points: Floats
    peaks: Floats
    near: Mask


def _may_be_fold(darkness: Darkness, finding: InkFinding) -> bool:
    """True if all ink of a box is faint."""
    if not finding.mask.any():
        return bool(finding.lines)
    return float(np.percentile(darkness[finding.mask], 90)) <= FAINT_DARKNESS


def _through(fold: Fold, rect: Rect, drift: Drift, darkness: Darkness) -> _Track | None:
    """The fold's course within a box, if it comes through and enough of it is seen outside."""
    x, y = fold.path[:, 0], fold.path[:, 1]
    around = rect.grown(ASTRAY_MM)
    inside = (x >= around.x) & (x <= around.right) & (y >= around.y) & (y <= around.bottom)
    if not inside.any():
        return None
    outside = fold.seen & ~inside
    if outside.sum() < OUTSIDE_MM:
        return None
    own = fold.seen & inside
    if own.any() and (
        np.median(fold.ridge[own]) > AS_OUTSIDE * np.median(fold.ridge[outside]) + SOFT
    ):
        return None
    first, last = np.flatnonzero(inside)[[0, -1]]
    way = fold.path[max(first - 2, 0) : last + 3]
    fine = np.linspace(0, len(way) - 1, (len(way) - 1) * 5 + 1)
    points = np.stack([np.interp(fine, np.arange(len(way)), way[:, axis]) for axis in (0, 1)], 1)
    moved = np.array([drift.at(float(place)) for place in points[:, 0]])
    return _track(
        (points - moved - np.array([rect.x, rect.y])) * PX_PER_MM - 0.5,
        darkness,
        max(NEAR_MM, fold.half),
    )


def _track(points: Floats, darkness: Darkness, near: float) -> _Track:
    """How dark a box is along a way of points, `near` mm to either side."""
    drawn = np.zeros(darkness.shape, dtype=np.uint8)
    whole = [np.round(points).astype(np.int32)]
    cv2.polylines(drawn, whole, False, (1,), 2 * round(near * PX_PER_MM) + 1)
    reach = round(NEAR_MM * PX_PER_MM)
    aside = np.arange(-reach, reach + 1)[:, None, None] * across(points)
    at = (points[None] + aside).astype(np.float32)
    # Nothing is known of the darkness on the frame itself.
    edge = round(FRAME_EDGE_MM * PX_PER_MM)
    smooth = np.full(darkness.shape, -1.0, dtype=np.float32)
    smooth[edge:-edge, edge:-edge] = cv2.blur(darkness, (3, 3))[edge:-edge, edge:-edge]
    x, y = points[:, 0], points[:, 1]
    height, width = darkness.shape
    inside = (x >= edge) & (x < width - edge) & (y >= edge) & (y < height - edge)
    profile = cv2.remap(
        smooth, at[..., 0], at[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    peaks = profile[:, inside].max(axis=0, initial=-1.0)
    if len(peaks):
        peaks = cv2.blur(peaks[None], (5, 1), borderType=cv2.BORDER_REPLICATE)[0]
    return _Track(points[inside], peaks.astype(np.float64), drawn > 0)


def _even(track: _Track, tracks: list[_Track]) -> bool:
    """True if no millimetre of a fold within a box is much darker than the others.

    Where two folds cross, both are dark.
    """
    if len(track.peaks) < 5:
        return True
    x, y = track.points.round().astype(int).T
    limit = np.full(len(track.peaks), EVEN * float(np.median(track.peaks)) + 2 * SOFT)
    for other in tracks:
        if other is not track and len(other.peaks):
            limit += np.where(other.near[y, x], float(np.median(other.peaks)), 0.0)
    return bool((track.peaks <= limit).all())


def _on_a_fold(line: Line, near: Mask) -> bool:
    """True if a straight line through a box lies on a fold all along."""
    places = np.linspace(line.start, line.end, 50)
    x = places[:, 0].round().astype(int).clip(0, near.shape[1] - 1)
    y = places[:, 1].round().astype(int).clip(0, near.shape[0] - 1)
    return float(near[y, x].mean()) >= 0.95
