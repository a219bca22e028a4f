"""Ties across a line, decided step by step; what cannot be decided yet stays open and says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.decisions import Lot, ShootOut
from scoring.lots import draw_order
from scoring.model import TieStep
from scoring.rules import FINAL_POLICIES, CountBack, TiePolicy, TieRule

Groups = tuple[tuple[int, ...], ...]
Measures = Callable[[int, CountBack], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Settled:
    """The players in order, equal ones together, after all that could be decided at one line.

    `crossing` is the index of the group across the line, None if the line is clear. `extra` is the policy
    that let all or none of it in. `waiting` is the step that must be taken next, None if none is needed.
    """

    groups: Groups
    crossing: int | None = None
    extra: TiePolicy | None = None
    waiting: TiePolicy | None = None
    steps: tuple[TieStep, ...] = ()


@dataclass(slots=True)
class Evidence:
    """What was played, drawn or can be compared; every shoot-out and lot is used once.

    `measures` gives the values of a player under a key, the larger the better. `taken` is how many steps
    each player has been through: a tie that is looked at again, at another line, goes on from there.
    """

    measures: Measures
    shoot_outs: list[ShootOut] = field(default_factory=list)
    lots: list[Lot] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)


def by_score(scores: Mapping[int, int]) -> Groups:
    """The players best first, those of equal scores together and by number."""
    order = sorted(scores, key=lambda number: (-scores[number], number))
    return tuple(tuple(group) for _score, group in groupby(order, key=scores.__getitem__))


def steps_of(rule: TieRule, choice: TieRule | None) -> TieRule:
    """The regulation's steps, followed by those that the organizer chose.

    Raises:
        ConflictError: The regulation decides every tie itself and leaves nothing to choose.
    """
    own = tuple(step for step in rule.steps if step is not TiePolicy.UNDECIDED)
    if choice is None:
        return rule
    if own and own[-1] in FINAL_POLICIES:
        raise ConflictError(
            _("The regulation itself says how a tie is decided: {steps}.").format(
                steps=", ".join(own)
            ),
            _("Take the choice back, or change the regulation."),
        )
    return TieRule((*own, *choice.steps), choice.themes or rule.themes, choice.keys or rule.keys)


CHOOSABLE = (
    TiePolicy.ALL_IN,
    TiePolicy.NONE_IN,
    TiePolicy.SHOOT_OUT,
    TiePolicy.COUNT_BACK,
    TiePolicy.LOT,
)


def open_steps(rule: TieRule, choice: TieRule | None) -> tuple[TiePolicy, ...]:
    """The steps that may still be chosen: none where the regulation, or what was chosen, has a last word.

    Args:
        rule: The regulation's own steps.
        choice: What was chosen so far, None if nothing was.
    """
    taken = [*rule.steps, *(choice.steps if choice else ())]
    taken = [step for step in taken if step is not TiePolicy.UNDECIDED]
    if taken and taken[-1] in FINAL_POLICIES:
        return ()
    return tuple(step for step in CHOOSABLE if step not in taken)


def check_steps(steps: Sequence[TiePolicy], themes: int, keys: Sequence[CountBack]) -> None:
    """Refuse steps that somebody chose and that could not be taken one after another.

    Raises:
        ConflictError: None at all, one twice, one after a step that leaves nothing to decide, or one
            without its themes or keys.
    """
    hint = _("Choose the steps again; only the last one may be “all in”, “none in” or a lot.")
    if not steps or TiePolicy.UNDECIDED in steps:
        raise ConflictError(_("No step is chosen."), hint)
    if len(set(steps)) < len(steps) or len(set(keys)) < len(keys):
        raise ConflictError(_("A step is chosen twice."), hint)
    if any(step in FINAL_POLICIES for step in steps[:-1]):
        raise ConflictError(_("After such a step nothing is left to decide."), hint)
    if bool(keys) is not (TiePolicy.COUNT_BACK in steps):
        raise ConflictError(
            _("A count-back needs what it compares, and only a count-back compares anything."),
            _("Known are: {words}.").format(words=", ".join(CountBack)),
        )
    if (themes > 0) is not (TiePolicy.SHOOT_OUT in steps):
        raise ConflictError(
            _("A shoot-out needs a number of themes, and only a shoot-out has one."),
            _("Say how many themes it has."),
        )


def settle(groups: Groups, line: int, rule: TieRule, evidence: Evidence) -> Settled:
    """Decide the tie across a line, if there is one.

    The steps of the rule are taken one after another, each on those who are still across the line. A step
    that separates some of them ends the work if the line is clear then. A count-back compares its keys one
    after another. A shoot-out that was not played, or not with all of the tied, leaves the tie open.

    Args:
        groups: The players in order, best first, equal ones together.
        line: How many places are above it.
        rule: The steps.
        evidence: What has been played and drawn; what is used here is taken out of it.

    Raises:
        ConflictError: A recorded lot is not what its seed gives.
    """
    taken: list[TieStep] = []
    while (at := across(groups, line)) is not None:
        tied = groups[at]
        index = max(evidence.taken.get(number, 0) for number in tied)
        policy, key = _step(rule, index)
        if policy in (TiePolicy.ALL_IN, TiePolicy.NONE_IN):
            taken.append(TieStep(policy, tied, (tied,)))
            return Settled(groups, at, extra=policy, steps=tuple(taken))
        order = _order(policy, key, tied, evidence)
        if order is None:
            return Settled(groups, at, waiting=policy, steps=tuple(taken))
        parts, seed = order
        taken.append(TieStep(policy, tied, parts, key.value if key else "", seed))
        evidence.taken |= dict.fromkeys(tied, index + 1)
        groups = (*groups[:at], *parts, *groups[at + 1 :])
    return Settled(groups, steps=tuple(taken))


def across(groups: Sequence[Sequence[int]], line: int) -> int | None:
    """The index of the group that lies on both sides of the line."""
    above = 0
    for index, group in enumerate(groups):
        if above < line < above + len(group):
            return index
        above += len(group)
    return None


def unused(given: Sequence[object], left: Iterable[Sequence[object]]) -> tuple[int, ...]:
    """The positions of the shoot-outs (or lots) that served no group.

    A later ruling may leave no tie, or one among other players: what was played for the old one is passed
    over then, and somebody has to be told.

    Args:
        given: All of them, in the order in which they were played.
        left: For each group, what it left of them, in the same order.
    """
    idle = set(range(len(given)))
    for rest in left:
        waiting = list(rest)
        unserved = set()
        # From the end: of two that are the same one the earlier was taken.
        for at in reversed(range(len(given))):
            if waiting and waiting[-1] is given[at]:
                waiting.pop()
                unserved.add(at)
        idle &= unserved
    return tuple(sorted(idle))


def _step(rule: TieRule, index: int) -> tuple[TiePolicy, CountBack | None]:
    """The step at an index, counting a count-back as one step a key.

    A shoot-out at the end is played without end; after other steps somebody has to choose a further one.
    """
    steps: list[tuple[TiePolicy, CountBack | None]] = []
    for step in rule.steps:
        if step is TiePolicy.COUNT_BACK:
            steps += [(step, key) for key in rule.keys]
        else:
            steps.append((step, None))
    if index < len(steps):
        return steps[index]
    again = rule.steps[-1] is TiePolicy.SHOOT_OUT
    return (TiePolicy.SHOOT_OUT if again else TiePolicy.UNDECIDED), None


def _order(
    policy: TiePolicy, key: CountBack | None, tied: tuple[int, ...], evidence: Evidence
) -> tuple[Groups, str] | None:
    """The tied in the order of one step and the seed of a lot; None if it cannot be taken yet."""
    if policy is TiePolicy.COUNT_BACK and key is not None:
        values = {number: evidence.measures(number, key) for number in tied}
        return best_first(values), ""
    if policy is TiePolicy.SHOOT_OUT:
        for index, played in enumerate(evidence.shoot_outs):
            points = dict(played.scores)
            if points.keys() >= set(tied):
                del evidence.shoot_outs[index]
                return best_first({number: _rank(points[number]) for number in tied}), ""
    if policy is TiePolicy.LOT:
        for index, lot in enumerate(evidence.lots):
            if set(lot.order) >= set(tied):
                check_lot(lot)
                del evidence.lots[index]
                return tuple((number,) for number in lot.order if number in tied), lot.seed
    return None


def _rank(points: int | None) -> tuple[int, ...]:
    """One who did not come to the shoot-out stands below all who did."""
    return () if points is None else (points,)


def best_first(values: Mapping[int, tuple[int, ...]]) -> Groups:
    """The players by their values, the largest first, equal ones together and by number."""
    order = sorted(sorted(values), key=values.__getitem__, reverse=True)
    return tuple(tuple(sorted(group)) for _value, group in groupby(order, key=values.__getitem__))


def check_lot(lot: Lot) -> None:
    """Refuse a lot whose order does not follow from its seed.

    Raises:
        ConflictError: It does not.
    """
    if lot.seed and draw_order(lot.order, lot.seed) != lot.order:
        raise ConflictError(
            _("The recorded lot is not the one that the seed “{seed}” gives.").format(
                seed=lot.seed
            ),
            _("Record the lot again, with the order exactly as it was drawn."),
        )
