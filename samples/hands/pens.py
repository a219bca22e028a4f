"""What players bring to write with: ballpoints and gel pens in blue, black, violet, and pencils."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from samples.hands.contracts import PX_PER_MM, Mask, Pen

# Share of the hall, kind, colour, opacity from–to, grain from–to. Blue ballpoints rule Russian schools.
_SUPPLY: tuple[tuple[float, str, tuple[int, int, int], float, float, float, float], ...] = (
    (0.34, "ballpoint", (28, 44, 148), 0.84, 0.94, 0.20, 0.40),
    (0.16, "ballpoint", (52, 74, 172), 0.80, 0.90, 0.20, 0.45),
    (0.12, "gel", (14, 22, 112), 0.93, 0.98, 0.05, 0.12),
    (0.14, "ballpoint", (34, 34, 42), 0.82, 0.93, 0.18, 0.40),
    (0.08, "gel", (16, 16, 20), 0.94, 0.98, 0.04, 0.12),
    (0.08, "gel", (88, 34, 140), 0.90, 0.96, 0.05, 0.15),
    (0.08, "pencil", (78, 78, 84), 0.72, 0.88, 0.55, 0.80),
)
_WIDTHS = {"ballpoint": (0.40, 0.47), "gel": (0.43, 0.55), "pencil": (0.42, 0.58)}

_TILE = 768


def choose_pen(rng: np.random.Generator) -> Pen:
    """One pen out of the hall, width 0.4 to 0.6 mm."""
    shares = np.array([entry[0] for entry in _SUPPLY])
    entry = _SUPPLY[int(rng.choice(len(_SUPPLY), p=shares / shares.sum()))]
    _, name, colour, least, most, smooth, rough = entry
    red, green, blue = (int(np.clip(part + rng.integers(-9, 10), 0, 255)) for part in colour)
    return Pen(
        name=name,
        width=float(rng.uniform(*_WIDTHS[name])),
        colour=(red, green, blue),
        opacity=float(rng.uniform(least, most)),
        grain=float(rng.uniform(smooth, rough)),
    )


def textured(mask: Mask, pen: Pen, rng: np.random.Generator) -> Mask:
    """The mask as the pen really leaves it: opacity, and the paper's grain showing through."""
    noise = _grain_tile(pen.name == "pencil")
    top, left = (int(start) for start in rng.integers(0, _TILE, size=2))
    inked = np.flatnonzero(mask.max(axis=0))
    out = np.zeros_like(mask)
    if inked.size == 0:
        return out
    part = slice(int(inked[0]), int(inked[-1]) + 1)
    rows = (np.arange(mask.shape[0]) + top) % _TILE
    columns = (np.arange(mask.shape[1])[part] + left) % _TILE
    ink = pen.opacity * (1 - np.float32(pen.grain) * noise[np.ix_(rows, columns)])
    out[:, part] = (mask[:, part] * ink).astype(np.uint8)
    return out


@cache
def _grain_tile(coarse: bool) -> NDArray[np.float32]:
    """Where the pen misses the paper, 0 to 1; most of a ballpoint's stroke is whole."""
    rng = np.random.default_rng([5, int(coarse)])
    noise = rng.standard_normal((_TILE, _TILE)).astype(np.float32)
    size = PX_PER_MM * (0.07 if coarse else 0.05)
    around = 16  # the tile must meet itself
    wrapped = np.asarray(cv2.GaussianBlur(np.pad(noise, around, mode="wrap"), (0, 0), size))
    noise = wrapped[around:-around, around:-around].astype(np.float32)
    noise /= noise.std()
    if coarse:
        return np.asarray(np.clip(0.45 + 0.4 * noise, 0, 1), dtype=np.float32)
    return np.asarray(np.clip(0.5 * noise - 0.1, 0, 1), dtype=np.float32)
