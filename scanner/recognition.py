"""One page from pixels to boxes: the scanner's main flow.

    register → rectify → code → every box: frame, ink, crop → readings

Nothing here knows about files, databases or who plays; it runs in a worker process.
"""

from __future__ import annotations

import cv2
import numpy as np

from otbor.errors import EngineError
from scanner.code_reading import find_codes, read_codes
from scanner.codes import SheetCode
from scanner.contracts import (
    Box,
    BoxResult,
    Gray,
    Ink,
    Outcome,
    PageResult,
    Reader,
    Reading,
    Reason,
)
from scanner.geometry import Blank, Field, Geometry, Rect, SheetKind
from scanner.ink import FRAME_MM, clean_crop, find_ink
from scanner.rectify import PX_PER_MM, Page, box_shifts, rectify
from scanner.registration import Found, Registration, find_fiducials, register

# What a crop shows around its frame: answers stick out by a millimetre or so.
CROP_MARGIN_MM = 1.2
CROP_QUALITY = 80
THUMBNAIL_SIDE = 1000
THUMBNAIL_QUALITY = 60
# A page with less than this share of dark pixels has nothing on it. Ten words of print have more.
EMPTY_SHARE = 0.0004


def recognise(
    gray: Gray, geometry: Geometry, event: str, reader: Reader | None = None
) -> PageResult:
    """Tell what a page is and cut its boxes.

    Args:
        gray: The page as scanned, any turn; shape (height, width).
        geometry: The blanks that may come.
        event: The event's five characters; blanks of other events are foreign.
        reader: Reads the written boxes; None leaves them without readings.

    Returns:
        Never `duplicate`: whether the sheet is there already only the service knows.
    """
    found = find_fiducials(gray, geometry)
    registration = register(found)
    elsewhere: list[SheetCode] = []
    if registration is None:
        registration, elsewhere = _register_by_codes(gray, found, geometry)
    if registration is None:
        return _unregistered(gray, found, elsewhere, event)
    page = rectify(gray, registration)
    codes = read_codes(page, registration.blank) or set(elsewhere)
    return _registered(gray, page, registration, codes, geometry, event, reader)


def _register_by_codes(
    gray: Gray, found: list[Found], geometry: Geometry
) -> tuple[Registration | None, list[SheetCode]]:
    """With fewer than three fiducials the codes themselves are anchors."""
    codes = find_codes(gray)
    if not codes or not found:
        return None, [code for code, _ in codes]
    blank = found[0].blank
    # Which of the blank's two places a code is at is not written in it: the better fit tells.
    trials = []
    for order in (blank.codes, blank.codes[::-1]):
        anchors = [(rect, corners) for rect, (_, corners) in zip(order, codes, strict=False)]
        trial = register(found, anchors)
        if trial is not None:
            trials.append(trial)
    best = min(trials, key=lambda trial: trial.residual, default=None)
    return best, [code for code, _ in codes]


def _unregistered(gray: Gray, found: list[Found], codes: list[SheetCode], event: str) -> PageResult:
    thumbnail = _thumbnail(gray)
    code = codes[0] if codes else None
    if code is not None and code.event != event:
        return PageResult(
            Outcome.FOREIGN, Reason.OTHER_EVENT, code.event, code=code, thumbnail=thumbnail
        )
    if code is not None or len(found) >= 2:
        return PageResult(Outcome.UNKNOWN, Reason.NO_REGISTRATION, code=code, thumbnail=thumbnail)
    if _is_empty(gray):
        return PageResult(Outcome.EMPTY, Reason.NO_INK, thumbnail=thumbnail)
    return PageResult(Outcome.FOREIGN, Reason.NO_FIDUCIALS, thumbnail=thumbnail)


def _registered(
    gray: Gray,
    page: Page,
    registration: Registration,
    codes: set[SheetCode],
    geometry: Geometry,
    event: str,
    reader: Reader | None,
) -> PageResult:
    blank = registration.blank
    code = next(iter(codes)) if len(codes) == 1 else None
    outcome, reason, detail = Outcome.SHEET, Reason.NONE, ""
    if not codes:
        outcome, reason = Outcome.UNKNOWN, Reason.NO_CODE
    elif code is None or geometry.blank_of(code.kind).name != blank.name:
        outcome, reason = Outcome.UNKNOWN, Reason.BAD_CODE
        detail = ", ".join(sorted(item.sheet for item in codes))
        code = None
    elif code.event != event:
        outcome, reason, detail = Outcome.FOREIGN, Reason.OTHER_EVENT, code.event
    boxes: tuple[BoxResult, ...] = ()
    warnings: tuple[str, ...] = ()
    if outcome is not Outcome.FOREIGN:
        spare = code is None or code.kind is SheetKind.SPARE
        boxes, warnings = _boxes(gray, page, registration, spare, reader)
    return PageResult(
        outcome,
        reason,
        detail,
        code=code,
        blank=blank.name,
        boxes=boxes,
        residual=registration.residual,
        dpi=registration.dpi,
        turned=registration.turned,
        sharpness=_sharpness(page, blank),
        thumbnail=_thumbnail(page.gray),
        warnings=warnings,
    )


