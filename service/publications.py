"""Publications: what was posted, under which number, with which fingerprint.

A publication keeps the standings themselves, so that the next one can say what changed and a posted PDF
can be checked years later. It is a line of the journal; withdrawing it is another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import ClassVar
from weakref import WeakKeyDictionary

from pydantic import TypeAdapter
from sqlalchemy import func, select

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from reports.fingerprint import Match, Verification, fingerprint, short, verify_fingerprint
from reports.shown_names import Names
from scoring.changes import StandingsChanges, compare
from scoring.model import Standings
from service import journal, published_final, second_looks
from service.event import Event
from service.journal import Kind
from service.published_final import PublishedFinal
from service.results import event_standings
from service.store import tables


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """When a publication was withdrawn, by whom and why."""

    at: float
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Publication:
    """One publication: its number from 1, and whether it has been withdrawn.

    `entry` is its line in the journal and `ruling` the newest ruling that it counted: what came later is
    not posted. `ruling` is None where publications did not note it yet. `names` is how the players are called
    in everything that is posted of it.
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
    names: Names = Names.FULL
    withdrawal: Withdrawal | None = None
    final: PublishedFinal | None = None

    @property
    def marks(self) -> tuple[str, str]:
        """What tells it from other publications: the fingerprints of the standings and of the final."""
        return (self.fingerprint, self.final.fingerprint if self.final else "")


class StaleDraftError(ConflictError):
    """The standings are no longer those that were shown."""

    code: ClassVar[str] = "stale_draft"


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
        version = event.newest(Kind.PUBLICATION, Kind.WITHDRAWAL)
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
    withdrawn = {
        int(line.payload["number"]): Withdrawal(line.at, line.who, line.why)
        for line in lines
        if line.kind is Kind.WITHDRAWAL
    }
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
            names=Names(line.payload.get("names", Names.FULL.value)),
            withdrawal=withdrawn.get(int(line.payload["number"])),
            final=published_final.from_json(line.payload.get("final")),
        )
        for line in lines
        if line.kind is Kind.PUBLICATION
    ]


def posted_names(event: Event) -> Names:
    """How the newest publication, withdrawn or not, calls the players; before the first by full names."""
    with event.database.reading() as connection:
        last = journal.latest(connection, Kind.PUBLICATION)
    return Names(last.get("names", Names.FULL.value)) if last else Names.FULL


def publish(
    event: Event,
    *,
    who: str,
    why: str = "",
    provisional: bool = False,
    tied: bool = True,
    names: Names = Names.FULL,
    seen: str = "",
) -> tuple[Publication, StandingsChanges | None]:
    """Publish the standings as they are now.

    Args:
        event: Whose.
        who: Who publishes.
        why: A remark.
        provisional: Publish although answers are unconfirmed, or wait for a second juror.
        tied: Publish although a tie across the line is undecided.
        names: How everything that is posted of it calls the players.
        seen: The fingerprint of the standings that were shown; if they are others by now, nothing is
            published.

    Returns:
        The publication, and what is different from the one before.

    Raises:
        ConflictError: Answers are unconfirmed or wait for a second juror, or nothing has changed since the
            last publication; a tie is undecided and may not be.
        StaleDraftError: The standings are not those that were shown.
    """
    # One moment: a ruling that comes in meanwhile is neither in the standings nor among those counted.
    with event.database.writing() as connection:
        standings = event_standings(event)
        whole = fingerprint(standings)
        if seen and seen != whole:
            raise StaleDraftError(
                _("The standings are no longer those that you were shown."),
                _("Look at them as they are now, and publish again."),
            )
        if standings.unconfirmed and not provisional:
            raise ConflictError(
                _("{count} answers are not confirmed yet.").format(count=standings.unconfirmed),
                _("Confirm them first, or publish a provisional list with --provisional."),
            )
        looks = len(second_looks.waiting(event))
        if looks and not provisional:
            raise ConflictError(
                ngettext(
                    "{n} answer waits for a second juror.",
                    "{n} answers wait for a second juror.",
                    looks,
                ).format(n=looks),
                _(
                    "Let another juror read them; or publish with --provisional, or end double reading: "
                    "otbor double EVENT none."
                ),
            )
        undecided = [part.category for part in standings.categories if part.cut.undecided]
        if undecided and not tied:
            raise ConflictError(
                _("A tie across the line is undecided: {categories}.").format(
                    categories=", ".join(undecided)
                ),
                _("Decide it, or say that it shall be published undecided."),
            )
        earlier = publications(event)
        final = published_final.current(event, standings, provisional=provisional)
        marks = (whole, final.fingerprint if final else "")
        if earlier and (earlier[-1].marks, earlier[-1].names, earlier[-1].withdrawn) == (
            marks,
            names,
            False,
        ):
            raise ConflictError(
                _("Nothing has changed since publication {number}.").format(
                    number=earlier[-1].number
                ),
                _("Print it again with “otbor report”."),
            )
        payload = {
            "number": len(earlier) + 1,
            "fingerprint": whole,
            "names": Names(names).value,
            "standings": _adapter().dump_json(standings).decode(),
            "ruling": int(connection.execute(select(func.max(tables.ruling.c.id))).scalar() or 0),
        }
        if final is not None:
            payload["final"] = published_final.to_json(final)
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
    """What a posted PDF is: the publication it shows (None: the standings as they are), and the match.

    `later` is the number of the publication that has taken its place, 0 while none has.
    """

    match: Match
    publication: Publication | None
    found: str
    later: int = 0


def check_pdf(event: Event, pdf: bytes) -> Checked:
    """Say which publication of the event a PDF shows, newest first, or that it shows none."""
    known = publications(event)
    posted = known[-1] if known and not known[-1].withdrawn else None
    for entry in reversed(known):
        result = _best(pdf, entry.fingerprint, entry.final)
        if result.match in (Match.SAME, Match.EDITED):
            later = posted.number if posted is not None and posted.number > entry.number else 0
            return Checked(result.match, entry, result.found, later)
    now = event_standings(event)
    result = _best(pdf, fingerprint(now), published_final.current(event, now, provisional=True))
    return Checked(result.match, None, result.found)


def _best(pdf: bytes, standings: str, final: PublishedFinal | None) -> Verification:
    """What a PDF is beside standings, by their fingerprint, and the final that belongs to them."""
    marks = (standings, *(final.fingerprints if final else ()))
    tried = [verify_fingerprint(pdf, whole) for whole in marks]
    return next((one for one in tried if one.match in (Match.SAME, Match.EDITED)), tried[0])


def verdict_text(checked: Checked) -> str:
    """What a check came to, in a sentence."""
    publication = checked.publication
    if checked.match is Match.SAME and publication is not None:
        said = _("This is publication {number}, as it was printed.").format(
            number=publication.number
        )
        if checked.later:
            said += _(" It holds no longer: publication {number} has taken its place.").format(
                number=checked.later
            )
        return said + (_(" It has been withdrawn.") if publication.withdrawn else "")
    if checked.match is Match.SAME:
        return _("It shows the standings as they are now; they have not been published.")
    if checked.match is Match.EDITED:
        return _("It bears a fingerprint of this event, but the file was changed after printing.")
    if checked.match is Match.OTHER:
        return _("It shows other results: fingerprint {form} is not of this event.").format(
            form=checked.found
        )
    if checked.match is Match.NONE:
        return _("This PDF bears no fingerprint: it is no list of standings of ours.")
    return _("This file is no PDF.")


def printed_form(publication: Publication) -> str:
    """The fingerprint as it stands on the paper."""
    return short(publication.fingerprint)
