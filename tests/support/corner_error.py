"""How far the boxes that are cut lie from where they were printed, in millimetres on the paper."""

from __future__ import annotations

import numpy as np
import paper
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.frames import box_shifts
from scanner.geometry import Blank, Geometry, Rect, SheetKind, default
from scanner.locating import locate
from scanner.rectify import rectify
from scanner.streaks import find_streaks


class NotRegisteredError(AssertionError):
    """The sheet was not found on the picture."""


def corner_errors(
    dpi: float = 300,
    *,
    kind: SheetKind = SheetKind.PERSONAL,
    destroyed: tuple[int, ...] = (),
    crumple: float = 0.0,
    seed: int = 0,
    **scan: object,
) -> NDArray[np.float64]:
    """Print a blank, scan it, find it, and measure every corner of every box.

    Args:
        dpi: Of the scan.
        kind: Of the sheet.
        destroyed: Which fiducials are painted over, by their place: 0 top left, then clockwise.
        crumple: By how much the paper leaves a plane, mm; moves a point by no more than this.
        seed: Of noise and crumple.
        scan: What `paper.scanned` takes: skew, scale, turn, noise, one_bit, jpeg, light, ...

    Returns:
        Shape (corners,): distances in mm; four a box and four a digit cell.

    Raises:
        NotRegisteredError: The sheet was not found at all.
    """
    page = paper.printed(kind, dpi)
    for place in destroyed:
        page = paper.covered(page, paper.blank_of(kind).markers[place].rect.grown(0.3))
    bend = paper.crumpled(crumple, seed) if crumple else None
    return errors_of(paper.scanned(page, bend=bend, seed=seed, **scan), kind)  # type: ignore[arg-type]


def errors_of(
    scan: paper.Scan, kind: SheetKind = SheetKind.PERSONAL, geometry: Geometry | None = None
) -> NDArray[np.float64]:
    """The same for a picture that is already there."""
    known = geometry or default()
    cut = cut_corners(scan.gray, known, spare=kind is not SheetKind.PERSONAL)
    found, true = [], []
    for rect, corners in cut:
        found.append(corners)
        true.append(rect.corners())
    registration = locate(scan.gray, known).registration
    assert registration is not None
    # The truth, taken back to the paper by the same homography: a distance in mm at every resolution.
    seen = scan.at(np.concatenate([np.array(corners) for corners in true]))
    back = paper.through(np.linalg.inv(registration.matrix), seen)
    return np.asarray(np.hypot(*(back - np.concatenate(found)).T))


def cut_corners(
    gray: Gray, geometry: Geometry, spare: bool = True
) -> list[tuple[Rect, NDArray[np.float64]]]:
    """Each box or digit cell of the geometry, and the corners at which it is cut, in registered mm."""
    registration = locate(gray, geometry).registration
    if registration is None:
        raise NotRegisteredError
    page = rectify(gray, registration)
    shifts = box_shifts(page, registration.blank, find_streaks(page))
    corners = []
    for key, rect in _rects(registration.blank, spare):
        moved = [
            (x + drift[0], y + drift[1]) for x, y in rect.corners() for drift in [shifts[key].at(x)]
        ]
        corners.append((rect, np.array(moved)))
    return corners


def _rects(blank: Blank, spare: bool) -> list[tuple[str, Rect]]:
    fields = [field for field in blank.fields if spare or not field.spare_only]
    rects = [(field.key, cell) for field in fields for cell in field.cells or (field.rect,)]
    return [*((box.key, box.rect) for box in blank.boxes), *rects]
