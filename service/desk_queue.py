"""The pages that need a person, with what each needs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import select

from scanner.contracts import Outcome, Reason
from service import sheets
from service.event import Event
from service.intake import PageRecord, record_of
from service.states import FileState, PageState
from service.store import tables


class Need(StrEnum):
    """What a page needs: one clear action each."""

    NAME = "name"  # a blank without a readable code: whose is it?
    OWNER = "owner"  # a spare sheet of nobody: whose is it?
    PLACE = "place"  # the corner marks are not found: where are they?
    CHOOSE = "choose"  # two scans with different answers: which counts?
    LOOK = "look"  # nothing can be made of it: scan it again, or set it aside


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page that needs a person.

    Args:
        page_id: The page.
        need: What it needs.
        record: How it ended.
        row: Its row, for what else a view wants to know.
    """

    page_id: int
    need: Need
    record: PageRecord
    row: Any


def waiting(event: Event) -> list[Waiting]:
    """All of them, in the order in which the desk works: quick ones first, each kind as it came in."""
    nobodys = set(sheets.orphans(event))
    found = []
    for page_id, row, record in kept_pages(event):
        need = _need(record, row, nobodys)
        if need is not None:
            found.append(Waiting(page_id, need, record, row))
    order = list(Need)
    return sorted(found, key=lambda item: (order.index(item.need), item.page_id))


def aside(event: Event) -> list[tuple[int, PageRecord]]:
    """Pages that were put away."""
    return [(page_id, record) for page_id, _row, record in kept_pages(event) if record.aside]


def kept_pages(event: Event) -> list[tuple[int, Any, PageRecord]]:
    """Every page of the files that the event has kept: id, row, record."""
    query = (
        select(tables.page, tables.file.c.name)
        .join(tables.file)
        .where(
            tables.page.c.state == PageState.DONE.value,
            tables.file.c.state == FileState.KEPT.value,
        )
        .order_by(tables.page.c.file_id, tables.page.c.number)
    )
    with event.database.reading() as connection:
        rows = connection.execute(query).all()
    names = {row.id: f"{row.name}#{row.number}" for row in rows}
    return [
        (row.id, row, record_of(row, row.name, names.get(row.duplicate_of, ""))) for row in rows
    ]


def _need(record: PageRecord, row: Any, nobodys: set[str]) -> Need | None:
    if record.aside:
        return None
    if record.outcome is Outcome.SHEET:
        return Need.OWNER if record.sheet in nobodys else None
    if not record.needs_person:
        return None
    if record.outcome is Outcome.DUPLICATE:
        return Need.CHOOSE
    if record.outcome is Outcome.UNKNOWN and row.blank:
        return Need.NAME
    if record.reason in (Reason.NO_REGISTRATION, Reason.NO_FIDUCIALS):
        return Need.PLACE
    return Need.LOOK
