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

from jury.boxes import BoxId
from jury.grouping import Read, group
from jury.suggestion import RIGHT_FROM
from scanner.contracts import Ink
from scanner.readers import verification
from service.event import Event
from service.verification import traces as traces_of

# Some 40 MB at most.
MOST_PAIRS = 200_000


@dataclass(frozen=True, slots=True)
class Written:
    """What grouping needs of one written answer; `explained` if a form of the key fits it."""

    id: BoxId
    page_id: int
    text: str
    confidence: float
    explained: bool


class _Pairs:
    """The answers of pictures to texts, the oldest forgotten first; safe between threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[object, float] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, pair: object) -> float | None:
        with self._lock:
            return self._known.get(pair)

    def put(self, pair: object, probability: float) -> None:
        with self._lock:
            self._known[pair] = probability
            while len(self._known) > MOST_PAIRS:
                self._known.popitem(last=False)


_pairs = _Pairs()


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
    pages = {answer.id: answer.page_id for answer in asking}
    traces = traces_of(event.database, {(page, box) for page in pages.values()})

    def asked(questions: Sequence[tuple[BoxId, str]]) -> list[float]:
        keys = [(event.database.url, box, pages[id_], text) for id_, text in questions]
        found = [_pairs.get(key) for key in keys]
        new = [at for at, value in enumerate(found) if value is None]
        values = verification.probabilities(
            [(traces.get((pages[questions[at][0]], box), b""), questions[at][1]) for at in new]
        )
        for at, value in zip(new, values, strict=True):
            found[at] = value
            _pairs.put(keys[at], value)
        return [value or 0.0 for value in found]

    return group([Read(a.id, a.text, a.confidence) for a in asking], asked)


def explained(ink: Ink, probability: float, form: str | None) -> bool:
    """True if a form of the key fits an answer, or there is nothing to explain."""
    return ink is not Ink.WRITTEN or (form is not None and probability >= RIGHT_FROM)
