"""The nouns of a qualifier: players, questions, verdicts, regulation, standings.

Everything here is a frozen value. Themes and rows count from 1; a nominal is a number of points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scoring.rules import (
    NO_TIE_RULE,
    USUAL_APPEALS,
    USUAL_CUT,
    USUAL_PRICES,
    AppealRule,
    CutRule,
    FinalStake,
    Prices,
    ReserveCall,
    Stage,
    TieRule,
)
from scoring.rules import TiePolicy as TiePolicy


class Verdict(StrEnum):
    """What the jury says of one box. Only the first three are worth a number."""

    RIGHT = "right"
    WRONG = "wrong"
    BLANK = "blank"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Player:
    """One entry of the roster. The number is unique in the event and printed on the blank."""

    number: int
    name: str
    category: str
    school: str = ""
    city: str = ""
    site: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with what the jury accepts.

    `accepted` holds further accepted strings beside `answer`; `rejected` holds answers that the editor
    expects and does not accept; `remark` is free words for the jury, never compared with an answer.
    """

    theme: int
    row: int
    nominal: int
    answer: str
    accepted: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    remark: str = ""
    text: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """Every accepted string, the answer itself first."""
        return (self.answer, *self.accepted)


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: its number from 1, title and questions by row."""

    number: int
    title: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The themes of the written round, in order, and the final question if there is one.

    The final question belongs to no theme: its theme, row and nominal are 0.
    """

    title: str
    themes: tuple[Theme, ...]
    final: Question | None = None

    def questions(self) -> Iterator[Question]:
        """All questions of the written round, theme by theme."""
        for theme in self.themes:
            yield from theme.questions

    def question(self, theme: int, nominal: int) -> Question:
        """The question of a theme at a nominal; the final one is that of theme 0 at 0.

        Raises:
            KeyError: There is none.
        """
        if theme == nominal == 0 and self.final is not None:
            return self.final
        for question in self.themes[theme - 1].questions if 0 < theme <= len(self.themes) else ():
            if question.nominal == nominal:
                return question
        raise KeyError((theme, nominal))


@dataclass(frozen=True, slots=True)
class Regulation:
    """What the written round is worth, who goes on, and what follows.

    `cut` is the number of places where it is fixed; everything else about the line is in `cut_rule`, read
    through `rule`. `tie_policy` is the first step of `tie_rule`. `exempt`: players may be freed from this
    round. `prizes`: within so many first places a tie is decided too. `reserve`: how many places below the
    line make the reserve list. `removal`: questions may be removed. `stages` follow the written round.
    `name` is the round's, `title` the tournament's.
    """

    name: str = ""
    themes: int = 8
    nominals: tuple[int, ...] = (10, 20, 30, 40, 50)
    cut: int = 32
    tie_policy: TiePolicy = TiePolicy.UNDECIDED
    categories: tuple[str, ...] = ()
    prices: Prices = USUAL_PRICES
    cut_rule: CutRule = USUAL_CUT
    ties: TieRule = NO_TIE_RULE
    prizes: int = 0
    exempt: bool = False
    reserve: int = 0
    reserve_call: ReserveCall = ReserveCall.SCORE
    removal: bool = True
    final: FinalStake | None = None
    stages: tuple[Stage, ...] = ()
    title: str = ""
    appeals: AppealRule = USUAL_APPEALS

    @property
    def rule(self) -> CutRule:
        """The whole rule of the cut after the written round."""
        return replace(self.cut_rule, places=self.cut)

    @property
    def tie_rule(self) -> TieRule:
        """The whole rule of ties after the written round; `tie_policy` has the first word."""
        if self.ties.steps[0] is self.tie_policy:
            return self.ties
        return replace(self.ties, steps=(self.tie_policy,))


