"""Who is surely in, who surely out, who open, in every group: the order of the jury's work follows from it.

What is said here holds for every way in which the open answers may be ruled, under the regulation and the
decisions in force. It does not foresee decisions: a removal, a disqualification or a changed verdict may
undo it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from otbor.errors import ConflictError
from scoring.alone import decisive_alone
from scoring.cells import Cells, cells_from_kinds
from scoring.cut import LineRules, draw_line
from scoring.decisions import Decisions
from scoring.grouping import group_members, line_rules
from scoring.model import Player, Regulation, Status
from scoring.reach import (
    Crossing,
    Fate,
    Numbers,
    Places,
    decisive,
    ends,
    fates,
    near_the_prizes,
    swings,
)
from scoring.rules import CountBack, ReserveCall, TiePolicy
from scoring.ties import Evidence
from scoring.totals import OPEN


class State(StrEnum):
    """How far a group is.

    UNKNOWN: the number of places has not been announced. EMPTY: nobody's sheet is here. TIE: the answers are
    of no account any more, the organizers decide a tie.
    """

    UNKNOWN = "unknown"
    EMPTY = "empty"
    OPEN = "open"
    TIE = "tie"
    DECIDED = "decided"


# Low enough to be below every score, and far from the end of the numbers.
_NOT_HERE = np.int64(-(1 << 40))


@dataclass(frozen=True, slots=True)
class GroupEffect:
    """One category or site: who competes in it, by number, and what is certain of each.

    `quota` is how many places there are, None if that has not been announced: then nothing is certain.
    `low` and `high` are the ends of each score. `late` are those of them whose sheet is not here; they
    compete only if it comes. `missing` is how many more players of the group have no sheet and are taken to
    be absent. `final`: what is decided stays so whoever of these still brings one.
    """

    group: str
    quota: int | None
    numbers: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    fates: tuple[Fate, ...]
    late: frozenset[int] = frozenset()
    missing: int = 0
    final: bool = False

    @property
    def state(self) -> State:
        """How far the group is."""
        if self.quota is None:
            return State.UNKNOWN
        if not self.here:
            return State.EMPTY
        if Fate.OPEN in self.fates:
            return State.OPEN
        return State.TIE if Fate.TIED in self.fates else State.DECIDED

    def count(self, fate: Fate) -> int:
        """How many players have this fate."""
        return self.fates.count(fate)

    @property
    def decided(self) -> bool:
        """Who goes on can no longer change."""
        return self.up_to_a_tie and Fate.TIED not in self.fates

    @property
    def up_to_a_tie(self) -> bool:
        """No answer can change it any more; at most a tie is left that the organizers must decide."""
        return self.quota is not None and Fate.OPEN not in self.fates

    @property
    def here(self) -> int:
        """How many of those who compete have handed in a sheet."""
        return len(self.numbers) - len(self.late)

    def of(self, fate: Fate) -> tuple[int, ...]:
        """The numbers of the players with this fate."""
        pairs = zip(self.numbers, self.fates, strict=True)
        return tuple(number for number, each in pairs if each is fate)


@dataclass(frozen=True, slots=True)
class Effect:
    """All groups, and the answers on which who goes on depends.

    `numbers` are the players with a sheet, by row of the two tables of shape (players, boxes): `waiting`
    marks open answers that matter, `near` ruled ones that would if they alone were ruled otherwise. `swing`
    (boxes,) is how many points an open answer to each question leaves open.
    """

    groups: tuple[GroupEffect, ...]
    numbers: tuple[int, ...]
    waiting: NDArray[np.bool_]
    near: NDArray[np.bool_]
    swing: Numbers


def effect(
    players: Sequence[Player],
    numbers: Sequence[int],
    kinds: NDArray[np.int8],
    regulation: Regulation,
    decisions: Decisions,
    *,
    late: Collection[int] = (),
) -> Effect:
    """Say what is certain.

    Args:
        players: The roster.
        numbers: The players whose sheet is here, each once.
        kinds: What the jury said of each of their boxes, shape (players, boxes), theme by theme and row by
            row, in the codes of `scoring.totals`: OPEN (disputed ones too), RIGHT, WRONG or BLANK.
        regulation: The regulation.
        decisions: The decisions in force.
        late: Players whose sheet may still come, with anything on it; those with one are passed over. All
            others without a sheet are absent, as in the standings.

    Raises:
        ValueError: A decision names a box that does not exist.
    """
    roster = sorted(players, key=lambda player: player.number)
    here = set(numbers)
    coming = sorted({player.number for player in roster} & set(late) - here)
    apart = decisions.disqualified | decisions.out_of_competition | decisions.exempt
    everyone = [*numbers, *coming]
    more = np.full((len(coming), kinds.shape[1]), OPEN, dtype=np.int8)
    index = pd.Index(everyone, dtype="int64")
    cells = cells_from_kinds(index, np.concatenate([kinds, more]), regulation, decisions)
    low, high = ends(cells, _given(everyone, decisions), regulation.prices)
    row_of = {number: row for row, number in enumerate(everyone)}
    matters = np.zeros(cells.kinds.shape, dtype=bool)
    groups = []
    for name, members in group_members(roster, regulation):
        competing = [p.number for p in members if p.number in row_of and p.number not in apart]
        rows = np.array([row_of[number] for number in competing], dtype=np.int64)
        part = replace(cells, kinds=cells.kinds[rows], points=cells.points[rows])
        group = _Group(name, competing, part, low[rows], high[rows], here)
        found = group.judged(regulation, decisions, registered=len(members))
        missing = sum(p.number not in row_of and p.number not in apart for p in members)
        groups.append(replace(found, missing=missing))
        matters[rows] = group.matters
    open_ = cells.kinds == OPEN
    count = len(numbers)
    least, most = swings(cells.worths, regulation.prices)
    return Effect(
        groups=tuple(groups),
        numbers=tuple(numbers),
        waiting=(matters & open_)[:count],
        near=(matters & ~open_)[:count],
        swing=most - least,
    )


def _given(numbers: Sequence[int], decisions: Decisions) -> list[int]:
    """What each player has beside the boxes."""
    sums = {given.number: given.points for given in decisions.brought}
    for penalty in decisions.penalties:
        sums[penalty.number] = sums.get(penalty.number, 0) - penalty.points
    return [sums.get(number, 0) for number in numbers]


class _Group:
    """One group while it is being judged."""

    def __init__(
        self,
        name: str,
        numbers: list[int],
        cells: Cells,
        low: Numbers,
        high: Numbers,
        here: Collection[int],
    ) -> None:
        self.name, self.numbers, self.cells = name, numbers, cells
        self.low, self.high = low, high
        self.late = frozenset(number for number in numbers if number not in here)
        self.matters = np.zeros(cells.kinds.shape, dtype=bool)

    def judged(
        self, regulation: Regulation, decisions: Decisions, *, registered: int
    ) -> GroupEffect:
        """The fates of all; `matters` is set by the way."""
        found = GroupEffect(
            self.name,
            None,
            tuple(self.numbers),
            tuple(self.low.tolist()),
            tuple(self.high.tolist()),
            (Fate.OPEN,) * len(self.numbers),
            self.late,
        )
        present = len(self.numbers) - len(self.late)
        try:
            rules = line_rules(
                regulation, decisions, self.name, registered=registered, present=present
            )
        except ConflictError:
            self.matters = self.cells.kinds == OPEN
            return found
        try:
            most = line_rules(
                regulation,
                decisions,
                self.name,
                registered=registered,
                present=len(self.numbers),
            ).quota
        except ConflictError:
            most = rules.quota
        fate = self._fates(rules, max(most, rules.quota), decisions, regulation)
        return replace(
            found, quota=rules.quota, fates=tuple(fate[number] for number in self.numbers)
        )

    def _fates(
        self, rules: LineRules, most: int, decisions: Decisions, regulation: Regulation
    ) -> dict[int, Fate]:
        by_host = rules.reserve_call is ReserveCall.HOST
        declined = decisions.declined & set(self.numbers)
        gone = frozenset() if by_host else declined
        running = np.array([n not in gone for n in self.numbers], dtype=bool)
        names = [number for number in self.numbers if number not in gone]
        crossing = _crossing(rules, names, decisions)
        places = Places(rules.quota, most, rules.sure, rules.least_score, crossing)
        low, high = self.low[running], self.high[running]
        # One who may not come takes no place from the others at best, and has none at worst.
        late = np.array([number in self.late for number in names], dtype=bool)
        least = np.where(late, _NOT_HERE, low)
        judged = _fates_of_late(fates(least, high, places), late)
        part = replace(
            self.cells, kinds=self.cells.kinds[running], points=self.cells.points[running]
        )
        self.matters[running] = decisive(part, least, high, places, regulation.prices)
        if crossing is Crossing.ANY and rules.prizes:
            # Those who declined too: they keep their rank, and a tie there may use up what was played.
            self.matters |= near_the_prizes(
                self.cells, self.low, self.high, rules.prizes, regulation.prices
            )
        # Where the host chooses, who has declined leaves a place to nobody, and some are named too many too.
        too_many = crossing is not Crossing.STAYS or (by_host and bool(declined))
        ruled = not self.late and bool((self.low == self.high).all())
        if too_many and ruled and not (by_host and decisions.called):
            self.matters = decisive_alone(
                self.numbers,
                self.low.tolist(),
                self.cells,
                self.matters,
                rules,
                decisions,
                regulation.prices,
            )
        found = dict(zip(names, judged, strict=True))
        if Fate.OPEN not in judged:
            self.matters &= self.cells.kinds != OPEN
        if crossing is Crossing.ANY:
            found |= self._settled(rules, decisions, names, low, high)
        for number in declined:
            # Where the host chooses the line stays, and one who declines may still lie in a tie.
            if number in gone or found[number] is Fate.IN:
                found[number] = Fate.OUT
        if by_host:
            found |= dict.fromkeys(decisions.called & found.keys(), Fate.IN)
        return found

    def _settled(
        self,
        rules: LineRules,
        decisions: Decisions,
        names: list[int],
        low: Numbers,
        high: Numbers,
    ) -> dict[int, Fate]:
        """Those whose tie across the line is the same however the open answers are ruled.

        What was played, drawn or compared in it then says what becomes of them. Ties within prize places
        use up what was played, so with them this is only said when nothing is open at all.
        """
        if self.late:
            return {}
        scores = dict(zip(names, low.tolist(), strict=True))
        declined: frozenset[int] = frozenset()
        if (self.low == self.high).all():
            # Those who declined too: they may have taken part in a tie within the prize places.
            scores = dict(zip(self.numbers, self.low.tolist(), strict=True))
            declined = decisions.declined
            settled = set(names)
        elif rules.prizes:
            return {}
        else:
            line = Places(rules.quota, rules.quota, rules.sure, rules.least_score)
            settled = {names[row] for row in _same_tie(low, high, line)}
        if not settled:
            return {}
        order = {number: row for row, number in enumerate(self.numbers)}

        def measures(number: int, key: CountBack) -> tuple[int, ...]:
            return self.cells.measure(order[number], key)

        evidence = Evidence(measures, list(decisions.shoot_outs), list(decisions.lots))
        try:
            statuses = draw_line(scores, rules, evidence, declined=declined).statuses
        except ConflictError:
            return {}
        known = {Status.IN: Fate.IN, Status.TIED: Fate.TIED}
        return {number: known.get(statuses[number], Fate.OUT) for number in settled}


def _fates_of_late(found: list[Fate], late: NDArray[np.bool_]) -> list[Fate]:
    """A player whose sheet may not come is never surely in or tied."""
    certain = (Fate.IN, Fate.TIED)
    return [
        Fate.OPEN if is_late and each in certain else each
        for each, is_late in zip(found, late.tolist(), strict=True)
    ]


def _same_tie(low: Numbers, high: Numbers, places: Places) -> list[int]:
    """The rows of those in the tie across the line, if it is of the same players in every case."""
    for score in np.unique(low[low == high]):
        touching = (low <= score) & (score <= high)
        above = int((low > score).sum())
        line = int(places.of(score, places.most))
        if above < line < above + int(touching.sum()):
            same = bool((low == high)[touching].all())
            return np.flatnonzero(touching).tolist() if same else []
    return []


def _crossing(rules: LineRules, names: Collection[int], decisions: Decisions) -> Crossing:
    """What the first step makes of a tie across the line."""
    first = rules.ties.steps[0]
    if first is TiePolicy.ALL_IN:
        return Crossing.ALL_IN
    if first is TiePolicy.NONE_IN:
        return Crossing.NONE_IN
    inside = set(names)
    played = {
        TiePolicy.UNDECIDED: [],
        TiePolicy.SHOOT_OUT: [{n for n, _points in each.scores} for each in decisions.shoot_outs],
        TiePolicy.LOT: [set(lot.order) for lot in decisions.lots],
    }.get(first)
    if played is None or any(len(inside & some) > 1 for some in played):
        return Crossing.ANY
    return Crossing.STAYS
