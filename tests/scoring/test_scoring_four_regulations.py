"""The four real regulations, sentence by sentence, as they run on the engine.

docs/regulations.md says which sentence each of these tests covers. Guards against a shipped regulation
that says something else than the paper it was taken from.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from otbor.errors import ConflictError
from scanner import geometry
from scoring.carrying import as_round, carried_over, going_on
from scoring.cut import LineRules, draw_line
from scoring.decisions import (
    NO_DECISIONS,
    Announced,
    Decisions,
    Lot,
    Points,
    ShootOut,
)
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
from scoring.regulation import parse_regulation
from scoring.roster import possible_doubles
from scoring.rules import CarryOver, Counted, CutRule, Grouping, Stage
from scoring.seeding import Entrant, Method, seed_bouts
from scoring.stakes import Opening, StakeSheet, opening, play_final
from scoring.ties import Evidence
from scoring.totals import COLUMNS
from service.cli.regulation_commands import shipped

DOCS = Path(__file__).parents[2] / "docs" / "regulations.md"
RIGHT, WRONG, BLANK = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK


def regulation(name: str) -> Regulation:
    return parse_regulation(shipped()[name], source=name)


FESTIVAL = regulation("festival")
QUARTET = regulation("erudit-quartet")
NOVOSIBIRSK = regulation("novosibirsk")
NESPROSTA = regulation("nesprosta")
CHAT = regulation("chat")


def roster(count: int, category: str = "А", site: str = "") -> list[Player]:
    return [Player(n, f"Игрок {n:03}", category, site=site) for n in range(1, count + 1)]


def rank(
    rules: Regulation,
    players: list[Player],
    verdicts: dict[tuple[int, int, int], Verdict],
    decisions: Decisions = NO_DECISIONS,
) -> Standings:
    frame = pd.DataFrame([(*box, v) for box, v in verdicts.items()], columns=list(COLUMNS))
    return standings("", players, {p.number for p in players}, frame, rules, decisions)


def with_scores(
    rules: Regulation, players: list[Player], scores: list[int], decisions: Decisions = NO_DECISIONS
) -> Standings:
    """Standings in which the players have these scores; every box is blank and the score brought in."""
    brought = tuple(
        Points(player.number, score) for player, score in zip(players, scores, strict=True)
    )
    return rank(rules, players, {}, replace(decisions, brought=brought))


def row_of(result: Standings, number: int) -> StandingRow:
    [row] = [row for part in result.categories for row in part.rows if row.player.number == number]
    return row


def bout(
    stage: Stage, scores: dict[int, int], *played: ShootOut, lots: tuple[Lot, ...] = ()
) -> tuple[set[int], dict[int, tuple[int, int]], TiePolicy | None]:
    """Who goes on from a bout (in the last stage: who is first), the places, the step waited for."""
    rules = LineRules(stage.cut.places if stage.cut else 1, ties=stage.ties, prizes=stage.prizes)
    line = draw_line(scores, rules, Evidence(lambda _number, _key: (0,), list(played), list(lots)))
    going = {number for number, status in line.statuses.items() if status is Status.IN}
    return going, line.places, line.cut.waiting


# The festival, written round


def test_festival_written_round_has_8_themes_of_5_from_10_to_50() -> None:
    assert FESTIVAL.themes == 8
    assert FESTIVAL.nominals == (10, 20, 30, 40, 50)


def test_festival_written_round_fits_the_blank() -> None:
    boxes = {(box.theme, box.row) for box in geometry.default().blanks["personal"].boxes}
    assert boxes == {(theme, row) for theme in range(1, 9) for row in range(1, 6)}


@pytest.mark.parametrize("nominal", [10, 20, 30, 40, 50])
def test_festival_right_adds_and_wrong_subtracts_the_nominal(nominal: int) -> None:
    verdicts = {(1, 3, nominal): RIGHT, (2, 3, nominal): WRONG, (3, 3, nominal): BLANK}
    result = rank(FESTIVAL, roster(3), verdicts)
    assert [row_of(result, n).score for n in (1, 2, 3)] == [nominal, -nominal, 0]


def test_festival_points_are_summed() -> None:
    verdicts = {(1, theme, 50): RIGHT for theme in range(1, 9)} | {(1, 1, 10): WRONG}
    assert row_of(rank(FESTIVAL, roster(1), verdicts), 1).score == 8 * 50 - 10


def test_festival_counts_only_what_the_jury_confirmed() -> None:
    result = rank(FESTIVAL, roster(1), {(1, 1, 10): RIGHT, (1, 1, 20): Verdict.DISPUTED})
    assert row_of(result, 1).score == 10
    assert result.unconfirmed == 39


def test_festival_32_best_of_each_age_category() -> None:
    players = roster(40, "5–6 класс")
    players += [Player(100 + n, f"Игрок {n:03}", "7–8 класс") for n in range(1, 36)]
    scores = [1000 - 10 * n for n in range(40)] + [500 - 10 * n for n in range(35)]
    result = with_scores(FESTIVAL, players, scores)
    assert [part.cut.sure for part in result.categories] == [32, 32]
    assert going_on(result) == (*range(1, 33), *range(101, 133))


def test_festival_gives_no_tie_rule_so_that_the_tie_stays_open() -> None:
    result = with_scores(FESTIVAL, roster(40), [100] * 31 + [50] * 9)
    [part] = result.categories
    assert part.cut.waiting is TiePolicy.UNDECIDED
    assert (part.cut.sure, part.cut.left, len(part.cut.tied)) == (31, 1, 9)


def test_festival_is_individual() -> None:
    alone = roster(5)
    mates = [replace(player, school="Лицей", team="Сова") for player in alone]
    scores = [50, 40, 30, 20, 10]
    one, other = with_scores(FESTIVAL, alone, scores), with_scores(FESTIVAL, mates, scores)
    assert [(row.places, row.status) for row in one.categories[0].rows] == [
        (row.places, row.status) for row in other.categories[0].rows
    ]


# The festival, bouts


def test_festival_bouts_have_4_themes_and_the_final_6() -> None:
    assert [[part.themes for part in stage.parts] for stage in FESTIVAL.stages] == [[4], [4], [6]]
    assert {part.nominals for stage in FESTIVAL.stages for part in stage.parts} == {
        (10, 20, 30, 40, 50)
    }
    assert {stage.bout_size for stage in FESTIVAL.stages} == {4}


def test_festival_every_bout_starts_from_0() -> None:
    assert {stage.carry_over for stage in FESTIVAL.stages} == {CarryOver.NONE}
    result = with_scores(FESTIVAL, roster(3), [50, 40, 30])
    assert {given.points for given in carried_over(result, FESTIVAL.stages[0].carry_over)} == {0}


def test_festival_two_of_each_bout_go_on() -> None:
    for stage in FESTIVAL.stages[:2]:
        assert bout(stage, {1: 50, 2: -10, 3: 20, 4: 0})[0] == {1, 3}


def test_festival_final_places_by_points() -> None:
    _going, places, waiting = bout(FESTIVAL.stages[2], {1: 50, 2: -10, 3: 20, 4: 0})
    assert waiting is None
    assert places == {1: (1, 1), 3: (2, 2), 4: (3, 3), 2: (4, 4)}


def test_festival_tie_for_going_on_is_one_further_theme() -> None:
    stage = FESTIVAL.stages[0]
    scores = {1: 50, 2: 20, 3: 20, 4: 0}
    assert stage.ties.themes == 1
    assert bout(stage, scores)[2] is TiePolicy.SHOOT_OUT
    going, places, _waiting = bout(stage, scores, ShootOut(((2, 10), (3, 30))))
    assert going == {1, 3}
    assert (places[3], places[2]) == ((2, 2), (3, 3))
    # Equal scores that decide nothing need no further theme.
    assert bout(stage, {1: 50, 2: 50, 3: 0, 4: 0})[2] is None


def test_festival_tie_for_a_prize_is_one_further_theme() -> None:
    stage = FESTIVAL.stages[2]
    _going, places, _waiting = bout(
        stage, {1: 50, 2: 20, 3: 20, 4: 0}, ShootOut(((2, 30), (3, 10)))
    )
    assert (places[2], places[3]) == ((2, 2), (3, 3))


def test_festival_prompting_removes_the_question() -> None:
    verdicts = {(1, 1, 50): RIGHT, (2, 1, 50): WRONG}
    result = rank(FESTIVAL, roster(2), verdicts, Decisions(removed=frozenset({(1, 50)})))
    assert [row_of(result, n).score for n in (1, 2)] == [0, 0]


def test_festival_two_offences_may_disqualify() -> None:
    result = with_scores(
        FESTIVAL, roster(34), [100 - n for n in range(34)], Decisions(disqualified=frozenset({1}))
    )
    assert row_of(result, 1).status is Status.DISQUALIFIED
    assert going_on(result) == tuple(range(2, 34))


# «Эрудит-квартет»


def test_quartet_three_rounds_of_4_themes() -> None:
    assert (QUARTET.themes, QUARTET.nominals) == (12, (10, 20, 30, 40, 50))
    assert [part.themes for part in QUARTET.stages[0].parts] == [4, 4, 4]
    assert QUARTET.stages[0].carry_over is CarryOver.NONE


def quartet_teams() -> list[Player]:
    return [Player(n, f"Команда {n}", "", site="Бой 1" if n < 5 else "Бой 2") for n in range(1, 9)]


def test_quartet_nominal_to_the_team_and_from_it() -> None:
    result = rank(QUARTET, quartet_teams(), {(1, 12, 50): RIGHT, (2, 12, 50): WRONG})
    assert [row_of(result, n).score for n in (1, 2)] == [50, -50]


def test_quartet_two_teams_of_each_bout() -> None:
    result = with_scores(QUARTET, quartet_teams(), [90, 80, 70, 60, 5, 4, 3, 2])
    assert going_on(result) == (1, 2, 5, 6)


def test_quartet_tie_is_a_shoot_out_of_one_light_round() -> None:
    scores = [90, 80, 80, 60, 5, 4, 3, 2]
    assert QUARTET.tie_rule.themes == QUARTET.stages[0].ties.themes == 4
    result = with_scores(QUARTET, quartet_teams(), scores)
    assert result.categories[0].cut.waiting is TiePolicy.SHOOT_OUT
    decided = Decisions(shoot_outs=(ShootOut(((2, 10), (3, 60))),))
    assert going_on(with_scores(QUARTET, quartet_teams(), scores, decided)) == (1, 3, 5, 6)
    assert QUARTET.stages[0].prizes == 3


def test_quartet_most_points_in_the_final_win() -> None:
    going, _places, _waiting = bout(QUARTET.stages[0], {1: 30, 2: 90, 5: -10, 6: 0})
    assert going == {2}


def test_quartet_prompting_costs_100_and_twice_disqualifies() -> None:
    fined = Decisions(penalties=(Points(1, 100),))
    scores = [90, 80, 70, 60, 5, 4, 3, 2]
    result = with_scores(QUARTET, quartet_teams(), scores, fined)
    assert row_of(result, 1).score == -10
    assert going_on(result) == (2, 3, 5, 6)
    out = Decisions(disqualified=frozenset({1}))
    assert row_of(with_scores(QUARTET, quartet_teams(), scores, out), 1).places is None


# Novosibirsk


def two_sites() -> list[Player]:
    return [Player(n, f"Игрок {n:02}", "", site="ДДТ" if n <= 10 else "НГУ") for n in range(1, 21)]


QUOTAS = (Announced(3, "ДДТ"), Announced(2, "НГУ"))


def test_novosibirsk_quota_of_each_site_is_announced_before() -> None:
    scores = [100 - n for n in range(20)]
    with pytest.raises(ConflictError, match="ДДТ"):
        with_scores(NOVOSIBIRSK, two_sites(), scores)
    result = with_scores(NOVOSIBIRSK, two_sites(), scores, Decisions(announced=QUOTAS))
    assert going_on(result) == (1, 2, 3, 11, 12)


def test_novosibirsk_quotas_may_stand_in_the_file() -> None:
    text = shipped()["novosibirsk"].replace("# quotas =", "quotas =")
    rules = parse_regulation(text, source="novosibirsk.toml")
    assert rules.cut_rule.quotas == (("ДДТ", 12), ("НГУ", 10))
    result = with_scores(rules, two_sites(), [100 - n for n in range(20)])
    assert len(going_on(result)) == 20


def test_novosibirsk_one_player_one_site() -> None:
    """Somebody who registers at both sites is shown as a possible double."""
    players = [
        Player(1, "Ежов Пётр", "", site="ДДТ"),
        Player(2, "Ежов Петр", "", site="НГУ"),
        Player(3, "Жук Анна", "", site="НГУ"),
    ]
    assert [(a.number, b.number) for a, b in possible_doubles(players)] == [(1, 2)]


def test_novosibirsk_exempt_players_go_on_beside_the_quota() -> None:
    decisions = Decisions(announced=QUOTAS, exempt=frozenset({20}))
    result = with_scores(NOVOSIBIRSK, two_sites(), [100 - n for n in range(20)], decisions)
    assert going_on(result) == (1, 2, 3, 11, 12, 20)


def test_novosibirsk_form_of_the_qualifier_is_data() -> None:
    text = shipped()["novosibirsk"].replace("themes = 8", "themes = 6", 1)
    assert parse_regulation(text, source="").themes == 6


def test_novosibirsk_9_bouts_then_3_then_the_final() -> None:
    assert [stage.bout_size for stage in NOVOSIBIRSK.stages] == [3, 3, 3]
    drawn = seed_bouts([Entrant(n) for n in range(1, 28)], 9, method=Method.DRAWN, seed="4 ноября")
    assert [len(each) for each in drawn.bouts] == [3] * 9
    for stage in NOVOSIBIRSK.stages[:2]:
        assert stage.cut == CutRule(each=Grouping.BOUT, places=1)
        assert bout(stage, {1: 10, 2: 20, 3: -5})[0] == {2}


def test_novosibirsk_quasi_blind_draw() -> None:
    entrants = [
        Entrant(
            n,
            team=f"Команда {n % 9}",
            apart=frozenset({"третьфиналист"}) if n in (1, 11, 21) else frozenset(),
        )
        for n in range(1, 28)
    ]
    result = seed_bouts(entrants, 9, method=Method.DRAWN, seed="4 ноября", branches=3)
    assert (result.conflicts, result.branch_conflicts) == ((), ())
    assert result.proven and result.branches_proven


def test_novosibirsk_the_host_replaces_who_does_not_come() -> None:
    decisions = Decisions(announced=QUOTAS, declined=frozenset({2}), called=frozenset({9}))
    result = with_scores(NOVOSIBIRSK, two_sites(), [100 - n for n in range(20)], decisions)
    assert going_on(result) == (1, 3, 9, 11, 12)
    assert row_of(result, 4).status is Status.OUT


def test_novosibirsk_blue_and_red_round_by_stage() -> None:
    for stage, themes in zip(NOVOSIBIRSK.stages, (4, 5, 6), strict=True):
        assert [(part.themes, part.nominals) for part in stage.parts] == [
            (themes, (10, 20, 30, 40, 50)),
            (themes, (20, 40, 60, 80, 100)),
        ]
        assert stage.carry_over is CarryOver.NONE


def test_novosibirsk_knows_no_appeals() -> None:
    assert not NOVOSIBIRSK.appeals.allowed
    assert not as_round(replace(NOVOSIBIRSK, stages=CHAT.stages), 0).appeals.allowed


def final(name: str) -> Stage:
    return regulation(name).stages[-1]


def test_the_final_is_for_positive_sums_only() -> None:
    for name in ("novosibirsk", "nesprosta", "chat"):
        rule = final(name).final
        assert rule is not None
        sheets = [StakeSheet(n, (10,), verdict=RIGHT) for n in (1, 2, 3, 4)]
        result = play_final(
            {1: 50, 2: 40, 3: 0, 4: -10}, sheets, rule, final(name).ties, evidence()
        )
        assert {row.number: row.after for row in result.rows} == {1: 60, 2: 50, 3: 0, 4: -10}


def evidence(*played: ShootOut, lots: tuple[Lot, ...] = ()) -> Evidence:
    return Evidence(lambda _number, _key: (0,), list(played), list(lots))


def test_nobody_positive_means_no_winner_but_in_the_chat() -> None:
    for name, winner in (("novosibirsk", None), ("nesprosta", None), ("chat", 1)):
        rule = final(name).final
        assert rule is not None
        result = play_final({1: 0, 2: -20}, [], rule, final(name).ties, evidence())
        assert result.opening is Opening.NOBODY_POSITIVE
        assert result.winner == winner


def test_a_single_positive_player_wins_without_the_final() -> None:
    for name in ("novosibirsk", "nesprosta"):
        rule = final(name).final
        assert rule is not None
        result = play_final({1: 10, 2: 0, 3: -50}, [], rule, final(name).ties, evidence())
        assert (result.opening, result.winner) == (Opening.SINGLE_POSITIVE, 1)


def test_novosibirsk_more_than_twice_the_next_wins_without_the_final() -> None:
    rules = [stage.final for stage in NOVOSIBIRSK.stages]
    for rule in rules:
        assert rule is not None
        assert opening({1: 101, 2: 50, 3: 20}, rule) is Opening.CLEAR_LEAD
        assert opening({1: 100, 2: 50, 3: 20}, rule) is Opening.PLAYED
    other = final("nesprosta").final
    assert other is not None
    assert opening({1: 101, 2: 50, 3: 20}, other) is Opening.PLAYED


@pytest.mark.parametrize(("stake", "fine"), [(0, False), (1, True), (50, True), (51, False)])
def test_a_stake_is_positive_and_not_above_the_sum(stake: int, fine: bool) -> None:
    for name in ("novosibirsk", "nesprosta", "chat"):
        rule = final(name).final
        assert rule is not None
        sheets = [StakeSheet(1, (stake,), verdict=RIGHT), StakeSheet(2, (1,), verdict=RIGHT)]
        result = play_final({1: 50, 2: 40}, sheets, rule, final(name).ties, evidence())
        assert (result.chief == ()) == fine
        assert result.winner == (1 if fine else None)


def test_the_stake_is_added_or_subtracted() -> None:
    for name in ("novosibirsk", "nesprosta", "chat"):
        rule = final(name).final
        assert rule is not None
        sheets = [StakeSheet(1, (30,), verdict=WRONG), StakeSheet(2, (35,), verdict=RIGHT)]
        result = play_final({1: 50, 2: 40}, sheets, rule, final(name).ties, evidence())
        assert {row.number: row.after for row in result.rows} == {1: 20, 2: 75}
        assert result.winner == 2


def test_novosibirsk_tie_is_2_themes_in_the_final_4_then_the_lot() -> None:
    assert [stage.ties.themes for stage in NOVOSIBIRSK.stages] == [2, 2, 4]
    for stage in NOVOSIBIRSK.stages:
        scores = {1: 50, 2: 50, 3: 0}
        assert bout(stage, scores)[2] is TiePolicy.SHOOT_OUT
        tie = ShootOut(((1, 20), (2, 20)))
        assert bout(stage, scores, tie)[2] is TiePolicy.LOT
        assert bout(stage, scores, tie, lots=(Lot((2, 1)),))[0] == {2}
        assert bout(stage, scores, ShootOut(((1, 30), (2, 20))))[0] == {1}


# «Неспроста»


def test_nesprosta_seeded_players_enter_in_the_second_round() -> None:
    assert [stage.seeded_enter for stage in NESPROSTA.stages] == [True, False, False, False]
    decisions = Decisions(announced=(Announced(2),), exempt=frozenset({1}))
    result = with_scores(NESPROSTA, roster(5), [0, 40, 30, 20, 10], decisions)
    assert going_on(result) == (1, 2, 3)


def test_nesprosta_number_of_themes_by_stage() -> None:
    assert NESPROSTA.themes == 5
    assert [sum(part.themes for part in stage.parts) for stage in NESPROSTA.stages] == [
        6,
        6,
        10,
        12,
    ]


def test_nesprosta_red_rounds_are_worth_twice_as_much() -> None:
    assert NESPROSTA.nominals == (10, 20, 30, 40, 50)
    reds = [p for stage in NESPROSTA.stages for p in stage.parts if p.name == "Красный раунд"]
    assert {part.nominals for part in reds} == {(20, 40, 60, 80, 100)}
    assert len(reds) == 2


def test_nesprosta_everybody_starts_from_0() -> None:
    assert {stage.carry_over for stage in NESPROSTA.stages} == {CarryOver.NONE}


def test_nesprosta_right_adds_and_wrong_subtracts() -> None:
    decisions = Decisions(announced=(Announced(1),))
    result = rank(NESPROSTA, roster(2), {(1, 5, 40): RIGHT, (2, 5, 40): WRONG}, decisions)
    assert [row_of(result, n).score for n in (1, 2)] == [40, -40]


def test_nesprosta_a_removed_question_is_written_off() -> None:
    verdicts = {(1, 5, 40): RIGHT, (2, 5, 40): WRONG, (2, 1, 10): RIGHT}
    announced = (Announced(1),)
    removed = Decisions(announced=announced, removed=frozenset({(5, 40)}))
    before = rank(NESPROSTA, roster(2), verdicts, Decisions(announced=announced))
    after = rank(NESPROSTA, roster(2), verdicts, removed)
    assert [row_of(after, n).score for n in (1, 2)] == [0, 10]
    assert (going_on(before), going_on(after)) == ((1,), (2,))
    again = rank(NESPROSTA, roster(2), verdicts, replace(removed, removed=frozenset()))
    assert repr(again) == repr(before)


def test_nesprosta_knows_no_appeals() -> None:
    assert not NESPROSTA.appeals.allowed
    assert regulation("chat").appeals.allowed


def test_nesprosta_tie_is_one_further_theme() -> None:
    assert NESPROSTA.tie_rule.themes == 1
    for stage in NESPROSTA.stages:
        assert stage.ties.themes == 1
    stage = NESPROSTA.stages[-1]
    assert bout(stage, {1: 50, 2: 50})[2] is TiePolicy.SHOOT_OUT
    assert bout(stage, {1: 50, 2: 50}, ShootOut(((1, 0), (2, 10))))[0] == {2}


def test_nesprosta_most_points_win() -> None:
    assert bout(NESPROSTA.stages[-1], {1: 50, 2: 60, 3: -10})[0] == {2}


# The chat


def test_chat_three_rounds_of_6_themes_with_growing_nominals() -> None:
    assert (CHAT.themes, CHAT.nominals) == (6, (1, 2, 3, 4, 5))
    assert [(as_round(CHAT, n).themes, as_round(CHAT, n).nominals) for n in (0, 1)] == [
        (6, (2, 4, 6, 8, 10)),
        (6, (3, 6, 9, 12, 15)),
    ]


def test_chat_round_one_plus_or_minus_the_nominal_and_silence_is_0() -> None:
    verdicts = {(1, 6, 5): RIGHT, (2, 6, 5): WRONG, (3, 6, 5): BLANK}
    result = rank(CHAT, roster(3), verdicts)
    assert [row_of(result, n).score for n in (1, 2, 3)] == [5, -5, 0]


def test_chat_who_joins_late_loses_nothing() -> None:
    verdicts = {(1, 3, 5): RIGHT}
    missing = frozenset({(1, 1), (1, 2)})
    row = row_of(rank(CHAT, roster(1), verdicts, Decisions(missing=missing)), 1)
    assert row.score == 5
    assert row.unconfirmed == 3 * 5 + 4


def test_chat_second_warning_removes_the_player() -> None:
    decisions = Decisions(disqualified=frozenset({1}))
    result = with_scores(CHAT, roster(10), [9, *range(9)], decisions)
    assert row_of(result, 1).status is Status.DISQUALIFIED
    assert 1 not in going_on(result)


def test_chat_a_wrong_answer_in_the_open_costs_the_nominal() -> None:
    result = rank(CHAT, roster(1), {(1, 1, 4): WRONG})
    assert row_of(result, 1).score == -4


@pytest.mark.parametrize(
    ("registered", "places"), [(5, 8), (20, 8), (21, 8), (23, 8), (24, 9), (26, 9), (60, 21)]
)
def test_chat_first_cut_is_a_third_of_the_registered_plus_one(registered: int, places: int) -> None:
    result = with_scores(CHAT, roster(registered), [1000 - n for n in range(registered)])
    assert result.categories[0].cut.quota == places
    assert CHAT.cut_rule.counted is Counted.REGISTERED
    assert going_on(result) == tuple(range(1, min(places, registered) + 1))


def test_chat_counts_the_registered_not_those_who_came() -> None:
    players = roster(30)
    frame = pd.DataFrame([], columns=list(COLUMNS))
    brought = tuple(Points(n, 100 - n) for n in range(1, 31))
    result = standings("", players, set(range(1, 25)), frame, CHAT, Decisions(brought=brought))
    assert result.categories[0].cut.quota == 11


def test_chat_another_number_only_with_the_chief_judge_and_never_under_eight() -> None:
    scores = [1000 - n for n in range(30)]

    def told(places: int, by_chief: bool) -> Standings:
        announced = (Announced(places, by_chief=by_chief),)
        return with_scores(CHAT, roster(30), scores, Decisions(announced=announced))

    assert len(going_on(told(15, True))) == 15
    assert len(going_on(told(11, False))) == 11
    for places, by_chief in ((15, False), (7, True)):
        with pytest.raises(ConflictError):
            told(places, by_chief)


def test_chat_eight_best_stay_in_any_case_the_others_need_plus_one() -> None:
    scores = [9, 8, 7, 0, -1, -2, -3, -4, -5, *([-6] * 21)]
    assert going_on(with_scores(CHAT, roster(30), scores)) == tuple(range(1, 9))
    scores = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, *([-6] * 20)]
    assert going_on(with_scores(CHAT, roster(30), scores)) == tuple(range(1, 10))


def test_chat_who_ties_with_the_last_one_in_stays() -> None:
    scores = [9] * 10 + [1] * 5 + [0] * 15
    assert going_on(with_scores(CHAT, roster(30), scores)) == tuple(range(1, 16))
    # Also at the eighth place, below the least score.
    scores = [9, 8, 7, 6, 5, 4, 3, -2, -2, -2, *([-6] * 20)]
    assert going_on(with_scores(CHAT, roster(30), scores)) == tuple(range(1, 11))


def test_chat_round_two_starts_with_the_difference_to_the_last_one_in() -> None:
    scores = [19, 18, 17, 16, 15, 14, 13, 5, 4, 0, *([-6] * 20)]
    result = with_scores(CHAT, roster(30), scores)
    carried = carried_over(result, CHAT.stages[0].carry_over)
    assert [given.points for given in carried] == [15, 14, 13, 12, 11, 10, 9, 1, 0]


@pytest.mark.parametrize(("playing", "places"), [(4, 5), (8, 5), (9, 5), (10, 6), (21, 11)])
def test_chat_second_cut_is_half_plus_one_and_never_under_five(playing: int, places: int) -> None:
    second = as_round(CHAT, 0)
    result = with_scores(second, roster(playing), [100 - n for n in range(playing)])
    assert result.categories[0].cut.quota == places
    assert len(going_on(result)) == min(places, playing)
    scores = [9, *([-1] * (playing - 1))]
    expected = playing if playing > 1 else 1
    assert len(going_on(with_scores(second, roster(playing), scores))) == expected


def test_chat_second_cut_five_best_in_any_case_the_others_need_plus_one() -> None:
    second = as_round(CHAT, 0)
    scores = [9, 8, 0, -1, -2, -3, *([-4] * 14)]
    assert going_on(with_scores(second, roster(20), scores)) == (1, 2, 3, 4, 5)
    scores = [9, 8, 7, 6, 5, 1, 1, *([-4] * 13)]
    assert going_on(with_scores(second, roster(20), scores)) == tuple(range(1, 8))
    announced = Decisions(announced=(Announced(7),))
    with pytest.raises(ConflictError):
        with_scores(second, roster(20), scores, announced)


def test_chat_scores_are_kept_after_round_two() -> None:
    second = as_round(CHAT, 0)
    result = with_scores(second, roster(10), [30 - n for n in range(10)])
    carried = carried_over(result, CHAT.stages[1].carry_over)
    assert [given.points for given in carried] == [30, 29, 28, 27, 26, 25]


def test_chat_a_missing_stake_is_1() -> None:
    rule = final("chat").final
    assert rule is not None
    sheets = [StakeSheet(1, verdict=WRONG), StakeSheet(2, (5,), verdict=RIGHT)]
    result = play_final({1: 50, 2: 40}, sheets, rule, final("chat").ties, evidence())
    assert {row.number: row.after for row in result.rows} == {1: 49, 2: 45}
    assert result.winner == 1


# The table


def test_every_test_of_the_table_exists() -> None:
    """docs/regulations.md names tests of this folder; a renamed one would leave a sentence uncovered."""
    named = re.findall(r"`(test_\w+)`", DOCS.read_text(encoding="utf-8"))
    there = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        there |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert len(named) > 60
    assert sorted(set(named) - there) == []


def test_every_test_here_is_in_the_table() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCS.read_text(encoding="utf-8")))
    own = re.findall(r"^def (test_\w+)", Path(__file__).read_text(encoding="utf-8"), re.MULTILINE)
    of_the_table = {name for name in own if name.startswith("test_every_")}
    assert sorted(set(own) - named - of_the_table) == []


def test_every_row_of_the_table_names_a_test() -> None:
    rows = [
        line
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if re.match(r"\| (F|Q|N|P|C)\d", line)
    ]
    assert len(rows) > 60
    assert [row for row in rows if not re.search(r"`test_\w+` \|$", row)] == []
