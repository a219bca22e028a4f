"""The nouns of a qualifier: players, questions, verdicts, regulation, standings.

Everything here is a frozen value. Themes and rows count from 1; a nominal is a number of points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum


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
    """The themes of the written round, in order."""

    title: str
    themes: tuple[Theme, ...]

    def questions(self) -> Iterator[Question]:
        """All questions, theme by theme."""
        for theme in self.themes:
            yield from theme.questions

    def question(self, theme: int, nominal: int) -> Question:
        """The question of a theme at a nominal.

        Raises:
            KeyError: There is none.
        """
        for question in self.themes[theme - 1].questions if 0 < theme <= len(self.themes) else ():
            if question.nominal == nominal:
                return question
        raise KeyError((theme, nominal))


class TiePolicy(StrEnum):
    """What a tie across the cut means. Only `undecided` so far: there is no silent default."""

    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Regulation:
    """What the written round is worth and who goes on."""

    name: str = ""
    themes: int = 8
    nominals: tuple[int, ...] = (10, 20, 30, 40, 50)
    cut: int = 32
    tie_policy: TiePolicy = TiePolicy.UNDECIDED
    categories: tuple[str, ...] = ()


class Status(StrEnum):
    """Where a player stands after the cut."""

    IN = "in"
    TIED = "tied"
    OUT = "out"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of the standings.

    `places` is the shared range, both ends from 1 (5, 7 prints as «5–7»); None for an absent player.
    `cells` are the points of every box, theme by theme and row by row; None where not confirmed yet.
    `score` is the sum of the cells that are confirmed.
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


@dataclass(frozen=True, slots=True)
class Cut:
    """The line under the last place that goes on.

    `places` is how many the regulation lets through; `sure` how many are in for certain; `tied` the
    numbers of the players among whom `left` places are still to be decided (empty if the line is clear).
    """

    places: int
    sure: int
    left: int
    tied: tuple[int, ...]

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
    """All categories in the order of the regulation, then of the roster."""

    title: str
    regulation: Regulation
    categories: tuple[CategoryStandings, ...] = field(default=())

    @property
    def unconfirmed(self) -> int:
        """Boxes of the players present that nobody has confirmed yet: 0 means that the result stands."""
        return sum(row.unconfirmed for part in self.categories for row in part.rows)
