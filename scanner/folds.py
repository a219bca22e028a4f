"""Folds: a crease of the paper is one faint line over the whole sheet, in the boxes as well as between them.

In one box a fold cannot be told from a hasty pencil stroke; on the page it can, since no answer goes on for
centimetres beyond its box. So folds are looked for once on the whole flat page, and only where some box holds
faint ink. A box that holds nothing but a fold is blank, never surely: the strip of blanks shows it first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.marks import Mask
from scanner.rectify import FLAT_PX_PER_MM, Page

Field32 = NDArray[np.float32]
Floats = NDArray[np.float64]

# Folds are half a millimetre wide or more: half of the flat page's resolution is enough.
SCALE = 2
PER_MM = FLAT_PX_PER_MM / SCALE
# What is darker is print or a pen, and hides a fold for so many millimetres around.
PEN_DARKNESS, HIDDEN_MM = 0.25, 1.2
# Printed frames are hidden by their place, this wide, mm.
FRAME_WIDE_MM = 1.6
# A ridge: darker by this much than both of its sides, so far away.
LEAST_RIDGE, NOISE_FACTOR, SIDE_MM = 0.012, 2.2, 1.2
# At first folds are looked for as straight lines of at least this length in all, mm.
LEAST_VOTES_MM, TURN_DEGREES, WIDE_PX = 20.0, 2.0, 5
# Then each is followed: so far aside of the straight line, in such steps across and along.
BAND_MM, STEP_MM, ALONG_MM = 3.0, 0.2, 0.5
MOST_FOLDS = 6
# Of a fold so much is seen in every part of this length, and so much in all, mm.
SEEN_SHARE, PART_MM, LEAST_SEEN_MM = 0.6, 21, 40.0
LEAST_PART_SHARE = 0.15
# From its ends it is followed on in such pieces, each in the direction of the last so many millimetres.
FURTHER_MM, FURTHER_BAND_MM, TANGENT_MM = 40.0, 3.0, 15
# What was followed is done with, this wide; a way that lies on known ones so much is not new.
ERASED_MM, SAME_SHARE = 2.0, 0.6
# A fold is at most so wide to either side, and darkness of so little is as good as none.
WIDEST_MM, PAPER = 1.4, 0.02


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold as it runs over the page.

    Args:
        path: Points in mm, one a millimetre; shape (n, 2).
        ridge: By how much each is darker than both sides.
        seen: Where the fold shows.
        clear: Where it could be seen: not under print and writing.
        half: How far its darkness reaches to either side, mm.
    """

    path: Floats
    ridge: Floats
    seen: NDArray[np.bool_]
    clear: NDArray[np.bool_]
    half: float = 0.0

    def part(self, chosen: slice) -> Fold:
        """A piece of it, or all of it backwards."""
        return Fold(self.path[chosen], self.ridge[chosen], self.seen[chosen], self.clear[chosen])

    def turned(self) -> Fold:
        """The same from its other end."""
        return self.part(slice(None, None, -1))

    def joined(self, more: Fold) -> Fold:
        """Both, one after the other."""
        return Fold(
            np.concatenate([self.path, more.path]),
            np.concatenate([self.ridge, more.ridge]),
            np.concatenate([self.seen, more.seen]),
            np.concatenate([self.clear, more.clear]),
        )


