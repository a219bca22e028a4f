"""The line under the last place that goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from scoring.model import Cut, Status


def draw_cut(
    numbers: Sequence[int], scores: ArrayLike, places: int
) -> tuple[Cut, tuple[Status, ...]]:
    """Draw the line in one category.

    A tie lies across the line only if the player on the last place and the next one have the same score.
    Equal scores that end exactly at the line are no tie, and with no more players than places all are
    in. While a tie is undecided nobody of that score is in or out.

    Args:
        numbers: The players' numbers, in any order.
        scores: Their scores, shape (n,), in the same order.
        places: How many go on, at least 1.

    Returns:
        The cut, the tied by number; and every player's status, in the order given.
    """
    score = np.asarray(scores)
    if len(score) <= places:
        return Cut(places, len(score), 0, ()), (Status.IN,) * len(score)
    best_first = np.sort(score)[::-1]
    last_in, next_out = best_first[places - 1], best_first[places]
    if last_in != next_out:
        return Cut(places, places, 0, ()), tuple(
            Status.IN if inside else Status.OUT for inside in score >= last_in
        )
    sure = int(np.count_nonzero(score > last_in))
    tied = tuple(sorted(np.asarray(numbers)[score == last_in].tolist()))
    side = np.sign(score - last_in).tolist()
    by_side = {1: Status.IN, 0: Status.TIED, -1: Status.OUT}
    return Cut(places, sure, places - sure, tied), tuple(by_side[each] for each in side)
