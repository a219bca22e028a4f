"""Seeding into bouts: school-mates meet as seldom as numbers allow, and the same seed gives the same draw.

Guards against two players of one school in a bout where a better split exists, a claim of optimality that
is not true, a pot that gives two players to one bout, and a draw that nobody can repeat.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otbor.errors import ConflictError
from scoring.apart import Task, clashing_pairs, exhaustive, fewest_pairs, lower_bound
from scoring.colouring import even_colouring
from scoring.lots import draw_order
from scoring.seeding import Entrant, Method, Seeding, seed_bouts

SCHOOLS = st.sampled_from(["", "1", "2", "3", "Лицей", "лицей"])


def pairs_in(result: Seeding, entrants: list[Entrant]) -> int:
    """Pairs that share a school, team or mark and meet, counted anew."""
    by_number = {entrant.number: entrant for entrant in entrants}

    def clash(one: Entrant, other: Entrant) -> bool:
        return (
            (one.school != "" and one.school.casefold() == other.school.casefold())
            or (one.team != "" and one.team == other.team)
            or bool(one.apart & other.apart)
        )

    return sum(
        clash(by_number[one], by_number[other])
        for bout in result.bouts
        for one, other in combinations(bout, 2)
    )


@st.composite
def fields(draw: st.DrawFn, most: int, teams: bool) -> list[Entrant]:
    count = draw(st.integers(1, most))
    return [
        Entrant(
            number,
            draw(SCHOOLS),
            draw(st.sampled_from(["", "А", "Б", "В"])) if teams else "",
        )
        for number in range(1, count + 1)
    ]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40),
    st.integers(1, 6),
    st.data(),
)
def test_colours_are_even_at_every_vertex(
    edges: list[tuple[int, int]], colours: int, data: st.DataObject
) -> None:
    wished = [data.draw(st.integers(0, colours - 1)) for _edge in edges]
    found = even_colouring(edges, colours, wished)
    for side in (0, 1):
        for vertex in {edge[side] for edge in edges}:
            counts = Counter(
                colour for edge, colour in zip(edges, found, strict=True) if edge[side] == vertex
            )
            numbers = [counts[colour] for colour in range(colours)]
            assert max(numbers) - min(numbers) <= 1


@given(fields(most=32, teams=False), st.integers(1, 9), st.sampled_from(Method))
@settings(max_examples=60)
def test_one_school_each_is_always_proven(
    entrants: list[Entrant], bouts: int, method: Method
) -> None:
    bouts = min(bouts, len(entrants))
    result = seed_bouts(entrants, bouts, method=method, seed="7")
    sizes = Counter(entrant.school.casefold() for entrant in entrants if entrant.school)
    assert result.proven
    assert len(result.conflicts) == pairs_in(result, entrants) == result.bound
    assert result.bound == sum(fewest_pairs(size, bouts) for size in sizes.values())


@given(fields(most=32, teams=True), st.integers(1, 9), st.sampled_from(Method))
@settings(max_examples=25)
def test_bouts_hold_everybody_once_and_differ_by_one(
    entrants: list[Entrant], bouts: int, method: Method
) -> None:
    bouts = min(bouts, len(entrants))
    result = seed_bouts(entrants, bouts, method=method, seed="7")
    assert sorted(number for bout in result.bouts for number in bout) == [
        entrant.number for entrant in entrants
    ]
    sizes = list(map(len, result.bouts))
    assert max(sizes) - min(sizes) <= 1
    assert len(result.conflicts) == pairs_in(result, entrants) >= result.bound
    if method is Method.SNAKE:
        for bout in result.bouts:
            pots = [(number - 1) // bouts for number in bout]
            assert len(set(pots)) == len(pots)


def every_split(entrants: list[Entrant], bouts: int, snake: bool) -> int:
    """The fewest clashes of all splits, by going through every one of them."""
    best = len(entrants) ** 2
    places = [index % bouts for index in range(len(entrants))]
    for order in permutations(range(len(entrants))):
        groups: list[list[int]] = [[] for _bout in range(bouts)]
        for place, index in zip(places, order, strict=True):
            groups[place].append(index)
        if snake and any(len({index // bouts for index in group}) < len(group) for group in groups):
            continue
        clashes = sum(
            bool(
                (
                    entrants[a].school
                    and entrants[a].school.casefold() == entrants[b].school.casefold()
                )
                or (entrants[a].team and entrants[a].team == entrants[b].team)
            )
            for group in groups
            for a, b in combinations(group, 2)
        )
        best = min(best, clashes)
    return best


@given(fields(most=6, teams=True), st.integers(1, 3), st.sampled_from(Method))
@settings(max_examples=40)
def test_against_all_splits(entrants: list[Entrant], bouts: int, method: Method) -> None:
    bouts = min(bouts, len(entrants))
    result = seed_bouts(entrants, bouts, method=method, seed="7")
    best = every_split(entrants, bouts, method is Method.SNAKE)
    assert result.proven
    assert len(result.conflicts) == best
    assert result.bound <= best


@given(fields(most=6, teams=True), st.integers(1, 3), st.booleans())
@settings(max_examples=40)
def test_the_search_alone_finds_the_best(entrants: list[Entrant], bouts: int, snake: bool) -> None:
    bouts = min(bouts, len(entrants))
    marks = tuple(
        frozenset(
            (kind, name.casefold())
            for kind, name in (("school", entrant.school), ("team", entrant.team))
            if name
        )
        for entrant in entrants
    )
    pots = tuple(index // bouts for index in range(len(entrants)))
    task = Task(marks, pots, bouts, free=not snake)
    found, complete = exhaustive(task, 1000, nodes=200_000)
    assert complete and found is not None
    assert len(clashing_pairs(task, found)) == every_split(entrants, bouts, snake)


@pytest.mark.parametrize(("players", "bouts"), [(32, 8), (27, 9)])
@pytest.mark.parametrize("schools", [2, 5, 9, 20])
@pytest.mark.parametrize("method", Method)
def test_the_sizes_of_the_regulations_are_proven(
    players: int, bouts: int, schools: int, method: Method
) -> None:
    entrants = [Entrant(n, f"школа {n * n % schools}") for n in range(1, players + 1)]
    result = seed_bouts(entrants, bouts, method=method, seed="2007")
    assert result.proven
    assert len(result.conflicts) == result.bound


def test_third_finalists_and_team_mates_come_into_far_branches() -> None:
    """27 players, 9 bouts of 3 in 3 branches: three of a team and three third-finalists never meet early."""
    entrants = [
        Entrant(
            n,
            team=f"команда {n % 9}",
            apart=frozenset({"третьфиналист"}) if n in (1, 11, 21) else frozenset(),
        )
        for n in range(1, 28)
    ]
    result = seed_bouts(entrants, 9, method=Method.DRAWN, seed="3 ноября", branches=3)
    assert result.proven and result.branches_proven
    assert result.conflicts == ()
    assert result.branch_conflicts == ()


def test_a_plain_snake_stays_as_it_is_where_nobody_clashes() -> None:
    result = seed_bouts([Entrant(n) for n in range(1, 33)], 8)
    assert result.bouts[0] == (1, 16, 17, 32)
    assert result.bouts[7] == (8, 9, 24, 25)
    assert result.moved == 0


def test_one_clash_moves_two_players_of_one_pot() -> None:
    entrants = [Entrant(n, "Лицей" if n in (1, 16) else "") for n in range(1, 33)]
    result = seed_bouts(entrants, 8)
    assert result.conflicts == ()
    assert result.moved == 2


@given(st.permutations([Entrant(n, f"{n % 5}") for n in range(1, 28)]))
@settings(max_examples=20)
def test_a_draw_follows_from_its_seed_alone(entrants: list[Entrant]) -> None:
    drawn = seed_bouts(entrants, 9, method=Method.DRAWN, seed="18.00")
    again = seed_bouts(
        sorted(entrants, key=lambda e: e.number), 9, method=Method.DRAWN, seed="18.00"
    )
    assert drawn == again
    assert drawn.bouts != seed_bouts(entrants, 9, method=Method.DRAWN, seed="18.01").bouts


@given(st.sets(st.integers(1, 500), max_size=30), st.text(max_size=8), st.integers(501, 600))
def test_a_lot_keeps_its_order_when_one_more_joins(numbers: set[int], seed: str, late: int) -> None:
    order = draw_order(numbers, seed)
    assert sorted(order) == sorted(numbers)
    assert tuple(n for n in draw_order({*numbers, late}, seed) if n != late) == order


def test_the_search_says_when_it_gave_up() -> None:
    """Two marks that cross: the bound is 0, one clash cannot be helped, few nodes prove nothing."""
    marks = tuple(frozenset({("school", str(n // 3)), ("team", str(n % 3))}) for n in range(9))
    task = Task(marks, pots=(0,) * 9, bouts=2, free=True)
    assert exhaustive(task, 100, nodes=3) == (None, False)
    found, complete = exhaustive(task, 100, nodes=200_000)
    assert complete and found is not None
    assert lower_bound(task, 2) <= sum(
        found[a] == found[b] and bool(marks[a] & marks[b]) for a, b in combinations(range(9), 2)
    )


@pytest.mark.parametrize(
    ("bouts", "method", "seed", "branches"),
    [(4, Method.SNAKE, "", 1), (2, Method.DRAWN, "", 1), (2, Method.SNAKE, "", 3)],
)
def test_impossible_orders_are_refused(
    bouts: int, method: Method, seed: str, branches: int
) -> None:
    with pytest.raises(ConflictError):
        seed_bouts(
            [Entrant(1), Entrant(2), Entrant(3)], bouts, method=method, seed=seed, branches=branches
        )


def test_a_number_twice_is_a_fault() -> None:
    with pytest.raises(ValueError):
        seed_bouts([Entrant(1), Entrant(1)], 1)
