"""Every page of every scanned file and how it ended, for the organizer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import Response

from scanner.contracts import Outcome
from service import desk_queue, wording
from service.event import Event
from service.intake import PageRecord, PageState, record_of
from service.store import tables
from service.web import desk_view
from service.web.render import page
from service.web.sessions import EventHere, PagesReader
from service.web.wall_view import picture_versions

router = APIRouter(include_in_schema=False)

ON_ONE_PAGE = 60


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page in the list; `picture` is empty if there is none."""

    id: int
    record: PageRecord
    picture: str
    dpi: int
    waits: bool
    """Somebody at the desk has to say something of it."""
    why: str


@router.get("/pages")
def pages(
    request: Request, event: EventHere, _account: PagesReader, show: str = "", part: int = 1
) -> Response:
    """The pages, those that need a person first; `show` is an outcome, `person`, or empty for all."""
    everything = listed(event)
    counts = Counter(entry.record.outcome for entry in everything)
    waiting = [entry for entry in everything if entry.waits]
    chosen = everything
    if show == "person":
        chosen = waiting
    elif show in set(Outcome):
        chosen = [entry for entry in everything if entry.record.outcome == show]
    else:
        show = ""
        chosen = sorted(everything, key=lambda entry: not entry.waits)
    parts = max(1, -(-len(chosen) // ON_ONE_PAGE))
    part = min(max(1, part), parts)
    return page(
        request,
        "pages.html",
        total=len(everything),
        counts={outcome: counts[outcome] for outcome in Outcome},
        waiting=len(waiting),
        show=show,
        part=part,
        parts=parts,
        listed=chosen[(part - 1) * ON_ONE_PAGE : part * ON_ONE_PAGE],
    )


def listed(event: Event) -> list[ListedPage]:
    """Every page that is done, in the order taken in."""
    query = (
        select(tables.page, tables.file.c.name)
        .join(tables.file)
        .where(tables.page.c.state == PageState.DONE.value)
        .order_by(tables.page.c.file_id, tables.page.c.number)
    )
    with event.database.reading() as connection:
        rows = connection.execute(query).all()
    names = {row.id: f"{row.name}#{row.number}" for row in rows}
    versions = picture_versions(event)
    queue = {item.page_id: item for item in desk_queue.waiting(event)}

    def why(row: Any, record: PageRecord) -> str:
        item = queue.get(row.id)
        return desk_view.why(item) if item else wording.explain(record)

    return [
        ListedPage(
            row.id,
            record := record_of(row, row.name, names.get(row.duplicate_of, "")),
            f"/api/page/{row.id}?v={versions[row.id]}" if row.thumbnail_size else "",
            round(row.dpi),
            row.id in queue,
            why(row, record),
        )
        for row in rows
    ]
