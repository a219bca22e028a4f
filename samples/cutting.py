"""Boxes as the scanner cuts them out of a made page: what a reader gets, beside what was found in the box."""

from __future__ import annotations

from collections.abc import Sequence

from scanner.contracts import BoxResult, Gray, PageResult, Reading
from scanner.geometry import Geometry
from scanner.recognition import recognise


class KeptCrops:
    """A reader that keeps the crops it is given; the text that it reads is the crop's number."""

    name = "kept"

    def __init__(self) -> None:
        self._crops: list[Gray] = []

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        """Keep a batch; see `scanner.contracts.Reader`."""
        start = len(self._crops)
        self._crops += crops
        return [Reading(str(start + index), 1.0) for index in range(len(crops))]

    def of(self, box: BoxResult) -> Gray | None:
        """What the reader got of a box; None where nothing was to be read."""
        return None if box.reading is None else self._crops[int(box.reading.text)]


def cut(page: Gray, geometry: Geometry, event_code: str) -> tuple[PageResult, KeptCrops]:
    """Recognise a page and keep the crops of its boxes.

    Args:
        page: As it was scanned.
        geometry: Of the blanks.
        event_code: The event's five characters.
    """
    kept = KeptCrops()
    return recognise(page, geometry, event_code, kept), kept
