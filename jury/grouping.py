"""Groups of answers to one question that say the same thing, by what their pictures fit.

Two readings of one word in two hands are seldom equal, letter by letter. But every picture can be asked
whether it says what another one was read as; the reading that most pictures say gathers them, then the next
among those that are left. Numbers and words under four letters are together only when read alike, and surely.
A group is a proposal: whoever rules sees every picture.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rapidfuzz.distance import Levenshtein

from jury.equal import exact_only
from jury.normalise import fold, joined

Key = TypeVar("Key", bound=Hashable)

# A picture is not asked about a reading less like its own than this: that saves nine questions in ten.
WORTH_ASKING = 0.4
# A picture says another one's reading from this probability on. On 300 sheets in real strokes, of 22,105
# pairs of one text 14,232 stay apart (18,597 by equal readings alone); of 104,743 pairs of two texts 1,613
# come together, all but some 150 of them spellings of one answer («SOS» and «S.O.S.», a letter left out).
SAME_FROM = 0.7
# Short readings are together only when equal and each read with this confidence.
SURE_SHORT = 0.6

Asked = Callable[[Sequence[tuple[Key, str]]], Sequence[float]]
"""For each pair of a picture and a text, the probability that the picture says the text."""


@dataclass(frozen=True, slots=True)
class Read(Generic[Key]):
    """One answer: what it was read as, and how confidently, 0 to 1."""

    key: Key
    text: str
    confidence: float


def group(answers: Sequence[Read[Key]], asked: Asked[Key]) -> dict[Key, int]:
    """Number the groups.

    Every member says its group's reading, so that no chain of small differences joins two words. The order
    of `answers` does not matter.

    Args:
        answers: Those that no form of the key explains.
        asked: What the pictures say; called at most once, with all the questions worth asking.

    Returns:
        Key → number of its group, the largest first; unread answers are left out.
    """
    order = sorted(
        (answer for answer in answers if joined(fold(answer.text))),
        key=lambda answer: (-answer.confidence, fold(answer.text), str(answer.key)),
    )
    says = _says(order, asked)
    left = {answer.key for answer in order}
    groups: dict[Key, int] = {}
    while left:
        # What is left of a reading only shrinks, and each answer says its own, so this ends.
        reading = max(
            says,
            key=lambda text: (sum(p for key, p in says[text].items() if key in left), text),
        )
        members = [key for key in says.pop(reading) if key in left]
        number = len(set(groups.values()))
        groups |= dict.fromkeys(members, number)
        left.difference_update(members)
    return groups


def _says(order: Sequence[Read[Key]], asked: Asked[Key]) -> dict[str, dict[Key, float]]:
    """Folded reading → the answers that say it, and how probably."""
    says: dict[str, dict[Key, float]] = {}
    spelled: dict[str, str] = {}
    for answer in order:
        folded = joined(fold(answer.text))
        short = exact_only(answer.text)
        if short and answer.confidence < SURE_SHORT:
            # Alone, under a name that no reading has.
            says[f"{folded}\0{answer.key}"] = {answer.key: 1.0}
            continue
        says.setdefault(folded, {})[answer.key] = 1.0
        if not short:
            spelled.setdefault(folded, answer.text)
    questions: list[tuple[Key, str]] = []
    places: list[str] = []
    for answer in order:
        own = joined(fold(answer.text))
        if exact_only(answer.text):
            continue
        for folded, text in spelled.items():
            if folded != own and Levenshtein.normalized_similarity(own, folded) >= WORTH_ASKING:
                questions.append((answer.key, text))
                places.append(folded)
    for (key, _text), folded, probability in zip(
        questions, places, asked(questions) if questions else (), strict=True
    ):
        if probability >= SAME_FROM:
            says[folded][key] = probability
    return says
