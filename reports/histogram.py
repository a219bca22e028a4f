"""How the scores are spread: how many players in each stretch of points, and where the line lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_BARS = 26


@dataclass(frozen=True, slots=True)
class Bar:
    """Players with `start` ≤ score < `start` + the histogram's step, those below the line apart."""

    start: int
    below: int
    above: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars side by side without a gap, lowest scores first."""

    step: int
    bars: tuple[Bar, ...]

    @property
    def highest(self) -> int:
        """Players in the fullest bar."""
        return max((bar.below + bar.above for bar in self.bars), default=0)


def histogram(scores: Sequence[int], line: int | None, unit: int = 10) -> Histogram:
    """Sort scores into at most 26 bars of a round width.

    Args:
        scores: In any order.
        line: The passing score: at or above it counts as above. None counts all as above.
        unit: All scores are multiples of it as a rule; no bar is narrower.
    """
    if not scores:
        return Histogram(unit, ())
    low, high = min(scores), max(scores)
    step = next(
        unit * factor
        for factor in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**6, 10**9)
        if high // (unit * factor) - low // (unit * factor) < MOST_BARS
    )
    first = low // step
    counts = [[0, 0] for _at in range(high // step - first + 1)]
    for score in scores:
        counts[score // step - first][line is None or score >= line] += 1
    bars = (Bar((first + at) * step, below, above) for at, (below, above) in enumerate(counts))
    return Histogram(step, tuple(bars))
