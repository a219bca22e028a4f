"""Which answers to one question say the same thing: `jury.grouping`, asked of the traces of the event.

Asking a picture whether it says a text takes a quarter of a millisecond, and a wall of 300 sheets asks a
thousand times, so what was asked once is kept in memory: a late sheet asks only for its own pairs.
`service.grouping_ahead` asks for every wall before a juror opens it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from jury.boxes import BoxId
from jury.grouping import Read, group
from jury.suggestion import RIGHT_FROM
from scanner.contracts import Ink
from scanner.readers import verification
from service.event import Event
from service.store import tables

# Pairs and walls that are remembered: some 40 MB at most.
MOST_PAIRS, MOST_WALLS = 200_000, 500


@dataclass(frozen=True, slots=True)
class Written:
    """What grouping needs of one written answer; `explained` if a form of the key fits it."""

    id: BoxId
    page_id: int
    text: str
    confidence: float
    explained: bool


class _Remembered:
    """Answers to what was asked, the oldest forgotten first; safe between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[object, object] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: object) -> object | None:
        with self._lock:
            return self._known.get(key)

    def put(self, key: object, value: object) -> None:
        with self._lock:
            self._known[key] = value
            while len(self._known) > self._most:
                self._known.popitem(last=False)


_pairs, _walls = _Remembered(MOST_PAIRS), _Remembered(MOST_WALLS)


def groups_of(event: Event, box: str, answers: Collection[Written]) -> dict[BoxId, int]:
    """The groups of the answers to one question that no form of the key explains.

    Args:
        event: Where the traces are.
        box: The question's box on every sheet.
        answers: All written answers to it.

    Returns:
        Box → number of its group; unread answers are left out.
    """
    asking = sorted((a for a in answers if not a.explained and a.text), key=lambda a: a.page_id)
    if len(asking) < 2:
        return {}
    seen = (event.database.url, box, tuple((a.page_id, a.text, a.id) for a in asking))
    known = _walls.get(seen)
    if known is None:
        known = _grouped(event, box, asking)
        _walls.put(seen, known)
    assert isinstance(known, dict)
    return known


def _grouped(event: Event, box: str, asking: Sequence[Written]) -> dict[BoxId, int]:
    pages = {answer.id: answer.page_id for answer in asking}
    traces = _traces(event, box, set(pages.values()))

    def asked(questions: Sequence[tuple[BoxId, str]]) -> list[float]:
        keys = [(event.database.url, box, pages[id_], text) for id_, text in questions]
        found = [_pairs.get(key) for key in keys]
        new = [at for at, value in enumerate(found) if value is None]
        values = verification.probabilities(
            [(traces.get(pages[questions[at][0]], b""), questions[at][1]) for at in new]
        )
        for at, value in zip(new, values, strict=True):
            found[at] = value
            _pairs.put(keys[at], value)
        return [value if isinstance(value, float) else 0.0 for value in found]

    return group([Read(a.id, a.text, a.confidence) for a in asking], asked)


def _traces(event: Event, box: str, pages: set[int]) -> dict[int, bytes]:
    table = tables.trace
    query = select(table.c.page_id, table.c.data).where(table.c.key == box)
    with event.database.reading() as connection:
        return {row.page_id: row.data for row in connection.execute(query) if row.page_id in pages}


def explained(ink: Ink, probability: float, form: str | None) -> bool:
    """True if a form of the key fits an answer, or there is nothing to explain."""
    return ink is not Ink.WRITTEN or (form is not None and probability >= RIGHT_FROM)
