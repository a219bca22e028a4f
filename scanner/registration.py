"""Registration: where on the image the paper lies.

A homography from millimetres on the paper to pixels on the image, from the corners of the printed
fiducials. Any three fiducials are enough; a readable code stands in for a lost one. The markers are
searched on a reduced image (10 ms instead of 146 ms for an A4 page at 300 dpi) and their corners then
refined on the full one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.geometry import Blank, Geometry, Marker, Rect

Points = NDArray[np.float64]
"""Shape (n, 2): x, y."""

# Markers of 10 mm have six modules; at this many pixels along the page's long side a module has about
# five pixels, which the detector needs to tell bits on a noisy page.
SEARCH_SIDES = (900, 1800, 3600)
# Corners that lie further than this from where the others put them are not the marker's own: a crumpled
# corner, a blot, a marker of another page shining through.
LARGEST_RESIDUAL_MM = 0.8
# A page whose three fiducials lie in a line cannot be registered.
LEAST_ANCHORS = 3


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
        pixel.
    """
    best: list[Found] = []
    long_side = max(gray.shape)
    for side in SEARCH_SIDES:
        if side > long_side and best:
            break
        scale = min(1.0, side / long_side)
        small = gray
        if scale < 1.0:
            small = _reduced(gray, scale)
        found = _detect(small, geometry, scale)
        if len(found) > len(best):
            best = found
        if len(best) == 4 or scale == 1.0:
            break
    return [Found(item.blank, item.marker, _refined(gray, item.corners)) for item in best]


def register(
    found: list[Found], codes: list[tuple[Rect, Points]] | None = None
) -> Registration | None:
    """The homography from anchors, or None if they do not determine one.

    Args:
        found: Fiducials of one blank.
        codes: Codes that were read: the rectangle in mm where the code is printed, and the pixels of its
            four corners. Used only if there are fewer than three fiducials.
    """
    if not found:
        return None
    blank = found[0].blank
    anchors: list[tuple[Rect, Points]] = [(item.marker.rect, item.corners) for item in found]
    if len(anchors) < LEAST_ANCHORS and codes:
        anchors += codes
    if len(anchors) < LEAST_ANCHORS or not _spread([rect for rect, _ in anchors]):
        return None
    best = _fit(blank, anchors)
    if best is not None and best.residual > LARGEST_RESIDUAL_MM and len(anchors) > LEAST_ANCHORS:
        # One bad corner spoils the whole: try without each in turn.
        without = [_fit(blank, anchors[:i] + anchors[i + 1 :]) for i in range(len(anchors))]
        usable = [fit for fit in without if fit is not None]
        best = min([best, *usable], key=lambda fit: fit.residual)
    if best is None or best.residual > LARGEST_RESIDUAL_MM or not _plausible(best):
        return None
    return best


@cache
def _dictionary(name: str) -> Any:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))


def _detect(small: Gray, geometry: Geometry, scale: float) -> list[Found]:
    """Fiducials on the reduced image, corners in pixels of the full one."""
    by_blank: dict[str, list[Found]] = {}
    for dictionary in {blank.dictionary for blank in geometry.blanks.values()}:
        parameters = cv2.aruco.DetectorParameters()
        # A marker is about 1/20 of the page's width; on a photo the page may fill half the frame.
        parameters.minMarkerPerimeterRate = 0.04
        parameters.maxMarkerPerimeterRate = 0.6
        parameters.adaptiveThreshWinSizeMin = 7
        parameters.adaptiveThreshWinSizeMax = 31
        parameters.adaptiveThreshWinSizeStep = 12
        # One wrong bit of the four-by-four code may be mended: folds and streaks cross markers.
        parameters.errorCorrectionRate = 0.6
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
            group = by_blank.setdefault(blank.name, [])
            if all(other.marker.id != marker.id for other in group):
                group.append(Found(blank, marker, pixels))
            else:
                # Twice the same id: two blanks on one page, or a false find. Neither can be trusted.
                group[:] = [other for other in group if other.marker.id != marker.id]
    return max(by_blank.values(), key=len, default=[])


