"""What people decide, and its undoing: the same inputs give the same bytes, whatever happened between.

Guards against points that stay after a question was removed, a return or an undo that restores almost
everything, a disqualified player who still takes a place, and decisions that depend on their order.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standings_bytes import fingerprint, standings_bytes

from otbor.errors import ConflictError
from scoring.carrying import as_round, carried_over, going_on
from scoring.changes import compare
from scoring.decisions import (
    NO_DECISIONS,
    Announced,
    Decisions,
    Lot,
    NewNominal,
    Points,
    ShootOut,
    TieChoice,
)
from scoring.lots import draw_order
from scoring.mass import rank_table
from scoring.model import (
    Player,
    Regulation,
    StandingRow,
    Standings,
    Status,
    TiePolicy,
    Verdict,
)
from scoring.ranking import standings
from scoring.rules import (
    CarryOver,
    CountBack,
    CutRule,
    Grouping,
    Part,
    Price,
    Prices,
    ReserveCall,
    Stage,
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


@given(decided(), st.randoms())
def test_the_same_inputs_in_any_order_give_the_same_bytes(
    case: tuple[Case, Decisions], dice: random.Random
) -> None:
    (players, table), decisions = case
    shuffled = replace(
        decisions,
        nominals=tuple(dice.sample(decisions.nominals, len(decisions.nominals))),
        brought=tuple(dice.sample(decisions.brought, len(decisions.brought))),
        penalties=tuple(dice.sample(decisions.penalties, len(decisions.penalties))),
    )
    again = rank(
        dice.sample(players, len(players)),
        dict(dice.sample(list(table.items()), len(table))),
        shuffled,
    )
    first = rank(players, table, decisions)
    assert repr(again) == repr(first)
    assert standings_bytes(again) == standings_bytes(first)
    assert fingerprint(again) == fingerprint(first)


@given(decided(), st.sampled_from(BOXES))
def test_removal_and_return_restore_every_byte(
    case: tuple[Case, Decisions], box: tuple[int, int]
) -> None:
    (players, table), decisions = case
    with_it = replace(decisions, removed=decisions.removed | {box})
    without = replace(decisions, removed=decisions.removed - {box})
    before = rank(players, table, without)
    removed = rank(players, table, with_it)
    returned = rank(players, table, replace(with_it, removed=with_it.removed - {box}))
    assert repr(returned) == repr(before)
    assert standings_bytes(returned) == standings_bytes(before)
    assert fingerprint(removed) != fingerprint(before)


@given(decided(), st.data())
def test_disqualification_and_undo_restore_every_byte(
    case: tuple[Case, Decisions], data: st.DataObject
) -> None:
    (players, table), decisions = case
    who = data.draw(st.sampled_from(players)).number
    for field in ("disqualified", "declined"):
        without = replace(decisions, **{field: getattr(decisions, field) - {who}})
        with_it = replace(without, **{field: getattr(without, field) | {who}})
        before = rank(players, table, without)
        during = rank(players, table, with_it)
        undone = rank(players, table, replace(with_it, **{field: getattr(with_it, field) - {who}}))
        assert repr(undone) == repr(before)
        assert standings_bytes(undone) == standings_bytes(before)
        if field == "disqualified":
            assert row_of(during, who).status is Status.DISQUALIFIED
            assert row_of(during, who).places is None


@given(cases(), st.data())
def test_a_verdict_appealed_and_restored_gives_every_byte_again(
    case: Case, data: st.DataObject
) -> None:
    players, table = case
    before = rank(players, table)
    box = (data.draw(st.sampled_from(players)).number, *data.draw(st.sampled_from(BOXES)))
    appealed = {**table, box: data.draw(st.sampled_from([*Verdict]))}
    rank(players, appealed)
    restored = {**appealed, box: table[box]} if box in table else table
    assert standings_bytes(rank(players, restored)) == standings_bytes(before)


@given(decided())
def test_scores_are_the_sum_of_cells_with_all_decisions(case: tuple[Case, Decisions]) -> None:
    (players, table), decisions = case
    result = rank(players, table, decisions)
    worths = {(new.theme, new.nominal): new.worth for new in decisions.nominals}
    sign = {Verdict.RIGHT: 1, Verdict.WRONG: -1, Verdict.BLANK: 0}
    for player in players:
        row = row_of(result, player.number)
        expected: list[int | None] = []
        for box in BOXES:
            verdict = table.get((player.number, *box))
            missing = (player.number, box[0]) in decisions.missing
            if box in decisions.removed or missing:
                expected.append(0)
            elif verdict in sign:
                expected.append(sign[verdict] * worths.get(box, box[1]))
            else:
                expected.append(None)
        assert list(row.cells) == expected
        assert row.score == row.brought + sum(filter(None, row.cells)) - row.penalty
        counted = row.rights + row.wrongs + row.blanks + row.unconfirmed
        assert counted == len(BOXES) - len(decisions.removed)


@given(decided())
def test_only_competitors_have_places_and_they_are_without_gap(
    case: tuple[Case, Decisions],
) -> None:
    (players, table), decisions = case
    for part in rank(players, table, decisions).categories:
        placed = [row.places for row in part.rows if row.places]
        covered = [place for low, high in set(placed) for place in range(low, high + 1)]
        assert sorted(covered) == list(range(1, len(placed) + 1))
        for row in part.rows:
            number = row.player.number
            outside = number in (
                decisions.disqualified | decisions.out_of_competition | decisions.exempt
            )
            assert (row.places is None) == outside
            if number in decisions.disqualified:
                assert row.status is Status.DISQUALIFIED
        going = [row for row in part.rows if row.status is Status.IN and not row.exempt]
        assert len(going) <= max(RULES.cut, 0)
        assert len(going) == part.cut.sure


def right(*numbers: int) -> Table:
    """Verdicts by which a player has 10 points for every time named, 0 otherwise."""
    return {
        (number, *box): Verdict.RIGHT if numbers.count(number) > index else Verdict.BLANK
        for number in range(1, 6)
        for index, box in enumerate(((1, 10), (2, 10)))
    }


FIVE = [Player(n, f"Игрок {n}", "А", site="ДДТ" if n < 3 else "НГУ") for n in range(1, 6)]


def test_a_removed_question_is_written_off_for_all() -> None:
    table = right(1, 1, 2) | {(3, 1, 10): Verdict.WRONG}
    result = rank(FIVE, table, Decisions(removed=frozenset({(1, 10)})))
    assert [row_of(result, n).score for n in (1, 2, 3)] == [10, 0, 0]
    assert row_of(result, 3).wrongs == 0
    assert result.removed == ((1, 10),)
    assert rank(FIVE, {}, Decisions(removed=frozenset(BOXES))).unconfirmed == 0


def test_a_changed_nominal_counts_for_right_and_wrong() -> None:
    table = {(1, 1, 10): Verdict.RIGHT, (2, 1, 10): Verdict.WRONG}
    result = rank(FIVE, table, Decisions(nominals=(NewNominal(1, 10, 25),)))
    assert [row_of(result, n).score for n in (1, 2)] == [25, -25]
    assert result.changed == ((1, 10, 25),)


def test_prices_other_than_the_usual() -> None:
    prices = Prices(wrong=Price(points=-5), blank=Price(points=-1), missing=Price(points=-2))
    table = {(1, 1, 10): Verdict.WRONG, (1, 1, 20): Verdict.BLANK}
    decisions = Decisions(missing=frozenset({(1, 2)}))
    row = row_of(rank(FIVE, table, decisions, replace(RULES, prices=prices)), 1)
    assert row.cells == (-5, -1, -2, -2)
    assert (row.wrongs, row.blanks) == (1, 3)


def test_a_player_out_of_competition_takes_no_place() -> None:
    table = right(1, 1, 2, 3)
    result = rank(FIVE, table, Decisions(out_of_competition=frozenset({1})))
    assert row_of(result, 1).status is Status.OUT_OF_COMPETITION
    assert row_of(result, 1).score == 20
    assert row_of(result, 2).places == (1, 2)


def test_an_exempt_player_is_in_without_a_place_and_takes_none_from_others() -> None:
    result = rank(
        FIVE, right(2, 3), Decisions(exempt=frozenset({1})), replace(RULES, cut=2), {2, 3, 4, 5}
    )
    row = row_of(result, 1)
    assert (row.status, row.places, row.exempt) == (Status.IN, None, True)
    assert going_on(result) == (1, 2, 3)
    with pytest.raises(ConflictError):
        rank(FIVE, {}, Decisions(exempt=frozenset({1})), replace(RULES, exempt=False))


def test_the_host_calls_as_many_as_declined_from_any_group() -> None:
    rule = CutRule(each=Grouping.SITE, quotas=(("НГУ", 2), ("ДДТ", 1)))
    rules = replace(RULES, categories=(), cut_rule=rule, reserve=0, reserve_call=ReserveCall.HOST)
    table = right(1, 1, 3, 3, 4)

    def going(**decided: frozenset[int]) -> tuple[int, ...]:
        return going_on(rank(FIVE, table, Decisions(**decided), rules))  # type: ignore[arg-type]

    assert going() == (1, 3, 4)
    # Player 5 of one site comes for player 1 of the other; an exempt player gives a place back too.
    assert going(declined=frozenset({1}), called=frozenset({5})) == (3, 4, 5)
    exempt = frozenset({1})
    assert going(exempt=exempt) == (1, 2, 3, 4)
    assert going(exempt=exempt, declined=exempt, called=frozenset({5})) == (2, 3, 4, 5)
    for wrong in (
        {"called": frozenset({5})},
        {"declined": frozenset({2}), "called": frozenset({5})},
        {"declined": frozenset({1}), "called": frozenset({2, 5})},
        {"declined": frozenset({1}), "called": frozenset({3})},
        {
            "declined": frozenset({1}),
            "called": frozenset({5}),
            "disqualified": frozenset({5}),
        },
    ):
        with pytest.raises(ConflictError):
            going(**wrong)
    with pytest.raises(ConflictError):
        called = Decisions(declined=frozenset({1}), called=frozenset({5}))
        rank(FIVE, table, called, replace(rules, reserve_call=ReserveCall.SCORE))


def test_the_next_one_moves_up_for_a_disqualified_player() -> None:
    table = right(1, 1, 2, 2, 3)
    rules = replace(RULES, cut=2)
    assert going_on(rank(FIVE, table, NO_DECISIONS, rules)) == (1, 2)
    result = rank(FIVE, table, Decisions(disqualified=frozenset({1})), rules)
    assert going_on(result) == (2, 3)
    assert row_of(result, 2).places == (1, 1)


def test_a_penalty_and_a_start_are_part_of_the_score() -> None:
    decisions = Decisions(
        brought=(Points(1, 7),), penalties=(Points(1, 100), Points(1, 3), Points(2, 0))
    )
    row = row_of(rank(FIVE, right(1), decisions), 1)
    assert (row.brought, row.penalty, row.score) == (7, 103, 7 + 10 - 103)


def test_quotas_by_site() -> None:
    rule = CutRule(each=Grouping.SITE, quotas=(("НГУ", 2), ("ДДТ", 1)))
    result = rank(
        FIVE, right(1, 3, 3, 4), NO_DECISIONS, replace(RULES, categories=(), cut_rule=rule)
    )
    assert [part.category for part in result.categories] == ["НГУ", "ДДТ"]
    assert going_on(result) == (1, 3, 4)


def test_all_together() -> None:
    rule = CutRule(each=Grouping.ALL)
    regulation = replace(RULES, categories=(), name="Раунд", cut=1, cut_rule=rule)
    result = rank(FIVE, right(4), NO_DECISIONS, regulation)
    assert [(part.category, len(part.rows)) for part in result.categories] == [("Раунд", 5)]
    assert going_on(result) == (4,)


@pytest.mark.parametrize(
    ("key", "winner"),
    [
        (CountBack.MOST_RIGHTS, 1),
        (CountBack.FEWEST_WRONGS, 2),
        (CountBack.MOST_DEAREST, 2),
        (CountBack.DEAREST_FIRST, 2),
        (CountBack.MOST_WON, 1),
        (CountBack.BEST_THEME, 1),
        (CountBack.LAST_THEMES, 2),
    ],
)
def test_every_key_of_the_count_back(key: CountBack, winner: int) -> None:
    """Both have 20: player 1 by 10 + 20 and 10 − 20, player 2 by one question of the last theme."""
    table = {
        (1, 1, 10): Verdict.RIGHT,
        (1, 1, 20): Verdict.RIGHT,
        (1, 2, 10): Verdict.RIGHT,
        (1, 2, 20): Verdict.WRONG,
        (2, 2, 20): Verdict.RIGHT,
    }
    if key in (CountBack.MOST_DEAREST, CountBack.DEAREST_FIRST):
        # Now 2 has two of the dearest and 1 has one, at 20 each.
        table |= {(2, 1, 20): Verdict.RIGHT, (2, 1, 10): Verdict.WRONG, (2, 2, 10): Verdict.WRONG}
    regulation = replace(
        RULES,
        cut=1,
        tie_policy=TiePolicy.COUNT_BACK,
        ties=TieRule((TiePolicy.COUNT_BACK,), keys=(key,)),
    )
    result = rank(FIVE[:2], table, NO_DECISIONS, regulation)
    assert {row_of(result, n).score for n in (1, 2)} == {20}
    assert going_on(result) == (winner,)
    assert row_of(result, winner).places == (1, 1)
    assert result.categories[0].cut.steps[0].key == key.value


def test_a_choice_where_the_regulation_is_silent() -> None:
    rules = replace(RULES, cut=2)
    table = right(1, 2, 3)
    assert rank(FIVE, table, NO_DECISIONS, rules).categories[0].cut.waiting is TiePolicy.UNDECIDED
    chosen = Decisions(choices=(TieChoice(TieRule((TiePolicy.ALL_IN,)), "а"),))
    assert going_on(rank(FIVE, table, chosen, rules)) == (1, 2, 3)
    other = Decisions(choices=(TieChoice(TieRule((TiePolicy.ALL_IN,)), "Б"),))
    assert rank(FIVE, table, other, rules).categories[0].cut.undecided
    with pytest.raises(ConflictError):
        rank(FIVE, table, chosen, replace(rules, tie_policy=TiePolicy.NONE_IN))


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


@given(cases(), st.sampled_from([TiePolicy.UNDECIDED, TiePolicy.ALL_IN, TiePolicy.NONE_IN]))
def test_the_table_for_millions_agrees_with_the_standings(case: Case, policy: TiePolicy) -> None:
    players, table = case
    regulation = replace(RULES, tie_policy=policy, reserve=0)
    result = rank(players, table, NO_DECISIONS, regulation)
    rows = [(part.category, row) for part in result.categories for row in part.rows]
    frame = pd.DataFrame(
        [(row.player.number, name, row.score) for name, row in rows],
        columns=["number", "group", "score"],
    )
    found = rank_table(frame, regulation).set_index("number")
    for _name, row in rows:
        line = found.loc[row.player.number]
        assert (line["first"], line["last"]) == row.places
        assert line["status"] == row.status.value


@pytest.mark.parametrize(
    "decisions",
    [
        Decisions(disqualified=frozenset({99})),
        Decisions(missing=frozenset({(99, 1)})),
        Decisions(missing=frozenset({(1, 3)})),
        Decisions(removed=frozenset({(1, 30)})),
        Decisions(nominals=(NewNominal(3, 10, 20),)),
        Decisions(nominals=(NewNominal(1, 10, 0),)),
        Decisions(nominals=(NewNominal(1, 10, 20), NewNominal(1, 10, 30))),
        Decisions(penalties=(Points(1, -5),)),
        Decisions(brought=(Points(1, 1), Points(1, 2))),
    ],
)
def test_decisions_about_nothing_are_faults(decisions: Decisions) -> None:
    with pytest.raises(ValueError):
        rank(FIVE, {}, decisions)


def test_decisions_that_the_regulation_does_not_allow() -> None:
    with pytest.raises(ConflictError):
        rank(FIVE, {}, Decisions(removed=frozenset({(1, 10)})), replace(RULES, removal=False))
    with pytest.raises(ConflictError):
        both = frozenset({1})
        rank(FIVE, {}, Decisions(exempt=both, out_of_competition=both))
    with pytest.raises(ConflictError):
        rank(FIVE, {}, Decisions(announced=(Announced(5),)))
