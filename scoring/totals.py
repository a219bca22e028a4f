"""Points: what every confirmed box is worth."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scoring.model import Regulation, Verdict

COLUMNS = ("player", "theme", "nominal", "verdict")
_CONFIRMED = (Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK)
_SIGNS = np.array([1, -1, 0])


def points(verdicts: pd.DataFrame, regulation: Regulation) -> pd.DataFrame:
    """What each box is worth: +nominal right, −nominal wrong, 0 blank, nothing while not confirmed.

    Args:
        verdicts: One row a box with the columns `player`, `theme`, `nominal`, `verdict`, in any order;
            a verdict of None, NaN or «disputed» is not confirmed.
        regulation: Which themes and nominals there are.

    Returns:
        The same rows with a column `points` (Int64; NA where not confirmed).

    Raises:
        ValueError: A verdict, theme or nominal does not exist, or a box is there twice. This is a fault
            of the caller, never of the user.
    """
    boxes = verdicts.loc[:, list(COLUMNS)]
    theme, nominal = boxes["theme"], boxes["nominal"]
    if not (theme.between(1, regulation.themes) & nominal.isin(regulation.nominals)).all():
        raise ValueError("a box that the regulation does not have")
    if boxes.duplicated(["player", "theme", "nominal"]).any():
        raise ValueError("two verdicts on one box")
    words = [str(verdict) for verdict in Verdict]
    codes = pd.Index(words, dtype=object).get_indexer(pd.Index(boxes["verdict"], dtype=object))
    if ((codes < 0) & boxes["verdict"].notna().to_numpy()).any():
        raise ValueError("a verdict that does not exist")
    confirmed = np.isin(codes, [words.index(verdict) for verdict in _CONFIRMED])
    signs = _SIGNS[np.where(confirmed, codes, 0)]
    worth = pd.Series(signs * nominal.to_numpy(dtype=np.int64), index=boxes.index, dtype="Int64")
    return boxes.assign(points=worth.mask(~confirmed))
