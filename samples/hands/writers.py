"""Real letters: pen strokes of real writers out of a file of tablet recordings.

The file is JSON, a list of records `{session, label, kind, xy, dt_ms}`: one run of points for all strokes
of a letter, y upwards, with the pause before each point. It never comes with the product.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from samples.hands.ink_strokes import Path as StrokePath
from samples.hands.ink_strokes import smoothed

# A new stroke begins after a pause or a jump. Measured on the recordings: while the pen is down, points
# are 10–20 ms and up to about 25 units apart; hesitations last long but stay within a few units.
PAUSE_MS, PAUSE_UNITS = 110.0, 6.0
JUMP_UNITS = 48.0

# In a few recordings a stroke is missing (one writer's «А» is two dashes): such a letter has less than
# this share of the usual length.
LEAST_LENGTH = 0.7

# Small letters that stand on the baseline and reach the x-height: a writer's own geometry is measured
# on them, with medians, because single ones are written carelessly.
_PLAIN = "авеимнопстшыьэюя"
_DESCENDING = "дзруфцщ"


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter in units of its writer's x-height, standing on y = 0, x from 0, y downwards.

    `body` are the strokes that may be joined to neighbours, `marks` those above small letters (ё, й).
    """

    body: tuple[StrokePath, ...]
    marks: tuple[StrokePath, ...]

    @property
    def length(self) -> float:
        """Of all its strokes together, in x-heights."""
        paths = (*self.body, *self.marks)
        return float(sum(np.hypot(*np.diff(path, axis=0).T).sum() for path in paths))

    @property
    def left(self) -> float:
        """Left edge of what stands on the line, without tails and flourishes."""
        return float(min(_on_line(path)[:, 0].min() for path in self.body))

    @property
    def right(self) -> float:
        """Right edge of what stands on the line."""
        return float(max(_on_line(path)[:, 0].max() for path in self.body))


@dataclass(frozen=True, slots=True)
class Writer:
    """One recorded session: letters by character, and the writer's other sessions' letters."""

    name: str
    letters: dict[str, tuple[Letter, ...]]


def load_writers(path: Path) -> tuple[Writer, ...]:
    """All sessions of a recordings file, ordered by name.

    Every writer gets for each character their own recording first, then those of the same writer's
    other sessions (`w_0_1`, `w_0_2` are one writer).

    Raises:
        InputFileError: The file is missing or not such a file.
    """
    try:
        return _load(path, path.stat().st_mtime_ns)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InputFileError(
            _("The pen strokes of real writers {path} cannot be read: {error}.").format(
                path=path, error=error
            ),
            _("Name the file of recordings, or write with fonts: “--hand fonts”."),
        ) from error


@cache
def _load(path: Path, _changed: int) -> tuple[Writer, ...]:
    records = json.loads(path.read_text(encoding="utf-8"))
    sessions: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        if record["kind"] == "char":
            sessions.setdefault(record["session"], []).append(record)
    if not sessions:
        raise ValueError("no letters")
    own = {name: _letters(found) for name, found in sorted(sessions.items())}
    writers = []
    for name, letters in own.items():
        person = f"{name.rpartition('_')[0]}_"
        others = [own[other] for other in own if other != name and other.startswith(person)]
        known = {
            char: _whole([letter, *(other[char] for other in others if char in other)])
            for char, letter in letters.items()
        }
        writers.append(Writer(name, known))
    return tuple(writers)


def _whole(recordings: list[Letter]) -> tuple[Letter, ...]:
    """Without recordings of which half was lost: much shorter than the same writer's others."""
    lengths = [recording.length for recording in recordings]
    least = LEAST_LENGTH * float(np.median(lengths))
    return tuple(r for r, length in zip(recordings, lengths, strict=True) if length >= least)


def _letters(records: list[dict[str, Any]]) -> dict[str, Letter]:
    points = {record["label"]: np.array(record["xy"], dtype=float) for record in records}
    plain = [points[char] for char in _PLAIN if char in points]
    baseline = float(np.median([xy[:, 1].min() for xy in plain]))
    x_height = float(np.median([xy[:, 1].max() for xy in plain])) - baseline
    letters = {}
    for record in records:
        char = record["label"]
        strokes = [(path - [0.0, baseline]) / x_height for path in _strokes(record)]
        flipped = [path * [1.0, -1.0] for path in strokes]
        letters[char] = _letter(char, flipped)
    return letters


def _letter(char: str, strokes: list[NDArray[np.float64]]) -> Letter:
    lowest = max(path[:, 1].max() for path in strokes)
    if char.lower() not in _DESCENDING or (char.isupper() and char not in "ДЦЩ"):
        # Letters that should stand on the line do so, give or take a little.
        drop = -0.8 * lowest if abs(lowest) > 0.1 else 0.0
        strokes = [path + np.array([0.0, drop]) for path in strokes]
    left = min(path[:, 0].min() for path in strokes)
    placed = [smoothed(path - [left, 0.0], 1.1) for path in strokes]
    is_mark = [char in "ёй" and path[:, 1].max() < -0.75 for path in placed]
    if all(is_mark):
        is_mark = [False] * len(placed)
    return Letter(
        tuple(path for path, mark in zip(placed, is_mark, strict=True) if not mark),
        tuple(path for path, mark in zip(placed, is_mark, strict=True) if mark),
    )


def _strokes(record: dict[str, Any]) -> list[NDArray[np.float64]]:
    """Split a recording where the pen was lifted."""
    xy = np.array(record["xy"], dtype=float)
    pause = np.array(record["dt_ms"], dtype=float)[1:]
    step = np.hypot(*np.diff(xy, axis=0).T)
    lifted = ((pause > PAUSE_MS) & (step > PAUSE_UNITS)) | (step > JUMP_UNITS)
    parts = np.split(xy, np.flatnonzero(lifted) + 1)
    # A single stray point far from the rest is the digitizer's, not the writer's; a dot has several.
    return [part for part in parts if len(part) > 1] or parts


def _on_line(path: StrokePath) -> StrokePath:
    standing = path[(path[:, 1] < 0.12) & (path[:, 1] > -1.15)]
    return standing if len(standing) else path
