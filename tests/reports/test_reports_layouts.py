"""Guards against a layout of the standings that loses a player, cuts a name, or is too small to read."""

from __future__ import annotations

import ctypes
import dataclasses
import random
import re
from collections.abc import Callable

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import pytest
import zxingcpp

from otbor.i18n import speaking
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from reports.wording import status_text
from scoring.model import CategoryStandings, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]

LAYOUTS = pytest.mark.parametrize("layout", list(LayoutName))
LINK = "https://festival.example.org/otbor/2026/results/"
SPECIAL = (
    Status.RESERVE,
    Status.DECLINED,
    Status.OUT_OF_COMPETITION,
    Status.DISQUALIFIED,
)


def _print(standings: Standings, layout: LayoutName, **options: object) -> bytes:
    with speaking("ru"):
        return standings_pdf(standings, layout=layout, **options)  # type: ignore[arg-type]


def _pages(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(data)]


def _with_statuses(part: CategoryStandings) -> CategoryStandings:
    """The last players of a category get the statuses that only decisions give."""
    rows = list(part.rows)
    for at, status in enumerate(SPECIAL, start=1):
        placeless = status in (Status.OUT_OF_COMPETITION, Status.DISQUALIFIED)
        places = None if placeless else rows[-at].places
        rows[-at] = dataclasses.replace(rows[-at], status=status, places=places)
    return dataclasses.replace(part, rows=tuple(rows))


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2),
        category("Средняя", 38, first_number=101),
        category("Старшая", 20, first_number=201),
    )


@pytest.fixture(scope="module")
def crowded(category: Make, standings: MakeAll) -> Standings:
    long = "Младшая группа (четвёртый — шестой класс) и все, кто младше их"
    return standings(
        category(long, 45, tied=30, left=20, unconfirmed=3, long_names=True, absent=2),
        category("Один", 1, first_number=900),
        category("Никого", 0, first_number=950, absent=1),
    )


@LAYOUTS
def test_every_player_stands_in_every_layout(layout: LayoutName, event: Standings) -> None:
    pages = _pages(_print(event, layout))
    for part in event.categories:
        text = "\n".join(page for page in pages if part.category in page)
        for row in part.rows:
            assert row.player.name in text
            if row.places is not None:
                score = str(row.score).replace("-", "−")
                assert re.search(rf"(^|\s){score}(\s|$)", text)
                first, last = row.places
                assert (str(first) if first == last else f"{first}–{last}") in text


@LAYOUTS
def test_nothing_leaves_the_page_and_no_name_is_cut(layout: LayoutName, crowded: Standings) -> None:
    data = _print(crowded, layout, generated_note="создано " * 60, link=LINK)
    text = ""
    for page in pdfium.PdfDocument(data):
        width, height = page.get_size()
        words = page.get_textpage()
        text += words.get_text_bounded()
        for at in range(words.count_rects()):
            left, bottom, right, top = words.get_rect(at)
            assert 20 <= left <= right <= width - 20
            assert 20 <= bottom <= top <= height - 20
    part = crowded.categories[0]
    names = "".join(row.player.name for row in part.rows)
    names += "".join(row.player.name for row in part.rows if row.status is Status.TIED)
    assert text.count("Щ") == names.count("Щ")
    assert text.count("Иги") >= names.count("Иги")


@LAYOUTS
def test_the_order_of_rows_does_not_matter(layout: LayoutName, event: Standings) -> None:
    rng = random.Random(1)
    shuffled = dataclasses.replace(
        event,
        categories=tuple(
            dataclasses.replace(part, rows=tuple(rng.sample(part.rows, len(part.rows))))
            for part in event.categories
        ),
    )
    assert _print(shuffled, layout) == _print(event, layout)


@LAYOUTS
def test_the_qr_code_leads_to_the_posted_pages(layout: LayoutName, event: Standings) -> None:
    page = pdfium.PdfDocument(_print(event, layout, link=LINK))[1]
    pixels = np.asarray(page.render(scale=3, grayscale=True).to_numpy()).squeeze()
    assert [code.text for code in zxingcpp.read_barcodes(pixels)] == [LINK]


@LAYOUTS
def test_decided_statuses_are_said(layout: LayoutName, category: Make, standings: MakeAll) -> None:
    part = _with_statuses(category("Средняя", 40))
    text = " ".join(" ".join(_pages(_print(standings(part), layout))).split())
    assert "Вне зачёта" in text and "Дисквалифицированы" in text and "Отказались" in text
    for row in part.rows[-len(SPECIAL) :]:
        assert row.player.name in text


def test_a_status_without_wording_is_said_by_its_value() -> None:
    class Strange:
        value = "on_the_moon"

    assert status_text(Strange()) == "on the moon"  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_status_has_a_wording(language: str) -> None:
    with speaking(language):
        words = [status_text(status) for status in Status]
    assert len(set(words)) == len(words)
    assert all(re.search("[а-яё]", word) for word in words) is (language == "ru")


def test_an_exempt_player_goes_on_without_a_score(category: Make, standings: MakeAll) -> None:
    part = category("Средняя", 33)
    row = part.rows[0]
    exempt = dataclasses.replace(row, places=None, score=0, exempt=True, cells=(0,) * 40)
    changed = dataclasses.replace(part, rows=(exempt, *part.rows[1:]))
    text = "".join(_pages(_print(standings(changed), LayoutName.PORTRAIT)))
    assert row.player.name in text and "32 участника · выходят 32" in text


def test_three_hundred_names_fill_two_pages_of_columns(category: Make, standings: MakeAll) -> None:
    event = standings(category("Большая", 300, tied=4, left=2))
    pages = _pages(_print(event, LayoutName.COLUMNS))
    assert len(pages) == 2
    text = " ".join(pages)
    assert all(re.search(rf"(^|\s){number}\s", text) for number in range(1, 301))


def test_large_print_is_at_least_twenty_points(event: Standings) -> None:
    """Everything between the heading's first line and the footer."""
    for page in pdfium.PdfDocument(_print(event, LayoutName.LARGE)):
        words = page.get_textpage()
        height = page.get_size()[1]
        sizes = set()
        for at in range(words.count_chars()):
            _left, bottom, _right, top = words.get_charbox(at)
            if height - 60 > bottom > 60 and top > bottom:
                sizes.add(round(pdfium_c.FPDFText_GetFontSize(words.raw, ctypes.c_int(at)), 1))
        assert min(sizes) >= 20


def test_landscape_counts_rights_by_nominal(category: Make, standings: MakeAll) -> None:
    part = category("Старшая", 1)
    row = part.rows[0]
    text = _pages(_print(standings(part), LayoutName.LANDSCAPE))[0]
    line = text[text.index(row.player.name) :].replace("−", "-")
    numbers = [int(number) for number in re.findall(r"-?\d+", line)]
    rights = [sum((points or 0) > 0 for points in row.cells[at::5]) for at in range(5)]
    assert any(numbers[at : at + 5] == rights for at in range(len(numbers) - 4))


def test_an_unknown_layout_is_refused(event: Standings) -> None:
    with pytest.raises(ValueError, match="fancy"):
        standings_pdf(event, layout="fancy")
