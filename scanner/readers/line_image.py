"""A crop as the handwriting network sees it: one size of writing, one contrast, nothing around it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray

HEIGHT = 40
"""Pixels of the network's input; the writing's own height is brought to it."""
LEAST_WIDTH, MOST_WIDTH = 32, 1200
# White at both ends, so that the first and the last stroke are seen whole.
MARGIN = 8
# The line's height comes from how its ink is spread over the rows: this many standard deviations above
# and below its mean are kept. A single long tail or a stray mark moves it little, unlike the box around
# the ink. Small letters alone («мама») have a spread of 0.3 x-heights, words with long ones 0.55.
SPREADS = 2.7
# A dash or a row of dots has hardly any spread; a tenth of the crop is the least height of a line.
LEAST_SPREAD = 1.5
# Darker than this share of the darkest ink is ink.
INK_SHARE = 0.35
# At most this, of crops wider than any box (a picture of a whole page).
MOST_PIXELS = 4_000_000


def _darkness(crop: Gray) -> tuple[NDArray[np.float32], float]:
    """How dark each pixel is, and the darkest ink; 25 and less is paper."""
    dark = 255.0 - crop.astype(np.float32)
    return dark, float(np.percentile(dark[dark > 25], 90)) if (dark > 25).any() else 0.0


def ink_mask(crop: Gray) -> NDArray[np.bool_] | None:
    """Where `line_image` sees ink; None without any."""
    dark, deepest = _darkness(crop)
    return dark > INK_SHARE * deepest if deepest > 25 else None


def ink_columns(crop: Gray) -> tuple[int, int] | None:
    """The first column with ink and the one after the last; None without any."""
    ink = ink_mask(crop)
    if ink is None:
        return None
    columns = np.flatnonzero(ink.any(axis=0))
    return int(columns[0]), int(columns[-1]) + 1


def line_image(crop: Gray) -> NDArray[np.float32] | None:
    """The crop as input: shape (HEIGHT, width), 0 paper to 1 ink; None where there is no ink.

    Args:
        crop: Grey, dark ink on white, any size.
    """
    if crop.size == 0 or min(crop.shape) < 3 or crop.size > MOST_PIXELS:
        return None
    dark, deepest = _darkness(crop)
    if deepest <= 25:
        return None
    ink = dark > INK_SHARE * deepest
    share = ink.sum(axis=1).astype(np.float64)
    total = share.sum()
    if total < 6 or total > 0.75 * crop.size:
        return None
    rows = np.arange(len(share)) + 0.5
    middle = float((share * rows).sum() / total)
    spread = float(np.sqrt((share * (rows - middle) ** 2).sum() / total))
    spread = max(spread, LEAST_SPREAD)
    columns = np.flatnonzero(ink.any(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    scale = HEIGHT / (2 * SPREADS * spread)
    width = int(np.clip(round((right - left) * scale), 1, MOST_WIDTH - 2 * MARGIN))
    across = width / (right - left)
    # From the input's pixels to the crop's: centre to centre.
    to_crop = np.array(
        [
            [1 / across, 0.0, left + (0.5 - MARGIN) / across - 0.5],
            [0.0, 1 / scale, middle - SPREADS * spread + 0.5 / scale - 0.5],
        ]
    )
    if scale < 1:
        # Averaged first: a warp that makes smaller would skip pixels.
        sigma = 0.42 * (1 / scale - 0.5)
        dark = cv2.GaussianBlur(dark, (0, 0), max(sigma, 0.1))  # type: ignore[assignment]
    size = (max(width + 2 * MARGIN, LEAST_WIDTH), HEIGHT)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    line = cv2.warpAffine(dark, to_crop, size, flags=flags, borderValue=(0.0,))
    peak = (
        float(np.percentile(line[line > 0.3 * deepest], 85))
        if (line > 0.3 * deepest).any()
        else deepest
    )
    return np.clip(line / max(peak, 1.0), 0.0, 1.0).astype(np.float32)
