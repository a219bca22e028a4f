"""Pages of a PDF: the embedded picture itself where it is the whole page, else a drawing of the page.

Drawing A4 at 300 dpi takes 641 ms, decoding the JPEG inside 33 ms. pdfium is not thread-safe: every process
has its own document.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from scanner.contracts import Gray, Reason
from scanner.page_image import (
    LARGEST_PIXELS,
    LONGEST_SIDE,
    PageError,
    PageImage,
    as_gray,
    bounded,
    whole_jpeg,
)

# A page without a full-page picture is drawn at this resolution: that of a careful scan.
RENDER_DPI = 300
# A sheet's long side at that resolution.
USUAL_SIDE = 3508
# A picture counts as the page itself if it covers this much of it.
FULL_PAGE = 0.9
# Up to this skew (as a tangent, 9°) a picture counts as upright.
SKEW = 0.16


class PdfFile:
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

    def __enter__(self) -> PdfFile:
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
            pictures, only, warnings = _pictures(page)
            gray = _embedded(pictures[0], page) if only else None
            if gray is None:
                gray = _render(page, _density(pictures))
            return PageImage(bounded(gray), warnings)
        except (pdfium.PdfiumError, ValueError, cv2.error) as error:
            raise PageError(Reason.BROKEN_PAGE, str(error)) from error
        finally:
            page.close()


def _pictures(page: Any) -> tuple[list[Any], bool, tuple[str, ...]]:
    """The pictures of a page, whether one of them is all that it shows, and warnings about them."""
    pictures = []
    warnings: tuple[str, ...] = ()
    others = False
    for item in page.get_objects(max_depth=3):
        if item.type == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            pictures.append(item)
            # The matrix of a picture inside a form is only a part of its place on the page.
            others = others or item.level > 0
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
        return pictures, False, warnings
    left, bottom, right, top = pictures[0].get_bounds()
    width, height = page.get_size()
    if page.get_rotation() in (90, 270):
        width, height = height, width
    covered = (right - left) * (top - bottom) / max(width * height, 1e-6)
    return pictures, covered >= FULL_PAGE, warnings


def _density(pictures: list[Any]) -> float:
    """Pixels a point of the finest picture of a page, 0 without any."""
    densities = [0.0]
    for picture in pictures:
        width, height = picture.get_px_size()
        if width * height > LARGEST_PIXELS:
            raise PageError(Reason.TOO_LARGE)
        left, bottom, right, top = picture.get_bounds()
        area = (right - left) * (top - bottom)
        if area > 0:
            densities.append(math.sqrt(width * height / area))
    return max(densities)


def _embedded(picture: Any, page: Any) -> Gray | None:
    """The picture's own pixels, turned as the page shows them; None if that cannot be told for sure."""
    width, height = picture.get_px_size()
    if width * height == 0:
        return None
    if width * height > LARGEST_PIXELS:
        raise PageError(Reason.TOO_LARGE)
    placed = _placed(picture.get_matrix())
    if placed is None:
        return None
    metadata = picture.get_metadata()
    filters = picture.get_filters()
    gray: Gray | None = None
    if filters == ["DCTDecode"] and metadata.bits_per_pixel in (8, 24):
        data = bytes(picture.get_data(decode_simple=False))
        whole_jpeg(data)
        # The page's own turn counts, not an EXIF note that happens to be inside.
        flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION
        gray = as_gray(cv2.imdecode(np.frombuffer(data, np.uint8), flags))
    elif metadata.bits_per_pixel in (1, 8, 24):
        bitmap = picture.get_bitmap(render=False)
        gray = _bitmap_gray(bitmap.to_numpy().copy())
    # An inverted picture (a Decode array, Adobe's CMYK) would come out dark: let pdfium draw it.
    if gray is None or float(gray[::16, ::16].mean()) < 90:
        return None
    across, upside_down, mirrored = placed
    if across:
        gray = cv2.transpose(gray)  # type: ignore[assignment]
    if upside_down:
        gray = cv2.flip(gray, 0)  # type: ignore[assignment]
    if mirrored:
        gray = cv2.flip(gray, 1)  # type: ignore[assignment]
    turns = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
    turn = turns.get(page.get_rotation())
    return as_gray(gray if turn is None else cv2.rotate(gray, turn))


def _placed(matrix: Any) -> tuple[bool, bool, bool] | None:
    """How a picture is put on its page: rows and columns exchanged, then upside down, then mirrored.

    A slight skew, with which scanning programs straighten a page, is left alone: the registration finds
    any skew. None for everything that is neither upright nor a quarter turn.
    """
    a, b, c, d = matrix.a, matrix.b, matrix.c, matrix.d
    straight, turned = min(abs(a), abs(d)), min(abs(b), abs(c))
    if max(abs(b), abs(c)) < SKEW * straight:
        return False, d < 0, a < 0
    if max(abs(a), abs(d)) < SKEW * turned:
        return True, b > 0, c > 0
    return None


def _render(page: Any, density: float) -> Gray:
    """Draw a page at RENDER_DPI, more if it is small, less if it is larger than any blank."""
    width, height = page.get_size()
    if width <= 0 or height <= 0:
        raise PageError(Reason.BROKEN_PAGE)
    # A sheet that some program put on a page of the wrong size keeps its pixels.
    wanted = max(RENDER_DPI / 72, min(density, USUAL_SIDE / max(width, height)))
    scale = min(wanted, LONGEST_SIDE / max(width, height))
    bitmap = page.render(scale=scale, grayscale=True)
    return _bitmap_gray(bitmap.to_numpy().copy())


def _bitmap_gray(pixels: Any) -> Gray:
    if pixels.ndim == 3 and pixels.shape[2] >= 3:
        pixels = cv2.cvtColor(pixels[:, :, :3], cv2.COLOR_BGR2GRAY)
    elif pixels.ndim == 3:
        pixels = pixels[:, :, 0]
    return as_gray(np.ascontiguousarray(pixels, dtype=np.uint8))
