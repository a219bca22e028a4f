"""Digits in cells: a small network of our own says of every cell which digit stands there, or that none does.

What it leaves of a box is a table of probabilities, one row a cell; `scanner.readers.numbers` makes numbers
of it. How it was trained is told in `scanner/models/MODEL_CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from otbor.i18n import gettext as _
from scanner.contracts import Gray, Ink, Reading
from scanner.readers.network import Network, Sentences

Floats = NDArray[np.float32]

MODEL = Path(__file__).parents[1] / "models" / "digits.onnx"
VERSION = "1"
SIDE = 28
"""Pixels of the network's input, both ways."""
INK_SIDE = 22
"""The longer side of the ink is brought to this."""

CLASSES = 12
NOTHING, UNCLEAR = 10, 11
"""Beside the digits 0 to 9: the cell is empty; something stands there that is no digit."""

# Darker than this share of the darkest ink is ink.
INK_SHARE = 0.3
# A mark smaller than this, in pixels of 0.1 mm, is not blown up to a digit's size: it is a dot.
SMALLEST = 16
# Less ink than this share of all, in a piece that touches the cell's edge, is a neighbour's stroke.
STRAY_SHARE = 0.12
# At most this, of crops wider than any cell.
MOST_PIXELS = 4_000_000
# Cells in one run of the network.
AT_ONCE = 256
# A blank of which the ink is not sure (a fold, dust, a faint speck) may be a faint digit.
DOUBTFUL_BLANK = 0.9
# A dash in a cell says "nothing" nearly always; now and then it is a one that was written lying.
DASH_IS_NOTHING = 0.9

_MARK = b"d1"


class DigitReader:
    """Reads cells with the network; the session is made at the first cell."""

    def __init__(self, model: Path = MODEL) -> None:
        self._network = Network(model, {"digits": VERSION}, _sentences)

    def probabilities(self, cells: Sequence[Gray]) -> Floats:
        """What stands in some cells.

        Args:
            cells: Grey, dark ink on white, any size; printed frames removed.

        Returns:
            Shape (cells, CLASSES), rows add up to 1; a cell without any ink is NOTHING, one whose ink
            cannot be told from its paper UNCLEAR.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        found = np.zeros((len(cells), CLASSES), dtype=np.float32)
        images, at = [], []
        for index, cell in enumerate(cells):
            image = cell_image(np.asarray(cell))
            if isinstance(image, int):
                found[index, image] = 1.0
            else:
                images.append(image)
                at.append(index)
        for start in range(0, len(images), AT_ONCE):
            some = np.stack(images[start : start + AT_ONCE])[:, None]
            read = self._run(some)
            # The network knows no empty cell: its last class is UNCLEAR.
            rows = at[start : start + AT_ONCE]
            found[rows, :NOTHING] = read[:, :NOTHING]
            found[rows, UNCLEAR] = read[:, NOTHING]
        return found

    def _run(self, images: Floats) -> Floats:
        """Probabilities (images, 11)."""
        scores = self._network.run(images)
        if scores.shape != (len(images), NOTHING + 1) or not np.isfinite(scores).all():
            raise self._network.failed(str(scores.shape))
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def cell_image(cell: Gray) -> Floats | int:
    """A cell as the network sees it: shape (SIDE, SIDE), 0 paper to 1 ink, the ink in the middle.

    Returns:
        The image; NOTHING if there is no ink, UNCLEAR if nothing can be made of the cell.
    """
    if cell.ndim != 2 or cell.size > MOST_PIXELS:
        return UNCLEAR
    if min(cell.shape) < 3:
        return NOTHING
    with np.errstate(invalid="ignore"):
        dark = 255.0 - np.nan_to_num(cell.astype(np.float32), nan=255.0, posinf=255.0, neginf=0.0)
    dark = np.clip(dark, 0.0, 255.0)
    deepest = float(np.percentile(dark[dark > 25], 90)) if (dark > 25).any() else 0.0
    if deepest <= 25:
        return NOTHING
    ink = _own_ink(dark > INK_SHARE * deepest)
    if ink.sum() < 4:
        return NOTHING
    if ink.mean() > 0.75:
        return UNCLEAR
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    top, left = int(rows[0]), int(columns[0])
    height, width = int(rows[-1]) + 1 - top, int(columns[-1]) + 1 - left
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8))
    dark = np.where(near > 0, dark, 0.0).astype(np.float32)
    scale = INK_SIDE / max(height, width, SMALLEST)
    if scale < 1:
        # Averaged first: a warp that makes smaller would skip pixels.
        dark = cv2.GaussianBlur(dark, (0, 0), max(0.42 * (1 / scale - 0.5), 0.1))  # type: ignore[assignment]
    middle = (left + width / 2, top + height / 2)
    to_cell = np.array(
        [
            [1 / scale, 0.0, middle[0] + (0.5 - SIDE / 2) / scale - 0.5],
            [0.0, 1 / scale, middle[1] + (0.5 - SIDE / 2) / scale - 0.5],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    image = cv2.warpAffine(dark, to_cell, (SIDE, SIDE), flags=flags, borderValue=(0.0,))
    strong = image[image > 0.3 * deepest]
    peak = float(np.percentile(strong, 85)) if strong.size else deepest
    return np.clip(image / max(peak, 1.0), 0.0, 1.0).astype(np.float32)


def _own_ink(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without small pieces that come in over the cell's edge, and without single pixels."""
    count, labels, stats, _middles = cv2.connectedComponentsWithStats(
        ink.astype(np.uint8), connectivity=8
    )
    if count <= 2:
        return ink
    height, width = ink.shape
    area = stats[:, cv2.CC_STAT_AREA].astype(float)
    area[0] = 0.0
    left, top = stats[:, cv2.CC_STAT_LEFT], stats[:, cv2.CC_STAT_TOP]
    right, bottom = left + stats[:, cv2.CC_STAT_WIDTH], top + stats[:, cv2.CC_STAT_HEIGHT]
    # Within half a millimetre of the edge, where the frame was.
    at_edge = (left <= 5) | (top <= 5) | (right >= width - 5) | (bottom >= height - 5)
    stray = at_edge & (area < STRAY_SHARE * area.sum())
    speck = area < min(6.0, 0.02 * area.sum())
    keep = ~(stray | speck)
    keep[0] = False
    return keep[labels] if keep.any() else ink


