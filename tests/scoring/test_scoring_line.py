"""The line and its ties: every policy against the plainest possible reading of its words.

Guards against a tie decided in silence or by the order of rows, a shoot-out of other players applied, a
lot that its seed does not give, places below the least score given away, and a reserve called too early.
"""

from __future__ import annotations

import random
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import ConflictError
from scoring.cut import Line, LineRules, draw_line, places_left
from scoring.decisions import Announced, Lot, ShootOut
from scoring.lots import draw_order
from scoring.model import Status
from scoring.quotas import quota_of
from scoring.rules import (
    Announcing,
    CountBack,
    CutRule,
    Formula,
    ReserveCall,
    TiePolicy,
    TieRule,
)
from scoring.ties import Evidence, steps_of

Scores = dict[int, int]
SCORES = st.dictionaries(st.integers(1, 40), st.integers(-3, 3), max_size=20)


def nothing(_number: int, _key: CountBack) -> tuple[int, ...]:
    return (0,)


def line(
    scores: Scores,
    quota: int,
    *steps: TiePolicy,
    shoot_outs: tuple[ShootOut, ...] = (),
    lots: tuple[Lot, ...] = (),
    declined: frozenset[int] = frozenset(),
    called: frozenset[int] = frozenset(),
    **more: object,
) -> Line:
    rules = LineRules(quota, ties=TieRule(steps or (TiePolicy.UNDECIDED,)), **more)  # type: ignore[arg-type]
    evidence = Evidence(nothing, list(shoot_outs), list(lots))
    return draw_line(scores, rules, evidence, declined=declined, called=called)


def inside(result: Line) -> set[int]:
    return {number for number, status in result.statuses.items() if status is Status.IN}


def tie_at(scores: Scores, quota: int) -> tuple[set[int], set[int]]:
    """Those surely in and those tied across the line, from the words of the regulation alone."""
    sure, tied = set(), set()
    for number, score in scores.items():
        no_worse = sum(other >= score for other in scores.values())
        better = sum(other > score for other in scores.values())
        if no_worse <= quota:
            sure.add(number)
        elif better < quota:
            tied.add(number)
    return sure, tied


@given(SCORES, st.integers(1, 10))
def test_undecided_leaves_the_tied_open(scores: Scores, quota: int) -> None:
    result = line(scores, quota)
    sure, tied = tie_at(scores, quota)
    assert inside(result) == sure
    assert set(result.cut.tied) == tied
    assert result.cut.waiting == (TiePolicy.UNDECIDED if tied else None)


@given(SCORES, st.integers(1, 10))
def test_all_in(scores: Scores, quota: int) -> None:
    result = line(scores, quota, TiePolicy.ALL_IN)
    sure, tied = tie_at(scores, quota)
    assert inside(result) == sure | tied
    assert not result.cut.undecided
    assert result.cut.sure == len(sure | tied)
    assert result.cut.last_score == min((scores[n] for n in sure | tied), default=None)


@given(SCORES, st.integers(1, 10))
def test_none_in(scores: Scores, quota: int) -> None:
    result = line(scores, quota, TiePolicy.NONE_IN)
    sure, _tied = tie_at(scores, quota)
    assert inside(result) == sure
    assert not result.cut.undecided


@given(SCORES, st.integers(1, 10), st.text(max_size=5))
def test_lot(scores: Scores, quota: int, seed: str) -> None:
    sure, tied = tie_at(scores, quota)
    order = draw_order(scores, seed)
    result = line(scores, quota, TiePolicy.LOT, lots=(Lot(order, seed),))
    lucky = [number for number in order if number in tied][: quota - len(sure)] if tied else []
    assert inside(result) == sure | set(lucky)
    assert [step.seed for step in result.cut.steps] == ([seed] if tied else [])


@given(SCORES, st.integers(1, 10), st.dictionaries(st.integers(1, 40), st.integers(0, 3)))
def test_one_shoot_out(scores: Scores, quota: int, points: Scores) -> None:
    sure, tied = tie_at(scores, quota)
    played = ShootOut(tuple(points.items()))
    result = line(scores, quota, TiePolicy.SHOOT_OUT, shoot_outs=(played,))
    if not tied <= points.keys():
        assert set(result.cut.tied) == tied
        assert inside(result) == sure
    else:
        winners, still = tie_at({n: points[n] for n in tied}, quota - len(sure))
        assert inside(result) == sure | (winners if tied else set())
        assert set(result.cut.tied) == (still if tied else set())
    assert result.cut.waiting == (TiePolicy.SHOOT_OUT if result.cut.tied else None)


