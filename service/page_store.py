"""Storing what a worker made of a page: its row, its boxes, its pictures.

The pictures of a page lie one behind the other in one blob. A page that is read again by what a person said
gets another blob: until the change is committed the old pictures are still those of the old boxes.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, update

from scanner.contracts import PageResult
from scanner.placing import Hint
from scoring.model import Question
from service import number_boxes, verification
from service.blobs import Blobs
from service.states import PageState
from service.store import tables

Manual = Mapping[str, Any] | None
"""What a person said of a page, as `tables.page.manual` and the journal hold it."""


def hint_of(manual: Manual) -> Hint | None:
    """What a person said, for the scanner."""
    if not manual:
        return None
    corners = tuple((float(x), float(y)) for x, y in manual.get("corners", ()))
    return Hint(int(manual.get("turn", 0)), corners, bool(manual.get("of_paper", False)))


def manual_of(hint: Hint | None) -> dict[str, Any] | None:
    """The reverse of `hint_of`; None for a hint that says nothing."""
    if hint is None or hint == Hint():
        return None
    said: dict[str, Any] = {"turn": hint.turn} if hint.turn else {}
    if hint.corners:
        said["corners"] = [[round(x, 5), round(y, 5)] for x, y in hint.corners]
    if hint.of_paper:
        said["of_paper"] = True
    return said


def pack_key(sha: str, number: int, manual: Manual = None) -> str:
    """The blob of a page's pictures; the same again after a rebuild."""
    said = f"-{mark(manual)}" if manual else ""
    return f"crops/{sha}/{number:05d}{said}.pack"


def mark(manual: Manual) -> str:
    """Something else for everything else that a person may say; empty for nothing."""
    if not manual:
        return ""
    return hashlib.sha256(json.dumps(manual, sort_keys=True).encode()).hexdigest()[:8]


def put_pictures(blobs: Blobs, key: str, result: PageResult) -> None:
    """Store the thumbnail and the crops."""
    blobs.put(key, b"".join([result.thumbnail, *(box.image for box in result.boxes)]))


def traces_of(
    page_id: int, result: PageResult, questions: Mapping[str, Question]
) -> list[dict[str, Any]]:
    """What is kept of the readings; takes some time, so not while others wait for the database."""
    return [
        *verification.trace_rows(page_id, result.boxes, questions),
        *number_boxes.trace_rows(page_id, result.boxes),
    ]


def write(
    connection: Connection,
    page_id: int,
    result: PageResult,
    key: str,
    traces: list[dict[str, Any]],
    *,
    at: float | None = None,
) -> None:
    """Store a result in place of whatever is there; which sheet then counts is not decided here.

    Args:
        connection: One from `Database.writing()`.
        page_id: The page.
        result: What it is.
        key: The blob of its pictures.
        traces: From `traces_of`.
        at: When it was read, if that is to be told anew; else the first time stays.
    """
    connection.execute(delete(tables.trace).where(tables.trace.c.page_id == page_id))
    connection.execute(delete(tables.box).where(tables.box.c.page_id == page_id))
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == page_id)
        .values(
            state=PageState.DONE.value,
            attempts=tables.page.c.attempts + 1,
            done_at=func.coalesce(tables.page.c.done_at, time.time()) if at is None else at,
            outcome=result.outcome.value,
            reason=result.reason.value,
            detail=result.detail,
            blank=result.blank,
            sheet=result.code.sheet if result.code else None,
            residual=result.residual,
            dpi=result.dpi,
            turned=result.turned,
            sharpness=result.sharpness,
            warnings=list(result.warnings),
            pack=key,
            thumbnail_size=len(result.thumbnail),
        )
    )
    rows, start = [], len(result.thumbnail)
    for box in result.boxes:
        reading = box.reading
        rows.append(
            {
                "page_id": page_id,
                "key": box.key,
                "ink": box.ink.value,
                "sure": box.sure,
                "darkness": round(box.darkness, 3),
                "text": reading.text if reading else None,
                "confidence": reading.confidence if reading else None,
                "start": start,
                "size": len(box.image),
            }
        )
        start += len(box.image)
    if rows:
        connection.execute(insert(tables.box), rows)
    if traces:
        connection.execute(insert(tables.trace), traces)
