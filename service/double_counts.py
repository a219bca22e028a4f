"""How far every question is for one person, while double reading is on.

What waits for somebody else's second reading is done for who gave the first one. How often two people differ
is counted only for those who decide it: others could tell from the number what the other one ruled. Only
questions that have changed are counted anew, as in `service.question_counts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, func, select

from jury.boxes import box_key
from jury.double import DoubleBox, Scope
from jury.progress import QuestionProgress
from scoring.model import Verdict
from service import answers, double_readings, sheets
from service.double_readings import Known, Setting, setting
from service.event import Event
from service.store.tables import blind_ruling, ruling

# So many changed questions are read in one go rather than one by one.
_MANY = 8


@dataclass(frozen=True, slots=True)
class _Cell:
    """What counting needs of a box; `secret`: that it is disputed is for those who decide alone."""

    readers: frozenset[str]
    settled: bool
    ruled: bool
    disputed: bool
    secret: bool


@dataclass(slots=True)
class _Question:
    """The boxes of one question that have a vote or a ruling, by sheet and counted."""

    cells: dict[str, _Cell] = field(default_factory=dict)
    groups: Counter[_Cell] = field(default_factory=Counter)


_Questions = dict[str, _Question]
_known: WeakKeyDictionary[Event, tuple[Any, dict[str, Any], _Questions]] = WeakKeyDictionary()
_lock = Lock()


def progress_for(
    event: Event, who: str | None, *, decides: bool = False, without: Collection[str] = ()
) -> list[QuestionProgress] | None:
    """How far every question is, in the order of the key; None if nothing is read twice.

    Args:
        event: Where.
        who: For whom: `unruled` are the boxes that wait for this person's reading. For nobody in particular
            if None: those without any ruling.
        decides: This person settles differences, so they are counted as disputed.
        without: Sheets that do not count.
    """
    now = setting(event)
    if now.scope is Scope.NONE:
        return None
    with event.database.reading():
        found = _questions(event, now)
        parts = answers.progress_of_all(event, without)
        boxes = [box_key(question.theme, question.row) for question in event.key().questions()]
    return [
        _counted(part, found.get(box, _Question()), who, decides, without)
        for part, box in zip(parts, boxes, strict=True)
    ]


def _counted(
    part: QuestionProgress,
    question: _Question,
    who: str | None,
    decides: bool,
    without: Collection[str],
) -> QuestionProgress:
    groups = question.groups
    if without:
        groups = groups - Counter(
            question.cells[sheet] for sheet in without if sheet in question.cells
        )
    ruled = disputed = second = 0
    for cell, boxes in groups.items():
        if not cell.settled and cell.readers:
            second += boxes
        done = cell.settled or (cell.ruled if who is None else who in cell.readers)
        if done and cell.disputed and (decides or not cell.secret):
            disputed += boxes
        elif done:
            ruled += boxes
    return replace(part, ruled=ruled, disputed=disputed, second=second)


def _questions(event: Event, now: Setting) -> _Questions:
    with event.database.reading() as connection:
        pages = sheets.counting_pages(connection)
        whole = (now, frozenset(pages.items()))
        newest = _newest(connection)
        with _lock:
            known = _known.get(event)
        if known is not None and known[0] == whole:
            changed = {box for box, version in newest.items() if known[1].get(box) != version}
            found = known[2]
        else:
            changed, found = set(newest), {}
        if changed:
            found = found | _read(event, changed, pages, now)
    # What is not committed yet may be rolled back, and its numbers given to others.
    if changed and not event.database.in_change:
        with _lock:
            _known[event] = (whole, newest, found)
    return found


def _newest(connection: Connection) -> dict[str, Any]:
    """For every box the numbers of the newest ruling and vote on it."""
    versions: dict[str, dict[str, int]] = {}
    for table in (ruling, blind_ruling):
        query = select(table.c.box, func.max(table.c.id).label("id")).group_by(table.c.box)
        for row in connection.execute(query):
            versions.setdefault(row.box, {})[table.name] = row.id
    return dict(versions)


def _read(event: Event, boxes: set[str], pages: Mapping[str, int], now: Setting) -> _Questions:
    if len(boxes) > _MANY:
        every = double_readings.known(event, now=now)
        return {box: _question(every, box, pages) for box in boxes}
    return {box: _question(double_readings.known(event, box, now), box, pages) for box in boxes}


def _question(known: Known, box: str, pages: Mapping[str, int]) -> _Question:
    cells = {
        sheet: _cell(state)
        for (sheet, key), state in known.boxes.items()
        if key == box and sheet in pages
    }
    return _Question(cells, Counter(cells.values()))


def _cell(state: DoubleBox) -> _Cell:
    disputed = state.ruling is Verdict.DISPUTED
    secret = state.under and not state.decided
    readers = frozenset() if state.settled else frozenset(state.readings)
    return _Cell(readers, state.settled, state.ruling is not None, disputed, secret)
