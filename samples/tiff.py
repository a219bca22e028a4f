"""Writes multi-page TIFF files of 1-bit pages, one strip each, the same bytes for the same pages.

TIFF 6.0, sections 2 and 11; a page's directory follows its pixels.
"""

from __future__ import annotations

import struct
from pathlib import Path
from types import TracebackType

from samples.pdf import CodedImage, Coding

_SHORT, _LONG, _RATIONAL = 3, 4, 5
_COMPRESSION = {Coding.G4: 4, Coding.FLATE: 8}
# 0 is white in what a fax coder makes, black in plain packed bits.
_PHOTOMETRIC = {Coding.G4: 0, Coding.FLATE: 1}


class TiffWriter:
    """Writes a TIFF page by page; use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._file.write(struct.pack("<2sHI", b"II", 42, 0))
        self._link = 4  # where the offset of the next directory goes

    def __enter__(self) -> TiffWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, image: CodedImage) -> None:
        """Add a page.

        Raises:
            KeyError: The image is not coded as G4 or Flate.
        """
        compression = _COMPRESSION[image.coding]
        pixels = self._append(image.data)
        resolution = self._append(struct.pack("<II", round(image.dpi), 1))
        entries = [
            (254, _LONG, 2),  # a page of several
            (256, _LONG, image.width),
            (257, _LONG, image.height),
            (258, _SHORT, 1),
            (259, _SHORT, compression),
            (262, _SHORT, _PHOTOMETRIC[image.coding]),
            (273, _LONG, pixels),
            (277, _SHORT, 1),
            (278, _LONG, image.height),
            (279, _LONG, len(image.data)),
            (282, _RATIONAL, resolution),
            (283, _RATIONAL, resolution),
            (296, _SHORT, 2),  # pixels an inch
        ]
        body = struct.pack("<H", len(entries))
        body += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
        directory = self._append(body + struct.pack("<I", 0))
        self._file.seek(self._link)
        self._file.write(struct.pack("<I", directory))
        self._file.seek(0, 2)
        self._link = directory + len(body)

    def _append(self, data: bytes) -> int:
        """Write at the end, on an even offset as the format wants; returns where."""
        if self._file.tell() % 2:
            self._file.write(b"\0")
        at = self._file.tell()
        self._file.write(data)
        return at
