"""What the answers that are left can still change: the order of work, and «the 32 are decided».

`scoring.effect` says what is certain; here it meets the event as it is now. A player counts as here when a
sheet of theirs was scanned or ruled on, as in the standings. All others are absent; whether they will stay so
nobody can know but the organizer. So what is decided is decided of the sheets that are here, unless nobody's
sheet is missing, none of those missing could change it, or the organizer has said that all sheets are in.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from otbor.errors import ConflictError, OtborError
from otbor.i18n import gettext as _
from scanner.contracts import Outcome
from scoring.decisions import Decisions
from scoring.effect import Effect, GroupEffect, effect
from scoring.model import Player, Regulation
from service import journal, sheets, versions
from service.decisions import in_force
from service.event import Event
from service.intake import PageState
from service.journal import Kind
from service.store import tables
from service.verdict_board import board_of, box_keys


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The effect of an event at one moment.

    `found` is None where the regulation and the decisions contradict each other, so that there are no
    standings either. `sheets` and `boxes` name the rows and columns of its tables. `unsettled` is how many
    pages wait to be read, for a person to say whose they are, or for a player; `all_in`: the organizer has
    said that all sheets are in.
    """

    found: Effect | None
    groups: tuple[GroupEffect, ...] = ()
    sheets: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    unsettled: int = 0
    all_in: bool = False

    def weights(self) -> dict[str, int]:
        """For each box how many points its open answers leave open for players who are open themselves."""
        if self.found is None:
            return {}
        counts = self.found.waiting.sum(axis=0) * self.found.swing
        return dict(zip(self.boxes, counts.tolist(), strict=True))

    def answers(self) -> dict[str, int]:
        """For each box how many open answers to it matter for who goes on."""
        if self.found is None:
            return {}
        return dict(zip(self.boxes, self.found.waiting.sum(axis=0).tolist(), strict=True))

    def waiting_of(self, number: int) -> int:
        """How many open answers of a player matter for who goes on."""
        if self.found is None or number not in self.found.numbers:
            return 0
        return int(self.found.waiting[self.found.numbers.index(number)].sum())


_known: WeakKeyDictionary[Event, tuple[Any, EventEffect]] = WeakKeyDictionary()
_grounds: WeakKeyDictionary[Event, _Ground] = WeakKeyDictionary()
_lock = Lock()


def current(event: Event) -> EventEffect:
    """The effect of the event as it is now; worked out anew only when something has changed."""
    with event.database.reading() as connection:
        now = versions.current(event)
        # Not the votes of a double reading: they change nothing before they are rulings.
        version = (now.ruling, now.journal, now.pages)
        # One thread works it out, the others wait for it: they would all do the same.
        with _lock:
            known = _known.get(event)
            if known is None or known[0] != version:
                known = (version, _made(event, connection, version))
                # What is not committed may be rolled back, and its numbers given to other rulings.
                if not event.database.in_change:
                    _known[event] = known
            return known[1]


def latest(event: Event) -> EventEffect:
    """The effect as it was worked out last, for the order of work: what was so a moment ago does there.

    Every wall that is opened and every count that is sent out works it out anew.
    """
    with _lock:
        known = _known.get(event)
    return current(event) if known is None else known[1]


def near_the_line(event: Event) -> dict[str, set[str]]:
    """Answers that are ruled on and would change who goes on if they alone were ruled otherwise.

    Exactly those, once all is ruled. While answers are still open, those that would do so for some outcome of
    the open ones; where ties across the line are decided by what was played or compared, some more.

    Returns:
        For the name of a sheet the keys of such boxes; sheets without any are left out.
    """
    now = current(event)
    return {} if now.found is None else _named(now, now.found.near)


def waiting(event: Event) -> dict[str, set[str]]:
    """Answers that nobody has settled yet and on which it depends who goes on, as `near_the_line`."""
    now = current(event)
    return {} if now.found is None else _named(now, now.found.waiting)


