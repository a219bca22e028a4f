"""How rulings name a box, and the order in which sheets are shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.model import Verdict

BoxId = tuple[str, str]
"""The sheet's name (`12`, `S3`) and the box's key on its blank (`t3r5`)."""

_SHEET = re.compile(r"(\D*)(\d*)")


@dataclass(frozen=True, slots=True)
class BoxVerdict:
    """A verdict on one box, before it is entered in the ledger.

    `why` is its own reason; None says nothing of it, an empty one takes an earlier reason away.
    """

    sheet: str
    box: str
    verdict: Verdict
    why: str | None = None

    @property
    def id(self) -> BoxId:
        """The box it is about."""
        return (self.sheet, self.box)


FINAL_BOX = "answer"
"""The box of the final answer on a final sheet."""


def box_key(theme: int, row: int) -> str:
    """The key of an answer box, as the blank's geometry names it: `t3r5`.

    The final question, of theme and row 0, has a box of its own on the final sheet.
    """
    if theme == row == 0:
        return FINAL_BOX
    return f"t{theme}r{row}"


def sheet_order(sheet: str) -> tuple[str, int, str]:
    """A key that sorts sheets by kind, then by number: 2, 12, S3."""
    match = _SHEET.match(sheet)
    letters, digits = match.groups() if match else (sheet, "")
    return (letters, int(digits or 0), sheet)
