"""Counting failed attempts, so that a PIN of six digits cannot be tried out."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable
from threading import Lock


class Attempts:
    """Refuses a key after `most` attempts within `seconds`. In memory: a restart forgets. Thread-safe.

    Args:
        most: How many attempts are let through.
        seconds: How long each of them counts.
        clock: Seconds that never go back; tests put their own here.
    """

    def __init__(
        self, most: int = 5, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[Hashable, deque[float]] = {}

    def begin(self, key: Hashable) -> int:
        """Count an attempt; returns 0, or how many whole seconds to wait if it is refused."""
        with self._lock:
            now = self._clock()
            self._drop_old(now)
            times = self._seen.setdefault(key, deque())
            if len(times) >= self._most:
                return max(1, math.ceil(times[0] + self._seconds - now))
            times.append(now)
            return 0

    def wait(self, key: Hashable) -> int:
        """How many whole seconds to wait, 0 if an attempt would be let through; counts nothing."""
        with self._lock:
            now = self._clock()
            self._drop_old(now)
            times = self._seen.get(key) or deque()
            if len(times) < self._most:
                return 0
            return max(1, math.ceil(times[0] + self._seconds - now))

    def forget(self, key: Hashable) -> None:
        """The attempt succeeded: start anew."""
        with self._lock:
            self._seen.pop(key, None)

    def _drop_old(self, now: float) -> None:
        """Forget what no longer counts, of every key: names that nobody has must not fill the memory."""
        for key, times in list(self._seen.items()):
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if not times:
                del self._seen[key]
