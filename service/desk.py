"""What a person says of pages beyond naming and choosing: putting them away, and taking things back.

Everything is an entry of the journal. An entry is taken back by another one, never removed, and a rebuild
does all of them again in their order (`replay`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, null, select, update

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.codes import SheetCode
from scanner.contracts import Outcome, Reason
from service import journal, rulings, sheets
from service.event import Event
from service.journal import Entry, Kind
from service.store import tables

KINDS = (
    Kind.ASSIGN_PLAYER,
    Kind.ASSIGN_PAGE,
    Kind.CHOOSE_PAGE,
    Kind.MANUAL_PAGE,
    Kind.SET_ASIDE,
)
"""What the desk does."""


def set_aside(
    event: Event, page: str | int, aside: bool = True, who: str = "otbor", why: str = ""
) -> str:
    """Put a page away so that it waits for nobody, or bring it back; returns its reference.

    Raises:
        NotFoundError: There is no such page.
        ConflictError: It counts as a sheet of a player, or it is put away (or waits) already.
    """
    page_id = page if isinstance(page, int) else sheets.find_page(event, page)
    with event.database.writing() as connection:
        reference = sheets.reference_of(connection, page_id)
        row = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        given = sheets.spare_players(connection)
        spare_of_nobody = str(row.sheet or "").startswith("S") and row.sheet not in given
        if aside and row.outcome == Outcome.SHEET.value and not spare_of_nobody:
            raise ConflictError(
                _("The page {page} counts as sheet {sheet}; it cannot be set aside.").format(
                    page=reference, sheet=row.sheet
                ),
                _("Take back what made it count first, or leave it as it is."),
            )
        if row.aside == aside:
            raise ConflictError(
                _("The page {page} is set aside already.").format(page=reference)
                if aside
                else _("The page {page} is not set aside.").format(page=reference),
                _("Load the list of pages again."),
            )
        payload = {"page": reference, "page_id": page_id, "aside": aside}
        journal.append(connection, who, Kind.SET_ASIDE, payload, why)
        _put(connection, page_id, aside)
    return reference


def _put(connection: Connection, page_id: int, aside: bool) -> None:
    connection.execute(update(tables.page).where(tables.page.c.id == page_id).values(aside=aside))


def unname_page(event: Event, page: str | int, who: str = "otbor") -> str:
    """Take back which sheet a person said a page is; rulings on the sheet are taken back with it.

    Raises:
        NotFoundError: There is no such page.
        ConflictError: Nobody has named it.
    """
    page_id = page if isinstance(page, int) else sheets.find_page(event, page)
    with event.database.writing() as connection:
        reference = sheets.reference_of(connection, page_id)
        named = named_as(connection, page_id)
        row = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        if named is None or row.sheet != named["sheet"]:
            raise ConflictError(
                _("Nobody has said which sheet the page {page} is.").format(page=reference),
                _("Load the list of pages again."),
            )
        before = named.get("before", {"reason": Reason.NO_CODE.value, "code": None})
        payload = {"page": reference, "page_id": page_id, "sheet": None, "before": before}
        journal.append(connection, who, Kind.ASSIGN_PAGE, payload)
        if row.outcome == Outcome.SHEET.value:
            rulings.withdraw_sheet(connection, row.sheet, who)
        _unbecome(connection, page_id, before)
    return reference


def named_as(connection: Connection, page_id: int) -> Mapping[str, Any] | None:
    """The entry by which a person last named a page, None if that is taken back or nobody did."""
    found: Mapping[str, Any] | None = None
    for entry in journal.entries(connection, Kind.ASSIGN_PAGE):
        if entry.payload["page_id"] == page_id:
            found = entry.payload if entry.payload["sheet"] is not None else None
    return found


def _unbecome(connection: Connection, page_id: int, before: Mapping[str, Any]) -> None:
    sheets.vacate(connection, page_id)
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == page_id)
        .values(
            sheet=before["code"],
            outcome=Outcome.UNKNOWN.value,
            reason=before["reason"],
            duplicate_of=None,
            differs=[],
        )
    )


def standing_rulings(event: Event, sheet: str) -> int:
    """How many rulings on a sheet would be taken back with its picture."""
    return sum(1 for (name, _box) in rulings.current(event) if name == sheet)


# --- taking back ------------------------------------------------------------------------------------


def undoable(entries: list[Entry]) -> set[int]:
    """Ids of the entries that can be taken back.

    What was done to a page is taken back in the reverse order, so it is the last one about each page (or
    spare sheet), if that is not itself taking something back.
    """
    last: dict[object, Entry] = {}
    for entry in entries:
        # Pages have numbers, spare sheets names.
        last[entry.payload.get("page_id", entry.payload.get("sheet"))] = entry
    return {entry.id for entry in last.values() if _says(entry)}


def _says(entry: Entry) -> bool:
    """False for an entry that itself takes something back."""
    payload = entry.payload
    return {
        Kind.ASSIGN_PLAYER: lambda: payload["player"] is not None,
        Kind.ASSIGN_PAGE: lambda: payload["sheet"] is not None,
        Kind.CHOOSE_PAGE: lambda: payload.get("instead_of") is not None,
        Kind.MANUAL_PAGE: lambda: payload["manual"] is not None,
        Kind.SET_ASIDE: lambda: bool(payload["aside"]),
    }[entry.kind]()


def done(event: Event) -> list[Entry]:
    """What the desk did, oldest first."""
    with event.database.reading() as connection:
        return journal.entries(connection, *KINDS)


def undo(
    event: Event,
    entry_id: int,
    who: str,
    read_again: Callable[[int], object],
) -> Entry:
    """Take one of the desk's entries back.

    Args:
        event: Where.
        entry_id: The entry's id.
        who: Who takes it back.
        read_again: Reads a page again as it came, without what a person said of how it lies.

    Raises:
        NotFoundError: There is no such entry.
        ConflictError: Something newer was done to the same page, or it is taken back already.
    """
    entries = done(event)
    entry = next((entry for entry in entries if entry.id == entry_id), None)
    if entry is None:
        raise NotFoundError(
            _("There is no such entry of the desk."), _("Load the list of pages again.")
        )
    if entry_id not in undoable(entries):
        raise ConflictError(
            _("This cannot be taken back any more: something newer was done there."),
            _("Take the newer one back first."),
        )
    payload = entry.payload
    if entry.kind is Kind.ASSIGN_PLAYER:
        sheets.give_spare(event, payload["sheet"], None, who)
    elif entry.kind is Kind.ASSIGN_PAGE:
        unname_page(event, payload["page_id"], who)
    elif entry.kind is Kind.CHOOSE_PAGE:
        sheets.choose_page(event, payload["instead_of"], who)
    elif entry.kind is Kind.MANUAL_PAGE:
        read_again(payload["page_id"])
    else:
        set_aside(event, payload["page_id"], False, who)
    return entry


# --- doing it all again -----------------------------------------------------------------------------


def recall(connection: Connection) -> None:
    """Set what people said of every page anew from the journal; before a rebuild reads the pages."""
    manual: dict[int, Any] = {}
    aside: dict[int, bool] = {}
    for entry in journal.entries(connection, Kind.MANUAL_PAGE, Kind.SET_ASIDE):
        if entry.kind is Kind.MANUAL_PAGE:
            manual[entry.payload["page_id"]] = entry.payload["manual"]
        else:
            aside[entry.payload["page_id"]] = entry.payload["aside"]
    for page_id, said in manual.items():
        connection.execute(
            update(tables.page)
            .where(tables.page.c.id == page_id)
            .values(manual=null() if said is None else said)
        )
    for page_id, put in aside.items():
        _put(connection, page_id, put)


def spoken_of(connection: Connection) -> set[int]:
    """Pages that were read again at a person's word; a rebuild settles them at that moment."""
    entries = journal.entries(connection, Kind.MANUAL_PAGE)
    return {entry.payload["page_id"] for entry in entries}


