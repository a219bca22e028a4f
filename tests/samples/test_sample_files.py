"""Guards the writers of PDF and TIFF and the pile for measuring: a file that only we can read is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest
from numpy.typing import NDArray
from PIL import Image

from samples.coding import flate, group4, jpeg
from samples.effects import Mode
from samples.pdf import CodedImage, PdfWriter
from samples.pile import pile
from samples.tiff import TiffWriter


@pytest.fixture
def page() -> NDArray[np.uint8]:
    """Mostly white, an odd width, a black corner and a line."""
    image = np.full((203, 157), 255, dtype=np.uint8)
    image[:40, :30] = 0
    image[100, 20:] = 0
    return image


@pytest.mark.parametrize("code", [group4, flate])
def test_bits_come_back_from_pdf_and_tiff(
    code: object, page: NDArray[np.uint8], tmp_path: Path
) -> None:
    assert callable(code)
    coded: CodedImage = code(page, 200)
    with PdfWriter(tmp_path / "a.pdf") as pdf:
        pdf.add(coded)
    with TiffWriter(tmp_path / "a.tif") as tiff:
        tiff.add(coded)
        tiff.add(coded)
    document = pdfium.PdfDocument(tmp_path / "a.pdf")
    assert document[0].get_width() == pytest.approx(157 * 72 / 200, abs=0.01)
    bitmap = document[0].render(scale=200 / 72, grayscale=True).to_numpy().squeeze()
    assert bitmap.shape[0] in (203, 204)
    assert (bitmap[5:35, 5:25] == 0).all()
    assert (bitmap[50:95, 40:150] == 255).all()
    with Image.open(tmp_path / "a.tif") as image:
        assert getattr(image, "n_frames", 1) == 2
        assert image.info["dpi"] == (200, 200)
        for frame in (0, 1):
            image.seek(frame)
            assert np.array_equal(np.array(image.convert("L")), page)


def test_jpeg_pages_keep_their_colours(tmp_path: Path) -> None:
    colours = np.zeros((64, 96, 3), dtype=np.uint8)
    colours[..., 2] = 200  # blue
    with PdfWriter(tmp_path / "a.pdf") as pdf:
        pdf.add(jpeg(colours, 150, 90))
        pdf.add(jpeg(colours[..., 2], 150, 90))
    document = pdfium.PdfDocument(tmp_path / "a.pdf")
    blue = document[0].render(rev_byteorder=True).to_numpy()[10, 10]
    assert blue[2] > 180
    assert blue[0] < 30
    grey = document[1].render(grayscale=True).to_numpy()
    assert abs(int(grey[10, 10].squeeze()) - 200) < 5


def test_a_failed_pdf_is_not_finished(page: NDArray[np.uint8], tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), PdfWriter(tmp_path / "a.pdf") as pdf:
        pdf.add(flate(page, 200))
        raise RuntimeError
    assert b"%%EOF" not in (tmp_path / "a.pdf").read_bytes()


def test_a_pile_is_uniform_and_the_same_every_time(tmp_path: Path) -> None:
    names = pile(tmp_path / "a.pdf", pages=5, dpi=100, distinct=2, workers=1)
    assert pile(tmp_path / "b.pdf", pages=5, dpi=100, distinct=2, workers=1) == names
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert len(set(names)) == 2
    assert names[0] == names[2] == names[4]
    document = pdfium.PdfDocument(tmp_path / "a.pdf")
    assert len(document) == 5
    pile(tmp_path / "c.pdf", pages=1, dpi=100, mode=Mode.BILEVEL, workers=1)
    assert b"/CCITTFaxDecode" in (tmp_path / "c.pdf").read_bytes()
