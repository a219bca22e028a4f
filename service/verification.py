"""Checks written boxes against the key, by the traces that the handwriting network left.

The scanner knows no key: it gets plain strings. What comes out is kept beside the box together with the
forms it was made for; when the key changes, it is made again from the trace, without the image.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import bindparam, select, update

from jury.boxes import box_key
from jury.forms import FormMatch, surname, written_forms
from scanner.contracts import BoxResult, Match
from scanner.readers.verification import TraceVerifier
from scoring.model import AnswerKey, Question
from service.store import tables
from service.store.database import Database

BoxKey = tuple[int, str]
"""A page's id and a box's key."""

# Goes into the digest: a new network or calibration makes every match anew.
_VERSION = "5"
# Boxes that are checked again in one go: some seconds of the writer's lock at most.
AT_ONCE = 1000


def by_box(key: AnswerKey) -> dict[str, Question]:
    """The questions by the key of their box on the blank, the final one too."""
    final = [] if key.final is None else [key.final]
    return {
        box_key(question.theme, question.row): question for question in (*key.questions(), *final)
    }


def trace_rows(
    page_id: int, boxes: Sequence[BoxResult], questions: Mapping[str, Question]
) -> list[dict[str, Any]]:
    """Rows of `tables.trace` for a page's boxes, checked against the key as it is."""
    traced = [
        (box.key, box.reading.trace, questions[box.key])
        for box in boxes
        if box.reading is not None and box.reading.trace and box.key in questions
    ]
    found = matches([trace for _, trace, _ in traced], [question for _, _, question in traced])
    return [
        {
            "page_id": page_id,
            "key": key,
            "made_for": digest(question),
            "matches": to_json(some),
            "data": trace,
        }
        for (key, trace, question), some in zip(traced, found, strict=True)
    ]


def current(
    database: Database, questions: Mapping[str, Question]
) -> dict[BoxKey, tuple[FormMatch, ...]]:
    """The matches of all boxes of these questions; made again, and kept, where the key has changed."""
    made_for = {key: digest(question) for key, question in questions.items()}
    table = tables.trace
    query = select(table.c.page_id, table.c.key, table.c.made_for, table.c.matches)
    if len(questions) == 1:
        query = query.where(table.c.key == next(iter(questions)))
    found: dict[BoxKey, tuple[FormMatch, ...]] = {}
    stale: list[BoxKey] = []
    with database.reading() as connection:
        for row in connection.execute(query):
            if row.key not in made_for:
                continue
            if row.made_for == made_for[row.key]:
                found[row.page_id, row.key] = from_json(row.matches)
            else:
                stale.append((row.page_id, row.key))
    return found | _renewed(database, stale, questions, made_for)


def fits(database: Database, box: str, form: str, *, rejected: bool) -> dict[int, FormMatch]:
    """How well every trace of a box fits one form, whether the key has it or not; by page."""
    table = tables.trace
    query = select(table.c.page_id, table.c.data).where(table.c.key == box)
    with database.reading() as connection:
        rows = connection.execute(query.order_by(table.c.page_id)).all()
    # A question whose only form it is: a rejected one beside an answer that is nobody's.
    asked = Question(0, 0, 0, "" if rejected else form, rejected=(form,) if rejected else ())
    found = matches([row.data for row in rows], [asked] * len(rows))
    return {
        row.page_id: match
        for row, some in zip(rows, found, strict=True)
        for match in some
        if match.form == form
    }


def _renewed(
    database: Database,
    stale: Sequence[BoxKey],
    questions: Mapping[str, Question],
    made_for: Mapping[str, str],
) -> dict[BoxKey, tuple[FormMatch, ...]]:
    found: dict[BoxKey, tuple[FormMatch, ...]] = {}
    table = tables.trace
    one = select(table.c.data).where(
        table.c.page_id == bindparam("page"), table.c.key == bindparam("box")
    )
    for start in range(0, len(stale), AT_ONCE):
        some = stale[start : start + AT_ONCE]
        with database.reading() as connection:
            data = [
                connection.execute(one, {"page": page, "box": box}).scalar() or b""
                for page, box in some
            ]
        renewed = matches(data, [questions[box] for _, box in some])
        found |= dict(zip(some, renewed, strict=True))
        with database.writing() as connection:
            connection.execute(
                update(table).where(
                    table.c.page_id == bindparam("page"), table.c.key == bindparam("box")
                ),
                [
                    {
                        "page": page,
                        "box": box,
                        "made_for": made_for[box],
                        "matches": to_json(found[page, box]),
                    }
                    for page, box in some
                ],
            )
    return found


def traces(database: Database, places: Collection[BoxKey]) -> dict[BoxKey, bytes]:
    """The traces of these boxes; those that have none are left out."""
    table = tables.trace
    query = select(table.c.page_id, table.c.key, table.c.data)
    boxes = {key for _page, key in places}
    with database.reading() as connection:
        rows = connection.execute(query.where(table.c.key.in_(boxes)))
        return {
            (row.page_id, row.key): row.data for row in rows if (row.page_id, row.key) in places
        }


def digest(question: Question) -> str:
    """What the matches of a question's boxes depend on, 16 hexadecimal digits."""
    parts = [_VERSION, *question.forms, "\n", *question.rejected]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def matches(traces: Sequence[bytes], questions: Sequence[Question]) -> list[tuple[FormMatch, ...]]:
    """Check boxes, each against the forms of its own question.

    Returns:
        For each box a match a form, the best of the ways to write it; empty if its trace says nothing.
    """
    asked = [_texts(question) for question in questions]
    found = TraceVerifier().verify(traces, [[way.text for way in ways] for ways in asked])
    results = []
    for ways, matched in zip(asked, found, strict=True):
        best: dict[tuple[str, bool], Match] = {}
        for way, match in zip(ways, matched, strict=False):
            known = best.get((way.form, way.rejected))
            if way.part and known is not None:
                known = replace(known, inside=max(known.inside, match.probability))
                best[way.form, way.rejected] = known
            elif known is None or match.probability > known.probability:
                best[way.form, way.rejected] = match
        results.append(
            tuple(FormMatch(form, rejected, match) for (form, rejected), match in best.items())
        )
    return results


def to_json(found: Sequence[FormMatch]) -> list[list[Any]]:
    """As it is kept in the database."""
    return [
        [item.form, item.rejected, match.ratio, match.probability, match.inside]
        for item in found
        for match in (item.match,)
    ]


def from_json(data: Sequence[Sequence[Any]]) -> tuple[FormMatch, ...]:
    """The reverse of `to_json`."""
    return tuple(
        FormMatch(form, rejected, Match(ratio, probability, inside))
        for form, rejected, ratio, probability, inside in data
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to write a form, or with `part` only the surname of it."""

    form: str
    rejected: bool
    text: str
    part: bool = False


def _texts(question: Question) -> list[_Way]:
    """All ways to write the forms; the parts come after the whole of their form."""
    found = []
    for form in question.forms:
        found += [_Way(form, False, text) for text in written_forms(form)]
        if last := surname(form):
            found.append(_Way(form, False, last, part=True))
    for form in question.rejected:
        found += [_Way(form, True, text) for text in written_forms(form, bracketed=False)]
    return found
