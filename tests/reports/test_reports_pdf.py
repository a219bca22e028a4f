"""Guards against posted results that mislead.

A name cut off at the page's edge, a player missing, a tie across the line that nobody sees, results that
look final while answers are unconfirmed, bytes that change with the order of rows.
"""

from __future__ import annotations

import dataclasses
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from otbor.i18n import speaking
from reports.protocol_pdf import protocol_pdf
from reports.standings_pdf import standings_pdf
from scoring.model import CategoryStandings, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]
Report = Callable[..., bytes]

REPORTS = pytest.mark.parametrize(
    "report", [standings_pdf, protocol_pdf], ids=["standings", "protocol"]
)
BANNER = "Предварительно"


def _pages(data: bytes) -> list[str]:
    document = pdfium.PdfDocument(data)
    return [page.get_textpage().get_text_bounded() for page in document]


def _russian(report: Report, standings: Standings, **options: object) -> bytes:
    with speaking("ru"):
        return report(standings, **options)


def _shuffled(standings: Standings, seed: int) -> Standings:
    rng = random.Random(seed)
    parts = (
        dataclasses.replace(part, rows=tuple(rng.sample(part.rows, len(part.rows))))
        for part in standings.categories
    )
    return dataclasses.replace(standings, categories=tuple(parts))


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2),
        category("Средняя", 38, first_number=101),
        category("Старшая", 20, first_number=201),
    )


@pytest.fixture(scope="module")
def crowded(category: Make, standings: MakeAll) -> Standings:
    """Names of sixty letters, the longest category, a tie over half of it, answers unconfirmed."""
    long = "Младшая группа (четвёртый — шестой класс) и все, кто младше их"
    return standings(
        category(long, 45, tied=30, left=20, unconfirmed=3, long_names=True, absent=2),
        category("Один", 1, first_number=900),
        category("Никого", 0, first_number=950, absent=1),
    )


@REPORTS
def test_every_player_is_printed_with_place_and_score(report: Report, event: Standings) -> None:
    pages = _pages(_russian(report, event))
    for part in event.categories:
        text = "\n".join(page for page in pages if part.category in page)
        for row in part.rows:
            assert row.player.name in text
            if row.places is not None:
                score = str(row.score).replace("-", "−")
                assert re.search(rf"(^|\s){score}(\s|$)", text)
                first, last = row.places
                assert (str(first) if first == last else f"{first}–{last}") in text


@REPORTS
def test_every_category_starts_a_page_and_counts_its_own(report: Report, event: Standings) -> None:
    pages = _pages(_russian(report, event))
    found = [re.findall(r"(\S+) · страница (\d+) из (\d+)", page) for page in pages]
    assert all(len(each) == 1 for each in found)
    footers = [each[0] for each in found]
    expected = []
    for part in event.categories:
        total = sum(name == part.category for name, _, _ in footers)
        expected += [(part.category, str(number), str(total)) for number in range(1, total + 1)]
    assert footers == expected
    assert all("место" in page and "участник" in page for page in pages)


def test_the_tie_across_the_line_is_explained_and_marked(event: Standings) -> None:
    part = event.categories[0]
    pages = _pages(_russian(standings_pdf, event))
    text = " ".join("\n".join(pages[:3]).split())
    score = next(row.score for row in part.rows if row.player.number in part.cut.tied)
    assert f"Места 30–34 делят 5 участников: у каждого {score} очков." in text
    assert "Осталось 3 места" in text and "решает жюри" in text
    assert "29 выходят наверняка, 3 места под вопросом" in text
    # One beside each of the five, one in the note.
    assert text.count("◊") == 6
    for row in part.rows:
        if row.player.number in part.cut.tied:
            assert f"{row.player.name} (№ {row.player.number})" in text
    assert "◊" not in "".join(pages[3:])


def test_a_clear_line_says_how_many_go_on(event: Standings) -> None:
    text = "\n".join(_pages(_russian(standings_pdf, event))[3:])
    assert text.count("выходят 32") >= 2  # in the heading of each page and at the line
    assert "20 участников · выходят 20" in text
    assert "выходят все: 20" in text


@REPORTS
def test_absent_players_have_no_place(report: Report, event: Standings) -> None:
    text = "\n".join(_pages(_russian(report, event)))
    assert "Не явились" in text or "неявка" in text
    assert not re.search(r"4[67]–|–4[67]", text)


@REPORTS
def test_unconfirmed_answers_are_announced_on_every_page(
    report: Report, crowded: Standings
) -> None:
    for provisional in (None, True, False):
        pages = _pages(_russian(report, crowded, provisional=provisional))
        assert all("Предварительно: не подтверждено 9 ответов" in page for page in pages)


@REPORTS
def test_confirmed_results_bear_no_banner_unless_asked(report: Report, event: Standings) -> None:
    assert not any(BANNER in page for page in _pages(_russian(report, event)))
    asked = _pages(_russian(report, event, provisional=True))
    assert all("Предварительные итоги" in page for page in asked)


