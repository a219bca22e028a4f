"""Two people read one answer, neither seeing the other's verdict: what their votes come to.

Pure. A vote is what one person said of one picture; votes are only ever added. From them follow the readings
of a box, at most one a person, and from those its state. The order in which people voted changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.model import Verdict

NO_PAGE = 0
"""The page of a vote that was given on paper, of a sheet that is not scanned: it holds for any scan."""
ENOUGH = 2
"""So many readings settle a box, by agreeing or by differing."""


class Scope(StrEnum):
    """Which boxes two people read."""

    NONE = "none"
    NEAR = "near"
    ALL = "all"


class State(StrEnum):
    """How far a box is."""

    NONE = "none"
    ONE = "one"
    AGREED = "agreed"
    DIFFER = "differ"


@dataclass(frozen=True, slots=True)
class Vote:
    """One line of the log of votes on one box.

    `id` grows with every line; `page_id` is the picture that was ruled on; a `verdict` of None takes back
    the person's last vote that stands, and what they had said before holds again; `at` in UTC seconds.
    """

    id: int
    by: str
    page_id: int
    verdict: Verdict | None
    at: float = 0.0
    batch: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one person says of a box; `is_vote` is False for a ruling made before two were asked."""

    by: str
    verdict: Verdict
    at: float = 0.0
    batch: str = ""
    why: str = ""
    is_vote: bool = True


def readings(
    votes: Iterable[Vote], page_id: int, base: Reading | None = None
) -> dict[str, Reading]:
    """What everybody says of a box now.

    Args:
        votes: All lines on the box, in any order.
        page_id: The page that counts for the sheet; votes on other ones are passed over.
        base: The ruling that one person made alone. It is that person's reading until they vote later, or
            take it back: a line that takes back a vote where none stands means the ruling.

    Returns:
        One reading a person, by name.
    """
    stacks, withdrawn = _standing(votes)
    found: dict[str, Reading] = {}
    for by, stack in stacks.items():
        if stack and stack[-1].page_id in (page_id, NO_PAGE):
            last = stack[-1]
            assert last.verdict is not None
            found[by] = Reading(by, last.verdict, last.at, last.batch, last.why)
    if base is not None and withdrawn.get(base.by, base.at - 1) < base.at:
        own = found.get(base.by)
        if own is None or own.at < base.at:
            found[base.by] = base
    return dict(sorted(found.items()))


def votes_that_stand(votes: Iterable[Vote], by: str) -> list[Vote]:
    """A person's votes on a box that are not taken back, the one that holds last."""
    return _standing(votes)[0].get(by, [])


def _standing(votes: Iterable[Vote]) -> tuple[dict[str, list[Vote]], dict[str, float]]:
    """By person: the votes that stand, and when a ruling made alone was taken back last."""
    stacks: dict[str, list[Vote]] = {}
    withdrawn: dict[str, float] = {}
    for vote in sorted(votes, key=lambda vote: vote.id):
        stack = stacks.setdefault(vote.by, [])
        if vote.verdict is not None:
            stack.append(vote)
        elif stack:
            stack.pop()
        else:
            withdrawn[vote.by] = vote.at
    return stacks, withdrawn


def state_of(given: Collection[Reading]) -> State:
    """What readings come to; all of them count, so two that differ are never outvoted by a third."""
    if len(given) < ENOUGH:
        return State.ONE if given else State.NONE
    return State.AGREED if len({reading.verdict for reading in given}) == 1 else State.DIFFER


@dataclass(frozen=True, slots=True)
class DoubleBox:
    """One box while double reading is on.

    Args:
        readings: By person.
        ruling: What the ledger says now.
        base: The ruling that was made by one person alone, None if there is none or it was withdrawn.
        decided: `base` is a decision: the chief's on a dispute, or on an appeal. Votes do not touch it.
        under: Two people read this box.
    """

    readings: Mapping[str, Reading] = field(default_factory=dict)
    ruling: Verdict | None = None
    base: Reading | None = None
    decided: bool = False
    under: bool = True

    @property
    def state(self) -> State:
        """How far it is."""
        return state_of(self.readings.values())

    @property
    def settled(self) -> bool:
        """True if nobody's reading is missing."""
        if self.decided or not self.under:
            return self.ruling is not None
        return len(self.readings) >= ENOUGH

    def waits_for(self, person: str) -> bool:
        """True if this person's reading is wanted."""
        return not self.settled and person not in self.readings

    def shown(self, person: str) -> Verdict | None:
        """The verdict that a person may see: their own; another's never before it is settled without them."""
        if self.decided or not self.under:
            return self.ruling
        own = self.readings.get(person)
        if own is not None:
            return own.verdict
        return self.ruling if self.settled else None
