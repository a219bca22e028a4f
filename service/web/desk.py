"""The desk's page and what its buttons do."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from otbor.errors import InputFileError, NotFoundError
from otbor.i18n import gettext as _
from scanner.placing import Hint
from scoring import roster_search
from service import desk, desk_queue, page_work, rereading, sheets
from service.event import Event
from service.inbox import Inbox
from service.settings import settings
from service.small_work import SmallWork
from service.store import tables
from service.web import desk_view, pictures
from service.web.errors import InputError
from service.web.render import page
from service.web.sessions import DeskWorker, EventHere

router = APIRouter()

MB = 1_000_000
# Written to the disk in pieces of this size, away from the event loop.
PIECE = 1 << 20
LARGEST_SIDE = 4000


class TooLargeError(InputFileError):
    """A file larger than the setting allows."""

    code = "too_large"
    http_status = 413


class SheetBody(BaseModel):
    """Which sheet a page is."""

    sheet: str = Field(max_length=12)


class PlayerBody(BaseModel):
    """Whose a spare sheet is."""

    player: int


class PlaceBody(BaseModel):
    """How a page lies; see `scanner.placing.Hint`."""

    turn: int = 0
    corners: list[tuple[float, float]] = Field(default=[], max_length=4)


class AsideBody(BaseModel):
    """Whether a page is put away, and why."""

    aside: bool = True
    why: str = Field(default="", max_length=400)


class UndoBody(BaseModel):
    """Which entry to take back."""

    entry: int


def inbox_of(request: Request) -> Inbox:
    """The queue of files of this application."""
    inbox: Inbox = request.app.state.inbox
    return inbox


def small_of(request: Request) -> SmallWork:
    """Where single pages are worked on."""
    small: SmallWork = request.app.state.small
    return small


@router.get("/desk", include_in_schema=False)
def desk_page(request: Request, event: EventHere, _account: DeskWorker) -> Response:
    """The page; what is on it comes as data."""
    return page(
        request,
        "desk.html",
        shared={"words": desk_view.words()},
        waiting=len(desk_queue.waiting(event)),
        limit=settings().upload,
    )


@router.get("/api/desk")
def queue(request: Request, event: EventHere, _account: DeskWorker) -> dict[str, Any]:
    """The pages that wait, what was done, the files that come in."""
    return desk_view.state(event, inbox_of(request))


@router.get("/api/desk/players")
def players(
    event: EventHere, _account: DeskWorker, q: Annotated[str, Query(max_length=200)] = ""
) -> list[dict[str, Any]]:
    """Players by number, or by the beginnings of words of name, school and city."""
    return desk_view.players(event, roster_search.search(event.players(), q))


@router.get("/api/desk/page/{page_id}")
def one(page_id: int, event: EventHere, _account: DeskWorker) -> dict[str, Any]:
    """One page that waits, with what helps to decide."""
    return desk_view.detail(event, page_id)


@router.get("/api/desk/page/{page_id}/picture")
def picture(
    page_id: int,
    request: Request,
    event: EventHere,
    _account: DeskWorker,
    turn: int = 0,
    side: Annotated[int, Query(ge=200, le=LARGEST_SIDE)] = 2000,
    v: str = "",
) -> Response:
    """The page as it was scanned, turned clockwise; JPEG."""
    task = rereading.task_of(event, page_id, _hint(turn, []))
    data = small_of(request).run(page_work.picture, task, side)
    return pictures.picture_response(data, bool(v))


@router.get("/api/desk/page/{page_id}/crop/{box}")
def box(page_id: int, box: str, event: EventHere, _account: DeskWorker, v: str = "") -> Response:
    """The picture of one box of any page, JPEG."""
    with event.database.reading() as connection:
        row = connection.execute(
            tables.box.join(tables.page)
            .select()
            .with_only_columns(tables.box.c.start, tables.box.c.size, tables.page.c.pack)
            .where(tables.box.c.page_id == page_id, tables.box.c.key == box)
        ).first()
    if row is None:
        raise NotFoundError(_("There is no such picture."), _("Load the list of pages again."))
    return pictures.picture_response(event.blobs.get(row.pack, row.start, row.size), bool(v))


@router.post("/api/desk/page/{page_id}/name")
def name(page_id: int, body: SheetBody, event: EventHere, account: DeskWorker) -> dict[str, Any]:
    """Say which sheet a page is."""
    return {"sheet": sheets.name_page(event, page_id, body.sheet, account.name)}


@router.post("/api/desk/page/{page_id}/owner")
def owner(page_id: int, body: PlayerBody, event: EventHere, account: DeskWorker) -> dict[str, Any]:
    """Say whose a spare sheet is."""
    with event.database.reading() as connection:
        sheets.reference_of(connection, page_id)
        row = connection.execute(tables.page.select().where(tables.page.c.id == page_id)).one()
    return {"sheet": sheets.give_spare(event, row.sheet or "", body.player, account.name)}


@router.post("/api/desk/page/{page_id}/place")
def place(
    page_id: int, body: PlaceBody, request: Request, event: EventHere, account: DeskWorker
) -> dict[str, Any]:
    """Say how a page lies; it is read again."""
    hint = _hint(body.turn, body.corners)
    outcome = rereading.read_again(event, page_id, hint, account.name, work=_elsewhere(request))
    return {"outcome": outcome.value, "read": _has_boxes(event, page_id)}


@router.post("/api/desk/page/{page_id}/choose")
def choose(page_id: int, event: EventHere, account: DeskWorker) -> dict[str, Any]:
    """Let this duplicate count."""
    return {"sheet": sheets.choose_page(event, page_id, account.name)}


@router.post("/api/desk/page/{page_id}/aside")
def put_aside(
    page_id: int, body: AsideBody, event: EventHere, account: DeskWorker
) -> dict[str, Any]:
    """Put a page away, or bring it back."""
    return {"page": desk.set_aside(event, page_id, body.aside, account.name, body.why)}


@router.post("/api/desk/undo")
def undo(body: UndoBody, request: Request, event: EventHere, account: DeskWorker) -> dict[str, Any]:
    """Take back one thing that the desk did."""
    work = _elsewhere(request)
    entry = desk.undo(
        event,
        body.entry,
        account.name,
        lambda page_id: rereading.read_again(event, page_id, None, account.name, work=work),
    )
    return {"entry": entry.id}


@router.post("/api/desk/files")
async def receive(
    request: Request,
    account: DeskWorker,
    name: Annotated[str, Query(max_length=400)] = "scan",
    keep: bool = False,
) -> dict[str, Any]:
    """A file as the body of the request; it is taken in when all of it is here.

    With `keep` it is kept even if nothing in it is recognised: its corners are then marked at the desk.
    """
    limit = settings().upload * MB
    inbox = inbox_of(request)
    expected = request.headers.get("content-length", "")
    if expected.isdigit() and int(expected) > limit:
        raise _too_large(name)
    part = inbox.place()
    try:
        size = await _write(request, part, limit, name)
        if size == 0:
            raise InputFileError(
                _("The file {name} is empty.").format(name=name), _("Scan or save it again.")
            )
        add = partial(inbox.add_upload, part, name, account.name, keep=keep)
        job = await to_thread.run_sync(add)
    except ClientDisconnect as error:
        raise InputError(
            _("The upload was cut off; nothing was kept."), _("Send it again.")
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return {"job": job.id, "name": job.name}


async def _write(request: Request, part: Any, limit: int, name: str) -> int:
    """Write the body to a file and on to the disk; returns its size."""
    size = 0
    waiting = bytearray()
    with part.open("wb") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > limit:
                raise _too_large(name)
            waiting += chunk
            if len(waiting) >= PIECE:
                await to_thread.run_sync(file.write, bytes(waiting))
                waiting.clear()
        file.write(waiting)
        file.flush()
        await to_thread.run_sync(os.fsync, file.fileno())
    return size


def _too_large(name: str) -> TooLargeError:
    return TooLargeError(
        _("The file {name} is larger than {limit} MB.").format(name=name, limit=settings().upload),
        _("Send it in parts, or take it in with “otbor scan”."),
    )


def _hint(turn: int, corners: list[tuple[float, float]]) -> Hint | None:
    try:
        hint = Hint(turn % 360, tuple(corners))
    except ValueError as error:
        raise InputError(
            _("These corners cannot be those of a page."),
            _("Mark the middles of the four corner marks once more, or set the page aside."),
        ) from error
    return None if hint == Hint() else hint


def _elsewhere(request: Request) -> Callable[[page_work.PageTask], Any]:
    small = small_of(request)
    return lambda task: small.run(page_work.work, task)


def _has_boxes(event: Event, page_id: int) -> bool:
    with event.database.reading() as connection:
        row = connection.execute(
            tables.box.select().where(tables.box.c.page_id == page_id).limit(1)
        ).first()
    return row is not None
