"""Codes a page's pixels as scanners and phones do: JPEG, CCITT group 4, deflate."""

from __future__ import annotations

import zlib
from io import BytesIO

import numpy as np
from PIL import Image

from samples.page import Picture
from samples.pdf import CodedImage, Coding

_ORIENTATION = 0x0112
_STRIP_OFFSETS, _STRIP_COUNTS = 273, 279


def jpeg(picture: Picture, dpi: float, quality: int, orientation: int = 1) -> CodedImage:
    """A JPEG file with its resolution and, if not upright, its EXIF orientation."""
    out = BytesIO()
    options: dict[str, object] = {}
    if orientation != 1:
        exif = Image.Exif()
        exif[_ORIENTATION] = orientation
        options["exif"] = exif
    image = Image.fromarray(picture)
    image.save(out, "JPEG", quality=quality, dpi=(round(dpi), round(dpi)), **options)
    return _coded(Coding.JPEG, out.getvalue(), picture, dpi)


def group4(picture: Picture, dpi: float) -> CodedImage:
    """CCITT group 4 of a picture of 0 and 255, as one strip."""
    out = BytesIO()
    # A fax coder counts runs of 0 as white; Pillow's 1-bit images have 0 for black.
    bits = Image.fromarray(255 - picture).convert("1", dither=Image.Dither.NONE)
    # libtiff is the coder at hand; its single strip is what PDF and TIFF embed.
    bits.save(out, "TIFF", compression="group4", strip_size=1 << 30)
    with Image.open(BytesIO(out.getvalue())) as tiff:
        tags = tiff.tag_v2  # type: ignore[attr-defined]
        (start,), (count,) = tags[_STRIP_OFFSETS], tags[_STRIP_COUNTS]
    return _coded(Coding.G4, out.getvalue()[start : start + count], picture, dpi)


def flate(picture: Picture, dpi: float) -> CodedImage:
    """Deflated 1-bit rows of a picture of 0 and 255."""
    packed = np.packbits(picture > 127, axis=1).tobytes()
    return _coded(Coding.FLATE, zlib.compress(packed, 6), picture, dpi)


def _coded(coding: Coding, data: bytes, picture: Picture, dpi: float) -> CodedImage:
    height, width = picture.shape[:2]
    return CodedImage(coding, data, width, height, picture.ndim == 3, dpi)
