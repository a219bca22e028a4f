"""What is said to be certain, against every way in which the open answers may be ruled.

Guards against «the 32 are decided» and one of them out an hour later: a tie, a least score, a late sheet, a
shoot-out or a declined place that was not thought of. And against certainty that comes too late, since it was
only estimated.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from otbor.errors import ConflictError
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
from scoring.effect import Effect, GroupEffect, effect
from scoring.model import Player, Regulation, Status, Verdict
from scoring.ranking import standings
from scoring.reach import Fate
from scoring.rules import (
    Announcing,
    CountBack,
    Counted,
    CutRule,
    Formula,
    Grouping,
    Price,
    Prices,
    ReserveCall,
    TiePolicy,
    TieRule,
)
from scoring.totals import BLANK, OPEN, RIGHT, WRONG

Kinds = dict[tuple[int, int], int]
"""(number, box) → what stands there, OPEN where nobody has said."""
VERDICTS = {RIGHT: Verdict.RIGHT, WRONG: Verdict.WRONG, BLANK: Verdict.BLANK}
RULED = tuple(VERDICTS)
PLAIN = (TiePolicy.UNDECIDED, TiePolicy.ALL_IN, TiePolicy.NONE_IN)


@dataclass
class Case:
    """A round in the middle of the jury's work."""

    players: list[Player]
    present: list[int]
    kinds: Kinds
    regulation: Regulation
    decisions: Decisions = NO_DECISIONS
    late: frozenset[int] = frozenset()
    boxes: int = field(init=False)

    def __post_init__(self) -> None:
        self.boxes = self.regulation.themes * len(self.regulation.nominals)

    def found(self) -> Effect:
        table = [[self.kinds[number, box] for box in range(self.boxes)] for number in self.present]
        kinds = np.array(table, dtype=np.int8).reshape(len(self.present), self.boxes)
        return effect(
            self.players, self.present, kinds, self.regulation, self.decisions, late=self.late
        )

    def outcomes(self) -> list[dict[int, Fate]]:
        """What the real standings make of every way to rule the open answers and to hand in late sheets."""
        found = []
        absent = [number for number in sorted(self.late) if number not in self.present]
        for count in range(len(absent) + 1):
            for came in itertools.combinations(absent, count):
                blank = {(number, box): OPEN for number in came for box in range(self.boxes)}
                for kinds in completions(self.kinds | blank):
                    try:
                        found.append(self.outcome([*self.present, *came], kinds))
                    except ConflictError:
                        continue  # no standings at all, so nothing that could contradict us
        return found

    def outcome_or_none(self, kinds: Kinds) -> dict[int, Fate] | None:
        """What becomes of everybody; None where the decisions do not fit, so that there are no standings."""
        try:
            return self.outcome(self.present, kinds)
        except ConflictError:
            return None

    def outcome(self, present: list[int], kinds: Kinds) -> dict[int, Fate]:
        per_theme = len(self.regulation.nominals)
        rows = [
            (
                number,
                box // per_theme + 1,
                self.regulation.nominals[box % per_theme],
                VERDICTS[kind],
            )
            for (number, box), kind in kinds.items()
        ]
        table = pd.DataFrame(rows, columns=["player", "theme", "nominal", "verdict"])
        result = standings("", self.players, present, table, self.regulation, self.decisions)
        known = {Status.IN: Fate.IN, Status.TIED: Fate.TIED}
        return {
            row.player.number: known.get(row.status, Fate.OUT)
            for part in result.categories
            for row in part.rows
        }


def completions(kinds: Kinds) -> Iterator[Kinds]:
    """Every way to rule what is open, each answer by itself."""
    open_ = [box for box, kind in kinds.items() if kind == OPEN]
    for values in itertools.product(RULED, repeat=len(open_)):
        yield kinds | dict(zip(open_, values, strict=True))


def fates(group: GroupEffect) -> dict[int, Fate]:
    return dict(zip(group.numbers, group.fates, strict=True))


def seen(case: Case) -> dict[int, set[Fate]]:
    """What became of each player in at least one outcome."""
    found: dict[int, set[Fate]] = {player.number: set() for player in case.players}
    for outcome in case.outcomes():
        for number, fate in outcome.items():
            found[number].add(fate)
    return found


NUMBERS = st.integers(1, 6)


