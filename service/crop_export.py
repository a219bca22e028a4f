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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from jury.forms import FormMatch
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.contracts import Gray, Ink
from scanner.ink import clean_crop, find_ink
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM, darkness_of
from scoring.model import Verdict
from service import answers, verification
from service.answers import Answer
from service.event import Event
from service.output import write
from service.player_codes import event_secret

TABLE, MARK = "crops.csv", "otbor-crops.txt"
_PICTURE = re.compile(r"[0-9a-f]{20}\.png")
COLUMNS = ("file", "question", "text", "verdict", "ink")
# A right answer is labelled with the form that its picture fits, if it fits it as well as this; a rejected
# form must be plain.
RIGHT_FROM, REJECTED_FROM = 0.5, 0.9
# Wider than any stroke: what is brighter nearby is the paper.
_PAPER = 41


@dataclass(frozen=True, slots=True)
class Exported:
    """How many pictures were written, and how many of them with a text."""

    pictures: int
    labelled: int


def export(event: Event, folder: Path, tell: Callable[[int, int], None] | None = None) -> Exported:
    """Write a picture of every answer that is ruled right, wrong or blank, and `crops.csv` beside them.

    The same rulings give the same bytes.

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
    matches = verification.current(event.database, verification.by_box(event.key()))
    named = sorted((_name(secret, answer), answer) for answer in ruled)
    # First of all, so that an export that is cut short is known as one.
    write(folder / MARK, mark.encode())
    table = io.StringIO(newline="")
    rows = csv.writer(table, delimiter=";", lineterminator="\r\n")
    rows.writerow(COLUMNS)
    labelled = 0
    for done, (name, answer) in enumerate(named, start=1):
        picture = cleaned(answers.crop(event, answer.sheet, answer.box, answer.page_id))
        text = _text(answer, matches.get((answer.page_id, answer.box), ()))
        labelled += bool(text)
        write(folder / name, picture)
        rows.writerow((name, answer.box, text, answer.ruling, answer.ink.value))
        if tell is not None:
            tell(done, len(named))
    for old in earlier - {name for name, _answer in named}:
        (folder / old).unlink()
    write(folder / TABLE, table.getvalue().encode("utf-8-sig"))
    return Exported(len(named), labelled)


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


def _text(answer: Answer, matches: tuple[FormMatch, ...]) -> str:
    """What surely stands there by the jury's word and the picture; empty if that is not plain."""
    if answer.ink is not Ink.WRITTEN or answer.ruling is Verdict.BLANK:
        return ""
    rejected = answer.ruling is Verdict.WRONG
    least = REJECTED_FROM if rejected else RIGHT_FROM
    fitting = [found for found in matches if found.rejected == rejected]
    best = max(fitting, key=lambda found: found.match.probability, default=None)
    return best.form if best is not None and best.match.probability >= least else ""


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
