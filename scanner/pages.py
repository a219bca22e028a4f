"""Opens files page by page: PDF, TIFF, JPEG, PNG, HEIC → one grey image at a time.

The kind of a file is told from its first bytes, never from its name. Memory is flat: one page is decoded
at a time and nothing is kept but the open document. pdfium is not thread-safe, so a process works on one
page at a time; several pages are worked on in several processes.
"""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageOps, UnidentifiedImageError

from scanner.contracts import Gray, Reason

# A PDF page without a full-page picture is drawn at this resolution: that of a careful scan.
RENDER_DPI = 300
# 600 dpi A4 has 35 million pixels. More than this is no scan of a blank but a bomb or a poster.
LARGEST_PIXELS = 150_000_000
# Longer pages are halved until they are no longer: 600 dpi gives nothing over 300 but time.
LONGEST_SIDE = 5000
# pdfium keeps every object it has parsed, the pages' compressed pictures among them, as long as the
# document is open: 1.3 MB a page at 300 dpi. Opening anew costs a few milliseconds.
PAGES_PER_OPENING = 16
# A picture counts as the page itself if it covers this much of it.
FULL_PAGE = 0.9

Image.MAX_IMAGE_PIXELS = LARGEST_PIXELS // 2  # Pillow raises at twice this


class PageError(Exception):
    """A page or file that cannot be opened; becomes the outcome `unreadable`."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class PageImage:
    """One decoded page.

    Args:
        gray: Shape (height, width), dark ink on white paper; turned as the file says, not as the paper is.
        warnings: Codes of what a person should know, such as `jbig2`.
    """

    gray: Gray
    warnings: tuple[str, ...] = ()


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
        with _PdfFile(path) as document:
            count = len(document.document)
    else:
        with _decoding(Reason.BROKEN_FILE), _open_image(path) as image:
            count = int(getattr(image, "n_frames", 1))
    if count == 0:
        raise PageError(Reason.BROKEN_FILE, "0 pages")
    return count


class PageSource:
    """Gives pages of files by index, keeping the document that was used last open.

    Not thread-safe and not picklable: every process makes its own.
    """

    def __init__(self) -> None:
        self._path: Path | None = None
        self._pdf: _PdfFile | None = None
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
                self._pdf = _PdfFile(path)
            else:
                self._image = _open_image(path)
            self._path = path
            self._given = 0
        self._given += 1
        if self._pdf is not None:
            return self._pdf.page(index)
        assert self._image is not None
        return _image_page(self._image, path, index)


class _PdfFile:
    """An open PDF."""

    def __init__(self, path: Path) -> None:
        try:
            self.document = pdfium.PdfDocument(path)
        except pdfium.PdfiumError as error:
            password = pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD
            if password or "password" in str(error).lower():
                raise PageError(Reason.ENCRYPTED) from error
            raise PageError(Reason.BROKEN_FILE, str(error)) from error
        except OSError as error:
            raise PageError(Reason.BROKEN_FILE, str(error)) from error

    def __enter__(self) -> _PdfFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the document."""
        self.document.close()

    def page(self, index: int) -> PageImage:
        """Decode one page: its own picture if that is the whole page, else a rendering."""
        try:
            page = self.document[index]
        except pdfium.PdfiumError as error:
            raise PageError(Reason.BROKEN_PAGE, str(error)) from error
        try:
            picture, warnings = _whole_page_picture(page)
            gray = None if picture is None else _embedded(picture, page)
            if gray is None:
                gray = _render(page)
            return PageImage(_bounded(gray), warnings)
        except (pdfium.PdfiumError, ValueError, cv2.error) as error:
            raise PageError(Reason.BROKEN_PAGE, str(error)) from error
        finally:
            page.close()


