"""Guards against a list of movers that leaves one out, or names one who has not moved."""

from __future__ import annotations

from dataclasses import replace

from decided_cases import FIVE, RULES, Case, decided, rank, right
from hypothesis import given, settings

from scoring.changes import compare
from scoring.decisions import (
    NO_DECISIONS,
    Decisions,
    NewNominal,
    Points,
)
from scoring.model import (
    StandingRow,
    Standings,
    Status,
)


@given(decided(), decided())
@settings(max_examples=40)
def test_differences_name_exactly_the_rows_that_differ(
    one: tuple[Case, Decisions], other: tuple[Case, Decisions]
) -> None:
    (players, table), decisions = one
    before, after = rank(players, table, decisions), rank(*other[0], other[1])
    found = compare(before, after)

    def rows(result: Standings) -> dict[int, tuple[str, StandingRow]]:
        return {
            row.player.number: (part.category, row)
            for part in result.categories
            for row in part.rows
        }

    old, new = rows(before), rows(after)
    expected = {number for number in old.keys() | new.keys() if old.get(number) != new.get(number)}
    assert [change.number for change in found.players] == sorted(expected)
    gone_on = {n for n, (_part, row) in old.items() if row.status is Status.IN}
    go_on = {n for n, (_part, row) in new.items() if row.status is Status.IN}
    assert {change.number for change in found.crossing} == gone_on ^ go_on
    assert {c.number for c in found.crossing if c.crosses_in} == go_on - gone_on
    assert not compare(before, before)


def test_a_difference_says_who_moved_and_by_how_much() -> None:
    rules = replace(RULES, cut=1)
    before = rank(FIVE, right(1, 1, 2), NO_DECISIONS, rules)
    decisions = Decisions(
        removed=frozenset({(2, 20)}), nominals=(NewNominal(1, 10, 30),), penalties=(Points(1, 30),)
    )
    after = rank(FIVE, right(1, 1, 2), decisions, rules)
    found = compare(before, after)
    assert found.removed == ((2, 20),)
    assert found.new_nominals == ((1, 10, 30),)
    assert compare(after, before).returned == ((2, 20),)
    by_number = {change.number: change for change in found.players}
    assert (by_number[1].points, by_number[2].points) == (-10, 20)
    assert by_number[1].crosses_out and by_number[2].crosses_in
    assert by_number[1].moved and by_number[2].moved
