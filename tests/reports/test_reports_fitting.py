"""Guards against texts that run out of their place on paper, and names that lose letters in silence."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reports.fitting import ELLIPSIS, enumeration, fit, paragraph
from reports.flow import Block, paginate
from reports.fonts import BOLD, REGULAR, printable, width

texts = st.text(alphabet="абвгЩШёЁ-– ,iW0", max_size=80)
rooms = st.floats(20, 500)


@given(texts, rooms, st.integers(1, 4))
def test_no_line_is_wider_than_its_room(text: str, room: float, lines: int) -> None:
    fitted = fit(text, BOLD, 20, room, least=9, lines=lines)
    assert 9 <= fitted.size <= 20
    assert 1 <= len(fitted.lines) <= lines
    assert all(width(line, BOLD, fitted.size) <= room + 1e-6 for line in fitted.lines)


@given(texts, rooms)
def test_what_is_not_cut_is_complete(text: str, room: float) -> None:
    fitted = fit(text, REGULAR, 14, room, least=8, lines=2)
    if not any(ELLIPSIS in line for line in fitted.lines) and fitted.lines != ("",):
        assert "".join(fitted.lines).replace(" ", "") == printable(text).replace(" ", "")


@settings(deadline=None)
@given(texts, st.floats(40, 500))
def test_a_paragraph_never_loses_a_letter(text: str, room: float) -> None:
    lines = paragraph(text, REGULAR, 10, room)
    assert "".join(lines).replace(" ", "") == printable(text).replace(" ", "")
    assert all(width(line, REGULAR, 10) <= room for line in lines)


def test_a_short_text_keeps_its_size_and_a_longer_one_shrinks_first() -> None:
    assert fit("Ева", BOLD, 20, 300, least=9).size == 20
    middle = fit("Ёлкина Мария", BOLD, 20, 100, least=9)
    assert 9 <= middle.size < 20 and middle.lines == ("Ёлкина Мария",)
    long = fit("Ёлкина Мария Александровна", BOLD, 20, 70, least=9)
    assert long.lines[0] == "Ёлкина Мария"


def test_an_enumeration_breaks_between_its_items() -> None:
    items = [f"Имя Фамилия (№ {number})" for number in range(20)]
    lines = enumeration(items, REGULAR, 10, 260)
    assert " ".join(lines) == ", ".join(items)
    assert all(line.startswith("Имя") for line in lines)


def test_decomposed_letters_and_odd_spaces_are_printable() -> None:
    assert printable("Еже\u0308в\t  Андреи\u0306\u200b ") == "Ежёв Андрей"
    assert printable("Қасым Ілияс") == "Қасым Ілияс"
    assert printable("李 Ян") == "? Ян"


@given(st.lists(st.tuples(st.floats(1, 60), st.booleans()), max_size=60))
def test_pages_hold_every_block_once_and_in_order(sizes: list[tuple[float, bool]]) -> None:
    blocks = [Block(height, lambda paper, y: None, keep) for height, keep in sizes]
    pages = paginate(blocks, 100)
    assert [id(block) for page in pages for block in page] == [id(block) for block in blocks]
    assert all(sum(block.height for block in page) <= 100 for page in pages)
    assert all(pages) or len(pages) == 1


def test_a_heading_moves_with_what_it_heads() -> None:
    blocks = [Block(90, lambda paper, y: None), Block(8, lambda paper, y: None, True)]
    blocks.append(Block(8, lambda paper, y: None))
    assert [len(page) for page in paginate(blocks, 100)] == [1, 2]
