"""The walls as they are now, kept ready: what is on paper, and over it what is ruled.

A wall is opened, confirmed, opened again, by the next juror too. What is on paper (answers, suggestions,
groups, their order) is made anew when the pages or the key are others, which is seldom; the rulings are laid
over it when there are new ones on that question. Asking whether it is so takes one statement
(`service.versions`).
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from jury.boxes import BoxId, box_key
from jury.wall import Wall, WallEntry, build_wall
from scanner.contracts import Ink
from scoring.model import Question, Verdict
from service import answers, last_rulings, likeness, versions
from service.answers import Answer
from service.event import Event
from service.journal import Kind
from service.last_rulings import Lasts
from service.likeness import Written

# Answers on the walls that are kept, some 2 kB each: all of 1,500 sheets.
MOST_ANSWERS = 60_000


@dataclass(frozen=True, eq=False)
class Paper:
    """A wall on which nothing is ruled, and the answers on it by box; `ruling` is None in all of them."""

    wall: Wall
    answers: Mapping[BoxId, Answer]


@dataclass(frozen=True, eq=False)
class RuledWall:
    """A wall with what is ruled on it, and why what is disputed is so."""

    paper: Paper
    wall: Wall
    disputes: Mapping[BoxId, str]

    @cached_property
    def seen(self) -> str:
        """Equal for two moments if the scans, readings, order and rulings on the wall were the same."""
        told = [
            [self._told(entry) for entry in part] for part in (self.wall.written, self.wall.blanks)
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def _told(self, entry: WallEntry) -> tuple[str | int | None, ...]:
        page = self.paper.answers[entry.id].page_id
        why = self.disputes.get(entry.id, "")
        return (entry.sheet, page, entry.ink, entry.text, entry.ruling, why)


@dataclass(slots=True)
class _Kept:
    version: Any
    paper: Paper
    ruled: tuple[Lasts, RuledWall] | None = None


_Walls = OrderedDict[tuple[str, frozenset[str]], _Kept]
_known: WeakKeyDictionary[Event, _Walls] = WeakKeyDictionary()
_lock = Lock()


def wall_of(event: Event, question: Question, without: Collection[str] = ()) -> RuledWall:
    """The wall of a question with the rulings that hold.

    Args:
        event: Where.
        question: Which wall.
        without: Sheets that are left out, as if they were not there; see `service.kept_from`.
    """
    box = box_key(question.theme, question.row)
    with event.database.reading():
        kept = _kept(event, question, frozenset(without))
        lasts = last_rulings.of_box(event, box)
    before = kept.ruled
    if before is not None and before[0] is lasts:
        return before[1]
    ruled = {(sheet, box): last.verdict for sheet, last in lasts.items() if last.verdict}
    why = {(sheet, box): last.meant.why for sheet, last in lasts.items()}
    made = lay_over(kept.paper, ruled, why, before[1] if before else None)
    if not event.database.in_change:
        kept.ruled = (lasts, made)
    return made


def paper_of(event: Event, question: Question, without: Collection[str] = ()) -> Paper:
    """The wall of a question as if nothing were ruled on it; arguments as for `wall_of`."""
    return _kept(event, question, frozenset(without)).paper


def lay_over(
    paper: Paper,
    ruled: Mapping[BoxId, Verdict],
    why: Mapping[BoxId, str],
    before: RuledWall | None = None,
) -> RuledWall:
    """Lay rulings over a wall.

    Args:
        paper: The wall.
        ruled: What is to be taken for ruled; boxes that are not on the wall are passed over.
        why: The reasons, of which those of disputed boxes are told.
        before: The same wall with former rulings, of which little is to be made anew.
    """
    parts = paper.wall if before is None or before.paper is not paper else before.wall
    wall = Wall(
        paper.wall.question,
        tuple(_ruled(entry, ruled.get(entry.id)) for entry in parts.written),
        tuple(_ruled(entry, ruled.get(entry.id)) for entry in parts.blanks),
    )
    disputes = {
        box: why[box]
        for box, verdict in ruled.items()
        if verdict is Verdict.DISPUTED and box in why and box in paper.answers
    }
    return RuledWall(paper, wall, disputes)


def _ruled(entry: WallEntry, verdict: Verdict | None) -> WallEntry:
    if entry.ruling is verdict:
        return entry
    # Field by field: `replace` takes three times as long, and a ruling changes hundreds.
    return WallEntry(
        entry.sheet,
        entry.box,
        entry.ink,
        entry.text,
        entry.probability,
        verdict,
        entry.sure,
        entry.group,
    )


def _kept(event: Event, question: Question, without: frozenset[str]) -> _Kept:
    where = (box_key(question.theme, question.row), without)
    with event.database.reading():
        # The key is part of it, though the question is given: which forms were matched depends on it.
        kinds = (Kind.KEY, Kind.REGULATION, Kind.ASSIGN_PLAYER)
        version = (question, versions.paper(event), event.newest(*kinds))
        with _lock:
            kept = _known.setdefault(event, OrderedDict()).get(where)
        if kept is None or kept.version != version:
            kept = _Kept(version, _made(event, question, without))
    # What is not committed yet may be rolled back, and its numbers given to others.
    if not event.database.in_change:
        with _lock:
            _keep(_known[event], where, kept)
    return kept


def _keep(walls: _Walls, where: tuple[str, frozenset[str]], kept: _Kept) -> None:
    """Keep a wall as the one that was wanted last; those that nobody wanted for longest go."""
    walls[where] = kept
    walls.move_to_end(where)
    answers_kept = sum(len(each.paper.answers) for each in walls.values())
    while answers_kept > MOST_ANSWERS and len(walls) > 1:
        _where, gone = walls.popitem(last=False)
        answers_kept -= len(gone.paper.answers)


def _made(event: Event, question: Question, without: frozenset[str]) -> Paper:
    found = {
        (answer.sheet, answer.box): answer
        for answer in answers.all_answers(event, question, {})
        if answer.sheet not in without
    }
    box = box_key(question.theme, question.row)
    written = [_written(answer) for answer in found.values() if answer.ink is Ink.WRITTEN]
    alike = likeness.groups_of(event, box, written)
    return Paper(
        build_wall(question, [_entry(answer, alike.get(id_)) for id_, answer in found.items()]),
        found,
    )


def _written(answer: Answer) -> Written:
    suggested = answer.suggestion
    return Written(
        (answer.sheet, answer.box),
        answer.page_id,
        answer.text or "",
        answer.confidence or 0.0,
        likeness.explained(answer.ink, suggested.probability, suggested.form),
    )


def _entry(answer: Answer, group: int | None) -> WallEntry:
    return WallEntry(
        sheet=answer.sheet,
        box=answer.box,
        ink=answer.ink,
        text=answer.text or "",
        probability=answer.suggestion.probability,
        sure=answer.sure,
        # No reading begins with this sign.
        group="" if group is None else f"={group}",
    )