def _reduced(gray: Gray, scale: float) -> Gray:
    """The image at `scale`; by averaging, so that noise goes and markers stay."""
    return cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _refined(gray: Gray, corners: Points) -> Points:
    """The corners of one marker on the full image: the meeting points of its four fitted edges.

    Each edge is looked for along 24 short lines across it, at the half-way point between black and
    white; a line is fitted through those points without the outliers. Unlike a search for the corner
    itself this uses the whole edge, and toner that rounds a corner does not matter.
    """
    side = float(np.mean([np.hypot(*(corners[i] - corners[i - 1])) for i in range(4)]))
    reach = max(3.0, side * 0.09)
    low = np.floor(corners.min(axis=0) - reach - 3).astype(int)
    high = np.ceil(corners.max(axis=0) + reach + 3).astype(int)
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    patch = gray[y0 : int(high[1]) + 1, x0 : int(high[0]) + 1]
    if patch.shape[0] < 8 or patch.shape[1] < 8:
        return corners
    # One-bit and noisy scans: a little blur makes the edge a slope whose middle can be measured.
    smooth = cv2.GaussianBlur(patch, (0, 0), max(0.6, side / 120)).astype(np.float32)
    origin = np.array([x0, y0], dtype=np.float64)
    lines = []
    for index in range(4):
        start, end = corners[index] - origin, corners[(index + 1) % 4] - origin
        line = _edge(smooth, start, end, reach)
        if line is None:
            return corners
        lines.append(line)
    refined = np.array([_meeting(lines[index - 1], lines[index]) for index in range(4)])
    refined += origin
    # An edge that ran away is worse than the detector's own corner.
    if not np.isfinite(refined).all() or np.abs(refined - corners).max() > reach * 1.5:
        return corners
    return refined


def _edge(
    smooth: NDArray[np.float32], start: Points, end: Points, reach: float
) -> tuple[Points, Points] | None:
    """A line (point, direction) through the black-white edge near start–end, or None."""
    along = end - start
    length = float(np.hypot(*along))
    if length < 4:
        return None
    along = along / length
    across = np.array([along[1], -along[0]])  # outwards: corners run clockwise, y downwards
    places = np.linspace(0.12, 0.88, 24) * length
    steps = np.arange(-reach, reach + 0.25, 0.5)
    grid = start + places[:, None, None] * along + steps[None, :, None] * across
    profile = cv2.remap(
        smooth,
        grid[..., 0].astype(np.float32),
        grid[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    dark = np.minimum(profile[:, :3].min(axis=1), profile[:, len(steps) // 2 - 2])
    light = profile[:, -3:].max(axis=1)
    middle = (dark + light) / 2
    above = profile >= middle[:, None]
    crossing = above[:, 1:] & ~above[:, :-1]
    usable = crossing.any(axis=1) & (light - dark > 40)
    if usable.sum() < 8:
        return None
    # The crossing nearest to where the detector saw the edge.
    centre = np.abs(steps[:-1] + 0.25)
    at = np.where(crossing, centre[None, :], np.inf).argmin(axis=1)
    rows = np.arange(len(places))
    before, after = profile[rows, at], profile[rows, at + 1]
    fraction = (middle - before) / np.maximum(after - before, 1e-3)
    offset = steps[at] + 0.5 * np.clip(fraction, 0, 1)
    points = (start + places[:, None] * along + offset[:, None] * across)[usable]
    vx, vy, px, py = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([px, py], dtype=np.float64), np.array([vx, vy], dtype=np.float64)


def _meeting(first: tuple[Points, Points], second: tuple[Points, Points]) -> Points:
    """Where two lines meet; not finite if they are parallel."""
    (p, d), (q, e) = first, second
    cross = d[0] * e[1] - d[1] * e[0]
    if abs(cross) < 1e-6:
        return np.array([np.nan, np.nan])
    offset = q - p
    return p + d * ((offset[0] * e[1] - offset[1] * e[0]) / cross)


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
