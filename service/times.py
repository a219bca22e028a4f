"""Moments, which we keep as UTC seconds, as people and as programs read them."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from babel.dates import format_datetime

from otbor import i18n


def now() -> datetime:
    """This moment, in UTC, by the clock that the journal goes by."""
    return datetime.fromtimestamp(time.time(), UTC)


def moment(at: float, now: float | None = None) -> str:
    """`14:05` for today, `1 декабря, 14:05` for another day, in the current language and own time zone.

    Args:
        at: UTC seconds.
        now: The moment of reading, UTC seconds; None for always naming the day.
    """
    local = datetime.fromtimestamp(at)
    short = now is not None and datetime.fromtimestamp(now).date() == local.date()
    pattern = "HH:mm" if short else "d MMMM, HH:mm"
    return str(format_datetime(local, pattern, locale=i18n.language()))


def iso(at: float) -> str:
    """A moment, UTC seconds, for programs: ISO 8601 to the second, in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