def across(path: Floats) -> Floats:
    """At every point of a path the direction square to it, of length 1; shape (n, 2)."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.hypot(along[:, :1], along[:, 1:]), 1e-9)
    return np.stack([-along[:, 1], along[:, 0]], axis=1)


def find_folds(page: Page) -> list[Fold]:
    """The folds of a page, the plainest first."""
    dark, hidden = _visible(page)
    ridges, least = _ridges(dark, hidden)
    points = (ridges > least).astype(np.uint8)
    way = _Way(dark, hidden.astype(np.float32), least)
    known = np.zeros_like(points)
    found: list[Fold] = []
    for _ in range(MOST_FOLDS):
        lines = cv2.HoughLines(
            points, WIDE_PX, np.radians(TURN_DEGREES), round(LEAST_VOTES_MM * PER_MM)
        )
        if lines is None:
            break
        rho, theta = (float(value) for value in lines[0].ravel()[:2])
        line = _straight(rho, theta, points.shape)
        ends = np.round(line[[0, -1]] * PER_MM - 0.5).astype(int).tolist()
        cv2.line(points, ends[0], ends[1], (0,), WIDE_PX + 1)
        fold = way.fold(line)
        if fold is not None:
            path = fold.path[fold.seen]
            x, y = (path * PER_MM - 0.5).round().astype(int).T
            if known[y, x].mean() < SAME_SHARE:
                found.append(fold)
            drawn = np.round(fold.path * PER_MM - 0.5).astype(np.int32)
            for picture, value in ((points, 0), (known, 1)):
                cv2.polylines(picture, [drawn], False, (value,), round(ERASED_MM * PER_MM) + 1)
    return found


def _visible(page: Page) -> tuple[Field32, Mask]:
    """The darkness of the page at half its resolution, and what print and writing hide of it."""
    small = cv2.resize(page.flat, None, fx=1 / SCALE, fy=1 / SCALE, interpolation=cv2.INTER_AREA)
    white = cv2.resize(page.white, small.shape[::-1], interpolation=cv2.INTER_LINEAR)
    dark = np.float32(1) - cv2.divide(small, np.maximum(white, 1), dtype=cv2.CV_32F)
    pens = (dark > PEN_DARKNESS).astype(np.uint8)
    reach = 2 * round(HIDDEN_MM / 2 * PER_MM) + 1
    hidden = cv2.dilate(pens, np.ones((reach, reach), np.uint8))
    blank = page.registration.blank
    rects = [box.rect for box in blank.boxes] + [item.rect for item in blank.fields]
    for rect in rects:
        corners = [(rect.x, rect.y), (rect.right, rect.bottom)]
        start, end = ((round(x * PER_MM), round(y * PER_MM)) for x, y in corners)
        cv2.rectangle(hidden, start, end, (1,), round(FRAME_WIDE_MM * PER_MM))
    # The paper's edge and its shadow.
    edge = round(3 * PER_MM)
    hidden[:edge], hidden[-edge:], hidden[:, :edge], hidden[:, -edge:] = 1, 1, 1, 1
    return dark.astype(np.float32), hidden > 0


def _ridges(dark: Field32, hidden: Mask) -> tuple[Field32, float]:
    """What is darker than its surroundings and narrow; and how much of that is more than noise."""
    smooth = cv2.blur(dark, (3, 3))
    wide = 2 * round(SIDE_MM * PER_MM) + 1
    ridges = cv2.morphologyEx(smooth, cv2.MORPH_TOPHAT, np.ones((wide, wide), np.uint8))
    ridges[hidden] = 0
    noise = float(np.median(ridges[::3, ::3][~hidden[::3, ::3]])) if not hidden.all() else 1.0
    # The noise's own ridges lie around their median; those of folds, few as they are, far above.
    return ridges, max(LEAST_RIDGE, NOISE_FACTOR * noise)  # type: ignore[return-value]


def _straight(rho: float, theta: float, shape: tuple[int, ...]) -> Floats:
    """Points in mm along a straight line of the page, ALONG_MM apart."""
    size = np.array([shape[1], shape[0]]) / PER_MM
    normal = np.array([np.cos(theta), np.sin(theta)])
    along = np.array([-normal[1], normal[0]])
    foot = normal * (rho + 0.5) / PER_MM
    reach = float(np.hypot(*size))
    places = foot + np.arange(-reach, reach, ALONG_MM)[:, None] * along
    inside = ((places >= 0) & (places <= size)).all(axis=1)
    chosen = places[inside]
    return chosen if len(chosen) > 1 else np.array([[0.0, 0.0], [1.0, 1.0]])


@dataclass(frozen=True, slots=True)
class _Way:
    """Follows folds over the page."""

    dark: Field32
    hidden: Field32
    least: float

    def fold(self, line: Floats) -> Fold | None:
        """The fold near a straight line, if one is seen there, as far as it goes on."""
        if len(line) * ALONG_MM < LEAST_SEEN_MM:
            return None
        part = _plainest(self._along(line, BAND_MM))
        if part is None:
            return None
        part = self._further(self._further(part).turned()).turned()
        if part.seen.sum() < LEAST_SEEN_MM:
            return None
        return replace(part, half=self._half(part))

    def _half(self, fold: Fold) -> float:
        """Half of a fold's width: where its darkness, in the middle of all places, is as good as paper."""
        normals = across(fold.path)[fold.seen]
        offsets = np.arange(0, WIDEST_MM + STEP_MM, STEP_MM)
        sides = []
        for side in (-1, 1):
            at = fold.path[fold.seen] + side * offsets[:, None, None] * normals
            profile = np.median(_sampled(self.dark, (at * PER_MM - 0.5).astype(np.float32)), axis=1)
            above = np.flatnonzero(profile - profile.min() > PAPER)
            sides.append(float(offsets[above[-1]]) if len(above) else 0.0)
        return max(sides)

    def _further(self, fold: Fold) -> Fold:
        """The same with what follows beyond its end: a fold bends by more than a band is wide."""
        size = np.array(self.dark.shape[::-1]) / PER_MM
        for _ in range(round(400 / FURTHER_MM)):
            end = fold.path[-1]
            along = end - fold.path[-min(len(fold.path), TANGENT_MM)]
            along = along / max(float(np.hypot(*along)), 1e-6)
            line = end + np.arange(ALONG_MM, FURTHER_MM, ALONG_MM)[:, None] * along
            line = line[((line >= 0) & (line <= size)).all(axis=1)]
            if len(line) * ALONG_MM < 5:
                break
            more = self._along(line, FURTHER_BAND_MM, start=True)
            shown = np.flatnonzero(more.seen)
            if len(shown) < 5 or len(shown) < SEEN_SHARE * more.clear[: shown[-1] + 1].sum():
                break
            fold = fold.joined(more.part(slice(0, int(shown[-1]) + 1)))
        return fold

    def _along(self, line: Floats, band: float, *, start: bool = False) -> Fold:
        """The darkest way near a line of points, whether a fold or not; from its `start` if that is known."""
        steps = round(1 / ALONG_MM)
        count = len(line) // steps
        line = line[: count * steps]
        along = (line[-1] - line[0]) / max(float(np.hypot(*(line[-1] - line[0]))), 1e-6)
        normal = np.array([-along[1], along[0]])
        beyond, reach = round(SIDE_MM / STEP_MM), round(band / STEP_MM)
        offsets = np.arange(-reach - beyond, reach + beyond + 1) * STEP_MM
        at = ((line[None] + offsets[:, None, None] * normal) * PER_MM - 0.5).astype(np.float32)
        open_ = (_sampled(self.hidden, at) < 0.01).astype(np.float32)
        shape = (len(offsets), count, steps)
        weight = open_.reshape(shape).sum(axis=2)
        total = (_sampled(self.dark, at) * open_).reshape(shape).sum(axis=2)
        # Three millimetres together: the paper's noise averages out.
        weight, total = (cv2.blur(part, (3, 1)) for part in (weight, total))
        mean = total / np.maximum(weight, 0.1)
        ridge = mean[beyond:-beyond] - np.maximum(mean[: -2 * beyond], mean[2 * beyond :])
        open_sides = np.minimum(weight[: -2 * beyond], weight[2 * beyond :])
        clear = np.minimum(open_sides, weight[beyond:-beyond]) >= 0.4 * steps
        way = _best_way(np.where(clear, ridge, 0), start)
        index = np.arange(count)
        path = (
            line.reshape(count, steps, 2).mean(axis=1) + ((way - reach) * STEP_MM)[:, None] * normal
        )
        height, clear = ridge[way, index].astype(np.float64), clear[way, index]
        return Fold(path, height, clear & (height > 0.7 * self.least), clear)