def on_wall(event: Event, box: str) -> set[str]:
    """The sheets whose answer in this box matters for who goes on, be it open or ruled on."""
    now = current(event)
    if now.found is None or box not in now.boxes:
        return set()
    column = now.boxes.index(box)
    rows = np.flatnonzero(now.found.waiting[:, column] | now.found.near[:, column])
    return {now.sheets[row] for row in rows.tolist()}


def say_all_in(event: Event, all_in: bool, *, who: str, why: str = "") -> None:
    """Record that all sheets are in, or that some may still come.

    Raises:
        ConflictError: This is how it is already.
    """
    with event.database.writing() as connection:
        if _all_in(connection) == all_in:
            raise ConflictError(
                _("This has been said already."),
                _("“otbor effect EVENT” shows how it stands."),
            )
        journal.append(connection, who, Kind.SHEETS_IN, {"all": all_in}, why)


def _all_in(connection: Connection) -> bool:
    payload = journal.latest(connection, Kind.SHEETS_IN)
    return payload is not None and bool(payload["all"])


def _named(now: EventEffect, table: NDArray[np.bool_]) -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for row, column in np.argwhere(table).tolist():
        named.setdefault(now.sheets[row], set()).add(now.boxes[column])
    return named


@dataclass(frozen=True, slots=True)
class _Ground:
    """All but the verdicts: it seldom changes while the jury works."""

    mark: Any
    regulation: Regulation
    decisions: Decisions
    players: list[Player]
    owned: dict[int, str]
    unsettled: int
    all_in: bool


def _made(event: Event, connection: Connection, version: Any) -> EventEffect:
    _ruling, *papers = version
    ground = _grounds.get(event)
    board = board_of(event, connection, ground.regulation if ground else event.regulation())
    # A first ruling on a sheet makes its player present, too.
    mark = (*papers, len(board.rows))
    if ground is None or ground.mark != mark:
        ground = _ground(event, connection, mark)
        if not event.database.in_change:
            _grounds[event] = ground
        if box_keys(ground.regulation) != board.boxes:
            board = board_of(event, connection, ground.regulation)
    owned = tuple(ground.owned.values())
    kinds = board.of(owned)
    try:
        found = _effect(ground, kinds)
        groups = _with_late(ground, kinds, found)
    except (OtborError, ValueError):
        # The standings say what is wrong; the jury's work goes on in the order of the key.
        return EventEffect(None, unsettled=ground.unsettled, all_in=ground.all_in)
    return EventEffect(found, groups, owned, board.boxes, ground.unsettled, ground.all_in)


def _ground(event: Event, connection: Connection, mark: Any) -> _Ground:
    return _Ground(
        mark,
        event.regulation(),
        in_force(event),
        event.players(),
        sheets.player_sheets(event),
        _unsettled(event, connection),
        _all_in(connection),
    )


def _effect(ground: _Ground, kinds: NDArray[np.int8], late: Collection[int] = ()) -> Effect:
    numbers = list(ground.owned)
    return effect(ground.players, numbers, kinds, ground.regulation, ground.decisions, late=late)


def _with_late(ground: _Ground, kinds: NDArray[np.int8], found: Effect) -> tuple[GroupEffect, ...]:
    """The groups, with it said of each whether a sheet that comes late could still change it."""
    sure = ground.all_in and not ground.unsettled
    asked = [group for group in found.groups if group.up_to_a_tie and group.missing and not sure]
    late: dict[str, GroupEffect] = {}
    if asked:
        absent = {player.number for player in ground.players} - ground.owned.keys()
        late = {group.group: group for group in _effect(ground, kinds, absent).groups}
    return tuple(
        replace(group, final=(late[group.group] if group in asked else group).up_to_a_tie)
        for group in found.groups
    )


def _unsettled(event: Event, connection: Connection) -> int:
    """Pages of which nobody knows yet whose they are, and spare sheets that are nobody's."""
    page = tables.page
    unread = page.c.state != PageState.DONE.value
    unknown = (page.c.outcome == Outcome.UNKNOWN.value) & ~page.c.aside
    query = select(func.count()).where(unread | unknown)
    return int(connection.execute(query).scalar() or 0) + len(sheets.orphans(event))
