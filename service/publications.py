"""Publications: what was posted, under which number, with which fingerprint.

A publication keeps the standings themselves, so that the next one can say what changed and a posted PDF
can be checked years later. It is a line of the journal; withdrawing it is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from reports.fingerprint import Match, fingerprint, short, verify
from scoring.changes import StandingsChanges, compare
from scoring.model import Standings
from service import journal
from service.event import Event
from service.journal import Kind
from service.results import event_standings


@dataclass(frozen=True, slots=True)
class Publication:
    """One publication: its number from 1, and whether it has been withdrawn."""

    number: int
    at: float
    who: str
    why: str
    fingerprint: str
    withdrawn: bool
    standings: Standings


@cache
def _adapter() -> TypeAdapter[Standings]:
    return TypeAdapter(Standings)


def publications(event: Event) -> list[Publication]:
    """All publications, the first one first."""
    with event.database.reading() as connection:
        lines = journal.entries(connection, Kind.PUBLICATION, Kind.WITHDRAWAL)
    withdrawn = {int(line.payload["number"]) for line in lines if line.kind is Kind.WITHDRAWAL}
    return [
        Publication(
            number=int(line.payload["number"]),
            at=line.at,
            who=line.who,
            why=line.why,
            fingerprint=str(line.payload["fingerprint"]),
            withdrawn=int(line.payload["number"]) in withdrawn,
            standings=_adapter().validate_json(line.payload["standings"]),
        )
        for line in lines
        if line.kind is Kind.PUBLICATION
    ]


def changes_since(event: Event) -> StandingsChanges | None:
    """What is different from the last publication, withdrawn or not; None before the first."""
    earlier = publications(event)
    return compare(earlier[-1].standings, event_standings(event)) if earlier else None


def publish(
    event: Event, *, who: str, why: str = "", provisional: bool = False
) -> tuple[Publication, StandingsChanges | None]:
    """Publish the standings as they are now.

    Args:
        event: Whose.
        who: Who publishes.
        why: A remark.
        provisional: Publish although answers are unconfirmed.

    Returns:
        The publication, and what is different from the one before.

    Raises:
        ConflictError: Answers are unconfirmed, or nothing has changed since the last publication.
    """
    standings = event_standings(event)
    if standings.unconfirmed and not provisional:
        raise ConflictError(
            _("{count} answers are not confirmed yet.").format(count=standings.unconfirmed),
            _("Confirm them first, or publish a provisional list with --provisional."),
        )
    whole = fingerprint(standings)
    earlier = publications(event)
    if earlier and earlier[-1].fingerprint == whole and not earlier[-1].withdrawn:
        raise ConflictError(
            _("Nothing has changed since publication {number}.").format(number=earlier[-1].number),
            _("Print it again with “otbor report”."),
        )
    number = len(earlier) + 1
    payload = {
        "number": number,
        "fingerprint": whole,
        "standings": _adapter().dump_json(standings).decode(),
    }
    with event.database.writing() as connection:
        journal.append(connection, who, Kind.PUBLICATION, payload, why)
    changes = compare(earlier[-1].standings, standings) if earlier else None
    return publications(event)[-1], changes


def withdraw(event: Event, number: int, *, who: str, why: str = "") -> None:
    """Withdraw a publication; it stays in the journal.

    Raises:
        NotFoundError: There is no such publication.
        ConflictError: It has been withdrawn already.
    """
    found = [entry for entry in publications(event) if entry.number == number]
    if not found:
        raise NotFoundError(
            _("There is no publication {number}.").format(number=number),
            _("See “otbor publications”."),
        )
    if found[0].withdrawn:
        raise ConflictError(
            _("Publication {number} has been withdrawn already.").format(number=number),
            _("Publish the next one with “otbor publish”."),
        )
    with event.database.writing() as connection:
        journal.append(connection, who, Kind.WITHDRAWAL, {"number": number}, why)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a posted PDF is: the publication it shows (None: the standings as they are), and the match."""

    match: Match
    publication: Publication | None
    found: str


def check_pdf(event: Event, pdf: bytes) -> Checked:
    """Say which publication of the event a PDF shows, newest first, or that it shows none."""
    for entry in reversed(publications(event)):
        result = verify(pdf, entry.standings)
        if result.match in (Match.SAME, Match.EDITED):
            return Checked(result.match, entry, result.found)
    result = verify(pdf, event_standings(event))
    return Checked(result.match, None, result.found)


def printed_form(publication: Publication) -> str:
    """The fingerprint as it stands on the paper."""
    return short(publication.fingerprint)
