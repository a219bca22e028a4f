"""The desk for the browser: the queue, one page with what helps to decide, what was done."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from scanner.codes import parse_sheet_name
from scanner.contracts import Ink, Reason
from scanner.geometry import SheetKind
from scoring.model import Player
from service import desk, desk_queue, number_boxes, sheets, wording
from service.desk_queue import Need, Waiting
from service.event import Event
from service.inbox import Inbox, Job, JobState
from service.journal import Entry, Kind
from service.store import tables
from service.web.wall_view import picture_versions

MOST_DONE = 40
MOST_SUGGESTED = 3


def need_name(need: Need) -> str:
    """What a page needs, in a few words."""
    return {
        Need.NAME: _("whose sheet is it?"),
        Need.OWNER: _("whose spare sheet is it?"),
        Need.PLACE: _("where are the corners?"),
        Need.CHOOSE: _("which scan counts?"),
        Need.LOOK: _("scan again or set aside"),
    }[need]


def state(event: Event, inbox: Inbox) -> dict[str, Any]:
    """Everything that the page shows before a page of paper is opened."""
    with event.database.reading():
        versions = picture_versions(event)
        items = [_listed(item, versions) for item in desk_queue.waiting(event)]
        return {
            "items": items,
            "done": _done(event),
            "aside": [
                {"id": page_id, "title": f"{record.file}, {record.number}"}
                for page_id, record in desk_queue.aside(event)
            ],
            "jobs": [_job(job) for job in inbox.jobs()],
            "busy": inbox.busy(),
        }


def _listed(item: Waiting, versions: dict[int, str]) -> dict[str, Any]:
    record = item.record
    version = versions[item.page_id]
    return {
        "id": item.page_id,
        "need": item.need.value,
        "asks": need_name(item.need),
        "title": _("Sheet {sheet}").format(sheet=record.sheet)
        if record.sheet
        else wording.outcome_name(record.outcome).capitalize(),
        "file": record.file,
        "page": record.number,
        "picture": f"/api/page/{item.page_id}?v={version}" if item.row.thumbnail_size else "",
        "version": version,
    }


def detail(event: Event, page_id: int) -> dict[str, Any]:
    """One page with its suggestions.

    Raises:
        NotFoundError: It does not wait for anybody (any more).
    """
    with event.database.reading():
        item = next((item for item in desk_queue.waiting(event) if item.page_id == page_id), None)
        if item is None:
            raise NotFoundError(
                _("This page does not wait for anybody any more."), _("Go on with the next one.")
            )
        row = item.row
        data = {
            **_listed(item, picture_versions(event)),
            "why": why(item),
            "turn": _upright(row),
            "blank": row.blank,
            "boxes": [],
            "suggested": [],
            "pairs": [],
        }
        if item.need in (Need.NAME, Need.OWNER):
            data["suggested"] = _suggested(event, item)
            data["number_box"] = _has_box(event, page_id, number_boxes.NUMBER)
        if item.need is Need.CHOOSE:
            data |= _comparison(event, row)
        return data


def why(item: Waiting) -> str:
    """What is the matter, without the command line's way to mend it."""
    record = item.record
    return {
        Need.NAME: {
            Reason.BAD_CODE: _(
                "The two codes on this blank contradict each other: {sheets}."
            ).format(sheets=record.detail or "?"),
            Reason.NO_SUCH_SHEET: _(
                "The code says {sheet}, but there is no such sheet here."
            ).format(sheet=record.sheet),
        }.get(record.reason, _("A blank of this event, but its code cannot be read.")),
        Need.OWNER: _(
            "A spare sheet with answers on it. The player wrote name and number at the top."
        ),
        Need.PLACE: _("The corner marks of a blank are not found, so the boxes cannot be cut out."),
        Need.CHOOSE: _(
            "Sheet {sheet} was scanned twice, and the two do not hold the same answers."
        ).format(sheet=record.sheet),
    }.get(item.need, "") or wording.explain(record)


def _upright(row: Any) -> int:
    """By how many quarter turns, in degrees, the picture as scanned must be turned to stand upright."""
    if row.manual and row.manual.get("turn"):
        return int(row.manual["turn"])
    return int(round(-row.turned / 90) % 4 * 90) if row.blank else 0


