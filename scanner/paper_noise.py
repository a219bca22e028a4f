"""How dark a pixel must be to be ink: from the noise of the paper around it."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from scanner.rectify import PX_PER_MM

Levels = NDArray[np.uint8]
"""Darkness as whole numbers: ZERO + LEVELS · darkness."""

# Darkness 0 and 1 in an 8-bit picture, with room for paper that is brighter than its surroundings.
ZERO, LEVELS = 40.0, 200.0
_EDGES = np.arange(257)
# Pencil at 15 % contrast must be seen, and hasty strokes that are half as dark. On quiet paper a stain (of a
# rubber, a finger) is as dark; so marks between the two levels must be thin and long as strokes are.
LEAST_DARKNESS = 0.055
PLAIN_DARKNESS = 0.095
PLAIN = round(ZERO + LEVELS * PLAIN_DARKNESS)
# The lower level is for paper whose noise is this many times smaller.
QUIET_FACTOR = 10.0
# However noisy the paper is, this much is ink.
SURELY_DARK = 0.30
# Paper and noise are measured anew every so many millimetres.
PART_MM = 20.0
# What touches something clearly dark counts from this share of the threshold on, so that a faint stroke
# stays in one piece; but not what is within this many deviations of the paper.
LOW_SHARE, LOW_FACTOR = 0.7, 2.5


def thresholds(smooth: Levels, factor: float) -> tuple[Levels, Levels]:
    """Above which level a pixel is clearly ink, and above which it may belong to some; shape (1, width).

    Told for each part of about 20 mm by itself: in a shadow the noise is twice as large.
    """
    width = smooth.shape[1]
    parts = max(1, round(width / (PART_MM * PX_PER_MM)))
    edges = np.linspace(0, width, parts + 1).round().astype(int)
    high, low = np.empty((1, width), np.uint8), np.empty((1, width), np.uint8)
    for left, right in itertools.pairwise(edges.tolist()):
        paper, noise = _paper(smooth[:, left:right])
        floor = min(max(LEAST_DARKNESS, paper + QUIET_FACTOR * noise), PLAIN_DARKNESS)
        threshold = min(max(floor, paper + factor * noise), SURELY_DARK)
        least = max(threshold * LOW_SHARE, min(paper + LOW_FACTOR * noise, threshold))
        high[:, left:right] = round(ZERO + LEVELS * threshold)
        low[:, left:right] = round(ZERO + LEVELS * least)
    return high, low


def _paper(smooth: Levels) -> tuple[float, float]:
    """The paper's darkness and its standard deviation, from the light side of a part's histogram.

    Writing never fills three quarters of a part, so the lightest quarter is paper. Its width tells the
    noise, or its far tail where that is longer than a bell curve's: JPEG and a shadow's edge disturb both
    ways alike, while ink only darkens.
    """
    counts = np.bincount(smooth[::2, ::2].ravel(), minlength=256)
    share = np.cumsum(counts) / counts.sum()
    # The upper edge of each level's bin; between them a straight line.
    tail, fifth, quarter = np.interp((0.005, 0.05, 0.25), [0.0, *share], _EDGES)
    core = max(0.0, float(quarter - fifth) - 0.75) / (1.645 - 0.674)
    middle = float(quarter) + 0.674 * core
    noise = max(core, (middle - float(tail) - 1) / 2.576)
    return (middle - 0.5 - ZERO) / LEVELS, noise / LEVELS
