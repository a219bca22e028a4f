"""The table of all boxes: what stands in each and what it is worth, with removals and new nominals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scoring.decisions import Decisions
from scoring.model import Player, Regulation
from scoring.rules import CountBack
from scoring.totals import BLANK, MISSING, OPEN, REMOVED, RIGHT, WRONG, boxes_with_kinds


@dataclass(frozen=True, slots=True)
class Cells:
    """Shape (players, boxes), boxes theme by theme and row by row.

    `kinds` holds the codes of `scoring.totals`; `points` what each box is worth, 0 where open or removed;
    `worths` (boxes,) the nominal in force of each box.
    """

    kinds: NDArray[np.int8]
    points: NDArray[np.int64]
    worths: NDArray[np.int64]
    rows: int

    def counts(self, kind: int) -> NDArray[np.int64]:
        """How many boxes of each player are of one kind, shape (players,)."""
        return (self.kinds == kind).sum(axis=1)

    def measure(self, player: int, key: CountBack) -> tuple[int, ...]:
        """The values of one player (by row) under a key of the count-back, the larger the better."""
        right = self.kinds[player] == RIGHT
        themes = self.points[player].reshape(-1, self.rows).sum(axis=1)
        dearest = np.unique(self.worths)[::-1]
        by_nominal = [int((right & (self.worths == worth)).sum()) for worth in dearest]
        return {
            CountBack.MOST_RIGHTS: (int(right.sum()),),
            CountBack.FEWEST_WRONGS: (-int((self.kinds[player] == WRONG).sum()),),
            CountBack.MOST_DEAREST: tuple(by_nominal[:1]),
            CountBack.DEAREST_FIRST: tuple(by_nominal),
            CountBack.MOST_WON: (int(self.points[player][right].sum()),),
            CountBack.BEST_THEME: (int(themes.max()),),
            CountBack.LAST_THEMES: tuple(themes[::-1].tolist()),
        }[key]


def box_index(regulation: Regulation, theme: int, nominal: int) -> int:
    """Where the box of a question stands.

    Raises:
        ValueError: The regulation has no such box.
    """
    if not 1 <= theme <= regulation.themes or nominal not in regulation.nominals:
        raise ValueError("a box that the regulation does not have")
    return (theme - 1) * len(regulation.nominals) + regulation.nominals.index(nominal)


def cells_of(
    players: Sequence[Player], verdicts: pd.DataFrame, regulation: Regulation, decisions: Decisions
) -> Cells:
    """Fill the table for these players; verdicts on others do not count.

    Raises:
        ValueError: A box that does not exist is removed, changed or ruled on.
    """
    rows = len(regulation.nominals)
    kinds = np.full((len(players), regulation.themes * rows), OPEN, dtype=np.int8)
    boxes, codes = boxes_with_kinds(verdicts, regulation)
    index = pd.Index([player.number for player in players], dtype="int64")
    row = index.get_indexer(pd.Index(boxes["player"].to_numpy(dtype=np.int64)))
    by_nominal = pd.Index(regulation.nominals, dtype="int64")
    column = by_nominal.get_indexer(pd.Index(boxes["nominal"].to_numpy(dtype=np.int64)))
    at = (boxes["theme"].to_numpy(dtype=np.int64) - 1) * rows + column
    counted = row >= 0
    kinds[row[counted], at[counted]] = codes[counted]
    return cells_from_kinds(index, kinds, regulation, decisions)


def cells_from_kinds(
    numbers: pd.Index, kinds: NDArray[np.int8], regulation: Regulation, decisions: Decisions
) -> Cells:
    """Fill the table from what the jury said of each box.

    Args:
        numbers: The players' numbers, by row.
        kinds: Shape (players, boxes): OPEN, RIGHT, WRONG or BLANK. It is changed in place.
        regulation: Nominals and prices.
        decisions: Removals, new nominals, themes that a player could not answer.

    Raises:
        ValueError: A box that does not exist is removed or changed.
    """
    rows = len(regulation.nominals)
    for number, theme in decisions.missing:
        first = box_index(regulation, theme, regulation.nominals[0])
        for who in np.flatnonzero(numbers == number):
            kinds[who, first : first + rows] = MISSING
    for theme, nominal in decisions.removed:
        kinds[:, box_index(regulation, theme, nominal)] = REMOVED
    worths = np.tile(np.array(regulation.nominals, dtype=np.int64), regulation.themes)
    for change in decisions.nominals:
        worths[box_index(regulation, change.theme, change.nominal)] = change.worth
    return Cells(kinds, _points(kinds, worths, regulation), worths, rows)


def _points(
    kinds: NDArray[np.int8], worths: NDArray[np.int64], regulation: Regulation
) -> NDArray[np.int64]:
    prices = regulation.prices
    points = np.zeros(kinds.shape, dtype=np.int64)
    for kind, price in (
        (RIGHT, prices.right),
        (WRONG, prices.wrong),
        (BLANK, prices.blank),
        (MISSING, prices.missing),
    ):
        if price.times or price.points:
            points += (kinds == kind) * (worths * price.times + price.points)
    return points
