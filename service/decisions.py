"""Decisions in the journal: removals, disqualifications, ties, and taking each of them back.

What a decision may say is `scoring.decisions`'s. Here each is one line of the journal; taking one back is
another line, so the standings of before come back exactly and nobody's decision is ever lost.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scoring.changes import StandingsChanges, compare
from scoring.decisions import (
    Announced,
    Decisions,
    Lot,
    NewNominal,
    Points,
    ShootOut,
    TieChoice,
)
from scoring.lots import draw_order
from scoring.model import Standings
from scoring.rules import CountBack, TiePolicy, TieRule
from service import journal
from service.event import Event
from service.journal import Kind


class Decision(StrEnum):
    """What a decision is about."""

    REMOVE = "remove"
    NOMINAL = "nominal"
    DISQUALIFY = "disqualify"
    OUT_OF_COMPETITION = "out_of_competition"
    EXEMPT = "exempt"
    DECLINE = "decline"
    CALL = "call"
    PENALTY = "penalty"
    ANNOUNCE = "announce"
    TIE = "tie"
    SHOOT_OUT = "shoot_out"
    LOT = "lot"


# Of these the newest for the same thing counts; of the others all.
_NEWEST = {
    Decision.NOMINAL: ("theme", "nominal"),
    Decision.ANNOUNCE: ("group",),
    Decision.TIE: ("group",),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision: `id` names it, `back` is True once it has been taken back."""

    id: int
    at: float
    who: str
    why: str
    kind: Decision
    data: dict[str, Any]
    back: bool = False


def entries(event: Event) -> list[Entry]:
    """All decisions ever made, oldest first."""
    with event.database.reading() as connection:
        return _entries(connection)


def _entries(connection: Connection) -> list[Entry]:
    lines = journal.entries(connection, Kind.DECISION, Kind.DECISION_BACK)
    back = {int(line.payload["id"]) for line in lines if line.kind is Kind.DECISION_BACK}
    return [
        Entry(
            line.id,
            line.at,
            line.who,
            line.why,
            Decision(line.payload["decision"]),
            line.payload["data"],
            line.id in back,
        )
        for line in lines
        if line.kind is Kind.DECISION
    ]


def in_force(event: Event) -> Decisions:
    """All decisions that hold now."""
    return fold(entry for entry in entries(event) if not entry.back)


def fold(standing: Iterable[Entry]) -> Decisions:
    """Decisions out of entries that stand, oldest first."""
    data: dict[Decision, list[dict[str, Any]]] = {kind: [] for kind in Decision}
    for entry in standing:
        fields = _NEWEST.get(entry.kind)
        if fields is not None:
            same = [entry.data[name] for name in fields]
            data[entry.kind] = [
                old for old in data[entry.kind] if [old[name] for name in fields] != same
            ]
        data[entry.kind].append(entry.data)
    penalties: dict[int, int] = {}
    for item in data[Decision.PENALTY]:
        penalties[item["number"]] = penalties.get(item["number"], 0) + item["points"]

    def numbers(kind: Decision) -> frozenset[int]:
        return frozenset(item["number"] for item in data[kind])

    return Decisions(
        removed=frozenset((item["theme"], item["nominal"]) for item in data[Decision.REMOVE]),
        nominals=tuple(
            NewNominal(item["theme"], item["nominal"], item["worth"])
            for item in data[Decision.NOMINAL]
        ),
        penalties=tuple(Points(number, points) for number, points in sorted(penalties.items())),
        disqualified=numbers(Decision.DISQUALIFY),
        out_of_competition=numbers(Decision.OUT_OF_COMPETITION),
        exempt=numbers(Decision.EXEMPT),
        declined=numbers(Decision.DECLINE),
        called=numbers(Decision.CALL),
        announced=tuple(
            Announced(item["places"], item["group"], item["by_chief"])
            for item in data[Decision.ANNOUNCE]
        ),
        choices=tuple(
            TieChoice(
                TieRule(
                    tuple(TiePolicy(step) for step in item["steps"]),
                    item["themes"],
                    tuple(CountBack(key) for key in item["keys"]),
                ),
                item["group"],
            )
            for item in data[Decision.TIE]
        ),
        shoot_outs=tuple(
            ShootOut(tuple((number, points) for number, points in item["scores"]))
            for item in data[Decision.SHOOT_OUT]
        ),
        lots=tuple(Lot(tuple(item["order"]), item["seed"]) for item in data[Decision.LOT]),
    )


