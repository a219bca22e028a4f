"""Which sheets there are, which page counts for each, and whose they are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select, update

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.codes import parse_sheet_name, sheet_name
from scanner.contracts import Ink, Outcome, Reason
from scanner.geometry import SheetKind
from service import journal
from service.journal import Kind
from service.states import FileState
from service.store import tables

if TYPE_CHECKING:
    from service.event import Event

# The standings ask for the names of all sheets again after every ruling.
_parsed = lru_cache(maxsize=20_000)(parse_sheet_name)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet with a page or a ruling: its name, the player it belongs to, the page that counts."""

    name: str
    player: int | None
    page_id: int | None


def exists(event: Event, kind: SheetKind, number: int) -> bool:
    """True if such a sheet was printed: a player's number, or a spare that was issued."""
    if kind is SheetKind.SPARE:
        return number <= event.spares()
    return any(player.number == number for player in event.players())


def find(event: Event, name: str) -> str:
    """The sheet's name as we write it, from what a person typed.

    Raises:
        NotFoundError: It is no name of a sheet, or of none in this event.
    """
    try:
        kind, number = parse_sheet_name(name)
    except ValueError as error:
        raise NotFoundError(
            _("“{name}” is not a sheet.").format(name=name),
            _("A sheet is named by its number: 12, a spare S3, a final one F12."),
        ) from error
    if not exists(event, kind, number):
        raise NotFoundError(
            _("There is no sheet {name} in this event.").format(name=sheet_name(kind, number)),
            _("See which there are with “otbor answers” and “otbor pages”."),
        )
    return sheet_name(kind, number)


def settle(connection: Connection, page_id: int, at: float = 0.0) -> None:
    """Decide between a page and the one that counts for its sheet so far.

    The sharper scan counts, whatever the order they came in, unless somebody has ruled on the sheet
    already or the two disagree about there being an answer: then the first one stays and a person is
    asked.

    Args:
        connection: One from `Database.writing()`.
        page_id: The page.
        at: When a person said which sheet the page is; rulings until then count too.
    """
    page = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
    rival = connection.execute(
        select(tables.page).where(
            tables.page.c.sheet == page.sheet,
            tables.page.c.outcome == Outcome.SHEET.value,
            tables.page.c.id != page_id,
        )
    ).first()
    if rival is None:
        _mark(connection, page_id, Outcome.SHEET)
        return
    differs = _differing(connection, page_id, rival.id)
    ruled = any(
        connection.execute(
            select(table.c.id)
            .where(table.c.sheet == page.sheet, table.c.at <= max(page.done_at, rival.done_at, at))
            .limit(1)
        ).first()
        for table in (tables.ruling, tables.blind_ruling)
    )
    better = page.sharpness > rival.sharpness and not differs and not ruled
    winner, loser = (page_id, rival.id) if better else (rival.id, page_id)
    _mark(connection, loser, Outcome.DUPLICATE, Reason.SAME_SHEET, winner, differs)
    _mark(connection, winner, Outcome.SHEET)
    # Duplicates of the loser are duplicates of the winner now.
    connection.execute(
        update(tables.page).where(tables.page.c.duplicate_of == loser).values(duplicate_of=winner)
    )


def _mark(
    connection: Connection,
    page_id: int,
    outcome: Outcome,
    reason: Reason = Reason.NONE,
    duplicate_of: int | None = None,
    differs: list[str] | None = None,
) -> None:
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == page_id)
        .values(
            outcome=outcome.value,
            reason=reason.value,
            duplicate_of=duplicate_of,
            differs=differs or [],
        )
    )


def _differing(connection: Connection, first: int, second: int) -> list[str]:
    """Boxes that hold an answer on one scan and none on the other.

    A page whose code could not be read was cut as a spare too: its number's box is not on the other one.
    """
    written: list[dict[str, bool]] = []
    for page_id in (first, second):
        rows = connection.execute(
            select(tables.box.c.key, tables.box.c.ink).where(tables.box.c.page_id == page_id)
        )
        written.append({row.key: row.ink == Ink.WRITTEN.value for row in rows})
    both = written[0].keys() & written[1].keys()
    return sorted(key for key in both if written[0][key] != written[1][key])


def counting_pages(connection: Connection) -> dict[str, int]:
    """Sheet → the page that counts for it."""
    rows = connection.execute(
        select(tables.page.c.sheet, tables.page.c.id).where(
            tables.page.c.outcome == Outcome.SHEET.value
        )
    )
    return {row.sheet: row.id for row in rows}


def spare_players(connection: Connection) -> dict[str, int]:
    """Spare sheet → the player it was given to."""
    given: dict[str, int] = {}
    for entry in journal.entries(connection, Kind.ASSIGN_PLAYER):
        sheet, player = entry.payload["sheet"], entry.payload["player"]
        if player is None:
            given.pop(sheet, None)
        else:
            given[sheet] = int(player)
    return given


