"""What is left for the jury: counts for every question, and the order of work."""

from __future__ import annotations

from collections.abc import Iterable
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


def order_of_work(parts: Iterable[QuestionProgress]) -> list[QuestionProgress]:
    """All questions, the one with most unruled boxes first, then by theme and nominal."""
    return sorted(parts, key=lambda part: (-part.unruled, part.theme, part.nominal))
