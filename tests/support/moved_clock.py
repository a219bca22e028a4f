"""A clock that a test moves."""

from __future__ import annotations


class Clock:
    """Gives the same moment until the test sets another one."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now
