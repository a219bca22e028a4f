"""Where a blank lies if its fiducials are gone and a person says it roughly.

The person turns the picture upright, or points at the four corner marks (or at where they were). That is
right to a few millimetres; the frames of the boxes, which are all over the page, then give the rest. A
place that the frames do not confirm is none: boxes cut beside their answers would look blank.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.frames import LINE_DARKNESS, Sight, page_darkness, sights
from scanner.geometry import Blank, Geometry, Rect
from scanner.rectify import FLAT_PX_PER_MM, rectify
from scanner.registration import Registration

TURNS = (0, 90, 180, 270)
CORNERS = 4

# The search for the frames' grid works on the darkness at this scale.
_PX_PER_MM = 2
# Frames repeat every 9.7 mm: lines blurred by this are still told apart, and can be felt from half of that.
_BLURS_MM = (1.6, 0.8, 0.5)
# Lines and letters count alike above this darkness; a line goes on for so many mm (half of that down the
# page), letters do not. Around it, in so many pixels across, is ground.
_FAINT, _ALONG_MM, _GROUND = 0.12, 12.0, 15
# A line is sampled every so many millimetres.
_SAMPLE_MM = 4.0
# How far the corners that a person pointed at may be off, as a whole; each by itself is moved further below.
_POINTED_MM = 5.0
# A sheet that only is the right way up: fed askew, printed smaller, shifted. See `samples` and CASES: ±1.5°,
# prints at 94-103 %.
_TURNED_MM, _TURNED_DEGREES, _TURNED_SCALES = 9.0, (-1.5, 0.0, 1.5), (0.94, 0.97, 1.0, 1.03)
# Steps by which the corners are moved until nothing gets better, mm.
_STEPS_MM = ((2.0, 1.0), (1.0, 0.5), (0.5, 0.25))
# Starts that are settled, and how far apart they are down the page.
_MOST_STARTS, _APART_MM = 3, 3.0
# So many of the frames' lines must be seen where they should be, within so many mm, to be believed. Measured:
# a page that lies right shows all of them, one upside down 0.74 (the grid is nearly the same), a grid caught
# one row too low or another blank's fewer than 0.3. From SURE_SEEN on nothing else is tried.
LEAST_SEEN, SURE_SEEN, NEAR_MM = 0.8, 0.9, 0.5

Points = NDArray[np.float64]
Darkness = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Hint:
    """What a person said of how a page lies.

    Args:
        turn: By how many degrees clockwise the picture must be turned to stand upright.
        corners: The middles of the four corner marks, in the order top left, top right, bottom right,
            bottom left of the blank as printed; each as parts of the picture's width and height as it was
            scanned, not turned. Empty if only the turn is known.
        of_paper: The corners are those of the paper, not the middles of the marks.
    """

    turn: int = 0
    corners: tuple[tuple[float, float], ...] = ()
    of_paper: bool = False

    def __post_init__(self) -> None:
        if self.turn not in TURNS or len(self.corners) not in (0, CORNERS):
            raise ValueError(f"turn {self.turn}, {len(self.corners)} corners")
        if not all(-1.0 <= part <= 2.0 for point in self.corners for part in point):
            raise ValueError(f"corners {self.corners}")
        if self.corners and not _convex(self.corners):
            raise ValueError("the corners cross over")


def _convex(corners: tuple[tuple[float, float], ...]) -> bool:
    """True if the corners go round clockwise, as those of no mirrored or folded paper do not."""
    quad = np.array(corners, dtype=np.float32)
    return cv2.isContourConvex(quad) and float(cv2.contourArea(quad, oriented=True)) > 0.01


def place(gray: Gray, geometry: Geometry, hint: Hint) -> Registration | None:
    """How the blank lies on an image that shows no fiducials, by what a person said of it.

    Args:
        gray: The page as scanned.
        geometry: The blanks that may be there.
        hint: Of the person.

    Returns:
        The place that the frames of a blank confirm best, None if they confirm none.
    """
    best: tuple[float, Registration] | None = None
    for start in _starts(gray, geometry, hint):
        found = _by_frames(gray, start, only_turned=not hint.corners)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
            if found[0] >= SURE_SEEN:
                break
    return None if best is None else best[1]


def _starts(gray: Gray, geometry: Geometry, hint: Hint) -> Iterator[Registration]:
    """Where a blank may lie: as the person said first, then as they may have been mistaken."""
    height, width = gray.shape
    blanks = geometry.blanks.values()
    if not hint.corners:
        # The picture is the paper: what a flatbed gives, and a feeder nearly.
        edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64) - 0.5
        for blank in blanks:
            paper = np.array(blank.paper.corners())
            yield _through(blank, paper, np.roll(edges, hint.turn // 90, axis=0))
        return
    pixels = np.array(hint.corners) * (width, height) - 0.5
    # Marks and paper may be taken for each other, and a page that lies upside down for one that does not.
    for turned, of_paper in itertools.product((0, 2), (hint.of_paper, not hint.of_paper)):
        for blank in blanks:
            places = blank.paper.corners()
            if not of_paper:
                places = tuple(_middle(marker.rect) for marker in blank.markers)
            yield _through(blank, np.array(places), np.roll(pixels, turned, axis=0))


def _middle(rect: Rect) -> tuple[float, float]:
    return (rect.x + rect.width / 2, rect.y + rect.height / 2)


def _through(blank: Blank, places: Points, pixels: Points) -> Registration:
    """The registration that puts four places of the paper on four pixels."""
    matrix = cv2.getPerspectiveTransform(places.astype(np.float32), pixels.astype(np.float32))
    return Registration(blank, np.asarray(matrix, dtype=np.float64), 0.0, CORNERS)


def _by_frames(
    gray: Gray, start: Registration, *, only_turned: bool
) -> tuple[float, Registration] | None:
    """The place near a start at which the frames lie, and which share of them does."""
    lines = _Lines.of(page_darkness(rectify(gray, start)))
    moved = _searched(lines, start.blank, only_turned)
    found = replace(start, matrix=start.matrix @ moved)
    share = 0.0
    for _round in range(2):
        across, down = sights(rectify(gray, found), start.blank)
        correction, share, residual = _correction(across, down)
        found = replace(found, matrix=found.matrix @ correction, residual=residual)
    return (share, found) if share >= LEAST_SEEN and _plausible(found, gray) else None


def _plausible(found: Registration, gray: Gray) -> bool:
    """True if the paper is a convex quadrilateral of which most is on the image."""
    quad = found.to_image(found.blank.paper.corners()).astype(np.float32)
    area = float(cv2.contourArea(quad, oriented=True))
    return cv2.isContourConvex(quad) and 0.05 * gray.size < area < 4.0 * gray.size


# --- the grid of frames, felt for in blurred darkness ---------------------------------------------


def _boxes(blank: Blank) -> list[Rect]:
    fields = [field for field in blank.fields if not field.spare_only]
    cells = [cell for field in fields for cell in (field.cells or (field.rect,))]
    return [*(box.rect for box in blank.boxes), *cells]


def _samples(blank: Blank) -> tuple[Points, Points]:
    """Places on the horizontal and on the vertical lines of all frames, mm."""
    rows: list[tuple[float, float]] = []
    columns: list[tuple[float, float]] = []
    for rect in _boxes(blank):
        for x in np.arange(rect.x + 1, rect.right - 0.9, _SAMPLE_MM).tolist():
            rows += [(x, rect.y), (x, rect.bottom)]
        for y in np.arange(rect.y + 1, rect.bottom - 0.9, _SAMPLE_MM / 2).tolist():
            columns += [(rect.x, y), (rect.right, y)]
    return np.array(rows), np.array(columns)


class _Grid:
    """How well the frames' lines are met if the paper is moved by a homography in mm."""

    def __init__(self, lines: _Lines, blank: Blank, blur_mm: float) -> None:
        self._maps = [
            cv2.GaussianBlur(part, (0, 0), blur_mm * _PX_PER_MM)
            for part in (lines.rows, lines.columns)
        ]
        self._places = _samples(blank)

    def score(self, moved: NDArray[np.float64]) -> float:
        """How dark they are, larger is better."""
        return sum(
            self._mean(part, places @ moved[:, :2].T + moved[:, 2])
            for part, places in zip(self._maps, self._places, strict=True)
        )

    @staticmethod
    def _mean(part: Any, lifted: Points) -> float:
        pixels = lifted[:, :2] / lifted[:, 2:] * _PX_PER_MM
        x, y = pixels[:, 0].astype(np.int32), pixels[:, 1].astype(np.int32)
        inside = (x >= 0) & (y >= 0) & (x < part.shape[1]) & (y < part.shape[0])
        return float(part[y[inside], x[inside]].sum()) / len(lifted)


