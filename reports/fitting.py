"""Texts of unknown length in places of known width: shrink, then two lines, then an ellipsis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from reports.fonts import printable, width

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text made to fit: its lines from top to bottom and their one size in points."""

    lines: tuple[str, ...]
    size: float


def fit(
    text: str, font: str, size: float, room: float, *, least: float = 0.0, lines: int = 2
) -> Fitted:
    """Make a text fit a width.

    Three steps, the gentlest that suffices: a smaller size, down to `least`; then lines of the size
    `least`, broken at spaces (or inside a word that is wider than the room); then an ellipsis.

    Args:
        text: Any text; it is made printable first.
        font: A face of `reports.fonts`.
        size: The size wanted, points.
        room: The width at hand, points.
        least: The least readable size, points; 0 means that the size is kept.
        lines: How many lines there may be.

    Returns:
        At least one line (perhaps empty), none wider than the room.
    """
    least = min(size, least) if least else size
    text = printable(text)
    natural = width(text, font, size)
    if natural <= room:
        return Fitted((text,), size)
    # Rounded down to a tenth of a point: sizes stay few, and the text stays inside.
    shrunk = math.floor(size * room / natural * 10) / 10
    if shrunk >= least:
        return Fitted((text,), shrunk)
    return Fitted(tuple(wrap(text, font, least, room, lines)), least)


def wrap(text: str, font: str, size: float, room: float, lines: int) -> list[str]:
    """Break a printable text into at most `lines` lines; what is left over ends as an ellipsis."""
    broken: list[str] = []
    rest = text
    while rest and len(broken) < lines - 1 and width(rest, font, size) > room:
        head, rest = _break(rest, font, size, room)
        broken.append(head)
    return [*broken, shorten(rest, font, size, room)] if rest or not broken else broken


def paragraph(text: str, font: str, size: float, room: float) -> list[str]:
    """Any text broken into as many lines as it needs."""
    return wrap(printable(text), font, size, room, len(text) + 1)


def enumeration(items: Iterable[str], font: str, size: float, room: float) -> list[str]:
    """Texts with commas between them, broken into lines between two of them where that is possible."""
    lines: list[str] = []
    texts = [printable(item) for item in items]
    for index, text in enumerate(texts):
        item = text + ("," if index + 1 < len(texts) else "")
        joined = f"{lines[-1]} {item}" if lines else item
        if lines and width(joined, font, size) <= room:
            lines[-1] = joined
        else:
            lines += wrap(item, font, size, room, len(item) + 1)
    return lines


def shorten(text: str, font: str, size: float, room: float) -> str:
    """The printable text, or as much of its beginning as fits with an ellipsis behind it."""
    if width(text, font, size) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        candidate = text[:end].rstrip(" ,;-–") + ELLIPSIS
        if width(candidate, font, size) <= room:
            return candidate
    return ELLIPSIS if width(ELLIPSIS, font, size) <= room else ""


def _break(text: str, font: str, size: float, room: float) -> tuple[str, str]:
    """The longest head that fits, cut at a space or after a hyphen if it can be; and the rest."""
    end = 1
    while end < len(text) and width(text[: end + 1], font, size) <= room:
        end += 1
    for cut in range(end, 0, -1):
        if text[cut : cut + 1] == " ":
            return text[:cut].rstrip(), text[cut:].lstrip()
        if cut < end + 1 and text[cut - 1] in "-–/" and cut > 1:
            return text[:cut], text[cut:]
    return text[:end], text[end:]
