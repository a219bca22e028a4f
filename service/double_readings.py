"""The readings of every box under double reading, out of the log of votes and the ledger of rulings.

A ruling that two readings came to bears the batch of the vote that completed it (or took one back): by that
it is told from a ruling that somebody made alone. Under those joint rulings lies, maybe, one made alone: it
counts as its author's reading, unless it is a decision.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, select

from jury.boxes import BoxId
from jury.double import DoubleBox, Reading, Scope, Vote, readings
from scoring.model import Verdict
from service import journal, sheets
from service.event import Event
from service.journal import Kind
from service.rulings import FROM_FILE
from service.store.tables import blind_ruling, ruling

# What a wall or a file gives is a reading; a ruling from elsewhere is a decision.
_WALL = re.compile(r"t\d+r\d+")


@dataclass(frozen=True, slots=True)
class Setting:
    """What the journal says: the scope now, the boxes opened for a second look, and every former scope."""

    scope: Scope = Scope.NONE
    opened: frozenset[BoxId] = frozenset()
    since: tuple[tuple[float, Scope], ...] = ()

    def at(self, moment: float) -> Scope:
        """The scope at a moment, UTC seconds."""
        index = bisect_right(self.since, moment, key=lambda entry: entry[0])
        return self.since[index - 1][1] if index else Scope.NONE


def setting(event: Event) -> Setting:
    """The setting in force; asks for one number where double reading was never set."""
    with event.database.reading() as connection:
        if not any(event.newest(Kind.DOUBLE_READING)):
            return Setting()
        scope, opened, since = Scope.NONE, set[BoxId](), []
        for entry in journal.entries(connection, Kind.DOUBLE_READING):
            new = Scope(entry.payload["scope"])
            if new is not scope:
                scope, opened = new, set()
                since.append((entry.at, scope))
            for sheet, boxes in entry.payload.get("opened", {}).items():
                opened |= {(sheet, box) for box in boxes}
    return Setting(scope, frozenset(opened), tuple(since))


@dataclass(slots=True)
class Known:
    """Everything known of some boxes: their state, the votes, and the ledger's last word on each."""

    boxes: dict[BoxId, DoubleBox] = field(default_factory=dict)
    votes: dict[BoxId, list[Vote]] = field(default_factory=dict)
    last: dict[BoxId, Row] = field(default_factory=dict)
    """The last line of the ledger."""
    meant: dict[BoxId, Row] = field(default_factory=dict)
    """The ruling that the last line stands for: itself, or the one that it restores."""
    base: dict[BoxId, Row] = field(default_factory=dict)
    """The ruling that somebody made alone, under what two readings came to."""
    pages: Mapping[str, int] = field(default_factory=dict)

    def of(self, box: BoxId, scope: Scope) -> DoubleBox:
        """The state of a box; of one that nobody has ruled on yet, nothing."""
        return self.boxes.get(box) or DoubleBox(under=scope is Scope.ALL)


def known(event: Event, box: str | None = None, now: Setting | None = None) -> Known:
    """What is known of a box of every sheet, or of all boxes; only those with a vote or ruling are there."""
    with event.database.reading() as connection:
        now = now or setting(event)
        found = Known(pages=sheets.counting_pages(connection), votes=_votes(connection, box))
        by_id, last = _ledger(connection, box)
    for where in {*last, *found.votes}:
        base = None
        if where in last:
            found.last[where] = last[where]
            found.meant[where] = _meant(last[where], by_id)
            ours = {vote.batch for vote in found.votes.get(where, ())}
            base = _alone(last[where], by_id, ours)
        if base is not None:
            found.base[where] = base
        found.boxes[where] = _state(where, found, base, by_id, now)
    return found


def _state(
    where: BoxId, found: Known, base: Row | None, by_id: Mapping[int, Row], now: Setting
) -> DoubleBox:
    alone = decided = None
    if base is not None:
        alone = Reading(base.who, Verdict(base.verdict), base.at, base.batch, base.why, False)
        decided = _is_decision(base, by_id, now)
    page = found.pages.get(where[0], 0)
    given = readings(found.votes.get(where, ()), page, None if decided else alone)
    said = found.last[where].verdict if where in found.last else None
    under = now.scope is Scope.ALL
    if now.scope is Scope.NEAR:
        # A dispute goes to the chief anyhow.
        second = where in now.opened and alone is not None and alone.verdict is not Verdict.DISPUTED
        under = second or any(reading.is_vote for reading in given.values())
    return DoubleBox(given, Verdict(said) if said else None, alone, bool(decided), under)


def _votes(connection: Connection, box: str | None) -> dict[BoxId, list[Vote]]:
    query = select(blind_ruling).order_by(blind_ruling.c.id)
    if box is not None:
        query = query.where(blind_ruling.c.box == box)
    votes: defaultdict[BoxId, list[Vote]] = defaultdict(list)
    for row in connection.execute(query):
        verdict = Verdict(row.verdict) if row.verdict else None
        votes[row.sheet, row.box].append(
            Vote(row.id, row.who, row.page_id, verdict, row.at, row.batch, row.why)
        )
    return dict(votes)


def _ledger(connection: Connection, box: str | None) -> tuple[dict[int, Row], dict[BoxId, Row]]:
    query = select(ruling).order_by(ruling.c.id)
    if box is not None:
        query = query.where(ruling.c.box == box)
    by_id: dict[int, Row] = {}
    last: dict[BoxId, Row] = {}
    for row in connection.execute(query):
        by_id[row.id] = row
        last[row.sheet, row.box] = row
    return by_id, last


def _meant(row: Row, by_id: Mapping[int, Row]) -> Row:
    return by_id[row.restores] if row.restores else row


def _alone(last: Row, by_id: Mapping[int, Row], ours: set[str]) -> Row | None:
    """The ruling under the joint ones; None if there is none or it was withdrawn."""
    at: Row | None = last
    while at is not None:
        ruled = _meant(at, by_id)
        if ruled.batch not in ours:
            return ruled if ruled.verdict else None
        at = by_id.get(ruled.supersedes) if ruled.supersedes else None
    return None


def _is_decision(base: Row, by_id: Mapping[int, Row], now: Setting) -> bool:
    """True for what the chief decided.

    While all boxes are read twice nothing but a decision is ruled alone; otherwise it is one that comes
    from no wall and no file, or that settles somebody else's dispute.
    """
    if now.at(base.at) is Scope.ALL:
        return True
    if base.origin not in (FROM_FILE, base.box) and not _WALL.fullmatch(base.origin):
        return True
    before: Any = by_id.get(base.supersedes)
    if before is None:
        return False
    before = _meant(before, by_id)
    return bool(before.verdict == Verdict.DISPUTED.value and before.who != base.who)
