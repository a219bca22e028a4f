"""Differences of two standings, printed and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from otbor.i18n import gettext as _
from reports.wording import places_text, points_text, status_text
from scoring.changes import Change, StandingsChanges
from scoring.model import Player, StandingRow
from service.cli.speech import err, out, print_json
from service.decision_log import Entry
from service.decision_wording import sentence


def changes_data(changes: StandingsChanges | None) -> dict[str, Any] | None:
    """Differences for JSON; None before the first publication."""
    if changes is None:
        return None
    return {
        "players": [
            {
                "number": change.number,
                "points": change.points,
                "before": _row(change.before),
                "after": _row(change.after),
                "crosses": "in" if change.crosses_in else "out" if change.crosses_out else None,
            }
            for change in changes.players
        ],
        "removed": [list(box) for box in changes.removed],
        "returned": [list(box) for box in changes.returned],
        "new_nominals": [list(box) for box in changes.new_nominals],
    }


def _row(row: StandingRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "place": places_text(row.places) or None,
        "score": row.score,
        "status": row.status.value,
    }


def print_changes(changes: StandingsChanges) -> None:
    """Who moves, those who cross the line first."""
    if not changes:
        out.print(_("The standings stay as they are."))
        return
    for theme, nominal in changes.removed:
        out.print(_("Removed: theme {theme}, {nominal}.").format(theme=theme, nominal=nominal))
    for theme, nominal in changes.returned:
        out.print(_("Back again: theme {theme}, {nominal}.").format(theme=theme, nominal=nominal))
    table = Table(box=None, pad_edge=False)
    for heading, justify in (
        (_("No."), "right"),
        (_("Name"), "left"),
        (_("Points"), "right"),
        (_("Place"), "left"),
        (_("Status"), "left"),
    ):
        table.add_column(heading, justify="right" if justify == "right" else "left")
    crossing = {change.number for change in changes.crossing}
    for change in sorted(changes.players, key=lambda c: (c.number not in crossing, c.number)):
        table.add_row(*_cells(change), style="bold" if change.number in crossing else "")
    out.print(table)


def print_decided(
    changes: StandingsChanges, decided: dict[str, Any], dry_run: bool, as_json: bool
) -> None:
    """What a decision changes, or would change in a trial.

    Args:
        changes: In the standings.
        decided: What was decided, for JSON.
        dry_run: It was a trial.
        as_json: For programs.
    """
    if as_json:
        print_json({**decided, "dry_run": dry_run, "changes": changes_data(changes)})
        return
    print_changes(changes)
    out.print(
        _("Nothing was decided: this was a trial.") if dry_run else _("Decided."), markup=False
    )


def print_idle(idle: Sequence[Entry], players: Mapping[int, Player]) -> None:
    """Name the shoot-outs and lots that are passed over, on the error stream."""
    for entry in idle:
        err.print(
            _("Passed over, for it fits no tie: {id}. {decision}").format(
                id=entry.id, decision=sentence(entry, players)
            ),
            markup=False,
            soft_wrap=True,
        )


def _cells(change: Change) -> tuple[str, ...]:
    row = change.after or change.before
    assert row is not None
    points = points_text(change.points)
    return (
        str(change.number),
        row.player.name,
        f"+{points}" if change.points > 0 else points if change.points else "",
        _arrow(*(places_text(r.places) if r else "" for r in (change.before, change.after))),
        _arrow(*(status_text(r.status) if r else "" for r in (change.before, change.after))),
    )


def _arrow(before: str, after: str) -> str:
    return after if before == after else f"{before or '—'} → {after or '—'}"
