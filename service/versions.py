"""What tells one moment of an event from another, in one statement: whatever is kept in memory goes by it.

Every number only grows while the event lives, but for pages of a file that turns out not to be the event's;
those never counted. A page that is read again counts as one more attempt, a scan that counts instead of
another one as another sum.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, case, func, select

from scanner.contracts import Outcome
from service.event import Event
from service.journal import Kind
from service.store import tables

_OF_PAGES = (Kind.ASSIGN_PAGE, Kind.CHOOSE_PAGE, Kind.MANUAL_PAGE)


class Version(NamedTuple):
    """Something else whenever a ruling, a vote, an entry of the journal or a page is new."""

    ruling: int
    vote: int
    journal: int
    pages: tuple[Any, ...]


def current(event: Event) -> Version:
    """The version of this moment; asked once in a `reading()` block, anew at every call among changes."""
    return event.database.asked_once(_version)


def paper(event: Event) -> tuple[Any, ...]:
    """Something else whenever other pages count, for other sheets, or with something else in their boxes.

    Pages change when they are read, and by what people say of them.
    """
    return (*current(event).pages, *event.newest(*_OF_PAGES))


def _version(connection: Connection) -> Version:
    ruling, vote, entry, *pages = connection.execute(_QUERY).one()
    return Version(int(ruling or 0), int(vote or 0), int(entry or 0), tuple(pages))


def _query() -> Select[Any]:
    page = tables.page
    counting = page.c.outcome == Outcome.SHEET.value
    pages = select(
        func.count(),
        func.count(page.c.done_at),
        func.max(page.c.done_at),
        func.sum(page.c.attempts),
        func.sum(case((counting, 1), else_=0)),
        func.sum(case((counting, page.c.id), else_=0)),
    ).subquery()
    newest = (tables.ruling.c.id, tables.blind_ruling.c.id, tables.journal.c.id)
    return select(*(select(func.max(id_)).scalar_subquery() for id_ in newest), pages)


# Made once: making it takes longer than asking.
_QUERY = _query()
