"""The ledger keeps every ruling for ever; taking one back must bring exactly the former state.

Guards against an entry changed or lost, an undo that leaves a stale verdict, one that takes away a later
juror's ruling, and an «undo» key that goes in circles.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jury.boxes import BoxId, BoxVerdict
from jury.ledger import (
    Ruling,
    current,
    enter,
    latest,
    news,
    standing,
    undo,
    undoable,
    withdraw,
)
from scoring.model import Verdict

AT = datetime(2000, 1, 1, tzinfo=UTC)
BOXES = [("1", "t1r1"), ("1", "t1r2"), ("2", "t1r1"), ("S1", "t8r5")]
State = dict[BoxId, Verdict | None]

# An action is a confirmed wall (verdicts by box) or the undo of an earlier batch, counted from the last.
actions = st.lists(
    st.dictionaries(st.sampled_from(BOXES), st.sampled_from(list(Verdict)), min_size=1)
    | st.integers(1, 6),
    max_size=12,
)


def state(log: list[Ruling]) -> State:
    return {box: ruling.verdict for box, ruling in current(log).items()}


def confirm(log: list[Ruling], verdicts: State, batch: str, by: str = "anna") -> list[Ruling]:
    given_verdicts = [BoxVerdict(*box, verdict) for box, verdict in verdicts.items() if verdict]
    return [*log, *enter(log, given_verdicts, by=by, at=AT, batch=batch)]


def take_back(log: list[Ruling], undone: str, batch: str, by: str = "anna") -> list[Ruling]:
    return [*log, *undo(log, undone, by=by, at=AT, batch=batch)]


def play(steps: list[State | int]) -> list[list[Ruling]]:
    """The log after every action; batches are named by their place, from 0."""
    logs: list[list[Ruling]] = [[]]
    for index, step in enumerate(steps):
        log = logs[-1]
        if isinstance(step, int):
            logs.append(take_back(log, str(max(0, index - step)), str(index)))
        else:
            logs.append(confirm(log, step, str(index)))
    return logs


@given(actions)
def test_the_log_only_grows(steps: list[State | int]) -> None:
    logs = play(steps)
    for before, after in pairwise(logs):
        assert after[: len(before)] == before
    ids = [entry.id for entry in logs[-1]]
    assert ids == list(range(1, len(ids) + 1))


@given(actions, st.randoms())
def test_the_latest_entry_wins_in_whatever_order_the_log_is_read(
    steps: list[State | int], random
) -> None:  # type: ignore[no-untyped-def]
    log = play(steps)[-1]
    naive: State = {}
    for entry in log:
        naive[entry.box_id] = entry.verdict
    assert state(log) == {box: verdict for box, verdict in naive.items() if verdict is not None}
    assert latest(random.sample(log, len(log))) == latest(log)


@given(actions)
def test_every_entry_follows_the_one_before_it_on_its_box(steps: list[State | int]) -> None:
    last: dict[BoxId, int] = {}
    for entry in play(steps)[-1]:
        assert entry.supersedes == last.get(entry.box_id)
        last[entry.box_id] = entry.id


@given(actions)
def test_undoing_the_last_batch_restores_the_state_before(steps: list[State | int]) -> None:
    logs = play(steps)
    if len(logs) > 1:
        undone = take_back(logs[-1], str(len(steps) - 1), "undo")
        assert state(undone) == state(logs[-2])
        # An undo is a batch too.
        assert state(take_back(undone, "undo", "redo")) == state(logs[-1])
        assert take_back(undone, str(len(steps) - 1), "twice") == undone


@given(actions)
def test_withdrawing_leaves_no_ruling_and_one_undo_brings_all_back(
    steps: list[State | int],
) -> None:
    log = play(steps)[-1]
    bare = [*log, *withdraw(log, by="otbor", at=AT, batch="bare", why="another scan counts")]
    assert state(bare) == {}
    assert state(take_back(bare, "bare", "back")) == state(log)


@given(
    st.lists(st.dictionaries(st.sampled_from(BOXES), st.sampled_from(list(Verdict)), min_size=1))
)
def test_pressing_undo_again_and_again_walks_back_to_nothing(steps: list[State]) -> None:
    logs = play(list(steps))
    states = [state(log) for log in logs]
    log = logs[-1]
    for index in reversed(range(len(steps))):
        batch = undoable(log, "anna")
        assert batch == str(index)
        log = take_back(log, batch, f"undo {index}")
        assert state(log) == states[index]
    assert undoable(log, "anna") is None


def test_a_later_ruling_of_another_juror_stays() -> None:
    first, second = BOXES[:2]
    log = confirm([], {first: Verdict.RIGHT, second: Verdict.RIGHT}, "a", by="anna")
    log = confirm(log, {second: Verdict.WRONG}, "b", by="boris")
    log = take_back(log, "a", "undo a")
    assert state(log) == {second: Verdict.WRONG}
    assert undoable(log, "anna") is None
    assert undoable(log, "boris") == "b"


def test_an_undo_says_who_when_what_and_why() -> None:
    log = confirm([], {BOXES[0]: Verdict.RIGHT}, "a")
    log = confirm(log, {BOXES[0]: Verdict.WRONG}, "b")
    [entry] = undo(log, "b", by="chief", at=AT, batch="c", why="slip")
    assert entry == Ruling(
        id=3,
        sheet="1",
        box="t1r1",
        verdict=Verdict.RIGHT,
        by="chief",
        at=AT,
        batch="c",
        supersedes=2,
        restores=1,
        undoes="b",
        why="slip",
    )


def test_undoing_a_first_ruling_leaves_none() -> None:
    log = take_back(confirm([], {BOXES[0]: Verdict.RIGHT}, "a"), "a", "b")
    assert current(log) == {}
    assert latest(log)[BOXES[0]].verdict is None
    assert undo(log, "nobody's", by="anna", at=AT, batch="c") == []


def test_impossible_batches_are_refused() -> None:
    log = confirm([], {BOXES[0]: Verdict.RIGHT}, "a")
    with pytest.raises(ValueError):
        confirm(log, {BOXES[1]: Verdict.RIGHT}, "a")
    with pytest.raises(ValueError):
        take_back(log, "a", "a")
    twice = [BoxVerdict(*BOXES[0], Verdict.RIGHT), BoxVerdict(*BOXES[0], Verdict.WRONG)]
    with pytest.raises(ValueError):
        enter(log, twice, by="anna", at=AT, batch="b")


@given(actions)
def test_what_stands_after_an_undo_has_its_own_author_and_reason(steps: list[State | int]) -> None:
    for log in play(steps):
        for box, held in standing(log).items():
            assert held.box_id == box
            assert held.verdict is current(log)[box].verdict
            assert not held.undoes


@given(actions, st.sampled_from(BOXES), st.sampled_from(list(Verdict)), st.text(max_size=3))
def test_only_another_verdict_or_another_reason_is_news(
    steps: list[State | int], box: BoxId, verdict: Verdict, why: str
) -> None:
    log = play(steps)[-1]
    given_verdict = BoxVerdict(*box, verdict, why)
    after = [*log, *enter(log, [given_verdict], by="anna", at=AT, batch="last", why="other")]
    assert standing(after)[box].why == why
    assert news(after, [given_verdict, BoxVerdict(*box, verdict)]) == []
    changed = [BoxVerdict(*box, verdict, why + "!"), *(BoxVerdict(*box, v) for v in Verdict)]
    assert len(news(after, changed)) == len(Verdict)
    # Taken back, it is news again unless the very same had stood before.
    back = [*after, *undo(after, "last", by="anna", at=AT, batch="back")]
    before = standing(log).get(box)
    same = before is not None and (before.verdict, before.why) == (verdict, why)
    assert news(back, [given_verdict]) == ([] if same else [given_verdict])
