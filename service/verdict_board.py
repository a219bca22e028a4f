"""All verdicts that hold, as one table, kept up to date by reading only the rulings that are new.

The ledger only grows and its numbers rise, so what a newer entry says replaces what stood there. Who is in
and who is out is asked for after every confirmation; reading the whole ledger each time would take longer
than everything else together.
"""

from __future__ import annotations

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

    def of(self, sheets: list[str]) -> NDArray[np.int8]:
        """What was ruled on these sheets, shape (sheets, boxes), in the codes of `scoring.totals`; a copy."""
        found = np.full((len(sheets), len(self.boxes)), OPEN, dtype=np.int8)
        known = [(at, self.rows[sheet]) for at, sheet in enumerate(sheets) if sheet in self.rows]
        if known:
            here, there = np.array(known).T
            found[here] = self.kinds[there]
        return found

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


def kinds_of(
    event: Event, connection: Connection, regulation: Regulation, sheets: list[str]
) -> NDArray[np.int8]:
    """What holds now on these sheets, shape (sheets, boxes), in the codes of `scoring.totals`.

    Args:
        event: Where.
        connection: One to its database.
        regulation: Which boxes there are.
        sheets: Names of sheets.
    """
    keys = box_keys(regulation)
    newest = int(connection.execute(select(func.max(ruling.c.id))).scalar() or 0)
    if event.database.in_change:
        # What is not committed may be rolled back, and its numbers given to other rulings.
        board = Board(keys)
        board.read(connection)
        return board.of(sheets)
    with _lock:
        board = _boards.get(event) or Board(keys)
        if board.boxes != keys or board.newest > newest:
            # Another regulation; or an older moment is asked about than the one that is kept.
            fresh = Board(keys)
            fresh.read(connection)
            if board.boxes != keys:
                _boards[event] = fresh
            return fresh.of(sheets)
        if board.newest < newest:
            board.read(connection)
        _boards[event] = board
        return board.of(sheets)
