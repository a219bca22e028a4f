"""The final question for a stake: who plays, what counts, who wins.

Guards against a stake above the player's sum, a missing stake that counts as nothing where the regulation
says 1, a final played though somebody had won before it, and a winner named while a stake is unclear.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import ConflictError
from scoring.decisions import ShootOut
from scoring.model import Verdict
from scoring.rules import (
    NO_TIE_RULE,
    CountBack,
    FinalStake,
    Mending,
    NoAnswer,
    NobodyPositive,
    Remedy,
    StakeFault,
    TiePolicy,
    TieRule,
)
from scoring.stakes import (
    FinalResult,
    Opening,
    StakeSheet,
    check_stake,
    limits,
    opening,
    play_final,
)
from scoring.ties import Evidence

PLAIN = FinalStake()
SUMS = st.dictionaries(st.integers(1, 9), st.integers(-50, 120), min_size=1, max_size=6)
SHEET = st.builds(
    StakeSheet,
    number=st.just(0),
    stakes=st.lists(st.integers(0, 150), max_size=2).map(tuple),
    unreadable=st.booleans(),
    verdict=st.sampled_from([None, *Verdict]),
)


def no_measure(_number: int, _key: CountBack) -> tuple[int, ...]:
    return (0,)


def play(
    sums: dict[int, int],
    sheets: list[StakeSheet],
    rule: FinalStake = PLAIN,
    ties: TieRule = NO_TIE_RULE,
    *shoot_outs: ShootOut,
) -> FinalResult:
    return play_final(sums, sheets, rule, ties, Evidence(no_measure, list(shoot_outs)))


@given(SUMS, st.booleans(), st.sampled_from([None, 2, 3]))
def test_whether_the_final_is_played(
    sums: dict[int, int], single: bool, factor: int | None
) -> None:
    rule = replace(PLAIN, single_wins=single, lead_factor=factor)
    positive = sorted((each for each in sums.values() if each > 0), reverse=True)
    if not positive:
        expected = Opening.NOBODY_POSITIVE
    elif single and len(positive) == 1:
        expected = Opening.SINGLE_POSITIVE
    elif factor and len(positive) > 1 and positive[0] > factor * positive[1]:
        expected = Opening.CLEAR_LEAD
    else:
        expected = Opening.PLAYED
    assert opening(sums, rule) is expected


def test_exactly_twice_the_next_is_played() -> None:
    rule = replace(PLAIN, lead_factor=2)
    assert opening({1: 100, 2: 50, 3: -10}, rule) is Opening.PLAYED
    assert opening({1: 110, 2: 50, 3: -10}, rule) is Opening.CLEAR_LEAD
    assert play({1: 110, 2: 50}, [], rule).winner == 1


def test_nobody_positive() -> None:
    assert play({1: 0, 2: -10}, []).winner is None
    best = replace(PLAIN, nobody_positive=NobodyPositive.BEST_SUM)
    assert play({1: 0, 2: -10}, [], best).winner == 1
    assert play({1: -10, 2: -10}, [], best).tied == (1, 2)


@given(st.integers(-20, 120), SHEET)
def test_a_stake_that_counts_is_within_the_limits(points: int, sheet: StakeSheet) -> None:
    checked = check_stake(sheet, points, PLAIN)
    if points <= 0:
        assert checked.stake == 0
        return
    fine = len(set(sheet.stakes)) == 1 and not sheet.unreadable and 1 <= sheet.stakes[0] <= points
    assert (checked.fault is None) == fine
    assert checked.stake == (sheet.stakes[0] if fine else None)


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        (StakeSheet(1), StakeFault.MISSING),
        (StakeSheet(1, (0,)), StakeFault.TOO_LOW),
        (StakeSheet(1, (60,)), StakeFault.TOO_HIGH),
        (StakeSheet(1, (15,)), StakeFault.OFF_STEP),
        (StakeSheet(1, (10, 20)), StakeFault.DOUBLED),
        (StakeSheet(1, (10,), unreadable=True), StakeFault.UNREADABLE),
        (StakeSheet(1, (20, 20)), None),
    ],
)
@pytest.mark.parametrize(
    ("mending", "counts"),
    [
        (Mending(), None),
        (Mending(Remedy.COUNT, 20), 20),
        (Mending(Remedy.COUNT, 90), 50),
        (Mending(Remedy.LEAST), 10),
        (Mending(Remedy.MOST), 50),
        (Mending(Remedy.NOT_PLAYING), 0),
    ],
)
def test_every_fault_and_every_remedy(
    sheet: StakeSheet, fault: StakeFault | None, mending: Mending, counts: int | None
) -> None:
    mendings = tuple((each, mending) for each in StakeFault)
    rule = FinalStake(least=10, step=10, mendings=mendings)
    checked = check_stake(sheet, 55, rule)
    assert checked.fault is fault
    assert checked.stake == (20 if fault is None else counts)


def test_the_chief_has_the_last_word_within_the_limits() -> None:
    unreadable = StakeSheet(1, unreadable=True, verdict=Verdict.RIGHT)
    assert play({1: 50, 2: 40}, [unreadable]).chief == (1, 2)
    ruled = [replace(unreadable, ruled=30), StakeSheet(2, ruled=0)]
    result = play({1: 50, 2: 40}, ruled)
    assert result.winner == 1
    assert result.rows[0].after == 80
    assert result.rows[0].fault is StakeFault.UNREADABLE
    with pytest.raises(ConflictError, match="51"):
        play({1: 50, 2: 40}, [replace(unreadable, ruled=51)])


@given(SUMS, st.data())
def test_the_final_against_plain_arithmetic(sums: dict[int, int], data: st.DataObject) -> None:
    """Every positive player stakes correctly: sums change by ± the stake, the others' stand."""
    rule = replace(PLAIN, nobody_positive=NobodyPositive.BEST_SUM)
    sheets, after = [], dict(sums)
    for number, points in sums.items():
        if points > 0:
            stake = data.draw(st.integers(1, points))
            won = data.draw(st.booleans())
            verdict = Verdict.RIGHT if won else Verdict.WRONG
            sheets.append(StakeSheet(number, (stake,), verdict=verdict))
            after[number] += stake if won else -stake
    result = play(sums, sheets, rule)
    assert {row.number: row.after for row in result.rows} == after
    best = [number for number, points in after.items() if points == max(after.values())]
    assert result.winner == (best[0] if len(best) == 1 else None)
    assert set(result.tied) == (set(best) if len(best) > 1 else set())


