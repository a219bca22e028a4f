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
QUIET_FACTOR = 14.0
# However noisy the paper is, this much is ink.
SURELY_DARK = 0.30
# Paper and noise are measured anew every so many millimetres.
PART_MM = 20.0
# The light side is cut off where it is narrower than this share of the middle. Noise that has only a dark
# side has a longer tail: 7 deviations are as rare as 5 of a bell curve.
CUT_OFF, SKEW = 0.7, 1.5
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
    """The paper's darkness and its standard deviation, from a part's histogram.

    Ink only darkens and never fills two thirds of a part: what is below that is paper. The width of its
    light side tells the noise, or its far tail where that is longer than a bell curve's, since JPEG and a
    shadow's edge disturb both ways alike. Where a scanner cuts off the light side (white paper at 255, its
    noise on the dark side alone) the middle tells the noise instead.
    """
    counts = np.bincount(smooth[::2, ::2].ravel(), minlength=256)
    share = np.cumsum(counts) / counts.sum()
    # The upper edge of each level's bin; between them a straight line.
    quantiles = np.interp((0.005, 0.05, 0.25, 0.35, 0.65), [0.0, *share], _EDGES)
    tail, fifth, quarter, below, above = (float(value) for value in quantiles)
    light = max(0.0, quarter - fifth - 0.75) / (1.645 - 0.674)
    middle = quarter + 0.674 * light
    light = max(light, (middle - tail - 1) / 2.576)
    spread = max(0.0, above - below - 0.75) / (2 * 0.385)
    noise = light if light > CUT_OFF * spread else SKEW * spread
    return (middle - 0.5 - ZERO) / LEVELS, noise / LEVELS
