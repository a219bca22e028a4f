"""Guards against a ranking of millions that ranks otherwise than the standings."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from decided_cases import RULES, Case, cases, rank
from hypothesis import given
from hypothesis import strategies as st

from scoring.decisions import (
    NO_DECISIONS,
)
from scoring.mass import rank_table
from scoring.model import (
    TiePolicy,
)


@given(cases(), st.sampled_from([TiePolicy.UNDECIDED, TiePolicy.ALL_IN, TiePolicy.NONE_IN]))
def test_the_table_for_millions_agrees_with_the_standings(case: Case, policy: TiePolicy) -> None:
    players, table = case
    regulation = replace(RULES, tie_policy=policy, reserve=0)
    result = rank(players, table, NO_DECISIONS, regulation)
    rows = [(part.category, row) for part in result.categories for row in part.rows]
    frame = pd.DataFrame(
        [(row.player.number, name, row.score) for name, row in rows],
        columns=["number", "group", "score"],
    )
    found = rank_table(frame, regulation).set_index("number")
    for _name, row in rows:
        line = found.loc[row.player.number]
        assert (line["first"], line["last"]) == row.places
        assert line["status"] == row.status.value
