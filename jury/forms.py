"""The ways in which a player may write an accepted answer, for checking handwriting against the key.

They serve the order of the wall, never a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jury.normalise import BRACKETED, SHORT_BELOW, fold, spellings
from otbor.numerals import ROMANS
from scanner.contracts import Match

# Names in two words come in either order; longer ones hardly ever.
_SWAPPED_WORDS = 2
# No ruler and no pope has a higher number.
_ORDINALS = ROMANS[:29]


@dataclass(frozen=True, slots=True)
class FormMatch:
    """How well a box fits one form of the key; `rejected` tells which kind of form."""

    form: str
    rejected: bool
    match: Match


@lru_cache(maxsize=8192)
def written_forms(form: str, *, bracketed: bool = True) -> tuple[str, ...]:
    """The texts that a form stands for, as the key has it first.

    Without quotes, with what is in brackets and without it, two words in either order, the number behind a
    name in Roman or Arabic figures.

    Args:
        form: An accepted or rejected form.
        bracketed: False for rejected forms, whose brackets are not read as optional parts.
    """
    found = [form, *(spellings(form) if bracketed else (fold(form),))]
    for text in tuple(found):
        words = text.split()
        if len(words) == _SWAPPED_WORDS and all(word[0].isalpha() for word in words):
            found.append(" ".join(reversed(words)))
        found += _numbered_alike(words)
    return tuple(dict.fromkeys(text for text in found if text))


@lru_cache(maxsize=8192)
def surname(form: str) -> str:
    """The last word of a name in two or three («Александр Пушкин»), which may stand for it; else empty.

    Whether it is enough is for the jury to say: there may be two of that name.
    """
    words = BRACKETED.sub("", form).split()
    if not 2 <= len(words) <= 3 or not all(word[0].isupper() for word in words):
        return ""
    last = words[-1]
    return last if len(last) >= SHORT_BELOW and last.isalpha() and not last.isupper() else ""


def _numbered_alike(words: list[str]) -> list[str]:
    """«Пётр I» with the number in either figures; nothing without a name or a number."""
    if len(words) < 2 or not words[-2][0].isalpha():
        return []
    last = words[-1].upper()
    if last in _ORDINALS:
        number = _ORDINALS.index(last) + 1
    elif words[-1].isdecimal() and 0 < int(words[-1]) <= len(_ORDINALS):
        number = int(words[-1])
    else:
        return []
    name = " ".join(words[:-1])
    return [f"{name} {way}" for way in (_ORDINALS[number - 1], str(number))]
