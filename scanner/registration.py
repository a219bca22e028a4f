"""Registration: where on the image the paper lies.

A homography from millimetres on the paper to pixels on the image, from the corners of the printed
fiducials. Any three fiducials are enough; a readable code stands in for a lost one. The markers are
searched on a reduced image (10 ms instead of 146 ms for an A4 page at 300 dpi) and their corners then
refined on the full one.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.corners import refined
from scanner.geometry import Blank, Geometry, Marker, Rect

Points = NDArray[np.float64]
"""Shape (n, 2): x, y."""

# Markers of 10 mm have six modules; at this many pixels along the page's long side a module has about
# five pixels, which the detector needs to tell bits on a noisy page.
SEARCH_SIDES = (900, 1800, 3600)
# Corners that lie further than this from where the others put them are not the marker's own: a crumpled
# corner, a blot, a marker of another page shining through.
LARGEST_RESIDUAL_MM = 0.8
# Flat sheets have 0.01 mm, sheets crumpled by 0.5 mm have 0.02 mm: nothing to mend. Otherwise a fit without
# an anchor must be this much better to be preferred.
GOOD_RESIDUAL_MM, MUCH_BETTER = 0.12, 0.3
# A page whose three fiducials lie in a line cannot be registered.
LEAST_ANCHORS = 3
# Nothing smaller in pixels is a page.
SMALLEST_SIDE = 64
# The same fiducial more often than this: a picture of something else.
MOST_DOUBLES = 4


@dataclass(frozen=True, slots=True)
class Registration:
    """How a blank lies on an image.

    Args:
        blank: Which blank.
        matrix: Homography, shape (3, 3): millimetres on the paper → pixels on the image.
        residual: Root mean square distance in mm of the anchors' corners from where the matrix puts them.
        anchors: How many fiducials (and codes in place of lost ones) it rests on.
    """

    blank: Blank
    matrix: NDArray[np.float64]
    residual: float
    anchors: int

    def to_image(self, points: Any) -> Points:
        """Millimetres on the paper → pixels; shape (n, 2) both."""
        array = np.asarray(points, dtype=np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(array, self.matrix), dtype=np.float64).reshape(
            -1, 2
        )

    @property
    def dpi(self) -> float:
        """Pixels an inch of paper, at the middle of the page."""
        paper = self.blank.paper
        x, y = paper.width / 2, paper.height / 2
        left, right, above, below = self.to_image(
            [(x - 10, y), (x + 10, y), (x, y - 10), (x, y + 10)]
        )
        across = float(np.hypot(*(right - left))) / 20
        along = float(np.hypot(*(below - above))) / 20
        return (across + along) / 2 * 25.4

    @property
    def turned(self) -> float:
        """By how many degrees the paper lies turned clockwise on the image, -180 to 180."""
        left, right = self.to_image([(0.0, 0.0), (self.blank.paper.width, 0.0)])
        return float(np.degrees(np.arctan2(right[1] - left[1], right[0] - left[0])))


@dataclass(frozen=True, slots=True)
class Found:
    """A fiducial on the image: its blank, its marker and the pixels of its four corners."""

    blank: Blank
    marker: Marker
    corners: Points


def find_fiducials(gray: Gray, geometry: Geometry) -> list[Found]:
    """All fiducials of one blank of ours on an image, best resolution first.

    Returns:
        The fiducials of the blank that shows the most of them, none twice; corners in the order top
        left, top right, bottom right, bottom left of the marker as printed, refined to fractions of a
        pixel. Empty if two blanks lie on one image: which of them is meant, nobody can tell.
    """
    if min(gray.shape) < SMALLEST_SIDE:
        return []
    best: list[Found] = []
    long_side = max(gray.shape)
    for side in SEARCH_SIDES:
        if side > long_side and best:
            break
        scale = min(1.0, side / long_side)
        sighted = _detect(reduced(gray, scale), geometry, scale)
        if len(sighted) > 1 and _blanks(sighted) > 1:
            return []
        found = _consistent(sighted)
        if len(found) > len(best):
            best = found
        if len(best) == 4 or scale == 1.0:
            break
    return [Found(item.blank, item.marker, refined(gray, item.corners)) for item in best]


def register(
    found: list[Found], codes: list[tuple[Rect, Points]] | None = None
) -> Registration | None:
    """The homography from anchors, or None if they do not determine one.

    Args:
        found: Fiducials of one blank.
        codes: Codes that were read: the rectangle in mm where the code is printed, and the pixels of its
            four corners. Used only if the fiducials are too few or contradict each other.
    """
    if not found:
        return None
    blank = found[0].blank
    anchors: list[tuple[Rect, Points]] = [(item.marker.rect, item.corners) for item in found]
    fit = _best_fit(blank, anchors)
    if fit is None and codes:
        fit = _best_fit(blank, anchors + codes)
    return fit


def reduced(gray: Gray, scale: float) -> Gray:
    """The image at `scale`; by averaging, so that noise goes and thin lines stay."""
    # Halving is many times faster than any other average.
    while scale < 0.5:
        gray = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        scale *= 2
    if scale >= 1.0:
        return gray
    return cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


@cache
def _dictionary(name: str) -> Any:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


def _detect(small: Gray, geometry: Geometry, scale: float) -> list[Found]:
    """All fiducials of ours on the reduced image, also double ones; corners in pixels of the full one."""
    sighted = []
    for dictionary in {blank.dictionary for blank in geometry.blanks.values()}:
        parameters = cv2.aruco.DetectorParameters()
        # A marker is about 1/20 of the page's width; on a photo the page may fill half the frame.
        parameters.minMarkerPerimeterRate = 0.04
        parameters.maxMarkerPerimeterRate = 0.6
        parameters.adaptiveThreshWinSizeMin = 7
        parameters.adaptiveThreshWinSizeMax = 31
        parameters.adaptiveThreshWinSizeStep = 12
        # One wrong bit of the four-by-four code may be mended (the rate is of that one bit): folds and
        # streaks cross markers. What is seen wrongly then does not lie where the others put it.
        parameters.errorCorrectionRate = 1.0
        # The detector cannot be pickled, and making one costs nothing.
        detector = cv2.aruco.ArucoDetector(_dictionary(dictionary), parameters)
        corners, ids, _ = detector.detectMarkers(small)
        # OpenCV 5 gives ids as (N,), OpenCV 4 as (N, 1).
        for quad, id_ in zip(corners, [] if ids is None else np.ravel(ids), strict=True):
            blank = geometry.blank_with_marker(int(id_))
            if blank is None or blank.dictionary != dictionary:
                continue
            marker = next(item for item in blank.markers if item.id == int(id_))
            # Centres of pixels, not their corners, are whole numbers in both images.
            pixels = (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5
            sighted.append(Found(blank, marker, pixels))
    return sighted


def _blanks(sighted: list[Found]) -> int:
    """How many whole blanks are on the image: sets of three fiducials or more that fit together."""
    count, left = 0, list(sighted)
    while len(left) >= LEAST_ANCHORS:
        found = _consistent(left)
        anchors = [(item.marker.rect, item.corners) for item in found]
        if len(found) < LEAST_ANCHORS or _best_fit(found[0].blank, anchors) is None:
            break
        count += 1
        left = [item for item in left if all(item is not other for other in found)]
    return count


def _consistent(sighted: list[Found]) -> list[Found]:
    """Of all fiducials those of one blank that fit together best, none twice."""
    best: list[Found] = []
    least = float("inf")
    for name in sorted({item.blank.name for item in sighted}):
        by_id: dict[int, list[Found]] = {}
        for item in sighted:
            if item.blank.name == name:
                by_id.setdefault(item.marker.id, []).append(item)
        # A picture full of markers is none of ours.
        if max(len(group) for group in by_id.values()) > MOST_DOUBLES:
            continue
        for chosen in itertools.product(*by_id.values()):
            if len(chosen) < LEAST_ANCHORS:
                residual = 0.0 if len(by_id) == len(sighted) else float("inf")
            else:
                fit = _fit(chosen[0].blank, [(item.marker.rect, item.corners) for item in chosen])
                residual = float("inf") if fit is None else fit.residual
            if (-len(chosen), residual) < (-len(best), least) or not best:
                best, least = list(chosen), residual
    return best


def _fit(blank: Blank, anchors: list[tuple[Rect, Points]]) -> Registration | None:
    paper = np.concatenate([np.array(rect.corners()) for rect, _ in anchors])
    pixels = np.concatenate([corners for _, corners in anchors])
    estimate, _ = cv2.findHomography(paper, pixels, 0)
    if estimate is None or not np.isfinite(estimate).all():
        return None
    matrix = np.asarray(estimate, dtype=np.float64)
    # The distance is measured on the paper, so that it means the same at every resolution.
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    back = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), inverse).reshape(-1, 2)
    residual = float(np.sqrt(((back - paper) ** 2).sum(axis=1).mean()))
    return Registration(blank, matrix, residual, len(anchors))


def _best_fit(blank: Blank, anchors: list[tuple[Rect, Points]]) -> Registration | None:
    """The homography from all anchors or, if one or two of them are bad, from the others.

    A single mark 6 mm aside leaves a residual of only 0.3 mm, since perspective makes up for it; so the
    others are believed wherever they agree much better without one.
    """
    fits = [_usable_fit(blank, anchors)]
    for dropped in range(1, min(2, len(anchors) - LEAST_ANCHORS) + 1):
        if any(fit is not None and fit.residual <= GOOD_RESIDUAL_MM for fit in fits):
            break
        chosen = itertools.combinations(anchors, len(anchors) - dropped)
        fits += [_usable_fit(blank, list(some)) for some in chosen]
    usable = [fit for fit in fits if fit is not None]
    if not usable:
        return None
    most = max(usable, key=lambda fit: (fit.anchors, -fit.residual))
    better = min(usable, key=lambda fit: fit.residual)
    return better if better.residual < MUCH_BETTER * most.residual else most


def _usable_fit(blank: Blank, anchors: list[tuple[Rect, Points]]) -> Registration | None:
    if len(anchors) < LEAST_ANCHORS or not _spread([rect for rect, _ in anchors]):
        return None
    fit = _fit(blank, anchors)
    if fit is None or fit.residual > LARGEST_RESIDUAL_MM or not _plausible(fit):
        return None
    return fit


def _spread(rects: list[Rect]) -> bool:
    """True if the anchors span an area, not only a line."""
    points = np.array([(rect.x, rect.y) for rect in rects], dtype=np.float32)
    hull = cv2.convexHull(points)
    return float(cv2.contourArea(hull)) > 1000.0  # mm²; a third of the page has 20,000


def _plausible(fit: Registration) -> bool:
    """The paper is a convex quadrilateral, not mirrored, and not folded over itself."""
    quad = fit.to_image(fit.blank.paper.corners()).astype(np.float32)
    area = float(cv2.contourArea(quad, oriented=True))
    return cv2.isContourConvex(quad) and area > 0
