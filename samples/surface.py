"""Paper and light: texture, noise, uneven lighting, creases and the small hills of a crumpled sheet."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.page import Picture

Field = NDArray[np.float32]

_TILE = 1021  # not a divisor of any page's size: the tile's repeats never line up


def multiplied(picture: Picture, factor: Field) -> Picture:
    """The picture darkened by a factor, shape (height, width), at most 1."""
    shade = np.round(np.clip(factor, 0, 1) * 255).astype(np.uint8)
    if picture.ndim == 3:
        shade = np.asarray(cv2.merge([shade, shade, shade]), dtype=np.uint8)
    return np.asarray(cv2.multiply(picture, shade, scale=1 / 255), dtype=np.uint8)


def with_grain(picture: Picture, noise: float, texture: float, rng: np.random.Generator) -> Picture:
    """Noise of the sensor (each pixel and colour by itself) and of the paper (soft, all colours)."""
    channels = 1 if picture.ndim == 2 else picture.shape[2]
    own = rng.standard_normal((_TILE, _TILE, channels), dtype=np.float32) * noise
    fibres = rng.standard_normal((_TILE, _TILE), dtype=np.float32)
    fibres = np.asarray(cv2.GaussianBlur(fibres, (0, 0), 1.6), dtype=np.float32)
    own += (fibres * (texture / max(float(fibres.std()), 1e-6)))[..., None]
    tile = np.round(own).astype(np.int16)
    height, width = picture.shape[:2]
    times = (-(-height // _TILE), -(-width // _TILE), 1)
    grain = np.tile(tile, times)[:height, :width].reshape(picture.shape)
    return np.asarray(
        cv2.add(picture, np.ascontiguousarray(grain), dtype=cv2.CV_8U), dtype=np.uint8
    )


def uneven_light(size: tuple[int, int], amount: float, rng: np.random.Generator) -> Field:
    """A factor between 1 − amount and 1 that changes slowly over the page; `size` is height, width."""
    coarse = rng.random((4, 3)).astype(np.float32)
    field = cv2.resize(coarse, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(1 - amount * np.clip(field, 0, 1), dtype=np.float32)


def half_shadow(size: tuple[int, int], depth: float, rng: np.random.Generator) -> Field:
    """The soft-edged shadow of a hand or head over about half of a photo, as a factor."""
    height, width = size
    small = (max(2, height // 8), max(2, width // 8))
    y, x = np.mgrid[0 : small[0], 0 : small[1]].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = (x / small[1] - 0.5) * np.cos(angle) + (y / small[0] - 0.5) * np.sin(angle)
    across = (y / small[0] - 0.5) * np.cos(angle) - (x / small[1] - 0.5) * np.sin(angle)
    edge = along + 0.08 * np.sin(5 * across + rng.uniform(0, 6)) + rng.uniform(-0.12, 0.12)
    softness = rng.uniform(0.015, 0.06)
    shade = 1 - depth / (1 + np.exp(-edge / softness))
    return np.asarray(
        cv2.resize(shade.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    )


@dataclass(frozen=True, slots=True)
class Relief:
    """A crumpled sheet: where its points went (mm, on a coarse grid) and how its folds are shaded."""

    across: Field
    down: Field
    shade: Field

    def displacement(self, size: tuple[int, int]) -> tuple[Field, Field]:
        """The two fields at a picture's size (height, width), mm."""
        return _grown(self.across, size), _grown(self.down, size)

    def shading(self, size: tuple[int, int]) -> Field:
        """The shading as a factor at a picture's size (height, width)."""
        resized = cv2.resize(self.shade, (size[1], size[0]), interpolation=cv2.INTER_LINEAR)
        return np.asarray(resized, dtype=np.float32)


def crumple(amplitude: float, creases: int, rng: np.random.Generator) -> Relief:
    """A relief whose points move by about `amplitude` mm at most, with visible folds."""
    # Hills about 4 cm across: the fiducials alone can't tell the middle of the sheet.
    fields = []
    for _axis in range(2):
        coarse = rng.normal(0.0, 1.0, (8, 6)).astype(np.float32)
        fields.append(np.asarray(amplitude * coarse / max(1.0, float(np.abs(coarse).max()))))
    # Four pixels a millimetre: a fold is a thin line with a faint halo on its lee side.
    height, width = 1188, 840
    shade = np.ones((height, width), dtype=np.float32)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / 4
    for _fold in range(creases):
        angle, offset = rng.uniform(0, np.pi), rng.uniform(-0.35, 0.35) * 297
        across_fold = (x - 105) * np.cos(angle) + (y - 148) * np.sin(angle) - offset
        across_fold = across_fold + 1.2 * np.sin(0.06 * (x - y) + offset)
        depth, thin = rng.uniform(0.03, 0.09), rng.uniform(0.25, 0.55)
        shade -= depth * np.exp(-((across_fold / thin) ** 2))
        shade -= 0.25 * depth * np.exp(-np.abs(across_fold) / 9) * (across_fold > 0)
    return Relief(fields[0], fields[1], np.clip(shade, 0.6, 1.0))


def _grown(field: Field, size: tuple[int, int]) -> Field:
    grown = cv2.resize(field, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(grown, dtype=np.float32)
