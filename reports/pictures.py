"""Pictures in a PDF: a JPEG goes in as it is, anything else as lossless pixels."""

from __future__ import annotations

import hashlib
import io
import zlib
from dataclasses import dataclass
from functools import cached_property

from PIL import Image, UnidentifiedImageError
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from otbor.errors import InputFileError
from otbor.i18n import gettext as _

_SPACES = {"L": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}


@dataclass(frozen=True)
class Picture:
    """A picture as a file's bytes.

    Raises:
        InputFileError: From its properties: the bytes are no picture.
    """

    data: bytes

    @cached_property
    def _opened(self) -> Image.Image:
        try:
            return Image.open(io.BytesIO(self.data))
        except (UnidentifiedImageError, OSError, ValueError) as error:
            raise InputFileError(
                _("The picture cannot be read."), _("Save it as JPEG or PNG and name that file.")
            ) from error

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, pixels."""
        return self._opened.size

    @cached_property
    def name(self) -> str:
        """A name that the same picture always has."""
        return hashlib.sha256(self.data).hexdigest()[:24]

    def stream(self) -> pdfdoc.PDFStream:
        """The picture as an object of a PDF."""
        image = self._opened
        if image.format == "JPEG" and image.mode in _SPACES:
            content, kind, mode = self.data, "DCTDecode", image.mode
        else:
            try:
                pixels = _flat(image)
            except (OSError, ValueError) as error:
                raise InputFileError(
                    _("The picture cannot be read."),
                    _("Save it as JPEG or PNG and name that file."),
                ) from error
            content, kind, mode = zlib.compress(pixels.tobytes()), "FlateDecode", pixels.mode
        entries = {
            "Type": pdfdoc.PDFName("XObject"),
            "Subtype": pdfdoc.PDFName("Image"),
            "Width": image.size[0],
            "Height": image.size[1],
            "BitsPerComponent": 8,
            "ColorSpace": pdfdoc.PDFName(_SPACES[mode]),
            "Filter": pdfdoc.PDFName(kind),
        }
        if kind == "DCTDecode" and mode == "CMYK":
            # Programs that write such files invert them, as Adobe's first did.
            entries["Decode"] = pdfdoc.PDFArray([1, 0, 1, 0, 1, 0, 1, 0])
        return pdfdoc.PDFStream(dictionary=pdfdoc.PDFDictionary(entries), content=content)


def _flat(image: Image.Image) -> Image.Image:
    """Grey or RGB pixels on white: paper shows through where the picture is transparent."""
    if image.mode in ("L", "1"):
        return image.convert("L")
    if "A" in image.getbands() or "transparency" in image.info:
        clear = image.convert("RGBA")
        ground = Image.new("RGB", clear.size, "white")
        ground.paste(clear, mask=clear.getchannel("A"))
        return ground
    return image.convert("RGB")


def place_picture(
    canvas: Canvas, picture: Picture, x: float, y: float, width: float, height: float
) -> str:
    """Draw a picture into a rectangle of a canvas; points, from the lower left corner.

    The same picture is stored once in the document, however often it is placed.

    Returns:
        The name of its object in the document.
    """
    document = canvas._doc
    internal = pdfdoc.xObjectName(picture.name)
    if internal not in document.idToObject:
        document.Reference(picture.stream(), internal)
    canvas._currentPageHasImages = 1
    canvas._formsinuse.append(picture.name)
    matrix = " ".join(f"{value:.4f}" for value in (width, 0, 0, height, x, y))
    canvas._code.append(f"q {matrix} cm /{internal} Do Q")
    return str(internal)
