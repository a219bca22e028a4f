"""How far a player is from the line, in points and in words."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from reports.wording import is_listed, points_text
from scoring.model import CategoryStandings, StandingRow, Status


def passing_score(part: CategoryStandings) -> int | None:
    """The score at the line: of the tied across it, else the least with which somebody is in by it.

    None where there is no line to speak of: all who played go on, or nobody does.
    """
    tied = [row.score for row in part.rows if row.status is Status.TIED]
    if tied:
        return tied[0]
    sure = [row.score for row in part.rows if row.status is Status.IN and row.places]
    if not sure or all(row.status is Status.IN for row in part.rows if is_listed(row)):
        return None
    return part.cut.last_score if part.cut.last_score is not None else min(sure)


def distance(part: CategoryStandings, row: StandingRow) -> int | None:
    """Points above the passing score; negative below it; None where there is nothing to compare."""
    passing = passing_score(part)
    if passing is None or not is_listed(row) or row.places is None:
        return None
    return row.score - passing


def distance_text(part: CategoryStandings, row: StandingRow) -> str:
    """One line for the player: where the line is, and how far from it."""
    if row.status is Status.TIED:
        return _("A tie at the line: the jury decides who goes on.")
    away = distance(part, row)
    if away is None:
        if row.status is Status.IN and is_listed(row) and passing_score(part) is None:
            return _("Everybody in this category goes on.")
        return ""
    passing = points_text(passing_score(part) or 0)
    if row.status is Status.IN:
        if away <= 0:
            return _("The passing score is {score}: just enough.").format(score=passing)
        return ngettext(
            "The passing score is {score}: {n} point more than needed.",
            "The passing score is {score}: {n} points more than needed.",
            away,
        ).format(score=passing, n=away)
    if away >= 0:
        # The same score as the last one in: the line was drawn by something else than points.
        return _("The passing score is {score}; the tie was decided otherwise.").format(
            score=passing
        )
    return ngettext(
        "The passing score is {score}: {n} point short of the line.",
        "The passing score is {score}: {n} points short of the line.",
        -away,
    ).format(score=passing, n=-away)
