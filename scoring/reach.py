"""How far each player of a group may still come, and what that means at the line.

Every answer that nobody has confirmed may become right, wrong or blank, each by itself. So a player's score
lies between two ends, both can be reached, and all players can be at any of their ends at once. What becomes
of a player gets no worse when their own score rises and no better when another's does; the two ends of it are
therefore where the player is at one end and all others are at the other. Nothing has to be tried out, and
nothing is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.cells import Cells
from scoring.rules import Prices
from scoring.totals import BLANK, OPEN, RIGHT, WRONG

Numbers = NDArray[np.int64]


class Fate(StrEnum):
    """What is certain of a player, whatever the jury says of the answers that are left.

    IN goes on and OUT does not; TIED stays among those who share the last places, until the organizers decide
    between them. OPEN is all else.
    """

    IN = "in"
    OUT = "out"
    TIED = "tied"
    OPEN = "open"


class Crossing(IntEnum):
    """What a tie across the line makes of those who are in it.

    ANY: it depends on what was played, drawn or can be compared, so that each of them may end anywhere.
    """

    STAYS = 0
    ALL_IN = 1
    NONE_IN = 2
    ANY = 3


OUT, TIED, IN = 0, 1, 2
_WORST = {Crossing.STAYS: TIED, Crossing.ALL_IN: IN, Crossing.NONE_IN: OUT, Crossing.ANY: OUT}
_BEST = {Crossing.STAYS: TIED, Crossing.ALL_IN: IN, Crossing.NONE_IN: OUT, Crossing.ANY: IN}


@dataclass(frozen=True, slots=True)
class Places:
    """The line of a group: how many places, or between how many, and for whom.

    With a least score the places beyond the sure ones are only for those who have it. For a player with
    that score this is the same as a line at `most`, for one without it as a line at the sure places: whoever
    has less stands below all who have it.
    """

    fewest: int
    most: int
    sure: int | None = None
    least_score: int | None = None
    crossing: Crossing = Crossing.STAYS

    def of(self, scores: Numbers, quota: int) -> Numbers:
        """The line that counts for a player with each of these scores."""
        if self.sure is None or self.least_score is None:
            return np.full(np.shape(scores), quota, dtype=np.int64)
        return np.where(scores >= self.least_score, quota, min(self.sure, quota))


def swings(worths: Numbers, prices: Prices) -> tuple[Numbers, Numbers]:
    """The least and the most that an answer in each box can be worth, shape (boxes,) each."""
    kinds = (prices.right, prices.wrong, prices.blank)
    values = np.stack([worths * price.times + price.points for price in kinds])
    return values.min(axis=0), values.max(axis=0)


def ends(cells: Cells, given: ArrayLike, prices: Prices) -> tuple[Numbers, Numbers]:
    """The least and the most that each player can have in the end.

    Args:
        cells: All boxes.
        given: What each player has beside the boxes: brought in, less penalties; shape (players,).
        prices: What answers are worth.

    Returns:
        Two arrays of shape (players,).
    """
    least, most = swings(cells.worths, prices)
    open_ = cells.kinds == OPEN
    fixed = cells.points.sum(axis=1) + np.asarray(given, dtype=np.int64)
    return fixed + open_ @ least, fixed + open_ @ most


def worst(scores: Numbers, own_high: Numbers, high: Numbers, places: Places) -> Numbers:
    """What becomes of players at these scores if all others get the most they can: OUT, TIED or IN.

    Args:
        scores: Of the players asked about, of any shape.
        own_high: The most that each of them itself has among `high`; broadcast to `scores`.
        high: The most that everybody in the group can have, sorted, ascending.
        places: The line.
    """
    above, level = _ahead(scores, own_high, high)
    return _codes(above, level, places.of(scores, places.fewest), _WORST[places.crossing])


def best(scores: Numbers, own_low: Numbers, low: Numbers, places: Places) -> Numbers:
    """What becomes of players at these scores if all others get the least they can; as `worst`."""
    above, level = _ahead(scores, own_low, low)
    return _codes(above, level, places.of(scores, places.most), _BEST[places.crossing])


def fates(low: Numbers, high: Numbers, places: Places) -> list[Fate]:
    """What is certain of each player of a group whose scores lie between `low` and `high`."""
    return [
        fate(at_worst, at_best)
        for at_worst, at_best in zip(
            worst(low, high, np.sort(high), places).tolist(),
            best(high, low, np.sort(low), places).tolist(),
            strict=True,
        )
    ]


def fate(at_worst: int, at_best: int) -> Fate:
    """The fate between two ends."""
    if at_worst != at_best:
        return Fate.OPEN
    return {OUT: Fate.OUT, TIED: Fate.TIED, IN: Fate.IN}[at_worst]


def decisive(
    cells: Cells, low: Numbers, high: Numbers, places: Places, prices: Prices
) -> NDArray[np.bool_]:
    """Answers that can change who goes on: open ones, and ruled ones if they alone were ruled otherwise.

    An answer matters exactly if where its player stands is open once this answer is: while a player stays
    above the line (across it, below it) whatever the answer turns out to be, nobody else gains or loses a
    place by it. Where a tie across the line is decided by what was played or compared, or lets all or none
    in, some answers are named too many: by joining such a tie or leaving it a player may change what becomes
    of the others, but need not. Once all is ruled `scoring.alone` tries those out.

    Args:
        cells: The boxes of the players of one group.
        low: The least that each of them can have.
        high: The most.
        places: The line.
        prices: What answers are worth.

    Returns:
        Shape (players, boxes).
    """
    answer, lower, higher = _own_ends(cells, low, high, prices)
    if places.crossing is not Crossing.ANY:
        places = replace(places, crossing=Crossing.STAYS)
    at_worst = worst(lower, high[:, None], np.sort(high), places)
    at_best = best(higher, low[:, None], np.sort(low), places)
    matters: NDArray[np.bool_] = answer & (at_worst != at_best)
    return matters


def near_the_prizes(
    cells: Cells, low: Numbers, high: Numbers, prizes: int, prices: Prices
) -> NDArray[np.bool_]:
    """Answers that can bring their player into a tie within the prize places, or out of one.

    Such a tie may use up what was played, which then is not there for the tie across the line. Arguments as
    for `decisive`.
    """
    answer, _lower, higher = _own_ends(cells, low, high, prices)
    # One of the other players may be the one asked about.
    rank = min(prizes + 2, len(low))
    if not rank:
        return answer
    reached: NDArray[np.bool_] = answer & (higher >= np.sort(low)[-rank])
    return reached


def _own_ends(
    cells: Cells, low: Numbers, high: Numbers, prices: Prices
) -> tuple[NDArray[np.bool_], Numbers, Numbers]:
    """Which boxes hold an answer, and between which scores each player is if this one is ruled anew."""
    least, most = swings(cells.worths, prices)
    answer: NDArray[np.bool_] = np.isin(cells.kinds, (OPEN, RIGHT, WRONG, BLANK))
    ruled = answer & (cells.kinds != OPEN)
    lower = low[:, None] + np.where(ruled, least - cells.points, 0)
    higher = high[:, None] + np.where(ruled, most - cells.points, 0)
    return answer, lower, higher


def _ahead(scores: Numbers, own: Numbers, all_: Numbers) -> tuple[Numbers, Numbers]:
    """How many others have more, and how many have as much or more."""
    above = len(all_) - np.searchsorted(all_, scores, side="right") - (own > scores)
    level = len(all_) - np.searchsorted(all_, scores, side="left") - (own >= scores)
    return above, level


def _codes(above: Numbers, level: Numbers, line: Numbers, crossing: int) -> Numbers:
    codes: Numbers = np.where(level < line, IN, np.where(above >= line, OUT, crossing))
    return codes
