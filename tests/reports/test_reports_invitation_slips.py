"""Guards against slips that lead nowhere: codes no phone reads, text that runs into text or off the slip."""

from __future__ import annotations

import numpy as np
import pypdfium2 as pdfium
import pytest
import zxingcpp
from numpy.typing import NDArray

from otbor.i18n import speaking
from reports.invitation_slips import SLIP_HEIGHT, SLIP_WIDTH, Slip, invitation_slips_pdf

ADDRESS = "http://192.168.1.5:8300/invited/"
CODE = "K7QF-3M2X-9ATB"
LONG = "Константинопольская-Преображенская Александрина-Виктория Игнатьевна"
TITLE = "Отборочный тур «Своей игры», школьная лига Новосибирской области, весна"
WIFI = (
    "Сеть называется «Gimnasium No 1 Guest», пароль висит на двери кабинета 214 и у дежурного "
    "администратора; если не выходит, спросите Петра Алексеевича в комнате оргкомитета"
)
DPI = 200


def _slips(count: int, **changes: str) -> list[Slip]:
    fields = {"role": "член жюри", "name": "", "address": ADDRESS, "code": CODE, **changes}
    return [Slip(**fields) for _at in range(count)]


def _pages(pdf: bytes) -> list[NDArray[np.uint8]]:
    document = pdfium.PdfDocument(pdf)
    scale = DPI / 72
    images = [page.render(scale=scale, grayscale=True).to_numpy() for page in document]
    return [np.ascontiguousarray(image.reshape(image.shape[:2])) for image in images]


def _text(pdf: bytes) -> str:
    document = pdfium.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def _pdf(slips: list[Slip], title: str = "Проба", wifi: str = "", *, renews: bool = False) -> bytes:
    with speaking("ru"):
        return invitation_slips_pdf(
            title, slips, valid_until="1 декабря, 14:30", wifi=wifi, renews=renews
        )


@pytest.mark.parametrize("count", [1, 8, 9, 20])
def test_every_slip_has_its_own_code_that_a_phone_reads(count: int) -> None:
    codes = [f"AAAA-BBBB-{at:04}" for at in range(1, count + 1)]
    pdf = _pdf([slip for code in codes for slip in _slips(1, code=code)])
    pages = _pages(pdf)
    assert len(pages) == -(-count // 8)
    read = [
        found.text
        for page in pages
        for found in zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)
    ]
    assert sorted(read) == [ADDRESS + code for code in codes]
    text = _text(pdf)
    for code in codes:
        assert code in text


def test_a_slip_says_who_where_and_how() -> None:
    text = _text(_pdf(_slips(1, name="Анна Ёлкина"), wifi="сеть Hall, пароль 12345"))
    for part in ("Проба", "член жюри", "Анна Ёлкина", ADDRESS, CODE, "пароль 12345", "14:30"):
        assert part in text
    assert "Назовите себя" not in text
    assert "Назовите себя" in _text(_pdf(_slips(1)))
    assert "Wi-Fi" not in _text(_pdf(_slips(1)))
    assert "новый ПИН-код" in _text(_pdf(_slips(1, name="Анна"), renews=True))


@pytest.mark.parametrize("name", ["", LONG])
@pytest.mark.parametrize("title", ["Проба", TITLE * 3])
@pytest.mark.parametrize("wifi", ["", WIFI * 2])
@pytest.mark.parametrize(
    "address", [ADDRESS, "http://otbor-server.gymnasium-1.example.org:18300/invited/"]
)
def test_the_longest_texts_touch_neither_each_other_nor_the_cut(
    name: str, title: str, wifi: str, address: str
) -> None:
    pdf = _pdf(_slips(1, name=name, role="председатель жюри", address=address), title, wifi)
    page = pdfium.PdfDocument(pdf)[0]
    lines = []
    for found in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_TEXT]):
        left, bottom, right, top = (value * 25.4 / 72 for value in found.get_bounds())
        lines.append((left, 297 - top, right, 297 - bottom))
    assert len(lines) >= 8
    for left, top, right, bottom in lines:
        assert left >= 5 and right <= SLIP_WIDTH - 5
        assert top >= 4 and bottom <= SLIP_HEIGHT - 4
    for at, one in enumerate(lines):
        for other in lines[at + 1 :]:
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            assert across <= 0 or down <= 0.35, (one, other)
    # The light margin of the code is free of ink.
    [code] = zxingcpp.read_barcodes(_pages(pdf)[0], formats=zxingcpp.BarcodeFormat.QRCode)
    assert code.text == address + CODE


def test_the_same_slips_give_the_same_bytes() -> None:
    assert _pdf(_slips(3)) == _pdf(_slips(3))
