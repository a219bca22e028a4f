"""From one round into the next: what is carried over, and the next round's rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from scoring.decisions import Points
from scoring.model import Regulation, Standings, Status
from scoring.rules import CarryOver, Grouping, Stage


def carried_over(standings: Standings, rule: CarryOver) -> tuple[Points, ...]:
    """What everybody who goes on brings into the next round, by number.

    The difference is that to the last one in, the lowest score that got in by the line of its group.
    Exempt players bring nothing, having no score.

    Raises:
        ValueError: A tie across a line is still open, so that nobody knows who is the last one in.
    """
    if any(part.cut.undecided for part in standings.categories):
        raise ValueError("a tie across the line is still open")
    found: list[Points] = []
    for part in standings.categories:
        for row in part.rows:
            if row.status is not Status.IN:
                continue
            last = part.cut.last_score or 0
            points = {
                CarryOver.NONE: 0,
                CarryOver.OWN: row.score,
                CarryOver.DIFFERENCE: row.score - last,
            }[rule]
            found.append(Points(row.player.number, 0 if row.exempt else points))
    return tuple(sorted(found, key=lambda given: given.number))


def going_on(standings: Standings) -> tuple[int, ...]:
    """The numbers of all who go on, ascending."""
    rows = chain.from_iterable(part.rows for part in standings.categories)
    return tuple(sorted(row.player.number for row in rows if row.status is Status.IN))


def as_round(regulation: Regulation, stage: int) -> Regulation:
    """The rules of a later stage as those of a round that is scored box by box.

    Args:
        regulation: The whole regulation.
        stage: The index of the stage, from 0.

    Raises:
        ValueError: Its parts have different nominals, so that no single table of boxes fits.
    """
    played: Stage = regulation.stages[stage]
    nominals = {part.nominals for part in played.parts} or {regulation.nominals}
    if len(nominals) > 1:
        raise ValueError("parts of different nominals")
    rule = played.cut
    themes = sum(part.themes for part in played.parts) or regulation.themes
    by_category = rule is not None and rule.each is Grouping.CATEGORY
    base = Regulation(
        name=played.name,
        themes=themes,
        nominals=nominals.pop(),
        tie_policy=played.ties.steps[0],
        ties=played.ties,
        categories=regulation.categories if by_category else (),
        prices=regulation.prices,
        prizes=played.prizes,
        removal=regulation.removal,
        final=played.final,
        appeals=regulation.appeals,
        stages=regulation.stages[stage + 1 :],
    )
    if rule is None:
        return base
    return replace(base, cut=rule.places, cut_rule=rule)
