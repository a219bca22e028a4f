"""What is different between two standings, for the browser: who moves, those who cross the line first."""

from __future__ import annotations

from typing import Any

from reports.wording import places_text, points_text, status_text
from scoring.changes import Change, StandingsChanges
from scoring.model import StandingRow


def changes_json(changes: StandingsChanges) -> list[dict[str, Any]]:
    """One entry a player; `crosses` is `in`, `out` or null. Texts are in the current language."""
    crossing = {change.number for change in changes.crossing}
    ordered = sorted(
        changes.players, key=lambda change: (change.number not in crossing, change.number)
    )
    return [
        {
            "number": change.number,
            "name": row_of(change).player.name,
            "category": change.category or change.old_category,
            "points": signed(change.points),
            "score": points_text(row_of(change).score),
            "places": [places_text(row.places) if row else "" for row in _both(change)],
            "statuses": [status_text(row.status) if row else "" for row in _both(change)],
            "crosses": "in" if change.crosses_in else "out" if change.crosses_out else None,
        }
        for change in ordered
    ]


def _both(change: Change) -> tuple[StandingRow | None, StandingRow | None]:
    return change.before, change.after


def row_of(change: Change) -> StandingRow:
    """A player as the standings have them, or had them before."""
    row = change.after or change.before
    if row is None:
        raise ValueError("a change of nobody")
    return row


def signed(points: int) -> str:
    """Points that are won or lost, with their sign; empty for none."""
    text = points_text(points)
    return f"+{text}" if points > 0 else text if points else ""
