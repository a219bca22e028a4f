"""Rulings that make the filled event narrow: few places, and whole questions confirmed at once."""

from __future__ import annotations

from pathlib import Path

from jury.boxes import BoxVerdict
from scoring.model import Verdict
from service import rulings
from service.event import Event

BOXES = [f"t{theme}r{row}" for theme in range(1, 9) for row in range(1, 6)]


def narrow(event: Event, folder: Path, places: int = 1) -> None:
    """Let only so many of each category go on, so that answers decide."""
    path = folder / "narrow.toml"
    path.write_text(f"cut = {places}\n", encoding="utf-8")
    event.update(regulation=path)


def confirm(event: Event, *boxes: str, right: str = "") -> None:
    """Rule on these boxes of all five sheets: blank, but right on one sheet."""
    given = [
        BoxVerdict(str(n), box, Verdict.RIGHT if str(n) == right else Verdict.BLANK)
        for box in boxes
        for n in range(1, 6)
    ]
    rulings.enter(event, given, "x", origin=boxes[0])
