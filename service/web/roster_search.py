"""Finding players of the roster by number, name or school, as people type it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.folding import fold
from scoring.model import Player

MOST = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What fits: players, the schools whose name fits, and whether there are more players than shown."""

    players: tuple[Player, ...] = ()
    schools: tuple[str, ...] = ()
    more: bool = False


def search(players: Sequence[Player], text: str, most: int = MOST) -> Found:
    """Players whose number is `text`, or who have every word of it in name, school or team."""
    words = fold(text).split()
    if not words:
        return Found()

    def fits(parts: Iterable[str]) -> bool:
        where = fold(" ".join(parts))
        return all(word in where for word in words)

    exact = [player for player in players if fold(text) == str(player.number)]
    named = [
        player
        for player in players
        if player not in exact and fits((player.name, player.school, player.team, player.city))
    ]
    schools = sorted(
        {player.school for player in players if player.school and fits((player.school,))}
    )
    found = [*exact, *named]
    return Found(tuple(found[:most]), tuple(schools[:most]), len(found) > most)
