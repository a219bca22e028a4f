"""The standings in three narrow columns: a big category on few pages."""

from __future__ import annotations

from otbor.i18n import pgettext
from reports.fitting import fit
from reports.flow import Block
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.paper import LEADING, Paper
from reports.standings_layout import Layout
from reports.standings_rows import TIE_MARK, TIE_TINT
from reports.wording import places_text, points_text, status_text
from scoring.model import Regulation, StandingRow, Status

LEFT, RIGHT = 12.0, 70.0
GAP = 6.0
HEAD_MM = 6.0
PLACE, NUMBER, NAME, SCORE = LEFT + 10.5, LEFT + 17.5, LEFT + 18.7, RIGHT - 1.4
NAME_SIZE, NAME_LEAST, NAME_LINES = 8.5, 7.0, 6
ROW_MM = 4.35


def narrow_columns(_regulation: Regulation) -> Layout:
    """A4 upright, three columns."""
    return Layout(
        210.0,
        297.0,
        LEFT,
        RIGHT,
        HEAD_MM,
        _head,
        _row,
        words=8.5,
        tie_size=8.5,
        note_size=8.0,
        columns=3,
        gap=GAP,
        cut_line=1.0,
    )


def _row(row: StandingRow, with_next: bool) -> Block:
    font = BOLD if row.status is Status.IN else REGULAR
    room = (SCORE - NAME - 8.5) * MM
    name = fit(row.player.name, font, NAME_SIZE, room, least=NAME_LEAST, lines=NAME_LINES)
    first = 1.0 + NAME_SIZE * CAP_HEIGHT / MM
    height = ROW_MM + (len(name.lines) - 1) * name.size * LEADING / MM

    def draw(paper: Paper, y: float) -> None:
        if row.status is Status.TIED:
            paper.fill([(LEFT, y, RIGHT - LEFT, height)], grey=TIE_TINT)
            paper.line(LEFT, y, RIGHT, y, 0.08, grey=0.5)
        paper.line(LEFT, y + height, RIGHT, y + height, 0.08, grey=0.5)
        baseline = y + first
        paper.fitted(NAME, baseline, name, font)
        paper.text(NUMBER, baseline, str(row.player.number), 6.5, align="right")
        if row.status is Status.ABSENT or row.exempt:
            return
        place = f"{TIE_MARK} " if row.status is Status.TIED else ""
        text = place + places_text(row.places)
        if row.status.value == "reserve":
            text = f"{status_text(row.status)[:1]} {text}"
        words = fit(text, BOLD, 8.5, 10.3 * MM, least=4.5, lines=1)
        paper.fitted(PLACE, baseline, words, BOLD, align="right")
        score = fit(points_text(row.score), BOLD, 9.0, 8 * MM, least=6, lines=1)
        paper.fitted(SCORE, baseline, score, BOLD, align="right")
        if row.unconfirmed:
            paper.text(SCORE + 0.1, baseline, "*", 8, BOLD)

    return Block(height, draw, with_next)


def _head(paper: Paper, y: float) -> None:
    for x, text, align in (
        (PLACE, pgettext("standings", "place"), "right"),
        (NUMBER, "№", "right"),
        (NAME, pgettext("standings", "player"), "left"),
        (SCORE, pgettext("standings", "score"), "right"),
    ):
        words = fit(text, REGULAR, 7.0, 10 * MM, least=5, lines=1)
        paper.fitted(x, y + 3.4, words, align=align)
    paper.line(LEFT, y + HEAD_MM - 1.0, RIGHT, y + HEAD_MM - 1.0, 0.4)