@dataclass(frozen=True, slots=True)
class _Lines:
    """What goes on along the rows, and along the columns, at _PX_PER_MM; letters do not."""

    rows: Darkness
    columns: Darkness

    @classmethod
    def of(cls, flat: Darkness) -> _Lines:
        faint = np.minimum(flat, _FAINT)
        found = []
        for across, along in ((1, _ALONG_MM), (_ALONG_MM / 2, 1)):
            size = (max(1, round(along * FLAT_PX_PER_MM)), max(1, round(across * FLAT_PX_PER_MM)))
            size = (size[0], 1) if along > 1 else (1, size[1])
            ridge = cv2.boxFilter(faint, -1, size)
            wide = (1, _GROUND) if along > 1 else (_GROUND, 1)
            ridge = np.maximum(ridge - cv2.boxFilter(ridge, -1, wide) - _FAINT / 4, 0)
            share = _PX_PER_MM / FLAT_PX_PER_MM
            found.append(cv2.resize(ridge, None, fx=share, fy=share, interpolation=cv2.INTER_AREA))
        return cls(*(np.asarray(part, dtype=np.float32) for part in found))


def _searched(lines: _Lines, blank: Blank, only_turned: bool) -> NDArray[np.float64]:
    """The move of the paper that fits best.

    First a shift (and, for a picture that only is upright, a turn and a size); frames repeat, so of
    several of them it is the corners' settling that tells the right one.
    """
    grid = _Grid(lines, blank, _BLURS_MM[0])
    reach = _TURNED_MM if only_turned else _POINTED_MM
    shifts = np.arange(-reach, reach + 0.1, 1.5)
    middle = _middle(blank.paper)
    tried: list[tuple[float, float, NDArray[np.float64]]] = []
    for scale, degrees in itertools.product(
        _TURNED_SCALES if only_turned else (1.0,), _TURNED_DEGREES if only_turned else (0.0,)
    ):
        turning = np.vstack([cv2.getRotationMatrix2D(middle, -degrees, scale), [0, 0, 1]])
        for across, down in itertools.product(shifts, shifts):
            moved = np.array([[1, 0, across], [0, 1, down], [0, 0, 1]]) @ turning
            tried.append((grid.score(moved), float(down), moved))
    tried.sort(key=lambda trial: -trial[0])
    chosen: list[tuple[float, NDArray[np.float64]]] = []
    for _score, down, moved in tried:
        # One of each row that the grid may be caught at.
        if all(abs(down - other) > _APART_MM for other, _ in chosen):
            chosen.append((down, moved))
    settled = [_settled(moved, lines, blank) for _, moved in chosen[:_MOST_STARTS]]
    return max(settled, key=lambda found: found[0])[1]