def _whole_page_picture(page: Any) -> tuple[Any, tuple[str, ...]]:
    """The page's only visible object, if that is a picture that fills it; and warnings about it."""
    pictures = []
    warnings: tuple[str, ...] = ()
    others = False
    for item in page.get_objects(max_depth=3):
        if item.type == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pictures.append(item)
            if "JBIG2Decode" in item.get_filters():
                # Lossy JBIG2 has swapped digits in real scanners; the standard's lossless mode looks the
                # same from outside, so every such page gets the warning.
                warnings = ("jbig2",)
        elif item.type == pdfium_c.FPDF_PAGEOBJ_TEXT:
            mode = pdfium_c.FPDFTextObj_GetTextRenderMode(item.raw)
            # Scanners put an invisible layer of recognised text over the picture.
            others = others or mode != pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE
        elif item.type != pdfium_c.FPDF_PAGEOBJ_FORM:
            others = True
    if len(pictures) != 1 or others:
        return None, warnings
    left, bottom, right, top = pictures[0].get_bounds()
    width, height = page.get_size()
    if page.get_rotation() in (90, 270):
        width, height = height, width
    covered = (right - left) * (top - bottom) / max(width * height, 1e-6)
    return (pictures[0] if covered >= FULL_PAGE else None), warnings


def _embedded(picture: Any, page: Any) -> Gray | None:
    """The picture's own pixels, turned as the page shows them; None if that cannot be told for sure."""
    matrix = picture.get_matrix()
    upright = matrix.a > 0 and matrix.d > 0 and abs(matrix.b) < 1e-3 and abs(matrix.c) < 1e-3
    width, height = picture.get_px_size()
    if not upright or width * height == 0:
        return None
    if width * height > LARGEST_PIXELS:
        raise PageError(Reason.TOO_LARGE)
    metadata = picture.get_metadata()
    filters = picture.get_filters()
    gray: Gray | None = None
    if filters == ["DCTDecode"] and metadata.bits_per_pixel in (8, 24):
        data = bytes(picture.get_data(decode_simple=False))
        _whole_jpeg(data)
        # The page's own turn counts, not an EXIF note that happens to be inside.
        flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION
        gray = _as_gray(cv2.imdecode(np.frombuffer(data, np.uint8), flags))
    elif metadata.bits_per_pixel in (1, 8, 24):
        bitmap = picture.get_bitmap(render=False)
        gray = _bitmap_gray(bitmap.to_numpy().copy())
    # An inverted picture (a Decode array, Adobe's CMYK) would come out dark: let pdfium draw it.
    if gray is None or float(gray[::16, ::16].mean()) < 90:
        return None
    turns = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
    turn = turns.get(page.get_rotation())
    return gray if turn is None else _as_gray(cv2.rotate(gray, turn))


def _render(page: Any) -> Gray:
    """Draw a page at RENDER_DPI, less if it is larger than any blank."""
    width, height = page.get_size()
    if width <= 0 or height <= 0:
        raise PageError(Reason.BROKEN_PAGE)
    scale = min(RENDER_DPI / 72, LONGEST_SIDE / max(width, height))
    bitmap = page.render(scale=scale, grayscale=True)
    return _bitmap_gray(bitmap.to_numpy().copy())


def _bitmap_gray(pixels: Any) -> Gray:
    if pixels.ndim == 3 and pixels.shape[2] >= 3:
        pixels = cv2.cvtColor(pixels[:, :, :3], cv2.COLOR_BGR2GRAY)
    elif pixels.ndim == 3:
        pixels = pixels[:, :, 0]
    return _as_gray(np.ascontiguousarray(pixels, dtype=np.uint8))


def _whole_jpeg(data: bytes) -> None:
    """Refuse a JPEG that ends in its middle: what is missing would be read as empty boxes."""
    if b"\xff\xd9" not in data[-1024:]:
        raise PageError(Reason.BROKEN_PAGE, "JPEG")


def _as_gray(pixels: Any) -> Gray:
    if pixels is None:
        raise PageError(Reason.BROKEN_PAGE)
    return pixels


def _bounded(gray: Gray) -> Gray:
    while max(gray.shape) > LONGEST_SIDE:
        gray = _as_gray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return gray


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
        return Image.open(path)


def _image_page(image: Image.Image, path: Path, index: int) -> PageImage:
    """Decode one frame of an open picture."""
    if image.format == "JPEG" and image.mode in ("L", "RGB") and index == 0:
        data = path.read_bytes()
        _whole_jpeg(data.rstrip(b"\0"))
        # OpenCV applies the eight EXIF orientations itself and ignores others.
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
        return PageImage(_bounded(_as_gray(decoded)))
    with _decoding(Reason.BROKEN_PAGE):
        return PageImage(_bounded(_pillow_gray(image, index)))


def _pillow_gray(image: Image.Image, index: int) -> Gray:
    image.seek(index)
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
