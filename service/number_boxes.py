"""Digit boxes of the pages that were scanned: stakes, and the player's number on a spare sheet.

What the network saw in the cells is kept as the box's trace; a number is made of it anew at each look, with
what is possible at that moment.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import select

from scanner.contracts import BoxResult, Outcome
from scanner.readers import digits
from scanner.readers.numbers import NumberReading, read_number
from service import sheets
from service.event import Event
from service.store import tables

NUMBER, STAKE = "number", "stake"
_MADE_FOR = "digits"


def trace_rows(page_id: int, boxes: Sequence[BoxResult]) -> list[dict[str, Any]]:
    """Rows of `tables.trace` for the digit boxes of a page."""
    return [
        {
            "page_id": page_id,
            "key": box.key,
            "made_for": _MADE_FOR,
            "matches": [],
            "data": box.reading.trace,
        }
        for box in boxes
        if box.reading is not None and digits.unpacked(box.reading.trace) is not None
    ]


def tables_of(event: Event, box: str) -> dict[int, digits.Floats]:
    """What the network saw in a box, by page; pages on which nobody read it are missing."""
    table = tables.trace
    query = select(table.c.page_id, table.c.data).where(table.c.key == box)
    with event.database.reading() as connection:
        rows = connection.execute(query).all()
    seen = ((row.page_id, digits.unpacked(row.data)) for row in rows)
    return {page_id: found for page_id, found in seen if found is not None}


def read_box(
    event: Event, page_id: int, box: str, possible: Collection[int] | None = None
) -> NumberReading:
    """What the digit box of a page says; `numbers.UNREAD` if nobody has read it.

    Args:
        event: Where.
        page_id: The page.
        box: The box's key.
        possible: The numbers that can be; all if None.
    """
    table = tables.trace
    query = select(table.c.data).where(table.c.page_id == page_id, table.c.key == box)
    with event.database.reading() as connection:
        data = connection.execute(query).scalar()
    return read_number(digits.unpacked(data or b""), possible)


def number_on(event: Event, page_id: int) -> NumberReading:
    """The player's number on a spare sheet, out of the numbers of those who have no answer sheet yet.

    Whoever has this very sheet counts as having none.
    """
    page = tables.page
    with event.database.reading() as connection:
        name = connection.execute(select(page.c.sheet).where(page.c.id == page_id)).scalar()
        given = sheets.spare_players(connection)
    taken = {player for sheet, player in given.items() if sheet != name}
    taken |= {
        sheet.player
        for sheet in sheets.all_sheets(event)
        if sheet.page_id is not None and sheet.player is not None and sheet.name[0].isdigit()
    }
    free = {player.number for player in event.players()} - taken
    return read_box(event, page_id, NUMBER, free)


def suggest_number(event: Event, page_id: int) -> list[int]:
    """Whose a spare sheet is, by its digit boxes: numbers of players without a sheet, best first."""
    return [value for value, _share in number_on(event, page_id).candidates]


def final_pages(event: Event) -> dict[int, int]:
    """Player → the page of their final sheet that counts."""
    page = tables.page
    query = select(page.c.sheet, page.c.id).where(
        page.c.outcome == Outcome.SHEET.value, page.c.sheet.like("F%")
    )
    with event.database.reading() as connection:
        return {int(row.sheet[1:]): row.id for row in connection.execute(query)}