def _settled(
    moved: NDArray[np.float64], lines: _Lines, blank: Blank
) -> tuple[float, NDArray[np.float64]]:
    """Each corner of the paper moved until the lines are met no better; how well they are, and the move."""
    corners = np.array(blank.paper.corners(), dtype=np.float64)
    now: Points = np.asarray(
        cv2.perspectiveTransform(corners.reshape(-1, 1, 2), moved), dtype=np.float64
    ).reshape(-1, 2)

    def homography(at: Points) -> NDArray[np.float64]:
        found = cv2.getPerspectiveTransform(corners.astype(np.float32), at.astype(np.float32))
        return np.asarray(found, dtype=np.float64)

    best = 0.0
    for blur, steps in zip(_BLURS_MM, _STEPS_MM, strict=True):
        grid = _Grid(lines, blank, blur)
        best = grid.score(homography(now))
        for step in steps:
            for _round in range(8):
                before = best
                for move in _moves(step):
                    trial = now + move
                    score = grid.score(homography(trial))
                    if score > best:
                        best, now = score, trial
                if best <= before:
                    break
    return best, homography(now)


def _moves(step: float) -> Iterator[Points]:
    """Ways to move the four corners: all, two on a side, or one, either way on either axis."""
    groups = [(0, 1, 2, 3), (0, 1), (2, 3), (0, 3), (1, 2), (0,), (1,), (2,), (3,)]
    for group, axis, sign in itertools.product(groups, (0, 1), (-step, step)):
        move = np.zeros((CORNERS, 2))
        move[list(group), axis] = sign
        yield move


# --- the rest, from the lines themselves ------------------------------------------------------------


def _correction(across: list[Sight], down: list[Sight]) -> tuple[NDArray[np.float64], float, float]:
    """The homography in mm that brings the lines to where they were seen.

    Every line tells only how far it is off across itself. Near the identity a homography is linear in
    its eight numbers, so they follow from least squares, without the lines that contradict the rest.

    Returns:
        The homography, the share of lines that agree with it, and their root mean square distance, mm.
    """
    rows, values = [], []
    for axis, some in enumerate((across, down)):
        for sight in some:
            x, y = sight.x, sight.y
            here = x if axis == 0 else y
            affine = [1.0, x, y, 0, 0, 0] if axis == 0 else [0, 0, 0, 1.0, x, y]
            rows.append([*affine, -x * here, -y * here])
            values.append(sight.off)
    # Hundreds of mm and their squares: scaled, so that the numbers are of one size.
    scale = np.array([1, 1e-2, 1e-2, 1, 1e-2, 1e-2, 1e-4, 1e-4])
    matrix, off = np.array(rows) * scale, np.array(values)
    used = ~np.isnan(off)
    far: Any = np.full(len(off), np.inf)
    solution = np.zeros(8)
    for limit in (1.2, 0.6, NEAR_MM, NEAR_MM):
        if used.sum() < 12:
            return np.eye(3), 0.0, 0.0
        solution, *_rest = np.linalg.lstsq(matrix[used], off[used], rcond=None)
        far = np.abs(matrix @ solution - off)
        used = ~np.isnan(off) & (far <= limit)
    a, b, c, d, e, f, g, h = solution * scale
    correction = np.array([[1 + b, c, a], [e, 1 + f, d], [g, h, 1]])
    near = far[used]
    residual = float(np.sqrt((near**2).mean())) if len(near) else 0.0
    return correction, float(used.mean()), residual


__all__ = ["CORNERS", "LINE_DARKNESS", "TURNS", "Hint", "place"]
