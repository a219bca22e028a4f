"""Lots that anybody can draw again: the order follows from the seed and the numbers alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def draw_order(numbers: Iterable[int], seed: str) -> tuple[int, ...]:
    """The numbers in the order of a lot.

    Ordered by the SHA-256 of «seed:number», so that the result needs no random generator, is the same on
    every machine, and can be checked with any tool. The order of the numbers given does not matter, and a
    number more or less leaves the others in their order.

    Args:
        numbers: Players' numbers, each once.
        seed: The recorded seed: what was thrown or announced, as text.
    """
    return tuple(sorted(set(numbers), key=lambda number: (_ticket(number, seed), number)))


def _ticket(number: int, seed: str) -> bytes:
    return hashlib.sha256(f"{seed}:{number}".encode()).digest()
