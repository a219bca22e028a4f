"""What each player's own page shows, read from the event one player at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlalchemy import select

from jury.boxes import box_key
from reports.own_page import OwnAnswer, OwnPage
from scanner.contracts import Outcome
from scoring.model import Standings, Status
from service import rulings, sheets
from service.event import Event
from service.store import tables


def own_pages(event: Event, result: Standings, codes: Mapping[int, str]) -> Iterator[OwnPage]:
    """The pages of all who took part, by category and place.

    Args:
        event: Where readings, rulings and pictures are.
        result: The standings that are shown.
        codes: Player → code of the page; one who has none gets a page without.
    """
    ruled = rulings.current(event)
    sheet_of = sheets.player_sheets(event)
    nominals = result.regulation.nominals
    for part in result.categories:
        for row in part.rows:
            number = row.player.number
            sheet = sheet_of.get(number)
            if row.status is Status.ABSENT or sheet is None:
                continue
            found = _boxes(event, sheet)
            answers = []
            for at, points in enumerate(row.cells):
                theme, index = divmod(at, len(nominals))
                box = box_key(theme + 1, index + 1)
                text, crop = found.get(box, ("", b""))
                verdict = ruled.get((sheet, box))
                answers.append(OwnAnswer(theme + 1, nominals[index], verdict, points, text, crop))
            yield OwnPage(number, tuple(answers), codes.get(number, ""))


def _boxes(event: Event, sheet: str) -> dict[str, tuple[str, bytes]]:
    """Box → reading and picture; a picture that is gone leaves its place empty."""
    query = (
        select(
            tables.box.c.key,
            tables.box.c.text,
            tables.box.c.start,
            tables.box.c.size,
            tables.page.c.pack,
        )
        .join(tables.page)
        .where(tables.page.c.sheet == sheet, tables.page.c.outcome == Outcome.SHEET.value)
    )
    with event.database.reading() as connection:
        rows = connection.execute(query).all()
    return {
        row.key: (row.text or "", _picture(event, row.pack, row.start, row.size)) for row in rows
    }


def _picture(event: Event, pack: str, start: int, size: int) -> bytes:
    try:
        return event.blobs.get(pack, start, size) if size else b""
    except FileNotFoundError:
        return b""
