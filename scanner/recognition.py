"""One page from pixels to boxes: the scanner's main flow.

    register → rectify → code → every box: frame, ink, crop → readings

Nothing here knows about files, databases or who plays; it runs in a worker process.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from otbor.errors import EngineError
from scanner.code_reading import read_codes
from scanner.codes import SheetCode
from scanner.contracts import Box, BoxResult, Gray, Ink, Outcome, PageResult, Reader, Reason
from scanner.folded_boxes import Folds
from scanner.frames import box_shifts
from scanner.geometry import Blank, Field, Geometry, Rect, SheetKind
from scanner.ink import Darkness, InkFinding, clean_crop, find_ink
from scanner.locating import Location, locate
from scanner.neighbours import stands_beside, strayed_in
from scanner.placing import Hint, place
from scanner.readers.digits import DigitReader, reading_of
from scanner.readers.struck import StrikeFinder, without_parts
from scanner.rectify import PX_PER_MM, Drift, Page, darkness_of, rectify
from scanner.streaks import Streak, find_streaks, from_side_to_side, goes_on, streak_mask

# What a crop shows around its frame: answers stick out by a millimetre or so.
CROP_MARGIN_MM = 1.2
CROP_QUALITY = 80
THUMBNAIL_SIDE = 1000
THUMBNAIL_QUALITY = 60
# A page with less than this share of dark pixels has nothing on it. Ten words of print have more.
EMPTY_SHARE = 0.0004
# Nor has one whose marks are all shorter than this share of its long side (2.5 mm of A4), as dust is. What
# is narrower than that and runs half the way is a streak.
MARK_SHARE, STREAK_SHARE = 0.0085, 0.5


@dataclass(frozen=True, slots=True)
class _Readers:
    """Who reads what; None leaves it out."""

    reader: Reader | None
    digits: DigitReader | None
    strikes: StrikeFinder | None


def recognise(
    gray: Gray,
    geometry: Geometry,
    event: str,
    reader: Reader | None = None,
    digits: DigitReader | None = None,
    strikes: StrikeFinder | None = None,
    hint: Hint | None = None,
) -> PageResult:
    """Tell what a page is and cut its boxes.

    Args:
        gray: The page as scanned, any turn; shape (height, width).
        geometry: The blanks that may come.
        event: The event's five characters; blanks of other events are foreign.
        reader: Reads the written boxes; None leaves them without readings.
        digits: Reads the digit cells; None leaves them without readings.
        strikes: Finds what is crossed out; None leaves it written.
        hint: What a person said of how the page lies. Corners come before the fiducials, a turn after
            them: fiducials know better which side is up.

    Returns:
        Never `duplicate`: whether the sheet is there already only the service knows.
    """
    found = locate(gray, geometry)
    registration = found.registration
    if hint is not None and (hint.corners or registration is None):
        registration = place(gray, geometry, hint) or registration
    if registration is None:
        return _unregistered(gray, found, event, hint.turn if hint is not None else 0)
    page = rectify(gray, registration)
    codes = read_codes(page, registration.blank) or set(found.codes)
    return _registered(page, codes, geometry, event, _Readers(reader, digits, strikes))


def _unregistered(gray: Gray, found: Location, event: str, turn: int) -> PageResult:
    thumbnail = _thumbnail(np.ascontiguousarray(np.rot90(gray, -turn // 90)))
    code = found.codes[0] if found.codes else None
    if code is not None and code.event != event:
        return PageResult(
            Outcome.FOREIGN, Reason.OTHER_EVENT, code.event, code=code, thumbnail=thumbnail
        )
    if code is not None or len(found.fiducials) >= 2:
        return PageResult(Outcome.UNKNOWN, Reason.NO_REGISTRATION, code=code, thumbnail=thumbnail)
    if _is_empty(gray):
        return PageResult(Outcome.EMPTY, Reason.NO_INK, thumbnail=thumbnail)
    return PageResult(Outcome.FOREIGN, Reason.NO_FIDUCIALS, thumbnail=thumbnail)


def _registered(
    page: Page,
    codes: set[SheetCode],
    geometry: Geometry,
    event: str,
    readers: _Readers,
) -> PageResult:
    registration = page.registration
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
        boxes, warnings = _boxes(page, spare, readers)
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
        thumbnail=_thumbnail(page.flat),
        warnings=warnings,
    )


def _boxes(
    page: Page, spare: bool, readers: _Readers
) -> tuple[tuple[BoxResult, ...], tuple[str, ...]]:
    """Every box of the page; warnings name an engine that failed."""
    blank = page.registration.blank
    streaks = find_streaks(page)
    shifts = box_shifts(page, blank, streaks)
    folds = Folds(page)
    results: list[BoxResult] = []
    to_read: list[tuple[int, Gray]] = []
    warnings: list[str] = []
    fields = [field for field in blank.fields if spare or not field.spare_only]
    everything: list[Box] = [*blank.boxes, *fields]
    for box in everything:
        if isinstance(box, Field) and box.cells:
            results.append(_number(page, box, shifts[box.key], streaks, readers.digits, warnings))
            continue
        result, clean = _box(page, box, shifts[box.key], streaks, folds)
        if clean is not None:
            to_read.append((len(results), clean))
        results.append(result)
    to_read = _without_strikes(readers.strikes, to_read, results, warnings)
    reader = readers.reader
    if reader is None or not to_read:
        return tuple(results), tuple(warnings)
    try:
        readings = reader.read([clean for _, clean in to_read])
    except EngineError as error:
        # The crops are what counts; the jury can rule without a reading.
        return tuple(results), (*warnings, f"reader:{error.message}")
    if len(readings) != len(to_read):
        # Which reading belongs to which box is then anybody's guess.
        return tuple(results), (*warnings, f"reader:{len(readings)} ≠ {len(to_read)}")
    for (index, _), reading in zip(to_read, readings, strict=True):
        results[index] = replace(results[index], reading=reading)
    return tuple(results), tuple(warnings)


def _without_strikes(
    strikes: StrikeFinder | None,
    to_read: list[tuple[int, Gray]],
    results: list[BoxResult],
    warnings: list[str],
) -> list[tuple[int, Gray]]:
    """What is left to read once crossed-out boxes are told, and crossed-out parts left out.

    A crossed-out box is never `sure`: the strip of blanks shows it first.
    """
    if strikes is None or not to_read:
        return to_read
    try:
        found = strikes.find([clean for _, clean in to_read])
    except EngineError as error:
        warnings.append(f"reader:{error.message}")
        return to_read
    left = []
    for (index, clean), item in zip(to_read, found, strict=True):
        if item.empties(results[index].ink, results[index].sure):
            results[index] = replace(results[index], ink=Ink.CROSSED, sure=False)
        else:
            left.append((index, without_parts(clean, item)))
    return left


def _box(
    page: Page, box: Box, drift: Drift, streaks: list[Streak], folds: Folds
) -> tuple[BoxResult, Gray | None]:
    """One box, and its cleaned inside for a reader (None for what holds no answer)."""
    outer = box.rect.grown(CROP_MARGIN_MM)
    around = page.cut(outer, drift)
    image = _jpeg(around, CROP_QUALITY)
    margin = round(CROP_MARGIN_MM * PX_PER_MM)
    within = (slice(margin, -margin), slice(margin, -margin))
    white = page.brightness(outer)
    darkness = darkness_of(around, white)
    finding = _ink(page, box.rect, darkness[within], drift, streaks)
    if finding.ink is Ink.WRITTEN:
        dust = streak_mask(page, streaks, box.rect, drift)
        if folds.explain(box.rect, drift, darkness[within], finding, dust):
            finding = replace(finding, ink=Ink.BLANK, sure=False)
    if finding.ink is Ink.BLANK and stands_beside(
        darkness, margin, streak_mask(page, streaks, outer, drift)
    ):
        finding = replace(finding, ink=Ink.WRITTEN, sure=False)
    result = _seen(page, box, finding, image)
    clean = None
    if result.ink is Ink.WRITTEN:
        clean = clean_crop(around[within], white[within], finding)
    return result, clean


def _number(
    page: Page,
    field: Field,
    drift: Drift,
    streaks: list[Streak],
    digits: DigitReader | None,
    warnings: list[str],
) -> BoxResult:
    """A box of digit cells: written if any cell is."""
    findings, cleaned = [], []
    for cell in field.cells:
        gray, white = page.cut(cell, drift), page.brightness(cell)
        finding = _ink(page, cell, darkness_of(gray, white), drift, streaks)
        findings.append(finding)
        cleaned.append(clean_crop(gray, white, finding))
    written = any(finding.ink is not Ink.BLANK for finding in findings)
    whole = replace(
        findings[0],
        ink=Ink.WRITTEN if written else Ink.BLANK,
        sure=all(finding.sure for finding in findings),
        area=sum(finding.area for finding in findings),
    )
    image = _jpeg(page.cut(field.rect.grown(CROP_MARGIN_MM), drift), CROP_QUALITY)
    result = _seen(page, field, whole, image)
    if digits is None or _cut_off(page, field.rect):
        return result
    try:
        probabilities = digits.probabilities(cleaned)
    except EngineError as error:
        warnings.append(f"reader:{error.message}")
        return result
    inks = [(finding.ink, finding.sure) for finding in findings]
    return replace(result, reading=reading_of(inks, probabilities))


def _ink(
    page: Page, rect: Rect, darkness: Darkness, drift: Drift, streaks: list[Streak]
) -> InkFinding:
    """The ink of one frame; a line that was taken for dust must go on outside it."""
    finding = find_ink(darkness, streak_mask(page, streaks, rect, drift))
    if finding.ink is Ink.BLANK:
        short = [line for line in finding.lines if not from_side_to_side(line, rect)]
        digits = [line for line in short if not goes_on(page, rect, drift, line)]
        return replace(finding, ink=Ink.WRITTEN, sure=False) if digits else finding
    fold = finding.course is not None and goes_on(page, rect, drift, finding.course)
    if fold or strayed_in(page, rect, drift, finding):
        return replace(finding, ink=Ink.BLANK, sure=False)
    return finding


def _seen(page: Page, box: Box, finding: InkFinding, image: bytes) -> BoxResult:
    if _cut_off(page, box.rect):
        # A part of the box is not on the image: nobody knows what stood there.
        return BoxResult(box.key, Ink.WRITTEN, False, finding.area, image, None)
    return BoxResult(box.key, finding.ink, finding.sure, finding.area, image, None)


def _cut_off(page: Page, rect: Rect) -> bool:
    """True if a corner of the box, a millimetre inside its frame, lies off the image."""
    corners = page.registration.to_image(rect.grown(-1.0).corners())
    height, width = page.image.shape
    return bool(
        (corners < -0.5).any()
        or (corners[:, 0] > width - 0.5).any()
        or (corners[:, 1] > height - 0.5).any()
    )


def _sharpness(page: Page, blank: Blank) -> float:
    """How sharp the page is: variance of the Laplacian over the printed nominals, larger is sharper.

    The nominals are the same on every scan of a sheet, so two scans can be compared by it.
    """
    rects = [box.label for box in blank.boxes[::5]] or list(blank.codes)
    values = [cv2.Laplacian(page.cut(rect), cv2.CV_32F).var() for rect in rects]
    return float(np.mean(values))


def _is_empty(gray: Gray) -> bool:
    """True for a page with nothing on it, whatever the light; dust and streaks are nothing."""
    small = _reduced(gray, 800)
    white = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    white = cv2.GaussianBlur(white, (0, 0), 6)
    dark = small.astype(np.float32) < 0.82 * white
    # The edges show the scanner's lid and the paper's shadow.
    edge = 16
    inner = dark[edge:-edge, edge:-edge] if min(dark.shape) > 4 * edge else dark
    _, labels, stats, _ = cv2.connectedComponentsWithStats(inner.astype(np.uint8), connectivity=8)
    sides = stats[:, 2:4] / max(small.shape)
    long, wide = sides.max(axis=1), sides.min(axis=1)
    mark = (long < STREAK_SHARE) | (wide > MARK_SHARE)
    mark[0] = False  # the paper
    if float(mark[labels].mean()) >= EMPTY_SHARE:
        return False
    return not bool((long[mark] >= MARK_SHARE).any())


def _thumbnail(gray: Gray) -> bytes:
    return _jpeg(_reduced(gray, THUMBNAIL_SIDE), THUMBNAIL_QUALITY)


def _reduced(gray: Gray, longest: int) -> Gray:
    height, width = gray.shape
    scale = min(1.0, longest / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(gray, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _jpeg(image: Gray, quality: int) -> bytes:
    if image.size == 0:
        image = np.full((8, 8), 255, dtype=np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
