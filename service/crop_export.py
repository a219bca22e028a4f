"""Confirmed answers as labelled pictures, from which the handwriting network can learn more.

Neither names nor sheet numbers go out: files are called and ordered by a keyed hash, so that nobody without
the event's secret can tell which sheet one came from. Handwriting itself can still give a person away.
"""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.contracts import Gray
from scanner.ink import clean_crop, find_ink
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM, darkness_of
from scoring.model import Verdict
from service import answers
from service.answers import Answer
from service.crop_labels import SURE, Label, Won, labels
from service.event import Event
from service.output import write
from service.player_codes import event_secret

TABLE, MARK = "crops.csv", "otbor-crops.txt"
_PICTURE = re.compile(r"[0-9a-f]{20}\.png")
COLUMNS = ("file", "question", "text", "won", "verdict", "ink")
# Wider than any stroke: what is brighter nearby is the paper.
_PAPER = 41


@dataclass(frozen=True, slots=True)
class Exported:
    """How many pictures were written, how many of them with a text, and of how many the text is sure."""

    pictures: int
    labelled: int
    sure: int


def export(event: Event, folder: Path, tell: Callable[[int, int], None] | None = None) -> Exported:
    """Write a picture of every answer that is ruled right, wrong or blank, and `crops.csv` beside them.

    The same rulings give the same bytes. What a person has checked in an earlier export (`checked` in the
    column `won`) stays, as long as the verdict does.

    Args:
        event: From where.
        folder: Made if missing; an earlier export in it is replaced.
        tell: Is told how many are done, and of how many.

    Raises:
        ConflictError: Other things lie in the folder, or nothing is ruled.
        InputFileError: It cannot be written to.
    """
    secret = event_secret(event)
    mark = hmac.new(secret, b"crops", hashlib.sha256).hexdigest()
    earlier = _earlier(folder, mark)
    ruled = [
        answer
        for answer in answers.all_answers(event)
        if answer.ruling is not None and answer.ruling is not Verdict.DISPUTED
    ]
    if not ruled:
        raise ConflictError(
            _("No answer is confirmed yet."), _("Export again when the jury has ruled on some.")
        )
    checked = _checked(folder / TABLE)
    named = sorted(
        (_name(secret, answer), answer, label)
        for answer, label in zip(ruled, labels(event, ruled), strict=True)
    )
    # First of all, so that an export that is cut short is known as one.
    write(folder / MARK, mark.encode())
    table = io.StringIO(newline="")
    rows = csv.writer(table, delimiter=";", lineterminator="\r\n")
    rows.writerow(COLUMNS)
    won: Counter[Won] = Counter()
    for done, (name, answer, found) in enumerate(named, start=1):
        label = checked.get((name, str(answer.ruling)), found)
        write(folder / name, cleaned(answers.crop(event, answer.sheet, answer.box, answer.page_id)))
        won[label.won] += 1
        rows.writerow((name, answer.box, label.text, label.won, answer.ruling, answer.ink.value))
        if tell is not None:
            tell(done, len(named))
    for old in earlier - {name for name, _answer, _label in named}:
        (folder / old).unlink()
    write(folder / TABLE, table.getvalue().encode("utf-8-sig"))
    sure = sum(won[kind] for kind in SURE)
    return Exported(len(named), len(named) - won[Won.NOT], sure)


def _earlier(folder: Path, mark: str) -> set[str]:
    """The pictures of an earlier export of this event; nothing else may lie in the folder.

    Raises:
        ConflictError: Something else does.
    """
    if not folder.exists():
        return set()
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else {folder.name}
    pictures = {name for name in names if _PICTURE.fullmatch(name)}
    known = folder / MARK
    ours = known.is_file() and known.read_bytes() == mark.encode()
    if names and (not ours or names - pictures - {MARK, TABLE}):
        raise ConflictError(
            _("The folder {path} holds other things.").format(path=folder),
            _("Choose an empty folder, or one with an earlier export."),
        )
    return pictures


def _name(secret: bytes, answer: Answer) -> str:
    place = f"crop {answer.sheet} {answer.box} {answer.page_id}".encode()
    return hmac.new(secret, place, hashlib.sha256).hexdigest()[:20] + ".png"


def _checked(table: Path) -> dict[tuple[str, str], Label]:
    """What a person has checked in the table of an earlier export, by the picture and its verdict."""
    if not table.is_file():
        return {}
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    return {
        (row["file"], row["verdict"]): Label(row["text"], Won.CHECKED)
        for row in rows
        if row.get("won", "").strip() == Won.CHECKED and row.get("text")
    }


def cleaned(jpeg: bytes) -> bytes:
    """A stored picture of a box as a reader gets it, PNG: without frame, paper white."""
    image: Gray = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)  # type: ignore[assignment]
    margin = round(CROP_MARGIN_MM * PX_PER_MM)
    inside = image[margin:-margin, margin:-margin]
    closed = cv2.morphologyEx(inside, cv2.MORPH_CLOSE, np.ones((_PAPER, _PAPER), np.uint8))
    white: Gray = np.maximum(cv2.GaussianBlur(closed, (0, 0), _PAPER / 4), 1).astype(np.uint8)
    finding = find_ink(darkness_of(inside, white))
    _ok, data = cv2.imencode(".png", clean_crop(inside, white, finding))
    return data.tobytes()
