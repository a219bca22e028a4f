"""How often each question was taken: counted from the cells of the standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.model import Regulation, StandingRow, Standings, Status, Verdict


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


def verdict_of(points: int | None, nominal: int, regulation: Regulation) -> Verdict | None:
    """The verdict that a cell's points stand for; None while it is not confirmed.

    By the regulation's prices; by the sign where they don't tell (the question's nominal was changed).
    Where a wrong answer is worth what an empty box is, it counts as an empty box.
    """
    if points is None:
        return None
    prices = regulation.prices
    for price, verdict in (
        (prices.blank, Verdict.BLANK),
        (prices.right, Verdict.RIGHT),
        (prices.wrong, Verdict.WRONG),
    ):
        if points == price.of(nominal):
            return verdict
    if points == 0:
        return Verdict.BLANK
    return Verdict.RIGHT if points > 0 else Verdict.WRONG


def question_counts(rows: Sequence[StandingRow], regulation: Regulation) -> list[QuestionCount]:
    """The counts of all questions, theme by theme and row by row; rows in any order."""
    found = []
    for theme in range(regulation.themes):
        for index, nominal in enumerate(regulation.nominals):
            at = theme * len(regulation.nominals) + index
            cells = [row.cells[at] if at < len(row.cells) else None for row in rows]
            kinds = Counter(verdict_of(points, nominal, regulation) for points in cells)
            found.append(
                QuestionCount(
                    theme + 1,
                    nominal,
                    takes=kinds[Verdict.RIGHT],
                    misses=kinds[Verdict.WRONG],
                    blanks=kinds[Verdict.BLANK],
                    unconfirmed=kinds[None],
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
