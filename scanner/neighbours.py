"""Ink across a box's edge: a neighbour's stroke in a blank box, an answer that begins beside its box.

The tail of a «у» written in the box above is no answer to the question below; a short answer that begins
left of its box is one.
"""

from __future__ import annotations

import numpy as np

from scanner.geometry import Rect
from scanner.ink import FRAME_MM, Darkness, InkFinding, Mask
from scanner.rectify import PX_PER_MM, Drift, Page

# A tail reaches this far into the box, measured from its edge, and is no more ink than this. A digit of
# 2.2 mm that stands half a millimetre over the edge reaches as far: what is deeper may be an answer.
DEEPEST_MM = 1.7
LARGEST_MM2 = 1.1
# From the box's edge to the neighbour's inside: two lines and the gap between them, mm.
BETWEEN_MM = 0.8
# The stroke must be found again there, no further aside than this, and most of it must lie outside.
ASIDE_MM = 0.5
SEARCH_MM = 2.5
LEAST_OUTSIDE = 1.5
# Left and right of a box the paper is white for a millimetre. This much ink there, this dark, this high, is
# a part of an answer.
BESIDE_MM, BESIDE_FROM_MM = 1.0, 0.35
BESIDE_MM2, BESIDE_DARKNESS, BESIDE_HIGH_MM = 0.3, 0.3, 1.0


def stands_beside(darkness: Darkness, margin: int, streaks: Mask | None) -> bool:
    """True if there is ink just left or right of a box, across its frame's side.

    Args:
        darkness: The box with `margin` pixels around it.
        margin: At least BESIDE_MM.
        streaks: What is no ink; the shape of the darkness.
    """
    dark = darkness > BESIDE_DARKNESS
    if streaks is not None:
        dark &= ~streaks
    inner, outer = (round(mm * PX_PER_MM) for mm in (BESIDE_FROM_MM, BESIDE_MM))
    edge = margin + round(FRAME_MM * PX_PER_MM)
    for strip in (
        dark[:, margin - outer : margin - inner],
        dark[:, inner - margin : outer - margin or None],
    ):
        inside = strip[edge:-edge]
        rows = int(np.count_nonzero(inside.any(axis=1)))
        # A streak or a fold that was not known runs all the way.
        if BESIDE_HIGH_MM * PX_PER_MM <= rows < 0.9 * len(inside) and (
            inside.sum() >= BESIDE_MM2 * PX_PER_MM**2
        ):
            return True
    return False


def strayed_in(page: Page, rect: Rect, drift: Drift, finding: InkFinding) -> bool:
    """True if all ink of a box comes from over its upper or lower edge and lies mostly beyond it.

    Args:
        page: The page.
        rect: The box, mm.
        drift: How it lies off its place.
        finding: Its ink.
    """
    if not 0 < finding.area <= LARGEST_MM2:
        return False
    rows = np.flatnonzero(finding.mask.any(axis=1))
    height = finding.mask.shape[0]
    deepest = DEEPEST_MM * PX_PER_MM
    at_edge = (FRAME_MM + 0.2) * PX_PER_MM
    if rows[0] <= at_edge and rows[-1] < deepest:
        edge_rows = finding.mask[: rows[0] + 3]
        beyond = Rect(rect.x, rect.y - BETWEEN_MM - SEARCH_MM, rect.width, SEARCH_MM)
        nearest = slice(-4, None)
    elif rows[-1] >= height - 1 - at_edge and rows[0] > height - deepest:
        edge_rows = finding.mask[rows[-1] - 2 :]
        beyond = Rect(rect.x, rect.bottom + BETWEEN_MM, rect.width, SEARCH_MM)
        nearest = slice(0, 4)
    else:
        return False
    own = page.darkness(rect, drift)[finding.mask]
    outside = page.darkness(beyond, drift) > 0.5 * float(np.median(own))
    columns = np.flatnonzero(edge_rows.any(axis=0))
    aside = round(ASIDE_MM * PX_PER_MM)
    window = slice(max(int(columns[0]) - aside, 0), int(columns[-1]) + 1 + aside)
    if not outside[nearest, window].any():
        return False
    # The letter is wider than its tail.
    wide = slice(max(window.start - 2 * aside, 0), window.stop + 2 * aside)
    return float(outside[:, wide].sum()) / PX_PER_MM**2 >= LEAST_OUTSIDE * finding.area
