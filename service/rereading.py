"""Reading a page again by what a person said of how it lies.

The page is read first, by a worker, and everything is stored in one change then: a crash in between leaves
the page as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, null, select, update

from otbor import i18n
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.contracts import Outcome, PageResult, Reason
from scanner.placing import Hint
from scanner.readers import choice
from service import desk, journal, page_store, page_work, rulings, sheets, verification
from service.event import Event
from service.journal import Kind
from service.page_work import PageTask
from service.settings import settings
from service.store import tables

COUNTED = (Outcome.SHEET.value, Outcome.DUPLICATE.value)
Work = Callable[[PageTask], PageResult]


def task_of(event: Event, page_id: int, hint: Hint | None, reader: str | None = None) -> PageTask:
    """The work on a page of a file that the event has kept.

    Raises:
        NotFoundError: There is no such page.
    """
    with event.database.reading() as connection:
        sheets.reference_of(connection, page_id)
        row = connection.execute(
            select(tables.page.c.number, tables.file.c.sha256)
            .join(tables.file)
            .where(tables.page.c.id == page_id)
        ).one()
    return PageTask(
        page_id=page_id,
        blobs=event.blobs.url,
        key=f"originals/{row.sha256}",
        index=row.number - 1,
        event=event.info.code,
        geometry=event.geometry.source,
        reader=reader or settings().reader or choice.usual(),
        language=i18n.language(),
        hint=hint,
    )


def read_again(
    event: Event,
    page: str | int,
    hint: Hint | None,
    who: str = "otbor",
    *,
    reader: str | None = None,
    work: Work = page_work.work,
) -> Outcome:
    """Read a page again as a person said it lies, or (None) as it came.

    Rulings on the sheet that it counted as are taken back: they were made of other crops.

    Args:
        event: Where.
        page: The page, as `FILE#PAGE` or its id.
        hint: What was said.
        who: Who said it.
        reader: Name of a reader; the setting's if None.
        work: Does the work; the web application has it done in another process.

    Returns:
        How the page ended now.

    Raises:
        NotFoundError: There is no such page.
        ConflictError: It cannot be read so; nothing is changed then.
    """
    page_id = page if isinstance(page, int) else sheets.find_page(event, page)
    # As it is kept: a rebuild must read the very same.
    manual = page_store.manual_of(hint)
    hint = page_store.hint_of(manual)
    task = task_of(event, page_id, hint, reader)
    result = work(task)
    _check(hint, result)
    traces = page_store.traces_of(page_id, result, verification.by_box(event.key()))
    key = page_store.pack_key(task.key.rpartition("/")[2], task.index + 1, manual)
    page_store.put_pictures(event.blobs, key, result)
    now = time.time()
    with event.database.writing() as connection:
        reference = sheets.reference_of(connection, page_id)
        before = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        named = desk.named_as(connection, page_id)
        sheet = _sheet(before, result, named, hint)
        if before.outcome == Outcome.SHEET.value:
            rulings.withdraw_sheet(connection, before.sheet, who)
        connection.execute(delete(tables.sighting).where(tables.sighting.c.page_id == page_id))
        page_store.write(connection, page_id, result, key, traces, at=now)
        _said(connection, page_id, manual)
        _place(event, connection, before, sheet, result, now)
        after = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        payload = {
            "page": reference,
            "page_id": page_id,
            "manual": manual,
            "counts": after.outcome == Outcome.SHEET.value,
        }
        journal.append(connection, who, Kind.MANUAL_PAGE, payload)
    if before.pack and before.pack != key:
        event.blobs.drop(before.pack)
    return Outcome(after.outcome)


def _check(hint: Hint | None, result: PageResult) -> None:
    """Refuse what says nothing new."""
    if hint is not None and result.outcome is Outcome.UNREADABLE:
        raise ConflictError(
            _("This page cannot be opened, so it cannot be read again."),
            _("Scan the sheet again, or set the page aside."),
        )
    if hint is not None and hint.corners and not result.blank:
        raise ConflictError(
            _("With these corners the boxes do not lie on the frames of a blank."),
            _("Mark the middles of the four corner marks once more, or set the page aside."),
        )


def _sheet(
    before: Row[Any], result: PageResult, named: Mapping[str, Any] | None, hint: Hint | None
) -> str | None:
    """Which sheet the page is now, None if nobody can tell.

    Raises:
        ConflictError: It was a sheet, and would become another one in silence.
    """
    found = result.code.sheet if result.outcome is Outcome.SHEET and result.code else None
    if found is None and named is not None and result.blank == before.blank:
        # Without a readable code it is what a person said.
        found = named["sheet"] if result.outcome is Outcome.UNKNOWN else None
    if hint is not None and before.outcome in COUNTED and found != before.sheet:
        raise ConflictError(
            _("Read so, the page would not be sheet {sheet} any more.").format(sheet=before.sheet),
            _("Mark the middles of the four corner marks once more, or leave it as it is."),
        )
    return found


def _said(connection: Connection, page_id: int, manual: dict[str, Any] | None) -> None:
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == page_id)
        .values(manual=null() if manual is None else manual)
    )


def _place(
    event: Event,
    connection: Connection,
    before: Row[Any],
    sheet: str | None,
    result: PageResult,
    now: float,
) -> None:
    """Let the page be the sheet that it is."""
    if before.outcome in COUNTED and sheet == before.sheet:
        connection.execute(
            update(tables.page)
            .where(tables.page.c.id == before.id)
            .values(
                sheet=sheet,
                outcome=before.outcome,
                reason=before.reason,
                duplicate_of=before.duplicate_of,
                differs=before.differs,
            )
        )
        return
    if before.outcome == Outcome.SHEET.value:
        sheets.vacate(connection, before.id)
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == before.id)
        .values(duplicate_of=None, differs=[])
    )
    if sheet is None:
        return
    kind_number = result.code
    if kind_number is not None and not sheets.exists(event, kind_number.kind, kind_number.number):
        connection.execute(
            update(tables.page)
            .where(tables.page.c.id == before.id)
            .values(outcome=Outcome.UNKNOWN.value, reason=Reason.NO_SUCH_SHEET.value)
        )
        return
    sheets.become(connection, before.id, sheet, now)
