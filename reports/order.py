"""The order of the printed lines, whatever the order in which they come."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoring.model import Regulation, StandingRow

_NUMBER = re.compile(r"[0-9]+")


def ordered(rows: Iterable[StandingRow]) -> list[StandingRow]:
    """Best first; inside a shared place by name, ё with е, then by number; absent players last.

    Numbers in names count as numbers: where players are called «№ 5» and «№ 12», 5 comes first.
    """

    def key(row: StandingRow) -> tuple[bool, int, str, int]:
        name = _NUMBER.sub(_padded, row.player.name.casefold().replace("ё", "е"))
        return row.places is None, row.places[0] if row.places else 0, name, row.player.number

    return sorted(rows, key=key)


def _padded(number: re.Match[str]) -> str:
    return number[0].zfill(9)


def theme_sums(row: StandingRow, regulation: Regulation) -> list[int]:
    """The confirmed points of each theme, in the order of the themes; they add up to the score."""
    step = len(regulation.nominals)
    return [
        sum(points or 0 for points in row.cells[theme * step : (theme + 1) * step])
        for theme in range(regulation.themes)
    ]


def rights_by_nominal(row: StandingRow, regulation: Regulation) -> list[int]:
    """How many right answers the player gave at each nominal, in the order of the regulation."""
    step = len(regulation.nominals)
    return [sum((points or 0) > 0 for points in row.cells[at::step]) for at in range(step)]
