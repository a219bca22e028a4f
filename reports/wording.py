"""The words and figures of the results, the same in the PDFs and in the tables."""

from __future__ import annotations

from collections.abc import Iterable

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.order import ordered
from scoring.model import CategoryStandings, StandingRow, Standings, Status, TiePolicy

MINUS = "−"
EN_DASH = "–"


def places_text(places: tuple[int, int] | None) -> str:
    """`5` for a place of one's own, `5–7` for a shared one, nothing for an absent player."""
    if places is None:
        return ""
    first, last = places
    return str(first) if first == last else f"{first}{EN_DASH}{last}"


def points_text(points: int) -> str:
    """The number with a true minus sign."""
    return f"{MINUS}{-points}" if points < 0 else str(points)


def status_text(status: Status) -> str:
    """What the status column of a table says; one that has no wording yet is said by its value."""
    return {
        "in": pgettext("standings", "goes on"),
        "reserve": pgettext("standings", "reserve"),
        "tied": pgettext("standings", "tie at the line: the jury decides"),
        "out": pgettext("standings", "does not go on"),
        "declined": pgettext("standings", "declined"),
        "out_of_competition": pgettext("standings", "out of competition"),
        "absent": pgettext("standings", "absent"),
        "disqualified": pgettext("standings", "disqualified"),
    }.get(status.value, status.value.replace("_", " "))


def special_text(row: StandingRow) -> str:
    """What has to be said of a player in the table beside place and score; empty as a rule."""
    if row.exempt:
        return pgettext("standings", "exempt from this round")
    words = [status_text(row.status)] if row.status.value == "reserve" else []
    # Without these two the sums of the themes do not give the score.
    if row.brought:
        words.append(_("brought {points}").format(points=points_text(row.brought)))
    if row.penalty:
        words.append(_("penalty {points}").format(points=points_text(-row.penalty)))
    return ", ".join(words)


def publication_text(number: int) -> str:
    """What a publication is called; 0 is a draft."""
    if number < 1:
        return _("Draft, not published yet")
    return _("Publication {number}").format(number=number)


def is_listed(row: StandingRow) -> bool:
    """False for those named below the table: absent, declined, out of competition, disqualified."""
    return row.status.value in ("in", "tied", "out", "reserve")


def has_score(row: StandingRow) -> bool:
    """True for those who handed in a sheet and take part in this round, also out of competition."""
    return (
        row.status is not Status.ABSENT
        and not row.exempt
        and any((row.places, row.rights, row.wrongs, row.blanks, row.unconfirmed))
    )


def present_text(part: CategoryStandings) -> str:
    """How many took part, and how many go on: those for whom a place is still undecided too."""
    present = sum(row.status is not Status.ABSENT and not row.exempt for row in part.rows)
    players = ngettext("{n} player", "{n} players", present).format(n=present)
    going = sum(row.status is Status.IN for row in part.rows) + part.cut.left
    return f"{players} · " + ngettext("{n} goes on", "{n} go on", going).format(n=going)


def cut_caption(part: CategoryStandings) -> str:
    """What stands at the line under the last sure place."""
    cut = part.cut
    if cut.undecided:
        sure = ngettext("{n} is sure to go on", "{n} are sure to go on", cut.sure)
        left = ngettext("{n} place undecided", "{n} places undecided", cut.left)
        return f"{sure.format(n=cut.sure)}, {left.format(n=cut.left)}"
    if all(row.status is Status.IN for row in part.rows if is_listed(row)):
        return _("All {n} go on (there are {places} places)").format(n=cut.sure, places=cut.places)
    return ngettext("{n} goes on", "{n} go on", cut.sure).format(n=cut.sure)


def has_open_answers(part: CategoryStandings) -> bool:
    """True while an answer of the category is not confirmed."""
    return any(row.unconfirmed for row in part.rows)


def tied_rows(part: CategoryStandings) -> list[StandingRow]:
    """The players between whom the last places are still to be decided, in the order of the table."""
    tied = set(part.cut.tied)
    return [row for row in ordered(part.rows) if row.player.number in tied]


def tie_note(part: CategoryStandings) -> str:
    """What a tie across the line means, in full sentences; empty if there is none."""
    rows = tied_rows(part)
    ranges = [row.places for row in rows if row.places]
    if not ranges:
        return ""
    places = places_text((min(low for low, _high in ranges), max(high for _low, high in ranges)))
    score = rows[0].score
    points = ngettext("{n} point", "{n} points", abs(score)).format(n=points_text(score))
    shared = ngettext(
        "Places {places} are shared by {n} player with {points}.",
        "Places {places} are shared by {n} players with {points} each.",
        len(rows),
    ).format(places=places, n=len(rows), points=points)
    if part.cut.waiting is TiePolicy.SHOOT_OUT:
        left = ngettext(
            "{n} place that leads on is left: a shoot-out decides who gets it.",
            "{n} places that lead on are left: a shoot-out decides who gets them.",
            part.cut.left,
        )
    else:
        left = ngettext(
            "{n} place that leads on is left: the jury decides who gets it.",
            "{n} places that lead on are left: the jury decides who gets them.",
            part.cut.left,
        )
    return f"{shared} {left.format(n=part.cut.left)}"


def provisional_text(standings: Standings, part: CategoryStandings) -> str:
    """Why the results may still change."""
    if not standings.unconfirmed:
        return _("Preliminary results")
    everywhere = ngettext(
        "Preliminary: {n} answer not confirmed yet",
        "Preliminary: {n} answers not confirmed yet",
        standings.unconfirmed,
    ).format(n=standings.unconfirmed)
    here = sum(row.unconfirmed for row in part.rows)
    if here == standings.unconfirmed:
        return everywhere
    return _("{everywhere}, {n} of them in this category").format(everywhere=everywhere, n=here)


def removed_sentences(places: Iterable[tuple[int, int]]) -> list[str]:
    """A sentence for each removed question, given by theme and nominal."""
    return [
        _("Question {theme}–{nominal} is removed: it counts for nobody.").format(
            theme=theme, nominal=nominal
        )
        for theme, nominal in places
    ]