def test_shoot_outs_are_played_until_they_decide() -> None:
    scores = {1: 50, 2: 40, 3: 40, 4: 40}
    first = ShootOut(((2, 10), (3, 30), (4, 10)))
    second = ShootOut(((2, 20), (4, None)))
    assert set(line(scores, 3, TiePolicy.SHOOT_OUT, shoot_outs=(first,)).cut.tied) == {2, 4}
    result = line(scores, 3, TiePolicy.SHOOT_OUT, shoot_outs=(first, second))
    assert inside(result) == {1, 2, 3}
    assert result.places == {1: (1, 1), 3: (2, 2), 2: (3, 3), 4: (4, 4)}


def test_after_one_shoot_out_the_lot() -> None:
    scores = {1: 40, 2: 40, 3: 40}
    first = ShootOut(((1, 10), (2, 10), (3, 0)))
    steps = (TiePolicy.SHOOT_OUT, TiePolicy.LOT)
    assert line(scores, 1, *steps, shoot_outs=(first,)).cut.waiting is TiePolicy.LOT
    result = line(scores, 1, *steps, shoot_outs=(first,), lots=(Lot((2, 1)),))
    assert inside(result) == {2}
    assert [step.policy for step in result.cut.steps] == list(steps)


def test_who_does_not_come_to_the_shoot_out_is_last() -> None:
    played = ShootOut(((1, -50), (2, None)))
    result = line({1: 0, 2: 0}, 1, TiePolicy.SHOOT_OUT, shoot_outs=(played,))
    assert inside(result) == {1}


def test_a_shoot_out_of_others_decides_nothing() -> None:
    """A verdict changed after the shoot-out and brought a third player into the tie."""
    played = ShootOut(((1, 10), (2, 0)))
    result = line({1: 40, 2: 40, 3: 40}, 1, TiePolicy.SHOOT_OUT, shoot_outs=(played,))
    assert result.cut.tied == (1, 2, 3)


@given(
    st.dictionaries(
        st.integers(1, 20), st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 2))
    ),
    st.integers(1, 8),
)
def test_count_back_against_sorting(table: dict[int, tuple[int, int, int]], quota: int) -> None:
    """Two keys one after another are the order of the tuples, cut by groups that remain equal."""
    keys = (CountBack.MOST_RIGHTS, CountBack.FEWEST_WRONGS)
    scores = {number: values[0] for number, values in table.items()}
    rules = LineRules(quota, ties=TieRule((TiePolicy.COUNT_BACK,), keys=keys))
    evidence = Evidence(lambda number, key: (table[number][1 + keys.index(key)],))
    result = draw_line(scores, rules, evidence)
    ordered = sorted(table, key=lambda number: table[number], reverse=True)
    expected, open_ = set(), set()
    above = 0
    for _values, group in groupby(ordered, key=lambda number: table[number]):
        members = set(group)
        if above + len(members) <= quota:
            expected |= members
        elif above < quota:
            open_ = members
        above += len(members)
    assert inside(result) == expected
    assert set(result.cut.tied) == open_


@given(SCORES, st.integers(1, 10), st.integers(0, 8), st.integers(-2, 2))
def test_sure_places_and_least_score(scores: Scores, quota: int, sure: int, least: int) -> None:
    """«The best `sure` stay in any case, all within `quota` if they have `least`, ties too»."""
    sure = min(sure, quota)
    result = line(scores, quota, TiePolicy.ALL_IN, sure=sure, least_score=least)
    ordered = sorted(scores.values(), reverse=True)
    kept = [score for index, score in enumerate(ordered[:quota]) if index < sure or score >= least]
    expected = {n for n, score in scores.items() if kept and score >= kept[-1]}
    assert inside(result) == expected
    assert result.cut.quota == quota
    assert result.cut.places == places_left(list(scores.values()), quota, sure, least)


@given(SCORES, st.integers(1, 10), st.randoms(), st.sampled_from(TiePolicy))
def test_the_order_of_rows_is_of_no_account(
    scores: Scores, quota: int, dice: random.Random, policy: TiePolicy
) -> None:
    shuffled = dict(dice.sample(list(scores.items()), len(scores)))
    lots = (Lot(draw_order(scores, "1"), "1"),)
    one, other = line(scores, quota, policy, lots=lots), line(shuffled, quota, policy, lots=lots)
    assert one.cut == other.cut
    assert one.statuses == other.statuses
    assert one.places == other.places


@given(SCORES, st.integers(1, 10), st.sets(st.integers(1, 40)), st.sampled_from(TiePolicy))
def test_who_declines_makes_room_for_the_next(
    scores: Scores, quota: int, declined: set[int], policy: TiePolicy
) -> None:
    lots = (Lot(draw_order(scores, "1"), "1"),)
    gone = declined & scores.keys()
    result = line(scores, quota, policy, lots=lots, declined=frozenset(declined))
    without = line({n: s for n, s in scores.items() if n not in gone}, quota, policy, lots=lots)
    assert {n for n, status in result.statuses.items() if status is Status.DECLINED} == gone
    assert inside(result) == inside(without)
    # Places are those of all; the ranges cover them without gap.
    covered = [place for low, high in set(result.places.values()) for place in range(low, high + 1)]
    assert sorted(covered) == list(range(1, len(scores) + 1))


