"""Guards against a digit cell that stops a page, and against one read wrongly with nobody told."""

from __future__ import annotations

from pathlib import Path

import fontpkg_caveat
import numpy as np
import paper
import pytest
from PIL import Image, ImageDraw, ImageFont
from writing import Pad

from otbor.errors import EngineError
from scanner.contracts import Gray
from scanner.geometry import SheetKind, default
from scanner.readers.digits import CLASSES, NOTHING, UNCLEAR, DigitReader, unpacked
from scanner.readers.numbers import read_number
from scanner.recognition import recognise

# The network never saw this font.
FONT = next(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf"))


def _cell(text: str, size: int = 90, fill: int = 40) -> Gray:
    image = Image.new("L", (120, 140), 255)
    font = ImageFont.truetype(str(FONT), size)
    ImageDraw.Draw(image).text((60, 70), text, fill=fill, font=font, anchor="mm")
    return np.asarray(image).copy()


@pytest.fixture(scope="module")
def reader() -> DigitReader:
    return DigitReader()


@pytest.mark.parametrize(("size", "fill"), [(60, 30), (90, 120), (110, 205)])
def test_digits_of_any_size_and_ink_are_read(reader: DigitReader, size: int, fill: int) -> None:
    cells = [_cell(str(digit), size, fill) for digit in range(10)]
    found = reader.probabilities(cells)
    assert found.argmax(axis=1).tolist() == list(range(10))
    assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-3)


def test_a_digit_that_is_struck_out_is_no_digit(reader: DigitReader) -> None:
    image = Image.fromarray(_cell("8"))
    draw = ImageDraw.Draw(image)
    draw.line([(20, 25), (100, 115)], fill=40, width=5)
    draw.line([(20, 115), (100, 25)], fill=40, width=5)
    struck, whole = reader.probabilities([np.asarray(image), _cell("8")])
    assert struck[UNCLEAR] > 0.5 > whole[UNCLEAR]


@pytest.mark.parametrize(
    "cell",
    [
        np.zeros((1, 1), np.uint8),
        np.zeros((0, 5), np.uint8),
        np.zeros((140, 120), np.uint8),
        np.full((140, 120), 255, np.uint8),
        np.full((140, 120), np.nan, np.float32),
        np.random.default_rng(1).integers(0, 256, (140, 120), dtype=np.uint8),
        np.tile(np.arange(256, dtype=np.uint8), (140, 16)),
        np.zeros((3000, 4000), np.uint8),
        np.zeros((140, 120, 3), np.uint8),
    ],
    ids=["pixel", "nothing", "black", "white", "nan", "noise", "4000 wide", "huge", "colour"],
)
def test_odd_cells_give_no_sure_number(reader: DigitReader, cell: Gray) -> None:
    odd, digit = reader.probabilities([cell, _cell("7")])
    assert odd.shape == (CLASSES,)
    assert float(odd.sum()) == pytest.approx(1.0, abs=1e-3)
    found = read_number(odd[None])
    assert found.value is None or not found.sure
    assert digit.argmax() == 7


def test_a_cell_gives_the_same_alone_and_among_others(reader: DigitReader) -> None:
    cells = [_cell(text) for text in "31415926"]
    together = reader.probabilities(cells)
    alone = np.concatenate([reader.probabilities([cell]) for cell in cells])
    assert together == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize("content", [None, b"cut short"])
def test_missing_or_broken_weights_are_said_in_one_sentence(
    tmp_path: Path, content: bytes | None
) -> None:
    model = tmp_path / "digits.onnx"
    if content is not None:
        model.write_bytes(content)
    with pytest.raises(EngineError) as caught:
        DigitReader(model).probabilities([_cell("1")])
    assert "\n" not in caught.value.message
    assert caught.value.hint


def _written(stake: str) -> Gray:
    pad = Pad(paper.printed(SheetKind.FINAL, 200))
    for char, cell in zip(stake, default().blanks["final"].fields[0].cells, strict=False):
        if char != " ":
            pad.text(cell.x + 3.5, cell.bottom - 3, char, x_height=4.0)
    return paper.scanned(pad.done(), noise=4, bend=paper.crumpled(0.3, 1), jpeg=70).gray


@pytest.mark.parametrize(("stake", "value"), [("120 ", 120), ("  35", 35), ("0400", 400)])
def test_a_stake_on_a_scanned_sheet_is_read_and_sure_or_flagged(
    reader: DigitReader, stake: str, value: int
) -> None:
    result = recognise(_written(stake), default(), paper.EVENT, None, reader)
    box = next(box for box in result.boxes if box.key == "stake")
    assert box.reading is not None
    found = read_number(unpacked(box.reading.trace))
    assert found.value == value
    assert box.reading.text == stake.replace(" ", "_")


def test_without_weights_the_page_is_kept_and_its_number_unread(tmp_path: Path) -> None:
    missing = DigitReader(tmp_path / "none.onnx")
    result = recognise(_written("120 "), default(), paper.EVENT, None, missing)
    box = next(box for box in result.boxes if box.key == "stake")
    assert box.reading is None and len(box.image) > 1000
    assert [text for text in result.warnings if "none.onnx" in text]


def test_an_empty_stake_box_is_surely_empty(reader: DigitReader) -> None:
    result = recognise(_written(""), default(), paper.EVENT, None, reader)
    box = next(box for box in result.boxes if box.key == "stake")
    assert box.reading is not None
    found = read_number(unpacked(box.reading.trace))
    assert (box.reading.text, found.nothing, found.sure) == ("____", 1.0, True)
    assert float(unpacked(box.reading.trace)[:, NOTHING].min()) == 1.0  # type: ignore[index]
