"""What people decide, and its undoing: the same inputs give the same bytes, whatever happened between.

Guards against points that stay after a question was removed, a return or an undo that restores almost
everything, a disqualified player who still takes a place, and decisions that depend on their order.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from decided_cases import BOXES, FIVE, RULES, Case, cases, decided, rank, right, row_of
from hypothesis import given
from hypothesis import strategies as st
from standings_bytes import fingerprint, standings_bytes

from otbor.errors import ConflictError
from scoring.carrying import going_on
from scoring.decisions import (
    NO_DECISIONS,
    Announced,
    Decisions,
    NewNominal,
    Points,
    TieChoice,
)
from scoring.model import (
    Status,
    TiePolicy,
    Verdict,
)
from scoring.rules import (
    CountBack,
    CutRule,
    Grouping,
    Price,
    Prices,
    ReserveCall,
    TieRule,
)


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
