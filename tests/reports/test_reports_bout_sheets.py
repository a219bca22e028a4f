"""Guards against a bout without its sheet, a player on the wrong one, and a question with no box for it.

The host's table writes down a whole bout on this paper: a theme that is missing, or a name that runs into
the next column, is noticed when the bout is being played.
"""

from __future__ import annotations

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otbor.i18n import speaking
from reports.bout_sheets import MOST_PLAYERS, bout_sheets_pdf
from scoring.model import Player
from scoring.rules import Part
from scoring.seeding import Method

USUAL = (Part("", 4, (10, 20, 30, 40, 50)),)
LONG = "Константинопольская-Преображенская Александрина-Виктория Иги"
SURNAMES = "Абрамова Берёзкин Волгина Громов Дымова Ежов Ёлкина Жарова Зимин Ильина Ключев Лунина"
BOUTS = ((1, 8, 9), (2, 7, 10), (3, 6, 11), (4, 5))


def _players(count: int = 12, name: str = "") -> dict[int, Player]:
    names = SURNAMES.split()
    return {
        number: Player(
            number,
            name or f"{names[(number - 1) % 12]} Яна",
            "Младшая",
            name * 2 or f"Школа № {number}",
        )
        for number in range(1, count + 1)
    }


def _texts(pdf: bytes) -> list[str]:
    return [
        str(page.get_textpage().get_text_bounded()).replace("\r\n", "\n")
        for page in pdfium.PdfDocument(pdf)
    ]


def _russian(**changes: object) -> bytes:
    given_: dict[str, object] = {"parts": USUAL, **changes}
    with speaking("ru"):
        return bout_sheets_pdf("Осенний марафон", "Младшая", BOUTS, _players(), **given_)  # type: ignore[arg-type]


def test_the_first_page_is_the_draw_and_each_bout_has_a_sheet() -> None:
    draw, *sheets = _texts(_russian(places={number: (number, number) for number in range(1, 12)}))
    assert len(sheets) == len(BOUTS)
    players = _players()
    for number in range(1, 12):
        assert players[number].name in draw
        assert players[number].school in draw
    for at, (bout, sheet) in enumerate(zip(BOUTS, sheets, strict=True), start=1):
        assert f"Бой {at}" in sheet
        for number in range(1, 12):
            assert (players[number].name in sheet) == (number in bout)


@pytest.mark.parametrize(("language", "theme"), [("ru", "Тема"), ("en", "Theme")])
def test_every_question_of_the_stage_has_its_row(language: str, theme: str) -> None:
    parts = (Part("Синий", 2, (1, 2, 3)), Part("Красный", 5, (10, 20)))
    with speaking(language):
        pdf = bout_sheets_pdf("М", "К", [(1, 2)], _players(), parts=parts)
    _draw, sheet = _texts(pdf)
    lines = sheet.split("\n")
    for number in range(1, 8):
        assert sheet.count(f"{theme} {number}") == 1
    assert (sheet.count("Синий"), sheet.count("Красный")) == (2, 5)
    assert lines.count("20") == 5
    assert lines.count("3") >= 2


def test_a_long_stage_takes_more_pages_and_loses_no_theme() -> None:
    parts = tuple(Part(name, 4, (10, 20, 30, 40, 50)) for name in ("А", "Б", "В"))
    _draw, *pages = _texts(_russian(parts=parts))
    assert len(pages) == 2 * len(BOUTS)
    themes = [
        [number for number in range(1, 13) if f"Тема {number}\n" in page + "\n"] for page in pages
    ]
    assert themes[0] + themes[1] == list(range(1, 13))
    assert "страница 2 из 2" in pages[1]


def test_the_draw_says_how_it_came_about_and_who_could_not_be_kept_apart() -> None:
    [draw, *_sheets] = _texts(
        _russian(method=Method.DRAWN, seed="овация", conflicts=[(6, 11)], proven=True)
    )
    assert "«овация»" in draw
    assert "1 пара" in draw and "Меньше не бывает" in draw
    assert "Бой 3: Ежов Яна и Ключев Яна" in draw
    [plain, *_sheets] = _texts(_russian())
    assert "змейкой" in plain and "не встречаются" in plain and "Кого не удалось" not in plain


def test_two_of_one_surname_are_told_apart_above_their_columns() -> None:
    players = {
        1: Player(1, "Ким Анна", "М"),
        2: Player(2, "Ким Олег", "М"),
        3: Player(3, "Ли Су", "М"),
    }
    with speaking("ru"):
        _draw, sheet = _texts(bout_sheets_pdf("М", "К", [(1, 2, 3)], players, parts=USUAL))
    # Once on the card and once above the columns of each of the two panels.
    assert sheet.count("Ким Анна") == sheet.count("Ким Олег") == 3
    assert sheet.count("Ли Су") == 1


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, MOST_PLAYERS),
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 10)), min_size=1, max_size=3),
    st.sampled_from(["", LONG, "Щ" * 60, "Я"]),
    st.sampled_from(["ru", "en"]),
)
def test_nothing_leaves_the_page_or_runs_into_another_text(
    count: int, stage: list[tuple[int, int]], name: str, language: str
) -> None:
    parts = [Part("П" * 30, themes, tuple(range(100, 100 + rows))) for themes, rows in stage]
    places = {number: (number, 1000) for number in range(1, 13)}
    with speaking(language):
        pdf = bout_sheets_pdf(
            LONG,
            LONG,
            [tuple(range(1, count + 1))],
            _players(name=name),
            parts=parts,
            seed="щ" * 300,
            method=Method.DRAWN,
            conflicts=[(1, 2)] if count > 1 else [],
            places=places,
            stage=LONG,
            generated_note=LONG * 2,
        )
    for page in pdfium.PdfDocument(pdf):
        text = page.get_textpage()
        rects = [text.get_rect(at) for at in range(text.count_rects())]
        for at, (left, bottom, right, top) in enumerate(rects):
            assert 28 < left < right < 297 / 25.4 * 72 - 28
            assert 18 < bottom < top < 210 / 25.4 * 72 - 18
            for other_left, other_bottom, other_right, other_top in rects[:at]:
                apart = right <= other_left + 0.5 or other_right <= left + 0.5
                assert apart or min(top, other_top) - max(bottom, other_bottom) < 3


def test_the_same_draw_gives_the_same_bytes() -> None:
    assert _russian() == _russian()
    assert _russian() != _russian(seed="другое", method=Method.DRAWN)


def test_no_bouts_still_give_a_page() -> None:
    with speaking("ru"):
        assert len(_texts(bout_sheets_pdf("М", "К", [], {}, parts=USUAL))) == 1


def test_more_players_than_columns_are_refused() -> None:
    bout = tuple(range(1, MOST_PLAYERS + 2))
    with pytest.raises(ValueError, match="players"):
        bout_sheets_pdf("М", "К", [bout], _players(), parts=USUAL)
