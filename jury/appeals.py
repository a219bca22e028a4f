"""Appeals in pure form: what state one is in, when one may be filed, and which answers are equal.

An appeal is a line that is added, and every step on it is another. Nothing here keeps anything; the
caller has the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from jury.normalise import SHORT_BELOW, fold, is_numeral, joined, words
from scoring.rules import AppealRule

LONGEST_TEXT = 500
"""Characters of what a player may say."""

SIMILAR = 80.0
"""Per cent of likeness from which readings are shown beside each other; handwriting is often misread."""


class State(StrEnum):
    """Where an appeal is."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class Step(StrEnum):
    """What can be done with one that is filed. `REOPEN` takes a decision back."""

    WITHDRAW = "withdraw"
    ACCEPT = "accept"
    REJECT = "reject"
    REOPEN = "reopen"


TRANSITIONS: dict[tuple[State, Step], State] = {
    (State.OPEN, Step.WITHDRAW): State.WITHDRAWN,
    (State.OPEN, Step.ACCEPT): State.ACCEPTED,
    (State.OPEN, Step.REJECT): State.REJECTED,
    (State.ACCEPTED, Step.REOPEN): State.OPEN,
    (State.REJECTED, Step.REOPEN): State.OPEN,
}
"""All there are: a decided appeal is not decided again without being opened first, and one that its player
has withdrawn stays withdrawn."""


def after(state: State, step: Step) -> State | None:
    """The state after a step; None if the step is not possible in that state."""
    return TRANSITIONS.get((state, step))


@dataclass(frozen=True, slots=True)
class Posted:
    """A publication, as far as appeals are concerned; `at` in UTC seconds."""

    number: int
    at: float
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """When appeals on a publication are taken; `closes` is None if no time is set.

    UTC seconds. The moment `closes` itself is too late.
    """

    publication: int
    opens: float
    closes: float | None = None

    def is_open(self, now: float) -> bool:
        """True if an appeal may be filed now."""
        return self.opens <= now and (self.closes is None or now < self.closes)

    def left(self, now: float) -> float | None:
        """Seconds left, not below 0; None if no time is set."""
        return None if self.closes is None else max(0.0, self.closes - now)


def window(posted: Sequence[Posted], rule: AppealRule, set_end: float | None) -> Window | None:
    """When appeals on the newest publication are taken; None if there is nothing to appeal against.

    The publications before it are closed by it: they show what is no longer posted. One that has been
    withdrawn takes its appeals' time with it.

    Args:
        posted: All publications, the oldest first.
        rule: What the regulation says.
        set_end: The end that the organizer has set for the newest publication, UTC seconds; it stands
            above the regulation's, earlier or later.
    """
    if not posted or posted[-1].withdrawn or not rule.allowed:
        return None
    newest = posted[-1]
    if set_end is not None:
        return Window(newest.number, newest.at, max(newest.at, set_end))
    if rule.minutes is not None:
        return Window(newest.number, newest.at, newest.at + 60.0 * rule.minutes)
    return Window(newest.number, newest.at)


class Refusal(StrEnum):
    """Why an appeal cannot be filed."""

    OPEN_ALREADY = "open_already"
    DECIDED_ALREADY = "decided_already"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Filed:
    """An appeal, as far as the next one is concerned.

    `question` is (theme, nominal); `own` is True if the player filed it, not somebody for them.
    """

    player: int
    question: tuple[int, int]
    publication: int
    state: State
    own: bool = True


def refusal(new: Filed, earlier: Iterable[Filed], rule: AppealRule) -> Refusal | None:
    """Why a new appeal cannot be filed; None if it can.

    One open appeal a player and question; a decided one is not repeated on the same publication; a
    player's own ones are counted, what the desk files for somebody is not.
    """
    own = [other for other in earlier if other.player == new.player]
    same = [other for other in own if other.question == new.question]
    if any(other.state is State.OPEN for other in same):
        return Refusal.OPEN_ALREADY
    here = [
        other
        for other in own
        if other.publication == new.publication and other.state is not State.WITHDRAWN
    ]
    if any(other.question == new.question for other in here):
        return Refusal.DECIDED_ALREADY
    if new.own and sum(other.own for other in here) >= rule.most:
        return Refusal.TOO_MANY
    return None


class Likeness(StrEnum):
    """How near a reading is to what was appealed for."""

    EQUAL = "equal"
    SIMILAR = "similar"


def likeness(text: str, others: Iterable[str]) -> Likeness | None:
    """Whether a reading is equal or similar to one of others; None if it is neither.

    Equal readings are offered one verdict together; similar ones are only shown. Numbers and short words
    are never similar: 1812 is not 1813, кит is not кот.
    """
    read = joined(fold(text))
    if not read:
        return None
    known = [joined(fold(other)) for other in others]
    if read in known:
        return Likeness.EQUAL
    if _exact(read) or len(read) < SHORT_BELOW:
        return None
    near = (other for other in known if len(other) >= SHORT_BELOW and not _exact(other))
    return Likeness.SIMILAR if any(fuzz.ratio(read, other) >= SIMILAR for other in near) else None


def _exact(folded: str) -> bool:
    return any(is_numeral(word) for word in words(folded))


def cleaned(text: str) -> str:
    """What a person typed, without control characters and needless blank space; lines are kept."""
    lines = (
        "".join(char if char.isprintable() else " " for char in line).split()
        for line in text.splitlines()
    )
    return "\n".join(" ".join(line) for line in lines if line)
