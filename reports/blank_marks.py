"""The marks of a blank that only the scanner looks at, as vectors: ArUco fiducials and QR codes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from reports.paper import Paper
from scanner.geometry import Rect

Pattern = NDArray[np.bool_]
"""Modules of a square mark, True where black, shape (side, side), top row first."""


@cache
def fiducial(dictionary: str, marker_id: int) -> Pattern:
    """The pattern of an ArUco marker with its black border of one module."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = int(known.markerSize) + 2
    image = cv2.aruco.generateImageMarker(known, marker_id, side, borderBits=1)
    return np.asarray(image) < 128


def qr(payload: str) -> Pattern:
    """The pattern of the payload's QR code at error correction Q, without its white margin."""
    code = segno.make(payload, error="q", micro=False, boost_error=False)
    return np.array([list(row) for row in code.matrix], dtype=bool)


def draw_pattern(paper: Paper, pattern: Pattern, rect: Rect) -> None:
    """Draw a square pattern so that it fills the rectangle exactly."""
    paper.fill(_runs(pattern, rect))


def _runs(pattern: Pattern, rect: Rect) -> Iterator[tuple[float, float, float, float]]:
    """The black runs of each row as rectangles in mm."""
    rows, columns = pattern.shape
    step_x, step_y = rect.width / columns, rect.height / rows
    for index, row in enumerate(pattern):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2):
            yield (
                rect.x + float(start) * step_x,
                rect.y + index * step_y,
                float(end - start) * step_x,
                step_y,
            )
