"""The jury's protocol: all cells of every player, so that anybody can add up a score.

A4 on its side, every category on pages of its own. A right answer is its points in bold, a wrong one its
negative points on a tint, an empty box a dot, an unconfirmed one a question mark, a removed question
a cross.
"""

from __future__ import annotations

from functools import partial

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.decided_notes import decided_sentences, note_blocks
from reports.fitting import fit
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, MM, REGULAR, printable
from reports.order import ordered
from reports.page_frame import PageFrame, category_frame
from reports.paper import Paper
from reports.protocol_rows import LEFT, REMOVED, RIGHT, Grid, player_block, totals_block
from reports.shown_names import Names, shown_standings
from reports.wording import is_listed
from scoring.model import CategoryStandings, StandingRow, Standings, Status

WIDTH, HEIGHT = 297.0, 210.0
HEAD_MM = 11.0
NOTE_SIZE = 8.5


def protocol_pdf(
    standings: Standings,
    *,
    generated_note: str = "",
    provisional: bool | None = None,
    names: Names | str = Names.FULL,
) -> bytes:
    """Print the protocol in the current language; the same standings give the same bytes.

    Args:
        standings: What to print; the order of the rows does not matter.
        generated_note: Printed small at the foot of every page.
        provisional: As in `reports.standings_pdf.standings_pdf`.
        names: How the players are called.

    Returns:
        A PDF with at least one page.
    """
    standings = shown_standings(standings, Names(names))
    banner = bool(provisional) or standings.unconfirmed > 0
    legend = _("20 right · {minus}20 wrong · a dot: no answer · ? not confirmed").format(minus="−")
    if standings.removed:
        legend += " · " + _("{sign} removed").format(sign=REMOVED)
    paper = Paper(WIDTH, HEIGHT, printable(standings.title))
    for index, part in enumerate(standings.categories):
        if index:
            paper.next_page()
        subtitle = _("the jury's protocol")
        frame = category_frame(
            standings,
            part,
            LEFT,
            RIGHT,
            subtitle=subtitle,
            note=generated_note,
            provisional=banner,
            legend=legend,
        )
        _category(paper, frame, standings, part, f"category-{index}")
    if not standings.categories:
        paper.fitted(
            LEFT, 24.6, fit(standings.title, BOLD, 20, (RIGHT - LEFT) * MM, least=12), BOLD
        )
        paper.text(LEFT, 48, pgettext("standings", "There are no players yet."), 12)
    return paper.finish()


def _category(
    paper: Paper, frame: PageFrame, standings: Standings, part: CategoryStandings, key: str
) -> None:
    grid = Grid.of(standings)
    top = frame.top + HEAD_MM
    notes = note_blocks(decided_sentences(standings, part), LEFT, RIGHT, NOTE_SIZE)
    pages = paginate([*_blocks(part, grid), *notes], frame.bottom(paper) - top)
    for number, blocks in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        _head(paper, frame.top, grid)
        end = draw_blocks(paper, blocks, top, LEFT, RIGHT)
        # The columns end with the table: the notes below it go over its whole width.
        below = sum(block.height for block in blocks if block in notes)
        _theme_lines(paper, frame.top, end - below, grid)


def _blocks(part: CategoryStandings, grid: Grid) -> list[Block]:
    rows = ordered(part.rows)
    last_in = max((at for at, row in enumerate(rows) if row.status is Status.IN), default=-1)
    last_tied = max((at for at, row in enumerate(rows) if row.status is Status.TIED), default=-1)
    to_block = partial(player_block, grid=grid)
    blocks = [
        to_block(row, thick=at == last_in, dashed=at == last_tied) for at, row in enumerate(rows)
    ]
    present = [row for row in rows if is_listed(row)]
    if present:
        blocks += _totals(present, grid)
    return blocks


def _totals(rows: list[StandingRow], grid: Grid) -> list[Block]:
    """How many took each question and how many erred on it."""
    columns = list(zip(*(row.cells for row in rows), strict=True))
    rights = [sum(points is not None and points > 0 for points in column) for column in columns]
    wrongs = [sum(points is not None and points < 0 for points in column) for column in columns]
    return [
        totals_block(_("right answers to the question"), rights, grid, with_next=True),
        totals_block(_("wrong answers to the question"), wrongs, grid),
    ]


def _head(paper: Paper, y: float, grid: Grid) -> None:
    """Themes and nominals, repeated on every page; `y` is the upper edge."""
    baseline = y + HEAD_MM - 3.2
    for x, text, align in (
        (grid.place, pgettext("standings", "place"), "right"),
        (grid.number, "№", "right"),
        (grid.name, pgettext("standings", "player"), "left"),
        (grid.score, pgettext("standings", "score"), "right"),
    ):
        paper.fitted(x, baseline, fit(text, REGULAR, 8, 12 * MM, least=5, lines=1), align=align)
    for theme in range(grid.themes):
        left = grid.cell_left(theme, 0)
        caption = fit(
            _("Theme {number}").format(number=theme + 1),
            BOLD,
            9,
            (grid.theme_width - 1) * MM,
            least=5,
            lines=1,
        )
        paper.fitted(left + grid.theme_width / 2, y + 2.8, caption, BOLD, align="center")
        for row, nominal in enumerate(grid.nominals):
            x = grid.cell_left(theme, row) + grid.cell / 2
            words = fit(str(nominal), REGULAR, 6.5, (grid.cell - 0.3) * MM, least=3.5, lines=1)
            paper.fitted(x, baseline, words, align="center")
        paper.fitted(
            grid.sum_right(theme),
            baseline,
            fit("=", BOLD, 8, grid.sum * MM, lines=1),
            BOLD,
            align="right",
        )
    paper.line(LEFT, y + HEAD_MM - 1.2, RIGHT, y + HEAD_MM - 1.2, 0.5)


def _theme_lines(paper: Paper, top: float, end: float, grid: Grid) -> None:
    for theme in range(grid.themes + 1):
        x = grid.cell_left(theme, 0) if theme < grid.themes else grid.right
        paper.line(x, top, x, end, 0.15, grey=0.35)
