"""Networks of our own, run by onnxruntime on one thread; and lines put together into batches."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otbor.errors import EngineError
from otbor.i18n import gettext as _
from scanner.readers.line_image import HEIGHT

# Lines are padded to a multiple of this and those of one width run together. What a line gives does not
# depend on its neighbours in the batch, so that reading again gives the same.
BUCKET = 64
# Pixels of width in one batch, all its lines together: keeps a worker's memory small.
BATCH_WIDTH = 8192


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said when a network cannot be used; `missing` has a field {path}, `failed` a field {error}."""

    missing: str
    failed: str
    advice: str


class Network:
    """Weights of ours, with one input and one output; they are opened at the first run.

    Args:
        model: The file.
        metadata: What its metadata must say, such as the version.
        sentences: Called for what to say when it cannot be used, in the language of that moment.
    """

    def __init__(
        self, model: Path, metadata: Mapping[str, str], sentences: Callable[[], Sentences]
    ) -> None:
        self._model, self._metadata, self._sentences = model, metadata, sentences
        self._session: Any = None

    def run(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for an input.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        if self._session is None:
            self.open()
        try:
            (found,) = self._session.run(None, {self._session.get_inputs()[0].name: values})
        except Exception as error:  # onnxruntime's own exceptions share no base class
            raise self.failed(str(error)) from error
        return np.asarray(found)

    def open(self) -> None:
        """Open the weights.

        Raises:
            EngineError: The weights or onnxruntime are missing or do not fit.
        """
        if not self._model.is_file():
            says = self._sentences()
            raise EngineError(says.missing.format(path=self._model), says.advice)
        try:
            import onnxruntime
        except ImportError as error:
            raise EngineError(
                _("The package onnxruntime is not installed."), says.advice
            ) from error
        options = onnxruntime.SessionOptions()
        # There is a process for every core.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                str(self._model), options, providers=["CPUExecutionProvider"]
            )
            known = session.get_modelmeta().custom_metadata_map
        except Exception as error:  # a file cut short raises several kinds
            raise self.failed(str(error)) from error
        if any(known.get(name) != value for name, value in self._metadata.items()):
            raise EngineError(
                _("The weights {path} belong to another version of Otbor.").format(
                    path=self._model
                ),
                self._sentences().advice,
            )
        self._session = session

    def failed(self, error: str) -> EngineError:
        """The error for a network that cannot be used."""
        says = self._sentences()
        line = next(iter(error.splitlines()), "")[:200]
        return EngineError(says.failed.format(error=line), says.advice)


def available(model: Path) -> bool:
    """True if onnxruntime and the weights are there; whether they fit shows at the first run."""
    return importlib.util.find_spec("onnxruntime") is not None and model.is_file()


def batches(
    lines: Sequence[NDArray[np.float32] | None],
) -> list[tuple[list[int], NDArray[np.float32]]]:
    """Lines of one padded width together: their indexes, and pixels (lines, 1, HEIGHT, width).

    Args:
        lines: Line images; None is left out.
    """
    by_width: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        if line is not None:
            by_width.setdefault(-(-line.shape[1] // BUCKET) * BUCKET, []).append(index)
    found = []
    for width, indexes in sorted(by_width.items()):
        most = max(1, BATCH_WIDTH // width)
        for start in range(0, len(indexes), most):
            chosen = indexes[start : start + most]
            pixels = np.zeros((len(chosen), 1, HEIGHT, width), dtype=np.float32)
            for row, index in enumerate(chosen):
                line = lines[index]
                assert line is not None
                pixels[row, 0, :, : line.shape[1]] = line
            found.append((chosen, pixels))
    return found
