"""Guards against a strip with the player's code that costs the sheet, or a code nobody can type.

The strip is cut off before the sheet is scanned, so the sheet has to be read with and without it; and what
stands on it has to open that player's page and nobody else's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray

from otbor.errors import GeometryError
from otbor.i18n import speaking
from reports.blank_strip import UNPRINTED_MM, strip_line
from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from reports.codes import player_code, printed, typed
from scanner.code_reading import find_codes
from scanner.geometry import SheetKind, default, parse
from scanner.locating import locate

EVENT = BlankEvent("AB3CD", "Осенний марафон", "Заречный", "14 ноября")
CODE = player_code(b"sixteen bytes or more", 12)
WIDEST = "w" * 12
SHEET = SheetToPrint(SheetKind.PERSONAL, 12, "Ёлкина Мария", "Младшая", "Гимназия № 4")
BLANK = default().blanks["personal"]
DPI = 200


def _pdf(*sheets: SheetToPrint, language: str = "ru") -> bytes:
    with speaking(language):
        return blanks_pdf(default(), EVENT, sheets)


def _page(data: bytes) -> NDArray[np.uint8]:
    grey = pdfium.PdfDocument(data)[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    return np.array(grey).squeeze()


def _text(data: bytes) -> str:
    return str(pdfium.PdfDocument(data)[0].get_textpage().get_text_bounded())


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_code_on_the_strip_is_the_players(language: str) -> None:
    text = _text(_pdf(replace(SHEET, own_code=CODE), language=language))
    assert printed(CODE) in text
    assert typed(next(word for word in text.split() if word == printed(CODE))) == CODE
    assert ("отрежьте и сохраните" in text) == (language == "ru")


def test_only_a_personal_blank_with_a_code_has_a_strip() -> None:
    for kind in (SheetKind.SPARE, SheetKind.FINAL):
        sheet = replace(SHEET, kind=kind)
        assert _pdf(replace(sheet, own_code=CODE)) == _pdf(sheet)
    assert "код игрока" not in _text(_pdf(SHEET))
    assert _pdf(replace(SHEET, own_code=CODE)) == _pdf(replace(SHEET, own_code=CODE))


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("code", [CODE, WIDEST])
def test_everything_above_the_line_is_as_without_it(code: str, language: str) -> None:
    plain = _page(_pdf(SHEET, language=language))
    with_strip = _page(_pdf(replace(SHEET, own_code=code), language=language))
    changed = np.argwhere(plain != with_strip) * 25.4 / DPI
    assert len(changed) > 1000
    # The blades alone rise above the line, beside the white of the mark.
    white = max(marker.rect.grown(BLANK.marker_quiet).bottom for marker in BLANK.markers)
    left = min(marker.rect.grown(BLANK.marker_quiet).x for marker in BLANK.markers)
    inside = changed[changed[:, 1] > left]
    assert inside[:, 0].min() > white
    assert inside[:, 0].min() > max(code.grown(BLANK.code_quiet).bottom for code in BLANK.codes)
    assert changed[:, 0].min() > white - 1.0


def test_nothing_is_printed_where_printers_leave_the_paper_white() -> None:
    dark = np.argwhere(_page(_pdf(replace(SHEET, own_code=WIDEST, number=9999))) < 250)
    top, left = dark.min(axis=0) * 25.4 / DPI
    bottom, right = (dark.max(axis=0) + 1) * 25.4 / DPI
    assert min(top, left) >= UNPRINTED_MM
    assert bottom <= 297 - UNPRINTED_MM
    assert right <= 210 - UNPRINTED_MM + 0.2


@pytest.mark.parametrize("lid", [None, 255, 40], ids=["left on", "white lid", "dark lid"])
def test_the_sheet_is_found_with_the_strip_and_without(lid: int | None) -> None:
    page = _page(_pdf(replace(SHEET, own_code=CODE)))
    if lid is not None:
        page[int(strip_line(BLANK) * DPI / 25.4) :] = lid
    found = locate(page, default())
    assert len(found.fiducials) == 4
    assert found.registration is not None
    for item in found.fiducials:
        corners = (item.corners.reshape(4, 2) + 0.5) * 25.4 / DPI
        assert np.abs(corners - np.array(item.marker.rect.corners())).max() < 0.1
    assert len(find_codes(page)) == 2


def test_a_blank_without_room_is_refused_with_the_way_out() -> None:
    source = default().source.replace("quiet = 2.0", "quiet = 6.0")
    with pytest.raises(GeometryError, match="no-codes"):
        blanks_pdf(parse(source), EVENT, [replace(SHEET, own_code=CODE)])
    assert blanks_pdf(parse(source), EVENT, [SHEET])
