"""Whether a file is all there: for files that are taken while somebody may still be writing them.

Only the frame of each format is looked at, nothing is decoded: decoders mend what is cut short, and half a
PDF opens as a PDF of half the pages. What is damaged but complete is whole; the intake names the damage.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import BinaryIO

# A PDF ends with its marker; the standard lets a reader look for it in the last 1,024 bytes.
_TAIL = 1024
_LINEARIZED = re.compile(rb"/Linearized[^>]*?/L\s+(\d+)")
_STARTXREF = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")
# TIFF: where the strips or tiles are, and how long they are.
_OFFSETS, _LENGTHS = (273, 324), (279, 325)
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
_MOST_PAGES = 10_000


def is_whole(path: Path) -> bool:
    """True if a file has its end; a kind of file that is not known here is taken as whole.

    Raises:
        OSError: It cannot be read, perhaps since the one who writes it has locked it.
    """
    size = path.stat().st_size
    if size == 0:
        return False
    with path.open("rb") as file:
        head = file.read(_TAIL)
        file.seek(max(0, size - _TAIL))
        tail = file.read(_TAIL)
        if b"%PDF-" in head:
            return _pdf(file, head, tail, size)
        if head.startswith(b"\xff\xd8"):
            # Some cameras write noughts behind the end.
            return b"\xff\xd9" in tail.rstrip(b"\0")[-64:]
        if head.startswith(b"\x89PNG\r\n\x1a\n"):
            return b"IEND" in tail[-64:]
        if head[:4] in (b"II*\0", b"MM\0*"):
            return _tiff(file, size, "<" if head[:2] == b"II" else ">")
        if head[4:8] == b"ftyp":
            return _boxes(file, size)
        if head.startswith(b"PK\x03\x04"):
            return b"PK\x05\x06" in tail
    return True


def _pdf(file: BinaryIO, head: bytes, tail: bytes, size: int) -> bool:
    """True if it ends with its marker and the table that this points to is there."""
    linear = _LINEARIZED.search(head)
    if linear is not None and int(linear[1]) > size:
        # Its first part ends with a marker of its own, and tells how long the whole is.
        return False
    end = _STARTXREF.search(tail.rstrip(b"\0\r\n\t "))
    if end is None:
        return False
    # Scanners that write something before the header count from there.
    start = int(end[1]) + head.find(b"%PDF-")
    for place in (int(end[1]), start):
        file.seek(place)
        found = file.read(32).lstrip()
        if found.startswith(b"xref") or re.match(rb"\d+\s+\d+\s+obj", found):
            return True
    return False


def _tiff(file: BinaryIO, size: int, order: str) -> bool:
    """True if the directories of all pages and the pixels that they name lie within the file."""
    file.seek(4)
    (place,) = struct.unpack(order + "I", file.read(4))
    pages = 0
    while place:
        pages += 1
        if place + 2 > size or pages > _MOST_PAGES:
            return False
        file.seek(place)
        (entries,) = struct.unpack(order + "H", file.read(2))
        directory = file.read(entries * 12 + 4)
        if len(directory) < entries * 12 + 4:
            return False
        found: dict[int, list[int]] = {}
        for index in range(entries):
            entry = directory[index * 12 : index * 12 + 12]
            tag, kind, count = struct.unpack(order + "HHI", entry[:8])
            if tag in _OFFSETS + _LENGTHS:
                values = _values(file, order, kind, count, entry[8:])
                if values is None:
                    return False
                found[tag] = values
        for offsets, lengths in zip(_OFFSETS, _LENGTHS, strict=True):
            parts = zip(found.get(offsets, ()), found.get(lengths, ()), strict=False)
            if any(start + length > size for start, length in parts):
                return False
        (place,) = struct.unpack(order + "I", directory[-4:])
    return pages > 0


def _values(file: BinaryIO, order: str, kind: int, count: int, inline: bytes) -> list[int] | None:
    """The whole numbers of an entry; None if they lie beyond the end."""
    length = _SIZES.get(kind, 1) * count
    data = inline
    if length > 4:
        (place,) = struct.unpack(order + "I", inline)
        file.seek(place)
        data = file.read(length)
    if len(data) < length or kind not in (3, 4):
        return None
    return list(struct.unpack(f"{order}{count}{'H' if kind == 3 else 'I'}", data[:length]))


def _boxes(file: BinaryIO, size: int) -> bool:
    """True if the boxes of an ISO file (HEIC) fill it exactly."""
    place = 0
    while place < size:
        file.seek(place)
        head = file.read(16)
        if len(head) < 8:
            return False
        (length,) = struct.unpack(">I", head[:4])
        if length == 1 and len(head) == 16:
            (length,) = struct.unpack(">Q", head[8:])
        if length == 0:
            return True  # to the end, wherever that is
        if length < 8:
            return False
        place += length
    return place == size
