"""Guards against one ruling that decides two different answers: 1812 and 1813, кит and кот."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jury.equal import alike, grouped, says
from jury.forms import FormMatch
from jury.normalise import fold, joined
from jury.remarks import LONGEST_FORM, LONGEST_TEXT, Remark, read_remark
from scanner.contracts import Match

WORDS = (
    *("Пушкин", "пушкйн", "Пушкина", "Пущин", "кит", "кот", "Кит", "1812", "1813", "18 12"),
    *("Нью-Йорк", "Нью Йорк", "Людовик XIV", "Людовик XVI", "", "Лермонтов"),
)
READINGS = st.dictionaries(st.integers(0, 99), st.sampled_from(WORDS), max_size=14)


@given(READINGS, st.randoms(use_true_random=False))
def test_groups_hold_every_answer_once_whatever_the_order(
    readings: dict[int, str], random: object
) -> None:
    groups = grouped(readings)
    assert sorted(key for group in groups for key in group) == sorted(readings)
    items = list(readings.items())
    random.shuffle(items)  # type: ignore[attr-defined]
    assert {frozenset(g) for g in grouped(dict(items))} == {frozenset(g) for g in groups}


@given(READINGS)
def test_equal_readings_are_together_and_numbers_and_short_words_never_mixed(
    readings: dict[int, str],
) -> None:
    place = {key: index for index, group in enumerate(grouped(readings)) for key in group}
    for one, first in readings.items():
        for other, second in readings.items():
            same = joined(fold(first)) == joined(fold(second)) != ""
            if same:
                assert place[one] == place[other]
            elif place[one] == place[other] and one != other:
                assert alike(first, second)
                assert not any(char.isdigit() for char in first + second)
                assert min(len(first), len(second)) >= 4


@pytest.mark.parametrize(
    ("one", "other"),
    [("1812", "1813"), ("кит", "кот"), ("Людовик XIV", "Людовик XVI"), ("", ""), ("Дон", "Дона")],
)
def test_what_differs_in_a_sign_that_counts_is_not_alike(one: str, other: str) -> None:
    assert not alike(one, other)


def test_a_word_misread_in_a_letter_stands_beside_the_others() -> None:
    readings = {1: "Лермонтов", 2: "Лермантов", 3: "Лермонтов", 4: "Лесков", 5: ""}
    assert grouped(readings) == [[1, 3, 2], [4], [5]]


def test_a_trace_speaks_for_a_form_but_never_for_a_number() -> None:
    def match(form: str, probability: float) -> FormMatch:
        return FormMatch(form, False, Match(-0.1, probability))

    assert says("столбик", "столб[ик]")
    assert says("столб", "столб[ик]")
    assert not says("столбик", "столб[ик]", rejected=True)
    assert says("пушкни", "Пушкин", match("Пушкин", 0.9))
    assert not says("пушкни", "Пушкин", match("Пушкин", 0.5))
    assert not says("1813", "1812", match("1812", 0.99))


@given(st.text(max_size=300), st.text(max_size=150))
def test_a_remark_comes_back_as_it_was_said(text: str, form: str) -> None:
    once = read_remark(Remark(text, form).why)
    assert read_remark(once.why) == once
    assert len(once.text) <= LONGEST_TEXT + LONGEST_FORM + 5
    assert len(once.form) <= LONGEST_FORM


def test_a_proposed_form_is_told_from_the_words_around_it() -> None:
    assert Remark("другая форма", "А. С. Пушкин").why == "другая форма [+ А. С. Пушкин]"
    assert read_remark("другая форма [+ А. С. Пушкин]") == Remark("другая форма", "А. С. Пушкин")
    assert read_remark("[+ столб(ик)]") == Remark("", "столб(ик)")
    assert Remark("", "столб[ик]").why == "[+ столб(ик)]"
    assert read_remark("A: right; B: wrong") == Remark("A: right; B: wrong")
