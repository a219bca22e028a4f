"""Two people read a box.

Guards against a verdict that only one person gave passing for two, and against one juror seeing another's.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jury.double import (
    NO_PAGE,
    DoubleBox,
    Reading,
    State,
    Vote,
    readings,
    state_of,
    votes_that_stand,
)
from scoring.model import Verdict

RIGHT, WRONG, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.DISPUTED
PEOPLE = ("anna", "boris", "clara")
PAGE = 7

# A line of the log without its number: who, on which page, what (None takes back).
lines = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from([PAGE, PAGE, PAGE, 8, NO_PAGE]),
        st.none() | st.sampled_from(list(Verdict)),
    ),
    max_size=10,
)
Line = tuple[str, int, Verdict | None]


def log(given_lines: list[Line]) -> list[Vote]:
    return [
        Vote(index, by, page, verdict, at=float(index))
        for index, (by, page, verdict) in enumerate(given_lines, start=1)
    ]


def said(votes: list[Vote]) -> dict[str, Verdict]:
    return {by: reading.verdict for by, reading in readings(votes, PAGE).items()}


@given(lines, st.randoms())
def test_the_order_in_which_lines_are_read_does_not_matter(
    given_lines: list[Line], chance: object
) -> None:
    votes = log(given_lines)
    mixed = list(votes)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert readings(mixed, PAGE) == readings(votes, PAGE)


@given(st.permutations([("anna", RIGHT), ("boris", WRONG), ("clara", RIGHT)]))
def test_who_votes_first_does_not_matter(order: list[tuple[str, Verdict]]) -> None:
    votes = log([(by, PAGE, verdict) for by, verdict in order])
    given_readings = readings(votes, PAGE)
    assert list(given_readings) == ["anna", "boris", "clara"]
    # Two that agree do not outvote the third.
    assert state_of(given_readings.values()) is State.DIFFER


@given(lines, st.sampled_from(PEOPLE), st.sampled_from(list(Verdict)))
def test_a_later_vote_replaces_the_same_persons_earlier_one_alone(
    given_lines: list[Line], by: str, verdict: Verdict
) -> None:
    before = said(log(given_lines))
    after = said(log([*given_lines, (by, PAGE, verdict)]))
    assert after == before | {by: verdict}
    assert state_of(readings(log([(by, PAGE, RIGHT), (by, PAGE, verdict)]), PAGE).values()) is (
        State.ONE
    )


@given(lines, st.sampled_from(PEOPLE), st.sampled_from(list(Verdict)))
def test_taking_a_vote_back_gives_what_was_before(
    given_lines: list[Line], by: str, verdict: Verdict
) -> None:
    taken_back = [*given_lines, (by, PAGE, verdict), (by, PAGE, None)]
    assert said(log(taken_back)) == said(log(given_lines))


@given(lines, st.sampled_from(PEOPLE))
def test_taking_back_ends_with_nothing_and_touches_nobody_else(
    given_lines: list[Line], by: str
) -> None:
    deep = len(votes_that_stand(log(given_lines), by))
    after = said(log([*given_lines, *[(by, PAGE, None)] * deep]))
    others = {name: verdict for name, verdict in said(log(given_lines)).items() if name != by}
    assert after == others


@given(lines)
def test_votes_on_another_picture_do_not_count(given_lines: list[Line]) -> None:
    elsewhere = log([(by, 8, verdict) for by, _page, verdict in given_lines])
    assert readings(elsewhere, PAGE) == {}
    on_paper = log([(by, NO_PAGE, verdict) for by, _page, verdict in given_lines])
    here = log([(by, PAGE, verdict) for by, _page, verdict in given_lines])
    assert said(on_paper) == said(here)


@given(lines, st.sampled_from(PEOPLE))
def test_a_ruling_made_alone_is_its_authors_reading_until_they_vote(
    given_lines: list[Line], by: str
) -> None:
    base = Reading(by, RIGHT, at=0.5, is_vote=False)
    votes = log(given_lines)
    with_base = readings(votes, PAGE, base)
    withdrawn = any(
        vote.verdict is None and not votes_that_stand(votes[: vote.id - 1], by)
        for vote in votes
        if vote.by == by
    )
    if by in readings(votes, PAGE):
        assert with_base[by] == readings(votes, PAGE)[by]
    elif withdrawn:
        assert by not in with_base
    else:
        assert with_base[by] == base
    later = Reading(by, RIGHT, at=len(given_lines) + 1.0, is_vote=False)
    assert readings(votes, PAGE, later)[by] == later


boxes = st.builds(
    lambda given_readings, ruling, decided, under: DoubleBox(
        {by: Reading(by, verdict) for by, verdict in given_readings.items()},
        ruling,
        decided=decided and ruling is not None,
        under=under,
    ),
    st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from(list(Verdict))),
    st.none() | st.sampled_from(list(Verdict)),
    st.booleans(),
    st.booleans(),
)


@given(boxes, st.sampled_from(PEOPLE))
def test_nobody_sees_what_another_one_says_before_they_have_said_it_themselves(
    box: DoubleBox, person: str
) -> None:
    if box.decided or not box.under:
        assert box.shown(person) is box.ruling
    elif person in box.readings:
        assert box.shown(person) is box.readings[person].verdict
        assert not box.waits_for(person)
    elif len(box.readings) < 2:
        assert box.shown(person) is None
        assert box.waits_for(person)
    else:
        assert not box.waits_for(person)


def test_one_person_is_never_both_readers() -> None:
    votes = log([("anna", PAGE, RIGHT), ("anna", PAGE, RIGHT)])
    box = DoubleBox(readings(votes, PAGE))
    assert box.state is State.ONE
    assert not box.waits_for("anna")
    assert box.waits_for("boris")
