"""A picture of one answer that did not come from a page: somebody trying it on their own writing."""

from __future__ import annotations

import cv2
import numpy as np

from scanner.contracts import Gray, Ink
from scanner.ink import InkFinding, find_ink
from scanner.rectify import darkness_of

# A box is 92 pixels high inside its frame. Larger pictures are brought to about that for the ink's sake,
# whose measures are in millimetres; the reader brings writing to its own size anyway.
MOST_HEIGHT, BOX_HEIGHT = 160, 92
MOST_WIDTH = 4000
# White around, since ink is not looked for beside a frame.
MARGIN = 8
# Wider than any stroke: what is brighter nearby is the paper.
PAPER_KERNEL = 41


def prepared(gray: Gray) -> tuple[Gray, InkFinding]:
    """The crop for a reader, dark ink on white, and what ink is in it.

    Args:
        gray: Any size, even one pixel; paper of any brightness, shadows included.
    """
    height, width = gray.shape
    scale = min(1.0, MOST_WIDTH / max(width, 1))
    if height > MOST_HEIGHT:
        scale = min(scale, BOX_HEIGHT / height)
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        gray = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    kernel = np.ones((PAPER_KERNEL, PAPER_KERNEL), np.uint8)
    framed = cv2.copyMakeBorder(gray, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
    closed = cv2.morphologyEx(framed, cv2.MORPH_CLOSE, kernel)
    white = np.maximum(cv2.GaussianBlur(closed, (0, 0), PAPER_KERNEL / 4), 1)
    if float(np.median(white)) < 60:
        # All black is no paper at all: nobody can tell what stands there.
        empty = np.zeros(framed.shape, dtype=bool)
        return np.full_like(framed, 255), InkFinding(Ink.WRITTEN, False, 0.0, empty)
    flat = cv2.divide(framed, white.astype(np.uint8), scale=255.0)
    padded = cv2.copyMakeBorder(
        flat, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_CONSTANT, value=(255,)
    )
    least = 3 * MARGIN
    if min(padded.shape) < 2 * least:
        grow = (max(0, 2 * least - padded.shape[0]), max(0, 2 * least - padded.shape[1]))
        padded = cv2.copyMakeBorder(
            padded, 0, grow[0], 0, grow[1], cv2.BORDER_CONSTANT, value=(255,)
        )
    finding = find_ink(darkness_of(padded, np.full_like(padded, 255)))  # type: ignore[arg-type]
    return padded, finding  # type: ignore[return-value]