def replay(connection: Connection, held_back: Mapping[int, SheetCode]) -> None:
    """Do again what people decided about pages; for a rebuild, when all pages are read.

    Args:
        connection: One from `Database.writing()`.
        held_back: Pages that bear a sheet's code but came to count only when a person said how they lie.
    """
    log = journal.entries(connection, Kind.ASSIGN_PAGE, Kind.CHOOSE_PAGE, Kind.MANUAL_PAGE)
    # Pages are read once, as was said last.
    last = {entry.payload["page_id"]: entry.id for entry in log if entry.kind is Kind.MANUAL_PAGE}
    for entry in log:
        payload, page_id = entry.payload, entry.payload["page_id"]
        page = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).first()
        if page is None:
            continue
        if entry.kind is Kind.ASSIGN_PAGE and payload["sheet"] is None:
            if page.outcome in (Outcome.SHEET.value, Outcome.DUPLICATE.value):
                _unbecome(connection, page_id, payload["before"])
        elif entry.kind is Kind.ASSIGN_PAGE:
            if page.outcome == Outcome.UNKNOWN.value:
                sheets.become(connection, page_id, payload["sheet"], entry.at)
        elif entry.kind is Kind.CHOOSE_PAGE:
            if page.duplicate_of is not None:
                sheets.count(connection, page_id, page.duplicate_of)
        elif entry.id == last[page_id]:
            if page_id in held_back and page.outcome == Outcome.UNKNOWN.value:
                sheets.become(connection, page_id, held_back[page_id].sheet, entry.at)
            _as_it_was(connection, page_id, bool(payload.get("counts", False)))


def _as_it_was(connection: Connection, page_id: int, counts: bool) -> None:
    """Let a page count, or not, as it did when it was read again."""
    page = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
    if counts and page.duplicate_of is not None:
        sheets.count(connection, page_id, page.duplicate_of)
