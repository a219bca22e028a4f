"""What people decided beside the verdicts: removals, disqualifications, ties. Explicit inputs, nothing else.

Undoing a decision is leaving it out: the standings of the remaining inputs are those from before, byte
for byte.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.rules import TieRule

Box = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NewNominal:
    """A question that is worth something else than printed; `nominal` is the printed one."""

    theme: int
    nominal: int
    worth: int


@dataclass(frozen=True, slots=True)
class Points:
    """Points of one player, `points` at least 0 for a penalty; what is brought in may be negative."""

    number: int
    points: int


@dataclass(frozen=True, slots=True)
class ShootOut:
    """One shoot-out: number and points of everybody who took part; None for one who did not come."""

    scores: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True, slots=True)
class Lot:
    """One lot, with the order that came out, best first.

    With a `seed` the order is that of `scoring.lots.draw_order` and is checked against it; without one the
    lot was drawn by hand.
    """

    order: tuple[int, ...]
    seed: str = ""


@dataclass(frozen=True, slots=True)
class TieChoice:
    """How the organizer decides ties of a group where the regulation leaves it to them.

    `group` is a category or site; empty for all.
    """

    rule: TieRule
    group: str = ""


@dataclass(frozen=True, slots=True)
class Announced:
    """The number of places announced before the start; `by_chief`: the chief judge allowed another number."""

    places: int
    group: str = ""
    by_chief: bool = False


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions in force.

    Nothing depends on the order of their parts, but for shoot-outs and lots: these stand in the order in
    which they were played and drawn.

    `removed` are questions as (theme, printed nominal). `missing` are themes that a player had no chance to
    answer, as (number, theme). `called` are players whom the host gave the place of one who declined.
    """

    removed: frozenset[Box] = frozenset()
    nominals: tuple[NewNominal, ...] = ()
    missing: frozenset[tuple[int, int]] = frozenset()
    brought: tuple[Points, ...] = ()
    penalties: tuple[Points, ...] = ()
    disqualified: frozenset[int] = frozenset()
    out_of_competition: frozenset[int] = frozenset()
    exempt: frozenset[int] = frozenset()
    declined: frozenset[int] = frozenset()
    called: frozenset[int] = frozenset()
    announced: tuple[Announced, ...] = ()
    choices: tuple[TieChoice, ...] = ()
    shoot_outs: tuple[ShootOut, ...] = ()
    lots: tuple[Lot, ...] = ()


NO_DECISIONS = Decisions()
