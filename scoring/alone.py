"""Which answers, if they alone were ruled otherwise, would change who goes on, when all is ruled.

Where a tie across the line is decided by what was played or can be compared, or lets all or none in,
`scoring.reach` names every answer that could bring its player into such a tie. Most of them change nothing:
the tie is decided the same way. Here each of them is tried out. Only who stands near the line (and near the
prize places, whose ties use up what was played) can be in such a tie, so the line is drawn among them and not
among all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from otbor.errors import ConflictError
from scoring.cells import Cells
from scoring.cut import LineRules, draw_line, places_left
from scoring.decisions import Decisions
from scoring.model import Status
from scoring.rules import CountBack, Prices, ReserveCall
from scoring.ties import Evidence
from scoring.totals import BLANK, RIGHT, WRONG

# One answer moves a player by a place or across the least score, which moves the line by one more.
_RANKS_ASIDE = 3
_GOES_ON = {Status.IN: Status.IN, Status.TIED: Status.TIED}
Outcome = Mapping[int, Status] | None
"""What becomes of each player; None if the decisions no longer fit."""


def decisive_alone(
    numbers: Sequence[int],
    scores: Sequence[int],
    cells: Cells,
    asked: NDArray[np.bool_],
    rules: LineRules,
    decisions: Decisions,
    prices: Prices,
) -> NDArray[np.bool_]:
    """Of the answers asked about, those that would change who goes on if ruled otherwise.

    Args:
        numbers: The players of one group who compete, those who declined too.
        scores: What each of them has; every answer is ruled on.
        cells: Their boxes.
        asked: Which answers to try, shape (players, boxes).
        rules: The rules of the group's line.
        decisions: What was played, drawn, and who declined.
        prices: What answers are worth.

    Returns:
        Shape (players, boxes).
    """
    trial = _Trial(numbers, scores, cells, rules, decisions)
    found = np.zeros_like(asked)
    for row, column in np.argwhere(asked).tolist():
        found[row, column] = any(
            trial.differs(row, column, kind, prices)
            for kind in (RIGHT, WRONG, BLANK)
            if kind != cells.kinds[row, column]
        )
    return found


class _Trial:
    """The line of one group, drawn again and again with one answer changed."""

    def __init__(
        self,
        numbers: Sequence[int],
        scores: Sequence[int],
        cells: Cells,
        rules: LineRules,
        decisions: Decisions,
    ) -> None:
        self.numbers, self.cells, self.rules, self.decisions = numbers, cells, rules, decisions
        self.scores = dict(zip(numbers, scores, strict=True))
        self.row = {number: row for row, number in enumerate(numbers)}
        self.declined = decisions.declined & self.scores.keys()
        by_host = rules.reserve_call is ReserveCall.HOST
        self.gone = frozenset() if by_host else self.declined
        self.known: dict[object, bool] = {}
        self.measured: dict[tuple[int, CountBack], tuple[int, ...]] = {}
        self.good = 0 if rules.least_score is None else sum(map(self._is_good, numbers))
        self.near, self.window, self.above = self._near()
        self.levels = {self.scores[number] for number in self.near}
        self.usual = self._drawn(dict(self.scores), None)

    def _is_good(self, number: int) -> bool:
        return number not in self.gone and self.scores[number] >= (self.rules.least_score or 0)

    def _near(self) -> tuple[tuple[int, ...], frozenset[int], int]:
        """Those who can be in a tie that counts, their scores, and how many of the others are surely in."""
        order = sorted((n for n in self.numbers if n not in self.gone), key=self._best_first)
        line = self._places(self.good)
        kept = [*order[: self.rules.prizes + _RANKS_ASIDE]] if self.rules.prizes else []
        kept += order[max(0, line - _RANKS_ASIDE) : line + _RANKS_ASIDE]
        window = frozenset(self.scores[number] for number in kept)
        near = [n for n in order if self.scores[n] in window]
        above = sum(map(self._surely_in(window), order))
        return (*near, *self.gone), window, above

    def _surely_in(self, window: frozenset[int]) -> Callable[[int], bool]:
        """Whether a player stands above the line and apart from all who are tried."""
        last = min(window, default=0)
        return lambda number: self.scores[number] > last and self.scores[number] not in window

    def _best_first(self, number: int) -> tuple[int, int]:
        return -self.scores[number], number

    def _places(self, good: int) -> int:
        """How many places there are if so many have the least score."""
        least = self.rules.least_score
        scores = [] if least is None else [least] * good
        return places_left(scores, self.rules.quota, self.rules.sure, least)

    def differs(self, row: int, column: int, kind: int, prices: Prices) -> bool:
        """True if who goes on is not as it is, with one answer ruled as `kind`."""
        number = self.numbers[row]
        price = {RIGHT: prices.right, WRONG: prices.wrong, BLANK: prices.blank}[kind]
        worth = price.of(int(self.cells.worths[column]))
        score = self.scores[number] + worth - int(self.cells.points[row, column])
        # Alone at its score, only where it lies between the others counts.
        between = sum(level > score for level in self.levels)
        tied = score in self.levels
        asked = (
            (number, score, column, kind) if tied else (number, between, self._good(number, score))
        )
        if asked not in self.known:
            changed = self._changed(row, column, kind, worth)
            self.known[asked] = self._differs(number, score, changed)
        return self.known[asked]

    def _good(self, number: int, score: int) -> int:
        """How many have the least score if this player has so many points."""
        if self.rules.least_score is None or number in self.gone:
            return self.good
        return self.good - self._is_good(number) + (score >= self.rules.least_score)

    def _changed(self, row: int, column: int, kind: int, worth: int) -> Cells:
        """The boxes of one player with another answer in one."""
        kinds, points = self.cells.kinds[[row]], self.cells.points[[row]]
        kinds[0, column], points[0, column] = kind, worth
        return replace(self.cells, kinds=kinds, points=points)

    def _differs(self, number: int, score: int, changed: Cells) -> bool:
        # Whoever is tried is no longer one of the others.
        surely_in = number not in self.gone and self._surely_in(self.window)(number)
        new = self._drawn(
            {n: self.scores[n] for n in self.near} | {number: score},
            (number, changed),
            self._places(self._good(number, score)) - self.above + surely_in,
        )
        if new is None or self.usual is None:
            return new is not self.usual
        return any(self.usual[n] is not status for n, status in new.items())

    def _drawn(
        self, scores: dict[int, int], changed: tuple[int, Cells] | None, places: int | None = None
    ) -> Outcome:
        """What becomes of these players; all of the group, if `places` is None."""

        def measures(number: int, key: CountBack) -> tuple[int, ...]:
            if changed is not None and number == changed[0]:
                return changed[1].measure(0, key)
            if (number, key) not in self.measured:
                self.measured[number, key] = self.cells.measure(self.row[number], key)
            return self.measured[number, key]

        rules = self.rules
        if places is not None:
            rules = replace(rules, quota=places, sure=None, least_score=None)
        evidence = Evidence(measures, list(self.decisions.shoot_outs), list(self.decisions.lots))
        declined = self.declined & scores.keys()
        try:
            statuses = draw_line(scores, rules, evidence, declined=declined).statuses
        except ConflictError:
            return None
        return {n: _GOES_ON.get(status, Status.OUT) for n, status in statuses.items()}
