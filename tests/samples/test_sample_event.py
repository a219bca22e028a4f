"""Guards the invented event: a key that contradicts itself makes every measurement on it a lie."""

from __future__ import annotations

from collections import Counter

import pytest

from samples.event_files import SampleEvent, load_event
from scoring.folding import fold
from scoring.model import TiePolicy


@pytest.fixture(scope="module")
def event() -> SampleEvent:
    return load_event()


def test_three_categories_of_the_sizes_that_give_all_three_cuts(event: SampleEvent) -> None:
    sizes = Counter(player.category for player in event.players)
    assert [sizes[category] for category in event.regulation.categories] == [45, 38, 20]
    assert event.regulation.cut == 32
    assert event.regulation.tie_policy is TiePolicy.UNDECIDED


def test_numbers_run_from_1_and_categories_are_mixed(event: SampleEvent) -> None:
    assert [player.number for player in event.players] == list(range(1, 104))
    changes = sum(
        a.category != b.category for a, b in zip(event.players, event.players[1:], strict=False)
    )
    assert changes > 20


def test_names_hold_what_breaks_other_programs(event: SampleEvent) -> None:
    names = [player.name for player in event.players]
    assert any(len(name) >= 40 for name in names)
    assert sum("-" in name for name in names) >= 3
    for letter in "ёҚ’":
        assert any(letter in name for name in names), letter
    namesakes = [
        [p for p in event.players if p.name == name and p.category == category]
        for (name, category), count in Counter((p.name, p.category) for p in event.players).items()
        if count > 1
    ]
    assert [len(group) for group in namesakes] == [2]
    assert namesakes[0][0].school != namesakes[0][1].school


def test_the_key_is_eight_themes_of_five(event: SampleEvent) -> None:
    assert len(event.key.themes) == event.regulation.themes == 8
    for theme in event.key.themes:
        assert tuple(q.nominal for q in theme.questions) == event.regulation.nominals
        assert all(question.text for question in theme.questions)


def test_answers_are_as_long_as_real_ones(event: SampleEvent) -> None:
    lengths = [len(question.answer) for question in event.key.questions()]
    assert 12 <= sum(lengths) / len(lengths) <= 16
    assert sum(length < 25 for length in lengths) >= 0.9 * len(lengths)
    assert 35 <= max(lengths) <= 42


def test_no_spelling_is_both_right_and_wrong(event: SampleEvent) -> None:
    for question in event.key.questions():
        spellings = event.spellings[question.theme, question.nominal]
        right = {fold(text) for text in (*question.forms, *spellings.right, *spellings.slips)}
        wrong = {fold(text) for text in (*question.rejected, *spellings.near, *spellings.wrong)}
        assert not right & wrong, question.answer


def test_slips_are_not_in_the_key(event: SampleEvent) -> None:
    for question in event.key.questions():
        spellings = event.spellings[question.theme, question.nominal]
        assert not set(question.forms) & set(spellings.slips), question.answer
        assert spellings.near, question.answer
        assert len(spellings.wrong) >= 4, question.answer
