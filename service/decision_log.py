"""The decisions in the journal: which there are, which of them hold, and what they come to together.

What a decision may say is `scoring.decisions`'s. Each is one line of the journal; taking one back is another
line, so the standings of before come back exactly and nobody's decision is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from scoring.decisions import (
    Announced,
    Decisions,
    Lot,
    NewNominal,
    Points,
    ShootOut,
    TieChoice,
)
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
    LATE = "late"
    BRING = "bring"
    ANNOUNCE = "announce"
    TIE = "tie"
    SHOOT_OUT = "shoot_out"
    LOT = "lot"


# Of these the newest for the same thing counts; of the others all.
_NEWEST = {
    Decision.NOMINAL: ("theme", "nominal"),
    Decision.ANNOUNCE: ("group",),
    Decision.TIE: ("group",),
    Decision.LATE: ("number",),
    Decision.BRING: ("number",),
}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """When a decision was taken back, by whom and why."""

    at: float
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision: `id` names it, `back` is True once it has been taken back, as `taken_back` says."""

    id: int
    at: float
    who: str
    why: str
    kind: Decision
    data: dict[str, Any]
    back: bool = False
    taken_back: TakenBack | None = None


def entries(event: Event) -> list[Entry]:
    """All decisions ever made, oldest first."""
    with event.database.reading() as connection:
        return entries_in(connection)


def entries_in(connection: Connection) -> list[Entry]:
    """The same through a connection that is open."""
    lines = journal.entries(connection, Kind.DECISION, Kind.DECISION_BACK)
    back = {
        int(line.payload["id"]): TakenBack(line.at, line.who, line.why)
        for line in lines
        if line.kind is Kind.DECISION_BACK
    }
    return [
        Entry(
            line.id,
            line.at,
            line.who,
            line.why,
            Decision(line.payload["decision"]),
            line.payload["data"],
            line.id in back,
            back.get(line.id),
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
        missing=frozenset(
            (item["number"], theme)
            for item in data[Decision.LATE]
            for theme in range(1, item["themes"] + 1)
        ),
        brought=tuple(Points(item["number"], item["points"]) for item in data[Decision.BRING]),
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
