"""Answers as they are compared: what looks or sounds the same to a person becomes the same text.

Nothing folded here is ever shown. Two answers with one folded text are grouped; whether they are right
is still for a person to say.
"""

from __future__ import annotations

import re
from functools import lru_cache

from scanner.readers import rivals
from scoring.folding import fold as fold_typography

# Letters that cannot be told apart on paper in one of their two cases. Since case does not count, neither
# does it here: a lower-case «b» is no «в», but BOB and ВОВ are the same picture.
_LATIN = "abcehikmoptxy"
_CYRILLIC = "авсенікмортху"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)
_LATIN_ONLY = frozenset("abcdefghijklmnopqrstuvwxyz") - frozenset(_LATIN)
_CYRILLIC_ONLY = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюя") - frozenset(_CYRILLIC)

_LETTERS = re.compile(r"[^\W\d_]+")
# «10 000» is «10000»; a space before three digits that begin a longer number stays.
_DIGIT_GROUP = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
_EDGES = " .,;:!?…()[]/\\|_"
# An initial keeps its full stop, which tells «Х.» from the number X. A word keeps its inner hyphens and
# apostrophes; a minus belongs to the number after it.
_WORD = re.compile(r"\b[^\W\d_]\.|(?:(?<!\S)-(?=\d))?[^\W_]+(?:[-'][^\W_]+)*")
_GAP_AT_LETTER = re.compile(r"(?<=[^\W\d_])[ -]|[ -](?=[^\W\d_])")
_ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
BRACKETED = re.compile(r"[(\[][^)\]]*[)\]]")

# Readings below this many letters and digits are never taken for something similar (кит, кот).
SHORT_BELOW = rivals.SHORT_BELOW


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """The text for comparing.

    Case, ё and е, kinds of hyphens, apostrophes and spaces do not count, nor do quotes and the
    punctuation at the ends. A word of letters that exist in both alphabets («ВВС», «BBC») or that mixes
    them («Пyшкин») becomes Cyrillic, unless its other letters are Latin («Beatles»).
    """
    typographic = _DIGIT_GROUP.sub("", fold_typography(text))
    return _LETTERS.sub(lambda word: _one_alphabet(word[0]), typographic).strip(_EDGES)


def _one_alphabet(word: str) -> str:
    latin = sum(letter in _LATIN_ONLY for letter in word)
    cyrillic = sum(letter in _CYRILLIC_ONLY for letter in word)
    return word.translate(_TO_LATIN if latin > cyrillic else _TO_CYRILLIC)


def joined(folded: str) -> str:
    """A folded text without the spaces and hyphens beside letters: «Нью-Йорк», «Нью Йорк»; «Т-34», «Т34».

    Those between digits stay, since «10-5» is not «105».
    """
    return _GAP_AT_LETTER.sub("", folded)


@lru_cache(maxsize=65536)
def words(folded: str) -> tuple[str, ...]:
    """The words and numbers of a folded text, in order."""
    return tuple(_WORD.findall(folded))


def is_numeral(word: str) -> bool:
    """True for a word with a digit in it and for a Roman numeral: one wrong sign makes another number.

    A Roman numeral has an I, V or X in it: «с», «см» and «м» are words.
    """
    if any(char.isdigit() for char in word):
        return True
    latin = word.translate(_TO_LATIN)
    return not frozenset("ivx").isdisjoint(latin) and _ROMAN.fullmatch(latin) is not None


def spellings(form: str) -> tuple[str, ...]:
    """An accepted form folded: as it stands, without what is in brackets, and with it (`столб[ик]`).

    What a bracket means (an optional part, a condition, a pronunciation) only its editor knows, so these
    serve suggestions, never verdicts.
    """
    unbracketed = re.sub(r"[\[\]()]", "", form)
    found = (fold(form), fold(BRACKETED.sub("", form)), fold(unbracketed))
    return tuple(dict.fromkeys(spelling for spelling in found if spelling))