def test_the_reserve_list() -> None:
    scores = {1: 50, 2: 40, 3: 30, 4: 30, 5: 20, 6: 10}
    result = line(scores, 2, reserve=2)
    assert result.cut.reserve == ((3, 4),)
    assert result.statuses[5] is Status.OUT
    assert line(scores, 2, reserve=3).cut.reserve == ((3, 4), (5,))
    # Two tie for one place: who loses is the first reserve, so that one more is named.
    assert line(scores, 3, reserve=2).cut.reserve == ((5,),)
    # Who declines is called no more, and the next moves up.
    result = line(scores, 2, reserve=2, declined=frozenset({1}))
    assert set(result.cut.tied) == {3, 4}
    assert line(scores, 2, reserve=2, declined=frozenset({3})).cut.reserve == ((4,), (5,))


def test_the_reserve_needs_the_least_score() -> None:
    scores = {1: 5, 2: 3, 3: 1, 4: 0, 5: -1}
    result = line(scores, 2, sure=1, least_score=1, reserve=3)
    assert result.cut.reserve == ((3,),)


def test_the_host_chooses_a_substitute() -> None:
    scores = {1: 50, 2: 40, 3: 30, 4: 20}
    host = {"reserve_call": ReserveCall.HOST}
    result = line(scores, 2, declined=frozenset({1}), called=frozenset({4}), **host)
    assert inside(result) == {2, 4}
    assert result.statuses[1] is Status.DECLINED
    assert result.statuses[3] is Status.OUT
    assert inside(line(scores, 2, declined=frozenset({1}), **host)) == {2}
    with pytest.raises(ConflictError, match="2"):
        line(scores, 2, declined=frozenset({1}), called=frozenset({2}), **host)
    # Who gives no place back has not declined one.
    assert line(scores, 2, declined=frozenset({3}), **host).statuses[3] is Status.OUT


def test_prize_places_are_decided_too() -> None:
    scores = {1: 50, 2: 50, 3: 40, 4: 40}
    open_ = line(scores, 4, TiePolicy.SHOOT_OUT, prizes=3)
    assert open_.cut.shared_prizes == ((1, 2), (3, 4))
    assert open_.places[1] == (1, 2)
    played = (ShootOut(((1, 0), (2, 10))), ShootOut(((3, 20), (4, 10))))
    result = line(scores, 4, TiePolicy.SHOOT_OUT, prizes=3, shoot_outs=played)
    assert result.places == {2: (1, 1), 1: (2, 2), 3: (3, 3), 4: (4, 4)}
    assert result.cut.shared_prizes == ()


def test_a_lot_that_its_seed_does_not_give_is_refused() -> None:
    order = draw_order({1, 2, 3}, "17")
    with pytest.raises(ConflictError, match="17"):
        line({1: 0, 2: 0, 3: 0}, 1, TiePolicy.LOT, lots=(Lot(order[::-1], "17"),))


def test_a_choice_against_the_regulation_is_refused() -> None:
    choice = TieRule((TiePolicy.ALL_IN,))
    with pytest.raises(ConflictError):
        steps_of(TieRule((TiePolicy.NONE_IN,)), choice)
    assert steps_of(TieRule(), choice).steps == (TiePolicy.ALL_IN,)
    assert steps_of(TieRule((TiePolicy.SHOOT_OUT,), 1), choice) == TieRule(
        (TiePolicy.SHOOT_OUT, TiePolicy.ALL_IN), 1
    )


@given(st.integers(0, 500), st.integers(1, 4), st.integers(1, 9), st.integers(-3, 3))
def test_formulas(count: int, times: int, by: int, plus: int) -> None:
    rule = CutRule(formula=Formula(times, by, plus), at_least=8)
    expected = max(8, int((count * times) // by) + plus)
    assert quota_of(rule, "", count) == expected


def test_announcements() -> None:
    fixed = CutRule(places=32)
    assert quota_of(fixed, "7 класс", 100, (Announced(32),)) == 32
    with pytest.raises(ConflictError):
        quota_of(fixed, "7 класс", 100, (Announced(31, by_chief=True),))
    by_chief = CutRule(formula=Formula(1, 3, 1), at_least=8, announcing=Announcing.BY_CHIEF)
    assert quota_of(by_chief, "", 60, (Announced(15, by_chief=True),)) == 15
    for told in (Announced(15), Announced(7, by_chief=True)):
        with pytest.raises(ConflictError):
            quota_of(by_chief, "", 60, (told,))
    required = CutRule(announcing=Announcing.REQUIRED, quotas=(("НГУ", 14),))
    assert quota_of(required, "нгу", 40) == 14
    assert quota_of(required, "ДДТ", 40, (Announced(13, "ддт"),)) == 13
    with pytest.raises(ConflictError, match="ДДТ"):
        quota_of(required, "ДДТ", 40)
