"""Groups of answers to one question that say the same thing, by what their pictures fit.

Two readings of one word in two hands are seldom equal, letter by letter. But a picture can be asked whether
it says what another one was read as, and the other way round; where both say yes, they are put side by
side. Numbers and words under four letters are together only when read alike, and surely. A group is a
proposal: whoever rules sees every picture.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rapidfuzz.distance import Levenshtein

from jury.equal import exact_only
from jury.normalise import fold, joined

Key = TypeVar("Key", bound=Hashable)

# Two pictures of one answer read less alike than this are not compared: measured on the sample event, one
# pair in fifty of those that belong together, and nine in ten of all pairs.
WORTH_ASKING = 0.4
# Both pictures must say the other's reading with this probability, on average.
SAME_FROM = 0.5
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

    The surest reading leads a group, so that no chain of small differences joins two words: every member is
    like its leader. The order of `answers` does not matter.

    Args:
        answers: Those that no form of the key explains.
        asked: What the pictures say; called at most once, with all the pairs worth asking.

    Returns:
        Key → number of its group, from 0 in the order of their leaders; unread answers are left out.
    """
    order = sorted(
        (answer for answer in answers if joined(fold(answer.text))),
        key=lambda answer: (-answer.confidence, fold(answer.text), str(answer.key)),
    )
    folded = {answer.key: joined(fold(answer.text)) for answer in order}
    likely = _likely(order, folded, asked)
    groups: dict[Key, int] = {}
    leaders: list[Read[Key]] = []
    for answer in order:
        best, home = SAME_FROM, None
        for number, leader in enumerate(leaders):
            same = likely.get((answer.key, leader.key), 0.0)
            if same >= best:
                best, home = same, number
        if home is None:
            home = len(leaders)
            leaders.append(answer)
        groups[answer.key] = home
    return groups


def _likely(
    order: Sequence[Read[Key]], folded: dict[Key, str], asked: Asked[Key]
) -> dict[tuple[Key, Key], float]:
    """For pairs that may belong together, how likely they do; keyed both ways round."""
    found: dict[tuple[Key, Key], float] = {}
    pairs: list[tuple[Read[Key], Read[Key]]] = []
    for at, one in enumerate(order):
        for other in order[:at]:
            left, right = folded[one.key], folded[other.key]
            if exact_only(one.text) or exact_only(other.text):
                sure = min(one.confidence, other.confidence) >= SURE_SHORT
                if left == right and sure:
                    found[one.key, other.key] = found[other.key, one.key] = 1.0
            elif left == right:
                found[one.key, other.key] = found[other.key, one.key] = 1.0
            elif Levenshtein.normalized_similarity(left, right) >= WORTH_ASKING:
                pairs.append((one, other))
    if pairs:
        questions = [
            question
            for one, other in pairs
            for question in ((one.key, other.text), (other.key, one.text))
        ]
        answers = asked(questions)
        for at, (one, other) in enumerate(pairs):
            mean = (answers[2 * at] + answers[2 * at + 1]) / 2
            found[one.key, other.key] = found[other.key, one.key] = mean
    return found
