"""Ink in a box: an answer taken for a blank is lost to the eye of the jury, and a player loses points.

Guards against unseen pencil and light-blue pens, lost digits, small words taken for dashes, and against
dust, shadows, folds and neighbours' strokes that fill the jury's wall with blanks.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import paper
import pytest
from ink_error import ink_trials, summary
from numpy.typing import NDArray
from writing import FONTS, Pad, digit

from scanner.contracts import BoxResult, Ink
from scanner.geometry import Rect, SheetKind, default
from scanner.ink import find_ink
from scanner.recognition import recognise
from scanner.rectify import PX_PER_MM

BOXES = default().blanks["personal"].boxes
Draw = Callable[[Pad, Rect], None]


def boxes_of(draw: Draw, *, dpi: int = 200, seed: int = 1, **how: object) -> list[BoxResult]:
    """Every second answer box filled by `draw`, the sheet scanned and recognised; those boxes."""
    pad = Pad(paper.printed(SheetKind.PERSONAL, dpi))
    drawn = BOXES[::2]
    for box in drawn:
        draw(pad, box.rect)
    scan = paper.scanned(pad.done(), seed=seed, **({"skew": 0.8} | how))  # type: ignore[arg-type]
    found = {item.key: item for item in recognise(scan.gray, default(), paper.EVENT).boxes}
    return [found[box.key] for box in drawn]


def kinds(results: list[BoxResult]) -> set[Ink]:
    return {item.ink for item in results}


def word(text: str, **how: object) -> Draw:
    def draw(pad: Pad, rect: Rect) -> None:
        pad.text(rect.x + 6, rect.bottom - 2.8, text, **how)  # type: ignore[arg-type]

    return draw


def strokes(text: str, height: float = 3.0, left: float = 8.0, **how: float) -> Draw:
    def draw(pad: Pad, rect: Rect) -> None:
        for index, char in enumerate(text):
            at = rect.x + left + index * height * 0.75
            for stroke in digit(char, at, rect.y + 3, height):
                pad.stroke(stroke, **how)

    return draw


# Written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [0, 6, 12])
@pytest.mark.parametrize("dpi", [150, 300])
def test_pencil_at_15_percent_contrast_is_seen(dpi: int, noise: float) -> None:
    draw = word("Байкал", x_height=2.4, darkness=0.15, bold=0.06)
    assert kinds(boxes_of(draw, dpi=dpi, noise=noise)) == {Ink.WRITTEN}


@pytest.mark.parametrize("jpeg", [60, 75, 90])
def test_pencil_survives_compression(jpeg: int) -> None:
    draw = word("1961", x_height=2.4, darkness=0.2, bold=0.04)
    assert kinds(boxes_of(draw, noise=5, jpeg=jpeg)) == {Ink.WRITTEN}


@pytest.mark.parametrize("font", FONTS)
def test_words_of_every_hand_are_seen(font: str) -> None:
    results = boxes_of(word("Ёжик в тумане", font=font), noise=4)
    assert kinds(results) == {Ink.WRITTEN} and all(item.sure for item in results)


def test_light_blue_ink_is_seen_also_on_a_1_bit_scan() -> None:
    draw = word("Нил", darkness=0.38)
    assert kinds(boxes_of(draw, noise=6)) == {Ink.WRITTEN}
    assert kinds(boxes_of(draw, one_bit=True, threshold=190)) == {Ink.WRITTEN}


@pytest.mark.parametrize("text", ["1", "7", "4", "5", "-5", "-1", "=", "+"])
@pytest.mark.parametrize("height", [2.2, 4.5])
def test_single_thin_characters_are_seen(text: str, height: float) -> None:
    draw = strokes(text, height, width=0.3, darkness=0.6)
    assert kinds(boxes_of(draw, noise=6)) == {Ink.WRITTEN}


def test_a_digit_in_pencil_is_seen() -> None:
    assert kinds(boxes_of(strokes("1", 2.5, width=0.4, darkness=0.2), noise=8)) == {Ink.WRITTEN}


@pytest.mark.parametrize("one_bit", [False, True])
def test_a_short_word_on_the_frame_is_seen(one_bit: bool) -> None:
    def low(pad: Pad, rect: Rect) -> None:
        pad.text(rect.x - 0.6, rect.bottom - 0.1, "уж", x_height=1.8)

    def high(pad: Pad, rect: Rect) -> None:
        pad.text(rect.right - 4.0, rect.y + 2.0, "7", x_height=1.8)

    for draw in (low, high):
        assert kinds(boxes_of(draw, noise=4, one_bit=one_bit)) == {Ink.WRITTEN}


def test_an_answer_that_begins_beside_its_box_is_seen() -> None:
    def draw(pad: Pad, rect: Rect) -> None:
        pad.stroke([(rect.x - 0.7, rect.y + 3), (rect.x - 0.6, rect.y + 6)], width=0.45)
        pad.stroke([(rect.x - 0.7, rect.y + 3), (rect.x + 0.2, rect.y + 3.1)], width=0.45)

    results = boxes_of(draw, noise=3)
    assert kinds(results) == {Ink.WRITTEN} and not any(item.sure for item in results)


@pytest.mark.parametrize("text", ["мимо", "лишь", "шиши", "ещё", "и"])
@pytest.mark.parametrize("how", [{}, {"one_bit": True, "threshold": 150}, {"dpi": 150}])
def test_the_smallest_writing_is_no_dash(text: str, how: dict[str, object]) -> None:
    draw = word(text, x_height=1.1, darkness=0.8, bold=0.03)
    assert kinds(boxes_of(draw, **how)) == {Ink.WRITTEN}  # type: ignore[arg-type]


def test_a_box_filled_with_ink_is_written() -> None:
    # The paper's brightness must not be taken from the ink itself.
    def draw(pad: Pad, rect: Rect) -> None:
        for step in range(1, 18):
            y = rect.y + step * 0.5
            pad.stroke([(rect.x + 1, y), (rect.right - 1, y)], width=0.55)

    assert kinds(boxes_of(draw)) == {Ink.WRITTEN}


def test_a_crossed_out_and_rewritten_answer_is_written() -> None:
    def draw(pad: Pad, rect: Rect) -> None:
        wide = pad.text(rect.x + 4, rect.bottom - 3, "Москва")
        pad.stroke([(rect.x + 3, rect.bottom - 4), (rect.x + 5 + wide, rect.bottom - 4.2)])
        pad.text(rect.x + 8 + wide, rect.bottom - 3, "Тула")

    assert kinds(boxes_of(draw, noise=3)) == {Ink.WRITTEN}


@pytest.mark.parametrize("darkness", [0.09, 0.3])
@pytest.mark.parametrize("text", ["1", "7"])
def test_a_digit_on_a_fold_is_seen(text: str, darkness: float) -> None:
    # Joined to 80 mm of fold the digit is a small share of the mark, and was once taken for a part of it.
    pad = Pad(paper.printed(dpi=300))
    box = BOXES[2].rect
    pad.stroke([(3, box.y + 3), (207, box.y + 6)], width=0.4, darkness=darkness)
    for stroke in digit(text, box.x + 40, box.y + 2.5, 3.5):
        pad.stroke(stroke, width=0.4, darkness=0.25)
    result = recognise(paper.scanned(pad.done(), noise=4).gray, default(), paper.EVENT)
    assert result.boxes[2].ink is Ink.WRITTEN


def test_a_hasty_faint_word_on_quiet_paper_is_seen() -> None:
    assert kinds(boxes_of(word("була", x_height=2, darkness=0.12), noise=2)) == {Ink.WRITTEN}


# Dashes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [2.5, 5.0, 12.0, 40.0])
@pytest.mark.parametrize("slant", [-4, 0, 5])
def test_a_dash_is_a_dash(length: float, slant: float) -> None:
    rise = float(np.tan(np.radians(slant))) * min(length, 15)

    def draw(pad: Pad, rect: Rect) -> None:
        x, y = rect.x + 10, rect.y + 4.5
        pad.stroke(
            [(x, y), (x + length / 2, y + rise / 2 + 0.1), (x + length, y + rise)], width=0.45
        )

    assert kinds(boxes_of(draw, noise=4)) == {Ink.DASH}


# Blank ------------------------------------------------------------------------------------------------


def nothing(pad: Pad, rect: Rect) -> None:
    """An empty box."""


@pytest.mark.parametrize("dpi", [150, 200, 300])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"noise": 12},
        {"noise": 8, "jpeg": 60},
        {"one_bit": True, "noise": 5},
        {"light": paper.half_shadow(0.4, 20)},
        {"light": paper.half_shadow(0.5, 95, softness=0.01), "noise": 5},
        {"bend": paper.crumpled(0.5, 3), "noise": 5},
        {"scale": (0.95, 0.97), "skew": -2.5, "white": 0.8, "noise": 4},
    ],
    ids=["plain", "noise", "jpeg", "1-bit", "shadow", "sharp shadow", "crumpled", "shrunk"],
)
def test_empty_boxes_are_blank(dpi: int, how: dict[str, object]) -> None:
    assert kinds(boxes_of(nothing, dpi=dpi, **how)) == {Ink.BLANK}  # type: ignore[arg-type]


def test_specks_and_smudges_are_blank() -> None:
    def draw(pad: Pad, rect: Rect) -> None:
        for x, y, size in ((9, 3, 0.35), (30, 6, 0.2), (31.5, 5, 0.3), (60, 2, 0.3), (75, 7, 0.15)):
            at = (rect.x + x, rect.y + y)
            pad.stroke([at, (at[0] + 0.05, at[1])], width=size, darkness=0.7)
        pad.stroke([(rect.x + 40, rect.y + 5), (rect.x + 48, rect.y + 5)], width=3, darkness=0.04)

    assert kinds(boxes_of(draw, noise=4)) == {Ink.BLANK}


@pytest.mark.parametrize("skew", [0.0, 2.0])
@pytest.mark.parametrize("turn", [0, 90])
def test_a_streak_of_dust_through_all_boxes_is_blank(skew: float, turn: int) -> None:
    scan = paper.scanned(paper.printed(dpi=200), skew=skew, noise=4)
    gray = scan.gray.copy()
    gray[:, 600:603] = (gray[:, 600:603] * 0.45).astype(np.uint8)
    scan = paper.turned(scan.with_gray(gray), turn)
    result = recognise(scan.gray, default(), paper.EVENT)
    assert {item.ink for item in result.boxes if item.key.startswith("t")} == {Ink.BLANK}


def test_writing_is_seen_through_a_streak() -> None:
    pad = Pad(paper.printed(dpi=200))
    for box in BOXES[::2]:
        pad.text(box.rect.x + 6, box.rect.bottom - 3, "Нева")
    scan = paper.scanned(pad.done(), noise=4)
    gray = scan.gray.copy()
    gray[:, 210:213] = 60
    result = recognise(gray, default(), paper.EVENT)
    assert {item.ink for item in result.boxes[:40:2]} == {Ink.WRITTEN}


def test_a_tall_digit_from_frame_to_frame_is_no_streak() -> None:
    def draw(pad: Pad, rect: Rect) -> None:
        pad.stroke([(rect.x + 20, rect.y - 0.3), (rect.x + 20, rect.bottom + 0.3)], width=0.4)

    pad = Pad(paper.printed(dpi=200))
    draw(pad, BOXES[2].rect)  # its neighbours are empty: the line ends at the frame
    found = recognise(paper.scanned(pad.done(), noise=3).gray, default(), paper.EVENT).boxes[2]
    assert (found.key, found.ink, found.sure) == (BOXES[2].key, Ink.WRITTEN, False)


@pytest.mark.parametrize("darkness", [0.1, 0.3])
def test_a_fold_through_the_sheet_is_blank(darkness: float) -> None:
    pad = Pad(paper.printed(dpi=200))
    pad.stroke([(3, 150), (207, 158)], width=0.4, darkness=darkness)
    pad.stroke([(60, 3), (66, 294)], width=0.4, darkness=darkness)
    result = recognise(paper.scanned(pad.done(), noise=3, skew=1).gray, default(), paper.EVENT)
    written = [item.key for item in result.boxes if item.ink is Ink.WRITTEN]
    assert len(written) <= 1  # the box in which two folds cross may be doubtful


def test_the_tail_of_a_letter_above_leaves_the_box_blank_but_doubtful() -> None:
    pad = Pad(paper.printed(dpi=200))
    for box in BOXES[:40:5]:
        pad.text(box.rect.x + 10, box.rect.bottom - 0.8, "Ру", x_height=2.2, font=FONTS[1])
    result = recognise(paper.scanned(pad.done(), noise=4).gray, default(), paper.EVENT)
    assert {item.ink for item in result.boxes[0:40:5]} == {Ink.WRITTEN}
    below = result.boxes[1:40:5]
    assert {item.ink for item in below} == {Ink.BLANK}
    assert not all(item.sure for item in below)


def test_a_small_digit_under_the_upper_frame_is_no_tail() -> None:
    pad = Pad(paper.printed(dpi=200))
    for box in BOXES[1:40:5]:
        pad.text(box.rect.x + 10, box.rect.y - 3.0, "Рим", x_height=2.2)
        for stroke in digit("7", box.rect.x + 10.5, box.rect.y + 0.2, 2.4):
            pad.stroke(stroke, width=0.35)
    result = recognise(paper.scanned(pad.done(), noise=4).gray, default(), paper.EVENT)
    assert {item.ink for item in result.boxes[1:40:5]} == {Ink.WRITTEN}


# find_ink by itself -----------------------------------------------------------------------------------


def frame(aside: float = 0.0, noise: float = 0.01) -> NDArray[np.float32]:
    """The darkness of an empty box whose frame lies `aside` mm to the right and down."""
    size = (round(9.2 * PX_PER_MM), 82 * PX_PER_MM)
    darkness = np.random.default_rng(4).normal(0.01, noise, size).astype(np.float32)
    first, thick = round(aside * PX_PER_MM), 2
    for start in (first, size[0] + first - thick):
        darkness[max(start, 0) : max(start + thick, 0)] += 0.6
    for start in (first, size[1] + first - thick):
        darkness[:, max(start, 0) : max(start + thick, 0)] += 0.6
    return np.clip(cv2.GaussianBlur(darkness, (0, 0), 0.7), 0, 1)


@pytest.mark.parametrize("aside", [-0.5, -0.3, 0.0, 0.3, 0.5])
def test_a_displaced_frame_is_no_ink(aside: float) -> None:
    finding = find_ink(frame(aside))
    assert (finding.ink, finding.area) == (Ink.BLANK, 0.0)


def test_the_mask_is_where_the_ink_is() -> None:
    darkness = frame()
    darkness[30:60, 200:204] += 0.5
    finding = find_ink(np.clip(darkness, 0, 1))
    rows, columns = np.nonzero(finding.mask)
    assert finding.ink is Ink.WRITTEN and finding.mask.shape == darkness.shape
    assert rows.min() >= 27 and rows.max() <= 63
    assert columns.min() >= 197 and columns.max() <= 207
    assert finding.area == pytest.approx(1.2, abs=0.8)


def test_streaks_that_are_known_do_not_count() -> None:
    darkness = frame()
    darkness[:, 300:304] += 0.5
    streaks = np.zeros(darkness.shape, dtype=bool)
    streaks[:, 298:306] = True
    assert find_ink(np.clip(darkness, 0, 1), streaks).ink is Ink.BLANK


@pytest.mark.parametrize("shade", [0.0, 0.02, 0.9])
def test_an_evenly_coloured_box_is_told(shade: float) -> None:
    finding = find_ink(np.full((92, 820), shade, dtype=np.float32))
    assert finding.ink is (Ink.WRITTEN if shade > 0.5 else Ink.BLANK)


# The rates --------------------------------------------------------------------------------------------


def test_rates_of_error_on_mixed_pages() -> None:
    # Six pages here; the benchmark and tests/support/ink_error.py take hundreds.
    rates = summary(list(ink_trials(6, seed=5)))
    assert rates["written"] >= 90 and rates["blank"] >= 90
    assert rates["written_lost"] == 0
    assert rates["blank_called_written_share"] <= 0.02
