"""What a decision changes, worked out before it is made: the very same way as when it is made.

The effect has a token. Whoever applies a decision hands in the token of the effect that they were shown; if
the effect is another one by now (somebody ruled, somebody else decided), nothing is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, func, select

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scoring.changes import Change, StandingsChanges, compare
from scoring.model import StandingRow, Standings
from scoring.quotas import NotAnnouncedError
from service.decision_log import Decision, Entry, entries_in, fold
from service.event import Event
from service.intake import PageState
from service.results import Inputs, inputs
from service.store import tables


@dataclass(frozen=True)
class Effect:
    """The standings with and without a change of the decisions.

    `standing` are the decisions in force before, `then` those in force after it.
    """

    before: Standings
    after: Standings
    standing: tuple[Entry, ...]
    then: tuple[Entry, ...]

    @cached_property
    def changes(self) -> StandingsChanges:
        """Who moves."""
        return compare(self.before, self.after)

    @cached_property
    def token(self) -> str:
        """Something else whenever the effect, the decision or those in force before are others."""
        told = {
            "standing": [entry.id for entry in self.standing],
            "then": [[entry.id, entry.kind.value, entry.data] for entry in self.then],
            "movers": [_told(change) for change in self.changes.players],
            "lines": [
                [
                    [part.category, part.cut.places, part.cut.sure, sorted(part.cut.tied)]
                    for part in standings.categories
                ]
                for standings in (self.before, self.after)
            ],
        }
        text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def newly_idle(self) -> list[Entry]:
        """Shoot-outs and lots that decide nothing after it and did before, or that are new themselves."""
        known = {entry.id for entry in idle(self.before, self.standing)}
        return [entry for entry in idle(self.after, self.then) if entry.id not in known]


def effect_of(given: Inputs, standing: Sequence[Entry], then: Sequence[Entry]) -> Effect:
    """The effect of having some decisions in force instead of others.

    Raises:
        NotFoundError: A decision names a player or question that does not exist.
        ConflictError: The regulation does not allow one.
    """
    try:
        before, problem = _standings(given, standing)
        after, left = _standings(given, then)
    except ValueError as error:
        raise NotFoundError(
            _("The decision names something that does not exist: {error}.").format(error=error),
            _("Check the numbers of the player and of the question."),
        ) from error
    # Out of decisions that contradict the regulation (since it was changed) one comes by taking them back.
    mends = problem is not None and len(then) < len(standing)
    if left is not None and not mends and not isinstance(left, NotAnnouncedError):
        raise left
    return Effect(before, after, tuple(standing), tuple(then))


def _standings(given: Inputs, standing: Sequence[Entry]) -> tuple[Standings, ConflictError | None]:
    """The standings with these decisions; without categories if there can be none, and why."""
    try:
        return given.standings(fold(standing)), None
    except ConflictError as problem:
        return Standings(given.title, given.regulation), problem


def idle(standings: Standings, standing: Sequence[Entry]) -> list[Entry]:
    """The shoot-outs and lots in force that decide nothing: no tie is left that they fit.

    Args:
        standings: Made with these decisions.
        standing: The decisions in force, oldest first.
    """
    shoot_outs = [entry for entry in standing if entry.kind is Decision.SHOOT_OUT]
    lots = [entry for entry in standing if entry.kind is Decision.LOT]
    found = [shoot_outs[at] for at in standings.idle_shoot_outs]
    found += [lots[at] for at in standings.idle_lots]
    return sorted(found, key=lambda entry: entry.id)


@dataclass(frozen=True)
class Now:
    """The decisions in force and the standings with them.

    `problem` is why there can be none, such as a number of places that is not announced yet: `standings` has
    no categories then. `given` is what the standings were made from.
    """

    given: Inputs
    standings: Standings
    standing: tuple[Entry, ...]
    problem: ConflictError | None

    @property
    def idle(self) -> list[Entry]:
        """The shoot-outs and lots that decide nothing."""
        return idle(self.standings, self.standing)


def now(event: Event) -> Now:
    """What holds at this moment."""
    with event.database.reading() as connection:
        standing = [entry for entry in entries_in(connection) if not entry.back]
        given = inputs(event)
        standings, problem = _standings(given, standing)
    return Now(given, standings, tuple(standing), problem)


def moment(connection: Connection) -> tuple[int, ...]:
    """Numbers of which one is another whenever anything has come that the standings may depend on."""
    pages = select(func.count()).where(tables.page.c.state == PageState.DONE.value)
    queries: tuple[Any, ...] = (
        select(func.max(tables.ruling.c.id)),
        select(func.max(tables.journal.c.id)),
        pages,
    )
    return tuple(int(connection.execute(query).scalar() or 0) for query in queries)


def _told(change: Change) -> list[Any]:
    return [change.number, change.category, _row(change.before), _row(change.after)]


def _row(row: StandingRow | None) -> list[Any] | None:
    if row is None:
        return None
    return [row.places, row.score, row.status.value, row.unconfirmed, row.exempt]
