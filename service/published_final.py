"""The final as a publication keeps it: who staked what, what came of it, and the question.

It goes out under the publication's number and names, with a fingerprint of its own, so that a posted
protocol is checked like posted standings (`service.publications`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter

from reports.final_protocol import FinalPart, final_fingerprint
from scoring.model import Question, Standings
from service import finals
from service.event import Event


@dataclass(frozen=True, slots=True)
class PublishedFinal:
    """The finals of all categories in which somebody's stake is entered, and the final question."""

    title: str
    parts: tuple[FinalPart, ...]
    question: Question | None = None

    @property
    def fingerprint(self) -> str:
        """The whole fingerprint: 64 hexadecimal digits."""
        return final_fingerprint(self.title, self.parts)

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Of all together, and of each category, whose protocol may be printed by itself."""
        single = [final_fingerprint(self.title, [part]) for part in self.parts]
        return (self.fingerprint, *single)


def current(
    event: Event, standings: Standings, *, provisional: bool = False
) -> PublishedFinal | None:
    """The final as it would be published now; None where there is none, or nothing of it is entered.

    Args:
        event: Whose.
        standings: As they are now.
        provisional: Also finals in which something is still open: their protocol says that it is preliminary.
    """
    if event.regulation().final is None:
        return None
    parts = finals.parts(finals.finals(event, standings=standings))
    played = tuple(_own(part) for part in parts if part.sheets and (provisional or not part.open))
    return PublishedFinal(standings.title, played, event.key().final) if played else None


def _own(part: FinalPart) -> FinalPart:
    """The part with the players of the final alone: the others are in the standings."""
    numbers = {row.number for row in part.result.rows} | part.sheets.keys()
    return replace(
        part,
        players={number: part.players[number] for number in sorted(numbers)},
        sheets=dict(sorted(part.sheets.items())),
    )


@cache
def _adapter() -> TypeAdapter[PublishedFinal]:
    return TypeAdapter(PublishedFinal)


def to_json(final: PublishedFinal) -> str:
    """As the journal keeps it."""
    return _adapter().dump_json(final).decode()


def from_json(text: str | None) -> PublishedFinal | None:
    """The reverse; None for a publication without a final."""
    return None if text is None else _adapter().validate_json(text)
