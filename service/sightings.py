"""Who saw which answer. Nothing that nobody saw is scored: see `require`.

The browser reports the pictures that were in view for long enough. What is kept is the page and the box, so
another scan of a sheet is seen anew, and the log of rulings can be asked who saw what they ruled on.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import insert, select

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from service.event import Event
from service.store import tables


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
    wanted = set(pages)
    table = tables.box
    with event.database.writing() as connection:
        rows = connection.execute(select(table.c.page_id).where(table.c.key == box))
        fresh = sorted((wanted & {row.page_id for row in rows}) - seen_by(event, box, who))
        if fresh:
            now = time.time()
            connection.execute(
                insert(tables.sighting),
                [{"page_id": page, "box": box, "who": who, "at": now} for page in fresh],
            )
    return len(fresh)


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


def require(pages: Sequence[int], seen: Collection[int]) -> None:
    """Refuse verdicts on what was not seen.

    Args:
        pages: The pages whose boxes get a new verdict.
        seen: Those that the juror saw.

    Raises:
        UnseenError: One of them is not among the seen.
    """
    unseen = len(set(pages) - set(seen))
    if unseen:
        raise UnseenError(
            ngettext(
                "{n} answer has not been on your screen yet; nothing was recorded.",
                "{n} answers have not been on your screen yet; nothing was recorded.",
                unseen,
            ).format(n=unseen),
            _("Look at every answer, the blank ones too, then confirm."),
        )
