"""One page for each player: what was written, what it was worth, how far it is from the line.

Laid out as the blank is, so that a player finds every answer where it was written: four themes to the
left, four to the right. A box has its picture, the reading, the accepted answers and the verdict's sign;
an empty one is only a thin line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.blank_marks import draw_pattern, qr
from reports.codes import printed
from reports.distance import distance_text
from reports.fitting import fit
from reports.fonts import BOLD, MM, REGULAR, printable
from reports.own_page import OwnPage
from reports.page_frame import QR_MM
from reports.paper import Paper
from reports.player_theme import draw_theme, theme_height
from reports.wording import places_text, points_text, status_text
from scanner.geometry import Rect
from scoring.model import AnswerKey, CategoryStandings, StandingRow, Standings, Status

LEFT, RIGHT = 12.0, 198.0
GAP = 6.0
THEMES_TOP, THEMES_BOTTOM = 55.0, 284.0


@dataclass(frozen=True)
class _Sheet:
    standings: Standings
    part: CategoryStandings
    row: StandingRow
    page: OwnPage
    key: AnswerKey | None
    note: str
    link: str


def player_pages_pdf(
    standings: Standings,
    pages: Iterable[OwnPage],
    *,
    key: AnswerKey | None = None,
    generated_note: str = "",
    link: str = "",
    file: BinaryIO | None = None,
) -> bytes:
    """Print the players' pages in the order given and in the current language.

    The same input gives the same bytes. `pages` may be a generator: one player is held at a time, and
    with `file` the finished pages are not kept either, so 3,000 players take the memory of a few.

    Args:
        standings: Places, scores and the line.
        pages: The players; one who is not in the standings, or was absent, is left out.
        key: Its titles and accepted answers are shown; None shows neither.
        generated_note: Printed small at the foot.
        link: The address of the posted pages (a folder's, ending in `/`): with a player's code behind
            it, it is printed as a QR code. Empty for none.
        file: Where the PDF goes; None returns it.

    Returns:
        The PDF, or nothing if it went to a file.
    """
    paper = Paper(title=printable(standings.title), file=file)
    found = {row.player.number: (part, row) for part in standings.categories for row in part.rows}
    drawn = 0
    for page in pages:
        part, row = found.get(page.number, (None, None))
        if part is None or row is None or row.status is Status.ABSENT:
            continue
        if drawn:
            paper.next_page()
        drawn += 1
        _draw(paper, _Sheet(standings, part, row, page, key, generated_note, link))
    if not drawn:
        room = (RIGHT - LEFT) * MM
        paper.fitted(LEFT, 24.6, fit(standings.title, BOLD, 20, room, least=12), BOLD)
        paper.text(LEFT, 48, pgettext("standings", "There are no players yet."), 12)
    return paper.finish()


def _draw(paper: Paper, sheet: _Sheet) -> None:
    right = _code(paper, sheet)
    _heading(paper, sheet, right)
    regulation = sheet.standings.regulation
    answers = {(answer.theme, answer.nominal): answer for answer in sheet.page.answers}
    width = (RIGHT - LEFT - GAP) / 2
    half = max(1, -(-regulation.themes // 2))
    halves = [range(1, half + 1), range(half + 1, regulation.themes + 1)]
    heights = [
        [theme_height(theme, regulation, answers, sheet.key) for theme in themes]
        for themes in halves
    ]
    room = THEMES_BOTTOM - THEMES_TOP
    # Where everything is written and every box needs two lines, all shrinks together.
    scale = min(1.0, *(room / sum(column) for column in heights if column))
    for at, (themes, column) in enumerate(zip(halves, heights, strict=True)):
        y = THEMES_TOP
        spare = max(0.0, room - sum(column) * scale) / max(1, len(column))
        for theme, height in zip(themes, column, strict=True):
            draw_theme(
                paper,
                Rect(LEFT + at * (width + GAP), y, width, height * scale),
                theme,
                sheet.row,
                regulation,
                answers,
                sheet.key,
                scale,
                sheet.standings.removed,
            )
            y += height * scale + min(spare, 5.0)
    _footer(paper, sheet)


def _code(paper: Paper, sheet: _Sheet) -> float:
    """The code to the player's own page in the corner; returns the right edge of what is left."""
    if not sheet.page.code:
        return RIGHT
    if sheet.link:
        address = f"{sheet.link.rstrip('/')}/p/{sheet.page.code}.html"
        draw_pattern(paper, qr(address), Rect(RIGHT - QR_MM - 3, 9.0, QR_MM + 3, QR_MM + 3))
    words = fit(printed(sheet.page.code), BOLD, 9, 34 * MM, least=7, lines=1)
    y = 35.0 if sheet.link else 24.6
    paper.fitted(RIGHT, y, words, BOLD, align="right")
    caption = fit(_("your code"), REGULAR, 7.5, 30 * MM, least=5, lines=1)
    paper.fitted(RIGHT, y + 3.6, caption, align="right")
    return RIGHT - max(QR_MM + 3, 34.0) - 4.0


def _heading(paper: Paper, sheet: _Sheet, right: float) -> None:
    row, player = sheet.row, sheet.row.player
    room = right - LEFT
    subtitle = _("your answers")
    title = f"{sheet.standings.title} · {subtitle}"
    paper.fitted(LEFT, 14.5, fit(title, REGULAR, 10.5, room * MM, least=7.5, lines=1))
    name = fit(player.name, BOLD, 22, room * MM, least=12)
    last = paper.fitted(LEFT, 23.8 if len(name.lines) == 1 else 20.4, name, BOLD)
    about = " · ".join(
        part for part in (f"№ {player.number}", player.category, player.school, player.city) if part
    )
    paper.fitted(LEFT, last + 5.6, fit(about, REGULAR, 10.5, room * MM, least=7.0, lines=1))
    y = 38.0
    paper.line(LEFT, y + 3.0, RIGHT, y + 3.0, 0.3)
    _result(paper, sheet, y + 9.6)
    paper.line(LEFT, THEMES_TOP - 2.2, RIGHT, THEMES_TOP - 2.2, 0.3)
    if row.unconfirmed:
        warning = ngettext(
            "{n} answer is not confirmed yet: the score may change.",
            "{n} answers are not confirmed yet: the score may change.",
            row.unconfirmed,
        ).format(n=row.unconfirmed)
        words = fit(warning, BOLD, 9.5, room * MM, least=6.5, lines=1)
        paper.fitted(LEFT, y + 1.0, words, BOLD)


def _result(paper: Paper, sheet: _Sheet, baseline: float) -> None:
    """Score and place, large; beside them the distance and the counts."""
    row = sheet.row
    score = ngettext("{n} point", "{n} points", abs(row.score)).format(n=points_text(row.score))
    place = (
        _("place {places}").format(places=places_text(row.places))
        if row.places
        else status_text(row.status)
    )
    words = fit(f"{score} · {place}", BOLD, 20, 84 * MM, least=10, lines=1)
    paper.fitted(LEFT, baseline + 1.4, words, BOLD)
    x, room = LEFT + 90.0, (RIGHT - LEFT - 90.0) * MM
    away = distance_text(sheet.part, row)
    status = status_text(row.status)
    line = f"{status[:1].upper()}{status[1:]}. {away}" if row.status is not Status.TIED else away
    paper.fitted(x, baseline - 1.2, fit(line, BOLD, 10.5, room, least=6.5, lines=1), BOLD)
    counts = _("right {rights} · wrong {wrongs} · empty {blanks}").format(
        rights=row.rights, wrongs=row.wrongs, blanks=row.blanks
    )
    extra = []
    if row.brought:
        extra.append(_("brought {points}").format(points=points_text(row.brought)))
    if row.penalty:
        extra.append(_("penalty {points}").format(points=points_text(-abs(row.penalty))))
    text = " · ".join([counts, *extra])
    paper.fitted(x, baseline + 3.6, fit(text, REGULAR, 9.5, room, least=6, lines=1))


def _footer(paper: Paper, sheet: _Sheet) -> None:
    y = paper.height - 8.6
    legend = _(
        "tick: right · cross: wrong · dash: empty · ?: not confirmed · small print: as the computer "
        "read it, then what is accepted"
    )
    room = (RIGHT - LEFT) * 0.62 * MM
    paper.fitted(LEFT, y, fit(legend, REGULAR, 7.5, room, least=5.5, lines=1), grey=0.25)
    note = sheet.note or sheet.standings.title
    words = fit(note, REGULAR, 7.5, room * 0.55, least=5.5, lines=1)
    paper.fitted(RIGHT, y, words, align="right", grey=0.25)
