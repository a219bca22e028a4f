"""How far every question is, counted by the database, and only the questions that have changed.

After every confirmation the juror is told what is left of the whole event. Counting 12,000 boxes with their
rulings takes 20 ms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, func, select

from scanner.contracts import Ink, Outcome
from scoring.model import Verdict
from service import versions
from service.event import Event
from service.store import tables

Counts = dict[str, Counter[str]]
"""Box key → how many boxes are `written`, `blank`, `ruled`, `disputed`."""

_known: WeakKeyDictionary[Event, tuple[Any, int, Counts]] = WeakKeyDictionary()
_lock = Lock()


def counts_of(event: Event) -> Counts:
    """The counts of every box on the sheets that count; a box of which there is none is left out."""
    with event.database.reading() as connection:
        paper, newest = versions.paper(event), versions.current(event).ruling
        with _lock:
            known = _known.get(event)
        # An older moment than the one that is known is counted by itself.
        if known is not None and known[0] == paper and known[1] <= newest:
            changed = _ruled_since(connection, known[1]) if known[1] < newest else set()
            if not changed:
                return known[2]
            counts = known[2] | _counted(connection, changed)
        else:
            counts = _counted(connection, None)
    # What is not committed yet may be rolled back, and its numbers given to other rulings.
    if not event.database.in_change:
        with _lock:
            _known[event] = (paper, newest, counts)
    return counts


def counts_on(event: Event, sheets: Collection[str]) -> Counts:
    """The counts of every box on some of the sheets that count; of which there is none is left out."""
    with event.database.reading() as connection:
        return _counted(connection, None, sheets)


def _ruled_since(connection: Connection, known: int) -> set[str]:
    query = select(tables.ruling.c.box).where(tables.ruling.c.id > known).distinct()
    return set(connection.execute(query).scalars())


def _counted(
    connection: Connection, boxes: set[str] | None, sheets: Collection[str] | None = None
) -> Counts:
    """Count some boxes on some sheets, all if None."""
    page, box, ruling = tables.page, tables.box, tables.ruling
    last = select(ruling.c.sheet, ruling.c.box, func.max(ruling.c.id).label("id")).group_by(
        ruling.c.sheet, ruling.c.box
    )
    if boxes is not None:
        last = last.where(ruling.c.box.in_(boxes))
    if sheets is not None:
        last = last.where(ruling.c.sheet.in_(sheets))
    newest = last.subquery()
    query = (
        select(box.c.key, box.c.ink, ruling.c.verdict, func.count().label("boxes"))
        .select_from(box.join(page))
        .outerjoin(newest, (newest.c.sheet == page.c.sheet) & (newest.c.box == box.c.key))
        .outerjoin(ruling, ruling.c.id == newest.c.id)
        .where(page.c.outcome == Outcome.SHEET.value)
        .group_by(box.c.key, box.c.ink, ruling.c.verdict)
    )
    if boxes is not None:
        query = query.where(box.c.key.in_(boxes))
    if sheets is not None:
        query = query.where(page.c.sheet.in_(sheets))
    counts: Counts = {}
    for row in connection.execute(query):
        count = counts.setdefault(row.key, Counter())
        count["written" if row.ink == Ink.WRITTEN.value else "blank"] += row.boxes
        if row.verdict is not None:
            disputed = row.verdict == Verdict.DISPUTED.value
            count["disputed" if disputed else "ruled"] += row.boxes
    return counts