def reading_of(found: Sequence[tuple[Ink, bool]], probabilities: Floats) -> Reading:
    """The reading of a box of cells.

    Args:
        found: For each cell its ink and whether that is sure.
        probabilities: What the network says of each cell, shape (cells, CLASSES); of those without ink
            it does not count.

    Returns:
        The likeliest symbols as text, `_` for an empty cell and `?` for what is no digit; as confidence the
        product of their probabilities; the whole table as trace.
    """
    table = np.asarray(probabilities, dtype=np.float32).copy()
    for row, (ink, sure) in enumerate(found):
        if ink is Ink.BLANK:
            table[row] = 0.0
            table[row, NOTHING] = 1.0 if sure else DOUBTFUL_BLANK
            table[row, UNCLEAR] = 1.0 - table[row, NOTHING]
        elif ink is Ink.DASH:
            table[row] *= (1.0 - DASH_IS_NOTHING) / max(float(table[row].sum()), 1e-6)
            table[row, NOTHING] += DASH_IS_NOTHING
    return Reading(
        "".join("0123456789_?"[index] for index in table.argmax(axis=1)),
        round(float(table.max(axis=1).prod()), 4) if len(table) else 0.0,
        packed(table),
    )


def packed(table: Floats) -> bytes:
    """The table as bytes, to be kept with the box; probabilities rounded to 1/65535."""
    return _MARK + np.rint(np.clip(table, 0.0, 1.0) * 65535).astype("<u2").tobytes()


def unpacked(trace: bytes) -> Floats | None:
    """The table of a box, shape (cells, CLASSES); None if it is none."""
    if trace[:2] != _MARK or len(trace) < 4 or (len(trace) - 2) % (2 * CLASSES):
        return None
    values = np.frombuffer(trace[2:], dtype="<u2").reshape(-1, CLASSES)
    table = values.astype(np.float32) / 65535
    return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1e-6), dtype=np.float32)


def _sentences() -> Sentences:
    return Sentences(
        _("The weights of the digit network are missing: {path}."),
        _("The digit network cannot be used: {error}."),
        _("Install Otbor again; until then type the numbers in by hand."),
    )
