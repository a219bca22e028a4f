"""What the answers that are left can still change: the order of work, and «the 32 are decided».

`scoring.effect` says what is certain; here it meets the event as it is now. A player counts as here when a
sheet of theirs was scanned or ruled on, as in the standings.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from otbor.errors import OtborError
from scanner.contracts import Outcome
from scoring.effect import Effect, GroupEffect, effect
from service import sheets
from service.decisions import in_force
from service.event import Event
from service.intake import PageState
from service.store import tables
from service.verdict_board import box_keys, kinds_of


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The effect of an event at one moment.

    `found` is None where the regulation and the decisions contradict each other, so that there are no
    standings either. `sheets` and `boxes` name the rows and columns of its tables.
    """

    found: Effect | None
    sheets: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[GroupEffect, ...]:
        """The categories or sites."""
        return self.found.groups if self.found else ()


_known: WeakKeyDictionary[Event, tuple[Any, EventEffect]] = WeakKeyDictionary()
_lock = Lock()


def current(event: Event) -> EventEffect:
    """The effect of the event as it is now; worked out anew only when something has changed."""
    with event.database.reading() as connection:
        if event.database.in_change:
            return _made(event, connection)
        version = _version(connection)
        with _lock:
            known = _known.get(event)
            if known is None or known[0] != version:
                known = (version, _made(event, connection))
                _known[event] = known
            return known[1]


def near_the_line(event: Event) -> dict[str, set[str]]:
    """Answers that are ruled on and would change who goes on if they alone were ruled otherwise.

    While answers are still open, those that would do so for some outcome of the open ones.

    Returns:
        For the name of a sheet the keys of such boxes; sheets without any are left out.
    """
    now = current(event)
    return {} if now.found is None else _named(now, now.found.near)


def waiting(event: Event) -> dict[str, set[str]]:
    """Answers that nobody has settled yet and on which it depends who goes on, as `near_the_line`."""
    now = current(event)
    return {} if now.found is None else _named(now, now.found.waiting)


def _named(now: EventEffect, table: NDArray[np.bool_]) -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for row, column in np.argwhere(table).tolist():
        named.setdefault(now.sheets[row], set()).add(now.boxes[column])
    return named


def _made(event: Event, connection: Connection) -> EventEffect:
    regulation = event.regulation()
    owned = sheets.player_sheets(event)
    kinds = kinds_of(event, connection, regulation, list(owned.values()))
    try:
        found = effect(event.players(), list(owned), kinds, regulation, in_force(event))
    except (OtborError, ValueError):
        # The standings say what is wrong; the jury's work goes on in the order of the key.
        return EventEffect(None)
    return EventEffect(found, tuple(owned.values()), box_keys(regulation))


def _version(connection: Connection) -> Any:
    """Something else whenever a ruling, an entry of the journal or a page that counts is new."""
    page = tables.page
    counting = page.c.outcome == Outcome.SHEET.value
    queries: tuple[Any, ...] = (
        select(func.max(tables.ruling.c.id)),
        select(func.max(tables.journal.c.id)),
        select(func.count(), func.sum(page.c.id), func.max(page.c.done_at)).where(counting),
        select(func.count()).where(page.c.state == PageState.DONE.value),
    )
    return tuple(tuple(connection.execute(query).one()) for query in queries)
