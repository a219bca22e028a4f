"""Texts that a spreadsheet must not take for a formula.

A name that begins with `=` runs as a formula when a CSV file is opened (OWASP, “CSV Injection”). The
remedy asked for there: an apostrophe before it, which the spreadsheet shows as text.
"""

from __future__ import annotations

APOSTROPHE = "'"

# The characters named by OWASP; the wide forms are taken for the narrow ones by some spreadsheets.
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet could take it for a formula.

    Leading spaces don't make it harmless: they are skipped by spreadsheets on import. Numbers are no
    texts and must not be passed through here, or −20 would stop being a number.
    """
    return APOSTROPHE + text if text.lstrip(" \u00a0").startswith(DANGEROUS) else text
