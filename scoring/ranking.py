"""Places and standings. The order of rows, in the roster or in the verdicts, never matters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from scoring.cut import draw_cut
from scoring.folding import collation_key, fold
from scoring.model import CategoryStandings, Player, Regulation, StandingRow, Standings, Status
from scoring.totals import points


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
) -> Standings:
    """Rank every category and draw its line.

    Best first; within a score by name, then by number. Absent players come last, by name, without place
    and points. Categories without players are left out.

    Args:
        title: What stands above the standings.
        players: The roster, in any order.
        present: Numbers of the players whose sheet is there. All boxes of these count: one without a
            verdict is not confirmed. Verdicts on other players do not count.
        verdicts: As for `scoring.totals.points`.
        regulation: Themes, nominals, the cut and the order of the categories.

    Raises:
        ValueError: Two players have one number, somebody is present who is not on the roster, or
            `points` refuses the verdicts.
    """
    roster = sorted(players, key=lambda player: player.number)
    numbers = [player.number for player in roster]
    if len(set(numbers)) != len(numbers):
        raise ValueError("two players have one number")
    attending = set(present)
    if not attending <= set(numbers):
        raise ValueError(f"not on the roster: {sorted(attending - set(numbers))}")
    here = [player for player in roster if player.number in attending]
    rows = _rows_of_present(here, verdicts, regulation)
    rows += [_absent(player, regulation) for player in roster if player.number not in attending]
    members: dict[str, list[StandingRow]] = {fold(name): [] for name in regulation.categories}
    spelling = {fold(name): name for name in regulation.categories}
    for player in roster:
        spelling.setdefault(fold(player.category), player.category)
        members.setdefault(fold(player.category), [])
    for row in rows:
        members[fold(row.player.category)].append(row)
    return Standings(
        title=title,
        regulation=regulation,
        categories=tuple(
            _category(spelling[key], group, regulation) for key, group in members.items() if group
        ),
    )


def _rows_of_present(
    players: Sequence[Player], verdicts: pd.DataFrame, regulation: Regulation
) -> list[StandingRow]:
    """A row for each of the players, without place and status."""
    cells = _cells(players, verdicts, regulation)
    confirmed = ~np.isnan(cells)
    worth = np.where(confirmed, cells, 0).astype(np.int64)
    values = worth.astype(object)
    values[~confirmed] = None
    columns = zip(
        players,
        worth.sum(axis=1).tolist(),
        (cells > 0).sum(axis=1).tolist(),
        (cells < 0).sum(axis=1).tolist(),
        (cells == 0).sum(axis=1).tolist(),
        (~confirmed).sum(axis=1).tolist(),
        values.tolist(),
        strict=True,
    )
    return [
        StandingRow(
            player, None, score, rights, wrongs, blanks, unconfirmed, Status.OUT, tuple(boxes)
        )
        for player, score, rights, wrongs, blanks, unconfirmed, boxes in columns
    ]


def _cells(
    players: Sequence[Player], verdicts: pd.DataFrame, regulation: Regulation
) -> NDArray[np.float64]:
    """The points of every box, shape (players, boxes), theme by theme; NaN where not confirmed."""
    cells = np.full((len(players), regulation.themes * len(regulation.nominals)), np.nan)
    worth = points(verdicts, regulation)
    index = pd.Index([player.number for player in players], dtype="int64")
    row = index.get_indexer(pd.Index(worth["player"].to_numpy(dtype=np.int64)))
    counted = row >= 0
    worth = worth[counted]
    by_nominal = pd.Index(regulation.nominals, dtype="int64")
    column = by_nominal.get_indexer(pd.Index(worth["nominal"].to_numpy(dtype=np.int64)))
    theme = worth["theme"].to_numpy(dtype=np.int64) - 1
    cells[row[counted], theme * len(regulation.nominals) + column] = worth["points"].to_numpy(
        dtype=np.float64, na_value=np.nan
    )
    return cells


def _absent(player: Player, regulation: Regulation) -> StandingRow:
    cells = (None,) * (regulation.themes * len(regulation.nominals))
    return StandingRow(player, None, 0, 0, 0, 0, 0, Status.ABSENT, cells)


def _category(
    category: str, rows: Sequence[StandingRow], regulation: Regulation
) -> CategoryStandings:
    """Give places and statuses to the rows of one category and put them in order."""
    by_name = sorted(rows, key=lambda row: (collation_key(row.player.name), row.player.number))
    here = [row for row in by_name if row.status is not Status.ABSENT]
    here.sort(key=lambda row: -row.score)  # stable: the names stay in order
    scores = np.array([row.score for row in here], dtype=np.int64)
    cut, statuses = draw_cut([row.player.number for row in here], scores, regulation.cut)
    places = shared_places(scores).tolist()
    ranked = [
        replace(row, places=(first, last), status=status)
        for row, (first, last), status in zip(here, places, statuses, strict=True)
    ]
    absent = [row for row in by_name if row.status is Status.ABSENT]
    return CategoryStandings(category=category, rows=(*ranked, *absent), cut=cut)
