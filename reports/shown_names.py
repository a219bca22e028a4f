"""How players are called in public: they are children, and the organizer decides."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from otbor.i18n import gettext as _
from scoring.changes import Change, StandingsChanges
from scoring.model import Player, StandingRow, Standings


class Names(StrEnum):
    """What is shown of a player's name."""

    FULL = "full"
    INITIALS = "initials"
    """The surname with initials: «Петров-Водкин К.»."""
    NUMBER = "number"
    """The number alone; school and town are left out too, for they would tell."""


def not_for_posting() -> str:
    """What stands at the foot of papers with full names, whatever is posted of the event."""
    return _("For the organizers, not for posting")


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


def shown_player(player: Player, names: Names) -> Player:
    """The player as everybody may read it."""
    if names is Names.FULL:
        return player
    shown = replace(player, name=shown_name(player, names))
    return replace(shown, school="", city="", team="") if names is Names.NUMBER else shown


def shown_standings(standings: Standings, names: Names) -> Standings:
    """The standings with the players called so; their fingerprint is that of the true ones."""
    if names is Names.FULL:
        return standings
    return replace(
        standings,
        categories=tuple(
            replace(part, rows=tuple(_shown_row(row, names) for row in part.rows))
            for part in standings.categories
        ),
    )


def shown_changes(changes: StandingsChanges, names: Names) -> StandingsChanges:
    """The same for differences of standings."""
    if names is Names.FULL:
        return changes

    def shown(change: Change) -> Change:
        before, after = (
            _shown_row(row, names) if row is not None else None
            for row in (change.before, change.after)
        )
        return replace(change, before=before, after=after)

    return replace(changes, players=tuple(shown(change) for change in changes.players))


def _shown_row(row: StandingRow, names: Names) -> StandingRow:
    return replace(row, player=shown_player(row.player, names))
