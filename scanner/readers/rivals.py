"""What else a number or a short word may be that looks nearly like it, and would be another answer.

«Александр II» and «Александр III», 1961 and 1967, кит and кот: likeness says nothing there. Whether a crop
says just this text is told by setting it against all texts that are one sign away. Texts are folded, as in
`scanner.readers.alphabet`.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from otbor.numerals import ROMANS
from scanner.readers.alphabet import folded

SHORT_BELOW = 4
"""Texts below this many letters and digits have rivals at every letter."""
ROMAN_SIGNS = folded("IVXLCDM")
"""What a folded Roman numeral is made of."""
_TOKEN = re.compile(r"[^\W_]+")
_DIGITS = "0123456789"
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
# The Latin letters without a Cyrillic twin; words in Latin letters have the twins too.
_LATIN = "dfgijlnqrsuvwzавсенкмортху"
_ROMANS = tuple(folded(roman) for roman in ROMANS)
# One picture, read as a digit or as a letter.
_SAME_PICTURE = ("0о", "1il", "3з", "4ч", "5s", "6б", "2z", "8в")
_ALIKE = {
    char: tuple(other for other in group if other != char)
    for group in _SAME_PICTURE
    for char in group
}
# Ways of spelling a text that are added up; more would cost time and say little.
_MOST_ALIKE = 16


@lru_cache(maxsize=4096)
def rivals(text: str) -> tuple[str, ...]:
    """The folded texts one sign away from a folded text, where one sign makes another answer.

    For every number in it the numbers with one digit changed, left out or added, for a small one other
    Roman numerals too; for every Roman numeral other ones, and other small numbers; for a text below
    `SHORT_BELOW` letters all with one letter changed, left out or added. Empty for all other texts: there
    a wrong letter is a slip.
    """
    found: list[str] = []
    tokens = list(_TOKEN.finditer(text))
    short = sum(len(token[0]) for token in tokens) < SHORT_BELOW
    for token in tokens:
        word = token[0]
        if any(char.isdigit() for char in word):
            others = _one_away(word, _DIGITS) + _in_romans(word)
        elif _is_roman(word):
            others = _other_romans(word)
        elif short:
            others = _one_away(word, _letters_of(word))
        else:
            continue
        found += [text[: token.start()] + other + text[token.end() :] for other in others]
    alike = frozenset(spelled_alike(text))
    return tuple(dict.fromkeys(other for other in found if other.strip() and other not in alike))


@lru_cache(maxsize=4096)
def spelled_alike(text: str) -> tuple[str, ...]:
    """The text, and where it has rivals the texts that are one picture with it (SOS, 505), it first."""
    tokens = list(_TOKEN.finditer(text))
    short = sum(len(token[0]) for token in tokens) < SHORT_BELOW
    choices: list[tuple[str, ...]] = [(char,) for char in text]
    for token in tokens:
        if short or any(char.isdigit() for char in token[0]):
            for at in range(token.start(), token.end()):
                choices[at] = (text[at], *_ALIKE.get(text[at], ()))
    ways = itertools.islice(itertools.product(*choices), _MOST_ALIKE)
    return tuple("".join(way) for way in ways)


def _one_away(word: str, signs: str) -> list[str]:
    found = []
    for at in range(len(word) + 1):
        found += [word[:at] + sign + word[at:] for sign in signs]
        if at < len(word):
            found.append(word[:at] + word[at + 1 :])
            if word[at] in signs:
                found += [word[:at] + sign + word[at + 1 :] for sign in signs if sign != word[at]]
    return found


def _in_romans(word: str) -> list[str]:
    """Of a small number the Roman numerals that are another one: 2 and III."""
    if not word.isdecimal() or not 0 < int(word) <= len(_ROMANS):
        return []
    return [roman for at, roman in enumerate(_ROMANS, start=1) if at != int(word)]


def _letters_of(word: str) -> str:
    latin = any(char in _LATIN and char not in _CYRILLIC for char in word)
    return _LATIN if latin else _CYRILLIC


def _is_roman(word: str) -> bool:
    # «с», «см» and «м» are words.
    return frozenset(ROMAN_SIGNS).issuperset(word) and not frozenset("ivх").isdisjoint(word)


def _other_romans(word: str) -> list[str]:
    """Of numerals up to XXXIX all others, in Arabic figures too; of longer ones those one sign away."""
    if word in _ROMANS:
        own = _ROMANS.index(word) + 1
        arabic = [str(number) for number in range(1, len(_ROMANS) + 1) if number != own]
        return [other for other in _ROMANS if other != word] + arabic
    return _one_away(word, ROMAN_SIGNS)
