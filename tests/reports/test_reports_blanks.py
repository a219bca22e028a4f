"""Guards against blanks that look right and can't be read.

A mark half a millimetre off shifts every crop; a name that runs into a code costs the sheet; a
glyph inside a box is taken for an answer. Everything here is measured on the rendered page, not on
the drawing calls.
"""

from __future__ import annotations

import io

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
import zxingcpp
from numpy.typing import NDArray

from otbor.i18n import speaking
from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from scanner.codes import SheetCode
from scanner.geometry import Blank, Rect, SheetKind, default

LONGEST = "Ш" * 30 + " " + "Щ" * 29
EVENT = BlankEvent(
    "AB3CD",
    "Осенний марафон",
    "Заречный",
    "14 ноября",
    theme_titles=("Реки", "Птицы", "Очень длинное название темы, " * 4, "Г", "Д", "Е", "Ж", "З"),
)
SHEETS = [
    SheetToPrint(SheetKind.PERSONAL, 12, "Ёлкина Мария", "Младшая", "Гимназия № 4"),
    SheetToPrint(SheetKind.PERSONAL, 9999, LONGEST, LONGEST, LONGEST * 3),
    SheetToPrint(SheetKind.PERSONAL, 7),
    SheetToPrint(SheetKind.SPARE, 3),
    SheetToPrint(SheetKind.FINAL, 12, LONGEST, "Младшая", "Гимназия № 4"),
    SheetToPrint(SheetKind.FINAL, 13),
]
PDF_NAMES = [f"{sheet.kind.name}-{sheet.number}" for sheet in SHEETS]


@pytest.fixture(scope="module")
def pdf() -> bytes:
    with speaking("ru"):
        return blanks_pdf(default(), EVENT, SHEETS)