def decide(
    event: Event,
    kind: Decision,
    data: dict[str, Any],
    *,
    who: str,
    why: str = "",
    dry_run: bool = False,
) -> StandingsChanges:
    """Make a decision; returns what it changes in the standings.

    Args:
        event: Where.
        kind: What about.
        data: Its fields, as `fold` reads them.
        who: Who decided.
        why: The reason.
        dry_run: Only say what would change.

    Raises:
        NotFoundError: It names a player or question that does not exist.
        ConflictError: The regulation does not allow it, or it holds already.
    """
    with event.database.writing() as connection:
        standing = [entry for entry in _entries(connection) if not entry.back]
        if any(entry.kind is kind and entry.data == data for entry in standing) and kind not in (
            Decision.PENALTY,
            Decision.SHOOT_OUT,
        ):
            raise ConflictError(
                _("This has been decided already."),
                _("See the decisions: otbor decide list EVENT."),
            )
        new = Entry(0, 0.0, who, why, kind, data)
        changes = _changes(event, standing, [*standing, new])
        if kind is Decision.LOT and not changes:
            raise ConflictError(
                _("A lot decides nothing here: ties are not decided by lot."),
                _("First choose it: otbor decide tie EVENT lot."),
            )
        if not dry_run:
            payload = {"decision": kind.value, "data": data}
            journal.append(connection, who, Kind.DECISION, payload, why)
    return changes


def take_back(
    event: Event, entry_id: int, *, who: str, why: str = "", dry_run: bool = False
) -> StandingsChanges:
    """Take a decision back; the standings are those without it, byte for byte.

    Raises:
        NotFoundError: There is no such decision, or it has been taken back already.
    """
    with event.database.writing() as connection:
        standing = [entry for entry in _entries(connection) if not entry.back]
        if all(entry.id != entry_id for entry in standing):
            raise NotFoundError(
                _("There is no decision {id} in force.").format(id=entry_id),
                _("See the decisions: otbor decide list EVENT."),
            )
        rest = [entry for entry in standing if entry.id != entry_id]
        changes = _changes(event, standing, rest)
        if not dry_run:
            journal.append(connection, who, Kind.DECISION_BACK, {"id": entry_id}, why)
    return changes


def _changes(event: Event, before: list[Entry], after: list[Entry]) -> StandingsChanges:
    from service.results import event_standings

    try:
        return compare(
            event_standings(event, fold(before)),
            event_standings(event, fold(after)),
        )
    except ValueError as error:
        raise NotFoundError(
            _("The decision names something that does not exist: {error}.").format(error=error),
            _("Check the numbers of the player and of the question."),
        ) from error


def lot_for(standings: Standings, group: str, seed: str = "") -> dict[str, Any]:
    """Draw lots among those who are tied across the line of a group.

    Args:
        standings: As they are now.
        group: The category (or site); may be empty if only one group is tied.
        seed: The recorded seed; drawn if empty.

    Raises:
        ConflictError: Nobody is tied there, or more than one group is and none is named.
    """
    tied = {part.category: part.cut.tied for part in standings.categories if part.cut.tied}
    if group:
        tied = {name: numbers for name, numbers in tied.items() if name == group}
    if len(tied) != 1:
        raise ConflictError(
            _("There is no tie across the line to draw lots for.")
            if not tied
            else _("More than one category has a tie across the line."),
            _("See “otbor standings”, and name the category with --category."),
        )
    [numbers] = tied.values()
    seed = seed or secrets.token_hex(8)
    return {"order": list(draw_order(numbers, seed)), "seed": seed}
