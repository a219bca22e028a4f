"""Whom a juror does not judge: own pupils, by name or by school.

What the organizer sets is a line of the journal: the whole list of one account, the newest one counts. From
it follows which sheets that juror never gets to see, neither as data nor as pictures: `hidden_sheets` is
the one place that says so. Their answers stay open for the other jurors.

A spare sheet that is nobody's yet may be anybody's, so it is hidden too from a juror who is kept from
somebody, until it is known whose it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, select

from otbor.errors import AccessError, ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.codes import sheet_name
from scanner.geometry import SheetKind
from scoring.folding import clean, fold
from scoring.model import Player
from service import accounts, journal, question_counts, sheets
from service.accounts import Account, Right
from service.event import Event
from service.journal import Kind
from service.store import tables


@dataclass(frozen=True, slots=True)
class KeptFrom:
    """Whom one account does not judge: numbers of players, and schools as the roster writes them."""

    account: str
    players: tuple[int, ...] = ()
    schools: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.players or self.schools)

    def covers(self, player: Player) -> bool:
        """True if the account does not judge this player."""
        folded = {fold(school) for school in self.schools}
        return player.number in self.players or (fold(player.school) in folded)


class KeptFromError(AccessError):
    """A juror asks for a sheet that they are kept from."""

    code = "kept_from"


_known: WeakKeyDictionary[Event, tuple[int, dict[str, frozenset[str]]]] = WeakKeyDictionary()
_lock = Lock()


def hidden_sheets(event: Event, account: Account) -> frozenset[str]:
    """The names of the sheets that an account must not see as a juror; mostly there are none.

    Asked for with every picture, so it is kept until the journal has a newer line.
    """
    with event.database.reading() as connection:
        version = event.database.asked_once(journal.length)
        with _lock:
            known = _known.get(event)
        if known is None or known[0] != version:
            made = {
                kept.account: _sheets_of(event, connection, kept)
                for kept in _lists(connection).values()
                if kept
            }
            known = (version, made)
            # What is not committed yet may be rolled back, and its number given to another line.
            if not event.database.in_change:
                with _lock:
                    _known[event] = known
    return known[1].get(account.name, frozenset())


def hidden_pages(event: Event, account: Account) -> frozenset[int]:
    """The pages that were scanned of those sheets."""
    hidden = hidden_sheets(event, account)
    if not hidden:
        return frozenset()
    page = tables.page
    with event.database.reading() as connection:
        rows = connection.execute(select(page.c.id, page.c.sheet).where(page.c.sheet.is_not(None)))
        return frozenset(row.id for row in rows if row.sheet in hidden)


def hidden_count(event: Event, account: Account, box: str) -> int:
    """How many answers to a question an account does not get to see: the juror is told so much."""
    hidden = hidden_sheets(event, account)
    if not hidden:
        return 0
    counts = question_counts.counts_on(event, hidden).get(box)
    return counts["written"] + counts["blank"] if counts else 0


def require(event: Event, account: Account, sheet: str, page_id: int | None = None) -> None:
    """Refuse an account a sheet that it is kept from, and a page that is not that sheet's.

    Raises:
        KeptFromError: The account is kept from the sheet's player, or from the page's.
    """
    hidden = hidden_sheets(event, account)
    if hidden and (sheet in hidden or _sheet_of_page(event, page_id) in hidden):
        raise KeptFromError(
            _("You do not judge this player's answers."),
            _("Go back to the question; other jurors rule on this sheet."),
        )


def lists(event: Event) -> dict[str, KeptFrom]:
    """What is set now, by account; accounts that judge everybody are left out."""
    with event.database.reading() as connection:
        return {name: kept for name, kept in _lists(connection).items() if kept}


def list_of(event: Event, account: Account) -> KeptFrom:
    """Whom one account is kept from."""
    return lists(event).get(account.name, KeptFrom(account.name))


def keep(
    event: Event,
    name: str,
    *,
    players: Iterable[int] = (),
    schools: Iterable[str] = (),
    who: str,
    why: str = "",
) -> KeptFrom:
    """Keep a juror from further players and schools; returns the whole list.

    Args:
        event: Where.
        name: The account, as typed.
        players: Numbers of the roster.
        schools: Schools as the roster has them; case, spaces and «ё» do not count.
        who: Who sets it.
        why: A remark.

    Raises:
        NotFoundError: There is no such account, player or school.
        ConflictError: The account judges nobody, or nobody is named.
    """
    return _change(event, name, players, schools, who=who, why=why, adding=True)


def let(
    event: Event,
    name: str,
    *,
    players: Iterable[int] = (),
    schools: Iterable[str] = (),
    who: str,
    why: str = "",
) -> KeptFrom:
    """Let a juror judge players and schools again; the opposite of `keep`, with its errors."""
    return _change(event, name, players, schools, who=who, why=why, adding=False)


def players_of(event: Event, kept: KeptFrom) -> list[Player]:
    """Everybody of the roster whom a list covers."""
    return [player for player in event.players() if kept.covers(player)]


def _sheet_of_page(event: Event, page_id: int | None) -> str | None:
    if page_id is None:
        return None
    with event.database.reading() as connection:
        query = select(tables.page.c.sheet).where(tables.page.c.id == page_id)
        return connection.execute(query).scalar()


def _change(
    event: Event,
    name: str,
    players: Iterable[int],
    schools: Iterable[str],
    *,
    who: str,
    why: str,
    adding: bool,
) -> KeptFrom:
    account = accounts.find(event, name)
    if not account.may(Right.RULE):
        raise ConflictError(
            _("“{name}” judges nobody.").format(name=account.name),
            _("Only who rules on answers can be kept from players."),
        )
    numbers, wanted = set(players), {fold(clean(school)) for school in schools}
    if not numbers and not wanted:
        raise ConflictError(
            _("Nobody is named."), _("Name players by their numbers, or a school of the roster.")
        )
    with event.database.writing() as connection:
        old = _lists(connection).get(account.name, KeptFrom(account.name))
        roster = event.players()
        known = {fold(player.school): player.school for player in roster if player.school}
        known = {fold(school): school for school in old.schools} | known
        _check(numbers, {player.number for player in roster} | set(old.players), wanted, known)
        before = {fold(school) for school in old.schools}
        chosen = set(old.players) | numbers if adding else set(old.players) - numbers
        kept_schools = before | wanted if adding else before - wanted
        new = KeptFrom(
            account.name,
            tuple(sorted(chosen)),
            tuple(sorted(known[school] for school in kept_schools)),
        )
        if new != old:
            payload = {
                "account": new.account,
                "players": list(new.players),
                "schools": list(new.schools),
            }
            journal.append(connection, who, Kind.KEPT_FROM, payload, why)
    return new


def _check(
    numbers: set[int], known_numbers: set[int], schools: set[str], known_schools: Collection[str]
) -> None:
    strange = sorted(numbers - known_numbers)
    if strange:
        raise NotFoundError(
            _("There is no player {number} in the roster.").format(number=strange[0]),
            _("Search by number, name or school."),
        )
    if schools - set(known_schools):
        raise NotFoundError(
            _("No player of the roster is from “{school}”.").format(
                school=min(schools - set(known_schools))
            ),
            _("Write the school as the roster does."),
        )


def _lists(connection: Connection) -> dict[str, KeptFrom]:
    found: dict[str, KeptFrom] = {}
    for entry in journal.entries(connection, Kind.KEPT_FROM):
        payload: dict[str, Any] = entry.payload
        found[payload["account"]] = KeptFrom(
            payload["account"],
            tuple(int(number) for number in payload["players"]),
            tuple(str(school) for school in payload.get("schools", [])),
        )
    return found


def _sheets_of(event: Event, connection: Connection, kept: KeptFrom) -> frozenset[str]:
    """Personal and final sheets of the players, their spare sheets, and the spare sheets of nobody."""
    numbers = {player.number for player in players_of(event, kept)} | set(kept.players)
    given = sheets.spare_players(connection)
    spares = {sheet_name(SheetKind.SPARE, at) for at in range(1, event.spares() + 1)} | set(given)
    return frozenset(
        {sheet_name(SheetKind.PERSONAL, number) for number in numbers}
        | {sheet_name(SheetKind.FINAL, number) for number in numbers}
        | {sheet for sheet in spares if given.get(sheet) is None or given[sheet] in numbers}
    )
