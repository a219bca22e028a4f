"""Guards against lists that leave somebody out: the tied, the invited, diplomas, the rating table."""

from __future__ import annotations

import csv
import dataclasses
import io
import random
from collections.abc import Callable

import openpyxl
import pypdfium2 as pdfium
import pytest
from own_sheets import jpeg
from PIL import Image

from otbor.errors import InputFileError
from otbor.i18n import speaking
from reports.diplomas_pdf import diplomas_pdf
from reports.invitations_pdf import invitations_pdf
from reports.rating import rating_csv, rating_rows, rating_xlsx
from reports.shootout_pdf import shootout_pdf
from scoring.model import CategoryStandings, Player, Standings, Status, TiePolicy
from scoring.rules import TieRule

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]


def _pages(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(data)]


def _stay_inside(data: bytes) -> None:
    for page in pdfium.PdfDocument(data):
        width, height = page.get_size()
        words = page.get_textpage()
        for at in range(words.count_rects()):
            left, bottom, right, top = words.get_rect(at)
            assert 20 <= left <= right <= width - 20
            assert 20 <= bottom <= top <= height - 20


def _shuffled(event: Standings) -> Standings:
    rng = random.Random(3)
    parts = (
        dataclasses.replace(part, rows=tuple(rng.sample(part.rows, len(part.rows))))
        for part in event.categories
    )
    return dataclasses.replace(event, categories=tuple(parts))


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


@pytest.mark.parametrize("make", [shootout_pdf, invitations_pdf, diplomas_pdf])
def test_every_list_stays_on_its_pages(
    make: Callable[[Standings], bytes], crowded: Standings, standings: MakeAll
) -> None:
    with speaking("ru"):
        _stay_inside(make(crowded))
        assert len(_pages(make(standings()))) == 1


@pytest.mark.parametrize("make", [shootout_pdf, invitations_pdf, diplomas_pdf])
def test_the_order_of_rows_does_not_matter(
    make: Callable[[Standings], bytes], event: Standings
) -> None:
    assert make(event) == make(_shuffled(event))


def test_the_shoot_out_is_of_the_tied_alone(event: Standings) -> None:
    with speaking("ru"):
        pages = _pages(shootout_pdf(event, themes=4))
    assert len(pages) == 1
    part = event.categories[0]
    for row in part.rows:
        assert (row.player.name in pages[0]) >= (row.player.number in part.cut.tied)
    assert pages[0].count("сумма") == 4 and "Председатель жюри" in pages[0]
    assert "Осталось 3 места" in pages[0]


def test_the_regulation_says_how_many_themes(event: Standings) -> None:
    rule = TieRule(steps=(TiePolicy.SHOOT_OUT,), themes=2)
    regulation = dataclasses.replace(event.regulation, tie_policy=TiePolicy.SHOOT_OUT, ties=rule)
    changed = dataclasses.replace(event, regulation=regulation)
    with speaking("ru"):
        assert _pages(shootout_pdf(changed))[0].count("сумма") == 2
        assert _pages(shootout_pdf(event))[0].count("сумма") == 3


def test_no_tie_is_said(standings: MakeAll, category: Make) -> None:
    with speaking("ru"):
        assert "дележа на черте нет" in _pages(shootout_pdf(standings(category("А", 20))))[0]


@pytest.mark.parametrize("themes", [0, 6])
def test_a_shoot_out_that_no_page_can_hold(themes: int, event: Standings) -> None:
    with pytest.raises(ValueError, match="themes"):
        shootout_pdf(event, themes=themes)


def test_the_invited_are_those_who_are_in(event: Standings) -> None:
    with speaking("ru"):
        pages = _pages(invitations_pdf(event))
    for part in event.categories:
        text = "\n".join(page for page in pages if part.category in page)
        invited = {row.player.number for row in part.rows if row.status in (Status.IN, Status.TIED)}
        for row in part.rows:
            line = f" {row.player.number} {row.player.name}"
            assert (line in text.replace("\r\n", " ")) is (row.player.number in invited)
    assert "3 места под вопросом" in pages[1]
    assert sum("Председатель жюри" in page for page in pages) == 3


def test_reserves_stand_in_the_order_in_which_they_are_called(
    category: Make, standings: MakeAll
) -> None:
    part = category("Средняя", 38)
    rows = tuple(
        dataclasses.replace(row, status=Status.RESERVE) if at in (32, 33, 34) else row
        for at, row in enumerate(part.rows)
    )
    numbers = [row.player.number for row in rows[32:35]]
    called = (numbers[2:], numbers[:1], numbers[1:2])
    cut = dataclasses.replace(part.cut, reserve=tuple(tuple(group) for group in called))
    with speaking("ru"):
        pages = _pages(invitations_pdf(standings(dataclasses.replace(part, rows=rows, cut=cut))))
    text = pages[-1][pages[-1].index("Запасные") :]
    names = {row.player.number: row.player.name for row in rows}
    found = [text.index(names[number]) for group in called for number in group]
    assert found == sorted(found)


