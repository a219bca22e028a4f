"""The corners of a fiducial to fractions of a pixel, from its four edges."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray

Points = NDArray[np.float64]


def refined(gray: Gray, corners: Points) -> Points:
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
