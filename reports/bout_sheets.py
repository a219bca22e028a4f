"""Bout sheets: the whole draw, then for every bout a landscape A4 sheet for the host's table."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.bout_draw import BoutDraw, draw_page
from reports.bout_panel import Panel, heights
from reports.fitting import fit
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper
from scoring.model import Player
from scoring.rules import Part
from scoring.seeding import Method

WIDTH, HEIGHT = 297.0, 210.0
LEFT, RIGHT = 12.0, 285.0
CARD_MM = 16.0
CARD_GAP_MM = 3.0
PANEL_GAP_MM = 6.0
SIGN_MM = 14.0
MOST_PANELS, MOST_ROWS = 3, 20
"""So many panels side by side on a page, and so many rows in one: more would be too small to mark."""

MOST_PLAYERS = 6

BOX_MM = 12.0


@dataclass(frozen=True)
class _Theme:
    """One theme of the stage: its number from 1, the part it belongs to, and its nominals."""

    number: int
    part: str
    nominals: tuple[int, ...]


def bout_sheets_pdf(
    title: str,
    category: str,
    bouts: Sequence[Sequence[int]],
    players: Mapping[int, Player],
    *,
    parts: Sequence[Part],
    seed: str = "",
    method: Method = Method.SNAKE,
    conflicts: Sequence[tuple[int, int]] = (),
    proven: bool = False,
    places: Mapping[int, tuple[int, int] | None] | None = None,
    stage: str = "",
    branches: int = 1,
    apart: Sequence[int] = (),
    reserves: Sequence[int] = (),
    generated_note: str = "",
) -> bytes:
    """Print the draw and the sheets in the current language; the same input gives the same bytes.

    Args:
        title: The tournament's title.
        category: Whose bouts.
        bouts: The players' numbers bout by bout, best first; six in one at most.
        players: Number → player, for all who are in a bout or in the reserve.
        parts: What is played in a bout: so many themes of these nominals, part by part. A stage with
            many themes takes several pages a bout.
        seed: The recorded seed of a draw.
        method: By the snake or drawn.
        conflicts: Pairs of mates who meet in a bout.
        proven: No split by this method has fewer of them.
        places: Number → places in the standings, where known.
        stage: What the stage is called; printed on the sheets.
        branches: Into how many branches of the grid the bouts fall, in order.
        apart: Numbers of further players who are kept apart, beside mates.
        reserves: Numbers of the reserves, in the order in which they are called.
        generated_note: Printed small at the foot of every page.

    Raises:
        KeyError: A player of a bout is missing.
        ValueError: A bout has more players than a sheet can hold.
    """
    if max((len(bout) for bout in bouts), default=0) > MOST_PLAYERS:
        raise ValueError(f"more than {MOST_PLAYERS} players in a bout")
    draw = BoutDraw(
        title,
        category,
        bouts,
        players,
        method,
        seed,
        conflicts,
        proven,
        places or {},
        generated_note,
        branches,
        apart,
        reserves,
    )
    paper = Paper(WIDTH, HEIGHT, printable(title))
    draw_page(paper, draw)
    pages = _pages(parts)
    for at, bout in enumerate(bouts, start=1):
        for page, panels in enumerate(pages, start=1):
            paper.next_page()
            if page == 1:
                paper.bookmark(_("Bout {number}").format(number=at), f"bout-{at}")
            _sheet(paper, draw, stage, at, bout, panels, (page, len(pages)))
    return paper.finish()


def _themes(parts: Sequence[Part]) -> list[_Theme]:
    themes: list[_Theme] = []
    for part in parts:
        themes += [
            _Theme(len(themes) + at, part.name, part.nominals) for at in range(1, part.themes + 1)
        ]
    return themes


def _pages(parts: Sequence[Part]) -> list[list[list[_Theme]]]:
    """Themes by page and panel, spread evenly: four are two panels of two, not three and one."""
    themes = _themes(parts)
    most = max(1, MOST_ROWS // max((len(theme.nominals) + 1 for theme in themes), default=1))
    pages = max(1, -(-len(themes) // (MOST_PANELS * most)))
    return [_evenly(page, max(1, -(-len(page) // most))) for page in _evenly(themes, pages)]


def _evenly(themes: list[_Theme], count: int) -> list[list[_Theme]]:
    size, more = divmod(len(themes), count)
    ends = [0]
    for at in range(count):
        ends.append(ends[-1] + size + (at < more))
    return [themes[start:end] for start, end in itertools.pairwise(ends)]


def _sheet(
    paper: Paper,
    draw: BoutDraw,
    stage: str,
    at: int,
    bout: Sequence[int],
    panels: list[list[_Theme]],
    page: tuple[int, int],
) -> None:
    frame = PageFrame(
        draw.title,
        _("Bout {number}").format(number=at),
        LEFT,
        RIGHT,
        subtitle=stage,
        about=draw.category,
        note=draw.note,
        legend=_("+ right · − wrong · an empty box: no answer"),
    )
    frame.draw(paper, *page)
    _cards(paper, draw, bout, frame.top - 1.0)
    top = frame.top + CARD_MM + 2.5
    bottom = frame.bottom(paper) - SIGN_MM
    width = (RIGHT - LEFT - (len(panels) - 1) * PANEL_GAP_MM) / len(panels)
    names = [draw.players[number].name for number in bout]
    sizes = heights([[theme.nominals for theme in panel] for panel in panels], bottom - top)
    for index, themes in enumerate(panels):
        panel = Panel(LEFT + index * (width + PANEL_GAP_MM), width, names, sizes)
        panel.draw(paper, top, [(theme.number, theme.part, theme.nominals) for theme in themes])
    _signatures(paper, frame.bottom(paper))


def _cards(paper: Paper, draw: BoutDraw, bout: Sequence[int], y: float) -> None:
    """Who plays: seat, name in full, school, place; beside it two boxes for the outcome."""
    count = max(len(bout), 1)
    width = (RIGHT - LEFT - (count - 1) * CARD_GAP_MM) / count
    side = min(BOX_MM, width * 0.19)
    for seat, number in enumerate(bout, start=1):
        player = draw.players[number]
        x = LEFT + (seat - 1) * (width + CARD_GAP_MM)
        right = x + width
        paper.frame(x, y, width, CARD_MM, 0.3)
        paper.text(x + 4.6, y + CARD_MM / 2 + 2.4, str(seat), 19, BOLD, align="center")
        room = (width - 9.4 - 2 * side - 2.0) * MM
        name = fit(player.name, BOLD, 12.5, room, least=7.5, lines=3)
        first = y + (5.6 if len(name.lines) == 1 else 1.8 + name.size * CAP_HEIGHT / MM)
        last = paper.fitted(x + 9.4, first, name, BOLD)
        place = draw.place(number)
        about = [player.school, _("place {place}").format(place=place) if place else ""]
        words = fit(", ".join(text for text in about if text), REGULAR, 8, room, least=6, lines=1)
        paper.fitted(x + 9.4, min(last + words.size * LEADING / MM + 0.9, y + 14.9), words)
        for box, caption in enumerate(
            (pgettext("shoot-out", "total"), pgettext("standings", "place"))
        ):
            left = right - (2 - box) * side
            paper.line(left, y, left, y + CARD_MM, 0.15)
            label = fit(caption, REGULAR, 7, (side - 1.4) * MM, least=4.5, lines=1)
            paper.fitted(left + side / 2, y + 3.2, label, align="center")


def _signatures(paper: Paper, bottom: float) -> None:
    """One line each for the host, the judge at the table and the time, on the sheet's foot."""
    baseline = bottom - 4.6
    roles = (pgettext("bout", "Host"), pgettext("bout", "Judge"), pgettext("bout", "Date, time"))
    width = (RIGHT - LEFT) / len(roles)
    for at, role in enumerate(roles):
        x = LEFT + at * width
        words = fit(role, REGULAR, 10, 30 * MM, least=7, lines=1)
        paper.fitted(x, baseline, words)
        paper.line(x + 32.0 - 8.0, baseline + 0.6, x + width - 8.0, baseline + 0.6, 0.2)
        if at < 2:
            caption = fit(_("signature"), REGULAR, 6.5, 30 * MM, lines=1)
            paper.fitted(x + 24.0, baseline + 3.4, caption, grey=0.35)
