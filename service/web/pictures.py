"""Pictures: a box, its place on the page, a whole page."""

from __future__ import annotations

from typing import Annotated, Any

import cv2
import numpy as np
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scanner.codes import parse_sheet_name
from scanner.contracts import Box
from scanner.geometry import AnswerBox, Blank, Rect, SheetKind
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM
from service import answers, kept_from
from service.event import Event
from service.web.sessions import EventHere, Juror, PagesReader, juror

router = APIRouter(prefix="/api")
Image = NDArray[Any]
"""A grey picture as OpenCV gives it."""

# The address of a picture changes with its content (`v`), so a browser may keep it without asking again.
# `private`: these are answers of children, not for a proxy on the way.
KEEP = {"Cache-Control": "private, max-age=31536000, immutable"}
# Without that mark the address may come to mean another picture.
ASK_AGAIN = {"Cache-Control": "private, no-cache"}

# How much of the page is shown above and below a box, mm: two boxes more.
AROUND_MM = 22.0
SIDE_MM = 5.0
# Kept free above the topmost heading: higher up stands the player's name.
BELOW_NAME_MM = 0.5
SMALL_SIDE = 320
# Crops that are looked for at one time; each takes a millisecond.
AT_ONCE = 2


@router.get("/crop/{sheet}/{box}")
async def crop(
    request: Request,
    sheet: str,
    box: str,
    event: EventHere,
    page: Annotated[int | None, Query()] = None,
    v: str = "",
) -> Response:
    """The picture of one box, JPEG."""

    def found() -> bytes:
        account = juror(request)
        with event.database.reading():
            kept_from.require(event, account, sheet, page)
            return answers.crop(event, sheet, box, page)

    data = await to_thread.run_sync(found, limiter=_limiter(request))
    return picture_response(data, bool(v))


@router.get("/around/{sheet}/{box}")
def around(
    sheet: str, box: str, page: int, event: EventHere, account: Juror, v: str = ""
) -> Response:
    """The surroundings of one box, JPEG; the part of the page with the name is left out."""
    kept_from.require(event, account, sheet, page)
    return picture_response(surroundings(event, sheet, box, page), bool(v))


@router.get("/page/{page_id}")
def whole_page(
    page_id: int, event: EventHere, _account: PagesReader, small: bool = False, v: str = ""
) -> Response:
    """The picture of a whole page, JPEG; `small` for a list of many."""
    data = answers.page_picture(event, page_id)
    if small:
        image = _decoded(data, cv2.IMREAD_REDUCED_GRAYSCALE_2)
        scale = SMALL_SIDE / max(image.shape)
        data = _jpeg(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    return picture_response(data, bool(v))


def _limiter(request: Request) -> CapacityLimiter:
    """Lets pictures wait for each other: six browsers ask for 36 at once, and rulings come between."""
    state = request.app.state
    if not hasattr(state, "pictures_at_once"):
        state.pictures_at_once = CapacityLimiter(AT_ONCE)
    limiter: CapacityLimiter = state.pictures_at_once
    return limiter


def surroundings(event: Event, sheet: str, box: str, page_id: int) -> bytes:
    """A piece of the page around a box, JPEG, with a frame around the box.

    What is kept of a whole page is coarse, so the crops of the boxes are laid over it.

    Raises:
        NotFoundError: There is no such picture.
    """
    blank, chosen = _box(event, sheet, box)
    window = _window(blank, chosen)
    page = _decoded(answers.page_picture(event, page_id))
    scale = PX_PER_MM * blank.paper.height / page.shape[0]
    left, top = round(window.x * PX_PER_MM / scale), round(window.y * PX_PER_MM / scale)
    right, bottom = (
        round(window.right * PX_PER_MM / scale),
        round(window.bottom * PX_PER_MM / scale),
    )
    size = (round(window.width * PX_PER_MM), round(window.height * PX_PER_MM))
    picture = cv2.resize(page[top:bottom, left:right], size, interpolation=cv2.INTER_CUBIC)
    near_by: list[Box] = [*blank.boxes, *(field for field in blank.fields if not field.spare_only)]
    for near in near_by:
        rect = near.rect.grown(CROP_MARGIN_MM)
        inside = window.y <= rect.y and rect.bottom <= window.bottom
        if inside and window.x <= rect.x and rect.right <= window.right:
            _lay(picture, _decoded(answers.crop(event, sheet, near.key, page_id)), rect, window)
    frame = chosen.rect.grown(CROP_MARGIN_MM + 0.3)
    corners = [
        (round((x - window.x) * PX_PER_MM), round((y - window.y) * PX_PER_MM))
        for x, y in (frame.corners()[0], frame.corners()[2])
    ]
    cv2.rectangle(picture, corners[0], corners[1], 0, 4)
    return _jpeg(picture)


def _box(event: Event, sheet: str, box: str) -> tuple[Blank, Box]:
    try:
        kind, _number = parse_sheet_name(sheet)
        blank = event.geometry.blank_of(kind)
        if kind is SheetKind.FINAL:
            return blank, next(found for found in blank.fields if found.key == box)
        return blank, next(found for found in blank.boxes if found.key == box)
    except (ValueError, StopIteration):
        pass
    raise NotFoundError(
        _("There is no picture of box {box} on sheet {sheet}.").format(box=box, sheet=sheet),
        _("Go back to the question and open it again."),
    )


def _window(blank: Blank, box: Box) -> Rect:
    """What is shown around a box: its column, some boxes up and down, never the head of the page."""
    headings = [rect.y for _theme, rect in blank.headings]
    # A final sheet has no headings: there the topmost field is far below the name.
    highest = min(headings or [field.rect.y - AROUND_MM / 2 for field in blank.fields])
    top = max(highest - BELOW_NAME_MM, box.rect.y - AROUND_MM)
    bottom = min(blank.paper.height, box.rect.bottom + AROUND_MM)
    left = max(0.0, (box.label if isinstance(box, AnswerBox) else box.rect).x - SIDE_MM)
    right = min(blank.paper.width, box.rect.right + SIDE_MM)
    return Rect(left, top, right - left, bottom - top)


def _lay(picture: Image, crop: Image, rect: Rect, window: Rect) -> None:
    """Lay a crop over its place."""
    x, y = round((rect.x - window.x) * PX_PER_MM), round((rect.y - window.y) * PX_PER_MM)
    place = picture[y : y + crop.shape[0], x : x + crop.shape[1]]
    place[:] = crop[: place.shape[0], : place.shape[1]]


def picture_response(data: bytes, versioned: bool) -> Response:
    """A JPEG; kept by the browser for good if its address changes with it."""
    return Response(data, media_type="image/jpeg", headers=KEEP if versioned else ASK_AGAIN)


def _decoded(data: bytes, how: int = cv2.IMREAD_GRAYSCALE) -> Image:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    if image is None:
        raise NotFoundError(_("This picture is damaged."), _("Scan the sheet again."))
    return image


def _jpeg(image: Image) -> bytes:
    _done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return data.tobytes()
