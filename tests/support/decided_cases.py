"""Small rounds with verdicts and decisions of every kind, and their standings."""

from __future__ import annotations

import pandas as pd
from hypothesis import strategies as st

from scoring.decisions import (
    NO_DECISIONS,
    Decisions,
    Lot,
    NewNominal,
    Points,
    ShootOut,
    TieChoice,
)
from scoring.lots import draw_order
from scoring.model import (
    Player,
    Regulation,
    StandingRow,
    Standings,
    TiePolicy,
    Verdict,
)
from scoring.ranking import standings
from scoring.rules import (
    TieRule,
)
from scoring.totals import COLUMNS

RULES = Regulation(
    themes=2, nominals=(10, 20), cut=3, categories=("Б", "А"), exempt=True, reserve=2
)
BOXES = [(theme, nominal) for theme in (1, 2) for nominal in (10, 20)]
Table = dict[tuple[int, int, int], Verdict]
Case = tuple[list[Player], Table]


def rank(
    players: list[Player],
    table: Table,
    decisions: Decisions = NO_DECISIONS,
    regulation: Regulation = RULES,
    present: set[int] | None = None,
) -> Standings:
    frame = pd.DataFrame([(*box, verdict) for box, verdict in table.items()], columns=list(COLUMNS))
    here = {player.number for player in players} if present is None else present
    return standings("Отбор", players, here, frame, regulation, decisions)


def row_of(result: Standings, number: int) -> StandingRow:
    [row] = [row for part in result.categories for row in part.rows if row.player.number == number]
    return row


@st.composite
def cases(draw: st.DrawFn) -> Case:
    numbers = draw(st.lists(st.integers(1, 30), unique=True, min_size=1, max_size=12))
    players = [
        Player(number, draw(st.sampled_from(["Ёжов", "Жук"])), draw(st.sampled_from("АБ")))
        for number in numbers
    ]
    table = {
        (number, *box): draw(st.sampled_from([*Verdict]))
        for number in numbers
        for box in BOXES
        if draw(st.integers(0, 6))
    }
    return players, table


@st.composite
def decided(draw: st.DrawFn) -> tuple[Case, Decisions]:
    """A case with decisions of every kind about its players."""
    players, table = draw(cases())
    numbers = [player.number for player in players]

    def some() -> frozenset[int]:
        return frozenset(draw(st.sets(st.sampled_from(numbers), max_size=3)))

    order = draw_order(numbers, "1")
    out = some()
    decisions = Decisions(
        removed=frozenset(draw(st.sets(st.sampled_from(BOXES), max_size=2))),
        nominals=tuple(
            NewNominal(*box, draw(st.integers(1, 90)))
            for box in sorted(draw(st.sets(st.sampled_from(BOXES), max_size=2)))
        ),
        missing=frozenset((number, 1) for number in some()),
        brought=tuple(Points(number, draw(st.integers(-20, 20))) for number in sorted(some())),
        penalties=tuple(Points(number, draw(st.integers(0, 100))) for number in some()),
        disqualified=some(),
        out_of_competition=out,
        exempt=some() - out,
        declined=some(),
        choices=(TieChoice(TieRule((TiePolicy.SHOOT_OUT, TiePolicy.LOT), 1)),),
        shoot_outs=(ShootOut(tuple((n, draw(st.integers(0, 2))) for n in numbers)),),
        lots=(Lot(order, "1"),),
    )
    return (players, table), decisions


FIVE = [Player(n, f"Игрок {n}", "А", site="ДДТ" if n < 3 else "НГУ") for n in range(1, 6)]


def right(*numbers: int) -> Table:
    """Verdicts by which a player has 10 points for every time named, 0 otherwise."""
    return {
        (number, *box): Verdict.RIGHT if numbers.count(number) > index else Verdict.BLANK
        for number in range(1, 6)
        for index, box in enumerate(((1, 10), (2, 10)))
    }
