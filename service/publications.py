"""Publications: what was posted, under which number, with which fingerprint.

A publication keeps the standings themselves, so that the next one can say what changed and a posted PDF
can be checked years later. It is a line of the journal; withdrawing it is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import Lock
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter
from sqlalchemy import func, select

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from reports.fingerprint import Match, fingerprint, short, verify
from scoring.changes import StandingsChanges, compare
from scoring.model import Standings
from service import journal
from service.event import Event
from service.journal import Kind
from service.results import event_standings
from service.store import tables


@dataclass(frozen=True, slots=True)
class Publication:
    """One publication: its number from 1, and whether it has been withdrawn.

    `entry` is its line in the journal and `ruling` the newest ruling that it counted: what came later is
    not posted. `ruling` is None where publications did not note it yet.
    """

    number: int
    at: float
    who: str
    why: str
    fingerprint: str
    withdrawn: bool
    standings: Standings
    entry: int = 0
    ruling: int | None = None


_known: WeakKeyDictionary[Event, tuple[tuple[int, ...], Publication | None]] = WeakKeyDictionary()
_lock = Lock()


@cache
def _adapter() -> TypeAdapter[Standings]:
    return TypeAdapter(Standings)


def publications(event: Event) -> list[Publication]:
    """All publications, the first one first."""
    with event.database.reading() as connection:
        lines = journal.entries(connection, Kind.PUBLICATION, Kind.WITHDRAWAL)
    return _of_lines(lines)


def ever(event: Event) -> bool:
    """True if anything has ever been published, whether it stands or not."""
    with event.database.reading() as connection:
        return journal.newest(connection, Kind.PUBLICATION) > 0


def newest(event: Event) -> Publication | None:
    """The publication that is posted: the newest one; None before the first, and if it is withdrawn.

    Every visit to a player's page asks for it, and its standings are long: they are read once.
    """
    with event.database.reading() as connection:
        version = tuple(
            journal.newest(connection, kind) for kind in (Kind.PUBLICATION, Kind.WITHDRAWAL)
        )
        with _lock:
            known = _known.get(event)
        if known is None or known[0] != version:
            lines = journal.entries(connection, Kind.PUBLICATION, Kind.WITHDRAWAL)
            last = [line for line in lines if line.kind is Kind.PUBLICATION][-1:]
            marks = [line for line in lines if line.kind is Kind.WITHDRAWAL]
            found = _of_lines([*last, *marks])
            known = (version, found[0] if found and not found[0].withdrawn else None)
            # What is not committed yet may be rolled back, and its number given to another line.
            if not event.database.in_change:
                with _lock:
                    _known[event] = known
    return known[1]


def _of_lines(lines: list[journal.Entry]) -> list[Publication]:
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
            entry=line.id,
            ruling=line.payload.get("ruling"),
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
    # One moment: a ruling that comes in meanwhile is neither in the standings nor among those counted.
    with event.database.writing() as connection:
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
                _("Nothing has changed since publication {number}.").format(
                    number=earlier[-1].number
                ),
                _("Print it again with “otbor report”."),
            )
        payload = {
            "number": len(earlier) + 1,
            "fingerprint": whole,
            "standings": _adapter().dump_json(standings).decode(),
            "ruling": int(connection.execute(select(func.max(tables.ruling.c.id))).scalar() or 0),
        }
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
