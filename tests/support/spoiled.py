"""Scans of sheets that lack what the scanner needs: corner marks, codes."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw
from small_event import DPI

from scanner.geometry import Rect, SheetKind, default

PER_MM = DPI / 25.4


def without(image: Image.Image, *rects: Rect, shade: int = 237) -> Image.Image:
    """The page with some places painted over, mm on the blank."""
    made = image.copy()
    for rect in rects:
        area = [PER_MM * value for value in (rect.x, rect.y, rect.right, rect.bottom)]
        ImageDraw.Draw(made).rectangle(area, fill=shade)
    return made


def without_marks(
    image: Image.Image,
    which: Sequence[int] = (0, 1, 2, 3),
    kind: SheetKind = SheetKind.PERSONAL,
) -> Image.Image:
    """The page without corner marks."""
    markers = default().blank_of(kind).markers
    return without(image, *(markers[index].rect.grown(0.5) for index in which))


def without_codes(image: Image.Image, kind: SheetKind = SheetKind.PERSONAL) -> Image.Image:
    """The page without a readable code."""
    return without(image, *default().blank_of(kind).codes, shade=90)


def marks(
    kind: SheetKind = SheetKind.PERSONAL, off_mm: float = 0.0
) -> tuple[tuple[float, float], ...]:
    """The middles of the corner marks as a person points at them on an upright scan of the whole sheet.

    Args:
        kind: Of the sheet.
        off_mm: By how much each is missed, in different directions.
    """
    blank = default().blank_of(kind)
    misses = ((1, -1), (-1, 1), (1, 1), (-1, -1))
    return tuple(
        (
            (marker.rect.x + marker.rect.width / 2 + off_mm * across) / blank.paper.width,
            (marker.rect.y + marker.rect.height / 2 + off_mm * down) / blank.paper.height,
        )
        for marker, (across, down) in zip(blank.markers, misses, strict=True)
    )
