"""From rulings to standings."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from jury.boxes import BoxId
from scanner.codes import parse_sheet_name
from scoring.decisions import Decisions
from scoring.model import Standings, Verdict
from scoring.ranking import standings
from service import rulings, sheets
from service.decisions import in_force
from service.event import Event


def event_standings(
    event: Event,
    decisions: Decisions | None = None,
    instead: Mapping[BoxId, Verdict] | None = None,
) -> Standings:
    """The standings as they are now: confirmed boxes count, all others are unconfirmed.

    A player is present if one of their answer sheets was scanned or ruled on.

    Args:
        event: Whose.
        decisions: As if these were in force; those that are, if None.
        instead: As if these verdicts had been given on their boxes; on all others those that were.
    """
    if decisions is None:
        decisions = in_force(event)
    regulation = event.regulation()
    owner = {sheet: player for player, sheet in sheets.player_sheets(event).items()}
    rows = [
        (owner[sheet], int(theme), regulation.nominals[int(row) - 1], verdict.value)
        for (sheet, box), verdict in {**rulings.current(event), **(instead or {})}.items()
        if sheet in owner
        for theme, row in [box.removeprefix("t").split("r")]
    ]
    verdicts = pd.DataFrame(rows, columns=["player", "theme", "nominal", "verdict"])
    return standings(
        event.info.title, event.players(), set(owner.values()), verdicts, regulation, decisions
    )


def problems(event: Event) -> list[str]:
    """Names of sheets that need a person before the standings can be final."""
    doubled = [name for names in sheets.two_sheets(event).values() for name in names]
    return sorted(set(sheets.orphans(event)) | set(doubled), key=lambda n: parse_sheet_name(n)[1])
