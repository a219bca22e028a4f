"""Guards against a reader that dies of odd crops or bad weights, or reads one way today, another tomorrow."""

from __future__ import annotations

from pathlib import Path

import cv2
import fontpkg_caveat
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from otbor.errors import EngineError
from scanner.contracts import Gray, Reader
from scanner.loose_crop import prepared
from scanner.readers import choice
from scanner.readers.handwriting import MODEL, HandwritingReader, check
from scanner.readers.line_image import HEIGHT, line_image
from scanner.readers.verification import NOTHING, TraceVerifier

# The network never saw this font.
FONT = next(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf"))


def _written(text: str, size: int = 60, fill: int = 30) -> Gray:
    font = ImageFont.truetype(str(FONT), size)
    image = Image.new("L", (820, 92), 255)
    ImageDraw.Draw(image).text((20, 46), text, fill=fill, font=font, anchor="lm")
    return np.asarray(image).copy()


@pytest.fixture(scope="module")
def reader() -> HandwritingReader:
    return HandwritingReader()


def test_it_is_a_reader_chosen_by_name() -> None:
    made = choice.make("handwriting")
    assert isinstance(made, Reader)
    assert choice.usual() == "handwriting"


def test_what_is_written_fits_better_than_anything_else(reader: HandwritingReader) -> None:
    texts = ["Пушкин", "Лермонтов", "Достоевский", "Менделеев", "Волга", "Байкал"]
    readings = reader.read([_written(text) for text in texts])
    matches = TraceVerifier().verify([reading.trace for reading in readings], [texts] * len(texts))
    for row, some in enumerate(matches):
        best = max(range(len(texts)), key=lambda column: some[column].probability)
        assert best == row
        assert some[row].probability > 0.5
        assert max(match.probability for at, match in enumerate(some) if at != row) < 0.3
        assert all(match.ratio <= 0 for match in some)


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("1961", "1967"),
        ("Александр III", "Александр II"),
        ("кит", "кот"),
        ("64", "164"),
        ("X", "V"),
    ],
)
def test_a_number_or_a_short_word_is_told_from_one_a_sign_away(
    reader: HandwritingReader, written: str, other: str
) -> None:
    """Loss: likeness alone makes 1967 as right as 1961."""
    (reading,) = reader.read([_written(written)])
    ((same, different),) = TraceVerifier().verify([reading.trace], [[written, other]])
    assert same.probability > 0.95
    assert different.probability < 0.7


def test_a_slip_in_a_longer_word_is_no_other_answer(reader: HandwritingReader) -> None:
    (reading,) = reader.read([_written("Лирмонтов")])
    ((slip, another),) = TraceVerifier().verify([reading.trace], [["Лермонтов", "Ломоносов"]])
    assert slip.probability > 0.5 > 0.1 > another.probability


def test_faint_pencil_is_read_as_dark_ink_is(reader: HandwritingReader) -> None:
    dark, faint = reader.read([_written("Байкал"), _written("Байкал", fill=210)])
    assert faint.text.lower() == dark.text.lower()


def test_a_crop_gives_the_same_alone_and_among_others(reader: HandwritingReader) -> None:
    crops = [_written(text) for text in ("Нил", "Санкт-Петербург", "42", "Орёл")]
    together = reader.read(crops)
    assert [reading.text for reading in together] == [reader.read([crop])[0].text for crop in crops]


@pytest.mark.parametrize(
    "crop",
    [
        np.zeros((1, 1), np.uint8),
        np.zeros((0, 5), np.uint8),
        np.zeros((92, 820), np.uint8),
        np.full((92, 820), 255, np.uint8),
        np.random.default_rng(1).integers(0, 256, (92, 820), dtype=np.uint8),
        np.full((92, 4000), 255, np.uint8),
        np.tile(np.arange(256, dtype=np.uint8), (200, 5)),
    ],
    ids=["one pixel", "nothing", "black", "white", "noise", "4000 pixels", "slope"],
)
def test_odd_crops_give_a_reading_each(reader: HandwritingReader, crop: Gray) -> None:
    first, second = reader.read([crop, _written("Орёл")])
    assert 0 <= first.confidence <= 1
    assert second.text
    loose, finding = prepared(crop) if crop.size else (crop, None)
    assert finding is None or reader.read([loose])


def test_a_line_of_4000_pixels_is_read_whole(reader: HandwritingReader) -> None:
    line = np.full((92, 4000), 255, np.uint8)
    line[:, :820], line[:, 3180:] = _written("Волга"), _written("Волга")
    image = line_image(line)
    assert image is not None and image.shape[0] == HEIGHT
    assert (image[:, :200] > 0.5).any() and (image[:, -200:] > 0.5).any()
    assert reader.read([line])[0].text


def test_size_and_place_of_the_writing_do_not_matter() -> None:
    small, large = line_image(_written("Орёл", 40)), line_image(_written("Орёл", 80))
    assert small is not None and large is not None
    scaled = cv2.resize(small, (large.shape[1], large.shape[0]))
    assert float(np.abs(scaled - large).mean()) < 0.08


def test_no_crops_no_readings(reader: HandwritingReader) -> None:
    assert reader.read([]) == []


def test_missing_cut_or_foreign_weights_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="missing"):
        HandwritingReader(tmp_path / "nowhere.onnx").read([_written("Орёл")])
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(MODEL.read_bytes()[:5000])
    with pytest.raises(EngineError) as refused:
        check(cut)
    assert "\n" not in refused.value.message
    other = tmp_path / "other.onnx"
    other.write_bytes(MODEL.read_bytes().replace(b"version\x12\x011", b"version\x12\x010"))
    with pytest.raises(EngineError, match="another version"):
        check(other)


def test_a_text_without_symbols_or_a_crop_without_ink_matches_nothing(
    reader: HandwritingReader,
) -> None:
    (reading,) = reader.read([_written("Орёл")])
    verifier = TraceVerifier()
    assert verifier.verify([reading.trace], [["漢字", "орел"]])[0][0] == NOTHING
    assert verifier.verify([b"", b"damaged"], [["орел"], ["орел"]]) == [[], []]
