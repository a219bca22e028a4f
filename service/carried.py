"""What those who go on bring into the next stage: from the standings into the first lines of its table."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.carrying import carried_over
from scoring.model import Player, Standings
from scoring.rules import Stage


@dataclass(frozen=True, slots=True)
class Carried:
    """A player who goes on, and the points that the next stage begins with."""

    player: Player
    points: int


def carried(standings: Standings) -> tuple[Stage, list[Carried]]:
    """The next stage and all who play in it, most points first, then by number.

    Raises:
        ConflictError: The regulation ends with this round, or it is not known yet who goes on.
    """
    if not standings.regulation.stages:
        raise ConflictError(
            _("The regulation knows no stage after this round."),
            _("Describe it in a table [[stage]] of regulation.toml."),
        )
    if standings.unconfirmed:
        raise ConflictError(
            _("Answers are not confirmed yet."),
            _("Confirm them first: who goes on may still change."),
        )
    if any(part.cut.undecided for part in standings.categories):
        raise ConflictError(
            _("A tie across the line is undecided."),
            _("Decide it first: otbor decide tie EVENT."),
        )
    stage = standings.regulation.stages[0]
    players = {row.player.number: row.player for part in standings.categories for row in part.rows}
    found = [
        Carried(players[given.number], given.points)
        for given in carried_over(standings, stage.carry_over)
    ]
    return stage, sorted(found, key=lambda each: (-each.points, each.player.number))
