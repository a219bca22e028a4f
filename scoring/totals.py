"""Points: what every confirmed box is worth."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scoring.model import Regulation, Verdict

COLUMNS = ("player", "theme", "nominal", "verdict")

# What stands in a box. The first three are verdicts, the last two decisions of the organizer.
OPEN, RIGHT, WRONG, BLANK, MISSING, REMOVED = -1, 0, 1, 2, 3, 4
_KINDS = {Verdict.RIGHT: RIGHT, Verdict.WRONG: WRONG, Verdict.BLANK: BLANK, Verdict.DISPUTED: OPEN}


def points(verdicts: pd.DataFrame, regulation: Regulation) -> pd.DataFrame:
    """What each box is worth by the regulation's prices, nothing while not confirmed.

    As a rule +nominal right, −nominal wrong, 0 blank.

    Args:
        verdicts: One row a box with the columns `player`, `theme`, `nominal`, `verdict`, in any order;
            a verdict of None, NaN or «disputed» is not confirmed.
        regulation: Which themes and nominals there are, and the prices.

    Returns:
        The same rows with a column `points` (Int64; NA where not confirmed).

    Raises:
        ValueError: A verdict, theme or nominal does not exist, or a box is there twice. This is a fault
            of the caller, never of the user.
    """
    boxes, kinds = boxes_with_kinds(verdicts, regulation)
    prices = regulation.prices
    priced = (prices.right, prices.wrong, prices.blank)
    times = np.array([price.times for price in priced])[np.maximum(kinds, 0)]
    fixed = np.array([price.points for price in priced])[np.maximum(kinds, 0)]
    nominal = boxes["nominal"].to_numpy(dtype=np.int64)
    worth = pd.Series(times * nominal + fixed, index=boxes.index, dtype="Int64")
    return boxes.assign(points=worth.mask(kinds == OPEN))


def boxes_with_kinds(
    verdicts: pd.DataFrame, regulation: Regulation
) -> tuple[pd.DataFrame, NDArray[np.int8]]:
    """The four columns of the verdicts, and what stands in each box as a code.

    Raises:
        ValueError: As `points` says.
    """
    boxes = verdicts.loc[:, list(COLUMNS)]
    theme, nominal = boxes["theme"], boxes["nominal"]
    if not (theme.between(1, regulation.themes) & nominal.isin(regulation.nominals)).all():
        raise ValueError("a box that the regulation does not have")
    if _twice(boxes, regulation):
        raise ValueError("two verdicts on one box")
    words = [str(verdict) for verdict in _KINDS]
    codes = pd.Index(words, dtype=object).get_indexer(pd.Index(boxes["verdict"], dtype=object))
    if ((codes < 0) & boxes["verdict"].notna().to_numpy()).any():
        raise ValueError("a verdict that does not exist")
    # The code −1 of no verdict picks the last: open.
    return boxes, np.array([*_KINDS.values(), OPEN], dtype=np.int8)[codes]


def box_numbers(boxes: pd.DataFrame, regulation: Regulation) -> NDArray[np.int64]:
    """One number a box, another one for every other: faster to compare than three columns.

    Args:
        boxes: With the columns `player`, `theme`, `nominal`.
        regulation: Which boxes there are.
    """
    number = boxes["player"].to_numpy(dtype=np.int64)
    theme = boxes["theme"].to_numpy(dtype=np.int64)
    nominal = boxes["nominal"].to_numpy(dtype=np.int64)
    themes, nominals = regulation.themes + 1, max(regulation.nominals) + 1
    return (number * themes + theme) * nominals + nominal


def _twice(boxes: pd.DataFrame, regulation: Regulation) -> bool:
    """True if one box is there twice. Sorting finds it four times as fast as `np.unique`, which hashes."""
    ordered = np.sort(box_numbers(boxes, regulation))
    return bool((ordered[1:] == ordered[:-1]).any())
