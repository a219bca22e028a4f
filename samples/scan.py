"""Scans a page: where each millimetre of the paper lands, and what scanner and paper do to it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.effects import Effects, Mode
from samples.page import MM_PER_INCH, Picture, px_per_mm
from samples.surface import crumple, multiplied, uneven_light, with_grain
from scanner.geometry import Rect

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scan:
    """A digitized page and its true place.

    Args:
        picture: As stored in the file; 0 and 255 only if it is a 1-bit scan.
        matrix: 3×3, from mm on the blank's geometry to pixels of the picture, whose top left pixel
            has its centre at (0, 0). A crumpled page leaves it by up to `Effects.crumple` mm.
        corners: Of the paper in the picture, pixels: the sheet's own top left, top right, bottom
            right, bottom left.
    """

    picture: Picture
    matrix: Matrix
    corners: Matrix


def scan(picture: Picture, paper: Rect, effects: Effects, rng: np.random.Generator) -> Scan:
    """Scan a page on a flatbed or feeder.

    Args:
        picture: The page as it is on paper, any resolution near that of the scan.
        paper: Its size, mm.
        effects: What happens.
        rng: Random numbers of this page.
    """
    per_mm = effects.dpi / MM_PER_INCH
    size = (round(paper.height * per_mm), round(paper.width * per_mm))
    on_paper = _about_middle(paper, effects.printed, effects.printed, 0.0, (0.0, 0.0))
    laid = _about_middle(paper, *effects.scale, effects.skew, effects.shift)
    to_pixels = np.array([[per_mm, 0, -0.5], [0, per_mm, -0.5], [0, 0, 1]])
    paper_matrix = to_pixels @ laid
    matrix = paper_matrix @ on_paper
    out = _laid_out(picture, paper, matrix, paper_matrix, size, effects, rng)
    out = _digitized(out, effects, rng)
    corners = transformed(paper_matrix, np.array(paper.corners()))
    return turned(Scan(out, matrix, corners), effects.turn)


def turned(page: Scan, turn: int) -> Scan:
    """The scan turned by 90, 180 or 270 degrees clockwise."""
    if turn == 0:
        return page
    height, width = page.picture.shape[:2]
    turns: dict[int, tuple[int, list[list[float]]]] = {
        90: (cv2.ROTATE_90_CLOCKWISE, [[0, -1, height - 1], [1, 0, 0], [0, 0, 1]]),
        180: (cv2.ROTATE_180, [[-1, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]),
        270: (cv2.ROTATE_90_COUNTERCLOCKWISE, [[0, 1, 0], [-1, 0, width - 1], [0, 0, 1]]),
    }
    code, rows = turns[turn]
    matrix = np.array(rows, dtype=float)
    picture = np.asarray(cv2.rotate(page.picture, code), dtype=np.uint8)
    return Scan(picture, matrix @ page.matrix, transformed(matrix, page.corners))


def transformed(matrix: Matrix, points: Matrix) -> Matrix:
    """Points, shape (n, 2), through a homography."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


def _about_middle(
    paper: Rect, across: float, down: float, degrees: float, shift: tuple[float, float]
) -> Matrix:
    """Scale, turn clockwise and shift (mm) around the middle of the paper."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    scale = np.diag([across, down, 1.0])
    middle = np.array([[1, 0, paper.width / 2], [0, 1, paper.height / 2], [0, 0, 1]])
    back = np.array([[1, 0, -paper.width / 2], [0, 1, -paper.height / 2], [0, 0, 1]])
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    return np.asarray(moved @ middle @ turn @ scale @ back)


def _laid_out(
    picture: Picture,
    paper: Rect,
    matrix: Matrix,
    paper_matrix: Matrix,
    size: tuple[int, int],
    effects: Effects,
    rng: np.random.Generator,
) -> Picture:
    """The page on the glass: the lid around the paper, bare paper around the print."""
    shape = (*size, 3) if picture.ndim == 3 else size
    out = np.full(shape, effects.lid, dtype=np.uint8)
    edge = np.round(transformed(paper_matrix, np.array(paper.corners()))).astype(np.int32)
    cv2.fillConvexPoly(out, edge, (255,) * (3 if picture.ndim == 3 else 1))
    across, down = px_per_mm(picture, paper)
    from_mm = np.array([[across, 0, -0.5], [0, down, -0.5], [0, 0, 1]])
    to_scan = matrix @ np.linalg.inv(from_mm)
    if effects.crumple == 0:
        cv2.warpAffine(
            picture,
            to_scan[:2],
            (size[1], size[0]),
            dst=out,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        return out
    relief = crumple(effects.crumple, effects.creases, rng)
    x, y = source_maps(np.asarray(np.linalg.inv(to_scan), dtype=np.float64), size)
    dx, dy = relief.displacement(size)
    cv2.remap(
        picture,
        x + dx * np.float32(across),
        y + dy * np.float32(down),
        cv2.INTER_LINEAR,
        dst=out,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    return multiplied(out, relief.shading(size)) if effects.creases else out


def source_maps(
    inverse: Matrix, size: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where in the source each pixel of a picture (height, width) comes from."""
    x = np.arange(size[1], dtype=np.float32)[None, :]
    y = np.arange(size[0], dtype=np.float32)[:, None]
    h = inverse.astype(np.float32)
    below = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    return (
        (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / below,
        (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / below,
    )


def _digitized(picture: Picture, effects: Effects, rng: np.random.Generator) -> Picture:
    size = (picture.shape[0], picture.shape[1])
    white = np.float32(effects.white / 255)
    picture = multiplied(picture, white * uneven_light(size, effects.light, rng))
    if effects.blur > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), effects.blur), dtype=np.uint8)
    picture = with_grain(picture, effects.noise, effects.texture, rng)
    for streak in effects.streaks:
        left = round(streak.at * (size[1] - streak.width))
        line = picture[:, left : left + streak.width]
        line[:] = np.round(line * (1 - streak.strength))
    if effects.mode is Mode.BILEVEL:
        return np.where(picture < effects.threshold, 0, 255).astype(np.uint8)
    return picture
