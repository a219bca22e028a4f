"""Networks of our own, run by onnxruntime on one thread: sessions, and lines put together into batches."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
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


def available(model: Path) -> bool:
    """True if onnxruntime and the weights are there; whether they fit shows at the first run."""
    return importlib.util.find_spec("onnxruntime") is not None and model.is_file()


def session(model: Path, expected: Mapping[str, str]) -> Any:
    """Open weights.

    Args:
        model: The file.
        expected: What its metadata must say, such as the version.

    Raises:
        EngineError: The weights or onnxruntime are missing or do not fit.
    """
    if not model.is_file():
        raise EngineError(
            _("The weights of the handwriting network are missing: {path}.").format(path=model),
            _("Install Otbor again, or read with Tesseract: “--reader tesseract”."),
        )
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineError(
            _("The package onnxruntime is not installed."),
            _("Install Otbor again, or read with Tesseract: “--reader tesseract”."),
        ) from error
    options = onnxruntime.SessionOptions()
    # There is a process for every core.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    try:
        opened = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        known = opened.get_modelmeta().custom_metadata_map
    except Exception as error:  # a file cut short raises several kinds
        raise failed(str(error)) from error
    if any(known.get(name) != value for name, value in expected.items()):
        raise EngineError(
            _("The weights {path} belong to another version of Otbor.").format(path=model),
            _("Install Otbor again, or read with Tesseract: “--reader tesseract”."),
        )
    return opened


def failed(error: str) -> EngineError:
    """The error for a network that cannot be used."""
    return EngineError(
        _("The handwriting network cannot be used: {error}.").format(
            error=next(iter(error.splitlines()), "")[:200]
        ),
        _("Install Otbor again, or read with Tesseract: “--reader tesseract”."),
    )


def batches(
    lines: Sequence[NDArray[np.float32] | None], most_width: int
) -> list[tuple[list[int], NDArray[np.float32]]]:
    """Lines of one padded width together: their indexes, and pixels (lines, 1, HEIGHT, width).

    Args:
        lines: Line images; None is left out.
        most_width: Pixels of width in one batch, all its lines together.
    """
    by_width: dict[int, list[int]] = {}
    for index, line in enumerate(lines):
        if line is not None:
            by_width.setdefault(-(-line.shape[1] // BUCKET) * BUCKET, []).append(index)
    found = []
    for width, indexes in sorted(by_width.items()):
        most = max(1, most_width // width)
        for start in range(0, len(indexes), most):
            chosen = indexes[start : start + most]
            pixels = np.zeros((len(chosen), 1, HEIGHT, width), dtype=np.float32)
            for row, index in enumerate(chosen):
                line = lines[index]
                assert line is not None
                pixels[row, 0, :, : line.shape[1]] = line
            found.append((chosen, pixels))
    return found
