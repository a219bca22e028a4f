"""The description of a blank: one that can be printed but not read costs a whole event its evening."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import GeometryError
from scanner.geometry import Rect, SheetKind, default, load, parse

SOURCE = default().source


def test_the_blank_that_comes_with_the_product_is_what_was_promised() -> None:
    blank = default().blank_of(SheetKind.PERSONAL)
    assert default().blank_of(SheetKind.SPARE) is blank
    assert [(box.theme, box.row) for box in blank.boxes] == [
        (theme, row) for theme in range(1, 9) for row in range(1, 6)
    ]
    assert min(box.rect.height for box in blank.boxes) >= 9
    final = default().blank_of(SheetKind.FINAL)
    assert [field.name for field in final.fields] == ["stake", "answer"]


def test_a_box_is_found_by_theme_and_row() -> None:
    blank = default().blanks["personal"]
    assert blank.box(3, 5).key == "t3r5"
    with pytest.raises(KeyError):
        blank.box(9, 1)


@pytest.mark.parametrize(
    "good, bad",
    [
        ("DICT_4X4_50", "DICT_5000"),
        ("DICT_4X4_50", "__doc__"),
        ("marker_ids = [0, 1, 2, 3]", "marker_ids = [0, 1, 2, 77]"),
        ("marker_ids = [0, 1, 2, 3]", "marker_ids = [0, 1, 2, 4]"),
        ("marker_ids = [0, 1, 2, 3]", "marker_ids = [0, 1, 2]"),
        ("marker_at = [[12.0, 12.0]", "marker_at = [[9.0, 12.0]"),
        ("[167.5, 12.0], [27.8, 270.3]", "[167.5, 12.0]"),
        ("[167.5, 12.0], [27.8, 270.3]", "[167.5, 12.0], [60.0, 60.0]"),
        ("box_width = 82.0", "box_width = nan"),
        ("box_width = 82.0", "box_width = inf"),
        ("box_width = 82.0", "box_width = 120.0"),
        ("box_width = 82.0", 'box_width = "wide"'),
        ("box_width = 82.0", "box_wide = 82.0"),
        ("box_height = 9.2", "box_height = -9.2"),
        ("box_height = 9.2", "box_height = 9.9"),
        ("rows = 5", "rows = 0"),
        ("rows = 5", "rows = 999999999"),
        ("themes = [5, 6, 7, 8]", "themes = [4, 5, 6, 7]"),
        ("themes = [5, 6, 7, 8]", "themes = 5"),
        ("digits = 4", "digits = 0"),
        ("digits = 4", "digits = -3"),
        ("digits = 4", "digits = 99"),
        ("width = 210.0", "width = 190.0"),
        ("[paper]", "[sheet]"),
        ("[final]", "[finale]"),
        ("[personal.answers]", "[personal.answer]"),
        ("[paper]", "paper = 3\n[paper]"),
        ("[paper]", "also = 3\n[paper]"),
        ('title = "answers"', "fields = 3"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence(good: str, bad: str) -> None:
    assert good in SOURCE
    with pytest.raises(GeometryError) as caught:
        parse(SOURCE.replace(good, bad, 1))
    assert caught.value.message and caught.value.hint


@given(st.text(max_size=60))
def test_any_text_is_a_geometry_or_refused(text: str) -> None:
    with pytest.raises(GeometryError):
        parse(text)


def test_a_missing_and_a_binary_file_are_refused(tmp_path: Path) -> None:
    picture = tmp_path / "blanks.toml"
    picture.write_bytes(b"\x89PNG\r\n\xff\xfe")
    for path in (picture, tmp_path / "none.toml", tmp_path):
        with pytest.raises(GeometryError) as caught:
            load(path)
        assert path.name in caught.value.message


def test_another_size_of_paper_and_other_boxes_are_taken() -> None:
    text = SOURCE.replace("box_width = 82.0", "box_width = 70.0").replace("rows = 5", "rows = 4")
    blank = parse(text).blanks["personal"]
    assert len(blank.boxes) == 32 and blank.boxes[0].rect.width == 70


@given(*[st.floats(-50, 250)] * 2, *[st.floats(0.5, 90)] * 2, st.floats(-0.2, 30))
def test_growing_a_rectangle_moves_every_side(
    x: float, y: float, width: float, height: float, margin: float
) -> None:
    rect = Rect(x, y, width, height)
    grown = rect.grown(margin)
    assert grown.x == pytest.approx(x - margin) and grown.right == pytest.approx(
        rect.right + margin
    )
    assert grown.grown(-margin).width == pytest.approx(width)
    assert rect.overlaps(grown) and grown.overlaps(rect)
    assert not rect.overlaps(Rect(rect.right + 0.01, y, 1, 1))
