"""Finding a player in the roster while somebody types: by number, or by the beginnings of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from scoring.folding import collation_key, fold
from scoring.model import Player

_WORDS = re.compile(r"[^\W_]+")
_Indexed = tuple[Player, str, tuple[str, ...], tuple[str, ...]]


def search(players: Sequence[Player], typed: str, most: int = 20) -> list[Player]:
    """Players who fit what was typed, the likeliest first.

    Every word typed must begin the number or a word of the name, school, city or team; case, ё and kinds of
    hyphens do not count. «12» finds number 12 first, then 120 to 129, then «школа № 12».

    Args:
        players: The roster.
        typed: As typed.
        most: How many to return.

    Returns:
        Those whose number is meant first, then those whose name is, then by school; in each group by name.
    """
    words = _words(typed)
    if not words:
        return []
    found = []
    for player, number, name, other in _index(tuple(players)):
        ranks = [_rank(word, number, name, other) for word in words]
        if None not in ranks:
            ranked = (
                sorted(rank for rank in ranks if rank is not None),
                collation_key(player.name),
            )
            found.append((ranked, player.number, player))
    return [player for *_order, player in sorted(found, key=lambda entry: entry[:2])[:most]]


def _rank(word: str, number: str, name: tuple[str, ...], other: tuple[str, ...]) -> int | None:
    """How well a word fits a player: 0 best; None if it does not."""
    if word == number:
        return 0
    if word in name:
        return 1
    if any(part.startswith(word) for part in name):
        return 2
    if word.isdigit() and number.startswith(word):
        return 3
    return 4 if any(part.startswith(word) for part in other) else None


def _words(text: str) -> tuple[str, ...]:
    words = _WORDS.findall(fold(text))
    # A number as it is printed, with noughts before it.
    return tuple(word.lstrip("0") or "0" if word.isdigit() else word for word in words)


@lru_cache(maxsize=4)
def _index(players: tuple[Player, ...]) -> tuple[_Indexed, ...]:
    return tuple(
        (
            player,
            str(player.number),
            _words(player.name),
            tuple(
                word for text in (player.school, player.city, player.team) for word in _words(text)
            ),
        )
        for player in players
    )
