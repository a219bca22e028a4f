"""The last ruling on every box of a question, kept in memory: only lines that are new are read.

The ledger only grows and its numbers rise. A wall is opened, confirmed and opened again with hundreds of
rulings on it, of which none or one is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Select, select

from jury import ledger
from scoring.model import Verdict
from service import versions
from service.event import Event
from service.store.tables import ruling

# SQLite takes at most 32,766 values in one statement, PostgreSQL 65,535.
CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Last:
    """The last line of the ledger on a box, and what it stands for: itself, or the ruling it restores."""

    line: ledger.Ruling
    meant: ledger.Ruling

    @property
    def verdict(self) -> Verdict | None:
        """What is ruled now; None if it was withdrawn."""
        return self.line.verdict


Lasts = Mapping[str, Last]
"""By the name of the sheet; the same object as long as nobody rules on the question."""

_known: WeakKeyDictionary[Event, dict[str, tuple[int, Lasts]]] = WeakKeyDictionary()
_lock = Lock()


def of_box(event: Event, box: str) -> Lasts:
    """The last ruling on a box of every sheet that was ever ruled on, withdrawn ones too."""
    with event.database.reading() as connection:
        newest = versions.current(event).ruling
        with _lock:
            known = _known.setdefault(event, {}).get(box)
        # An older moment than the one that is known is read by itself.
        at, before = known if known is not None and known[0] <= newest else (0, {})
        if known is not None and at == newest:
            return before
        found = _read_on(connection, box, at, before)
    # What is not committed yet may be rolled back, and its numbers given to other rulings.
    if not event.database.in_change:
        with _lock:
            if newest > _known[event].get(box, (-1,))[0]:
                _known[event][box] = (newest, found)
    return found


def _read_on(connection: Connection, box: str, at: int, before: Lasts) -> Lasts:
    lines = read(connection, select(ruling).where(ruling.c.box == box, ruling.c.id > at))
    if not lines:
        return before
    restored = [line.restores for line in lines if line.restores is not None]
    by_id = {line.id: line for line in lines}
    for start in range(0, len(restored), CHUNK):
        some = select(ruling).where(ruling.c.id.in_(restored[start : start + CHUNK]))
        by_id |= {line.id: line for line in read(connection, some)}
    return {**before, **{line.sheet: Last(line, by_id[line.restores or line.id]) for line in lines}}


def read(connection: Connection, query: Select[Any]) -> list[ledger.Ruling]:
    """Lines of the ledger, oldest first; the query selects whole rows of it."""
    return [
        ledger.Ruling(
            id=id_,
            sheet=sheet,
            box=box,
            verdict=_VERDICTS[verdict],
            by=who,
            at=datetime.fromtimestamp(at, UTC),
            batch=batch,
            supersedes=supersedes,
            restores=restores,
            undoes=undoes,
            why=why,
        )
        for (
            id_,
            batch,
            at,
            who,
            sheet,
            box,
            verdict,
            supersedes,
            why,
            _origin,
            restores,
            undoes,
        ) in connection.execute(query.order_by(ruling.c.id))
    ]


_VERDICTS: dict[str | None, Verdict | None] = {
    None: None,
    **{verdict.value: verdict for verdict in Verdict},
}
