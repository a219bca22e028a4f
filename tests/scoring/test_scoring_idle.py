"""Guards against a shoot-out that was played and then counts for nothing without anybody noticing."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import ConflictError
from scoring.decisions import Decisions, Lot, ShootOut, TieChoice
from scoring.model import Player, Regulation, Standings, Status
from scoring.ranking import standings
from scoring.rules import CountBack, TiePolicy, TieRule
from scoring.ties import check_steps, open_steps, unused

SHOOT_OUT = TieRule((TiePolicy.SHOOT_OUT,), themes=1)


def _of(rights: dict[int, int], *shoot_outs: dict[int, int | None]) -> Standings:
    """The standings of players with so many rights on 10, one place, ties played out."""
    players = [Player(number, f"Игрок {number}", "А") for number in rights]
    rows = [
        (number, theme, 10, "right" if theme <= count else "blank")
        for number, count in rights.items()
        for theme in range(1, 9)
    ]
    verdicts = pd.DataFrame(rows, columns=["player", "theme", "nominal", "verdict"])
    decisions = Decisions(
        choices=(TieChoice(SHOOT_OUT),),
        shoot_outs=tuple(ShootOut(tuple(one.items())) for one in shoot_outs),
    )
    return standings("", players, set(rights), verdicts, Regulation(cut=1), decisions)


def test_a_shoot_out_that_decides_is_not_idle() -> None:
    assert _of({1: 3, 2: 3, 3: 1}, {1: 10, 2: 20}).idle_shoot_outs == ()


def test_one_that_lacks_a_player_who_is_tied_now_is_idle() -> None:
    found = _of({1: 3, 2: 3, 3: 3}, {1: 10, 2: 20})
    assert found.idle_shoot_outs == (0,)
    assert {row.status for row in found.categories[0].rows} == {Status.TIED}


def test_one_whose_tie_is_gone_is_idle() -> None:
    assert _of({1: 4, 2: 3, 3: 1}, {1: 10, 2: 20}).idle_shoot_outs == (0,)


def test_of_two_shoot_outs_the_one_too_many_is_idle() -> None:
    assert _of({1: 3, 2: 3}, {1: 10, 2: 20}, {1: 50, 2: 0}).idle_shoot_outs == (1,)
    assert _of({1: 3, 2: 3}, {1: 10, 2: 10}, {1: 50, 2: 0}).idle_shoot_outs == ()


@given(st.lists(st.integers(0, 3), max_size=6), st.data())
def test_what_some_group_took_is_not_idle_and_all_else_is(
    values: list[int], data: st.DataObject
) -> None:
    given_ = [Lot((value,)) for value in values]
    places = range(len(given_))
    taken = [
        data.draw(st.sets(st.sampled_from(places)) if given_ else st.just(set())) for _ in "ab"
    ]
    left = [[lot for at, lot in enumerate(given_) if at not in gone] for gone in taken]
    assert unused(given_, left) == tuple(
        at for at in places if not any(at in gone for gone in taken)
    )


@pytest.mark.parametrize(
    ("steps", "themes", "keys"),
    [
        ((), 0, ()),
        ((TiePolicy.UNDECIDED,), 0, ()),
        ((TiePolicy.ALL_IN, TiePolicy.LOT), 0, ()),
        ((TiePolicy.SHOOT_OUT, TiePolicy.SHOOT_OUT), 1, ()),
        ((TiePolicy.SHOOT_OUT,), 0, ()),
        ((TiePolicy.LOT,), 1, ()),
        ((TiePolicy.COUNT_BACK,), 0, ()),
        ((TiePolicy.LOT,), 0, (CountBack.MOST_RIGHTS,)),
        ((TiePolicy.COUNT_BACK,), 0, (CountBack.MOST_RIGHTS, CountBack.MOST_RIGHTS)),
    ],
)
def test_steps_without_a_sense_are_refused(
    steps: tuple[TiePolicy, ...], themes: int, keys: tuple[CountBack, ...]
) -> None:
    with pytest.raises(ConflictError):
        check_steps(steps, themes, keys)


def test_after_a_last_word_nothing_is_open_to_choice() -> None:
    undecided = TieRule()
    assert len(open_steps(undecided, None)) == 5
    assert TiePolicy.SHOOT_OUT not in open_steps(undecided, SHOOT_OUT)
    assert open_steps(undecided, TieRule((TiePolicy.LOT,))) == ()
    assert open_steps(TieRule((TiePolicy.ALL_IN,)), None) == ()
