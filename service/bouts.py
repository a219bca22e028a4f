"""Those who go on, put into bouts of the next stage; the draw is recorded and its sheets are printed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from reports.bout_sheets import MOST_PLAYERS, bout_sheets_pdf
from reports.invitations_pdf import reserves
from scoring.model import Player, Regulation, Status
from scoring.rules import Grouping, Part
from scoring.seeding import Entrant, Method, Seeding, seed_bouts
from service import journal
from service.event import Event
from service.journal import Kind
from service.results import event_standings

USUAL_SIZE = 4
USUAL_THEMES = 4
"""Of a bout where the regulation does not say: as in the festival's."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The bouts of one category, as they are or were drawn.

    `branches` is into how many branches of the grid the bouts fall, in order; `apart` are players who were
    kept apart beside mates. `id` is the line of the journal, 0 if it is not recorded; `in_force` is False
    once a later draw of the same category has been recorded. The rest is `scoring.seeding.Seeding`'s.
    """

    category: str
    method: Method
    seed: str
    bouts: tuple[tuple[int, ...], ...]
    conflicts: tuple[tuple[int, int], ...]
    proven: bool
    branches: int = 1
    apart: tuple[int, ...] = ()
    id: int = 0
    at: float = 0.0
    who: str = ""
    why: str = ""
    in_force: bool = True

    @classmethod
    def of(
        cls, category: str, seeding: Seeding, *, branches: int = 1, apart: Sequence[int] = ()
    ) -> Draw:
        """A draw that has just been made."""
        return cls(
            category,
            seeding.method,
            seeding.seed,
            seeding.bouts,
            seeding.conflicts,
            seeding.proven,
            branches,
            tuple(apart),
        )


def seed_category(
    event: Event,
    category: str,
    size: int,
    method: Method,
    seed: str,
    *,
    branches: int = 1,
    apart: Collection[int] = (),
) -> tuple[str, Seeding, dict[int, Player]]:
    """Seed the players of one category who go on; of all sites together where the line is drawn by site.

    Args:
        event: Whose.
        category: Its name; may be empty if there is only one.
        size: Players in a bout; the last bouts may have one fewer.
        method: By the snake or drawn.
        seed: The recorded seed of a draw.
        branches: Into how many branches of the grid the bouts fall, in order.
        apart: Numbers of players who are spread like mates (last year's finalists).

    Returns:
        The category's name, the bouts, and the players by number.

    Raises:
        ConflictError: No or an unknown category is named, answers are unconfirmed, or a tie across the
            line is undecided; or the bouts do not fall into such branches.
        NotFoundError: One who is to be kept apart does not go on.
    """
    standings = event_standings(event)
    names = [part.category for part in standings.categories]
    if not category and len(names) == 1:
        category = names[0]
    together = _together(standings.regulation, category)
    if category not in names and not together:
        raise ConflictError(
            _("Say which category is to be seeded."),
            _("Choose one of: {names}.").format(names=", ".join(names)),
        )
    parts = [part for part in standings.categories if together or part.category == category]
    rows = [row for part in parts for row in part.rows]
    if any(row.unconfirmed for row in rows):
        raise ConflictError(
            _("Answers of this category are not confirmed yet."),
            _("Confirm them first: who goes on may still change."),
        )
    if any(part.cut.undecided for part in parts):
        raise ConflictError(
            _("A tie across the line of this category is undecided."),
            _("Decide it first: otbor decide tie EVENT."),
        )
    if together:
        # Several lists become one: best first again, the exempt above all as in each of them.
        rows.sort(key=lambda row: (not row.exempt, -row.score, row.player.number))
        category = together
    going = [row.player for row in rows if row.status is Status.IN]
    strangers = sorted(set(apart) - {player.number for player in going})
    if strangers:
        raise NotFoundError(
            _("To be kept apart, but not going on: {numbers}.").format(
                numbers=", ".join(map(str, strangers))
            ),
            _("Leave these numbers out of --apart."),
        )
    entrants = [
        Entrant(
            player.number,
            player.school,
            player.team,
            frozenset({"apart"} if player.number in apart else ()),
        )
        for player in going
    ]
    count = -(-len(entrants) // size)
    result = seed_bouts(entrants, count, method=method, seed=seed, branches=branches)
    return category, result, {player.number: player for player in going}


def _together(rules: Regulation, category: str) -> str:
    """What the players of all sites are called together, if they are to be seeded so; else empty."""
    if category or rules.cut_rule is None or rules.cut_rule.each is not Grouping.SITE:
        return ""
    return rules.stages[0].name if rules.stages and rules.stages[0].name else _("All sites")


def usual_size(rules: Regulation) -> int:
    """How many players meet in a bout of the next stage: as the regulation says, else four."""
    return (rules.stages[0].bout_size if rules.stages else 0) or USUAL_SIZE


def record(event: Event, draw: Draw, *, who: str, why: str = "") -> None:
    """Write a draw into the journal; an earlier one of the category stays there, no longer in force.

    Raises:
        ConflictError: The draw in force is the same already.
    """
    with event.database.writing() as connection:
        last = _recorded(connection, draw.category)[-1:]
        if last and _payload(last[0]) == _payload(draw):
            raise ConflictError(
                _("This draw is recorded already."),
                _("See it: otbor bouts EVENT --recorded."),
            )
        journal.append(connection, who, Kind.BOUTS, _payload(draw), why)


def recorded(event: Event, category: str = "") -> list[Draw]:
    """All draws ever recorded, oldest first; of one category if it is named."""
    with event.database.reading() as connection:
        return _recorded(connection, category)


def recorded_draw(event: Event, category: str = "") -> Draw:
    """The draw in force of a category; its name may be empty if only one has been drawn.

    Raises:
        NotFoundError: None is recorded.
        ConflictError: More than one category has been drawn, and none is named.
    """
    found = [draw for draw in recorded(event, category) if draw.in_force]
    if not found:
        raise NotFoundError(
            _("No draw is recorded."),
            _("Draw and record it: otbor bouts EVENT --record."),
        )
    if len(found) > 1:
        raise ConflictError(
            _("More than one category has been drawn."),
            _("Name one with --category: {names}.").format(
                names=", ".join(draw.category for draw in found)
            ),
        )
    return found[0]


def _recorded(connection: Connection, category: str) -> list[Draw]:
    lines = journal.entries(connection, Kind.BOUTS)
    newest = {line.payload["category"]: line.id for line in lines}
    return [
        Draw(
            line.payload["category"],
            Method(line.payload["method"]),
            line.payload["seed"],
            tuple(tuple(bout) for bout in line.payload["bouts"]),
            tuple((first, second) for first, second in line.payload["conflicts"]),
            line.payload["proven"],
            line.payload.get("branches", 1),
            tuple(line.payload.get("apart", ())),
            line.id,
            line.at,
            line.who,
            line.why,
            newest[line.payload["category"]] == line.id,
        )
        for line in lines
        if category in ("", line.payload["category"])
    ]


def _payload(draw: Draw) -> dict[str, Any]:
    return {
        "category": draw.category,
        "method": draw.method.value,
        "seed": draw.seed,
        "bouts": [list(bout) for bout in draw.bouts],
        "conflicts": [list(pair) for pair in draw.conflicts],
        "proven": draw.proven,
        # As in earlier versions where neither was asked for.
        **({"branches": draw.branches} if draw.branches > 1 else {}),
        **({"apart": list(draw.apart)} if draw.apart else {}),
    }


def sheets_pdf(event: Event, draw: Draw, *, language: str = "") -> bytes:
    """The draw and a sheet for the host of every bout; the same draw and standings, the same bytes.

    Args:
        event: Whose.
        draw: Made just now, or recorded.
        language: Of the printed words; the event's own if empty.

    Raises:
        ConflictError: A player of a recorded draw is in the roster no longer, or a bout is too large for
            a sheet.
    """
    if max((len(bout) for bout in draw.bouts), default=0) > MOST_PLAYERS:
        raise ConflictError(
            _("A bout sheet holds {count} players at most.").format(count=MOST_PLAYERS),
            _("Draw smaller bouts: --size 4."),
        )
    players = {player.number: player for player in event.players()}
    gone = sorted({number for bout in draw.bouts for number in bout} - set(players))
    if gone:
        raise ConflictError(
            _("Players of the draw are not in the roster: {numbers}.").format(
                numbers=", ".join(str(number) for number in gone)
            ),
            _("Draw again, or put them back into the roster."),
        )
    standings = event_standings(event)
    rows = [row for part in standings.categories for row in part.rows]
    rules = standings.regulation
    with speaking(language or event.info.language):
        return bout_sheets_pdf(
            standings.title,
            draw.category,
            draw.bouts,
            players,
            parts=bout_parts(rules),
            seed=draw.seed,
            method=draw.method,
            conflicts=draw.conflicts,
            proven=draw.proven,
            places={row.player.number: row.places for row in rows},
            stage=rules.stages[0].name if rules.stages else "",
            branches=draw.branches,
            apart=draw.apart,
            reserves=[
                row.player.number
                for part in standings.categories
                if part.category == draw.category
                for row in reserves(part)
            ],
        )


def bout_parts(rules: Regulation) -> tuple[Part, ...]:
    """What is played in a bout of the first stage after the written round."""
    if rules.stages and rules.stages[0].parts:
        return rules.stages[0].parts
    return (Part("", USUAL_THEMES, rules.nominals),)
