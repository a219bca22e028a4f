"""Guards the plan: if its verdicts or scores were off, the truth beside the scans would be wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samples.event_files import SampleEvent, load_event
from samples.plan import EMPTY_KINDS, Kind, Plan
from samples.plan_search import plan_sample, scores_of, tie_across
from scanner.geometry import SheetKind
from scoring.folding import fold
from scoring.model import Verdict

EVENT = load_event()


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_sample(EVENT, 1)


@settings(max_examples=12, deadline=None)
@given(st.integers(min_value=0, max_value=10**6))
def test_every_seed_gives_the_three_cuts(seed: int) -> None:
    plan = plan_sample(EVENT, seed)
    first, second, third = (scores_of(plan, name) for name in EVENT.regulation.categories)
    assert len(first) == 45
    assert sorted(first, reverse=True)[31] == sorted(first, reverse=True)[32]
    assert len(second) == 37
    assert sorted(second, reverse=True)[31] > sorted(second, reverse=True)[32]
    assert len(third) == 19


@settings(max_examples=12, deadline=None)
@given(st.integers(min_value=0, max_value=10**6))
def test_verdict_follows_from_what_is_written(seed: int) -> None:
    for sheet in plan_sample(EVENT, seed, 12).sheets:
        for box in sheet.boxes:
            assert (box.verdict is Verdict.BLANK) == (box.kind in EMPTY_KINDS)
            assert bool(box.text) == (box.kind not in EMPTY_KINDS)
            assert bool(box.struck) == (box.kind in {Kind.CROSSED, Kind.REWRITTEN})
            assert box.struck != box.text or not box.text
            if box.text:
                assert _jury(EVENT, box.theme, box.nominal, box.text) is box.verdict


def test_same_seed_same_plan(plan: Plan) -> None:
    assert plan_sample(EVENT, 1) == plan
    assert plan_sample(EVENT, 2) != plan


def test_boxes_get_emptier_with_the_nominal(plan: Plan) -> None:
    boxes = [box for sheet in plan.sheets for box in sheet.boxes]
    shares = []
    for nominal in EVENT.regulation.nominals:
        row = [box for box in boxes if box.nominal == nominal]
        shares.append(sum(box.verdict is Verdict.BLANK for box in row) / len(row))
    assert shares == sorted(shares)
    assert shares[0] < 0.35
    assert shares[-1] > 0.6
    assert 0.4 < sum(box.verdict is Verdict.BLANK for box in boxes) / len(boxes) < 0.6


def test_every_kind_is_there(plan: Plan) -> None:
    kinds = {box.kind for sheet in plan.sheets for box in sheet.boxes}
    assert kinds == set(Kind)
    near = {
        box.verdict for sheet in plan.sheets for box in sheet.boxes if box.kind is Kind.NEAR_MISS
    }
    assert near == {Verdict.RIGHT, Verdict.WRONG}


def test_a_score_is_the_sum_of_its_cells(plan: Plan) -> None:
    for sheet in plan.sheets:
        rights = sum(box.nominal for box in sheet.boxes if box.verdict is Verdict.RIGHT)
        wrongs = sum(box.nominal for box in sheet.boxes if box.verdict is Verdict.WRONG)
        assert plan.scores[sheet.player] == rights - wrongs


def test_two_players_use_spares_and_two_are_absent(plan: Plan) -> None:
    spares = [sheet for sheet in plan.sheets if sheet.kind is SheetKind.SPARE]
    assert [sheet.sheet for sheet in sorted(spares, key=lambda s: s.number)] == ["S1", "S2"]
    own = {sheet.number for sheet in plan.sheets if sheet.kind is SheetKind.PERSONAL}
    assert not own & {sheet.player for sheet in spares}
    assert len(plan.absent) == 2
    assert len(plan.sheets) == len(EVENT.players) - 2
    assert not set(plan.scores) & set(plan.absent)


def test_fewer_and_more_sheets() -> None:
    assert len(plan_sample(EVENT, 1, 7).sheets) == 7
    grown = plan_sample(EVENT, 1, 120)
    assert len(grown.sheets) == 120
    assert len({sheet.sheet for sheet in grown.sheets}) == 120
    assert len({player.number for player in grown.players}) == len(grown.players)
    assert {sheet.player for sheet in grown.sheets} <= {p.number for p in grown.players}


def test_tie_across() -> None:
    assert tie_across([30, 20, 20, 10], 2)
    assert not tie_across([30, 20, 20, 10], 3)
    assert not tie_across([30, 20], 2)


def _jury(event: SampleEvent, theme: int, nominal: int, text: str) -> Verdict:
    """The verdict of a jury with the key and the lists of spellings at hand."""
    question = event.key.question(theme, nominal)
    spellings = event.spellings[theme, nominal]
    right = {fold(form) for form in (*question.forms, *spellings.right, *spellings.slips)}
    return Verdict.RIGHT if fold(text) in right else Verdict.WRONG
