"""Tesseract is a program that people install, update and break: whatever it does, no page is lost to it."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import paper
import pytesseract
import pytest
from PIL import Image, ImageDraw
from writing import PRINT_FONT, Pad, face

from otbor.errors import EngineError
from scanner.contracts import Gray, Outcome, Reader
from scanner.geometry import default
from scanner.readers import tesseract
from scanner.readers.tesseract import TesseractReader
from scanner.recognition import recognise

WORDS = ("Байкал", "Пушкин", "1812", "Менделеев", "Windows")
needs_tesseract = pytest.mark.skipif(
    not tesseract.available(), reason="Tesseract with Russian is not installed"
)


def crop(text: str) -> Gray:
    """A printed word as a reader gets it: the inside of a box, ten pixels a millimetre."""
    image = Image.new("L", (820, 92), 255)
    ImageDraw.Draw(image).text((60, 66), text, fill=20, font=face(PRINT_FONT, 52), anchor="ls")
    return np.asarray(image, dtype=np.uint8).copy()


@needs_tesseract
def test_printed_words_are_read_in_order() -> None:
    readings = TesseractReader().read([crop(word) for word in WORDS])
    assert [reading.text for reading in readings] == list(WORDS)
    assert all(0.5 < reading.confidence <= 1 for reading in readings)


@needs_tesseract
def test_a_crop_without_text_gets_an_empty_reading_and_shifts_no_other() -> None:
    blank = np.full((92, 820), 255, dtype=np.uint8)
    speck = blank.copy()
    speck[40:42, 300:302] = 0
    crops = [crop(WORDS[0]), blank, crop(WORDS[1]), speck, crop(WORDS[2])]
    readings = TesseractReader().read(crops)
    assert [readings[index].text for index in (0, 2, 4)] == list(WORDS[:3])
    assert (readings[1].text, readings[1].confidence) == ("", 0.0)


def test_nothing_to_read_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "/nowhere/tesseract")
    assert TesseractReader().read([]) == []
    assert isinstance(TesseractReader(), Reader)


@needs_tesseract
def test_words_on_a_sheet_are_read() -> None:
    pad = Pad(paper.printed(dpi=300))
    boxes = default().blanks["personal"].boxes
    for box, word in zip(boxes[::7], WORDS, strict=False):
        pad.text(box.rect.x + 6, box.rect.bottom - 3, word, x_height=2.6, font=PRINT_FONT)
    scan = paper.scanned(pad.done(), skew=0.5, noise=4)
    result = recognise(scan.gray, default(), paper.EVENT, TesseractReader())
    texts = [item.reading.text for item in result.boxes[::7] if item.reading is not None]
    assert texts[: len(WORDS)] == list(WORDS) and result.warnings == ()


# Faults -----------------------------------------------------------------------------------------------

Fake = Callable[[str], None]
HEADING = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Put a program of our own in Tesseract's place; its body is Python, `out` the file it writes to."""
    if sys.platform == "win32":
        pytest.skip("needs executable scripts")

    def install(body: str) -> None:
        program = tmp_path / "tesseract"
        program.write_text(
            f"#!{sys.executable}\n"
            "import os, pathlib, sys, time\n"
            "out = pathlib.Path(sys.argv[2] + '.tsv') if len(sys.argv) > 2 else None\n"
            f"{body}\n",
            encoding="utf-8",
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(program))

    return install


def rows(*cells: tuple[object, object, object]) -> str:
    """A program that writes a table with these pages, confidences and texts."""
    lines = [HEADING, *(f"5\t{p}\t1\t1\t1\t1\t0\t0\t9\t9\t{c}\t{t}" for p, c, t in cells)]
    return f"out.write_text({chr(10).join(lines)!r}, encoding='utf-8')"


def failure(crops: int = 2) -> EngineError:
    with pytest.raises(EngineError) as caught:
        TesseractReader().read([crop("слово")] * crops)
    assert caught.value.message and caught.value.hint
    return caught.value


def test_a_missing_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", "/nowhere/tesseract")
    assert failure().message == tesseract.missing().message
    assert not tesseract.available()


def test_a_program_that_may_not_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tesseract"
    program.write_text("text")
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(program))
    failure()
    assert not tesseract.available()


@pytest.mark.parametrize(
    "body",
    [
        "sys.exit(3)",
        "sys.stderr.write('Segmentation fault'); sys.exit(139)",
        "os.kill(os.getpid(), 9)",
        "pass",  # ends well and writes nothing
        "out.write_bytes(b'')",
        "out.write_bytes(bytes(range(256)) * 40)",
        "out.write_text('<html>no table</html>')",
        rows(("one", 90, "слово")),
        rows((1, "much", "слово")),
        rows((1, "nan", "слово")),
        "sys.stderr.buffer.write(bytes([255, 254, 253])); sys.exit(1)",
    ],
)
def test_a_program_that_crashes_or_answers_nonsense(fake: Fake, body: str) -> None:
    fake(body)
    failure()


def test_a_program_that_never_ends(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    fake("time.sleep(60)")
    monkeypatch.setattr(tesseract, "TIMEOUT_S", 1)
    failure()


def test_a_strange_version_ends_no_process(fake: Fake) -> None:
    fake("if '--version' in sys.argv: print('no version'); sys.exit(0)\n" + rows((1, 90, "слово")))
    assert TesseractReader().read([crop("слово")])[0].text == "слово"


@needs_tesseract
def test_a_missing_language() -> None:
    with pytest.raises(EngineError) as caught:
        TesseractReader("xyz").read([crop("слово")])
    assert "xyz" in caught.value.message
    assert not tesseract.available("xyz")


def test_missing_pages_leave_only_their_crops_empty(fake: Fake) -> None:
    fake(rows((1, 90, "первое"), (3, 80, "третье"), (9, 99, "чужое"), (0, 99, "чужое")))
    texts = [reading.text for reading in TesseractReader().read([crop("слово")] * 4)]
    assert texts == ["первое", "", "третье", ""]


def test_words_of_a_line_are_joined_and_weighed(fake: Fake) -> None:
    fake(rows((1, 90, "Лев"), (1, 30, "Толстой"), (1, 400, "!"), (1, -1, " ")))
    (reading,) = TesseractReader().read([crop("слово")])
    assert reading.text == "Лев Толстой !"
    assert reading.confidence == pytest.approx((3 * 0.9 + 7 * 0.3 + 1.0) / 11, abs=1e-4)


def test_a_page_survives_a_crashing_program(fake: Fake) -> None:
    fake("sys.stderr.write('out of memory'); sys.exit(1)")
    pad = Pad(paper.printed(dpi=150))
    box = default().blanks["personal"].boxes[0].rect
    pad.text(box.x + 6, box.bottom - 3, "Волга")
    result = recognise(paper.scanned(pad.done()).gray, default(), paper.EVENT, TesseractReader())
    assert result.outcome is Outcome.SHEET and result.boxes[0].reading is None
    assert len(result.warnings) == 1 and "out of memory" in result.warnings[0]
