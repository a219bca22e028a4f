"""The handwriting network's symbols, and which of them are one and the same to the jury.

The network tells 138 symbols apart. For checking a crop against the key they are folded: case does not
count, ё is е, and a Latin letter that has a Cyrillic twin in either case is that twin, as in
`jury.normalise`. The folded classes are what verification adds up.
"""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray

_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_MARKS = " -'\".,:;!?()/&+№"
SYMBOLS = _CYRILLIC + _CYRILLIC.upper() + _LATIN + _LATIN.upper() + _DIGITS + _MARKS
"""Symbol of class `i + 1`; class 0 is CTC's blank."""
CLASSES = len(SYMBOLS) + 1

FOLDED = _CYRILLIC.replace("ё", "") + "dfgijlnqrsuvwz" + _DIGITS + _MARKS
"""Folded symbol of folded class `i + 1`; folded class 0 is CTC's blank."""
FOLDED_CLASSES = len(FOLDED) + 1

_TWINS = str.maketrans("abcehkmoptxyё", "авсенкмортхуе")
_TYPOGRAPHY = str.maketrans(
    {
        "«": '"',
        "»": '"',
        "“": '"',
        "”": '"',
        "„": '"',
        "’": "'",
        "`": "'",
        "ʼ": "'",
        "–": "-",
        "—": "-",
        "‑": "-",
        "−": "-",
        "\N{NO-BREAK SPACE}": " ",
        "…": ".",
    }
)
_CLASS = {symbol: index + 1 for index, symbol in enumerate(SYMBOLS)}
_FOLDED_CLASS = {symbol: index + 1 for index, symbol in enumerate(FOLDED)}


def spelled(text: str) -> str:
    """The text in the network's own symbols; what it has none for is left out."""
    plain = unicodedata.normalize("NFC", text).translate(_TYPOGRAPHY)
    kept = "".join(symbol for symbol in plain if symbol in _CLASS)
    return " ".join(kept.split())


def folded(text: str) -> str:
    """The text in folded symbols; what there is none for is left out."""
    return spelled(text).lower().translate(_TWINS)


def classes(text: str) -> list[int]:
    """The classes of a text that `spelled` gave."""
    return [_CLASS[symbol] for symbol in text]


def folded_classes(text: str) -> list[int]:
    """The folded classes of a text that `folded` gave."""
    return [_FOLDED_CLASS[symbol] for symbol in text]


def folding() -> NDArray[np.float32]:
    """Which folded class each class belongs to: ones in a matrix of shape (CLASSES, FOLDED_CLASSES)."""
    matrix = np.zeros((CLASSES, FOLDED_CLASSES), dtype=np.float32)
    matrix[0, 0] = 1.0
    for symbol, index in _CLASS.items():
        matrix[index, _FOLDED_CLASS[folded(symbol) if symbol != " " else " "]] = 1.0
    return matrix