@given(SUMS, st.lists(SHEET, min_size=6, max_size=6), st.randoms())
def test_the_order_of_sheets_is_of_no_account(
    sums: dict[int, int], drawn: list[StakeSheet], dice: random.Random
) -> None:
    sheets = [replace(sheet, number=n) for n, sheet in zip(sums, drawn, strict=False)]
    shuffled = dict(dice.sample(list(sums.items()), len(sums)))
    assert play(sums, sheets) == play(shuffled, dice.sample(sheets, len(sheets)))


@given(SUMS, st.lists(SHEET, min_size=6, max_size=6))
def test_no_winner_while_anything_is_open(sums: dict[int, int], drawn: list[StakeSheet]) -> None:
    sheets = [replace(sheet, number=n) for n, sheet in zip(sums, drawn, strict=False)]
    result = play(sums, sheets)
    if result.opening is Opening.PLAYED and any(row.change is None for row in result.rows):
        assert result.winner is None
        assert set(result.chief) | set(result.open_verdicts) == {
            row.number for row in result.rows if row.change is None
        }


@pytest.mark.parametrize(
    ("no_answer", "change"),
    [(NoAnswer.WRONG, -10), (NoAnswer.NOTHING, 0), (NoAnswer.CHIEF, None)],
)
def test_a_stake_without_an_answer(no_answer: NoAnswer, change: int | None) -> None:
    rule = replace(PLAIN, no_answer=no_answer)
    sheets = [
        StakeSheet(1, (10,), verdict=Verdict.BLANK),
        StakeSheet(2, (10,), verdict=Verdict.WRONG),
    ]
    result = play({1: 50, 2: 30}, sheets, rule)
    assert result.rows[0].change == change
    assert result.chief == ((1,) if change is None else ())


def test_no_winner_while_a_verdict_is_open() -> None:
    sheets = [StakeSheet(1, (10,), verdict=Verdict.RIGHT), StakeSheet(2, (10,))]
    result = play({1: 50, 2: 30}, sheets)
    assert (result.winner, result.chief, result.open_verdicts) == (None, (), (2,))


def test_a_tie_after_the_final_goes_to_the_shoot_out() -> None:
    sheets = [
        StakeSheet(1, (10,), verdict=Verdict.WRONG),
        StakeSheet(2, (10,), verdict=Verdict.RIGHT),
    ]
    ties = TieRule((TiePolicy.SHOOT_OUT, TiePolicy.LOT), 2)
    result = play({1: 50, 2: 30}, sheets, PLAIN, ties)
    assert (result.tied, result.waiting) == ((1, 2), TiePolicy.SHOOT_OUT)
    result = play({1: 50, 2: 30}, sheets, PLAIN, ties, ShootOut(((1, 0), (2, 60))))
    assert result.winner == 2


def test_everyone_may_stake_up_to_a_fixed_most() -> None:
    rule = FinalStake(everyone=True, most=100)
    assert limits(-50, rule) == (1, 100)
    assert limits(30, replace(PLAIN, most=20)) == (1, 20)
    assert limits(30, replace(PLAIN, most=50)) == (1, 30)
    assert limits(5, replace(PLAIN, least=10)) is None


def test_sheets_of_others_are_faults() -> None:
    for sheets in ([StakeSheet(9)], [StakeSheet(1), StakeSheet(1)]):
        with pytest.raises(ValueError):
            play({1: 10}, sheets)
