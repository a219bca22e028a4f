"""How players are called in public: they are children, and the organizer decides."""

from __future__ import annotations

from enum import StrEnum

from scoring.model import Player


class Names(StrEnum):
    """What is shown of a player's name."""

    FULL = "full"
    INITIALS = "initials"
    """The surname with initials: «Петров-Водкин К.»."""
    NUMBER = "number"
    """The number alone; school and town are left out too, for they would tell."""


def shown_name(player: Player, names: Names) -> str:
    """The name to show; the surname is the first word, as rosters have it."""
    if names is Names.NUMBER:
        return f"№ {player.number}"
    if names is Names.FULL:
        return player.name
    surname, *others = player.name.split() or [f"№ {player.number}"]
    initials = [f"{word[0].upper()}." for word in others if word[0].isalpha()]
    return "\u00a0".join([surname, *initials])


def shown_about(player: Player, names: Names) -> str:
    """School and town, unless they would tell who it is."""
    if names is Names.NUMBER:
        return ""
    return ", ".join(part for part in (player.school, player.city) if part)
