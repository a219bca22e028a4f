"""The plan of the whole sample: sub-seeds are tried until the cut falls as the sample wants it.

The first category's line must run through a tie, the second's must be clear, and the third must be
smaller than the cut, so that the demo and the tests meet all three cases with any seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from samples.event_files import SampleEvent
from samples.plan import Plan, PlannedSheet, fill
from scanner.geometry import SheetKind

SPARES = 2
"""How many players write on a numbered spare blank instead of their own."""

PLAN_STREAM = 11
"""Keeps the plan's random numbers apart from those of hands and scans."""


def plan_sample(event: SampleEvent, seed: int, sheets: int | None = None) -> Plan:
    """Plan the sample.

    Args:
        event: The invented event.
        seed: The same seed gives the same plan; every seed gives one whose cuts are as wanted.
        sheets: None for every player present. Fewer: only the first so many sheets (the two spares
            among them). More: the roster is grown by players of the same names with new numbers.
    """
    plan = next(
        candidate
        for sub_seed in count()
        if _wanted(candidate := _candidate(event, seed, sub_seed), event)
    )
    if sheets is None:
        return plan
    if sheets <= len(plan.sheets):
        return _shortened(plan, sheets)
    return _grown(plan, event, seed, sheets)


def tie_across(scores: Sequence[int], places: int) -> bool:
    """True if equal scores stand on both sides of the line under `places`."""
    ordered = sorted(scores, reverse=True)
    return len(ordered) > places and ordered[places - 1] == ordered[places]


def scores_of(plan: Plan, category: str) -> list[int]:
    """The true scores of a category's players who wrote."""
    numbers = {player.number for player in plan.players if player.category == category}
    return [score for number, score in plan.scores.items() if number in numbers]


def _candidate(event: SampleEvent, seed: int, sub_seed: int) -> Plan:
    rng = np.random.default_rng([PLAN_STREAM, seed, sub_seed])
    groups = [
        [player.number for player in event.players if player.category == category]
        for category in event.regulation.categories
    ]
    # One absent player in each of the smaller categories; the first one stays complete.
    absent = tuple(sorted(int(rng.choice(group)) for group in groups[1:3]))
    present = [player for player in event.players if player.number not in absent]
    on_spares = sorted(int(i) for i in rng.choice(len(present), size=SPARES, replace=False))
    sheets = []
    for index, player in enumerate(present):
        boxes = fill(event, player, rng)
        if index in on_spares:
            kind, number = SheetKind.SPARE, on_spares.index(index) + 1
        else:
            kind, number = SheetKind.PERSONAL, player.number
        sheets.append(PlannedSheet(kind, number, player.number, boxes))
    return Plan(event.players, tuple(sheets), absent)


def _wanted(plan: Plan, event: SampleEvent) -> bool:
    cut = event.regulation.cut
    first, second, third = (scores_of(plan, name) for name in event.regulation.categories)
    return (
        tie_across(first, cut)
        and len(second) > cut
        and not tie_across(second, cut)
        and len(third) < cut
    )


def _shortened(plan: Plan, sheets: int) -> Plan:
    spares = [sheet for sheet in plan.sheets if sheet.kind is SheetKind.SPARE][:sheets]
    own = [sheet for sheet in plan.sheets if sheet.kind is not SheetKind.SPARE]
    kept = {sheet.sheet for sheet in [*spares, *own[: sheets - len(spares)]]}
    return replace(plan, sheets=tuple(sheet for sheet in plan.sheets if sheet.sheet in kept))


def _grown(plan: Plan, event: SampleEvent, seed: int, sheets: int) -> Plan:
    rng = np.random.default_rng([PLAN_STREAM, seed, sheets, 1])
    players, filled = list(plan.players), list(plan.sheets)
    number = max(player.number for player in players)
    while len(filled) < sheets:
        number += 1
        twin = event.players[(number - 1) % len(event.players)]
        player = replace(twin, number=number)
        players.append(player)
        filled.append(PlannedSheet(SheetKind.PERSONAL, number, number, fill(event, player, rng)))
    return Plan(tuple(players), tuple(filled), plan.absent)
