"""Guards against points that come along into the next stage, or are lost on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from decided_cases import FIVE, RULES, rank, right

from scoring.carrying import as_round, carried_over
from scoring.rules import (
    CarryOver,
    CutRule,
    Grouping,
    Part,
    Stage,
)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (CarryOver.NONE, {1: 0, 2: 0, 3: 0}),
        (CarryOver.OWN, {1: 20, 2: 20, 3: 10}),
        (CarryOver.DIFFERENCE, {1: 10, 2: 10, 3: 0}),
    ],
)
def test_what_is_carried_over(rule: CarryOver, expected: dict[int, int]) -> None:
    result = rank(FIVE, right(1, 1, 2, 2, 3))
    assert {given.number: given.points for given in carried_over(result, rule)} == expected


def test_nothing_is_carried_over_an_open_tie() -> None:
    with pytest.raises(ValueError):
        carried_over(rank(FIVE, right(1)), CarryOver.OWN)


def test_a_stage_becomes_a_round() -> None:
    stage = Stage("Второй", (Part("", 1, (2, 4)),), cut=CutRule(each=Grouping.ALL, places=2))
    regulation = replace(RULES, stages=(stage, Stage("Третий")))
    second = as_round(regulation, 0)
    assert (second.themes, second.nominals, second.cut) == (1, (2, 4), 2)
    assert [later.name for later in second.stages] == ["Третий"]
    mixed = replace(stage, parts=(Part("", 1, (2,)), Part("", 1, (4,))))
    with pytest.raises(ValueError):
        as_round(replace(regulation, stages=(mixed,)), 0)
