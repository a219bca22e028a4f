"""Tesseract through pytesseract: printed text, and a second opinion on handwriting.

Measured on real Russian pen words it reads 2 % of them, so its readings order the jury's wall weakly;
they decide nothing. A call costs about 190 ms of start-up, so all boxes of a page go in one call by a
list file.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytesseract

from otbor.errors import EngineError
from otbor.i18n import gettext as _
from scanner.contracts import Gray, Reading

# Tesseract's network works on lines of 36 pixels; capitals of 3–4 mm are about that at 10 px/mm, and
# halving a crop makes it twice as fast.
SCALE = 0.6
# Tesseract wants white around the text.
PADDING = 12
TIMEOUT_S = 120
LANGUAGES = "rus+eng"


class TesseractReader:
    """Reads boxes with Tesseract, one line each."""

    name = "tesseract"

    def __init__(self, languages: str = LANGUAGES) -> None:
        self._languages = languages

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        """Read a batch in one call; see `scanner.contracts.Reader`.

        Raises:
            EngineError: Tesseract is missing, failed, or answered with something else than its table.
        """
        if not crops:
            return []
        with tempfile.TemporaryDirectory(prefix="otbor-") as folder:
            names = []
            for index, crop in enumerate(crops):
                path = Path(folder) / f"{index:04d}.png"
                # Encoded first: OpenCV itself cannot write to a folder with Cyrillic letters on Windows.
                _, data = cv2.imencode(".png", _prepared(crop))
                path.write_bytes(data.tobytes())
                names.append(str(path))
            listing = Path(folder) / "crops.txt"
            listing.write_text("\n".join(names), encoding="utf-8")
            table = self._table(listing)
        return _readings(table, len(crops))

    def _table(self, listing: Path) -> str:
        try:
            # --psm 7: the image is a single line of text. Not image_to_data: it asks for the version first,
            # without a time limit, and ends the whole process if it does not like the answer.
            return str(
                pytesseract.run_and_get_output(
                    str(listing),
                    extension="tsv",
                    lang=self._languages,
                    config="-c tessedit_create_tsv=1 --psm 7",
                    timeout=TIMEOUT_S,
                )
            )
        except pytesseract.TesseractNotFoundError as error:
            raise missing() from error
        except (
            pytesseract.TesseractError,
            subprocess.SubprocessError,
            RuntimeError,
            OSError,
            ValueError,
        ) as error:
            reason = getattr(error, "message", "") or str(error)
            raise _failed(
                _("Tesseract failed: {error}.").format(error=_first_line(reason))
            ) from error


def available(languages: str = LANGUAGES) -> bool:
    """True if Tesseract and its language files are there."""
    try:
        answer = subprocess.run(
            [pytesseract.pytesseract.tesseract_cmd, "--list-langs"],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    installed = set(answer.stdout.split())
    return answer.returncode == 0 and set(languages.split("+")) <= installed


def missing() -> EngineError:
    """The error that says that Tesseract is not installed and what to do."""
    return EngineError(
        _("Tesseract with the Russian language is not installed."),
        _(
            "Install the packages tesseract-ocr and tesseract-ocr-rus, or go on without it: "
            "“--reader none” keeps the boxes for the jury's eye."
        ),
    )


def _prepared(crop: Gray) -> Gray:
    """Cut to the ink, made smaller, white around it."""
    rows = np.flatnonzero((crop < 200).any(axis=1))
    columns = np.flatnonzero((crop < 200).any(axis=0))
    if len(rows) and len(columns):
        crop = crop[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    small = cv2.resize(crop, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA)
    return cv2.copyMakeBorder(  # type: ignore[return-value]
        small, PADDING, PADDING, PADDING, PADDING, cv2.BORDER_CONSTANT, value=(255,)
    )


def _readings(table: str, count: int) -> list[Reading]:
    """Words and confidences per page out of Tesseract's table."""
    lines = table.splitlines()
    heading = lines[0].split("\t") if lines else []
    if not {"page_num", "text", "conf"} <= set(heading):
        raise _no_table()
    page, conf, text = (heading.index(name) for name in ("page_num", "conf", "text"))
    words: list[list[tuple[str, float]]] = [[] for _ in range(count)]
    for line in lines[1:]:
        cells = line.split("\t")
        if len(cells) <= text or not cells[text].strip():
            continue
        try:
            number, share = int(cells[page]), float(cells[conf]) / 100
        except ValueError as error:
            raise _no_table() from error
        if not math.isfinite(share):
            raise _no_table()
        if 1 <= number <= count:
            words[number - 1].append((cells[text].strip(), min(max(share, 0.0), 1.0)))
    readings = []
    for found in words:
        letters = sum(len(word) for word, _ in found)
        confidence = sum(len(word) * value for word, value in found) / max(letters, 1)
        readings.append(Reading(" ".join(word for word, _ in found), round(confidence, 4)))
    return readings


def _failed(message: str) -> EngineError:
    return EngineError(
        message, _("The boxes are kept without readings; the jury can rule all the same.")
    )


def _no_table() -> EngineError:
    return _failed(_("Tesseract answered with something that is not its table."))


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:200]
