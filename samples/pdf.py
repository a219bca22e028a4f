"""Writes PDF files of page images as scanners do, byte for byte the same for the same pages.

No library writes a 1-bit CCITT page without a date or an id of its own; a scanner's PDF has three objects
a page, so it is written here. PDF 32000-1:2008, 7.4 (filters) and 8.9.5 (image dictionaries).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from types import TracebackType

POINTS_PER_INCH = 72


class Coding(StrEnum):
    """How a page's pixels are stored."""

    JPEG = "jpeg"
    G4 = "g4"
    FLATE = "flate"


@dataclass(frozen=True, slots=True)
class CodedImage:
    """The pixels of one page, coded.

    Args:
        coding: How; G4 and Flate hold 1-bit rows padded to bytes, 1 (Flate) or 0 (G4) being white.
        data: The coded bytes; of a JPEG the whole file.
        width: Pixels.
        height: Pixels.
        coloured: Three channels.
        dpi: Pixels an inch.
    """

    coding: Coding
    data: bytes
    width: int
    height: int
    coloured: bool
    dpi: float


class PdfWriter:
    """Writes a PDF page by page to a file; memory does not grow with the pages.

    Use it as a context manager; the file is complete when the block ends.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._offsets: dict[int, int] = {}
        self._pages: list[int] = []
        self._next = 3  # 1 is the catalogue, 2 the page tree
        self._write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")

    def __enter__(self) -> PdfWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._finish()
        self._file.close()

    def add(self, image: CodedImage) -> None:
        """Add a page that is one image."""
        width = image.width * POINTS_PER_INCH / image.dpi
        height = image.height * POINTS_PER_INCH / image.dpi
        picture, content, page = self._next, self._next + 1, self._next + 2
        self._next += 3
        self._stream(picture, _dictionary(image), image.data)
        drawn = f"q {width:.3f} 0 0 {height:.3f} 0 0 cm /Im0 Do Q".encode()
        self._stream(content, "", drawn)
        self._object(
            page,
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] "
            f"/Resources << /XObject << /Im0 {picture} 0 R >> >> /Contents {content} 0 R >>",
        )
        self._pages.append(page)

    def _finish(self) -> None:
        kids = " ".join(f"{page} 0 R" for page in self._pages)
        self._object(1, "<< /Type /Catalog /Pages 2 0 R >>")
        self._object(2, f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>")
        start = self._file.tell()
        table = BytesIO()
        table.write(f"xref\n0 {self._next}\n0000000000 65535 f \n".encode())
        for number in range(1, self._next):
            table.write(f"{self._offsets[number]:010d} 00000 n \n".encode())
        table.write(f"trailer\n<< /Size {self._next} /Root 1 0 R >>\n".encode())
        table.write(f"startxref\n{start}\n%%EOF\n".encode())
        self._write(table.getvalue())

    def _object(self, number: int, body: str) -> None:
        self._offsets[number] = self._file.tell()
        self._write(f"{number} 0 obj\n{body}\nendobj\n".encode())

    def _stream(self, number: int, entries: str, data: bytes) -> None:
        self._offsets[number] = self._file.tell()
        self._write(f"{number} 0 obj\n<< {entries} /Length {len(data)} >>\nstream\n".encode())
        self._write(data)
        self._write(b"\nendstream\nendobj\n")

    def _write(self, data: bytes) -> None:
        self._file.write(data)


def _dictionary(image: CodedImage) -> str:
    size = f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height}"
    if image.coding is Coding.JPEG:
        space = "/DeviceRGB" if image.coloured else "/DeviceGray"
        return f"{size} /ColorSpace {space} /BitsPerComponent 8 /Filter /DCTDecode"
    size += " /ColorSpace /DeviceGray /BitsPerComponent 1"
    if image.coding is Coding.FLATE:
        return f"{size} /Filter /FlateDecode"
    parameters = f"<< /K -1 /Columns {image.width} /Rows {image.height} >>"
    return f"{size} /Filter /CCITTFaxDecode /DecodeParms {parameters}"
