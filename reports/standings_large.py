"""The standings in large print: place, name and score, to be read in a corridor from two metres.

Twenty points are 5 mm of capital height: the angle of 8 minutes at which a sign is read with ease needs
4.7 mm at two metres.
"""

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

LEFT, RIGHT = 12.0, 198.0
HEAD_MM = 11.0
LEAST = 20.0
"""No text of the table is smaller, points."""

NAME_SIZE, PLACE_SIZE = 24.0, 26.0
PLACE, NAME, SCORE = LEFT + 33.0, LEFT + 38.0, RIGHT - 3.0


def large(_regulation: Regulation) -> Layout:
    """A4 upright, nothing under 20 points in the table."""
    return Layout(
        210.0,
        297.0,
        LEFT,
        RIGHT,
        HEAD_MM,
        _head,
        _row,
        words=LEAST,
        tie_size=LEAST,
        note_size=LEAST,
        cut_line=2.2,
        large=True,
    )


def _row(row: StandingRow, with_next: bool) -> Block:
    font = BOLD if row.status is Status.IN else REGULAR
    room = (SCORE - NAME - 24.0) * MM
    # Sixty of the widest letters take six lines at twenty points.
    name = fit(row.player.name, font, NAME_SIZE, room, least=LEAST, lines=6)
    first = 2.2 + PLACE_SIZE * CAP_HEIGHT / MM
    height = first + (len(name.lines) - 1) * name.size * LEADING / MM + 3.0

    def draw(paper: Paper, y: float) -> None:
        if row.status is Status.TIED:
            paper.fill([(LEFT, y, RIGHT - LEFT, height)], grey=TIE_TINT)
            paper.fill([(LEFT, y, 1.8, height)])
            paper.line(LEFT, y, RIGHT, y, 0.15, grey=0.4)
        paper.line(LEFT, y + height, RIGHT, y + height, 0.15, grey=0.4)
        paper.fitted(NAME, y + first, name, font)
        if row.status is Status.ABSENT or row.exempt:
            return
        mark = f"{TIE_MARK} " if row.status is Status.TIED else ""
        place = mark + (places_text(row.places) or "")
        if row.status.value == "reserve":
            place = f"{status_text(row.status)[:1]} {place}"
        words = fit(place, BOLD, PLACE_SIZE, (PLACE - LEFT - 2) * MM, least=LEAST * 0.8, lines=1)
        paper.fitted(PLACE, y + first, words, BOLD, align="right")
        score = fit(points_text(row.score), BOLD, PLACE_SIZE, 22 * MM, least=LEAST, lines=1)
        paper.fitted(SCORE, y + first, score, BOLD, align="right")
        if row.unconfirmed:
            paper.text(SCORE + 0.2, y + first, "*", LEAST, BOLD)

    return Block(height, draw, with_next)


def _head(paper: Paper, y: float) -> None:
    for x, text, align in (
        (PLACE, pgettext("standings", "place"), "right"),
        (NAME, pgettext("standings", "player"), "left"),
        (SCORE, pgettext("standings", "score"), "right"),
    ):
        words = fit(text, REGULAR, LEAST, 60 * MM, least=LEAST, lines=1)
        paper.fitted(x, y + 7.0, words, align=align)
    paper.line(LEFT, y + HEAD_MM - 1.0, RIGHT, y + HEAD_MM - 1.0, 0.7)
