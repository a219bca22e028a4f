"""The wall rules on every box of a question, once, and says again what was ruled when it is reopened.

Guards against an answer left without a verdict, a mark on a box that has gone, equal answers torn
apart, and a question that counts as done while boxes are open.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jury.boxes import sheet_order
from jury.normalise import fold
from jury.progress import first_by_effect, progress
from jury.wall import Wall, WallEntry, build_wall
from otbor.errors import ConflictError
from scanner.contracts import Ink
from scoring.model import Question, Verdict

QUESTION = Question(3, 5, 50, "Ёжик")
BOX = "t3r5"

entries = st.lists(
    st.builds(
        WallEntry,
        sheet=st.integers(1, 40).map(str) | st.integers(1, 5).map("S{}".format),
        box=st.just(BOX),
        ink=st.sampled_from([*Ink, Ink.WRITTEN, Ink.WRITTEN]),
        text=st.sampled_from(["", "Ёжик", "ежик", "ЁЖИК.", "уж", "медвежонок"]),
        probability=st.sampled_from([0.0, 0.1, 0.5, 0.6, 0.97]),
        ruling=st.sampled_from([None, None, *Verdict]),
        sure=st.booleans(),
    ),
    unique_by=lambda entry: entry.sheet,
    max_size=20,
)


def written(sheet: str, text: str, probability: float, ruling: Verdict | None = None) -> WallEntry:
    return WallEntry(sheet, BOX, Ink.WRITTEN, text, probability, ruling)


def blank(sheet: str, ink: Ink = Ink.BLANK, ruling: Verdict | None = None) -> WallEntry:
    return WallEntry(sheet, BOX, ink, ruling=ruling)


def box(sheet: str) -> tuple[str, str]:
    return (sheet, BOX)


@given(entries, st.randoms())
def test_the_wall_holds_every_answer_once_in_one_order(
    given_entries: list[WallEntry], shuffle: random.Random
) -> None:
    wall = build_wall(QUESTION, given_entries)
    assert build_wall(QUESTION, shuffle.sample(given_entries, len(given_entries))) == wall
    assert sorted((*wall.written, *wall.blanks), key=lambda e: e.sheet) == sorted(
        given_entries, key=lambda e: e.sheet
    )
    assert all(entry.ink is Ink.WRITTEN for entry in wall.written)
    assert all(entry.ink is not Ink.WRITTEN for entry in wall.blanks)


@given(entries)
def test_likeliest_first_and_equal_readings_side_by_side(given_entries: list[WallEntry]) -> None:
    wall = build_wall(QUESTION, given_entries)
    groups = [
        (reading, [entry.probability for entry in group])
        for reading, group in groupby(wall.written, key=lambda entry: fold(entry.text))
    ]
    # Unread answers stand one by one, wherever each belongs.
    means = [
        mean
        for reading, inner in groups
        for mean in ([sum(inner) / len(inner)] if reading else inner)
    ]
    assert means == sorted(means, reverse=True)
    assert all(inner == sorted(inner, reverse=True) for _reading, inner in groups)
    readings = [reading for reading, _probabilities in groups if reading]
    assert len(readings) == len(set(readings))


@given(entries, st.data())
def test_confirming_rules_on_every_box_once(
    given_entries: list[WallEntry], data: st.DataObject
) -> None:
    wall = build_wall(QUESTION, given_entries)
    boundary = data.draw(st.integers(0, len(wall.written)))
    ids = [entry.id for entry in wall.written]
    flipped = data.draw(st.sets(st.sampled_from(ids))) if ids else set()
    disputed = data.draw(st.sets(st.sampled_from(ids))) if ids else set()
    strip = [entry.id for entry in wall.blanks]
    turned = data.draw(
        st.dictionaries(
            st.sampled_from(strip),
            st.sampled_from([Verdict.RIGHT, Verdict.WRONG, Verdict.DISPUTED]),
        )
        if strip
        else st.just({})
    )
    verdicts = wall.rulings(boundary, flipped, disputed, turned)
    assert [ruling.id for ruling in verdicts] == ids + strip
    for index, ruling in enumerate(verdicts[: len(ids)]):
        above = (index < boundary) != (ruling.id in flipped)
        plain = Verdict.RIGHT if above else Verdict.WRONG
        assert ruling.verdict is (Verdict.DISPUTED if ruling.id in disputed else plain)
    for ruling in verdicts[len(ids) :]:
        assert ruling.verdict is turned.get(ruling.id, Verdict.BLANK)


@given(entries)
def test_a_reopened_wall_says_again_what_was_ruled(given_entries: list[WallEntry]) -> None:
    wall = build_wall(QUESTION, given_entries)
    marks = wall.initial_marks()
    again = wall.rulings(
        marks.boundary, marks.flipped, marks.disputed, marks.written_blanks, marks.emptied
    )
    before = {entry.id: entry.ruling for entry in given_entries if entry.ruling is not None}
    assert {ruling.id: ruling.verdict for ruling in again if ruling.id in before} == before


@given(entries)
def test_without_rulings_the_boundary_parts_likely_from_unlikely(
    given_entries: list[WallEntry],
) -> None:
    wall = build_wall(QUESTION, [replace(entry, ruling=None) for entry in given_entries])
    at = wall.initial_boundary()
    by_reading: dict[str, list[float]] = {}
    for entry in wall.written:
        by_reading.setdefault(fold(entry.text) or entry.sheet, []).append(entry.probability)
    likely = []
    for entry in wall.written:
        some = by_reading[fold(entry.text) or entry.sheet]
        mean = sum(some) / len(some)
        likely.append(mean >= 0.5 if fold(entry.text) else mean > 0.5)
    # What is exactly in the middle may be read or not: then no boundary fits all.
    agreed = max(
        sum(likely[:cut]) + sum(not one for one in likely[cut:]) for cut in range(len(likely) + 1)
    )
    assert sum(likely[:at]) + sum(not one for one in likely[at:]) == agreed
    if 0 < at < len(wall.written):
        above, below = wall.written[at - 1], wall.written[at]
        assert fold(above.text) != fold(below.text) or not fold(above.text)


def test_one_ruled_wall_opens_with_flips_instead_of_a_distant_boundary() -> None:
    wall = build_wall(
        QUESTION,
        [
            written("1", "Ёжик", 0.97, Verdict.RIGHT),
            written("2", "ежики", 0.7, Verdict.WRONG),
            written("3", "еж", 0.6, Verdict.RIGHT),
            written("4", "колючий", 0.1, Verdict.RIGHT),
            written("5", "уж", 0.05, Verdict.WRONG),
            written("6", "медведь", 0.02, Verdict.DISPUTED),
            written("7", "ослик", 0.01, Verdict.BLANK),
            blank("8", ruling=Verdict.WRONG),
            blank("9", ruling=Verdict.BLANK),
        ],
    )
    marks = wall.initial_marks()
    assert marks.boundary == 4
    assert marks.flipped == {box("2")}
    assert marks.disputed == {box("6")}
    assert marks.emptied == {box("7")}
    assert marks.written_blanks == {box("8"): Verdict.WRONG}


def test_among_equally_good_boundaries_the_highest_is_taken() -> None:
    ruled = [Verdict.RIGHT, Verdict.WRONG, Verdict.RIGHT]
    wall = build_wall(
        QUESTION,
        [written(str(n), f"слово {n}", 0.9 - n / 10, verdict) for n, verdict in enumerate(ruled)],
    )
    assert wall.initial_boundary() == 1


def example() -> Wall:
    return build_wall(
        QUESTION,
        [
            written("10", "ёжик", 0.9),
            written("2", "Ежик", 0.9),
            written("3", "", 0.5),
            written("4", "уж", 0.1),
            blank("11", Ink.DASH),
            replace(blank("12"), sure=False),
            blank("S1", Ink.CROSSED),
            blank("5"),
        ],
    )


def test_the_order_of_an_example() -> None:
    wall = example()
    assert [entry.sheet for entry in wall.written] == ["2", "10", "3", "4"]
    assert [entry.sheet for entry in wall.blanks] == ["12", "5", "11", "S1"]
    assert wall.initial_boundary() == 2


def test_a_written_box_without_an_answer_costs_nothing() -> None:
    verdicts = example().rulings(2, flipped=[box("4")], emptied=[box("3"), box("4")])
    assert [v.sheet for v in verdicts if v.verdict is Verdict.BLANK] == [
        *("3", "4"),
        *("12", "5", "11", "S1"),
    ]


@pytest.mark.parametrize("verdict", [None, Verdict.BLANK])
def test_a_blank_turned_written_needs_its_own_verdict(verdict: Verdict | None) -> None:
    with pytest.raises(ConflictError, match="sheet 5") as caught:
        example().rulings(2, written_blanks={box("5"): verdict})
    assert caught.value.hint


@pytest.mark.parametrize(
    "marks",
    [
        {"boundary": 5},
        {"boundary": -1},
        {"boundary": 1, "flipped": [box("77")]},
        {"boundary": 1, "flipped": [box("5")]},
        {"boundary": 1, "disputed": [("2", "t1r1")]},
        {"boundary": 1, "emptied": [box("5")]},
        {"boundary": 1, "written_blanks": {box("2"): Verdict.RIGHT}},
    ],
)
def test_marks_on_a_wall_that_has_changed_are_refused(marks: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ConflictError, match="changed"):
        example().rulings(**marks)


def test_what_was_not_on_screen_is_named() -> None:
    wall = example()
    seen = {entry.id for entry in (*wall.written, *wall.blanks)}
    assert wall.unseen(seen) == ()
    assert wall.unseen(seen - {box("3"), box("S1")}) == (box("3"), box("S1"))


def test_foreign_and_doubled_answers_are_no_wall() -> None:
    with pytest.raises(ValueError):
        build_wall(QUESTION, [WallEntry("1", "t3r4", Ink.WRITTEN)])
    with pytest.raises(ValueError):
        build_wall(QUESTION, [blank("1"), written("1", "Ёжик", 0.9)])


def test_sheets_in_the_order_of_people() -> None:
    assert sorted(["S3", "10", "2", "F1", "S12"], key=sheet_order) == ["2", "10", "F1", "S3", "S12"]


@given(entries)
def test_progress_counts_every_box_once(given_entries: list[WallEntry]) -> None:
    part = progress(build_wall(QUESTION, given_entries))
    assert (part.theme, part.nominal) == (3, 50)
    assert part.total == part.written + part.blank == len(given_entries)
    assert part.ruled + part.disputed + part.unruled == part.total
    assert part.unruled == sum(entry.ruling is None for entry in given_entries)
    assert part.done == all(e.ruling not in (None, Verdict.DISPUTED) for e in given_entries)


@given(entries)
def test_confirming_leaves_nothing_but_disputes(given_entries: list[WallEntry]) -> None:
    wall = build_wall(QUESTION, given_entries)
    verdicts = {v.id: v.verdict for v in wall.rulings(0)}
    ruled = [replace(entry, ruling=verdicts[entry.id]) for entry in given_entries]
    assert progress(build_wall(QUESTION, ruled)).done


def test_what_matters_most_comes_first_and_the_order_of_the_key_stays() -> None:
    parts = [progress(build_wall(Question(theme, 1, 10, "Ёжик"), [])) for theme in (3, 1, 4, 2, 5)]
    weights = {(1, 10): 100, (2, 10): 51, (3, 10): 50, (5, 10): 99}
    assert [each.theme for each in first_by_effect(parts, weights)] == [1, 2, 5]
    assert first_by_effect(parts, {(9, 10): 7}) == parts
    assert first_by_effect([], weights) == []