@REPORTS
def test_nothing_runs_out_of_the_page_and_no_name_is_cut(
    report: Report, crowded: Standings
) -> None:
    document = pdfium.PdfDocument(_russian(report, crowded, generated_note="создано " * 60))
    text = ""
    for page in document:
        width, height = page.get_size()
        words = page.get_textpage()
        text += words.get_text_bounded()
        for at in range(words.count_rects()):
            left, bottom, right, top = words.get_rect(at)
            # Seven millimetres: what an ordinary printer leaves white, and a little more.
            assert 20 <= left <= right <= width - 20
            assert 20 <= bottom <= top <= height - 20
    # Letters are counted, since other columns come between a name's lines when text is taken out.
    part = crowded.categories[0]
    names = "".join(row.player.name for row in part.rows)
    if report is standings_pdf:  # the note repeats the players of the tie
        names += "".join(row.player.name for row in part.rows if row.status is Status.TIED)
        names += "".join(row.player.school for row in part.rows)
    assert text.count("Щ") == names.count("Щ")
    assert text.count("Иги") == names.count("Иги")


def test_columns_do_not_run_into_each_other(crowded: Standings) -> None:
    page = pdfium.PdfDocument(_russian(standings_pdf, crowded))[0].get_textpage()
    rects = [page.get_rect(at) for at in range(page.count_rects())]
    for index, (left, bottom, right, top) in enumerate(rects):
        for other_left, other_bottom, other_right, other_top in rects[:index]:
            apart = right <= other_left + 0.5 or other_right <= left + 0.5
            # Lines of one name come near each other, but never by half of a letter's height.
            stacked = min(top, other_top) - max(bottom, other_bottom) < 3
            assert apart or stacked


def test_the_protocol_shows_every_cell(category: Make, standings: MakeAll) -> None:
    part = category("Старшая", 1, first_number=77)
    row = part.rows[0]
    text = _pages(_russian(protocol_pdf, standings(part)))[0]
    line = text[text.index(row.player.name) :].split("верных ответов")[0].replace("−", "-")
    printed = [int(number) for number in re.findall(r"-?\d+", line)]
    for points in (10, 20, 30, 40, 50, -10, -20, -30, -40, -50):
        sums = [
            sum(cell or 0 for cell in row.cells[theme * 5 : theme * 5 + 5]) for theme in range(8)
        ]
        assert printed.count(points) >= row.cells.count(points) + sums.count(points)
    assert line.count("·") == row.cells.count(0)


@REPORTS
def test_an_unconfirmed_cell_is_no_zero(report: Report, category: Make, standings: MakeAll) -> None:
    event = standings(category("Старшая", 2, unconfirmed=2))
    open_cells = event.unconfirmed
    text = _pages(_russian(report, event))[0]
    if report is protocol_pdf:
        assert len(re.findall(r"\?(?! —)", text)) == open_cells
    else:
        assert "подтверждены не все ответы" in text and text.count("*") == 3


@REPORTS
def test_the_order_of_rows_does_not_matter(report: Report, event: Standings) -> None:
    first = _russian(report, event)
    assert all(_russian(report, _shuffled(event, seed)) == first for seed in (1, 2))


@REPORTS
def test_namesakes_in_one_place_keep_their_order(
    report: Report, category: Make, standings: MakeAll
) -> None:
    part = category("Младшая", 40, tied=5, left=3)
    rows = tuple(
        dataclasses.replace(row, player=dataclasses.replace(row.player, name="Ёж Ева", school=""))
        for row in part.rows
    )
    event = standings(dataclasses.replace(part, rows=rows))
    assert _russian(report, _shuffled(event, 1)) == _russian(report, _shuffled(event, 2))


@REPORTS
def test_seven_hundred_players(report: Report, category: Make, standings: MakeAll) -> None:
    event = standings(category("Большая", 700, tied=9, left=4))
    pages = _pages(_russian(report, event))
    text = "\n".join(pages)
    assert f"страница {len(pages)} из {len(pages)}" in pages[-1]
    assert all(f" {number} " in f" {' '.join(text.split())} " for number in range(1, 701))


@REPORTS
def test_no_categories_still_give_a_page(report: Report, standings: MakeAll) -> None:
    pages = _pages(_russian(report, standings()))
    assert len(pages) == 1 and "Участников пока нет" in pages[0]


@REPORTS
def test_english_pages_are_english(report: Report, event: Standings) -> None:
    with speaking("en"):
        text = "\n".join(_pages(report(event)))
    assert "page 1 of" in text and "go on" in text
    for word in ("место", "очки", "страница", "Тема"):
        assert word not in text


def test_another_process_prints_the_same_bytes(event: Standings, tmp_path: Path) -> None:
    """String hashes differ between processes; an order taken from a set would show here."""
    script = tmp_path / "print.py"
    script.write_text(
        "import hashlib, pickle, sys\n"
        "from otbor.i18n import set_language\n"
        "from reports.standings_pdf import standings_pdf\n"
        "from reports.protocol_pdf import protocol_pdf\n"
        "from reports.workbook import standings_csv, standings_xlsx\n"
        "set_language('ru')\n"
        "event = pickle.load(open(sys.argv[1], 'rb'))\n"
        "for make in (standings_pdf, protocol_pdf, standings_xlsx, standings_csv):\n"
        "    print(hashlib.sha256(make(event)).hexdigest())\n",
        encoding="utf-8",
    )
    data = tmp_path / "event.pickle"
    data.write_bytes(pickle.dumps(event))
    outputs = {
        subprocess.run(
            [sys.executable, str(script), str(data)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
