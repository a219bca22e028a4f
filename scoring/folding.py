"""Text as people mean it: cleaning what is kept, folding what is compared, Russian order of names.

`clean` is the only one whose result is ever shown. Folded text is for comparing alone: «ё» equals «е» in
matching and never in display.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Hyphen, non-breaking hyphen, figure, en and em dash, bar, minus, and their small, wide and bullet kinds.
HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d\u02d7"
DOUBLE_QUOTES = '"«»„“”‟‹›″〝〞＂'
APOSTROPHES = "'’‘‛ʼ′`´＇"
# Characters without width that spreadsheets and web pages leave inside words.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SAME = (
    dict.fromkeys(map(ord, HYPHENS), "-")
    | dict.fromkeys(map(ord, DOUBLE_QUOTES), "")
    | dict.fromkeys(map(ord, APOSTROPHES), "'")
    | {ord("ё"): "е"}
)
# An event is scored again after every ruling, always with the same few thousand names.
_KEPT = 32_768
_AROUND_HYPHEN = re.compile(r"\s*-\s*")

_ALPHABET = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
# Letters of neighbouring alphabets stand right after the Russian letter they grew out of.
_RELATIVES = {
    "а": "ә",
    "г": "ґғҕ",
    "е": "єҽ",
    "ж": "җӂ",
    "з": "ҙ",
    "и": "іїӣ",
    "й": "ј",
    "к": "қҡҝ",
    "л": "љ",
    "н": "ңҥњ",
    "о": "өӧ",
    "с": "ҫѕ",
    "т": "ћ",
    "у": "ўұүӯ",
    "х": "ҳһ",
    "ч": "ҷџ",
}


def _weights() -> dict[int, str]:
    weights: dict[int, str] = {}
    for index, letter in enumerate(_ALPHABET):
        for step, kin in enumerate(letter + _RELATIVES.get(letter, "")):
            weights[ord(kin)] = chr(0x1000 + 16 * index + step)
    # Latin letters after the Russian ones; digits and signs keep their code points and come first.
    return weights | {code: chr(0x2000 + code) for code in range(ord("a"), ord("z") + 1)}


_WEIGHTS = _weights()


def clean(text: str) -> str:
    """The text as it is kept: composed (NFC), single spaces, nothing invisible.

    Letters are never replaced: ё, ’ and Қ stay what they are.
    """
    return " ".join(unicodedata.normalize("NFC", text.translate(_INVISIBLE)).split())


@lru_cache(maxsize=_KEPT)
def fold(text: str) -> str:
    """The text as it is compared: cleaned, no case, ё as е, one kind of hyphen and apostrophe, no quotes."""
    folded = unicodedata.normalize("NFC", clean(text).casefold()).translate(_SAME)
    return " ".join(_AROUND_HYPHEN.sub("-", folded).split())


@lru_cache(maxsize=_KEPT)
def collation_key(name: str) -> str:
    """A key that sorts names as a Russian register does: no case, «ё» a letter of its own after «е».

    A space comes before every letter, so «Иванов Яков» stands before «Иванова Анна».
    """
    return clean(name).casefold().translate(_WEIGHTS)