@st.composite
def plain_cases(draw: st.DrawFn, most_open: int = 4, players: int = 5, boxes: int = 6) -> Case:
    """A quota, a policy for ties that needs nothing played, and at most so many open answers."""
    nominals = draw(st.sampled_from([(10,), (10, 20), (10, 30), (10, 20, 40)]))
    themes = draw(st.integers(1, 2 if 2 * len(nominals) <= boxes else 1))
    nominals = nominals[:boxes]
    roster = [
        Player(n, f"И{n}", draw(st.sampled_from("ААБ")))
        for n in range(1, draw(st.integers(1, players)) + 1)
    ]
    present = [p.number for p in roster if draw(st.integers(0, 5))]
    here = [(n, box) for n in present for box in range(themes * len(nominals))]
    kinds = {box: draw(st.sampled_from(RULED)) for box in here}
    for box in draw(st.lists(st.sampled_from(here), max_size=most_open)) if here else ():
        kinds[box] = OPEN
    policy = draw(st.sampled_from([*PLAIN, TiePolicy.SHOOT_OUT, TiePolicy.LOT]))
    regulation = Regulation(
        themes=themes, nominals=nominals, cut=draw(st.integers(1, 4)), tie_policy=policy
    )
    if draw(st.booleans()):
        least = draw(st.integers(-3, 5)) * 10
        rule = CutRule(sure=draw(st.integers(0, regulation.cut)), least_score=least)
        regulation = replace(regulation, cut_rule=rule)
    return Case(roster, present, kinds, regulation)


def points(draw: st.DrawFn, numbers: list[int], low: int, high: int) -> tuple[Points, ...]:
    chosen = draw(st.lists(st.sampled_from(numbers), unique=True, max_size=2))
    return tuple(Points(n, draw(st.integers(low, high)) * 10) for n in chosen)


@st.composite
def any_cases(draw: st.DrawFn, most_open: int = 3, boxes: int = 6) -> Case:
    """All that regulations and organizers can think of, with few open answers."""
    case = draw(plain_cases(most_open, players=6, boxes=boxes))
    numbers = [player.number for player in case.players]
    some = st.lists(st.sampled_from(numbers), unique=True, max_size=2).map(frozenset)
    played = st.lists(st.sampled_from(numbers), unique=True, min_size=min(2, len(numbers)))
    policies = st.lists(st.sampled_from([*TiePolicy]), unique=True, min_size=1, max_size=3)
    steps = tuple(draw(policies))
    keys = tuple(draw(st.lists(st.sampled_from([*CountBack]), unique=True, min_size=1, max_size=2)))
    host = draw(st.booleans())
    formula = draw(st.sampled_from([None, Formula(1, 2), Formula(1, 3, 1), Formula(1, 1, -1)]))
    prices = draw(
        st.sampled_from(
            [
                Prices(),
                Prices(wrong=Price()),
                Prices(blank=Price(points=5)),
                Prices(missing=Price(-1)),
            ]
        )
    )
    rule = case.regulation.cut_rule
    rule = CutRule(
        each=draw(st.sampled_from([Grouping.CATEGORY, Grouping.ALL])),
        formula=formula,
        counted=draw(st.sampled_from([*Counted])),
        announcing=draw(st.sampled_from([Announcing.FIXED, Announcing.FIXED, Announcing.REQUIRED])),
        sure=rule.sure,
        least_score=rule.least_score,
    )
    case.regulation = replace(
        case.regulation,
        cut_rule=rule,
        tie_policy=steps[0],
        ties=TieRule(steps, 1, keys),
        prizes=draw(st.integers(0, 2)),
        reserve=0 if host else draw(st.integers(0, 2)),
        reserve_call=ReserveCall.HOST if host else ReserveCall.SCORE,
        exempt=True,
        prices=prices,
    )
    out_of_competition = draw(some)
    first = (1, case.regulation.nominals[0])
    shoot_outs = draw(st.lists(played, max_size=2))
    lots = draw(st.lists(played, max_size=2))
    points_of = st.sampled_from([None, 0, 10, 20])
    case.decisions = Decisions(
        removed=frozenset([first]) if draw(st.integers(0, 4)) == 0 else frozenset(),
        nominals=(NewNominal(*first, 20),) if draw(st.integers(0, 4)) == 0 else (),
        missing=frozenset({(numbers[0], 1)}) if draw(st.integers(0, 4)) == 0 else frozenset(),
        brought=points(draw, numbers, -3, 3),
        penalties=points(draw, numbers, 0, 3),
        disqualified=draw(some) if draw(st.booleans()) else frozenset(),
        out_of_competition=out_of_competition,
        exempt=draw(some) - out_of_competition if draw(st.booleans()) else frozenset(),
        declined=draw(some),
        called=draw(some) if host and draw(st.booleans()) else frozenset(),
        announced=(Announced(draw(st.integers(1, 4))),)
        if rule.announcing is Announcing.REQUIRED
        else (),
        choices=(TieChoice(TieRule((TiePolicy.ALL_IN,))),) if draw(st.integers(0, 5)) == 0 else (),
        shoot_outs=tuple(ShootOut(tuple((n, draw(points_of)) for n in who)) for who in shoot_outs),
        lots=tuple(Lot(tuple(who)) for who in lots),
    )
    return case


