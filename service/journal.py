"""The journal: everything people entered except rulings, append-only, folded into the present state."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, func, insert, select

from service.store.tables import journal


class Kind(StrEnum):
    """What an entry is about. Of the first kinds the newest entry counts; the others add up."""

    EVENT = "event"
    ROSTER = "roster"
    KEY = "key"
    REGULATION = "regulation"
    GEOMETRY = "geometry"
    SPARES = "spares"
    ASSIGN_PLAYER = "assign_player"  # a spare sheet belongs to a player
    ASSIGN_PAGE = "assign_page"  # a page without a readable code is this sheet
    CHOOSE_PAGE = "choose_page"  # of two scans of a sheet this one counts
    MANUAL_PAGE = "manual_page"  # how a page lies: its turn or its corners; see service.desk
    SET_ASIDE = "set_aside"  # a page waits for nobody, or does again
    DECISION = "decision"  # see service.decisions
    DECISION_BACK = "decision_back"
    PUBLICATION = "publication"  # see service.publications
    WITHDRAWAL = "withdrawal"
    BOUTS = "bouts"  # see service.bouts
    FINAL = "final"  # see service.finals
    APPEAL = "appeal"  # see service.appeals
    APPEAL_DECISION = "appeal_decision"
    DOUBLE_READING = "double_reading"  # see service.double
    SHEETS_IN = "sheets_in"  # whether all sheets are here; see service.effect
    ACCOUNT = "account"  # what was done with an account; see service.account_log
    KEPT_FROM = "kept_from"  # players whom a juror does not judge; see service.kept_from


_LENGTH = select(func.max(journal.c.id))


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    id: int
    at: float
    who: str
    kind: Kind
    payload: Any
    why: str


def append(connection: Connection, who: str, kind: Kind, payload: Any, why: str = "") -> None:
    """Add an entry.

    Args:
        connection: One from `Database.writing()`.
        who: The person's name, or `otbor` for what the command line did.
        kind: What it is about.
        payload: Anything JSON can hold.
        why: A remark.
    """
    connection.execute(
        insert(journal).values(at=time.time(), who=who, kind=kind.value, payload=payload, why=why)
    )


def latest(connection: Connection, kind: Kind) -> Any | None:
    """The payload of the newest entry of a kind, None if there is none."""
    row = connection.execute(
        select(journal.c.payload)
        .where(journal.c.kind == kind.value)
        .order_by(journal.c.id.desc())
        .limit(1)
    ).first()
    return None if row is None else row[0]


def length(connection: Connection) -> int:
    """The id of the newest entry of all, 0 if there is none."""
    return int(connection.execute(_LENGTH).scalar() or 0)


def newest(connection: Connection, kind: Kind) -> int:
    """The id of the newest entry of a kind, 0 if there is none."""
    query = select(func.max(journal.c.id)).where(journal.c.kind == kind.value)
    return int(connection.execute(query).scalar() or 0)


def entries(connection: Connection, *kinds: Kind) -> list[Entry]:
    """All entries of some kinds (all kinds if none is named), oldest first."""
    query = select(journal).order_by(journal.c.id)
    if kinds:
        query = query.where(journal.c.kind.in_([kind.value for kind in kinds]))
    return [
        Entry(row.id, row.at, row.who, Kind(row.kind), row.payload, row.why)
        for row in connection.execute(query)
    ]
