"""Lines out of `otbor crops export`: answers that a jury has confirmed, as further training data."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.readers.alphabet import spelled

TABLE = "crops.csv"
# How a text was won that is sure; of the others one in eight is not what was written.
SURE = ("read", "checked")
# Bent a little, so that a picture is never twice the same.
LEAN, STRETCH = 0.08, 0.1


class OwnCrops:
    """The pictures of one or more exports whose text is sure.

    Args:
        folders: Each with `crops.csv`.

    Raises:
        SystemExit: A folder holds no export, or one that does not say how its texts were won; or none of
            the pictures has a sure text.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.known: list[tuple[Path, str]] = []
        for folder in folders:
            if not (folder / TABLE).is_file():
                raise SystemExit(f"{folder} holds no {TABLE}: make it with otbor crops export")
            with (folder / TABLE).open(encoding="utf-8-sig", newline="") as file:
                rows = csv.DictReader(file, delimiter=";")
                if "won" not in (rows.fieldnames or ()):
                    raise SystemExit(
                        f"{folder} was exported by an earlier version: export it again"
                    )
                sure = [row for row in rows if row["text"] and row["won"] in SURE]
            self.known += [(folder / row["file"], row["text"]) for row in sure]
        if folders and not self.known:
            raise SystemExit("none of the exported pictures has a sure text")

    def draw(self, rng: np.random.Generator, longest: int) -> tuple[NDArray[np.uint8], str] | None:
        """A picture, dark ink on white and bent a little, and its text; None if that is too long."""
        path, text = self.known[int(rng.integers(len(self.known)))]
        text = spelled(text)
        image = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        if image is None or not text or len(text) > longest:
            return None
        height, width = image.shape
        lean = float(rng.normal(0.0, LEAN))
        wide = float(np.exp(rng.normal(0.0, STRETCH)))
        room = abs(lean) * height
        matrix = np.array([[wide, -lean, room / 2 + lean * height / 2], [0.0, 1.0, 0.0]])
        size = (round(width * wide + room), height)
        bent = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderValue=(255,))
        return bent.astype(np.uint8), text
