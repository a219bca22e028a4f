"""Suggestions put answers in order; a wrong order hides the exception from a tired juror's eye.

Guards against ё and Latin look-alikes told apart, 1812 taken for 1813 or «кит» for «кот», unreadable
ink buried among the wrong answers, and an expected wrong answer shown as right.
"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jury.normalise import fold, joined, words
from jury.suggestion import NEUTRAL, RIGHT_FROM, WRONG_TO, Suggestion, suggest
from scanner.contracts import Ink
from scoring.model import Question, Verdict

RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
# The same letters without those that Latin shares, so that every one of them decides the alphabet.
LONG = "бгджзилпфцчшщъыэюя"


def question(
    answer: str, accepted: tuple[str, ...] = (), rejected: tuple[str, ...] = ()
) -> Question:
    return Question(1, 1, 10, answer, accepted, rejected)


def reading(text: str, asked: Question, confidence: float = 0.9) -> Suggestion:
    return suggest(text, confidence, Ink.WRITTEN, asked)


SAME = {
    "e and yo": ("Ежик", "Ёжик"),
    "yo composed and decomposed": (
        unicodedata.normalize("NFC", "Ёжик"),
        unicodedata.normalize("NFD", "Ёжик"),
    ),
    "e and decomposed yo": ("ежик", unicodedata.normalize("NFD", "ЁЖИК")),
    "short i decomposed": ("Йод", unicodedata.normalize("NFD", "йод")),
    "hyphen non-breaking": ("Петров-Водкин", "Петров‑Водкин"),
    "hyphen en dash": ("Петров-Водкин", "Петров – Водкин"),
    "hyphen minus": ("Петров-Водкин", "Петров−Водкин"),
    "quotes": ("«Война и мир»", 'война  и\u00a0мир"'),
    "apostrophes": ("О’Генри", "о'генри"),
    "all letters in both alphabets": ("ВВС", "BBC"),
    "one Latin letter": ("Пушкин", "Пyшкин"),
    "one Cyrillic letter": ("Beatles", "Bеatles"),
    "Roman numeral in Cyrillic": ("ХІІ", "XII"),
    "full stop": ("Пушкин", "Пушкин."),
    "thousands": ("10 000", "10000"),
}
DIFFERENT = {
    "years": ("1812", "1813"),
    "short words": ("кит", "кот"),
    "Roman numerals": ("Александр II", "Александр III"),
    "two alphabets, no look-alike": ("WWF", "ЖЖ"),
    "minus": ("5", "-5"),
    "range and number": ("10-5", "105"),
    "i and short i": ("бой", "бои"),
}


@pytest.mark.parametrize(("first", "second"), SAME.values(), ids=SAME)
def test_what_a_person_calls_the_same(first: str, second: str) -> None:
    assert fold(first) == fold(second)
    assert reading(first, question(second)).verdict is Verdict.RIGHT


@pytest.mark.parametrize(("first", "second"), DIFFERENT.values(), ids=DIFFERENT)
@pytest.mark.parametrize("confidence", [0.0, 0.5, 1.0])
def test_what_differs_in_one_sign_is_never_right(
    first: str, second: str, confidence: float
) -> None:
    assert joined(fold(first)) != joined(fold(second))
    for text, answer in ((first, second), (second, first)):
        found = reading(text, question(answer), confidence)
        assert found.verdict is not Verdict.RIGHT
        assert found.probability < NEUTRAL
        assert reading(text, question(text), confidence).verdict is Verdict.RIGHT


def test_a_word_of_look_alikes_alone_is_cyrillic() -> None:
    assert fold("BBC") == "ввс"
    assert fold("Queen, Вeatles") == "queen, beatles"


@given(st.text(RUSSIAN + "ё -'«»IVXabcdwz0123456789.", max_size=20))
def test_folding_is_stable_and_blind_to_case(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(text.upper()) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)
    assert fold(f"  {text}\u00a0") == fold(text)


@given(st.text())
def test_no_text_breaks_folding_or_suggesting(text: str) -> None:
    found = reading(text, question("Пушкин", ("Александр Пушкин",), ("Гоголь",)))
    assert 0.0 <= found.probability <= 1.0
    assert isinstance(words(fold(text)), tuple)


@pytest.mark.parametrize("ink", [Ink.BLANK, Ink.DASH, Ink.CROSSED])
def test_no_answer_is_blank_whatever_was_read(ink: Ink) -> None:
    assert suggest("Пушкин", 1.0, ink, question("Пушкин")).verdict is Verdict.BLANK


@pytest.mark.parametrize("text", ["", " ", ".", "«»", "…"])
def test_unreadable_ink_is_neutral(text: str) -> None:
    assert reading(text, question("Пушкин", (), ("Гоголь",))) == Suggestion(None, NEUTRAL)


@given(st.text(LONG, min_size=4, max_size=15), st.data())
def test_probability_falls_with_every_wrong_letter(answer: str, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(answer))))
    confidence = data.draw(st.floats(0, 1))
    letters, falling = list(answer), [reading(answer, question(answer), confidence).probability]
    for index in order:
        letters[index] = "к"  # a letter that the answer does not have
        falling.append(reading("".join(letters), question(answer), confidence).probability)
    assert falling == sorted(falling, reverse=True)
    assert falling[0] >= RIGHT_FROM
    assert falling[-1] < NEUTRAL


@given(
    st.text(RUSSIAN, min_size=1, max_size=12),
    st.text(RUSSIAN, min_size=1, max_size=12),
    st.text(RUSSIAN, min_size=1, max_size=12),
    st.floats(0, 1),
)
def test_a_rejected_form_never_helps_and_an_accepted_one_never_harms(
    text: str, answer: str, other: str, confidence: float
) -> None:
    alone = reading(text, question(answer), confidence).probability
    assert reading(text, question(answer, (), (other,)), confidence).probability <= alone
    assert reading(text, question(answer, (other,)), confidence).probability >= alone


@given(st.text(RUSSIAN, min_size=1, max_size=3), st.text(RUSSIAN, max_size=12))
def test_short_answers_are_right_only_when_identical(answer: str, text: str) -> None:
    right = reading(text, question(answer)).verdict is Verdict.RIGHT
    assert right == (fold(text) == fold(answer))


@given(st.integers(0, 99999), st.integers(0, 99999), st.sampled_from(["", " год", "-й полк"]))
def test_numbers_are_right_only_when_identical(first: int, second: int, tail: str) -> None:
    right = reading(f"{first}{tail}", question(f"{second}{tail}")).verdict is Verdict.RIGHT
    assert right == (first == second)


def test_an_expected_wrong_answer_is_suggested_wrong_and_named() -> None:
    asked = question("Александр III", ("Александр Третий",), ("Александр II", "Николай II"))
    found = reading("александр II", asked, 0.1)
    assert (found.verdict, found.form) == (Verdict.WRONG, "Александр II")
    assert found.probability <= WRONG_TO
    assert reading("Александр III", asked).verdict is Verdict.RIGHT


def test_nearer_to_the_rejected_form_is_lower() -> None:
    # One letter off the answer and two off the rejected form, then the other way round.
    asked = question("Австралия", (), ("Австрия",))
    assert reading("Австрилия", asked).probability > reading("Австрия", asked).probability
    lone = question("Австралия")
    assert reading("Австрлия", asked).probability < reading("Австрлия", lone).probability


def test_one_picture_accepted_and_rejected_is_left_to_the_jury() -> None:
    assert reading("BBC", question("ВВС", (), ("BBC",))).verdict is None


def test_a_mismatch_of_an_unsure_reading_is_not_buried() -> None:
    sure, unsure = (reading("ттттт", question("Пушкин"), confidence) for confidence in (1.0, 0.0))
    assert sure.verdict is Verdict.WRONG
    assert unsure.verdict is None
    assert sure.probability < unsure.probability < NEUTRAL


PARTLY = {
    "a word more": ("поэт Пушкин", "Пушкин"),
    "initials": ("А. С. Пушкин", "Пушкин"),
    "initials like Roman numerals": ("Х. К. Андерсен", "Андерсен"),
    "a letter like a Roman numeral": ("С. Есенин", "Есенин"),
    "a part of the answer": ("Наполеон", "Наполеон Бонапарт"),
    "a preposition misread": ("Ежик н тумане", "Ёжик в тумане"),
    "a unit": ("1812 год", "1812"),
    "a unit like a Roman numeral": ("1500 м", "1500"),
    "more around a short answer": ("сигнал SOS", "SOS"),
    "another initial": ("Толстой А.", "Толстой Л."),
}


@pytest.mark.parametrize(("text", "answer"), PARTLY.values(), ids=PARTLY)
def test_what_only_a_person_can_decide(text: str, answer: str) -> None:
    found = reading(text, question(answer))
    assert found.verdict is None
    assert NEUTRAL <= found.probability < RIGHT_FROM
    assert found.form == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("столб", "столб[ик]"),
        ("столбик", "столб[ик]"),
        ("Пушкин", "(Александр) Пушкин"),
        ("Нью Йорк", "Нью-Йорк"),
        ("Т34", "Т-34"),
        ("9мая", "9 мая"),
    ],
)
def test_spellings_of_one_answer(text: str, answer: str) -> None:
    assert reading(text, question(answer)).verdict is Verdict.RIGHT


def test_the_order_of_words_makes_little_difference() -> None:
    assert reading("Пушкин Александр", question("Александр Пушкин")).verdict is Verdict.RIGHT
