"""Those who go on, put into bouts of the next stage."""

from __future__ import annotations

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.model import Player, Status
from scoring.seeding import Entrant, Method, Seeding, seed_bouts
from service.event import Event
from service.results import event_standings


def seed_category(
    event: Event, category: str, size: int, method: Method, seed: str
) -> tuple[str, Seeding, dict[int, Player]]:
    """Seed the players of one category who go on.

    Args:
        event: Whose.
        category: Its name; may be empty if there is only one.
        size: Players in a bout; the last bouts may have one fewer.
        method: By the snake or drawn.
        seed: The recorded seed of a draw.

    Returns:
        The category's name, the bouts, and the players by number.

    Raises:
        ConflictError: No or an unknown category is named, answers are unconfirmed, or a tie across the
            line is undecided.
    """
    standings = event_standings(event)
    names = [part.category for part in standings.categories]
    if not category and len(names) == 1:
        category = names[0]
    if category not in names:
        raise ConflictError(
            _("Say which category is to be seeded."),
            _("Choose one of: {names}.").format(names=", ".join(names)),
        )
    part = standings.categories[names.index(category)]
    if any(row.unconfirmed for row in part.rows):
        raise ConflictError(
            _("Answers of this category are not confirmed yet."),
            _("Confirm them first: who goes on may still change."),
        )
    if part.cut.undecided:
        raise ConflictError(
            _("A tie across the line of this category is undecided."),
            _("Decide it first: otbor decide tie EVENT."),
        )
    going = [row.player for row in part.rows if row.status is Status.IN]
    entrants = [Entrant(player.number, player.school, player.team) for player in going]
    count = -(-len(entrants) // size)
    result = seed_bouts(entrants, count, method=method, seed=seed)
    return category, result, {player.number: player for player in going}
