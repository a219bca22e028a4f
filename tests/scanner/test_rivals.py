"""What a number or a short word is set against before it counts as read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from scanner.readers.alphabet import FOLDED, folded, folded_classes
from scanner.readers.rivals import rivals, spelled_alike

TEXTS = st.text(alphabet=FOLDED, max_size=14).map(lambda text: " ".join(text.split()))


@given(TEXTS)
def test_no_text_is_its_own_rival_nor_one_picture_with_one(text: str) -> None:
    """Loss: a text that is set against itself is never sure."""
    assert not set(rivals(text)) & set(spelled_alike(text))
    assert text in spelled_alike(text)
    for other in (*rivals(text), *spelled_alike(text)):
        assert other.strip() or not text.strip()
        folded_classes(other)


@given(st.integers(40, 99_999))
def test_a_number_is_set_against_all_numbers_one_digit_away(number: int) -> None:
    found = rivals(str(number))
    assert all(Levenshtein.distance(other, str(number)) == 1 for other in found)
    for at in range(len(str(number))):
        changed = list(str(number))
        changed[at] = "0" if changed[at] != "0" else "1"
        assert "".join(changed) in found


@given(st.text(alphabet="абвгдежзклмнопрстуфц", min_size=4, max_size=12))
def test_a_longer_word_has_none(word: str) -> None:
    """Loss: a slip of the pen that every jury forgives sinks to the wrong answers."""
    assert rivals(word) == ()
    assert spelled_alike(word) == (word,)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Александр II", "Александр III"),
        ("Александр II", "Александр I"),
        ("Пётр 1", "Пётр II"),
        ("Людовик XIV", "Людовик XVI"),
        ("кит", "кот"),
        ("WWF", "WWW"),
        ("дом 5", "дом 6"),
        ("MCMXC", "MCMXCX"),
    ],
)
def test_pairs_that_a_jury_would_never_take_for_one(text: str, other: str) -> None:
    assert folded(other) in rivals(folded(text))


def test_a_number_is_the_same_in_both_figures() -> None:
    assert "петр ii" not in rivals("петр 2")
    assert "петр 2" not in rivals("петр ii")


@pytest.mark.parametrize(("text", "alike"), [("sos", "sоs"), ("sos", "505"), ("64", "бч")])
def test_what_looks_the_same_is_the_same(text: str, alike: str) -> None:
    """Loss: an S read as a 5 makes SOS another answer."""
    assert folded(alike) in spelled_alike(folded(text))
