"""What people entered of the final, line by line in the journal, and what holds of it now.

A line says some things of one player: the stake as it is read, the stake that the chief set. Of each the
newest line counts, if the scan that was looked at still is the one that counts (`page`; 0 where no sheet
was handed in; lines from files name none). Taking lines back is another line. Verdicts are rulings like
all others (`service.rulings`, box `answer` of the final sheet); lines of earlier versions hold verdicts
too, which count where there is no ruling.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from jury.boxes import FINAL_BOX
from scanner.codes import sheet_name
from scanner.geometry import SheetKind
from scoring.model import Verdict
from scoring.stakes import StakeSheet
from service import journal, number_boxes, rulings
from service.event import Event
from service.journal import Kind


@dataclass(frozen=True, slots=True)
class FinalEntry:
    """One line: `data` holds what it says of the player; `back` is True once it has been taken back."""

    id: int
    at: float
    who: str
    why: str
    number: int
    data: dict[str, Any]
    batch: str = ""
    back: bool = False
    page: int | None = None


def entries(event: Event) -> list[FinalEntry]:
    """All lines ever entered, oldest first."""
    with event.database.reading() as connection:
        return entries_in(connection)


def entries_in(connection: Connection) -> list[FinalEntry]:
    """As `entries`, inside a transaction."""
    lines = journal.entries(connection, Kind.FINAL)
    back = {int(id_) for line in lines for id_ in line.payload.get("back", ())}
    return [
        FinalEntry(
            line.id,
            line.at,
            line.who,
            line.why,
            int(line.payload["number"]),
            {key: line.payload[key] for key in _SAID if key in line.payload},
            line.payload.get("batch", ""),
            line.id in back,
            line.payload.get("page"),
        )
        for line in lines
        if "number" in line.payload
    ]


NO_SHEET = 0
_SAID = ("stakes", "unreadable", "verdict", "ruled")


def standing(event: Event) -> list[FinalEntry]:
    """The lines that hold, oldest first."""
    pages = number_boxes.final_pages(event)
    return [
        entry
        for entry in entries(event)
        if not entry.back and entry.page in (None, pages.get(entry.number, NO_SHEET))
    ]


def sheets(event: Event) -> dict[int, StakeSheet]:
    """What is entered of every player."""
    said: dict[int, dict[str, Any]] = {}
    for entry in standing(event):
        said.setdefault(entry.number, {}).update(entry.data)
    judged = {
        int(name.removeprefix(SheetKind.FINAL.value)): verdict
        for (name, _box), verdict in rulings.current(event, FINAL_BOX).items()
    }
    return {
        number: _sheet(number, said.get(number, {}), judged.get(number))
        for number in sorted(said.keys() | judged.keys())
    }


def _sheet(number: int, said: dict[str, Any], judged: Verdict | None) -> StakeSheet:
    written = said.get("verdict")
    return StakeSheet(
        number=number,
        stakes=tuple(said.get("stakes", ())),
        unreadable=bool(said.get("unreadable")),
        verdict=judged or (Verdict(written) if written else None),
        ruled=said.get("ruled"),
    )


def staked(event: Event) -> dict[int, int]:
    """The players of whom a stake is entered, with the line that says it."""
    return {entry.number: entry.id for entry in standing(event) if "stakes" in entry.data}


def append(
    connection: Connection, who: str, lines: Sequence[tuple[int, dict[str, Any]]], why: str = ""
) -> str:
    """Enter lines given together, each a player and what is said of them; returns their batch."""
    batch = secrets.token_hex(8)
    for number, data in lines:
        journal.append(connection, who, Kind.FINAL, {"number": number, **data, "batch": batch}, why)
    return batch


def take_back_last(connection: Connection, who: str) -> list[int]:
    """Take back the last lines that somebody entered together and that still stand.

    What others have said of these players since then stays.

    Returns:
        The players; empty if there is nothing to take back.
    """
    own = [entry for entry in entries_in(connection) if entry.who == who and not entry.back]
    if not own:
        return []
    last = own[-1]
    together = [entry for entry in own if entry.batch == last.batch] if last.batch else [last]
    payload = {"back": [entry.id for entry in together]}
    journal.append(connection, who, Kind.FINAL, payload)
    return [entry.number for entry in together]


def said_of(sheet: StakeSheet) -> dict[str, Any]:
    """A sheet out of a file as a line says it; its verdict is a ruling."""
    return {
        "stakes": list(sheet.stakes),
        "unreadable": sheet.unreadable,
        "ruled": sheet.ruled,
    }


def final_sheet(number: int) -> str:
    """The name of a player's final sheet."""
    return sheet_name(SheetKind.FINAL, number)
