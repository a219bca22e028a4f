"""Places and lines of very many players at once, in columns instead of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scoring.cut import places_left
from scoring.decisions import NO_DECISIONS, Decisions
from scoring.grouping import line_rules
from scoring.model import Regulation, Status
from scoring.rules import TiePolicy


def rank_table(
    table: pd.DataFrame, regulation: Regulation, decisions: Decisions = NO_DECISIONS
) -> pd.DataFrame:
    """Rank every group and draw its line, from scores alone.

    The same places and statuses as `scoring.ranking.standings` gives without other decisions, for tables
    of millions of rows (all events of a season, say). Ties that need a shoot-out, a count-back or a lot
    stay tied.

    Args:
        table: Columns `number`, `group` (category or site), `score`; one row a player who competes. The
            order of rows does not matter; a group is one spelling.
        regulation: Whose line is drawn.
        decisions: What was announced and chosen; all else in them is of no account here.

    Returns:
        The rows with `first`, `last` (places from 1) and `status`; by group in alphabetical order, then
        by place, then by number.
    """
    codes_of, names = pd.factorize(table["group"], sort=True)
    group = codes_of.astype(np.int64)
    number = table["number"].to_numpy(dtype=np.int64)
    score = table["score"].to_numpy(dtype=np.int64)
    order = _order(group, score, number)
    group, score, number = group[order], score[order], number[order]
    first = np.empty(len(order), dtype=np.int64)
    last = np.empty(len(order), dtype=np.int64)
    codes = np.empty(len(order), dtype=np.int8)
    starts = np.flatnonzero(np.diff(group, prepend=-1)).tolist()
    for begin, end in zip(starts, [*starts[1:], len(order)][: len(starts)], strict=True):
        part = score[begin:end]
        # The scores fall, so equal ones stand together.
        new = np.r_[True, part[1:] != part[:-1]]
        edges = np.flatnonzero(new)
        run = np.cumsum(new) - 1
        first[begin:end] = edges[run] + 1
        last[begin:end] = np.r_[edges[1:], len(part)][run]
        codes[begin:end] = _codes(
            part, first[begin:end], last[begin:end], str(names[group[begin]]), regulation, decisions
        )
    words = pd.Index([str(each) for each in (Status.IN, Status.TIED, Status.OUT)])
    status = pd.Categorical.from_codes(codes, categories=words)
    return pd.DataFrame(
        {
            "number": number,
            "group": pd.Categorical.from_codes(group, categories=pd.Index(names)),
            "score": score,
            "first": first,
            "last": last,
            "status": status,
        }
    )


def _order(
    group: NDArray[np.int64], score: NDArray[np.int64], number: NDArray[np.int64]
) -> NDArray[np.int64]:
    """By group, best first, by number: one sort of packed keys where they fit into 63 bits."""
    if not len(score):
        return np.empty(0, dtype=np.int64)
    worse = score.max() - score
    names = number - number.min()
    bits = [int(column.max()).bit_length() for column in (group, worse, names)]
    if sum(bits) > 63:
        return np.lexsort((number, -score, group))
    return np.argsort((group << (bits[1] + bits[2])) | (worse << bits[2]) | names)


def _codes(
    score: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    group: str,
    regulation: Regulation,
    decisions: Decisions,
) -> NDArray[np.int64]:
    """0 in, 1 tied, 2 out, for one group, best first."""
    rules = line_rules(regulation, decisions, group, registered=len(score), present=len(score))
    places = places_left(score, rules.quota, rules.sure, rules.least_score)
    across = {TiePolicy.ALL_IN: 0, TiePolicy.NONE_IN: 2}.get(rules.ties.steps[0], 1)
    codes: NDArray[np.int64] = np.where(last <= places, 0, np.where(first > places, 2, across))
    return codes
