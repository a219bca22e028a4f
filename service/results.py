"""From rulings to standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import RLock
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sqlalchemy import Connection

from jury.boxes import BoxId
from scanner.codes import parse_sheet_name
from scoring.decisions import Decisions
from scoring.model import Player, Regulation, Standings, Verdict
from scoring.ranking import standings
from scoring.totals import BLANK, COLUMNS, OPEN, RIGHT, WRONG, box_numbers
from service import sheets, versions
from service.decision_log import in_force
from service.event import Event
from service.verdict_board import board_of
from service.versions import Version

# Pages ask for the standings several times at each look: kept as long as nothing has come.
_moments: WeakKeyDictionary[Event, _Now] = WeakKeyDictionary()
_lock = RLock()


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the standings are made from but the decisions: read once, ranked as often as needed.

    `verdicts` has the columns that `scoring.totals.points` wants, a row a box that is ruled on.
    """

    title: str
    players: Sequence[Player]
    present: frozenset[int]
    verdicts: pd.DataFrame
    regulation: Regulation

    def standings(self, decisions: Decisions) -> Standings:
        """The standings as if these decisions were in force.

        Raises:
            ValueError: As `scoring.ranking.standings`.
            ConflictError: The same.
        """
        return standings(
            self.title, self.players, self.present, self.verdicts, self.regulation, decisions
        )


def inputs(event: Event, instead: Mapping[BoxId, Verdict] | None = None) -> Inputs:
    """What the standings are made from, as it is now: confirmed boxes count, all others are unconfirmed.

    A player is present if one of their answer sheets was scanned or ruled on.

    Args:
        event: Whose.
        instead: As if these verdicts had been given on their boxes; on all others those that were.
    """
    now = _now(event)
    return now.inputs if not instead else now.with_verdicts(instead)


def event_standings(
    event: Event,
    decisions: Decisions | None = None,
    instead: Mapping[BoxId, Verdict] | None = None,
) -> Standings:
    """The standings as they are now.

    Args:
        event: Whose.
        decisions: As if these were in force; those that are, if None.
        instead: See `inputs`.
    """
    if decisions is None and not instead:
        return _now(event).standings
    return inputs(event, instead).standings(in_force(event) if decisions is None else decisions)


@dataclass
class _Now:
    """One moment of an event: what its standings are made from, and once asked for they themselves.

    Nobody may change what is in it. `owner` says whose each answer sheet is, `questions` what is asked in
    each box.
    """

    version: Version
    inputs: Inputs
    owner: Mapping[str, int]
    questions: Mapping[str, tuple[int, int]]
    decisions: Decisions

    @cached_property
    def standings(self) -> Standings:
        """The standings of this moment."""
        return self.inputs.standings(self.decisions)

    def with_verdicts(self, instead: Mapping[BoxId, Verdict]) -> Inputs:
        """The same with other verdicts on some boxes; those on nobody's sheets are left out."""
        rows = pd.DataFrame(
            [
                (self.owner[sheet], *self.questions[box], verdict.value)
                for (sheet, box), verdict in instead.items()
                if sheet in self.owner
            ],
            columns=list(COLUMNS),
        )
        known, regulation = self.inputs.verdicts, self.inputs.regulation
        others = ~np.isin(box_numbers(known, regulation), box_numbers(rows, regulation))
        return replace(self.inputs, verdicts=pd.concat([known[others], rows], ignore_index=True))


def _now(event: Event) -> _Now:
    """What holds at this moment; worked out anew only when something has changed."""
    with event.database.reading() as connection:
        version = versions.current(event)
        # One thread works it out, the others wait for it: they would all do the same.
        with _lock:
            known = _moments.get(event)
            if known is None or known.version != version:
                known = _made(event, connection, version)
                # What is not committed may be rolled back, and its numbers given to other rulings.
                if not event.database.in_change:
                    _moments[event] = known
    return known


def _made(event: Event, connection: Connection, version: Version) -> _Now:
    regulation = event.regulation()
    sheet_of = sheets.player_sheets(event)
    board = board_of(event, connection, regulation)
    places = [
        (theme, nominal)
        for theme in range(1, regulation.themes + 1)
        for nominal in regulation.nominals
    ]
    given = Inputs(
        event.info.title,
        tuple(event.players()),
        frozenset(sheet_of),
        _verdicts(list(sheet_of), places, board.of(tuple(sheet_of.values()))),
        regulation,
    )
    owner = {sheet: player for player, sheet in sheet_of.items()}
    questions = dict(zip(board.boxes, places, strict=True))
    return _Now(version, given, owner, questions, in_force(event))


def _verdicts(
    players: Sequence[int], places: Sequence[tuple[int, int]], kinds: NDArray[np.int8]
) -> pd.DataFrame:
    """A row a box that is ruled on, out of a table with a row a player and a column a box."""
    row, column = np.nonzero(kinds != OPEN)
    theme, nominal = np.array(places, dtype=np.int64).T
    return pd.DataFrame(
        {
            "player": np.array(players, dtype=np.int64)[row],
            "theme": theme[column],
            "nominal": nominal[column],
            "verdict": _WORDS[kinds[row, column]],
        }
    )


# By the codes of `scoring.totals`.
_WORDS = np.array([Verdict.RIGHT.value, Verdict.WRONG.value, Verdict.BLANK.value], dtype=object)
assert (RIGHT, WRONG, BLANK) == (0, 1, 2)


def problems(event: Event) -> list[str]:
    """Names of sheets that need a person before the standings can be final."""
    doubled = [name for names in sheets.two_sheets(event).values() for name in names]
    return sorted(set(sheets.orphans(event)) | set(doubled), key=lambda n: parse_sheet_name(n)[1])
