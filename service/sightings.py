"""Who saw which answer. Nothing that nobody saw is scored: see `require`.

The browser reports the pictures that were in view for long enough. What is kept is the page and the box, so
another scan of a sheet is seen anew, and the log of rulings can be asked who saw what they ruled on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import exists, func, insert, literal, select

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from service.event import Event
from service.store import tables

# SQLite takes at most 32,766 values in one statement.
CHUNK = 10_000


class UnseenError(ConflictError):
    """A verdict on an answer that the juror has not seen."""

    code: ClassVar[str] = "unseen"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One person saw one box on one page; `at` is when first, UTC seconds."""

    page_id: int
    box: str
    who: str
    at: float


def record(event: Event, box: str, pages: Iterable[int], who: str) -> int:
    """Record that somebody saw a box on some pages.

    Args:
        event: Where.
        box: The box's key, the same on all pages.
        pages: Their ids; one that has no such box, or was seen already, is passed over.
        who: The juror.

    Returns:
        How many were new.
    """
    wanted, new = sorted(set(pages)), 0
    own = tables.sighting
    known = exists().where(
        own.c.page_id == tables.box.c.page_id, own.c.box == box, own.c.who == who
    )
    with event.database.writing() as connection:
        for start in range(0, len(wanted), CHUNK):
            fresh = select(
                tables.box.c.page_id, tables.box.c.key, literal(who), literal(time.time())
            ).where(
                tables.box.c.key == box,
                tables.box.c.page_id.in_(wanted[start : start + CHUNK]),
                ~known,
            )
            names = ["page_id", "box", "who", "at"]
            new += connection.execute(insert(own).from_select(names, fresh)).rowcount
    return new


def seen_by(event: Event, box: str, who: str) -> set[int]:
    """The pages on which somebody saw a box."""
    table = tables.sighting
    query = select(table.c.page_id).where(table.c.box == box, table.c.who == who)
    with event.database.reading() as connection:
        return {row.page_id for row in connection.execute(query)}


def witnesses(event: Event, page_id: int, box: str) -> list[Sighting]:
    """Everybody who saw a box on a page, the first one first."""
    table = tables.sighting
    query = (
        select(table)
        .where(table.c.page_id == page_id, table.c.box == box)
        .order_by(table.c.at, table.c.who)
    )
    with event.database.reading() as connection:
        return [
            Sighting(row.page_id, row.box, row.who, row.at) for row in connection.execute(query)
        ]


def require(event: Event, box: str, who: str, pages: Iterable[int]) -> None:
    """Refuse verdicts on what was not seen.

    Args:
        event: Where.
        box: The box's key.
        who: The juror.
        pages: The pages on which it gets a new verdict.

    Raises:
        UnseenError: One of them is not among the seen.
    """
    asked = sorted(set(pages))
    unseen = len(asked) - _count_seen(event, box, who, asked)
    if unseen:
        raise UnseenError(
            ngettext(
                "{n} answer has not been on your screen yet; nothing was recorded.",
                "{n} answers have not been on your screen yet; nothing was recorded.",
                unseen,
            ).format(n=unseen),
            _("Look at every answer, the blank ones too, then confirm."),
        )


def _count_seen(event: Event, box: str, who: str, pages: Sequence[int]) -> int:
    table, found = tables.sighting, 0
    for start in range(0, len(pages), CHUNK):
        query = select(func.count()).where(
            table.c.box == box,
            table.c.who == who,
            table.c.page_id.in_(pages[start : start + CHUNK]),
        )
        with event.database.reading() as connection:
            found += int(connection.execute(query).scalar() or 0)
    return found
