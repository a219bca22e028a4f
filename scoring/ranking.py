"""Places and standings. The order of rows, in the roster or in the verdicts, never matters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from scoring.cells import Cells, cells_of
from scoring.cut import draw_line
from scoring.decisions import NO_DECISIONS, Decisions
from scoring.folding import collation_key
from scoring.grouping import group_members, line_rules
from scoring.model import CategoryStandings, Player, Regulation, StandingRow, Standings, Status
from scoring.permissions import check_calls, check_decisions
from scoring.rules import CountBack
from scoring.ties import Evidence, unused
from scoring.totals import BLANK, MISSING, OPEN, RIGHT, WRONG

# On the page: exempt players above, then the ranking, then those without a place.
_WITHOUT_PLACE = (Status.OUT_OF_COMPETITION, Status.DISQUALIFIED, Status.ABSENT)


def shared_places(scores: ArrayLike) -> NDArray[np.int64]:
    """The range of places that each score takes: equal scores share one range, and only they.

    Args:
        scores: Shape (n,), in any order.

    Returns:
        Shape (n, 2): the first and last place, both from 1. The first is one more than the number of
        better scores, the last the number of scores that are no worse.
    """
    score = np.asarray(scores)
    ascending = np.sort(score)
    first = len(score) - np.searchsorted(ascending, score, side="right") + 1
    last = len(score) - np.searchsorted(ascending, score, side="left")
    return np.stack([first, last], axis=1)


def standings(
    title: str,
    players: Sequence[Player],
    present: Collection[int],
    verdicts: pd.DataFrame,
    regulation: Regulation,
    decisions: Decisions = NO_DECISIONS,
) -> Standings:
    """Rank every category (or site, or all together, as the regulation says) and draw its line.

    Best first; within a score by name, then by number. Exempt players come before all, players without a
    place after all: out of competition, disqualified, absent. Groups without players are left out.

    Args:
        title: What stands above the standings.
        players: The roster, in any order.
        present: Numbers of the players whose sheet is there. All boxes of these count: one without a
            verdict is not confirmed. Verdicts on other players do not count.
        verdicts: As for `scoring.totals.points`.
        regulation: Themes, nominals, prices, the cut, ties, and the order of the categories.
        decisions: Removed questions, disqualifications, shoot-outs and all else that people decided.

    Raises:
        ValueError: Two players have one number, a number or box is named that does not exist, or
            `points` refuses the verdicts.
        ConflictError: The regulation does not allow one of the decisions, or misses one.
    """
    roster = sorted(players, key=lambda player: player.number)
    numbers = [player.number for player in roster]
    if len(set(numbers)) != len(numbers):
        raise ValueError("two players have one number")
    attending = set(present)
    if not attending <= set(numbers):
        raise ValueError(f"not on the roster: {sorted(attending - set(numbers))}")
    check_decisions(decisions, regulation, set(numbers))
    here = [player for player in roster if player.number in attending]
    cells = cells_of(here, verdicts, regulation, decisions)
    rows = _rows_of_present(here, cells, decisions)
    rows += [
        _absent(player, regulation, decisions)
        for player in roster
        if player.number not in attending
    ]
    order = {player.number: index for index, player in enumerate(here)}

    def measures(number: int, key: CountBack) -> tuple[int, ...]:
        return cells.measure(order[number], key)

    found, pools = [], []
    for name, group in _grouped(roster, rows, regulation):
        # Each group has its own pool: a shoot-out or lot for all serves every group once.
        pool = Evidence(measures, list(decisions.shoot_outs), list(decisions.lots))
        found.append(_category(name, group, regulation, decisions, pool))
        pools.append(pool)
    parts = tuple(found)
    check_calls(decisions, parts)
    return Standings(
        title=title,
        regulation=regulation,
        categories=parts,
        removed=tuple(sorted(decisions.removed)),
        changed=tuple(sorted((new.theme, new.nominal, new.worth) for new in decisions.nominals)),
        idle_shoot_outs=unused(decisions.shoot_outs, [pool.shoot_outs for pool in pools]),
        idle_lots=unused(decisions.lots, [pool.lots for pool in pools]),
    )


def _grouped(
    roster: Sequence[Player], rows: Sequence[StandingRow], regulation: Regulation
) -> list[tuple[str, list[StandingRow]]]:
    """The rows by group."""
    by_number = {row.player.number: row for row in rows}
    return [
        (name, [by_number[player.number] for player in group])
        for name, group in group_members(roster, regulation)
    ]


def _rows_of_present(
    players: Sequence[Player], cells: Cells, decisions: Decisions
) -> list[StandingRow]:
    """A row for each of the players, without place; those without a place have their status."""
    values = cells.points.astype(object)
    values[cells.kinds == OPEN] = None
    brought = {given.number: given.points for given in decisions.brought}
    penalties = _sums(decisions)
    columns = zip(
        players,
        cells.points.sum(axis=1).tolist(),
        cells.counts(RIGHT).tolist(),
        cells.counts(WRONG).tolist(),
        (cells.counts(BLANK) + cells.counts(MISSING)).tolist(),
        cells.counts(OPEN).tolist(),
        values.tolist(),
        strict=True,
    )
    return [
        StandingRow(
            player=player,
            places=None,
            score=brought.get(player.number, 0) + score - penalties.get(player.number, 0),
            rights=rights,
            wrongs=wrongs,
            blanks=blanks,
            unconfirmed=unconfirmed,
            status=_status(player.number, decisions),
            cells=tuple(boxes),
            exempt=player.number in decisions.exempt,
            brought=brought.get(player.number, 0),
            penalty=penalties.get(player.number, 0),
        )
        for player, score, rights, wrongs, blanks, unconfirmed, boxes in columns
    ]


def _sums(decisions: Decisions) -> dict[int, int]:
    """The penalties of each player together."""
    sums: dict[int, int] = {}
    for penalty in decisions.penalties:
        sums[penalty.number] = sums.get(penalty.number, 0) + penalty.points
    return sums


def _status(number: int, decisions: Decisions) -> Status:
    """The status of a player who is here, as far as it does not depend on others; else OUT."""
    if number in decisions.disqualified:
        return Status.DISQUALIFIED
    if number in decisions.out_of_competition:
        return Status.OUT_OF_COMPETITION
    if number in decisions.exempt:
        return Status.DECLINED if number in decisions.declined else Status.IN
    return Status.OUT


def _absent(player: Player, regulation: Regulation, decisions: Decisions) -> StandingRow:
    cells = (None,) * (regulation.themes * len(regulation.nominals))
    status = _status(player.number, decisions)
    exempt = player.number in decisions.exempt
    if status is not Status.DISQUALIFIED and not exempt:
        status = Status.ABSENT
    return StandingRow(player, None, 0, 0, 0, 0, 0, status, cells, exempt)


def _category(
    name: str,
    rows: Sequence[StandingRow],
    regulation: Regulation,
    decisions: Decisions,
    evidence: Evidence,
) -> CategoryStandings:
    """Give places and statuses to the rows of one group and put them in order."""
    by_name = sorted(rows, key=lambda row: (collation_key(row.player.name), row.player.number))
    here = [row for row in by_name if row.status is Status.OUT]
    scores = {row.player.number: row.score for row in here}
    line = draw_line(
        scores,
        line_rules(regulation, decisions, name, registered=len(rows), present=len(here)),
        evidence,
        declined=decisions.declined,
        called=decisions.called & scores.keys(),
    )
    ranked = [
        row.ranked(line.places[number], line.statuses[number])
        for row, number in ((row, row.player.number) for row in here)
    ]
    ranked.sort(key=lambda row: row.places or (0, 0))  # stable: the names stay in order
    exempt = [row for row in by_name if row.exempt and row.status in (Status.IN, Status.DECLINED)]
    rest = [
        row
        for status in _WITHOUT_PLACE
        for row in sorted(by_name, key=lambda row: -row.score)
        if row.status is status
    ]
    return CategoryStandings(category=name, rows=(*exempt, *ranked, *rest), cut=line.cut)