class Status(StrEnum):
    """Where a player stands after the cut.

    The first four are all there is without decisions beyond the verdicts. RESERVE is below the line and
    next to be called; DECLINED has a place and does not come; OUT_OF_COMPETITION and DISQUALIFIED have a
    score and no place.
    """

    IN = "in"
    TIED = "tied"
    OUT = "out"
    ABSENT = "absent"
    RESERVE = "reserve"
    DECLINED = "declined"
    OUT_OF_COMPETITION = "out_of_competition"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings.

    `places` is the shared range, both ends from 1 (5, 7 prints as «5–7»); None for a player without a
    place (absent, exempt, out of competition, disqualified).
    `cells` are the points of every box, theme by theme and row by row; None where not confirmed yet, 0
    where the question is removed.
    `score` is `brought` + the sum of the cells that are confirmed − `penalty`.
    `exempt`: freed from this round, in without a place.
    """

    player: Player
    places: tuple[int, int] | None
    score: int
    rights: int
    wrongs: int
    blanks: int
    unconfirmed: int
    status: Status
    cells: tuple[int | None, ...]
    exempt: bool = False
    brought: int = 0
    penalty: int = 0

    def ranked(self, places: tuple[int, int], status: Status) -> StandingRow:
        """The same with a place and a status; written out, since `replace` takes three times as long."""
        return StandingRow(
            self.player,
            places,
            self.score,
            self.rights,
            self.wrongs,
            self.blanks,
            self.unconfirmed,
            status,
            self.cells,
            self.exempt,
            self.brought,
            self.penalty,
        )


@dataclass(frozen=True, slots=True)
class TieStep:
    """One step by which a tie was decided, in part or wholly.

    `tied` are the players it was about; `order` the same, best first, equal ones together; `key` what a
    count-back compared; `seed` the recorded seed of a lot drawn by the program.
    """

    policy: TiePolicy
    tied: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]
    key: str = ""
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Cut:
    """The line under the last place that goes on.

    `places` is how many the regulation lets through; `sure` how many are in for certain; `tied` the
    numbers of the players among whom `left` places are still to be decided (empty if the line is clear).

    `last_score` is the lowest score with which somebody is in by it, None if nobody is. `quota` is the
    number that was announced or worked out; `places` is less where the least score left some empty.
    `waiting` is the step that has to be taken next (`undecided`: somebody has to choose one); `steps` are
    those taken. `reserve` are the players to be called, in this order, equal ones together.
    `shared_prizes` are groups of equal players within the prize places that are still to be decided.
    """

    places: int
    sure: int
    left: int
    tied: tuple[int, ...]
    last_score: int | None = None
    quota: int | None = None
    waiting: TiePolicy | None = None
    steps: tuple[TieStep, ...] = ()
    reserve: tuple[tuple[int, ...], ...] = ()
    shared_prizes: tuple[tuple[int, ...], ...] = ()

    @property
    def undecided(self) -> bool:
        """True while a tie lies across the line."""
        return bool(self.tied)


@dataclass(frozen=True, slots=True)
class CategoryStandings:
    """The standings of one category, best first, absent players last."""

    category: str
    rows: tuple[StandingRow, ...]
    cut: Cut


@dataclass(frozen=True, slots=True)
class Standings:
    """All categories in the order of the regulation, then of the roster.

    `removed` are the questions written off, as (theme, nominal); `changed` those with another nominal than
    printed, as (theme, printed nominal, what it is worth). `idle_shoot_outs` and `idle_lots` are those that
    decide nothing, since no tie is left that they fit, as positions in the decisions that were given.
    """

    title: str
    regulation: Regulation
    categories: tuple[CategoryStandings, ...] = field(default=())
    removed: tuple[tuple[int, int], ...] = ()
    changed: tuple[tuple[int, int, int], ...] = ()
    idle_shoot_outs: tuple[int, ...] = ()
    idle_lots: tuple[int, ...] = ()

    @property
    def unconfirmed(self) -> int:
        """Boxes of the players present that nobody has confirmed yet: 0 means that the result stands."""
        return sum(row.unconfirmed for part in self.categories for row in part.rows)
