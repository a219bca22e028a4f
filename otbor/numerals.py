"""Roman numerals."""

from __future__ import annotations

_UNITS = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")

ROMANS = tuple(tens + units for tens in ("", "X", "XX", "XXX") for units in _UNITS)[1:]
"""I to XXXIX, in order."""
