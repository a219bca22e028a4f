"""What a publication changes, in words: the same on paper and on the posted pages."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.wording import (
    is_listed,
    places_text,
    points_text,
    removed_sentences,
    status_text,
)
from scoring.changes import Change, StandingsChanges
from scoring.model import Player, StandingRow

ARROW = "→"


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One player for whom something that is posted is different.

    `score` and `place` are «310 → 330», or what still holds; `remark` says on which side of the line the
    player is now, if it is another one, and whether the player is new or gone.
    """

    player: Player
    category: str
    score: str
    place: str
    remark: str


@dataclass(frozen=True, slots=True)
class PublishedChanges:
    """The differences from an earlier publication.

    Args:
        since: The number of that publication.
        changes: The differences.
    """

    since: int
    changes: StandingsChanges


def changes_title(published: PublishedChanges) -> str:
    """What stands above the list."""
    return _("Changes since publication {number}").format(number=published.since)


def question_sentences(changes: StandingsChanges) -> list[str]:
    """A sentence for each question that was removed, returned, or got another value."""
    returned = [
        _("Question {theme}–{nominal} counts again.").format(theme=theme, nominal=nominal)
        for theme, nominal in changes.returned
    ]
    valued = [
        _("Question {theme}–{nominal} is worth {worth} now.").format(
            theme=theme, nominal=nominal, worth=worth
        )
        for theme, nominal, worth in changes.new_nominals
    ]
    return removed_sentences(changes.removed) + returned + valued


def change_lines(changes: StandingsChanges) -> list[ChangeLine]:
    """Those who crossed the line first, then other scores, then other places only; each by number.

    Changes that nothing posted shows (a verdict for another, with the same points) are left out.
    """

    def rank(change: Change) -> tuple[int, int]:
        crosses = change.crosses_in or change.crosses_out
        return (0 if crosses else 1 if change.points else 2, change.number)

    shown = (change for change in changes.players if _shows(change))
    return [_line(change) for change in sorted(shown, key=rank)]


def changes_summary(lines: list[ChangeLine]) -> str:
    """How many players are concerned."""
    if not lines:
        return _("No player's score or place is different.")
    return ngettext(
        "{n} player has another score or place.",
        "{n} players have another score or place.",
        len(lines),
    ).format(n=len(lines))


def _shows(change: Change) -> bool:
    old, new = change.before, change.after
    status = (old.status if old else None) is not (new.status if new else None)
    return bool(change.points) or change.moved or status


def _line(change: Change) -> ChangeLine:
    row = change.after or change.before
    assert row is not None
    return ChangeLine(
        player=row.player,
        category=change.category or change.old_category,
        score=_pair(_score(change.before), _score(change.after)),
        place=_pair(_place(change.before), _place(change.after)),
        remark=_remark(change),
    )


def _remark(change: Change) -> str:
    if change.before is None:
        return pgettext("change", "new")
    if change.after is None:
        return pgettext("change", "no longer in the list")
    if change.crosses_in:
        return pgettext("change", "goes on now")
    if change.crosses_out:
        return pgettext("change", "does not go on now")
    if change.before.status is not change.after.status:
        return status_text(change.after.status)
    return ""


def _pair(old: str, new: str) -> str:
    return new if old == new else f"{old or '—'} {ARROW} {new or '—'}"


def _score(row: StandingRow | None) -> str:
    return points_text(row.score) if row is not None and row.status.value != "absent" else ""


def _place(row: StandingRow | None) -> str:
    return places_text(row.places) if row is not None and is_listed(row) else ""
