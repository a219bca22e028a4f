"""Guards against an appeal decided twice, filed too late or too often, or ruled on for an unequal answer."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jury import ledger
from jury.appeals import (
    TRANSITIONS,
    Filed,
    Likeness,
    Posted,
    Refusal,
    State,
    Step,
    Window,
    after,
    cleaned,
    likeness,
    refusal,
    window,
)
from jury.boxes import BoxVerdict
from scoring.model import Verdict
from scoring.rules import AppealRule

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@given(st.lists(st.sampled_from(Step), max_size=12))
def test_no_way_leads_past_being_open(steps: list[Step]) -> None:
    """Between two decisions there is always a reopening, and nothing follows a withdrawal."""
    state, done = State.OPEN, []
    for step in steps:
        new = after(state, step)
        if new is None:
            continue
        done.append(step)
        state = new
    decided = [step for step in done if step in (Step.ACCEPT, Step.REJECT)]
    assert len(decided) - done.count(Step.REOPEN) in (0, 1)
    assert Step.WITHDRAW not in done[:-1]
    assert (state is State.OPEN) is (not done or done[-1] is Step.REOPEN)


def test_only_decisions_are_taken_back() -> None:
    backs = {before for before, step in TRANSITIONS if step is Step.REOPEN}
    assert backs == {State.ACCEPTED, State.REJECTED}
    assert set(TRANSITIONS.values()) == set(State)


@given(
    first=st.floats(0, 1e9),
    gap=st.floats(0.001, 1e6),
    minutes=st.none() | st.integers(1, 10_000),
    end=st.none() | st.floats(-1e6, 2e9),
    now=st.floats(-1e6, 3e9),
)
def test_only_the_newest_publication_takes_appeals_and_only_in_its_time(
    first: float, gap: float, minutes: int | None, end: float | None, now: float
) -> None:
    posted = [Posted(1, first), Posted(2, first + gap)]
    found = window(posted, AppealRule(minutes=minutes), end)
    assert found is not None
    assert found.publication == 2
    assert not found.is_open(posted[1].at - 0.001)
    left = found.left(now)
    if found.closes is None:
        assert left is None
        assert minutes is None
        assert end is None
    else:
        assert found.closes >= found.opens
        assert not found.is_open(found.closes)
        assert left is not None
        assert not (left == 0.0 and found.is_open(now))
    assert window([*posted, Posted(3, first + gap, withdrawn=True)], AppealRule(), end) is None


def test_the_organizers_end_stands_above_the_regulations() -> None:
    posted = [Posted(1, 1000.0)]
    rule = AppealRule(minutes=30)
    assert window(posted, rule, None) == Window(1, 1000.0, 2800.0)
    assert window(posted, rule, 5000.0) == Window(1, 1000.0, 5000.0)
    assert window(posted, rule, 1100.0) == Window(1, 1000.0, 1100.0)
    assert window(posted, rule, 0.0) == Window(1, 1000.0, 1000.0)


def test_nothing_to_appeal_against() -> None:
    assert window([], AppealRule(), None) is None
    assert window([Posted(1, 5.0)], AppealRule(allowed=False), None) is None


FILED = st.builds(
    Filed,
    player=st.integers(1, 3),
    question=st.tuples(st.integers(1, 2), st.sampled_from([10, 20])),
    publication=st.integers(1, 2),
    state=st.sampled_from(State),
    own=st.booleans(),
)


@given(st.lists(FILED, max_size=20), st.integers(1, 3))
def test_however_many_are_tried_a_player_has_one_open_a_question_and_no_more_than_allowed(
    tried: list[Filed], most: int
) -> None:
    """Every one that is let in is filed as it is: the limits hold for all that has come together."""
    kept: list[Filed] = []
    for new in tried:
        if refusal(new, kept, AppealRule(most=most)) is None:
            kept.append(new)
    standing = [other for other in kept if other.state is not State.WITHDRAWN]
    places = [(other.player, other.question, other.publication) for other in standing]
    assert len(set(places)) == len(places)
    own = [(other.player, other.publication) for other in standing if other.own]
    assert all(own.count(place) <= most for place in own)


def test_each_refusal_has_its_reason() -> None:
    rule = AppealRule(most=1)
    new = Filed(1, (1, 10), 1, State.OPEN)
    assert refusal(new, [Filed(2, (1, 10), 1, State.OPEN)], rule) is None
    assert refusal(new, [Filed(1, (1, 10), 1, State.OPEN)], rule) is Refusal.OPEN_ALREADY
    assert refusal(new, [Filed(1, (1, 10), 1, State.REJECTED)], rule) is Refusal.DECIDED_ALREADY
    assert refusal(new, [Filed(1, (2, 10), 1, State.REJECTED)], rule) is Refusal.TOO_MANY
    # What was withdrawn, decided on another publication, or filed by the desk takes nothing away.
    for other in (
        Filed(1, (1, 10), 1, State.WITHDRAWN),
        Filed(1, (1, 10), 2, State.REJECTED),
        Filed(1, (2, 10), 1, State.REJECTED, own=False),
    ):
        assert refusal(new, [other], rule) is None
    # One that is still open on an earlier publication waits for its decision.
    assert refusal(new, [Filed(1, (1, 10), 2, State.OPEN)], rule) is Refusal.OPEN_ALREADY


@given(
    before=st.dictionaries(st.integers(1, 6), st.sampled_from(Verdict), min_size=1),
    appeals=st.lists(
        st.tuples(st.lists(st.integers(1, 6), unique=True, min_size=1), st.sampled_from(Verdict)),
        min_size=1,
        max_size=5,
    ),
)
def test_accepting_and_taking_back_in_any_number_restores_every_ruling(
    before: dict[int, Verdict], appeals: list[tuple[list[int], Verdict]]
) -> None:
    log: list[ledger.Ruling] = []

    def enter(batch: str, verdicts: dict[int, Verdict]) -> None:
        given_ = [BoxVerdict(str(sheet), "t1r1", verdict) for sheet, verdict in verdicts.items()]
        log.extend(ledger.enter(log, given_, by="chief", at=NOW, batch=batch))

    def ruled() -> dict[tuple[str, str], Verdict | None]:
        return {box: entry.verdict for box, entry in ledger.current(log).items()}

    enter("wall", before)
    at_first = ruled()
    for at, (sheets, verdict) in enumerate(appeals):
        enter(f"a{at}", dict.fromkeys(sheets, verdict))
    for at in reversed(range(len(appeals))):
        log.extend(ledger.undo(log, f"a{at}", by="chief", at=NOW, batch=f"u{at}"))
    assert ruled() == at_first


@pytest.mark.parametrize(
    ("text", "others", "found"),
    [
        ("Пушкин", ["пушкин"], Likeness.EQUAL),
        ("Ёжик", ["ежик"], Likeness.EQUAL),
        ("Нью Йорк", ["Нью-Йорк"], Likeness.EQUAL),
        ("Пушкнн", ["Пушкин"], Likeness.SIMILAR),
        ("1812", ["1813"], None),
        ("кит", ["кот"], None),
        ("", [""], None),
        ("Лермонтов", ["Пушкин"], None),
        ("Лермонтов", [], None),
    ],
)
def test_which_readings_are_offered_one_verdict(
    text: str, others: list[str], found: Likeness | None
) -> None:
    assert likeness(text, others) is found


@given(st.text(max_size=80))
def test_cleaned_text_is_clean_and_stays_so(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once
    assert all(char.isprintable() or char == "\n" for char in once)
    assert once == once.strip()
