"""Names of categories as names of worksheets, which Excel is strict about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from otbor.i18n import pgettext

LONGEST = 31


def sheet_names(categories: Iterable[str]) -> list[str]:
    r"""A worksheet name per category, in the same order.

    Excel refuses more than 31 characters, any of `[]:*?/\`, an apostrophe at either end, an empty name,
    «History», and two names that differ in case alone.
    """
    names: list[str] = []
    taken = {"history"}
    for category in categories:
        clean = re.sub(r"[\[\]:*?/\\\x00-\x1f]", " ", category)
        base = " ".join(clean.split())[:LONGEST].strip(" '")
        base = base or pgettext("spreadsheet", "Category")
        name, count = base, 1
        while name.casefold() in taken:
            count += 1
            suffix = f" ({count})"
            name = base[: LONGEST - len(suffix)].rstrip(" '") + suffix
        taken.add(name.casefold())
        names.append(name)
    return names
