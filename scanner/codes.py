"""What stands in a blank's QR code: 15 characters that name one sheet of one event.

`OT1` + five characters for the event + the kind (`P`, `S`, `F`) + the number in four digits + two check
characters. The check is modulo 31·31 over all that changes, so a foreign code (a book's EAN, somebody's
URL) or a misread one is never taken for a sheet. All characters are in QR's alphanumeric mode: the code has
21 modules a side at error correction Q, which stands a quarter of it destroyed.
"""

from __future__ import annotations

from dataclasses import dataclass

from scanner.geometry import SheetKind

PREFIX = "OT1"
# Digits and letters without I, L, O, U, which look like others or make words, and without Z: 31 is prime, so
# the check finds every single wrong character and every swap of two.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[:31]
EVENT_LENGTH = 5
LARGEST_NUMBER = 9999


@dataclass(frozen=True, slots=True, order=True)
class SheetCode:
    """One sheet of one event."""

    event: str
    kind: SheetKind
    number: int

    def __post_init__(self) -> None:
        if len(self.event) != EVENT_LENGTH or any(char not in ALPHABET for char in self.event):
            raise ValueError(f"event code {self.event!r}")
        if not 0 < self.number <= LARGEST_NUMBER:
            raise ValueError(f"sheet number {self.number}")

    @property
    def sheet(self) -> str:
        """The sheet's name for people and tables: `12`, spare `S3`, final `F12`."""
        return sheet_name(self.kind, self.number)

    def encode(self) -> str:
        """The text of the QR code."""
        body = f"{PREFIX}{self.event}{self.kind.value}{self.number:04d}"
        return body + _check(body)


def sheet_name(kind: SheetKind, number: int) -> str:
    """`12` for a personal sheet, `S3` for a spare, `F12` for a final one."""
    return str(number) if kind is SheetKind.PERSONAL else f"{kind.value}{number}"


def parse_sheet_name(name: str) -> tuple[SheetKind, int]:
    """The opposite of `sheet_name`; Cyrillic letters and lower case are understood too.

    Raises:
        ValueError: The name is not one of a sheet.
    """
    text = name.strip().upper().lstrip("№#").strip()
    letters = {"S": SheetKind.SPARE, "С": SheetKind.SPARE, "З": SheetKind.SPARE}
    letters |= {"F": SheetKind.FINAL, "Ф": SheetKind.FINAL, "P": SheetKind.PERSONAL}
    kind = SheetKind.PERSONAL
    if text[:1] in letters:
        kind, text = letters[text[0]], text[1:]
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) <= LARGEST_NUMBER:
        raise ValueError(name)
    return kind, int(text)


def decode(text: str) -> SheetCode | None:
    """The sheet that a QR text names, or None if it is not one of ours or is damaged."""
    body, check = text[:-2], text[-2:]
    if len(text) != len(PREFIX) + EVENT_LENGTH + 1 + 4 + 2 or not body.startswith(PREFIX):
        return None
    if any(char not in ALPHABET for char in body[len(PREFIX) :]) or check != _check(body):
        return None
    event, kind, number = body[3:8], body[8], body[9:]
    if kind not in set(SheetKind) or not number.isdigit() or int(number) == 0:
        return None
    return SheetCode(event, SheetKind(kind), int(number))


def _check(body: str) -> str:
    """Two check characters: weighted sums modulo 31 with the weights i and i².

    A character's value is its place in ALPHABET, so that no two of them are alike modulo 31.
    """
    first = second = 0
    for index, char in enumerate(body[len(PREFIX) :], start=1):
        value = ALPHABET.index(char)
        first = (first + index * value) % 31
        second = (second + index * index * value) % 31
    return ALPHABET[first] + ALPHABET[second]