def _grey(data: bytes, page: int, dpi: float) -> NDArray[np.uint8]:
    document = pdfium.PdfDocument(data)
    return np.array(document[page].render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze()


def _blank(index: int) -> Blank:
    return default().blank_of(SHEETS[index].kind)


def _frames(index: int) -> list[Rect]:
    blank = _blank(index)
    rects = [box.rect for box in blank.boxes]
    for field in blank.fields:
        if not field.spare_only or SHEETS[index].kind is SheetKind.SPARE:
            rects += field.cells or (field.rect,)
    return rects


def _scale(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Pixels a millimetre, across and down: pdfium stretches a page to whole pixels."""
    return np.array([image.shape[1] / 210.0, image.shape[0] / 297.0])


def _cut(image: NDArray[np.uint8], rect: Rect) -> NDArray[np.uint8]:
    """The pixels that lie wholly inside a rectangle."""
    across, down = _scale(image)
    left, top = int(np.ceil(rect.x * across)), int(np.ceil(rect.y * down))
    return image[top : int(rect.bottom * down), left : int(rect.right * across)]


@pytest.mark.parametrize("dpi", [150, 200, 300])
@pytest.mark.parametrize("index", range(len(SHEETS)), ids=PDF_NAMES)
def test_fiducials_and_codes_stand_where_the_geometry_says(
    pdf: bytes, index: int, dpi: int
) -> None:
    image, blank = _grey(pdf, index, dpi), _blank(index)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, blank.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
    assert set(found) == {marker.id for marker in blank.markers}
    for marker in blank.markers:
        # Pixel centres lie at half pixels of the paper.
        measured = (found[marker.id].reshape(4, 2) + 0.5) / _scale(image)
        assert np.abs(measured - np.array(marker.rect.corners())).max() < 0.1

    payload = SheetCode(EVENT.code, SHEETS[index].kind, SHEETS[index].number).encode()
    for rect in blank.codes:
        crop = _cut(image, rect.grown(blank.code_quiet))
        read = zxingcpp.read_barcodes(crop, formats=zxingcpp.BarcodeFormat.QRCode)
        assert [code.text for code in read] == [payload]
        dark = np.argwhere(_cut(image, rect.grown(2)) < 128)
        side = (dark.max(axis=0) - dark.min(axis=0) + 1) * 25.4 / dpi
        assert np.abs(side - rect.width).max() < 25.4 / dpi + 0.01


@pytest.mark.parametrize("dpi", [150, 200, 300])
@pytest.mark.parametrize("index", [0, 3, 4], ids=["personal", "spare", "final"])
def test_frames_lie_within_a_tenth_of_a_millimetre(pdf: bytes, index: int, dpi: int) -> None:
    image = _grey(pdf, index, dpi)
    darkness, (across, down) = 255.0 - image, _scale(image)
    for rect in _frames(index):
        middle_x, middle_y = rect.x + rect.width * 0.4, rect.y + rect.height / 2
        row, column = darkness[int(middle_y * down)], darkness[:, int(middle_x * across)]
        edges = [(row, rect.x, across), (row, rect.right, across)]
        edges += [(column, rect.y, down), (column, rect.bottom, down)]
        for profile, edge, scale in edges:
            # Half of the gap to the next box's frame, so that only one line is weighed.
            first, last = int((edge - 0.24) * scale), int(np.ceil((edge + 0.24) * scale))
            weights = profile[first:last]
            assert weights.max() > 60, f"no line at {edge} mm"
            centre = float(np.average(np.arange(first, last) + 0.5, weights=weights)) / scale
            assert abs(centre - edge) < 0.1


@pytest.mark.parametrize("index", range(len(SHEETS)), ids=PDF_NAMES)
def test_nothing_is_printed_in_boxes_and_white_zones(pdf: bytes, index: int) -> None:
    image, blank = _grey(pdf, index, 200), _blank(index)
    for rect in _frames(index):
        assert _cut(image, rect.grown(-0.35)).min() == 255
    marks = [(marker.rect, blank.marker_quiet) for marker in blank.markers]
    marks += [(rect, blank.code_quiet) for rect in blank.codes]
    page = image.copy()
    for rect, _ in marks:
        _cut(page, rect.grown(0.3))[:] = 255
    for rect, quiet in marks:
        assert _cut(page, rect.grown(quiet)).min() == 255


@pytest.mark.parametrize("index", range(len(SHEETS)), ids=PDF_NAMES)
def test_a_frame_survives_a_one_bit_scan(pdf: bytes, index: int) -> None:
    image = _grey(pdf, index, 300)
    (across, down), black = _scale(image), image < 128
    for rect in _frames(index):
        x, y = int((rect.x + rect.width / 2) * across), rect.y * down
        assert black[int(y - 3) : int(y + 4), x].any()


def test_all_text_stays_on_the_printable_paper(pdf: bytes) -> None:
    document = pdfium.PdfDocument(pdf)
    for index in range(len(SHEETS)):
        page = document[index].get_textpage()
        assert page.count_rects() > 5
        for at in range(page.count_rects()):
            left, bottom, right, top = (value * 25.4 / 72 for value in page.get_rect(at))
            assert 10 < left < right < 200 and 10 < bottom < top < 287


def test_texts_do_not_run_into_each_other() -> None:
    word = "Щ" * 60
    event = BlankEvent("AB3CD", word, word, word, theme_titles=(word,) * 8)
    sheets = [SheetToPrint(kind, 9999, word, word, word) for kind in SheetKind]
    document = pdfium.PdfDocument(blanks_pdf(default(), event, sheets))
    for index in range(len(sheets)):
        page = document[index].get_textpage()
        rects = [page.get_rect(at) for at in range(page.count_rects())]
        for at, (left, bottom, right, top) in enumerate(rects):
            for other_left, other_bottom, other_right, other_top in rects[:at]:
                apart = right <= other_left + 0.5 or other_right <= left + 0.5
                # Boxes of glyphs on neighbouring lines may share a descender's depth, points.
                assert apart or min(top, other_top) - max(bottom, other_bottom) < 3


def test_texts_can_be_read_back(pdf: bytes) -> None:
    document = pdfium.PdfDocument(pdf)
    pages = [document[index].get_textpage().get_text_bounded() for index in range(len(SHEETS))]
    for word in ("Ёлкина Мария", "Младшая · Гимназия № 4", "Тема 8", "50", "12", EVENT.title):
        assert word in pages[0]
    assert LONGEST.split()[0] in pages[1]
    assert LONGEST.split()[1] in pages[1]
    assert "S3" in pages[3] and "Номер игрока" in pages[3]
    assert "Ставка" in pages[4] and "F12" in pages[4] and "Номер игрока" not in pages[4]


def test_the_language_is_the_current_one() -> None:
    with speaking("en"):
        data = blanks_pdf(default(), EVENT, SHEETS[:1])
    text = pdfium.PdfDocument(data)[0].get_textpage().get_text_bounded()
    assert "Theme 1" in text and "Тема" not in text


def test_the_same_sheets_give_the_same_bytes(pdf: bytes) -> None:
    with speaking("ru"):
        assert blanks_pdf(default(), EVENT, iter(SHEETS)) == pdf
        assert blanks_pdf(default(), EVENT, SHEETS[:-1]) != pdf


def test_no_sheets_still_give_a_pdf_that_opens() -> None:
    data = blanks_pdf(default(), EVENT, [])
    assert len(pdfium.PdfDocument(io.BytesIO(data))) == 1


@pytest.mark.parametrize("number", [0, 10000])
def test_a_number_that_no_code_can_hold_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="sheet number"):
        blanks_pdf(default(), EVENT, [SheetToPrint(SheetKind.PERSONAL, number)])
