"""Two readers, of which the surer one is taken crop by crop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image, ImageDraw
from writing import PRINT_FONT, face

from otbor.errors import EngineError
from scanner.contracts import Gray, Reader, Reading
from scanner.readers import choice, tesseract
from scanner.readers.second_opinion import SecondOpinionReader
from scanner.readers.tesseract import TesseractReader

CROPS = [np.full((4, 4), shade, np.uint8) for shade in (0, 1, 2, 3, 4)]


class _Says:
    """A reader that says of each crop, known by its shade, what it was told to."""

    name = "says"

    def __init__(self, readings: dict[int, Reading]) -> None:
        self.readings = readings
        self.asked: list[int] = []

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        shades = [int(crop[0, 0]) for crop in crops]
        self.asked += shades
        return [self.readings[shade] for shade in shades]


def test_the_second_is_asked_about_unsure_crops_and_heard_where_it_is_sure() -> None:
    """Loss: a sure reading of the network thrown away for a guess of Tesseract's."""
    first = _Says(
        {
            0: Reading("sure", 0.97, b"a"),
            1: Reading("unsure", 0.5, b"b"),
            2: Reading("unsure too", 0.6, b"c"),
            3: Reading("", 0.0, b"d"),
            4: Reading("and this", 0.7, b"e"),
        }
    )
    second = _Says({1: Reading("print", 0.95), 2: Reading("guess", 0.7), 4: Reading("", 0.99)})
    found = SecondOpinionReader(first, second).read(CROPS)
    assert [reading.text for reading in found] == ["sure", "print", "unsure too", "", "and this"]
    assert second.asked == [1, 2, 4]
    assert [reading.trace for reading in found] == [b"a", b"b", b"c", b"d", b"e"]
    assert found[1].confidence == 0.95


def test_sure_crops_cost_no_second_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> list[Reading]:
        raise AssertionError("asked")

    monkeypatch.setattr(TesseractReader, "read", never)
    first = _Says({0: Reading("sure", 0.97)})
    assert SecondOpinionReader(first).read(CROPS[:1])[0].text == "sure"


def test_a_second_reader_that_fails_is_told() -> None:
    class Broken:
        name = "broken"

        def read(self, crops: Sequence[Gray]) -> list[Reading]:
            raise EngineError("Tesseract failed.", "Install it.")

    with pytest.raises(EngineError, match="Tesseract failed"):
        SecondOpinionReader(_Says({0: Reading("hm", 0.2)}), Broken()).read(CROPS[:1])


@pytest.mark.skipif(not tesseract.available(), reason="Tesseract with Russian is not installed")
def test_print_is_read_at_least_as_well_as_by_either_alone() -> None:
    words = ["1812", "Санкт-Петербург", "E=mc2", "Александр II", "Windows", "Нильс Бор"]
    crops = []
    for word in words:
        image = Image.new("L", (820, 92), 255)
        drawing = ImageDraw.Draw(image)
        drawing.text((60, 66), word, fill=20, font=face(PRINT_FONT, 52), anchor="ls")
        crops.append(np.asarray(image, dtype=np.uint8).copy())
    right = {}
    for name in ("handwriting", "tesseract", "both"):
        reader = choice.make(name)
        assert isinstance(reader, Reader)
        read = [reading.text for reading in reader.read(crops)]
        right[name] = sum(text == word for text, word in zip(read, words, strict=True))
    assert right["both"] >= max(right["handwriting"], right["tesseract"])
