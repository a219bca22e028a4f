"""Guards against a player's page that shows another player's answers, or that one bad picture spoils."""

from __future__ import annotations

import dataclasses
import io
import re
import tracemalloc
from collections.abc import Callable

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
import pytest
from own_sheets import jpeg, key, own_page, own_pages

from otbor.i18n import speaking
from reports.distance import distance, distance_text, passing_score
from reports.own_page import OwnAnswer, OwnPage
from reports.player_pdf import player_pages_pdf
from scoring.model import CategoryStandings, Standings, Status, Verdict

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]


def _pages(data: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(data)]


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 36, tied=4, left=2, absent=1),
        category("Старшая", 5, first_number=201),
    )


def test_each_page_is_its_players_own(event: Standings) -> None:
    with speaking("ru"):
        pages = _pages(player_pages_pdf(event, own_pages(event), key=key()))
    rows = [row for part in event.categories for row in part.rows if row.places]
    assert len(pages) == len(rows)
    for row, page in zip(rows, pages, strict=True):
        text = " ".join(page.split())
        assert row.player.name in text and f"№ {row.player.number}" in text
        answers = re.findall(r"ответ (\d+)-\d-\d+", text)
        assert set(answers) == {str(row.player.number)}
        assert len(answers) == sum(bool(points) for points in row.cells)
        assert text.count("Верно ") == 40
        signed = [points for points in row.cells if points]
        shown = [int(number.replace("−", "-")) for number in re.findall(r"[+−]\d+", text)]
        assert all(shown.count(points) >= signed.count(points) for points in set(signed))


def test_the_picture_goes_in_as_it_is(event: Standings) -> None:
    row = event.categories[0].rows[0]
    data = player_pages_pdf(event, [own_page(row)])
    for answer in own_page(row).answers:
        assert answer.crop in data


def test_a_broken_picture_costs_nobody_the_page(event: Standings) -> None:
    row = event.categories[0].rows[0]
    broken = [b"", b"no picture", jpeg("x")[:40], b"\xff\xd8\xff"]
    answers = tuple(
        dataclasses.replace(answer, crop=broken[at % len(broken)])
        for at, answer in enumerate(own_page(row).answers)
    )
    text = _pages(player_pages_pdf(event, [OwnPage(row.player.number, answers)]))[0]
    assert text.count("ответ") == sum(bool(points) for points in row.cells)


def test_nothing_leaves_the_page(category: Make, standings: MakeAll) -> None:
    """Every box written, long names, long readings, many accepted answers."""
    part = category("Очень длинная категория " * 4, 3, long_names=True)
    row = part.rows[0]
    answers = tuple(
        OwnAnswer(at // 5 + 1, at % 5 * 10 + 10, Verdict.WRONG, -50, "Щ" * 90, jpeg(size=(900, 40)))
        for at in range(40)
    )
    key_ = key()
    wide = dataclasses.replace(
        key_,
        themes=tuple(
            dataclasses.replace(
                theme,
                title="Ю" * 80,
                questions=tuple(
                    dataclasses.replace(q, accepted=("Ъ" * 40, "Ы" * 40)) for q in theme.questions
                ),
            )
            for theme in key_.themes
        ),
    )
    with speaking("ru"):
        data = player_pages_pdf(
            standings(part),
            [OwnPage(row.player.number, answers, "abcdefgh2345")],
            key=wide,
            link="https://festival.example.org/otbor/" + "x" * 40,
            generated_note="создано " * 40,
        )
    document = pdfium.PdfDocument(data)
    assert len(document) == 1
    page = document[0]
    width, height = page.get_size()
    words = page.get_textpage()
    assert "ABCD-EFGH-2345" in words.get_text_bounded()
    rects = [words.get_rect(at) for at in range(words.count_rects())]
    rects += [
        thing.get_bounds() for thing in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE])
    ]
    assert len(rects) > 100
    for left, bottom, right, top in rects:
        assert 20 <= left <= right <= width - 20
        assert 20 <= bottom <= top <= height - 20


def test_a_file_written_page_by_page_shows_the_same(event: Standings) -> None:
    some = [own_page(row) for row in event.categories[1].rows]
    file, again = io.BytesIO(), io.BytesIO()
    assert player_pages_pdf(event, some, key=key(), file=file) == b""
    streamed = pdfium.PdfDocument(file.getvalue())
    whole = pdfium.PdfDocument(player_pages_pdf(event, some, key=key()))
    assert len(streamed) == len(whole) == 5
    for page, other in zip(whole, streamed, strict=True):
        assert (page.render(scale=0.7).to_numpy() == other.render(scale=0.7).to_numpy()).all()
    player_pages_pdf(event, some, key=key(), file=again)
    assert again.getvalue() == file.getvalue()


