"""Who writes what: for every sheet and box the kind of answer, its text and the true verdict.

The plan knows nothing of pictures. A player is strong or weak, a question as hard as its nominal; from
these come the chances to know it, to guess, and to leave the box empty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from samples.event_files import SampleEvent, Spellings
from scanner.codes import sheet_name
from scanner.geometry import SheetKind
from scoring.model import Player, Question, Verdict


class Kind(StrEnum):
    """What a player did with a box."""

    RIGHT = "right"
    NEAR_MISS = "near_miss"
    WRONG = "wrong"
    BLANK = "blank"
    DASH = "dash"
    CROSSED = "crossed"
    REWRITTEN = "rewritten"


EMPTY_KINDS = frozenset({Kind.BLANK, Kind.DASH, Kind.CROSSED})
"""Kinds that are worth nothing: no answer stands in the box."""


@dataclass(frozen=True, slots=True)
class PlannedBox:
    """One box: `text` is the answer that counts, `struck` what was written and crossed out."""

    theme: int
    row: int
    nominal: int
    kind: Kind
    text: str
    struck: str
    verdict: Verdict

    @property
    def points(self) -> int:
        """What the box is worth."""
        return {Verdict.RIGHT: self.nominal, Verdict.WRONG: -self.nominal}.get(self.verdict, 0)


@dataclass(frozen=True, slots=True)
class PlannedSheet:
    """One filled sheet, the number of the player who filled it, and all 40 boxes."""

    kind: SheetKind
    number: int
    player: int
    boxes: tuple[PlannedBox, ...]

    @property
    def sheet(self) -> str:
        """The sheet's name: `12` or `S1`."""
        return sheet_name(self.kind, self.number)

    @property
    def score(self) -> int:
        """The true sum of the sheet."""
        return sum(box.points for box in self.boxes)


@dataclass(frozen=True, slots=True)
class Plan:
    """All sheets in the order of the players, and who is absent."""

    players: tuple[Player, ...]
    sheets: tuple[PlannedSheet, ...]
    absent: tuple[int, ...]

    @property
    def scores(self) -> dict[int, int]:
        """The true score of every player who wrote."""
        return {sheet.player: sheet.score for sheet in self.sheets}


# Standard deviation of ability and the difficulty of a row in the same unit (logits). With these, the
# share of empty boxes goes from a quarter at the first row to three quarters at the last.
ABILITY_SPREAD = 0.9
FIRST_ROW, ROW_STEP = -0.7, 0.6
# Older pupils know more.
CATEGORY_STEP = 0.25
# A player who does not know writes something all the same this often, less often for higher stakes.
GUESS_FIRST_ROW, GUESS_STEP = 0.31, 0.055
# Of empty boxes: a dash, crossed out. Of written ones: a slip or a near miss, crossed out and rewritten.
DASH_SHARE, CROSSED_SHARE = 0.07, 0.05
NEAR_SHARE, REWRITTEN_SHARE = 0.08, 0.045
# How often a right answer is written as the key has it.
KEY_SHARE, ACCEPTED_SHARE = 0.52, 0.36


def fill(event: SampleEvent, player: Player, rng: np.random.Generator) -> tuple[PlannedBox, ...]:
    """Decide all boxes of one player."""
    categories = event.regulation.categories
    older = categories.index(player.category) if player.category in categories else 0
    ability = rng.normal(CATEGORY_STEP * (older - 1), ABILITY_SPREAD)
    caution = rng.uniform(0.6, 1.4)
    # Every player has strong and weak themes.
    likings = rng.normal(0.0, 0.5, len(event.key.themes))
    return tuple(
        _box(question, event, ability + likings[question.theme - 1], caution, rng)
        for question in event.key.questions()
    )


def _box(
    question: Question,
    event: SampleEvent,
    strength: float,
    caution: float,
    rng: np.random.Generator,
) -> PlannedBox:
    spellings = event.spellings[question.theme, question.nominal]
    step = question.row - 1
    knows = rng.random() < 1 / (1 + math.exp(FIRST_ROW + ROW_STEP * step - strength))
    guess = max(0.0, GUESS_FIRST_ROW - GUESS_STEP * step) / caution
    guesses = rng.random() < guess
    kind, text, struck, verdict = Kind.BLANK, "", "", Verdict.BLANK
    if knows or guesses:
        kind, text, verdict = _answer(question, spellings, knows, rng)
        if rng.random() < REWRITTEN_SHARE:
            kind, struck = Kind.REWRITTEN, _other_than(text, question, spellings, rng)
    else:
        draw = rng.random()
        if draw < DASH_SHARE:
            kind = Kind.DASH
        elif draw < DASH_SHARE + CROSSED_SHARE:
            kind, struck = Kind.CROSSED, _other_than("", question, spellings, rng)
    return PlannedBox(question.theme, question.row, question.nominal, kind, text, struck, verdict)


def _answer(
    question: Question, spellings: Spellings, knows: bool, rng: np.random.Generator
) -> tuple[Kind, str, Verdict]:
    near = rng.random() < NEAR_SHARE
    if knows and near and spellings.slips:
        return Kind.NEAR_MISS, _pick(spellings.slips, rng), Verdict.RIGHT
    if knows:
        return Kind.RIGHT, _right(question, spellings, rng), Verdict.RIGHT
    if (near or rng.random() < NEAR_SHARE) and spellings.near:
        return Kind.NEAR_MISS, _pick(spellings.near, rng), Verdict.WRONG
    return Kind.WRONG, _wrong(question, spellings, rng), Verdict.WRONG


def _right(question: Question, spellings: Spellings, rng: np.random.Generator) -> str:
    draw = rng.random()
    if draw < KEY_SHARE:
        return question.answer
    if draw < KEY_SHARE + ACCEPTED_SHARE and question.accepted:
        return _pick(question.accepted, rng)
    return _pick(spellings.right, rng) if spellings.right else question.answer


def _wrong(question: Question, spellings: Spellings, rng: np.random.Generator) -> str:
    return _pick((*question.rejected, *spellings.wrong), rng)


def _other_than(
    text: str, question: Question, spellings: Spellings, rng: np.random.Generator
) -> str:
    """What was written first and crossed out: mostly something wrong, now and then a right answer."""
    pool = [*question.rejected, *spellings.wrong, *spellings.near, question.answer]
    return _pick([entry for entry in pool if entry != text], rng)


def _pick(pool: Sequence[str], rng: np.random.Generator) -> str:
    return pool[int(rng.integers(len(pool)))]
