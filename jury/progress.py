"""What is left for the jury: counts for every question, and the order of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jury.wall import Wall
from scoring.model import Verdict


@dataclass(frozen=True, slots=True)
class QuestionProgress:
    """How far one question is.

    `written` and `blank` count its boxes by ink; `ruled`, `disputed` and `unruled` count the same boxes
    by what the jury said: right, wrong or blank; a dispute for the chief; nothing yet. `second` counts those
    that wait for a second reading, None where nothing is read twice.
    """

    theme: int
    nominal: int
    written: int
    blank: int
    ruled: int
    disputed: int
    second: int | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Theme and nominal."""
        return self.theme, self.nominal

    @property
    def total(self) -> int:
        """All boxes."""
        return self.written + self.blank

    @property
    def unruled(self) -> int:
        """Boxes of which nobody has said anything."""
        return self.total - self.ruled - self.disputed

    @property
    def done(self) -> bool:
        """True if no box is left, for a juror or for the chief."""
        return self.ruled == self.total


def progress(wall: Wall) -> QuestionProgress:
    """Count one question."""
    rulings = [entry.ruling for entry in (*wall.written, *wall.blanks)]
    disputed = rulings.count(Verdict.DISPUTED)
    return QuestionProgress(
        theme=wall.question.theme,
        nominal=wall.question.nominal,
        written=len(wall.written),
        blank=len(wall.blanks),
        ruled=len(rulings) - rulings.count(None) - disputed,
        disputed=disputed,
    )


def first_by_effect(
    parts: Sequence[QuestionProgress], weights: Mapping[tuple[int, int], int]
) -> list[QuestionProgress]:
    """Of some questions those that are to be ruled on first, in the order in which they are given.

    These are all that matter more than half as much as the one that matters most: among them people may go
    theme by theme, and two jurors who began at different ones stay apart. If nothing matters any more (or
    nobody knows), all are equal.

    Args:
        parts: Questions with work left.
        weights: How much each matters for who goes on, by theme and nominal; 0 where one is missing.
    """
    most = max((weights.get(part.place, 0) for part in parts), default=0)
    return [part for part in parts if 2 * weights.get(part.place, 0) > most or not most]