def _boxes(
    gray: Gray, page: Page, registration: Registration, spare: bool, reader: Reader | None
) -> tuple[tuple[BoxResult, ...], tuple[str, ...]]:
    """Every box of the page; warnings name an engine that failed."""
    blank = registration.blank
    shifts = box_shifts(page, blank)
    results: list[BoxResult] = []
    to_read: list[tuple[int, Gray]] = []
    fields = [field for field in blank.fields if spare or not field.spare_only]
    everything: list[Box] = [*blank.boxes, *fields]
    for box in everything:
        result, clean = _box(page, box.key, box.rect, shifts[box.key], _cells(box))
        if _cut_off(gray, registration, box.rect):
            # Half the box is not on the image: nobody knows what stood there.
            result = BoxResult(
                result.key, Ink.WRITTEN, False, result.darkness, result.image, result.reading
            )
        if result.ink is Ink.WRITTEN and clean is not None:
            to_read.append((len(results), clean))
        results.append(result)
    if reader is None or not to_read:
        return tuple(results), ()
    try:
        readings = reader.read([clean for _, clean in to_read])
    except EngineError as error:
        # The crops are what counts; the jury can rule without a reading.
        return tuple(results), (f"reader:{error.message}",)
    for (index, _), reading in zip(to_read, readings, strict=True):
        results[index] = _with_reading(results[index], reading)
    return tuple(results), ()


def _cells(box: Box) -> tuple[Rect, ...]:
    return box.cells if isinstance(box, Field) else ()


def _box(
    page: Page, key: str, rect: Rect, shift: tuple[float, float], cells: tuple[Rect, ...]
) -> tuple[BoxResult, Gray | None]:
    """One box, and its cleaned inside for a reader (None for digit cells)."""
    margin = page.cut(rect.grown(CROP_MARGIN_MM), shift)
    image = _jpeg(margin, CROP_QUALITY)
    if cells:
        findings = [find_ink(page.darkness(cell, shift)) for cell in cells]
        written = [finding for finding in findings if finding.ink is not Ink.BLANK]
        area = sum(finding.area for finding in findings)
        ink = Ink.WRITTEN if written else Ink.BLANK
        sure = all(finding.sure for finding in findings)
        return BoxResult(key, ink, sure, area, image, None), None
    darkness = page.darkness(rect, shift)
    if min(darkness.shape) <= 4 * FRAME_MM * PX_PER_MM:
        return BoxResult(key, Ink.WRITTEN, False, 0.0, image, None), None
    finding = find_ink(darkness)
    clean = None
    if finding.ink is Ink.WRITTEN:
        inside = page.cut(rect, shift)
        white = Page(page.white, page.white).cut(rect, shift)
        clean = clean_crop(inside, white, finding)
    return BoxResult(key, finding.ink, finding.sure, finding.area, image, None), clean


def _with_reading(result: BoxResult, reading: Reading) -> BoxResult:
    return BoxResult(result.key, result.ink, result.sure, result.darkness, result.image, reading)


def _cut_off(gray: Gray, registration: Registration, rect: Rect) -> bool:
    """True if a corner of the box, a millimetre inside its frame, lies off the image."""
    corners = registration.to_image(rect.grown(-1.0).corners())
    height, width = gray.shape
    return bool(
        (corners < -0.5).any() or (corners[:, 0] > width).any() or (corners[:, 1] > height).any()
    )


def _sharpness(page: Page, blank: Blank) -> float:
    """How sharp the page is: variance of the Laplacian over the printed nominals, larger is sharper.

    The nominals are the same on every scan of a sheet, so two scans can be compared by it.
    """
    rects = [box.label for box in blank.boxes[::5]] or list(blank.codes)
    values = [cv2.Laplacian(page.cut(rect), cv2.CV_32F).var() for rect in rects]
    return float(np.mean(values))


def _is_empty(gray: Gray) -> bool:
    """True for a page with nothing on it, whatever the light."""
    scale = min(1.0, 800 / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    white = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    white = cv2.GaussianBlur(white, (0, 0), 6)
    dark = small.astype(np.float32) < 0.82 * white
    # The edges show the scanner's lid and the paper's shadow.
    edge = 16
    inner = dark[edge:-edge, edge:-edge] if min(dark.shape) > 4 * edge else dark
    return float(inner.mean()) < EMPTY_SHARE


def _thumbnail(gray: Gray) -> bytes:
    scale = min(1.0, THUMBNAIL_SIDE / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _jpeg(small, THUMBNAIL_QUALITY)  # type: ignore[arg-type]


def _jpeg(image: Gray, quality: int) -> bytes:
    if image.size == 0:
        image = np.full((8, 8), 255, dtype=np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
