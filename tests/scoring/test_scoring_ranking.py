"""Points, places and the cut: the result must follow from the cells, never from the order of rows.

Guards against a total that differs from its cells, a shared place printed wrongly, a tie across the line
decided in silence, a late or absent player who moves others, and a category split by its spelling.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cut import LineRules, draw_line
from scoring.folding import collation_key
from scoring.model import (
    CategoryStandings,
    Cut,
    Player,
    Regulation,
    StandingRow,
    Standings,
    Status,
    Verdict,
)
from scoring.ranking import shared_places, standings
from scoring.rules import Price, Prices
from scoring.ties import Evidence
from scoring.totals import COLUMNS, points

SMALL = Regulation(themes=2, nominals=(10, 20), cut=3, categories=("Б", "А"))
BOXES = [(theme, nominal) for theme in (1, 2) for nominal in (10, 20)]
SIGN = {Verdict.RIGHT: 1, Verdict.WRONG: -1, Verdict.BLANK: 0}

Rows = list[tuple[int, int, int, Verdict | float | None]]


def frame(rows: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=list(COLUMNS))


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Player], set[int], Rows]:
    """Players, those present, and a verdict on some of the boxes of those present."""
    numbers = draw(st.lists(st.integers(1, 30), unique=True, max_size=14))
    names = st.sampled_from(["Ежов Я", "Ёлкин А", "ежов я", "Жуков Б"])
    players = [
        Player(number, draw(names), draw(st.sampled_from(["А", "Б", "В", "Г"])))
        for number in numbers
    ]
    present = {number for number in numbers if draw(st.integers(0, 4))}
    verdicts = st.sampled_from([*Verdict, *SIGN, None, float("nan")])
    rows: Rows = [
        (number, theme, nominal, draw(verdicts))
        for number in sorted(present)
        for theme, nominal in BOXES
        if draw(st.integers(0, 5))
    ]
    return players, present, rows


def draw_cut(
    numbers: Sequence[int], scores: Sequence[int], places: int
) -> tuple[Cut, list[Status]]:
    """The line by scores alone, the statuses in the order given."""
    line = draw_line(
        dict(zip(numbers, scores, strict=True)),
        LineRules(places),
        Evidence(lambda _number, _key: ()),
    )
    return line.cut, [line.statuses[number] for number in numbers]


def rank(players: list[Player], present: set[int], rows: Rows) -> Standings:
    return standings("Отбор", players, present, frame(rows), SMALL)


def all_rows(result: Standings) -> list[StandingRow]:
    return list(chain.from_iterable(part.rows for part in result.categories))


@given(events(), st.randoms())
def test_the_order_of_rows_changes_nothing(
    event: tuple[list[Player], set[int], Rows], shuffle: random.Random
) -> None:
    players, present, rows = event
    again = rank(shuffle.sample(players, len(players)), present, shuffle.sample(rows, len(rows)))
    assert again == rank(players, present, rows)


@given(events())
def test_every_score_is_the_sum_of_its_cells(event: tuple[list[Player], set[int], Rows]) -> None:
    players, present, rows = event
    ruled = {(number, theme, nominal): verdict for number, theme, nominal, verdict in rows}
    result = rank(players, present, rows)
    assert sorted(row.player.number for row in all_rows(result)) == sorted(
        player.number for player in players
    )
    for row in all_rows(result):
        verdicts = [ruled.get((row.player.number, *box)) for box in BOXES]
        expected = [
            SIGN[verdict] * nominal if verdict in SIGN else None
            for verdict, (_theme, nominal) in zip(verdicts, BOXES, strict=True)
        ]
        assert list(row.cells) == expected
        assert row.score == sum(cell for cell in row.cells if cell is not None)
        counts = Counter(verdicts)
        assert (row.rights, row.wrongs, row.blanks) == tuple(counts[each] for each in SIGN)
        boxes = len(BOXES) if row.player.number in present else 0
        assert row.rights + row.wrongs + row.blanks + row.unconfirmed == boxes


@given(events())
def test_places_by_the_naive_definition(event: tuple[list[Player], set[int], Rows]) -> None:
    for part in rank(*event).categories:
        here = [row for row in part.rows if row.status is not Status.ABSENT]
        for row in here:
            better = sum(other.score > row.score for other in here)
            no_worse = sum(other.score >= row.score for other in here)
            assert row.places == (better + 1, no_worse)
        assert all(row.places is None for row in part.rows if row.status is Status.ABSENT)


@given(st.lists(st.integers(-5, 5), max_size=40))
def test_ranges_partition_the_places_and_equal_scores_alone_share(scores: list[int]) -> None:
    places = [tuple(pair) for pair in shared_places(np.array(scores, dtype=int)).tolist()]
    covered = [place for low, high in set(places) for place in range(low, high + 1)]
    assert sorted(covered) == list(range(1, len(scores) + 1))
    for first, score in zip(places, scores, strict=True):
        for other, other_score in zip(places, scores, strict=True):
            assert (first == other) == (score == other_score)


@given(st.lists(st.integers(-4, 4), max_size=30), st.integers(1, 12))
def test_the_cut(scores: list[int], places: int) -> None:
    numbers = [100 - index for index in range(len(scores))]
    cut, statuses = draw_cut(numbers, scores, places)
    found = Counter(statuses)
    assert cut.places == places
    assert cut.sure == found[Status.IN] <= places
    assert found[Status.IN] + found[Status.TIED] >= min(places, len(scores))
    assert set(cut.tied) == {
        number for number, status in zip(numbers, statuses, strict=True) if status is Status.TIED
    }
    if cut.undecided:
        assert 0 < cut.left < len(cut.tied)
        assert cut.sure + cut.left == places
        [tied] = {scores[numbers.index(number)] for number in cut.tied}
        assert scores.count(tied) == len(cut.tied)
        expected = [
            Status.IN if s > tied else Status.TIED if s == tied else Status.OUT for s in scores
        ]
        assert list(statuses) == expected
    else:
        assert cut.left == 0
        assert found[Status.IN] == min(places, len(scores))
        inside = [s for s, status in zip(scores, statuses, strict=True) if status is Status.IN]
        outside = [s for s, status in zip(scores, statuses, strict=True) if status is Status.OUT]
        assert not inside or not outside or min(inside) > max(outside)


@pytest.mark.parametrize(
    ("scores", "sure", "left", "tied"),
    [
        ([50, 40, 30, 20], 3, 0, ()),
        ([50, 40, 40, 20], 3, 0, ()),  # equal, but ending exactly at the line
        ([50, 40, 40, 40], 1, 2, (2, 3, 4)),
        ([40, 40, 40, 40], 0, 3, (1, 2, 3, 4)),
        ([50, 40, 30, 30, 30], 2, 1, (3, 4, 5)),
        ([30, 30, 30], 3, 0, ()),
        ([-10], 1, 0, ()),
        ([], 0, 0, ()),
    ],
)
def test_named_cuts_at_three(
    scores: list[int], sure: int, left: int, tied: tuple[int, ...]
) -> None:
    cut, _statuses = draw_cut(range(1, len(scores) + 1), scores, 3)
    assert (cut.sure, cut.left, cut.tied) == (sure, left, tied)


@given(events())
def test_removing_an_absent_player_changes_nothing_else(
    event: tuple[list[Player], set[int], Rows],
) -> None:
    players, present, rows = event

    def of_present(result: Standings) -> list[CategoryStandings]:
        """The categories without their absent, those with nobody present left out."""
        parts = []
        for part in result.categories:
            here = tuple(row for row in part.rows if row.status is not Status.ABSENT)
            if here:
                parts.append(CategoryStandings(part.category, here, part.cut))
        return sorted(parts, key=lambda part: part.category)

    without = [player for player in players if player.number in present]
    assert of_present(rank(without, present, rows)) == of_present(rank(players, present, rows))


@given(events())
def test_order_on_the_page(event: tuple[list[Player], set[int], Rows]) -> None:
    players, _present, _rows = event
    result = rank(*event)
    by_number = sorted(players, key=lambda player: player.number)
    first_seen = list(dict.fromkeys(player.category for player in by_number))
    expected = [name for name in SMALL.categories if name in first_seen]
    expected += [name for name in first_seen if name not in SMALL.categories]
    assert [part.category for part in result.categories] == expected
    for part in result.categories:
        keys = [
            (
                row.status is Status.ABSENT,
                -row.score,
                collation_key(row.player.name),
                row.player.number,
            )
            for row in part.rows
        ]
        assert keys == sorted(keys)


def test_russian_order_of_names() -> None:
    ordered = ["Ежов Ян", "ершов Ян", "Ёлкин Ян", "Жук Ян", "Жукова Анна", "Коль Ян", "Қан Ян"]
    ordered += ["Лань Ян", "Щукин Ян", "Ярко Ян", "Adams Jo"]
    assert sorted(random.Random(1).sample(ordered, len(ordered)), key=collation_key) == ordered


def test_a_category_spelled_otherwise_is_the_regulations_own() -> None:
    regulation = Regulation(categories=("7–8 класс",))
    players = [Player(1, "А", "7-8 Класс"), Player(2, "Б", "7–8 класс")]
    result = standings("", players, {1}, frame([]), regulation)
    [part] = result.categories
    assert part.category == "7–8 класс"
    assert [row.player.number for row in part.rows] == [1, 2]


def test_a_present_player_without_verdicts_has_every_box_open() -> None:
    result = standings("", [Player(1, "А", "А")], {1}, frame([]), Regulation())
    [row] = all_rows(result)
    assert (row.unconfirmed, row.score, row.cells) == (40, 0, (None,) * 40)
    assert result.unconfirmed == 40


def test_verdicts_on_a_sheet_set_aside_do_not_count() -> None:
    players = [Player(1, "А", "А"), Player(2, "Б", "А")]
    rows: Rows = [(1, 1, 10, Verdict.RIGHT), (2, 1, 10, Verdict.RIGHT)]
    assert rank(players, {1}, rows) == rank(players, {1}, rows[:1])


def test_points_at_fixed_prices_are_those_prices() -> None:
    """A wrong answer at a fixed −5 counted as +5 would have passed every other test."""
    prices = Prices(right=Price(points=7), wrong=Price(points=-5), blank=Price(points=-1))
    regulation = replace(SMALL, prices=prices)
    verdicts = [Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, None]
    rows = [(1, *box, verdict) for box, verdict in zip(BOXES, verdicts, strict=True)]
    assert points(frame(rows), regulation)["points"].tolist() == [7, -5, -1, pd.NA]


def test_points_keep_rows_and_index() -> None:
    rows: Rows = [
        (1, 1, 20, Verdict.WRONG),
        (1, 2, 10, Verdict.BLANK),
        (2, 1, 10, Verdict.RIGHT),
        (2, 2, 20, Verdict.DISPUTED),
        (3, 1, 10, None),
    ]
    given_frame = frame(rows).set_index(pd.Index([9, 7, 5, 3, 1]))
    worth = points(given_frame, SMALL)["points"]
    assert list(worth.index) == [9, 7, 5, 3, 1]
    assert [None if pd.isna(value) else value for value in worth] == [-20, 0, 10, None, None]


@pytest.mark.parametrize(
    "rows",
    [
        [(1, 1, 10, "correct")],
        [(1, 3, 10, "right")],
        [(1, 0, 10, "right")],
        [(1, 1, 30, "right")],
        [(1, 1, 10, "right"), (1, 1, 10, "right")],
    ],
)
def test_impossible_verdicts_are_refused(rows: list[tuple[object, ...]]) -> None:
    with pytest.raises(ValueError):
        points(frame(rows), SMALL)


def test_impossible_rosters_are_refused() -> None:
    twice = [Player(1, "А", "А"), Player(1, "Б", "А")]
    with pytest.raises(ValueError):
        rank(twice, {1}, [])
    with pytest.raises(ValueError):
        rank(twice[:1], {1, 2}, [])


def test_three_thousand_players_in_under_a_second() -> None:
    count, regulation = 3000, Regulation()
    dice = random.Random(7)
    players = [Player(n, f"Игрок {dice.random()}", dice.choice("АБВ")) for n in range(1, count + 1)]
    numbers = np.repeat(np.arange(1, count + 1), 40)
    verdicts = pd.DataFrame(
        {
            "player": numbers,
            "theme": np.tile(np.repeat(np.arange(1, 9), 5), count),
            "nominal": np.tile(regulation.nominals, count * 8),
            "verdict": dice.choices([*Verdict], k=count * 40),
        }
    )
    spent = []
    for _ in range(3):
        begin = time.process_time()
        result = standings("", players, set(range(1, count + 1)), verdicts, regulation)
        spent.append(time.process_time() - begin)
    assert len(all_rows(result)) == count
    assert min(spent) < 1.0
