"""The filled sheet as it lies on the scanner: the printed blank with ink on it, no scan effects yet."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from otbor.i18n import speaking
from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from samples.event_files import SampleEvent
from samples.fill import OVER, fill_box, write_free
from samples.hands.contracts import Hand, Mask
from samples.plan import PlannedSheet
from scanner.geometry import Geometry, Rect, SheetKind
from scoring.model import Player

Picture = NDArray[np.uint8]
"""Shape (height, width) if grey, (height, width, 3) red, green, blue if coloured; 255 is white."""

MM_PER_INCH = 25.4

# Where the printer leaves lines for the name and the school on a blank that is only numbered, mm.
NAME_LINE = Rect(48.0, 24.5, 74.0, 9.2)
SCHOOL_LINE = Rect(48.0, 32.7, 74.0, 9.2)


def print_blanks(
    event: SampleEvent, event_code: str, geometry: Geometry, sheets: Sequence[PlannedSheet]
) -> bytes:
    """The printed blanks as a PDF, a page for each planned sheet, in Russian."""
    about = BlankEvent(
        code=event_code,
        title=event.title,
        place=event.place,
        date=event.date,
        nominals=event.regulation.nominals,
        theme_titles=tuple(theme.title for theme in event.key.themes),
    )
    with speaking("ru"):
        return blanks_pdf(geometry, about, [_to_print(sheet, event) for sheet in sheets])


def _to_print(sheet: PlannedSheet, event: SampleEvent) -> SheetToPrint:
    if sheet.kind is not SheetKind.PERSONAL:
        return SheetToPrint(sheet.kind, sheet.number)
    # A grown sample has more numbers than people: names come round again.
    count = len(event.players)
    player = event.players[(sheet.player - 1) % count]
    return SheetToPrint(sheet.kind, sheet.number, player.name, player.category, player.school)


def render(pdf: bytes, index: int, dpi: float, coloured: bool) -> Picture:
    """One page of a PDF as a picture."""
    document = pdfium.PdfDocument(pdf)
    try:
        page = document[index]
        bitmap = page.render(
            scale=dpi / 72, grayscale=not coloured, rev_byteorder=coloured, prefer_bgrx=False
        )
        return np.array(bitmap.to_numpy(), dtype=np.uint8).squeeze()
    finally:
        document.close()


def px_per_mm(picture: Picture, paper: Rect) -> tuple[float, float]:
    """Pixels a millimetre of a rendered page, across and down (a page is rounded up to pixels)."""
    return picture.shape[1] / paper.width, picture.shape[0] / paper.height


def put_ink(
    picture: Picture, paper: Rect, opacity: Mask, rect: Rect, colour: tuple[int, int, int]
) -> None:
    """Ink over paper and print, in place.

    Args:
        picture: The page.
        paper: Its size, mm.
        opacity: Of the ink, 0 to 255, for the whole of `rect`.
        rect: Where, mm.
        colour: Of the ink: red, green, blue.
    """
    across, down = px_per_mm(picture, paper)
    left, right = round(rect.x * across), round(rect.right * across)
    top, bottom = round(rect.y * down), round(rect.bottom * down)
    size = (right - left, bottom - top)
    ink = cv2.resize(opacity, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    place = picture[top:bottom, left:right]
    if picture.ndim == 2:
        red, green, blue = colour
        shade = (0.299 * red + 0.587 * green + 0.114 * blue) / 255
        place[:] = np.round(place * (1 - ink * (1 - shade)))
        return
    shades = np.array(colour, dtype=np.float32) / 255
    place[:] = np.round(place * (1 - ink[..., None] * (1 - shades)))


def fill_page(
    picture: Picture,
    geometry: Geometry,
    sheet: PlannedSheet,
    player: Player,
    hand: Hand,
    seed: Sequence[int],
) -> None:
    """Write a whole planned sheet onto its printed page, in place.

    Args:
        picture: The printed page.
        geometry: The blank's.
        sheet: What to write.
        player: Who writes; a spare blank gets the name and the number by hand.
        hand: How.
        seed: Random numbers of this sheet; every box has its own, so that boxes don't depend on others.
    """
    blank = geometry.blank_of(sheet.kind)
    for box in sheet.boxes:
        rect = blank.box(box.theme, box.row).rect
        rng = np.random.default_rng([*seed, box.theme, box.row])
        opacity = fill_box(hand, box, (rect.width, rect.height), rng)
        if opacity is not None:
            put_ink(picture, blank.paper, opacity, rect.grown(OVER), hand.pen.colour)
    if sheet.kind is SheetKind.PERSONAL:
        return
    rng = np.random.default_rng([*seed, 0, 0])
    texts = [(NAME_LINE, player.name), (SCHOOL_LINE, f"{player.category}, {player.school}")]
    for field in blank.fields:
        digits = str(player.number)
        # Numbers are written from the first cell on, or with noughts to fill all cells.
        if rng.random() < 0.5:
            digits = digits.zfill(len(field.cells))
        texts += list(zip(field.cells, digits, strict=False))
    for rect, text in texts:
        opacity = write_free(hand, text, (rect.width, rect.height), rng)
        put_ink(picture, blank.paper, opacity, rect.grown(OVER), hand.pen.colour)


def pasted_over(picture: Picture, paper: Rect, rects: Sequence[Rect], seed: Sequence[int]) -> None:
    """Stick pale notes over places of the page, a little askew, in place."""
    rng = np.random.default_rng([*seed, 7])
    across, down = px_per_mm(picture, paper)
    for rect in rects:
        middle = ((rect.x + rect.width / 2) * across, (rect.y + rect.height / 2) * down)
        size = ((rect.width + 3.6) * across, (rect.height + 3.6) * down)
        corners = cv2.boxPoints((middle, size, float(rng.uniform(-4, 4))))
        colour = (244, 232, 150) if picture.ndim == 3 else 228
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), colour, cv2.LINE_AA)
