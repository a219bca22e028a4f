"""A pen drawn along a path: smooth, of changing width, as pressure and speed make it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.hands.contracts import PX_PER_MM, Mask

Path = NDArray[np.float64]
"""Points of a pen stroke in mm, shape (n, 2), x to the right, y downwards."""

STEP_MM = 0.12
"""Distance of the points along which a stroke is drawn."""

_SHIFT = 4  # cv2 draws at sixteenths of a pixel


def resampled(path: Path, step: float = STEP_MM) -> Path:
    """The same line with points `step` mm apart (its ends stay)."""
    lengths = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(lengths)))
    if along[-1] < step / 4:
        return path[:1]
    wanted = np.linspace(0.0, along[-1], max(2, round(along[-1] / step) + 1))
    return np.column_stack([np.interp(wanted, along, path[:, axis]) for axis in (0, 1)])


def smoothed(path: Path, sigma: float) -> Path:
    """The line without the jitter of a digitizer; `sigma` counts points, the ends stay."""
    if len(path) < 4:
        return path
    reach = max(1, round(3 * sigma))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    # Mirrored at its ends through the end point, so that a stroke does not shrink.
    count = min(reach, len(path) - 1)
    head = 2 * path[0] - path[count:0:-1]
    tail = 2 * path[-1] - path[-2 : -count - 2 : -1]
    padded = np.concatenate([head, path, tail])
    if count < reach:
        padded = np.pad(padded, ((reach - count, reach - count), (0, 0)), mode="edge")
    return np.column_stack([np.convolve(padded[:, axis], kernel, mode="valid") for axis in (0, 1)])


def draw(mask: Mask, paths: Sequence[Path], width: float, rng: np.random.Generator) -> None:
    """Draw pen strokes into a mask.

    Args:
        mask: Changed in place; `PX_PER_MM` pixels a millimetre.
        paths: Strokes in mm from the mask's top left corner.
        width: The pen's, mm.
        rng: Decides where the pen presses harder.
    """
    for path in paths:
        points = resampled(path)
        widths = width * PX_PER_MM * _pressure(points, rng)
        pixels = np.round(points * PX_PER_MM * (1 << _SHIFT)).astype(np.int32)
        if len(points) == 1:
            radius = round(0.55 * width * PX_PER_MM * (1 << _SHIFT))
            centre = (int(pixels[0, 0]), int(pixels[0, 1]))
            cv2.circle(mask, centre, radius, 255, -1, cv2.LINE_AA, _SHIFT)
            continue
        thickness = np.maximum(1, np.round(widths)).astype(int)
        # Neighbours of one thickness are drawn as one polyline: thousands of calls less.
        starts = np.concatenate(([0], np.flatnonzero(np.diff(thickness[:-1])) + 1))
        ends = np.concatenate((starts[1:], [len(points) - 1]))
        for start, end in zip(starts, ends, strict=True):
            part = pixels[start : end + 1].reshape(-1, 1, 2)
            cv2.polylines(mask, [part], False, 255, int(thickness[start]), cv2.LINE_AA, _SHIFT)


def _pressure(points: Path, rng: np.random.Generator) -> NDArray[np.float64]:
    """Width along the stroke, around 1: down strokes heavier, both ends lighter."""
    count = len(points)
    if count < 2:
        return np.ones(count)
    down = np.gradient(points[:, 1]) / STEP_MM
    along = np.arange(count) * STEP_MM
    waves = 0.05 * np.sin(along * rng.uniform(0.8, 1.6) + rng.uniform(0, 2 * np.pi))
    from_ends = np.minimum(along, along[::-1])
    taper = 0.78 + 0.22 * np.minimum(1.0, from_ends / 0.5)
    return np.asarray((1.0 + 0.09 * np.clip(down, -1, 1) + waves) * taper)