def test_everybody_who_played_has_a_diploma(event: Standings) -> None:
    with speaking("ru"):
        pages = _pages(diplomas_pdf(event, date="30 ноября", organizer="Оргкомитет пробы"))
    rows = [row for part in event.categories for row in part.rows if row.places]
    assert len(pages) == len(rows)
    for part in event.categories:
        for row in part.rows:
            if row.places is None:
                continue
            own = [page for page in pages if f"категория: {part.category}" in page]
            assert any(row.player.name in page for page in own)
    winners = [page for page in pages if "место" in page]
    assert len(winners) == sum(row.places[0] <= 3 for row in rows if row.places)
    assert all("Диплом" in page for page in winners)
    assert sum("за участие" in page for page in pages) == len(rows) - len(winners)
    assert all("30 ноября" in page and "Оргкомитет пробы" in page for page in pages)


@pytest.mark.parametrize("kind", ["jpeg", "rgb", "cmyk", "png", "alpha", "palette"])
def test_any_picture_stands_behind_and_is_stored_once(kind: str, event: Standings) -> None:
    if kind in ("jpeg", "rgb", "cmyk"):
        mode = {"jpeg": "L", "rgb": "RGB", "cmyk": "CMYK"}[kind]
        data = jpeg(mode=mode, size=(297, 210))
    else:
        mode = {"png": "RGB", "alpha": "RGBA", "palette": "P"}[kind]
        file = io.BytesIO()
        Image.new("RGB", (297, 210), (200, 220, 240)).convert(mode).save(file, "PNG")
        data = file.getvalue()
    pdf = diplomas_pdf(event, picture=data)
    assert pdf.count(b"/Subtype /Image") == 1
    if kind in ("jpeg", "rgb", "cmyk"):
        assert data in pdf
    page = pdfium.PdfDocument(pdf)[5].render(scale=0.3).to_numpy()
    assert (page[5, 5] < 250).any() and (page[-5, -5] < 250).any()


def test_no_picture_is_refused_in_words(event: Standings) -> None:
    with speaking("en"), pytest.raises(InputFileError, match="JPEG or PNG"):
        diplomas_pdf(event, picture=b"not a picture")


def test_the_rating_table_is_what_was_answered(event: Standings) -> None:
    for part in event.categories:
        lines = list(
            csv.DictReader(
                io.StringIO(rating_csv(event, part).decode("utf-8-sig"), newline=""), delimiter=";"
            )
        )
        played = {row.player.number: row for row in part.rows if row.places}
        assert [int(line["id"]) for line in lines] and len(lines) == len(played)
        for line in lines:
            row = played[int(line["id"])]
            assert (line["name"], line["city"]) == (row.player.name, row.player.city)
            marks = [int(line[f"q{at}"]) for at in range(1, 41)]
            assert marks == [(cell > 0) - (cell < 0) for cell in row.cells if cell is not None]
            nominals = [10, 20, 30, 40, 50] * 8
            worth = zip(marks, nominals, strict=True)
            assert sum(mark * nominal for mark, nominal in worth) == row.score


def test_the_rating_headings_are_the_same_in_any_language(event: Standings) -> None:
    with speaking("ru"):
        russian = rating_csv(event, event.categories[0])
    assert russian == rating_csv(event, event.categories[0])
    assert russian.startswith(b"\xef\xbb\xbfid;name;city;q1;q2;")


def test_points_unconfirmed_and_removed_in_the_rating_table(
    category: Make, standings: MakeAll
) -> None:
    part = category("Старшая", 3, unconfirmed=2)
    event = dataclasses.replace(standings(part), removed=((2, 30),))
    table = rating_rows(event, part, points=True)
    assert len(table) == 4
    for line, row in zip(table[1:], part.rows, strict=True):
        expected = list(row.cells)
        expected[5 + 2] = None
        assert line[3:] == expected


def test_the_rating_workbook_has_numbers_and_no_formulas(
    category: Make, standings: MakeAll
) -> None:
    part = category("Старшая", 3)
    player = Player(1, "=1+1", "Старшая", "", "@city")
    rows = (dataclasses.replace(part.rows[0], player=player), *part.rows[1:])
    event = standings(dataclasses.replace(part, rows=rows))
    sheet = openpyxl.load_workbook(io.BytesIO(rating_xlsx(event))).worksheets[0]
    cells = list(sheet.iter_rows(min_row=2))
    assert all(cell.data_type == "n" for line in cells for cell in (line[0], *line[3:]))
    assert "f" not in {cell.data_type for line in cells for cell in line}
    assert "'=1+1;'@city;" in rating_csv(event, event.categories[0]).decode()
    assert rating_xlsx(event) == rating_xlsx(event)
