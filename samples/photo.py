"""Photographs a page with a phone: perspective, a table around the paper, a hand's shadow."""

from __future__ import annotations

import cv2
import numpy as np

from samples.effects import Effects
from samples.page import MM_PER_INCH, Picture, px_per_mm
from samples.scan import Scan, source_maps, transformed, turned
from samples.surface import crumple, half_shadow, multiplied, uneven_light, with_grain
from scanner.geometry import Rect

# EXIF orientation → how far the stored pixels stand turned clockwise against the upright picture.
STORED_TURN = {1: 0, 3: 180, 6: 270, 8: 90}

# How far the table reaches around the paper and how far corners leave a rectangle, share of its width.
TABLE, PERSPECTIVE = 0.09, 0.045

_WOODS = ((146, 108, 74), (98, 72, 52), (176, 150, 118), (120, 122, 126))


def photograph(picture: Picture, paper: Rect, effects: Effects, rng: np.random.Generator) -> Scan:
    """Take a photo.

    Args:
        picture: The page in colour, near the photo's resolution.
        paper: Its size, mm.
        effects: What happens.
        rng: Random numbers of this photo.

    Returns:
        The picture as stored: turned, if its EXIF orientation says so.
    """
    per_mm = effects.dpi / MM_PER_INCH
    wide, high = paper.width * per_mm, paper.height * per_mm
    size = (round(high * (1 + 2 * TABLE)), round(wide * (1 + 2 * TABLE)))
    matrix, corners = _viewpoint(paper, (wide, high), effects, rng)
    across, down = px_per_mm(picture, paper)
    from_mm = np.array([[across, 0, -0.5], [0, down, -0.5], [0, 0, 1]])
    x, y = source_maps(
        np.asarray(np.linalg.inv(matrix @ np.linalg.inv(from_mm)), dtype=np.float64), size
    )
    relief = crumple(effects.crumple, effects.creases, rng)
    dx, dy = relief.displacement(size)
    out = _table(size, corners, rng)
    warm = np.array([1.0, rng.uniform(0.965, 0.995), rng.uniform(0.89, 0.98)])
    tinted = np.round(picture * (warm * effects.white / 255)).astype(np.uint8)
    cv2.remap(
        tinted,
        x + dx * np.float32(across),
        y + dy * np.float32(down),
        cv2.INTER_AREA if across > per_mm * 1.2 else cv2.INTER_LINEAR,
        dst=out,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    light = uneven_light(size, effects.light, rng) * relief.shading(size)
    if effects.shadow:
        light = light * half_shadow(size, effects.shadow, rng)
    # The phone sets its exposure by the bright part.
    out = multiplied(out, light / np.float32(np.quantile(light[::16, ::16], 0.9)))
    out = np.asarray(cv2.GaussianBlur(out, (0, 0), effects.blur), dtype=np.uint8)
    out = with_grain(out, effects.noise, effects.texture, rng)
    return turned(Scan(out, matrix, corners), STORED_TURN[effects.orientation])


def _viewpoint(
    paper: Rect, size: tuple[float, float], effects: Effects, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The homography from mm to the photo, and the paper's corners in it."""
    wide, high = size
    left, top = wide * TABLE, high * TABLE
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=float)
    angle = np.radians(effects.skew)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array([wide / 2, high / 2])
    corners = (flat - middle) @ turn.T + middle + [left, top]
    # Seen from one side: that side's edge is longer.
    lean = rng.uniform(-PERSPECTIVE, PERSPECTIVE, 2) * wide
    corners[0] += [lean[0], lean[1]]
    corners[1] += [-lean[0], -lean[1] * 0.6]
    corners[2] += [lean[0] * 0.5, lean[1] * 0.6]
    corners[3] += [-lean[0] * 0.5, -lean[1]]
    corners += rng.uniform(-0.008, 0.008, corners.shape) * wide
    source = np.array(paper.corners(), dtype=np.float32)
    matrix = np.asarray(
        cv2.getPerspectiveTransform(source, corners.astype(np.float32)), dtype=np.float64
    )
    return matrix, transformed(matrix, np.array(paper.corners()))


def _table(size: tuple[int, int], corners: np.ndarray, rng: np.random.Generator) -> Picture:
    """A desk with some grain, and the paper's own shadow on it."""
    height, width = size
    colour = np.array(_WOODS[int(rng.integers(len(_WOODS)))], dtype=np.float32)
    # Fibres run across the desk; here and there a darker board.
    fibres = rng.standard_normal((height, max(2, width // 90))).astype(np.float32)
    fibres = np.asarray(cv2.GaussianBlur(fibres, (0, 0), sigmaX=0.8, sigmaY=1.6), dtype=np.float32)
    boards = cv2.resize(
        rng.standard_normal((9, 2)).astype(np.float32), (1, height), interpolation=cv2.INTER_NEAREST
    )
    shade = 1 + 0.16 * cv2.resize(fibres, (width, height), interpolation=cv2.INTER_CUBIC)
    shade = shade * (1 + 0.05 * boards)
    mask = np.ones(size, dtype=np.float32)
    around = np.round(corners + np.array([6.0, 9.0])).astype(np.int32)
    cv2.fillConvexPoly(mask, around, (0.45,))
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 9.0))
    table = colour * (shade * mask)[..., None]
    return np.asarray(np.clip(table, 0, 255), dtype=np.uint8)
