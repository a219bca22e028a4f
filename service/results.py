"""From rulings to standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import pandas as pd

from jury.boxes import BoxId, box_key
from scanner.codes import parse_sheet_name
from scoring.decisions import Decisions
from scoring.model import Player, Regulation, Standings, Verdict
from scoring.ranking import standings
from service import rulings, sheets
from service.decision_log import in_force
from service.event import Event

# Of 3,000 sheets reading the rulings costs more than ranking them does. They are only ever added to: what is
# kept here, with the number of the newest one, is brought up to date by those that are newer.
_kept: WeakKeyDictionary[Event, tuple[int, dict[BoxId, str]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the standings are made from but the decisions: read once, ranked as often as needed.

    `verdicts` has the columns that `scoring.totals.points` wants, a row a box that is ruled on.
    """

    title: str
    players: Sequence[Player]
    present: frozenset[int]
    verdicts: pd.DataFrame
    regulation: Regulation

    def standings(self, decisions: Decisions) -> Standings:
        """The standings as if these decisions were in force.

        Raises:
            ValueError: As `scoring.ranking.standings`.
            ConflictError: The same.
        """
        return standings(
            self.title, self.players, self.present, self.verdicts, self.regulation, decisions
        )


def inputs(event: Event, instead: Mapping[BoxId, Verdict] | None = None) -> Inputs:
    """What the standings are made from, as it is now: confirmed boxes count, all others are unconfirmed.

    A player is present if one of their answer sheets was scanned or ruled on.

    Args:
        event: Whose.
        instead: As if these verdicts had been given on their boxes; on all others those that were.
    """
    regulation = event.regulation()
    owner = {sheet: player for player, sheet in sheets.player_sheets(event).items()}
    ruled = _ruled(event)
    if instead:
        ruled = ruled | {place: verdict.value for place, verdict in instead.items()}
    questions = {
        box_key(theme, row): (theme, nominal)
        for theme in range(1, regulation.themes + 1)
        for row, nominal in enumerate(regulation.nominals, start=1)
    }
    rows = [
        (owner[sheet], *questions[box], verdict)
        for (sheet, box), verdict in ruled.items()
        if sheet in owner
    ]
    verdicts = pd.DataFrame(rows, columns=["player", "theme", "nominal", "verdict"])
    return Inputs(
        event.info.title, event.players(), frozenset(owner.values()), verdicts, regulation
    )


def _ruled(event: Event) -> dict[BoxId, str]:
    """The verdict of every box that has one, as its value. Others hold the same one: not to be changed."""
    newest, found = _kept.get(event, (0, {}))
    newer = rulings.since(event, newest)
    if not newer:
        return found
    found = dict(found)
    for number, sheet, box, verdict in newer:
        newest = number
        if verdict is None:
            found.pop((sheet, box), None)
        else:
            found[sheet, box] = verdict
    # A ruling that is not committed yet may be rolled back, and its number given to another one.
    if not event.database.in_change:
        _kept[event] = (newest, found)
    return found


def event_standings(
    event: Event,
    decisions: Decisions | None = None,
    instead: Mapping[BoxId, Verdict] | None = None,
) -> Standings:
    """The standings as they are now.

    Args:
        event: Whose.
        decisions: As if these were in force; those that are, if None.
        instead: See `inputs`.
    """
    return inputs(event, instead).standings(in_force(event) if decisions is None else decisions)


def problems(event: Event) -> list[str]:
    """Names of sheets that need a person before the standings can be final."""
    doubled = [name for names in sheets.two_sheets(event).values() for name in names]
    return sorted(set(sheets.orphans(event)) | set(doubled), key=lambda n: parse_sheet_name(n)[1])