class _Nowhere(io.RawIOBase):
    """A file that keeps nothing."""

    size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.size += len(data)  # type: ignore[arg-type]
        return len(data)  # type: ignore[arg-type]


def test_memory_stays_flat(category: Make, standings: MakeAll) -> None:
    """A page's pictures must not outlive it: 40 of 8 KB each would be 320 KB a player."""
    event = standings(category("Старшая", 20))
    rows = event.categories[0].rows

    def peak(count: int) -> int:
        file = _Nowhere()
        pages = (
            dataclasses.replace(
                page,
                answers=tuple(
                    dataclasses.replace(answer, crop=answer.crop + bytes(8000))
                    for answer in page.answers
                ),
            )
            for page in (own_page(row) for row in rows[:count])
        )
        tracemalloc.start()
        player_pages_pdf(event, pages, file=file)  # type: ignore[arg-type]
        high = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert file.size > count * 40 * 8000
        return high

    peak(1)
    few, many = peak(4), peak(20)
    # Numbers, names and offsets of the objects are kept: some 20 KB a player.
    assert many - few < 16 * 40_000


def test_the_absent_have_no_page_but_there_is_always_one(event: Standings) -> None:
    absent = event.categories[0].rows[-1]
    assert absent.status is Status.ABSENT
    with speaking("ru"):
        pages = _pages(player_pages_pdf(event, [own_page(absent), OwnPage(999, ())]))
    assert len(pages) == 1 and "Участников пока нет" in pages[0]


def test_a_removed_question_says_so(event: Standings) -> None:
    removed = dataclasses.replace(event, removed=((3, 40),))
    row = event.categories[0].rows[0]
    with speaking("ru"):
        assert _pages(player_pages_pdf(removed, [own_page(row)]))[0].count("снят") == 1


def test_an_unconfirmed_answer_is_no_zero(category: Make, standings: MakeAll) -> None:
    event = standings(category("Старшая", 3, unconfirmed=2))
    row = event.categories[0].rows[0]
    with speaking("ru"):
        text = _pages(player_pages_pdf(event, [own_page(row)]))[0]
    assert "Не подтверждены 2 ответа: сумма может измениться." in text
    assert text.count("?") == 2 + 1  # and once in the legend


def test_the_distance_is_to_the_last_who_is_in(category: Make) -> None:
    part = category("Средняя", 38)
    passing = min(row.score for row in part.rows if row.status is Status.IN)
    assert passing_score(part) == passing
    with speaking("ru"):
        for row in part.rows:
            away = distance(part, row)
            assert away is not None and away == row.score - passing
            text = distance_text(part, row)
            assert f"Проходной балл {passing}" in text
            if row.status is Status.OUT:
                assert f"до черты {-away} очк" in text
            elif away:
                assert f"с запасом в {away} очк" in text


def test_there_is_no_distance_where_there_is_no_line(category: Make) -> None:
    few = category("Старшая", 20)
    tied = category("Младшая", 45, tied=5, left=3, absent=1)
    with speaking("en"):
        assert distance_text(few, few.rows[3]) == "Everybody in this category goes on."
        row = next(row for row in tied.rows if row.status is Status.TIED)
        assert "jury decides" in distance_text(tied, row)
        assert distance_text(tied, tied.rows[-1]) == ""
    assert passing_score(few) is None
    assert passing_score(tied) == row.score
    assert distance(tied, tied.rows[-1]) is None


def test_who_lost_the_tie_is_not_told_a_distance_of_zero(category: Make) -> None:
    part = category("Младшая", 45, tied=5, left=3)
    first = 29
    rows = tuple(
        dataclasses.replace(row, status=Status.IN if at < 32 else Status.OUT)
        if row.status is Status.TIED
        else row
        for at, row in enumerate(part.rows)
    )
    decided = dataclasses.replace(
        part, rows=rows, cut=dataclasses.replace(part.cut, sure=32, left=0, tied=())
    )
    with speaking("en"):
        assert "just enough" in distance_text(decided, decided.rows[first])
        assert "decided otherwise" in distance_text(decided, decided.rows[33])