def _suggested(event: Event, item: Waiting) -> list[dict[str, Any]]:
    """Whose it may be: by the codes that contradict each other, and by the number's boxes."""
    numbers = []
    if item.record.reason is Reason.BAD_CODE:
        for name in item.record.detail.split(", "):
            try:
                numbers.append(parse_sheet_name(name)[1])
            except ValueError:
                continue
    numbers += number_boxes.suggest_number(event, item.page_id)
    by_number = {player.number: player for player in event.players()}
    seen = dict.fromkeys(number for number in numbers if number in by_number)
    found = [by_number[number] for number in list(seen)[:MOST_SUGGESTED]]
    return players(event, found)


def players(event: Event, found: list[Player]) -> list[dict[str, Any]]:
    """Players as the search shows them; `has` names the answer sheet that counts for them already."""
    has = sheets.player_sheets(event)
    return [
        {
            "number": player.number,
            "name": player.name,
            "category": player.category,
            "school": ", ".join(part for part in (player.school, player.city) if part),
            "has": has.get(player.number, ""),
        }
        for player in found
    ]


def _has_box(event: Event, page_id: int, key: str) -> bool:
    query = select(tables.box.c.key).where(
        tables.box.c.page_id == page_id,
        tables.box.c.key == key,
        tables.box.c.ink == Ink.WRITTEN.value,
    )
    with event.database.reading() as connection:
        return connection.execute(query).first() is not None


def _comparison(event: Event, row: Any) -> dict[str, Any]:
    """Two scans of a sheet: the boxes that differ, then the other written ones."""
    query = select(tables.box.c.page_id, tables.box.c.key, tables.box.c.ink).where(
        tables.box.c.page_id.in_([row.id, row.duplicate_of])
    )
    ink: dict[str, dict[int, str]] = {}
    with event.database.reading() as connection:
        for box in connection.execute(query):
            ink.setdefault(box.key, {})[box.page_id] = box.ink
        rival = sheets.reference_of(connection, row.duplicate_of)
    written = [
        key for key, found in ink.items() if Ink.WRITTEN.value in found.values() and len(found) == 2
    ]
    written.sort(key=lambda key: (key not in row.differs, _box_order(event, key)))
    versions = picture_versions(event)
    return {
        "rival": {
            "id": row.duplicate_of,
            "name": rival,
            "picture": f"/api/page/{row.duplicate_of}?v={versions[row.duplicate_of]}",
            "version": versions[row.duplicate_of],
        },
        "rulings": desk.standing_rulings(event, row.sheet),
        "pairs": [
            {
                "box": key,
                "name": _box_name(event, key),
                "differs": key in row.differs,
                "ink": [
                    wording.ink_name(Ink(ink[key][page])) for page in (row.duplicate_of, row.id)
                ],
            }
            for key in written
        ],
    }


def _box_order(event: Event, key: str) -> tuple[int, int, str]:
    for box in event.geometry.blank_of(SheetKind.PERSONAL).boxes:
        if box.key == key:
            return (box.theme, box.row, key)
    return (99, 99, key)


def _box_name(event: Event, key: str) -> str:
    theme, row, _key = _box_order(event, key)
    nominals = event.regulation().nominals
    return f"{theme}–{nominals[row - 1]}" if 0 < row <= len(nominals) else key


# --- what was done, and what comes in -----------------------------------------------------------


def _done(event: Event) -> list[dict[str, Any]]:
    entries = desk.done(event)
    open_ = desk.undoable(entries)
    by_number = {player.number: player.name for player in event.players()}
    return [
        {
            "id": entry.id,
            "at": entry.at,
            "who": entry.who,
            "text": _told(entry, by_number),
            "undo": entry.id in open_,
        }
        for entry in entries[-MOST_DONE:][::-1]
    ]


