"""What happens to a line between the pen and the reader: the hand, the pen, the scanner, the cleaning."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.contracts import Gray
from training.letters import X_HEIGHT, Mask


def trimmed(mask: Mask, margin: int = 6) -> Mask:
    """Cut to the ink with some room around; a mask without ink comes back as it was."""
    rows = np.flatnonzero((mask > 60).any(axis=1))
    columns = np.flatnonzero((mask > 60).any(axis=0))
    if not len(rows):
        return mask
    inside = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cv2.copyMakeBorder(  # type: ignore[return-value]
        inside, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(0,)
    )


def by_hand(mask: Mask, rng: np.random.Generator, strength: float = 1.0) -> Mask:
    """Another slant, width and line, and strokes that waver."""
    mask = trimmed(mask, margin=X_HEIGHT // 2)
    height, width = mask.shape
    shear = float(np.clip(rng.normal(0.08, 0.2), -0.35, 0.6)) * strength
    wide = float(np.exp(rng.normal(0.0, 0.18)))
    turn = float(rng.normal(0.0, 0.012))
    room = round(abs(shear) * height) + 4
    new_width = round((width + 2 * room) * wide)
    forward = np.array(
        [
            [wide, -shear * wide, wide * (room + shear * height / 2)],
            [turn, 1.0, -turn * width / 2 + 6],
        ]
    )
    backward = cv2.invertAffineTransform(forward)
    size = (new_width, height + 12)
    grid_x, grid_y = np.meshgrid(
        np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32)
    )
    map_x = backward[0, 0] * grid_x + backward[0, 1] * grid_y + backward[0, 2]
    map_y = backward[1, 0] * grid_x + backward[1, 1] * grid_y + backward[1, 2]
    for cell, amount in ((0.5, rng.uniform(0.0, 0.05)), (1.6, rng.uniform(0.0, 0.13))):
        map_x += _field(size, cell * X_HEIGHT, amount * X_HEIGHT * strength, rng)
        map_y += _field(size, cell * X_HEIGHT, amount * X_HEIGHT * strength, rng)
    # The line itself rises, falls and bends.
    bend = np.interp(
        np.arange(size[0]),
        np.linspace(0, size[0], 5),
        rng.normal(0.0, 0.10 * X_HEIGHT * strength, 5),
    )
    map_y += bend.astype(np.float32)[None, :]
    return cv2.remap(  # type: ignore[return-value]
        mask, map_x.astype(np.float32), map_y.astype(np.float32), cv2.INTER_LINEAR
    )


def _field(
    size: tuple[int, int], cell: float, amount: float, rng: np.random.Generator
) -> np.ndarray:
    coarse = (max(2, round(size[1] / cell)), max(2, round(size[0] / cell)))
    noise = rng.normal(0.0, amount, coarse).astype(np.float32)
    return cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)


def with_pen(mask: Mask, rng: np.random.Generator) -> Mask:
    """A thicker or thinner stroke."""
    change = rng.random()
    if change < 0.25:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2, 2))
        thin = cv2.erode(mask, kernel)
        # A hair line would break into dots.
        return thin if thin.sum() > 0.45 * mask.sum() else mask  # type: ignore[return-value]
    if change < 0.6:
        side = int(rng.choice([2, 3, 3, 4, 5]))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        return cv2.dilate(mask, kernel)  # type: ignore[return-value]
    return mask


def scanned(mask: Mask, rng: np.random.Generator) -> Gray:
    """The line as the scanner cuts and cleans it: dark on white, with what is left over around it."""
    mask = trimmed(mask, margin=8)
    x_height = float(np.exp(rng.uniform(np.log(11), np.log(36))))
    scale = x_height / X_HEIGHT
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    ink = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=method).astype(np.float32) / 255
    ink = _with_leftovers(ink, rng)
    if rng.random() < 0.5:
        ink = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.3, 1.0))
    if rng.random() < 0.3:
        # A pencil leaves gaps.
        grain = cv2.GaussianBlur(
            rng.random(ink.shape, dtype=np.float32), (0, 0), rng.uniform(0.4, 1.2)
        )
        ink = ink * np.clip(1.0 + rng.uniform(0.5, 2.5) * (grain - 0.5) * 2, 0.15, 1.3)
    opacity = rng.uniform(0.18, 1.0)
    gray = 255.0 * (1 - np.clip(ink * opacity, 0, 1))
    gray += rng.normal(0.0, 1.0, gray.shape).astype(np.float32) * rng.uniform(0.0, 12.0)
    kind = rng.random()
    if kind < 0.3:
        threshold = 255.0 * (1 - opacity * rng.uniform(0.3, 0.65))
        gray = np.where(gray < threshold, 0.0, 255.0)
        if rng.random() < 0.7:
            gray = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), rng.uniform(0.3, 0.7))
    image = np.clip(gray, 0, 255).astype(np.uint8)
    if 0.3 <= kind < 0.6:
        quality = int(rng.integers(25, 90))
        image = cv2.imdecode(
            cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1],
            cv2.IMREAD_GRAYSCALE,
        )
    if rng.random() < 0.8:
        # As `scanner.ink.clean_crop`: paper away from the ink is white.
        near = cv2.dilate((ink > 0.25).astype(np.uint8), np.ones((5, 5), np.uint8))
        image[near == 0] = 255
    return image


def _with_leftovers(ink: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Specks, a rest of the frame, a neighbour's tail, an underline."""
    kind = rng.random()
    height, width = ink.shape
    if kind < 0.06:
        for _ in range(int(rng.integers(1, 5))):
            at = (int(rng.integers(width)), int(rng.integers(height)))
            cv2.circle(ink, at, int(rng.integers(1, 3)), float(rng.uniform(0.4, 1)), -1)
    elif kind < 0.1:
        row = int(rng.choice([1, height - 2]))
        start, end = sorted(rng.integers(0, width, 2).tolist())
        cv2.line(ink, (start, row), (end, row), float(rng.uniform(0.3, 0.9)), 1)
    elif kind < 0.13:
        column = int(rng.integers(width))
        down = rng.random() < 0.5
        start, end = (0, height // 5) if down else (height - 1, height - height // 5)
        cv2.line(ink, (column, start), (column + int(rng.integers(-6, 7)), end), 0.9, 2)
    elif kind < 0.15:
        row = height - int(rng.integers(3, 7))
        cv2.line(ink, (4, row), (width - 4, row + int(rng.integers(-3, 2))), 0.8, 2)
    return ink
