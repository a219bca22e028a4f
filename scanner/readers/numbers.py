"""Numbers out of digit cells: every way to read the box with its probability, less what cannot be.

A number stands in neighbouring cells, the others are empty; noughts may stand in front of it. What the caller
knows to be impossible (no such player, a stake above the sum) is left out, but a reading is `sure` only if
the likeliest number of all is among the possible ones: a clear «900» is never quietly read as another number.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from scanner.readers.digits import NOTHING, UNCLEAR, Floats

# So likely a number must be, among all that are possible, to be shown without a flag. Measured (model card):
# above this one number in some thousand is wrong.
SURE = 0.97
# And so likely before what is impossible was left out.
SURE_OF_ALL = 0.75
# What is no digit is as often as not one that was struck out: then its cell counts as empty.
STRUCK_OUT = 0.5
# Less likely digits of a cell, and numbers beyond so many, are not followed.
LEAST, WIDEST = 1e-5, 500
# Candidates given back.
MOST = 12


@dataclass(frozen=True, slots=True)
class NumberReading:
    """What a box of digit cells says.

    Args:
        text: Cell by cell the likeliest symbol: a digit, `_` for an empty cell, `?` for what is none;
            empty if nobody has read the box.
        candidates: Possible numbers with their probabilities, best first; these add up to at most 1.
        nothing: How likely it is that nothing is written in any cell.
        sure: False where a person should look twice.
    """

    text: str = ""
    candidates: tuple[tuple[int, float], ...] = ()
    nothing: float = 0.0
    sure: bool = False

    @property
    def read(self) -> bool:
        """False if no network has read the box."""
        return bool(self.text)

    @property
    def value(self) -> int | None:
        """The likeliest number; None if nothing is written, or nothing can be read."""
        if not self.candidates or self.nothing > self.candidates[0][1]:
            return None
        return self.candidates[0][0]


UNREAD = NumberReading()


def read_number(table: Floats | None, possible: Collection[int] | None = None) -> NumberReading:
    """Read a box.

    Args:
        table: Probabilities of every cell, shape (cells, CLASSES), as `digits.unpacked` gives them; None
            if the box was not read.
        possible: The numbers that can be; all if None.

    Returns:
        The reading; `UNREAD` for None.
    """
    if table is None or not len(table) or not np.isfinite(table).all():
        return UNREAD
    text = "".join("0123456789_?"[index] for index in table.argmax(axis=1))
    nothing = float(table[:, NOTHING].prod())
    every = _numbers(table)
    total = sum(every.values())
    allowed = every if possible is None else {v: p for v, p in every.items() if v in possible}
    inside = sum(allowed.values())
    # What is impossible leaves its share to the possible numbers; what is unclear does not.
    gain = total / inside if inside else 0.0
    ordered = sorted(allowed.items(), key=lambda item: (-item[1], item[0]))[:MOST]
    candidates = tuple((value, round(share * gain, 6)) for value, share in ordered)
    return NumberReading(
        text, candidates, round(nothing, 6), _sure(every, candidates, nothing, table)
    )


def _sure(
    every: dict[int, float],
    candidates: tuple[tuple[int, float], ...],
    nothing: float,
    table: Floats,
) -> bool:
    if nothing >= SURE:
        return True
    if not candidates or (table.argmax(axis=1) == UNCLEAR).any():
        return False
    best, share = candidates[0]
    likeliest = max(every.values())
    return bool(share >= SURE and every[best] == likeliest and likeliest >= SURE_OF_ALL)


def _numbers(table: Floats) -> dict[int, float]:
    """Every number that the cells may say, with its probability, over all ways to place it."""
    empty = (table[:, NOTHING] + STRUCK_OUT * table[:, UNCLEAR]).tolist()
    # Ways that have not begun, and those that are inside a number, by its value.
    before, inside, after = 1.0, dict[int, float](), dict[int, float]()
    for row, none in zip(table.tolist(), empty, strict=True):
        digits = [(digit, row[digit]) for digit in range(10) if row[digit] > LEAST]
        ended = {value: share * none for value, share in after.items()}
        for value, share in inside.items():
            ended[value] = ended.get(value, 0.0) + share * none
        grown = {digit: before * share for digit, share in digits}
        for value, share in inside.items():
            for digit, more in digits:
                longer = value * 10 + digit
                grown[longer] = grown.get(longer, 0.0) + share * more
        inside, after = _widest(grown), _widest(ended)
        before *= none
    found = dict(after)
    for value, share in inside.items():
        found[value] = found.get(value, 0.0) + share
    return found


def _widest(shares: dict[int, float]) -> dict[int, float]:
    """The likeliest ones; what cannot be at all is left out."""
    real = {value: share for value, share in shares.items() if share > 0}
    if len(real) <= WIDEST:
        return real
    return dict(sorted(real.items(), key=lambda item: (-item[1], item[0]))[:WIDEST])
