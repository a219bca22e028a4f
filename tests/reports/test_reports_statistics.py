"""Guards against statistics that don't add up, and a plot that hides where the line is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_sheets import key

from otbor.i18n import speaking
from reports.histogram import MOST_BARS, histogram
from reports.question_counts import (
    by_difficulty,
    players_who_answered,
    question_counts,
    verdict_of,
)
from reports.statistics_pdf import statistics_pdf
from scoring.model import CategoryStandings, Regulation, Standings, Verdict
from scoring.rules import Price, Prices

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]

scores = st.lists(st.integers(-1200, 1200).map(lambda n: n * 10), max_size=200)


def _pages(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(data)]


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2, unconfirmed=2),
        category("Средняя", 38, first_number=101),
        category("Никого", 0, first_number=201, absent=1),
    )


def test_the_counts_add_up(event: Standings) -> None:
    for part in event.categories:
        rows = players_who_answered(part.rows)
        counts = question_counts(rows, event.regulation)
        assert len(counts) == 40
        assert all(count.players == len(rows) for count in counts)
        assert sum(count.takes for count in counts) == sum(row.rights for row in rows)
        assert sum(count.misses for count in counts) == sum(row.wrongs for row in rows)
        assert sum(count.blanks for count in counts) == sum(row.blanks for row in rows)
        assert sum(count.unconfirmed for count in counts) == sum(row.unconfirmed for row in rows)


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        (40, Verdict.RIGHT),
        (-10, Verdict.WRONG),
        (-5, Verdict.BLANK),
        (0, Verdict.BLANK),
        (60, Verdict.RIGHT),
        (-60, Verdict.WRONG),
        (None, None),
    ],
)
def test_points_stand_for_what_the_regulation_pays(
    points: int | None, verdict: Verdict | None
) -> None:
    """Ten off for a wrong answer, five for an empty box; ±60 is a question whose nominal was changed."""
    prices = Prices(wrong=Price(points=-10), blank=Price(points=-5))
    assert verdict_of(points, 40, Regulation(prices=prices)) is verdict


def test_the_hardest_is_the_least_taken(event: Standings) -> None:
    counts = question_counts(event.categories[1].rows, event.regulation)
    ranked = by_difficulty(counts)
    assert [count.takes for count in ranked] == sorted(count.takes for count in counts)
    hardest = ranked[0]
    rest = by_difficulty(counts, [(hardest.theme, hardest.nominal)])
    assert rest == ranked[1:]


@given(scores, st.one_of(st.none(), st.integers(-100, 100).map(lambda n: n * 10)))
def test_the_histogram_holds_everybody(found: list[int], line: int | None) -> None:
    spread = histogram(found, line)
    assert len(spread.bars) <= MOST_BARS
    assert sum(bar.below + bar.above for bar in spread.bars) == len(found)
    above = sum(score >= line for score in found) if line is not None else len(found)
    assert sum(bar.above for bar in spread.bars) == above
    for before, after in zip(spread.bars, spread.bars[1:], strict=False):
        assert after.start == before.start + spread.step
    for bar in spread.bars:
        inside = [score for score in found if bar.start <= score < bar.start + spread.step]
        assert len(inside) == bar.below + bar.above


def test_all_together_and_each_category_have_a_page(event: Standings) -> None:
    with speaking("ru"):
        pages = _pages(statistics_pdf(event, key=key()))
    assert len(pages) == 4
    assert "Все категории" in pages[0] and "Категории рядом" in pages[0]
    for part, page in zip(event.categories[:2], pages[1:], strict=False):
        rows = players_who_answered(part.rows)
        assert part.category in page
        for count in question_counts(rows, event.regulation):
            figures = f"{count.takes}/{count.misses}/{count.blanks}"
            assert figures in "".join(page.split())
        hardest = by_difficulty(question_counts(rows, event.regulation))[0]
        assert f"Верно {hardest.theme}-{hardest.nominal}" in page
    line = next(row.score for row in event.categories[0].rows if row.status.value == "tied")
    assert f"проходной балл {line}" in pages[1]
    assert "никто не играл" in pages[3]
    assert all("Предварительно" in page for page in pages)


def test_an_event_of_one_category_is_not_told_twice(category: Make, standings: MakeAll) -> None:
    assert len(_pages(statistics_pdf(standings(category("Старшая", 20))))) == 1


def test_removed_questions_have_no_figures(category: Make, standings: MakeAll) -> None:
    event = dataclasses.replace(standings(category("Старшая", 20)), removed=((3, 40), (1, 10)))
    with speaking("ru"):
        text = _pages(statistics_pdf(event))[0]
    assert text.count("снят") == 2
    assert not re.search(r"Т3-40|Т1-10", text)


@pytest.mark.parametrize("players", [1, 700])
def test_one_player_and_seven_hundred_stay_on_the_page(
    players: int, category: Make, standings: MakeAll
) -> None:
    long = "Младшая группа (четвёртый — шестой класс) и все, кто младше их"
    event = standings(category(long, players, unconfirmed=2), category("Одна", 1, first_number=901))
    with speaking("ru"):
        document = pdfium.PdfDocument(statistics_pdf(event, key=key(), generated_note="а" * 300))
    for page in document:
        width, height = page.get_size()
        words = page.get_textpage()
        for at in range(words.count_rects()):
            left, bottom, right, top = words.get_rect(at)
            assert 15 <= left <= right <= width - 15
            assert 20 <= bottom <= top <= height - 20


def test_other_regulations_fit_too(category: Make, standings: MakeAll) -> None:
    event = standings(category("Старшая", 20))
    regulation = Regulation(themes=20, nominals=(10, 20))
    changed = dataclasses.replace(event, regulation=regulation)
    page = pdfium.PdfDocument(statistics_pdf(changed))[0]
    words = page.get_textpage()
    assert all(words.get_rect(at)[1] > 20 for at in range(words.count_rects()))


def test_the_same_standings_give_the_same_bytes(event: Standings) -> None:
    assert statistics_pdf(event) == statistics_pdf(event)
