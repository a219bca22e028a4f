"""Strange files from the test suites of Pillow and OCRmyPDF, each of which once broke somebody's program.

They lie beside the project and never in it; without them these tests skip.
"""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest

from scanner.contracts import Outcome
from scanner.geometry import default
from scanner.pages import PageError, PageSource, count_pages
from scanner.recognition import recognise

FOLDER = Path(__file__).parents[3] / "shared" / "odd_files"
FILES = sorted(FOLDER.iterdir()) if FOLDER.is_dir() else []

# What each must be, beyond «no crash»: reasons of refusal, or outcomes of its pages. None of them is ours.
EXPECTED = {
    "invalid.pdf": {"broken_file"},
    "hugemono.pdf": {"too_large"},
    "decompression_bomb.gif": {"too_large"},
    "broken.png": {"not_an_image"},
    "broken_data_stream.png": {"broken_page"},
    "no_contents.pdf": {"empty"},
    "g4-multi.tiff": {"foreign"},
    "ccitt.pdf": {"foreign"},
    "3small.pdf": {"foreign"},
}


@pytest.mark.skipif(not FILES, reason="the folder shared/odd_files is not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_page_ends_somehow_soon_and_small(path: Path) -> None:
    process, started = psutil.Process(), time.process_time()
    before = process.memory_info().rss
    source = PageSource()
    ends: list[str] = []
    try:
        for index in range(count_pages(path)):
            try:
                gray = source.page(path, index).gray
            except PageError as error:
                ends.append(error.reason.value)
                continue
            ends.append(recognise(gray, default(), "AB12C").outcome.value)
    except PageError as error:
        ends.append(error.reason.value)
    source.close()
    assert ends and Outcome.SHEET not in ends and Outcome.UNKNOWN not in ends
    assert set(ends) == EXPECTED.get(path.name, set(ends))
    assert time.process_time() - started < 15
    assert process.memory_info().rss - before < 500e6