def _sampled(values: Field32, at: Field32) -> Field32:
    return cv2.remap(values, at[..., 0], at[..., 1], cv2.INTER_LINEAR)  # type: ignore[return-value]


def _best_way(ridge: Field32, start: bool) -> NDArray[np.int64]:
    """For every step the offset of the darkest way along, which goes aside by one offset a step at most."""
    offsets, count = ridge.shape
    index = np.arange(offsets)
    best = ridge[:, 0].astype(np.float64)
    if start:
        best -= 0.05 * np.abs(index - offsets // 2)
    came = np.zeros((count, offsets), dtype=np.int64)
    for step in range(1, count):
        # Straight on is preferred, so that where nothing is seen the way does not wander.
        aside = best - 1e-3
        choice, pick = best.copy(), came[step]
        for there, here, turn in (
            (slice(None, -1), slice(1, None), -1),
            (slice(1, None), slice(None, -1), 1),
        ):
            better = aside[there] > choice[here]
            choice[here][better] = aside[there][better]
            pick[here][better] = turn
        pick += index
        best = choice + ridge[:, step]
    way = np.empty(count, dtype=np.int64)
    way[-1] = int(best.argmax())
    for step in range(count - 1, 0, -1):
        way[step - 1] = came[step, way[step]]
    return way


def _plainest(fold: Fold) -> Fold | None:
    """The longest part of a way in which a fold shows wherever nothing hides it."""
    window = np.ones(PART_MM)
    shows = np.convolve(fold.seen, window, mode="same")
    could = np.convolve(fold.clear, window, mode="same")
    good = (shows >= SEEN_SHARE * could) & (shows >= LEAST_PART_SHARE * PART_MM)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(np.int8)))
    parts = edges.reshape(-1, 2).tolist()
    if not parts:
        return None
    first, last = max(parts, key=lambda part: int(fold.seen[part[0] : part[1]].sum()))
    shown = np.flatnonzero(fold.seen[first:last])
    if len(shown) < LEAST_SEEN_MM / 2:
        return None
    return fold.part(slice(first + int(shown[0]), first + int(shown[-1]) + 1))
