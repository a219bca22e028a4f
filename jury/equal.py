"""Which answers are equal for the jury: those that one ruling may decide together.

Equal readings always are. Readings that differ in a letter or two most often are one answer misread, so
they are shown together too, but never numbers and short words: there every sign counts. Whoever rules on
them sees every picture and takes out what does not belong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from rapidfuzz.distance import Levenshtein

from jury.forms import FormMatch
from jury.normalise import SHORT_BELOW, fold, is_numeral, joined, spellings, words
from jury.suggestion import RIGHT_FROM

Key = TypeVar("Key", bound=Hashable)

# Two readings of one word by our network differ by about one letter in five.
ALIKE_FROM = 0.75


def exact_only(reading: str) -> bool:
    """True for readings with a number in them and for those under four letters, whatever their case."""
    found = words(fold(reading))
    return sum(map(len, found)) < SHORT_BELOW or any(map(is_numeral, found))


def alike(one: str, other: str) -> bool:
    """True if two readings may be one answer: equal as compared, or long and nearly equal."""
    left, right = joined(fold(one)), joined(fold(other))
    if not left or not right:
        return False
    if left == right:
        return True
    if exact_only(one) or exact_only(other):
        return False
    return Levenshtein.normalized_similarity(left, right) >= ALIKE_FROM


def grouped(readings: Mapping[Key, str]) -> list[list[Key]]:
    """Put answers into groups by their readings.

    Every two of a group are alike, so that no chain of small differences joins two words. What nobody
    could read stays single. The order of `readings` counts only within a group and among equals.

    Returns:
        The groups, the largest first; in each the answers with one reading side by side.
    """
    by_reading: defaultdict[str, list[Key]] = defaultdict(list)
    single: list[list[Key]] = []
    for key, reading in readings.items():
        folded = joined(fold(reading))
        if folded:
            by_reading[folded].append(key)
        else:
            single.append([key])
    # The commonest reading first: it gathers the misread ones around itself.
    order = sorted(by_reading, key=lambda folded: (-len(by_reading[folded]), folded))
    text = {joined(fold(reading)): reading for reading in sorted(readings.values())}
    groups: list[list[str]] = []
    for folded in order:
        home = next(
            (group for group in groups if all(alike(text[folded], text[one]) for one in group)),
            None,
        )
        if home is None:
            groups.append([folded])
        else:
            home.append(folded)
    found = [[key for folded in group for key in by_reading[folded]] for group in groups]
    return sorted(found, key=lambda group: -len(group)) + single


def says(
    reading: str, form: str, match: FormMatch | None = None, *, rejected: bool = False
) -> bool:
    """True if an answer is one form of the key: read as it, or so by what its picture's trace says.

    Args:
        reading: As it was read.
        form: An accepted or rejected form.
        match: How well the picture fits the form, if that is known.
        rejected: Which kind of form; brackets in rejected ones are no optional parts.
    """
    folded = joined(fold(reading))
    wanted: Iterable[str] = (fold(form),) if rejected else spellings(form)
    if folded and folded in {joined(spelling) for spelling in wanted}:
        return True
    return match is not None and not exact_only(form) and match.match.probability >= RIGHT_FROM