@st.composite
def late_cases(draw: st.DrawFn) -> Case:
    """Some players have no sheet, and one or two of those may still bring one."""
    case = draw(any_cases(most_open=1, boxes=2))
    absent = [player.number for player in case.players if player.number not in case.present]
    if not absent and len(case.present) > 1:
        gone = case.present.pop()
        absent = [gone]
        case.kinds = {box: kind for box, kind in case.kinds.items() if box[0] != gone}
    case.late = frozenset(absent[: draw(st.sampled_from([1, 1, 1, 2]))])
    return case


@given(plain_cases())
@settings(max_examples=100)
def test_what_is_certain_is_exactly_what_no_ruling_can_change(case: Case) -> None:
    came = seen(case)
    for group in case.found().groups:
        for number, fate in fates(group).items():
            assert came[number] == {fate} if fate is not Fate.OPEN else len(came[number]) > 1


def check(case: Case) -> None:
    """What is said to be certain is so in every outcome."""
    outcomes = case.outcomes()
    for group in case.found().groups:
        named = [{n: fate for n, fate in each.items() if n in group.numbers} for each in outcomes]
        for number, fate in fates(group).items():
            assert fate is Fate.OPEN or all(each[number] is fate for each in named)
        if group.up_to_a_tie:
            assert all(each == named[0] for each in named)
        if group.decided:
            assert all(Fate.TIED not in each.values() for each in named)


@given(any_cases())
@settings(max_examples=100)
def test_what_is_certain_holds_for_every_completion(case: Case) -> None:
    check(case)


@given(late_cases())
@settings(max_examples=40)
def test_what_is_certain_holds_whoever_still_brings_a_sheet(case: Case) -> None:
    check(case)


def deciding(case: Case) -> set[tuple[int, int]]:
    """Answers of which another verdict alone changes who goes on, for some verdicts on the open ones."""
    found = set()
    for whole in completions(case.kinds):
        usual = case.outcome_or_none(whole)
        for box, kind in whole.items():
            others = [whole | {box: other} for other in RULED if other != kind]
            if any(case.outcome_or_none(other) != usual for other in others):
                found.add(box)
    return found


def marked(found: Effect) -> set[tuple[int, int]]:
    """The answers that are said to matter, open and ruled ones."""
    table = found.waiting | found.near
    assert not (found.waiting & found.near).any()
    return {(found.numbers[row], box) for row, box in np.argwhere(table).tolist()}


@given(plain_cases(most_open=1, players=4, boxes=2))
@settings(max_examples=40)
def test_an_answer_matters_exactly_if_it_alone_can_change_who_goes_on(case: Case) -> None:
    found = case.found()
    if case.regulation.tie_policy in (TiePolicy.ALL_IN, TiePolicy.NONE_IN) and found.waiting.any():
        # One who is in (or out) in any case may make a tie of others or undo it; some are named too many.
        assert marked(found) >= deciding(case)
    else:
        assert marked(found) == deciding(case)
    open_ = {(found.numbers[row], box) for row, box in np.argwhere(found.waiting).tolist()}
    assert all(case.kinds[box] == OPEN for box in open_)


@given(any_cases(most_open=0, boxes=4))
@settings(max_examples=150)
def test_what_is_near_the_line_is_exact_once_all_is_ruled(case: Case) -> None:
    """Whatever decides a tie: a count-back once named all answers of all who were tied."""
    if case.decisions.called:
        assert marked(case.found()) >= deciding(case)
    else:
        assert marked(case.found()) == deciding(case)


@given(any_cases(most_open=1, boxes=2))
@settings(max_examples=80)
def test_no_answer_near_the_line_is_left_out_while_some_are_open(case: Case) -> None:
    assert marked(case.found()) >= deciding(case)
