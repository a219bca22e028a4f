"""A clock that a test moves."""

from __future__ import annotations


class Clock:
    """Gives the same moment, UTC seconds, until the test sets another one."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def wait(self, minutes: float) -> None:
        """Let time pass."""
        self.now += 60.0 * minutes
