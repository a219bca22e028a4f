"""Small PDF files by hand: pages with pictures, placed and compressed as scanners and phones do it."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Gray = NDArray[np.uint8]
A4_POINTS = (595.28, 841.89)

# The eight ways to put a picture on the whole page: (a, b, c, d, e, f) as shares of its width and height.
PLACEMENTS: dict[str, tuple[float, float, float, float, float, float]] = {
    "upright": (1, 0, 0, 1, 0, 0),
    "upside down": (-1, 0, 0, -1, 1, 1),
    "mirrored": (-1, 0, 0, 1, 1, 0),
    "flipped": (1, 0, 0, -1, 0, 1),
    "quarter": (0, 1, -1, 0, 1, 0),
    "three quarters": (0, -1, 1, 0, 0, 1),
    "transposed": (0, 1, 1, 0, 0, 0),
    "transposed back": (0, -1, -1, 0, 1, 1),
}


@dataclass
class Picture:
    """A picture as a PDF has it.

    Args:
        size: Width and height, pixels.
        data: As stored.
        entries: Of its dictionary, beside type and size.
    """

    size: tuple[int, int]
    data: bytes
    entries: str


@dataclass
class Page:
    """One page: pictures with their matrices in points, and what else is drawn.

    Args:
        pictures: Each with its matrix.
        extra: Further drawing commands; the font F1 is Helvetica.
        size: Points.
        rotate: The page's /Rotate.
        in_form: Put everything into a form with this matrix.
    """

    pictures: list[tuple[Picture, tuple[float, ...]]] = field(default_factory=list)
    extra: str = ""
    size: tuple[float, float] = A4_POINTS
    rotate: int = 0
    in_form: tuple[float, ...] | None = None


def full_page(
    picture: Picture, placement: str = "upright", rotate: int = 0, extra: str = ""
) -> Page:
    """A page of A4's size that a picture fills; landscape where the placement needs that."""
    shares = PLACEMENTS[placement]
    width, height = A4_POINTS if picture.size[1] > picture.size[0] else A4_POINTS[::-1]
    if shares[0] == 0:
        width, height = height, width
    a, b, c, d, e, f = shares
    matrix = (a * width, b * height, c * width, d * height, e * width, f * height)
    return Page([(picture, matrix)], extra, (width, height), rotate)


def jpeg(gray: Gray, quality: int = 85, colour: bool = False) -> Picture:
    """A baseline JPEG in grey or in colour."""
    pixels = cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR) if colour else gray
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    space = "/DeviceRGB" if colour else "/DeviceGray"
    return _picture(
        gray, data.tobytes(), f"/Filter /DCTDecode /BitsPerComponent 8 /ColorSpace {space}"
    )


def cmyk_jpeg(gray: Gray) -> Picture:
    """A JPEG in four inks."""
    out = io.BytesIO()
    Image.fromarray(gray).convert("RGB").convert("CMYK").save(out, "JPEG", quality=85)
    entries = (
        "/Filter /DCTDecode /BitsPerComponent 8 /ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 1 0]"
    )
    return _picture(gray, out.getvalue(), entries)


def flate(gray: Gray) -> Picture:
    """Eight bits a pixel, without loss."""
    entries = "/Filter /FlateDecode /BitsPerComponent 8 /ColorSpace /DeviceGray"
    return _picture(gray, zlib.compress(gray.tobytes(), 1), entries)


def flate_1_bit(gray: Gray, inverted: bool = False, stencil: bool = False) -> Picture:
    """One bit a pixel: plain, inverted by a /Decode array, or as a stencil that is painted black."""
    light = gray >= 128
    bits = np.packbits(~light if inverted else light, axis=1)
    entries = "/Filter /FlateDecode /BitsPerComponent 1"
    if stencil:
        entries += " /ImageMask true"  # zeros are painted
    else:
        entries += " /ColorSpace /DeviceGray" + (" /Decode [1 0]" if inverted else "")
    return _picture(gray, zlib.compress(bits.tobytes(), 1), entries)


def ccitt_g4(gray: Gray) -> Picture:
    """One bit a pixel, as faxes do it."""
    out = io.BytesIO()
    picture = Image.fromarray(gray).point(lambda level: 255 if level >= 128 else 0).convert("1")
    # One strip: its bytes are what a PDF wants.
    picture.save(out, "TIFF", compression="group4", tiffinfo={278: gray.shape[0]})
    with Image.open(io.BytesIO(out.getvalue())) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]
        start, length, black_is_zero = tags[273][0], tags[279][0], tags[262] == 1
    data = out.getvalue()[start : start + length]
    height, width = gray.shape
    # TIFF codes its zeros as white; where zero is black the picture comes out as its negative.
    decode = " /Decode [1 0]" if black_is_zero else ""
    entries = (
        "/Filter /CCITTFaxDecode /BitsPerComponent 1 /ColorSpace /DeviceGray"
        f" /DecodeParms << /K -1 /Columns {width} /Rows {height} >>{decode}"
    )
    return _picture(gray, data, entries)


def pdf_of(pages: list[Page]) -> bytes:
    """The file."""
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        names, drawing = [], []
        for index, (picture, matrix) in enumerate(page.pictures):
            width, height = picture.size
            head = (
                f"/Type /XObject /Subtype /Image /Width {width} /Height {height} {picture.entries}"
            )
            objects.append(_stream(head, picture.data))
            names.append(f"/Im{index} {len(objects)} 0 R")
            drawing.append("q " + _numbers(matrix) + f" cm /Im{index} Do Q")
        content = "\n".join([*drawing, page.extra]).encode()
        resources = f"<< /XObject << {' '.join(names)} >> /Font << /F1 3 0 R >> >>"
        box = _numbers((0, 0, *page.size))
        if page.in_form is not None:
            head = f"/Type /XObject /Subtype /Form /BBox [{box}] /Matrix [{_numbers(page.in_form)}]"
            objects.append(_stream(f"{head} /Resources {resources}", content))
            resources = f"<< /XObject << /Fm0 {len(objects)} 0 R >> >>"
            content = b"/Fm0 Do"
        objects.append(_stream("", content))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Rotate {page.rotate}"
            f" /Resources {resources} /Contents {len(objects)} 0 R >>".encode()
        )
        kids.append(f"{len(objects)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out = io.BytesIO()
    out.write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write(b"".join(f"{place:010d} 00000 n \n".encode() for place in places))
    out.write(
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return out.getvalue()


def _picture(gray: Gray, data: bytes, entries: str) -> Picture:
    return Picture((gray.shape[1], gray.shape[0]), data, entries)


def _stream(entries: str, data: bytes) -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.5f}" for value in values)
