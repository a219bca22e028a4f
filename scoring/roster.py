"""The roster: who plays, under which number, in which category."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from otbor.i18n import gettext as _
from scoring.folding import fold
from scoring.model import Player
from scoring.table import Line, read_table, refused

# The code on a blank has four digits for the number.
LARGEST_NUMBER = 9999

COLUMNS = {
    "number": ("number", "номер", "№", "no", "n", "№ п/п", "номер бланка", "номер участника"),
    "surname": ("surname", "фамилия", "last name", "family name"),
    "name": ("name", "имя", "фио", "ф.и.о", "игрок", "участник", "player", "фамилия имя"),
    "category": ("category", "категория", "возраст", "возрастная категория", "age category"),
    "school": ("school", "школа"),
    "city": ("city", "город", "населённый пункт"),
    "site": ("site", "площадка", "место отбора"),
    "team": ("team", "команда"),
}
_NUMBER = re.compile(r"[№#]?\s*([0-9]{1,6})")


def parse_roster(data: bytes, *, source: str) -> list[Player]:
    """Read a roster from CSV.

    A surname in a column of its own is put before the name. Categories that differ in case, ё or the
    kind of hyphen alone are one category, spelled as where it first stands. Without a column of numbers
    the players are numbered in the order of the file.

    Args:
        data: The file's bytes, in any encoding that `scoring.table.decode` knows.
        source: The file's name, for messages.

    Returns:
        The players in the order of the file; numbers are unique, names need not be.

    Raises:
        TableError: The file is no such table, or a line has no name, no category, or a number that is
            bad or taken; the message names the line.
    """
    lines = read_table(data, source=source, columns=COLUMNS, required=("name", "category"))
    players: list[Player] = []
    line_of: dict[int, int] = {}
    spelling: dict[str, str] = {}
    for order, line in enumerate(lines, start=1):
        name = f"{line.cells.get('surname', '')} {line.cells['name']}".strip()
        if not name:
            raise refused(
                source, line.number, _("the name is missing"), _("Enter it or remove the line.")
            )
        category = line.cells["category"]
        if not category:
            raise refused(
                source,
                line.number,
                _("{name} has no category").format(name=name),
                _("Every player is ranked in a category: enter it."),
            )
        number = _number(line, source) if "number" in line.cells else order
        if number in line_of:
            raise refused(
                source,
                line.number,
                _("the number {number} is already taken on line {line}").format(
                    number=number, line=line_of[number]
                ),
                _("Give every player a number of their own."),
            )
        line_of[number] = line.number
        players.append(
            Player(
                number=number,
                name=name,
                category=spelling.setdefault(fold(category), category),
                school=line.cells.get("school", ""),
                city=line.cells.get("city", ""),
                site=line.cells.get("site", ""),
                team=line.cells.get("team", ""),
            )
        )
    return players


def _number(line: Line, source: str) -> int:
    cell = line.cells["number"]
    match = _NUMBER.fullmatch(cell)
    number = int(match[1]) if match else 0
    if 0 < number <= LARGEST_NUMBER:
        return number
    hint = _(
        "Numbers are whole, from 1 to {largest}; without such a column all are numbered in order."
    )
    reason = (
        _("“{cell}” is no number of a player").format(cell=cell)
        if cell
        else _("the number is missing")
    )
    raise refused(source, line.number, reason, hint.format(largest=LARGEST_NUMBER))


def possible_doubles(players: Iterable[Player]) -> list[tuple[Player, Player]]:
    """Pairs that may be one person registered twice: the same name in the same category.

    Case, ё and the kind of hyphen make no difference. Namesakes are allowed: this asks, it never merges.

    Returns:
        Every such pair, the smaller number first, in the order of the numbers.
    """
    same: defaultdict[tuple[str, str], list[Player]] = defaultdict(list)
    for player in sorted(players, key=lambda player: player.number):
        same[fold(player.name), fold(player.category)].append(player)
    pairs = [pair for group in same.values() for pair in combinations(group, 2)]
    return sorted(pairs, key=lambda pair: (pair[0].number, pair[1].number))
