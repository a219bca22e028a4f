"""Guards against answers merged that say different things, and equal ones scattered over the wall."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from jury.grouping import Read, group

WORDS = ("пушкин", "пушкен", "лермонтов", "1812", "1813", "кит", "кот", "", "гоголь")
reads = st.lists(
    st.builds(
        Read,
        key=st.integers(0, 60),
        text=st.sampled_from(WORDS),
        confidence=st.floats(0.0, 1.0),
    ),
    unique_by=lambda read: read.key,
    max_size=14,
)


def yes(pairs: Sequence[tuple[int, str]]) -> list[float]:
    """Pictures that say anything."""
    return [1.0] * len(pairs)


def no(pairs: Sequence[tuple[int, str]]) -> list[float]:
    """Pictures that say nothing but their own reading."""
    return [0.0] * len(pairs)


def _together(answers: Sequence[Read[int]], asked: object) -> set[frozenset[int]]:
    numbers = group(answers, asked)  # type: ignore[arg-type]
    return {frozenset(k for k, n in numbers.items() if n == one) for one in set(numbers.values())}


@given(reads, st.randoms())
def test_the_order_of_the_answers_does_not_matter(answers: list[Read[int]], chance: object) -> None:
    shuffled = list(answers)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _together(answers, yes) == _together(shuffled, yes)


@given(reads)
def test_numbers_and_short_words_are_together_only_when_read_alike_and_surely(
    answers: list[Read[int]],
) -> None:
    text = {answer.key: answer for answer in answers}
    for members in _together(answers, yes):
        readings = {text[key].text for key in members}
        if readings & {"1812", "1813", "кит", "кот"}:
            assert len(readings) == 1
            assert len(members) == 1 or min(text[key].confidence for key in members) >= 0.6


@given(reads)
def test_what_the_pictures_deny_is_not_merged(answers: list[Read[int]]) -> None:
    text = {answer.key: answer.text for answer in answers}
    assert all(len({text[key] for key in members}) == 1 for members in _together(answers, no))


@given(reads)
def test_every_read_answer_is_in_one_group_and_unread_ones_in_none(
    answers: list[Read[int]],
) -> None:
    assert set(group(answers, yes)) == {answer.key for answer in answers if answer.text}


def test_two_hands_of_one_word_come_together() -> None:
    answers = [Read(1, "Меркатор", 0.9), Read(2, "Меркатар", 0.5), Read(3, "Птолемей", 0.8)]

    def asked(pairs: Sequence[tuple[int, str]]) -> list[float]:
        return [0.9 if "ерка" in text.lower() and key in (1, 2) else 0.0 for key, text in pairs]

    assert _together(answers, asked) == {frozenset({1, 2}), frozenset({3})}


def test_no_chain_of_small_differences_joins_two_words() -> None:
    """Every member says the group's reading, not only another member's."""
    answers = [Read(1, "каштан", 0.9), Read(2, "капитан", 0.8), Read(3, "капеллан", 0.7)]
    near = {(1, "капитан"), (2, "каштан"), (2, "капеллан"), (3, "капитан")}

    def asked(pairs: Sequence[tuple[int, str]]) -> list[float]:
        return [0.9 if pair in near and pair != (3, "капитан") else 0.0 for pair in pairs]

    together = _together(answers, asked)
    assert frozenset({1, 2, 3}) not in together
    assert {1, 2, 3} == {key for members in together for key in members}


def test_a_third_reading_brings_two_pictures_together() -> None:
    """«Меркотор» and «Нлркатор» are unlike each other, but both pictures say «Меркатор»."""
    answers = [Read(1, "Меркотор", 0.5), Read(2, "Нлркатор", 0.4), Read(3, "Меркатор", 0.9)]

    def asked(pairs: Sequence[tuple[int, str]]) -> list[float]:
        return [0.8 if text == "Меркатор" else 0.1 for _key, text in pairs]

    assert _together(answers, asked) == {frozenset({1, 2, 3})}