def all_sheets(event: Event) -> list[Sheet]:
    """Every sheet that was scanned or ruled on, by kind and number."""
    with event.database.reading() as connection:
        pages = counting_pages(connection)
        ruled = {
            row.sheet
            for log in (tables.ruling, tables.blind_ruling)
            for row in connection.execute(select(log.c.sheet).distinct())
        }
        given = spare_players(connection)
    found = []
    for name in {*pages, *ruled}:
        kind, number = _parsed(name)
        player = given.get(name) if kind is SheetKind.SPARE else number
        found.append((kind is not SheetKind.PERSONAL, kind.value, number, name, player))
    return [Sheet(name, player, pages.get(name)) for *_order, name, player in sorted(found)]


def player_sheets(event: Event) -> dict[int, str]:
    """Player → the one answer sheet that counts for them.

    A spare that a person gave to a player beats the personal sheet: see `two_sheets` for a warning.
    """
    chosen: dict[int, str] = {}
    for sheet in all_sheets(event):
        kind, _number = _parsed(sheet.name)
        if sheet.player is not None and kind is not SheetKind.FINAL:
            # Personal sheets come first in the list, so a spare overrides.
            chosen[sheet.player] = sheet.name
    return chosen


def two_sheets(event: Event) -> dict[int, list[str]]:
    """Players for whom more than one answer sheet was handed in."""
    names: dict[int, list[str]] = {}
    for sheet in all_sheets(event):
        if sheet.player is not None and _parsed(sheet.name)[0] is not SheetKind.FINAL:
            names.setdefault(sheet.player, []).append(sheet.name)
    return {player: found for player, found in names.items() if len(found) > 1}


def orphans(event: Event) -> list[str]:
    """Spare sheets with something written on them that belong to nobody yet."""
    nobody = [sheet for sheet in all_sheets(event) if sheet.player is None]
    with event.database.reading() as connection:
        rows = connection.execute(
            select(tables.box.c.page_id)
            .where(tables.box.c.ink == Ink.WRITTEN.value)
            .where(tables.box.c.page_id.in_([sheet.page_id for sheet in nobody]))
            .distinct()
        )
        written = {row.page_id for row in rows}
    return [sheet.name for sheet in nobody if sheet.page_id is None or sheet.page_id in written]


def used_players(event: Event) -> set[int]:
    """Players of whom the event has a sheet, a ruling or a spare given."""
    with event.database.reading() as connection:
        given = set(spare_players(connection).values())
    return given | {sheet.player for sheet in all_sheets(event) if sheet.player is not None}


def give_spare(event: Event, name: str, player: int | None, who: str = "otbor") -> str:
    """Say whose a spare sheet is (None: nobody's again); returns the sheet's name.

    Raises:
        NotFoundError: There is no such spare or player.
        ConflictError: The player has another spare already.
    """
    sheet = find(event, name)
    if parse_sheet_name(sheet)[0] is not SheetKind.SPARE:
        raise ConflictError(
            _("The sheet {sheet} bears its player's number already.").format(sheet=sheet),
            _("Only spare sheets, named S1, S2 and so on, are given to players."),
        )
    if player is not None and all(entry.number != player for entry in event.players()):
        raise NotFoundError(
            _("There is no player {number} in this event.").format(number=player),
            _("Look the number up in the roster."),
        )
    with event.database.writing() as connection:
        for other, owner in spare_players(connection).items():
            if owner == player and other != sheet:
                raise ConflictError(
                    _("Player {number} has the spare sheet {sheet} already.").format(
                        number=player, sheet=other
                    ),
                    _("Take it back first: “otbor assign EVENT {sheet} --nobody”.").format(
                        sheet=other
                    ),
                )
        payload = {"sheet": sheet, "player": player}
        journal.append(connection, who, Kind.ASSIGN_PLAYER, payload)
    return sheet


def find_page(event: Event, reference: str) -> int:
    """The page that `FILE#PAGE` names.

    Raises:
        NotFoundError: There is none such, or more than one.
    """
    name, _hash, number = reference.rpartition("#")
    with event.database.reading() as connection:
        # Pages of a file that is still being taken in may go again, and their ids to other pages.
        rows = connection.execute(
            select(tables.page.c.id, tables.page.c.number)
            .join(tables.file)
            .where(tables.file.c.name == name, tables.file.c.state == FileState.KEPT.value)
        ).all()
    matching = [row.id for row in rows if str(row.number) == number]
    if len(matching) != 1:
        raise NotFoundError(
            _("There is no page “{reference}”.").format(reference=reference)
            if not matching
            else _("More than one page is called “{reference}”.").format(reference=reference),
            _("Name it as “otbor pages” prints it, such as scan1.pdf#3."),
        )
    return int(matching[0])


