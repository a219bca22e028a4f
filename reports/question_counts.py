"""How often each question was taken: counted from the cells of the standings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.model import Regulation, StandingRow, Standings, Status


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """One question: how many took it, erred on it, left it empty; and how many are not confirmed yet."""

    theme: int
    nominal: int
    takes: int
    misses: int
    blanks: int
    unconfirmed: int

    @property
    def players(self) -> int:
        """How many it was asked of."""
        return self.takes + self.misses + self.blanks + self.unconfirmed

    @property
    def share(self) -> float:
        """Takes among all whom it was asked, 0 to 1; 0 where nobody was."""
        return self.takes / self.players if self.players else 0.0


def players_who_answered(rows: Iterable[StandingRow]) -> list[StandingRow]:
    """Everybody who handed in a sheet, those out of competition too."""
    return [row for row in rows if row.status is not Status.ABSENT and not row.exempt]


def question_counts(rows: Sequence[StandingRow], regulation: Regulation) -> list[QuestionCount]:
    """The counts of all questions, theme by theme and row by row; rows in any order.

    A cell above 0 is a take, below 0 a miss, 0 an empty box: so under a regulation where a wrong answer
    costs nothing, it counts as an empty one.
    """
    found = []
    for theme in range(regulation.themes):
        for index, nominal in enumerate(regulation.nominals):
            at = theme * len(regulation.nominals) + index
            cells = [row.cells[at] if at < len(row.cells) else None for row in rows]
            found.append(
                QuestionCount(
                    theme + 1,
                    nominal,
                    takes=sum(points is not None and points > 0 for points in cells),
                    misses=sum(points is not None and points < 0 for points in cells),
                    blanks=sum(points == 0 for points in cells),
                    unconfirmed=sum(points is None for points in cells),
                )
            )
    return found


def all_rows(standings: Standings) -> list[StandingRow]:
    """Everybody who answered, of all categories."""
    return [row for part in standings.categories for row in players_who_answered(part.rows)]


def by_difficulty(
    counts: Iterable[QuestionCount], removed: Sequence[tuple[int, int]] = ()
) -> list[QuestionCount]:
    """The hardest question first: fewest takes, then most misses; removed ones are left out."""
    asked = (count for count in counts if (count.theme, count.nominal) not in removed)
    return sorted(asked, key=lambda c: (c.share, -c.misses, -c.nominal, c.theme))
