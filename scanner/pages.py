"""Opens files page by page: PDF, TIFF, JPEG, PNG, HEIC → one grey image at a time.

The kind of a file is told from its first bytes, never from its name. Memory is flat: one page is decoded
at a time and nothing is kept but the open document. pdfium is not thread-safe, so a process works on one
page at a time; several pages are worked on in several processes.
"""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from scanner.contracts import Gray, Reason
from scanner.page_image import (
    LARGEST_PIXELS,
    PageError,
    PageImage,
    as_gray,
    bounded,
    whole_jpeg,
)
from scanner.pdf_pages import PdfFile

# Kinds of pictures whose frames are pages.
PAGED = ("TIFF", "HEIF")
# pdfium keeps every object it has parsed, the pages' compressed pictures among them, as long as the
# document is open: 1.3 MB a page at 300 dpi. Opening anew costs a few milliseconds.
PAGES_PER_OPENING = 16

Image.MAX_IMAGE_PIXELS = LARGEST_PIXELS // 2  # Pillow raises at twice this


def sniff(path: Path) -> str:
    """`pdf`, or `image` for anything that Pillow knows.

    Raises:
        PageError: The file is neither, or cannot be read at all.
    """
    try:
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError as error:
        raise PageError(Reason.BROKEN_FILE, error.strerror or str(error)) from error
    if not head:
        raise PageError(Reason.BROKEN_FILE, "0 bytes")
    # Some scanners write a few bytes before the header; the PDF standard allows 1,024.
    if b"%PDF-" in head:
        return "pdf"
    _open_image(path).close()
    return "image"


def count_pages(path: Path) -> int:
    """How many pages a file has.

    Raises:
        PageError: It cannot be opened, is encrypted, or has none.
    """
    if sniff(path) == "pdf":
        with PdfFile(path) as document:
            count = len(document.document)
    else:
        with _decoding(Reason.BROKEN_FILE), _open_image(path) as image:
            count = _frames(image)
    if count == 0:
        raise PageError(Reason.BROKEN_FILE, "0 pages")
    return count


class PageSource:
    """Gives pages of files by index, keeping the document that was used last open.

    Not thread-safe and not picklable: every process makes its own.
    """

    def __init__(self) -> None:
        self._path: Path | None = None
        self._pdf: PdfFile | None = None
        self._image: Image.Image | None = None
        self._given = 0

    def close(self) -> None:
        """Close what is open."""
        if self._pdf is not None:
            self._pdf.close()
        if self._image is not None:
            self._image.close()
        self._path = self._pdf = self._image = None

    def page(self, path: Path, index: int) -> PageImage:
        """Decode one page.

        Args:
            path: The file.
            index: From 0.

        Raises:
            PageError: The file or the page cannot be decoded.
        """
        if path != self._path or self._given >= PAGES_PER_OPENING:
            self.close()
            if sniff(path) == "pdf":
                self._pdf = PdfFile(path)
            else:
                self._image = _open_image(path)
            self._path = path
            self._given = 0
        self._given += 1
        if self._pdf is not None:
            return self._pdf.page(index)
        assert self._image is not None
        return _image_page(self._image, path, index)


def _register_heif() -> None:
    import pi_heif

    pi_heif.register_heif_opener()


@contextmanager
def _decoding(reason: Reason) -> Iterator[None]:
    """Turn whatever a decoder throws at a damaged file into a PageError.

    Pillow's plugins answer damage with OSError, ValueError, TypeError, KeyError, struct.error,
    ZeroDivisionError and more; no list has been complete, and no bad page may stop the batch.
    """
    try:
        with python_warnings.catch_warnings():
            python_warnings.simplefilter("ignore")
            yield
    except PageError:
        raise
    except (Image.DecompressionBombError, MemoryError) as error:
        raise PageError(Reason.TOO_LARGE) from error
    except UnidentifiedImageError as error:
        raise PageError(Reason.NOT_AN_IMAGE) from error
    except Exception as error:
        raise PageError(reason, str(error)) from error


def _open_image(path: Path) -> Image.Image:
    with _decoding(Reason.BROKEN_FILE):
        _register_heif()
        image = Image.open(path)
        # Without a name Pillow maps no file into memory; of an uncompressed TIFF with orientation 5 to 8 it
        # would map the wrong shape (seen with Pillow 13).
        image.filename = ""
        return image


def _frames(image: Image.Image) -> int:
    """How many pages a picture has. A phone's MPO holds the photo and a second view of it, no page."""
    return int(getattr(image, "n_frames", 1)) if image.format in PAGED else 1


def _image_page(image: Image.Image, path: Path, index: int) -> PageImage:
    """Decode one frame of an open picture."""
    if image.format == "JPEG" and image.mode in ("L", "RGB") and index == 0:
        data = path.read_bytes()
        whole_jpeg(data.rstrip(b"\0"))
        # OpenCV applies the eight EXIF orientations itself and ignores others.
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        return PageImage(bounded(as_gray(decoded)))
    with _decoding(Reason.BROKEN_PAGE):
        return PageImage(bounded(_pillow_gray(image, index)))


def _pillow_gray(image: Image.Image, index: int) -> Gray:
    image.seek(index)
    # Pillow turns a TIFF itself while it loads it; asked before that, it would turn it once more.
    image.load()
    frame: Image.Image = ImageOps.exif_transpose(image) or image
    if frame.mode in ("I;16", "I;16B", "I;16L", "I"):
        deep = np.asarray(frame).astype(np.float32)
        top = max(float(deep.max()), 1.0)
        # 12-bit files come in 16-bit words: scale by what the file uses.
        return np.clip(deep * (255.0 / top), 0, 255).astype(np.uint8)
    if frame.mode in ("RGBA", "LA", "PA") or "transparency" in frame.info:
        over = frame.convert("RGBA")
        white = Image.new("RGBA", over.size, "white")
        frame = Image.alpha_composite(white, over)
    return np.asarray(frame.convert("L"), dtype=np.uint8)
