"""The line of one group, with everything that people decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import ArrayLike

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.model import Cut, Status, TieStep
from scoring.rules import NO_TIE_RULE, ReserveCall, TiePolicy, TieRule
from scoring.ties import Evidence, Groups, across, by_score, settle


@dataclass(frozen=True, slots=True)
class LineRules:
    """What the regulation says of one group's line, with its number of places already known."""

    quota: int
    sure: int | None = None
    least_score: int | None = None
    ties: TieRule = NO_TIE_RULE
    prizes: int = 0
    reserve: int = 0
    reserve_call: ReserveCall = ReserveCall.SCORE


@dataclass(frozen=True, slots=True)
class Line:
    """The result: the line, everybody's places (first, last) and status, by number."""

    cut: Cut
    places: dict[int, tuple[int, int]]
    statuses: dict[int, Status]


def places_left(scores: ArrayLike, quota: int, sure: int | None, least_score: int | None) -> int:
    """How many places a line has: those beyond the sure ones only with the least score.

    Args:
        scores: Of all who compete for them, in any order.
        quota: The number that was announced.
        sure: How many places are given whatever the scores; None: all.
        least_score: What the others need.
    """
    if sure is None or least_score is None:
        return quota
    good = int(np.count_nonzero(np.asarray(scores) >= least_score))
    return max(min(sure, quota), min(quota, good))


def draw_line(
    scores: Mapping[int, int],
    rules: LineRules,
    evidence: Evidence,
    *,
    declined: frozenset[int] = frozenset(),
    called: frozenset[int] = frozenset(),
) -> Line:
    """Draw the line in one group.

    One who declines keeps the place in the ranking; the line is drawn among the others, so that the next
    one moves up. Where the host chooses the substitutes the line stays and the `called` are in.

    Args:
        scores: By number, of all who compete (nobody absent, disqualified or out of competition).
        rules: The regulation's rules for this group.
        evidence: Shoot-outs, lots and count-backs; what is used is taken out of it.
        declined: Numbers of players who do not come.
        called: Numbers of players of this group whom the host chose, where it is the host who chooses.

    Raises:
        ConflictError: One who is called is not below the line, or a lot is not what its seed gives.
    """
    by_host = rules.reserve_call is ReserveCall.HOST
    gone = frozenset() if by_host else declined & scores.keys()
    ranking, prize_steps, shared = _prizes(by_score(scores), rules, evidence)
    running = _without(ranking, gone)
    competing = [scores[number] for number in scores if number not in gone]
    places = places_left(competing, rules.quota, rules.sure, rules.least_score)
    settled = settle(running, places, rules.ties, evidence)
    statuses = _statuses(settled.groups, places, settled.extra)
    tied = tuple(sorted(n for n, status in statuses.items() if status is Status.TIED))
    sure = sum(status is Status.IN for status in statuses.values())
    inside = [scores[n] for n, status in statuses.items() if status is Status.IN]
    reserve = _reserve(settled.groups, statuses, scores, rules, places)
    statuses |= dict.fromkeys(chain.from_iterable(reserve), Status.RESERVE)
    cut = Cut(
        places=places,
        sure=sure,
        left=places - sure if tied else 0,
        tied=tied,
        last_score=min(inside, default=None),
        quota=rules.quota,
        waiting=settled.waiting,
        steps=(*prize_steps, *settled.steps),
        reserve=reserve,
        shared_prizes=shared,
    )
    if by_host:
        _call(statuses, declined & scores.keys(), called)
    statuses |= dict.fromkeys(gone, Status.DECLINED)
    return Line(cut, _places(_with(settled.groups, gone, ranking)), statuses)


def _prizes(
    groups: Groups, rules: LineRules, evidence: Evidence
) -> tuple[Groups, tuple[TieStep, ...], Groups]:
    """Decide the ties within the prize places; returns also those that stay open."""
    steps: list[TieStep] = []
    shared: list[tuple[int, ...]] = []
    for place in range(1, rules.prizes + 1):
        settled = settle(groups, place, rules.ties, evidence)
        groups = settled.groups
        steps += [step for step in settled.steps if len(step.order) > 1]
        at = across(groups, place)
        if at is not None and groups[at] not in shared:
            shared.append(groups[at])
    return groups, tuple(steps), tuple(shared)


def _without(groups: Groups, gone: frozenset[int]) -> Groups:
    left = (tuple(number for number in group if number not in gone) for group in groups)
    return tuple(group for group in left if group)


def _with(groups: Groups, gone: frozenset[int], ranking: Groups) -> Groups:
    """Put those who declined back among their equals of the ranking, after whatever was decided there."""
    if not gone:
        return groups
    settled = {number: group for group in groups for number in group}
    whole: list[tuple[int, ...]] = []
    for equals in ranking:
        back = tuple(number for number in equals if number in gone)
        parts = list(dict.fromkeys(settled[n] for n in equals if n not in gone))
        parts.sort(key=groups.index)
        whole += [*parts[:-1], (*(parts[-1] if parts else ()), *back)]
    return tuple(whole)


def _statuses(groups: Groups, places: int, extra: TiePolicy | None) -> dict[int, Status]:
    statuses: dict[int, Status] = {}
    across_line = {None: Status.TIED, TiePolicy.ALL_IN: Status.IN, TiePolicy.NONE_IN: Status.OUT}
    above = 0
    for group in groups:
        if above + len(group) <= places:
            status = Status.IN
        else:
            status = Status.OUT if above >= places else across_line[extra]
        statuses |= dict.fromkeys(group, status)
        above += len(group)
    return statuses


def _reserve(
    groups: Groups,
    statuses: Mapping[int, Status],
    scores: Mapping[int, int],
    rules: LineRules,
    places: int,
) -> Groups:
    """The first below the line, equal ones together.

    Who loses an open tie will be the first reserve, so that only the rest of the list is named meanwhile.
    Below the least score nobody is called, unless the line stands at the sure places.
    """
    tied = sum(status is Status.TIED for status in statuses.values())
    inside = sum(status is Status.IN for status in statuses.values())
    wanted = rules.reserve - (tied - (places - inside) if tied else 0)
    sure_only = rules.sure is None or places <= rules.sure
    found: list[tuple[int, ...]] = []
    for group in groups:
        enough = sum(map(len, found)) >= wanted
        if enough or statuses[group[0]] is not Status.OUT:
            continue
        if rules.least_score is None or sure_only or scores[group[0]] >= rules.least_score:
            found.append(group)
    return tuple(found)


def _call(statuses: dict[int, Status], declined: frozenset[int], called: frozenset[int]) -> None:
    """Mark who gives a place back and whom the host chose; that they are as many, the caller checks."""
    wrong = [number for number in called if statuses[number] not in (Status.OUT, Status.RESERVE)]
    if wrong:
        raise ConflictError(
            _("Not below the line, so that they cannot be called: {numbers}.").format(
                numbers=", ".join(map(str, sorted(wrong)))
            ),
            _("Call players who did not get in."),
        )
    back = {number for number in declined if statuses[number] is Status.IN}
    statuses |= dict.fromkeys(back, Status.DECLINED)
    statuses |= dict.fromkeys(called, Status.IN)


def _places(groups: Groups) -> dict[int, tuple[int, int]]:
    ends = accumulate(map(len, groups))
    return {
        number: (end - len(group) + 1, end)
        for group, end in zip(groups, ends, strict=True)
        for number in group
    }
