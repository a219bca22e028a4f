"""Our network, and where it is unsure of a crop Tesseract as well; the surer of the two is taken.

The network reads handwriting, Tesseract print; how sure each is says which of them a crop is for. The two
bounds are measured on 7,200 boxes in hands that the network never saw: of those that the network read with
less than `ASK_BELOW`, Tesseract read 85 of 100 rightly where it was as sure as `TAKE_FROM`, the network
75; below that it is hardly ever right. A question to Tesseract costs as much time as twenty to the network,
so this is not the usual reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scanner.contracts import Gray, Reader, Reading
from scanner.readers.handwriting import HandwritingReader
from scanner.readers.tesseract import TesseractReader

ASK_BELOW = 0.9
TAKE_FROM = 0.9


class SecondOpinionReader:
    """Reads with the network, and unsure crops with Tesseract too.

    Args:
        first: Reads every crop and leaves its trace; the network if None.
        second: Is asked about unsure ones; Tesseract if None.
    """

    name = "both"

    def __init__(self, first: Reader | None = None, second: Reader | None = None) -> None:
        self._first = first or HandwritingReader()
        self._second = second or TesseractReader()

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        """Read a batch; see `scanner.contracts.Reader`. The trace is always the network's.

        Raises:
            EngineError: The network or Tesseract cannot be used.
        """
        readings = self._first.read(crops)
        unsure = [
            index
            for index, reading in enumerate(readings)
            if reading.text and reading.confidence < ASK_BELOW
        ]
        opinions = self._second.read([crops[index] for index in unsure]) if unsure else []
        for index, opinion in zip(unsure, opinions, strict=True):
            if opinion.text and opinion.confidence >= TAKE_FROM:
                readings[index] = replace(
                    readings[index], text=opinion.text, confidence=opinion.confidence
                )
        return readings
