"""Which part of a line is crossed out, by a small network of our own.

A box whose ink is crossed out from end to end holds no answer. That may only be said when it is plain: an
answer taken for crossed out would go to the strip of blanks. So both the share of the ink that is crossed
out and how surely must be high; all else stays written. How it was trained and how often it errs is told in
`scanner/models/MODEL_CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from otbor.i18n import gettext as _
from scanner.contracts import Gray, Ink
from scanner.readers.line_image import (
    HEIGHT,
    LEAST_WIDTH,
    MARGIN,
    ink_columns,
    ink_mask,
    line_image,
)
from scanner.readers.network import Network, Sentences, batches

MODEL = Path(__file__).parents[1] / "models" / "struck.onnx"
VERSION = "1"
STEP = 4
"""Pixels of a line image's width that one probability stands for."""
# A step belongs to what is crossed out from this probability on.
STRUCK_FROM = 0.5
# At most so many steps of ink in a row may be free, and the mean log-odds must be at least this: see the
# model card for how many real answers pass both.
MOST_FREE, LEAST_SURE = 2, 1.5
# A piece of ink of this share of all that lies wholly above or below the middle of the writing may be an
# answer put over what was crossed out.
PIECE_SHARE = 0.025
# Writing that fills this share of a crop's height and is thinner in the middle, at most this share of the
# denser rows above and below, may be two rows that touch, one of them crossed out.
TALL_SHARE, VALLEY_SHARE = 0.6, 0.6
# A part that is crossed out is left out of the reading if it is as long as this, in heights of the line.
LEAST_PART = 0.8
# Ink of a line image, 0 to 1.
INK_FROM = 0.35


@dataclass(frozen=True, slots=True)
class Strikes:
    """What is crossed out in one crop.

    Args:
        whole: True if all that is written is plainly crossed out.
        share: Of the steps with ink, how many are crossed out, 0 to 1.
        sureness: Mean log-odds over the steps with ink.
        parts: Spans of columns of the crop, first and after the last, with nothing but crossed-out ink;
            empty where all or nothing is.
    """

    whole: bool
    share: float
    sureness: float
    parts: tuple[tuple[int, int], ...] = ()

    def empties(self, ink: Ink, sure: bool) -> bool:
        """True if a box of this ink holds nothing but what is crossed out.

        Of little ink, or with a part of the box off the page (not `sure`), nobody can say so.
        """
        return self.whole and sure and ink is Ink.WRITTEN


NOTHING = Strikes(False, 0.0, 0.0)


class StrikeFinder:
    """Finds what is crossed out; the session is made at the first crop."""

    def __init__(self, model: Path = MODEL) -> None:
        self._network = Network(model, {"version": VERSION}, _sentences)

    def find(self, crops: Sequence[Gray]) -> list[Strikes]:
        """Look at a batch of cleaned crops, as a `Reader` gets them.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        lines = [line_image(np.asarray(crop)) for crop in crops]
        found = [NOTHING] * len(lines)
        for indexes, pixels in batches(lines):
            for index, odds in zip(indexes, self._network.run(pixels), strict=True):
                line = lines[index]
                assert line is not None
                found[index] = _strikes(odds, line, crops[index])
        return found


def _sentences() -> Sentences:
    return Sentences(
        _("The weights of the network for what is crossed out are missing: {path}."),
        _("The network for what is crossed out cannot be used: {error}."),
        _("Install Otbor again; until then what is crossed out counts as written."),
    )


def without_parts(crop: Gray, strikes: Strikes) -> Gray:
    """The crop with its crossed-out parts left white; a copy if there are any."""
    if not strikes.parts:
        return crop
    kept = crop.copy()
    for start, end in strikes.parts:
        kept[:, start:end] = 255
    return kept


def _strikes(odds: NDArray[np.float32], line: NDArray[np.float32], crop: Gray) -> Strikes:
    steps = line.shape[1] // STEP
    ink = line[:, : steps * STEP].reshape(HEIGHT, steps, STEP).max(axis=(0, 2)) > INK_FROM
    ink[: MARGIN // STEP] = False
    if not ink.any():
        return NOTHING
    scores = odds[:steps]
    struck = scores > float(np.log(STRUCK_FROM / (1 - STRUCK_FROM)))
    share = float(struck[ink].mean())
    sureness = float(scores[ink].mean())
    if _longest_run(ink & ~struck) <= MOST_FREE:
        return Strikes(sureness >= LEAST_SURE and not _stands_apart(crop), share, sureness)
    return Strikes(False, share, sureness, _parts(struck, line, crop))


def _two_rows(ink: NDArray[np.bool_]) -> bool:
    share = ink.sum(axis=1).astype(np.float64)
    upto = np.cumsum(share) / share.sum()
    top, bottom = int(np.searchsorted(upto, 0.02)), int(np.searchsorted(upto, 0.98))
    if bottom - top < TALL_SHARE * len(share):
        return False
    smooth = np.convolve(share, np.ones(5) / 5, mode="same")[top : bottom + 1]
    third = len(smooth) // 3
    valley = smooth[third : 2 * third].min()
    return bool(valley <= VALLEY_SHARE * min(smooth[:third].max(), smooth[2 * third :].max()))


def _longest_run(flags: NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def _stands_apart(crop: Gray) -> bool:
    """True if a piece of the ink lies wholly above or below the middle of the writing, or two rows may."""
    ink = ink_mask(crop)
    if ink is None or _two_rows(ink):
        return True
    share = ink.sum(axis=1).astype(np.float64)
    rows = np.arange(len(share)) + 0.5
    middle = float((share * rows).sum() / share.sum())
    spread = float(np.sqrt((share * (rows - middle) ** 2).sum() / share.sum()))
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    pieces = stats[1:][stats[1:, cv2.CC_STAT_AREA] >= PIECE_SHARE * ink.sum()]
    tops = pieces[:, cv2.CC_STAT_TOP]
    bottoms = tops + pieces[:, cv2.CC_STAT_HEIGHT]
    return bool(((bottoms < middle - 0.5 * spread) | (tops > middle + 0.5 * spread)).any())


def _parts(
    struck: NDArray[np.bool_], line: NDArray[np.float32], crop: Gray
) -> tuple[tuple[int, int], ...]:
    """Runs of crossed-out steps, as columns of the crop."""
    span = ink_columns(crop)
    wide = line.shape[1] - 2 * MARGIN
    if span is None or wide <= 0 or line.shape[1] <= LEAST_WIDTH:
        return ()
    left, right = span
    across = (right - left) / wide
    edges = np.flatnonzero(np.diff(np.concatenate([[False], struck, [False]]).astype(np.int8)))
    found = []
    for start, end in edges.reshape(-1, 2).tolist():
        if (end - start) * STEP >= LEAST_PART * HEIGHT:
            first = left + (start * STEP - MARGIN) * across
            last = left + (end * STEP - MARGIN) * across
            found.append((max(0, round(first)), min(crop.shape[1], round(last))))
    return tuple(found)
