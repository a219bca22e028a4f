"""The ways in which a player may write an accepted answer, for checking handwriting against the key.

They serve the order of the wall, never a verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jury.normalise import fold, spellings
from scanner.contracts import Match

# Names in two words come in either order; longer ones hardly ever.
_SWAPPED_WORDS = 2


@dataclass(frozen=True, slots=True)
class FormMatch:
    """How well a box fits one form of the key; `rejected` tells which kind of form."""

    form: str
    rejected: bool
    match: Match


@lru_cache(maxsize=8192)
def written_forms(form: str, *, bracketed: bool = True) -> tuple[str, ...]:
    """The texts that a form stands for, as the key has it first.

    Without quotes, with what is in brackets and without it, two words in either order.

    Args:
        form: An accepted or rejected form.
        bracketed: False for rejected forms, whose brackets are not read as optional parts.
    """
    found = [form, *(spellings(form) if bracketed else (fold(form),))]
    for text in tuple(found):
        words = text.split()
        if len(words) == _SWAPPED_WORDS and all(word[0].isalpha() for word in words):
            found.append(" ".join(reversed(words)))
    return tuple(dict.fromkeys(text for text in found if text))
