"""Our own network for handwriting, run by onnxruntime on one thread.

How it was trained and what it reads is told in `scanner/models/MODEL_CARD.md`. Besides text and confidence
it leaves a trace of every crop, from which `scanner.readers.verification` tells how well it fits the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otbor.i18n import gettext as _
from scanner.contracts import Gray, Reading
from scanner.readers import network, trace
from scanner.readers.alphabet import CLASSES, FOLDED, SYMBOLS, folding
from scanner.readers.ctc import Floats, best_path
from scanner.readers.line_image import line_image
from scanner.readers.network import Network, Sentences, batches

MODEL = Path(__file__).parents[1] / "models" / "handwriting.onnx"
VERSION = "1"

_FOLDING = folding()
# Classes of each folded class.
_MEMBERS = [np.flatnonzero(_FOLDING[:, index]) for index in range(_FOLDING.shape[1])]


class HandwritingReader:
    """Reads boxes with the network; the session is made at the first crop."""

    name = "handwriting"

    def __init__(self, model: Path = MODEL) -> None:
        self._network = _network(model)

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        """Read a batch; see `scanner.contracts.Reader`.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        return self.read_lines([line_image(np.asarray(crop)) for crop in crops])

    def read_lines(self, lines: Sequence[NDArray[np.float32] | None]) -> list[Reading]:
        """The same for line images; None is read as nothing.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        readings = [Reading("", 0.0)] * len(lines)
        for indexes, pixels in batches(lines):
            found = self._network.run(pixels)
            if found.shape[2] != CLASSES:
                raise self._network.failed(f"{found.shape[2]} != {CLASSES}")
            for index, log_probs in zip(indexes, found, strict=True):
                readings[index] = _reading(log_probs)
        return readings


def available(model: Path = MODEL) -> bool:
    """True if onnxruntime and the weights are there; whether they fit shows at the first crop."""
    return network.available(model)


def check(model: Path = MODEL) -> None:
    """Make a session and let it go again.

    Raises:
        EngineError: The weights or onnxruntime are missing or do not fit.
    """
    _network(model).open()


def _network(model: Path) -> Network:
    return Network(model, {"version": VERSION, "symbols": SYMBOLS}, _sentences)


def _sentences() -> Sentences:
    return Sentences(
        _("The weights of the handwriting network are missing: {path}."),
        _("The handwriting network cannot be used: {error}."),
        _("Install Otbor again, or read with Tesseract: “--reader tesseract”."),
    )


def _reading(log_probs: NDArray[np.float32]) -> Reading:
    """Text, confidence and trace out of one line's log-probabilities (steps, CLASSES)."""
    # The classes added up to the folded ones.
    together: Floats = np.log(np.exp(log_probs) @ _FOLDING + 1e-12).astype(np.float32)
    classes, steps, score = best_path(together)
    if not classes:
        return Reading("", 0.0, trace.packed(together))
    confidence = float(np.exp(score / len(classes)))
    return Reading(_text(log_probs, classes, steps), round(confidence, 4), trace.packed(together))


def _text(log_probs: NDArray[np.float32], classes: list[int], steps: list[int]) -> str:
    """The folded symbols read, spelled: every word in one alphabet, each letter in its likelier case."""
    text, word = "", []
    for index, step in [*zip(classes, steps, strict=True), (-1, -1)]:
        if index != -1 and FOLDED[index - 1].isalpha():
            word.append((index, log_probs[step]))
            continue
        text += _word(word)
        word = []
        if index != -1:
            text += FOLDED[index - 1]
    return text.strip()


def _word(word: list[tuple[int, NDArray[np.float32]]]) -> str:
    best: tuple[float, str] = (-np.inf, "")
    for latin in (False, True):
        spelling, score = "", 0.0
        for index, seen in word:
            members = _MEMBERS[index]
            fits = [m for m in members if SYMBOLS[m - 1].isascii() == latin]
            winner = max(fits or members, key=lambda member: seen[member])
            spelling += SYMBOLS[winner - 1]
            # A letter that the alphabet does not have speaks against it.
            score += float(seen[winner]) - (0.0 if fits else 5.0)
        if score > best[0]:
            best = (score, spelling)
    return best[1]