def reference_of(connection: Connection, page_id: int) -> str:
    """A page as people name it, `FILE#PAGE`.

    Raises:
        NotFoundError: There is no such page, or its file is still being taken in.
    """
    row = connection.execute(
        select(tables.file.c.name, tables.page.c.number)
        .join(tables.page)
        .where(tables.page.c.id == page_id, tables.file.c.state == FileState.KEPT.value)
    ).first()
    if row is None:
        raise NotFoundError(_("There is no such page."), _("Load the list of pages again."))
    return f"{row.name}#{row.number}"


def name_page(event: Event, page: str | int, name: str, who: str = "otbor") -> str:
    """Say which sheet a page is whose code could not be read; returns the sheet's name.

    Args:
        event: Where.
        page: The page, as `FILE#PAGE` or its id.
        name: The sheet's name.
        who: Who says so.

    Raises:
        NotFoundError: There is no such page or sheet.
        ConflictError: The page is no unknown blank, or of another kind than the sheet.
    """
    page_id, sheet = _page_id(event, page), find(event, name)
    kind, _number = parse_sheet_name(sheet)
    with event.database.writing() as connection:
        reference = reference_of(connection, page_id)
        row = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        fits = row.blank == event.geometry.blank_of(kind).name
        if row.outcome != Outcome.UNKNOWN.value or not fits:
            raise ConflictError(
                _("The page {page} is not a blank without a readable code of this kind.").format(
                    page=reference
                ),
                _("“otbor pages” shows which pages wait for a sheet."),
            )
        # What the page was before, for taking it back.
        before = {"reason": row.reason, "code": row.sheet}
        payload = {"page": reference, "page_id": page_id, "sheet": sheet, "before": before}
        journal.append(connection, who, Kind.ASSIGN_PAGE, payload)
        become(connection, page_id, sheet, time.time())
    return sheet


def become(connection: Connection, page_id: int, sheet: str, at: float) -> None:
    """Let a page be this sheet, by what was said at a time."""
    connection.execute(
        update(tables.page)
        .where(tables.page.c.id == page_id)
        .values(sheet=sheet, outcome=Outcome.SHEET.value)
    )
    settle(connection, page_id, at)


def vacate(connection: Connection, page_id: int) -> None:
    """Let another scan of the sheet, the sharpest, count in a page's place if it counted."""
    heirs = connection.execute(
        select(tables.page.c.id)
        .where(tables.page.c.duplicate_of == page_id)
        .order_by(tables.page.c.sharpness.desc(), tables.page.c.id)
    ).all()
    if heirs:
        _mark(connection, heirs[0].id, Outcome.SHEET)
        connection.execute(
            update(tables.page)
            .where(tables.page.c.duplicate_of == page_id)
            .values(duplicate_of=heirs[0].id)
        )


def _page_id(event: Event, page: str | int) -> int:
    return page if isinstance(page, int) else find_page(event, page)


def choose_page(event: Event, page: str | int, who: str = "otbor") -> str:
    """Make a duplicate the page that counts; rulings on the sheet are taken back.

    They were made of the other picture, so nobody has seen what now counts.

    Args:
        event: Where.
        page: The page, as `FILE#PAGE` or its id.
        who: Who says so.

    Raises:
        NotFoundError: There is no such page.
        ConflictError: The page is not a duplicate.
    """
    from service import rulings

    page_id = _page_id(event, page)
    with event.database.writing() as connection:
        reference = reference_of(connection, page_id)
        row = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
        if row.outcome != Outcome.DUPLICATE.value or row.duplicate_of is None:
            raise ConflictError(
                _("The page {page} is not a duplicate.").format(page=reference),
                _("“otbor pages” shows the duplicates."),
            )
        payload = {
            "page": reference,
            "page_id": page_id,
            "sheet": row.sheet,
            "instead_of": row.duplicate_of,
        }
        journal.append(connection, who, Kind.CHOOSE_PAGE, payload)
        count(connection, page_id, row.duplicate_of)
        rulings.withdraw_sheet(connection, row.sheet, who)
    return str(row.sheet)


def count(connection: Connection, page_id: int, rival: int) -> None:
    """Let a duplicate count in its rival's place."""
    _mark(connection, page_id, Outcome.SHEET)
    _mark(connection, rival, Outcome.DUPLICATE, Reason.SAME_SHEET, page_id)
    connection.execute(
        update(tables.page)
        .where(tables.page.c.duplicate_of == rival, tables.page.c.id != page_id)
        .values(duplicate_of=page_id)
    )
