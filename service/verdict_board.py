"""All verdicts that hold, as one table, kept up to date by reading only the rulings that are new.

The ledger only grows and its numbers rise, so what a newer entry says replaces what stood there. Who is in
and who is out is asked for after every confirmation; reading the whole ledger each time would take longer
than everything else together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from jury.boxes import box_key
from scoring.model import Regulation, Verdict
from scoring.totals import BLANK, OPEN, RIGHT, WRONG
from service.event import Event
from service.store.tables import ruling

# What the jury left to the chief is as open as what nobody has looked at.
_KINDS = {Verdict.RIGHT.value: RIGHT, Verdict.WRONG.value: WRONG, Verdict.BLANK.value: BLANK}
_FEW_SHEETS = 64


@dataclass(slots=True)
class Board:
    """The verdicts on the sheets of an event.

    `boxes` are the keys of the boxes in the order of the columns of `kinds`; `rows` says where the boxes of a
    sheet are. Sheets on which nobody ever ruled have none. `newest` is the last ruling in it.
    """

    boxes: tuple[str, ...]
    newest: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    kinds: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = np.full((_FEW_SHEETS, len(self.boxes)), OPEN, dtype=np.int8)

    def of(self, sheets: Sequence[str]) -> NDArray[np.int8]:
        """What was ruled on these sheets, shape (sheets, boxes), in the codes of `scoring.totals`; a copy."""
        found = np.full((len(sheets), len(self.boxes)), OPEN, dtype=np.int8)
        known = [(at, self.rows[sheet]) for at, sheet in enumerate(sheets) if sheet in self.rows]
        if known:
            here, there = np.array(known).T
            found[here] = self.kinds[there]
        return found

    def copy(self) -> Board:
        """The same, to be changed apart."""
        made = Board(self.boxes, self.newest, dict(self.rows))
        made.kinds = self.kinds.copy()
        return made

    def _row(self, sheet: str) -> int:
        row = self.rows.setdefault(sheet, len(self.rows))
        if row == len(self.kinds):
            more = np.full_like(self.kinds, OPEN)
            self.kinds = np.concatenate([self.kinds, more])
        return row

    def read(self, connection: Connection) -> None:
        """Take in the rulings that are newer than those in it."""
        columns = {box: column for column, box in enumerate(self.boxes)}
        query = (
            select(ruling.c.id, ruling.c.sheet, ruling.c.box, ruling.c.verdict)
            .where(ruling.c.id > self.newest)
            .order_by(ruling.c.id)
        )
        for id_, sheet, box, verdict in connection.execute(query):
            row, column = self._row(sheet), columns.get(box)
            if column is not None:  # a final question is no part of the written round
                self.kinds[row, column] = _KINDS.get(verdict, OPEN)
            self.newest = id_


_boards: WeakKeyDictionary[Event, Board] = WeakKeyDictionary()
_lock = Lock()


def box_keys(regulation: Regulation) -> tuple[str, ...]:
    """The keys of the boxes of the written round, theme by theme and row by row."""
    rows = range(1, len(regulation.nominals) + 1)
    return tuple(box_key(theme, row) for theme in range(1, regulation.themes + 1) for row in rows)


def board_of(event: Event, connection: Connection, regulation: Regulation) -> Board:
    """What holds now; the caller's own, which nobody changes any more.

    Args:
        event: Where.
        connection: One to its database.
        regulation: Which boxes there are.
    """
    keys = box_keys(regulation)
    newest = int(connection.execute(select(func.max(ruling.c.id))).scalar() or 0)
    with _lock:
        known = _boards.get(event)
        # Another regulation; or an older moment is asked about than the one that is kept.
        usable = known is not None and known.boxes == keys and known.newest <= newest
        board = known.copy() if known is not None and usable else Board(keys)
    if board.newest < newest:
        board.read(connection)
        # What is not committed may be rolled back, and its numbers given to other rulings.
        if not event.database.in_change:
            with _lock:
                _boards[event] = board.copy()
    return board
