"""The trace of a reading: what the network saw at every step, small enough to be kept for every box.

With it an answer can be checked against other texts later, when the key has changed, without its image.
Log-probabilities are rounded to a tenth and packed: some 2 kB a crop.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from scanner.readers.alphabet import FOLDED_CLASSES
from scanner.readers.ctc import Floats

# Two bytes to know it by; the alphabet is part of the version.
_MARK = b"h1"
_STEP = 0.1


def packed(log_probs: Floats) -> bytes:
    """Pack log-probabilities of the folded classes, shape (steps, FOLDED_CLASSES)."""
    levels = np.clip(np.rint(-log_probs / _STEP), 0, 255).astype(np.uint8)
    # One class after the other: its levels are alike from step to step.
    data = zlib.compress(np.ascontiguousarray(levels.T).tobytes(), 6)
    return _MARK + struct.pack("<H", len(log_probs)) + data


def unpacked(trace: bytes) -> Floats | None:
    """The log-probabilities, shape (steps, FOLDED_CLASSES); None if it is no trace of this alphabet."""
    if len(trace) < 5 or trace[:2] != _MARK:
        return None
    (steps,) = struct.unpack("<H", trace[2:4])
    try:
        levels = np.frombuffer(zlib.decompress(trace[4:]), dtype=np.uint8)
    except zlib.error:
        return None
    if levels.size != steps * FOLDED_CLASSES:
        return None
    return np.ascontiguousarray(levels.reshape(FOLDED_CLASSES, steps).T).astype(np.float32) * -_STEP