def _told(entry: Entry, names: dict[int, str]) -> str:
    """An entry of the desk as a sentence."""
    said = entry.payload
    page, sheet = said.get("page", ""), said.get("sheet")
    if entry.kind is Kind.ASSIGN_PLAYER:
        if said["player"] is None:
            return _("Spare sheet {sheet} is nobody's again").format(sheet=sheet)
        return _("Spare sheet {sheet} is {number}, {name}").format(
            sheet=sheet, number=said["player"], name=names.get(said["player"], "?")
        )
    if entry.kind is Kind.ASSIGN_PAGE:
        if sheet is None:
            return _("{page} has no name again").format(page=page)
        return _("{page} is sheet {sheet}").format(page=page, sheet=sheet)
    if entry.kind is Kind.CHOOSE_PAGE:
        return _("{page} counts for sheet {sheet}").format(page=page, sheet=sheet)
    if entry.kind is Kind.SET_ASIDE:
        if said["aside"]:
            return _("{page} set aside").format(page=page)
        return _("{page} brought back").format(page=page)
    if said["manual"] is None:
        return _("{page} read again as it came").format(page=page)
    if said["manual"].get("corners"):
        return _("{page} read again by marked corners").format(page=page)
    return _("{page} turned by {degrees}°").format(page=page, degrees=said["manual"]["turn"])


def _job(job: Job) -> dict[str, Any]:
    return {
        "id": job.id,
        "name": job.name,
        "who": job.who,
        "state": job.state.value,
        "done": sum(job.counts.values()),
        "said": _job_said(job),
        "bad": job.state is JobState.FAILED or (job.state is JobState.DONE and not job.kept),
    }


def _job_said(job: Job) -> str:
    if job.state is JobState.WAITING:
        return _("waits")
    if job.state is JobState.FAILED:
        return job.problem
    counts = ", ".join(
        f"{wording.outcome_name(outcome)}: {count}" for outcome, count in sorted(job.counts.items())
    )
    if job.state is JobState.RUNNING:
        return counts or _("is opened")
    if job.already:
        return _("was taken in before; nothing changed")
    if not job.kept:
        reason = wording.explain(job.records[0]) if len(job.records) == 1 else counts
        return _("nothing of this event in it, so it is not kept.") + f" {reason}"
    return counts


def words() -> dict[str, str]:
    """The words of the browser's part, by name."""
    return {
        "nothing": _("No page needs a person."),
        "nothing_hint": _("What comes in and cannot be read by itself appears here."),
        "waiting": pgettext("desk", "Pages that need a person: {n}"),
        "all": pgettext("desk", "all"),
        "page": _("{file}, page {page}"),
        "aside": _("Set aside"),
        "bring_back": _("Bring back"),
        "undo": _("Undo"),
        "search": _("Number, name or school"),
        "search_none": _("Nobody in the roster fits."),
        "suggested": _("Perhaps"),
        "has": _("has sheet {sheet} already"),
        "other_sheet": _("It is sheet {sheet}"),
        "number_written": _("The number as written"),
        "head_written": _("The top of the page"),
        "corners_how": _(
            "Turn the picture upright, then point at the middles of the four corner marks, in any order."
        ),
        "corners_gone": _(
            "A mark is missing? Point at where its middle would be; the frames do the rest."
        ),
        "turn_left": _("Turn left"),
        "turn_right": _("Turn right"),
        "clear": _("Clear the points"),
        "read_again": _("Read again"),
        "points": _("Points: {n} of 4"),
        "reading": _("Reading…"),
        "now_counts": _("Counts now"),
        "other_scan": _("The other scan"),
        "keep_this": _("Keep this one"),
        "take_this": _("This one counts"),
        "rulings_lost": _("Rulings on this sheet that are taken back if you choose it: {n}."),
        "differs": _("differs"),
        "same_answers": _("The other answers"),
        "whole_page": _("The whole page"),
        "back": _("Back to the list"),
        "done_aside": _("Set aside."),
        "done_named": _("Done: {what}."),
        "done_placed": _("The page is read."),
        "done_turned": _("The page is turned, but its boxes are not found. Mark the four corners."),
        "done_chosen": _("This scan counts now."),
        "done_undone": _("Taken back."),
        "no_connection": _("The server does not answer."),
        "no_connection_hint": _("Try again in a moment."),
        "sending": _("is sent: {percent} %"),
        "not_sent": _("was not sent."),
    }
