"""What is different between two standings: who moved, who crossed the line, which questions fell."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.model import StandingRow, Standings, Status


@dataclass(frozen=True, slots=True)
class Change:
    """One player whose row says something else than before.

    `before` is None for a player who was not in the standings, `after` for one who no longer is;
    `old_category` and `category` are empty then.
    """

    number: int
    before: StandingRow | None
    after: StandingRow | None
    old_category: str = ""
    category: str = ""

    @property
    def moved(self) -> bool:
        """The place (or the range of places, or the category) is another."""
        old = (self.old_category, self.before.places) if self.before else None
        new = (self.category, self.after.places) if self.after else None
        return old != new

    @property
    def points(self) -> int:
        """By how many points the score changed."""
        return (self.after.score if self.after else 0) - (self.before.score if self.before else 0)

    @property
    def crosses_in(self) -> bool:
        """Goes on now and did not before."""
        return _goes_on(self.after) and not _goes_on(self.before)

    @property
    def crosses_out(self) -> bool:
        """Went on before and does not now."""
        return _goes_on(self.before) and not _goes_on(self.after)


@dataclass(frozen=True, slots=True)
class StandingsChanges:
    """The differences of two standings, the players by number.

    `removed` and `returned` are questions as (theme, nominal); `new_nominals` as (theme, nominal, worth).
    """

    players: tuple[Change, ...]
    removed: tuple[tuple[int, int], ...]
    returned: tuple[tuple[int, int], ...]
    new_nominals: tuple[tuple[int, int, int], ...]

    @property
    def crossing(self) -> tuple[Change, ...]:
        """Those for whom the line lies on the other side now."""
        return tuple(change for change in self.players if change.crosses_in or change.crosses_out)

    def __bool__(self) -> bool:
        return bool(self.players or self.removed or self.returned or self.new_nominals)


def compare(before: Standings, after: Standings) -> StandingsChanges:
    """What changed from one publication to the next.

    Args:
        before: The earlier standings.
        after: The later ones of the same event.
    """
    old, new = _by_number(before), _by_number(after)
    changes = []
    for number in sorted(old.keys() | new.keys()):
        old_category, old_row = old.get(number, ("", None))
        category, row = new.get(number, ("", None))
        if (old_category, old_row) != (category, row):
            changes.append(Change(number, old_row, row, old_category, category))
    return StandingsChanges(
        players=tuple(changes),
        removed=tuple(sorted(set(after.removed) - set(before.removed))),
        returned=tuple(sorted(set(before.removed) - set(after.removed))),
        new_nominals=tuple(sorted(set(after.changed) - set(before.changed))),
    )


def _by_number(standings: Standings) -> dict[int, tuple[str, StandingRow]]:
    return {
        row.player.number: (part.category, row)
        for part in standings.categories
        for row in part.rows
    }


def _goes_on(row: StandingRow | None) -> bool:
    return row is not None and row.status is Status.IN
