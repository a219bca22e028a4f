"""The list of the tied, as a sheet for their shoot-out: names, empty boxes for ±, and signatures."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.fitting import fit, paragraph
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper
from reports.sign_off import SIGN_OFF_MM, sign_off
from reports.wording import has_open_answers, points_text, provisional_text, tie_note, tied_rows
from scoring.model import CategoryStandings, Regulation, StandingRow, Standings

WIDTH, HEIGHT = 297.0, 210.0
LEFT, RIGHT = 12.0, 285.0
HEAD_MM = 14.0
ROW_MM = 12.5
USUAL_THEMES, MOST_THEMES = 3, 5
"""More themes a page would make boxes too small to write in; two sheets can be printed."""

NAME_MM, TOTAL_MM, PLACE_MM = 64.0, 17.0, 15.0


@dataclass(frozen=True)
class _Boxes:
    """Where the boxes are, mm."""

    themes: int
    nominals: tuple[int, ...]
    left: float
    theme: float
    box: float
    sum: float

    @classmethod
    def of(cls, themes: int, regulation: Regulation) -> _Boxes:
        left = LEFT + NAME_MM
        theme = (RIGHT - TOTAL_MM - PLACE_MM - left) / themes
        # The sum of a theme needs more room than a sign.
        box = min(11.0, theme / (len(regulation.nominals) + 1.6))
        return cls(themes, regulation.nominals, left, theme, box, 1.5 * box)

    def box_left(self, theme: int, row: int) -> float:
        """Theme and row from 0."""
        return self.left + theme * self.theme + row * self.box


def shootout_pdf(
    standings: Standings, *, themes: int | None = None, generated_note: str = ""
) -> bytes:
    """Print a sheet for every category with a tie across the line; the same input, the same bytes.

    Args:
        standings: Who is tied; the order of the rows does not matter.
        themes: How many themes the shoot-out has, 1 to 5; None takes the regulation's number, or 3
            where it has none.
        generated_note: Printed small at the foot of every page.

    Returns:
        A PDF; of one page that says so if there is no tie anywhere.

    Raises:
        ValueError: A sheet can't hold so many themes.
    """
    if themes is None:
        themes = min(standings.regulation.tie_rule.themes or USUAL_THEMES, MOST_THEMES)
    if not 1 <= themes <= MOST_THEMES:
        raise ValueError(f"{themes} themes")
    paper = Paper(WIDTH, HEIGHT, printable(standings.title))
    parts = [part for part in standings.categories if tied_rows(part)]
    for index, part in enumerate(parts):
        if index:
            paper.next_page()
        _category(paper, standings, part, themes, generated_note, f"tie-{index}")
    if not parts:
        room = (RIGHT - LEFT) * MM
        paper.fitted(LEFT, 24.6, fit(standings.title, BOLD, 20, room, least=12), BOLD)
        paper.text(LEFT, 48, _("There is no tie at the line in any category."), 12)
    return paper.finish()


def _category(
    paper: Paper, standings: Standings, part: CategoryStandings, themes: int, note: str, key: str
) -> None:
    rows = tied_rows(part)
    boxes = _Boxes.of(themes, standings.regulation)
    frame = PageFrame(
        standings.title,
        part.category,
        LEFT,
        RIGHT,
        subtitle=_("shoot-out at the line"),
        about=ngettext("{n} player", "{n} players", len(rows)).format(n=len(rows)),
        note=note,
        banner=provisional_text(standings, part) if has_open_answers(part) else "",
        legend=_("+ right · − wrong · an empty box: no answer"),
    )
    sentences = paragraph(tie_note(part), REGULAR, 11, (RIGHT - LEFT) * MM)
    top = frame.top + 2.0 + len(sentences) * 5.4
    blocks = [_row(row, boxes, index + 1) for index, row in enumerate(rows)]
    blocks.append(Block(SIGN_OFF_MM, lambda paper, y: sign_off(paper, y, LEFT, RIGHT)))
    pages = paginate(blocks, frame.bottom(paper) - top - HEAD_MM)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        for at, line in enumerate(sentences):
            paper.text(LEFT, frame.top + 3.6 + at * 5.4, line, 11)
        _head(paper, top, boxes)
        draw_blocks(paper, page, top + HEAD_MM, LEFT, RIGHT)


def _row(row: StandingRow, boxes: _Boxes, number: int) -> Block:
    room = (NAME_MM - 22.0) * MM
    name = fit(row.player.name, BOLD, 11.5, room, least=8.5, lines=4)
    about = fit(row.player.school, REGULAR, 7.5, room, least=6, lines=1)
    step = name.size * LEADING / MM
    text_mm = name.size * CAP_HEIGHT / MM + (len(name.lines) - 1) * step
    height = max(ROW_MM, text_mm + (7.6 if row.player.school else 4.0))

    def draw(paper: Paper, y: float) -> None:
        first = y + 2.2 + name.size * CAP_HEIGHT / MM
        paper.text(LEFT + 5.0, first, str(number), 10, align="right", grey=0.3)
        last = paper.fitted(LEFT + 7.0, first, name, BOLD)
        paper.fitted(LEFT + 7.0, last + 3.6, about)
        paper.text(LEFT + NAME_MM - 1.8, first, points_text(row.score), 10, align="right")
        side = min(height, ROW_MM) - 2.4
        for theme in range(boxes.themes):
            for at in range(len(boxes.nominals)):
                x = boxes.box_left(theme, at)
                paper.frame(x + 0.5, y + (height - side) / 2, boxes.box - 1.0, side, 0.2, grey=0.25)
            x = boxes.box_left(theme, len(boxes.nominals))
            paper.frame(x + 0.5, y + (height - side) / 2, boxes.sum - 1.0, side, 0.45)
        for x, width in (
            (RIGHT - TOTAL_MM - PLACE_MM, TOTAL_MM),
            (RIGHT - PLACE_MM, PLACE_MM),
        ):
            paper.frame(x + 1.0, y + (height - side) / 2, width - 2.0, side, 0.6)
        paper.line(LEFT, y + height, RIGHT, y + height, 0.1, grey=0.5)

    return Block(height, draw)


def _head(paper: Paper, y: float, boxes: _Boxes) -> None:
    baseline = y + HEAD_MM - 2.6

    def caption(x: float, text: str, room: float, align: str) -> None:
        words = fit(text, REGULAR, 8.5, room * MM, least=5, lines=1)
        paper.fitted(x, baseline, words, align=align)

    caption(LEFT + 7.0, pgettext("standings", "player"), 30, "left")
    caption(LEFT + NAME_MM - 1.8, pgettext("standings", "score"), 14, "right")
    for theme in range(boxes.themes):
        left = boxes.box_left(theme, 0)
        words = fit(_("Theme {number}").format(number=theme + 1), BOLD, 9.5, 22 * MM, lines=1)
        paper.fitted(left + 0.6, y + 5.2, words, BOLD)
        # Its title is announced in the hall and written here.
        end = left + len(boxes.nominals) * boxes.box + boxes.sum - 0.5
        paper.line(left + 18.0, y + 5.6, end, y + 5.6, 0.15, grey=0.4)
        for at, nominal in enumerate(boxes.nominals):
            caption(boxes.box_left(theme, at) + boxes.box / 2, str(nominal), boxes.box, "center")
        x = boxes.box_left(theme, len(boxes.nominals)) + boxes.sum / 2
        caption(x, pgettext("shoot-out", "sum"), boxes.sum, "center")
    caption(RIGHT - PLACE_MM - TOTAL_MM / 2, pgettext("shoot-out", "total"), TOTAL_MM - 1, "center")
    caption(RIGHT - PLACE_MM / 2, pgettext("standings", "place"), PLACE_MM - 1, "center")
    paper.line(LEFT, y + HEAD_MM - 1.0, RIGHT, y + HEAD_MM - 1.0, 0.4)
