"""The standings on a page on its side: school and town, sums by theme, rights by nominal."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit
from reports.flow import Block
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR
from reports.order import rights_by_nominal, theme_sums
from reports.paper import LEADING, Paper
from reports.standings_layout import Layout
from reports.standings_rows import TIE_MARK, TIE_TINT, about_player
from reports.wording import places_text, points_text
from scoring.model import Regulation, StandingRow, Status

LEFT, RIGHT = 12.0, 285.0
HEAD_MM = 10.5

NAME_SIZE, NAME_LEAST, NAME_LINES = 11.5, 9.0, 3

MOST_THEMES, MOST_NOMINALS = 16, 6
"""More columns than this don't fit beside names and schools; the protocol shows them all."""


@dataclass(frozen=True)
class _Columns:
    """Right edges of the numbers, left edges of the texts, mm."""

    place: float
    number: float
    name: float
    name_width: float
    school: float
    school_width: float
    themes: tuple[float, ...]
    theme_width: float
    nominals: tuple[float, ...]
    nominal_width: float
    wrong: float
    score: float

    @classmethod
    def of(cls, regulation: Regulation) -> _Columns:
        score, wrong = RIGHT - 2.0, RIGHT - 18.5
        nominal_width = 6.2
        kinds = len(regulation.nominals) if len(regulation.nominals) <= MOST_NOMINALS else 0
        nominals = tuple(wrong - 10.5 - nominal_width * (kinds - 1 - at) for at in range(kinds))
        edge = (nominals[0] - nominal_width if nominals else wrong - 9.0) - 2.5
        count = regulation.themes if regulation.themes <= MOST_THEMES else 0
        theme_width = 10.4 if count <= 8 else 83.2 / count
        themes = tuple(edge - theme_width * (count - 1 - at) for at in range(count))
        edge = themes[0] - theme_width if themes else edge
        name = LEFT + 27.5
        texts = edge - name - 1.0
        return cls(
            place=LEFT + 16.5,
            number=LEFT + 25.5,
            name=name,
            name_width=texts * 0.58 - 2.0,
            school=name + texts * 0.58,
            school_width=texts * 0.42,
            themes=themes,
            theme_width=theme_width,
            nominals=nominals,
            nominal_width=nominal_width,
            wrong=wrong,
            score=score,
        )


def landscape(regulation: Regulation) -> Layout:
    """A4 on its side."""
    columns = _Columns.of(regulation)
    return Layout(
        297.0,
        210.0,
        LEFT,
        RIGHT,
        HEAD_MM,
        lambda paper, y: _head(paper, y, columns, regulation),
        lambda row, with_next: _row(row, regulation, columns, with_next),
    )


def _row(row: StandingRow, regulation: Regulation, columns: _Columns, with_next: bool) -> Block:
    font = BOLD if row.status is Status.IN else REGULAR
    room = columns.name_width * MM
    name = fit(row.player.name, font, NAME_SIZE, room, least=NAME_LEAST, lines=NAME_LINES + 1)
    school = fit(
        about_player(row), REGULAR, 9.0, columns.school_width * MM, least=7.0, lines=NAME_LINES
    )
    first = 1.6 + NAME_SIZE * CAP_HEIGHT / MM
    deepest = max(
        (len(name.lines) - 1) * name.size * LEADING / MM,
        (len(school.lines) - 1) * school.size * LEADING / MM,
    )
    height = first + deepest + 1.9

    def draw(paper: Paper, y: float) -> None:
        if row.status is Status.TIED:
            paper.fill([(LEFT, y, RIGHT - LEFT, height)], grey=TIE_TINT)
            paper.fill([(LEFT, y, 1.4, height)])
            paper.line(LEFT, y, RIGHT, y, 0.1, grey=0.5)
        paper.line(LEFT, y + height, RIGHT, y + height, 0.1, grey=0.5)
        paper.fitted(columns.name, y + first, name, font)
        paper.fitted(columns.school, y + first, school)
        paper.text(columns.number, y + first, str(row.player.number), 9, align="right")
        if row.status is not Status.ABSENT and not row.exempt:
            _figures(paper, y + first, row, regulation, columns)

    return Block(height, draw, with_next)


def _figures(
    paper: Paper, baseline: float, row: StandingRow, regulation: Regulation, columns: _Columns
) -> None:
    tied = row.status is Status.TIED
    place = fit(places_text(row.places), BOLD, 12, (10.5 if tied else 15.0) * MM, least=6, lines=1)
    paper.fitted(columns.place, baseline, place, BOLD, align="right")
    if tied:
        paper.text(LEFT + 2.6, baseline, TIE_MARK, 12, BOLD)

    def figure(x: float, text: str, size: float, room: float) -> None:
        words = fit(text, REGULAR, size, room * MM, least=5, lines=1)
        paper.fitted(x, baseline, words, align="right")

    for x, points in zip(columns.themes, theme_sums(row, regulation), strict=False):
        figure(x, points_text(points), 9.5, columns.theme_width - 0.8)
    for x, count in zip(columns.nominals, rights_by_nominal(row, regulation), strict=False):
        figure(x, str(count), 9.0, columns.nominal_width - 0.8)
    figure(columns.wrong, str(row.wrongs), 9.5, 9)
    score = fit(points_text(row.score), BOLD, 13, 15 * MM, least=8, lines=1)
    paper.fitted(columns.score, baseline, score, BOLD, align="right")
    if row.unconfirmed:
        paper.text(columns.score + 0.3, baseline, "*", 11, BOLD)


def _head(paper: Paper, y: float, columns: _Columns, regulation: Regulation) -> None:
    baseline = y + 7.4

    def caption(x: float, text: str, room: float, align: str, size: float = 8.5) -> None:
        paper.fitted(
            x, baseline, fit(text, REGULAR, size, room * MM, least=5, lines=1), align=align
        )

    def over(first: float, last: float, text: str) -> None:
        words = fit(text, REGULAR, 7.5, (last - first) * MM, least=4.5, lines=1)
        paper.fitted((first + last) / 2, y + 2.8, words, align="center")
        paper.line(first, y + 3.8, last, y + 3.8, 0.12)

    caption(columns.place, pgettext("standings", "place"), 14, "right")
    caption(columns.number, "№", 9, "right")
    caption(columns.name, pgettext("standings", "player"), columns.name_width, "left")
    caption(columns.school, pgettext("standings", "school"), columns.school_width, "left")
    if columns.themes:
        over(
            columns.themes[0] - columns.theme_width + 1.6,
            columns.themes[-1],
            pgettext("standings", "points by theme"),
        )
        for theme, x in enumerate(columns.themes, start=1):
            caption(x, str(theme), columns.theme_width - 1, "right", 8.5)
    if columns.nominals:
        over(
            columns.nominals[0] - columns.nominal_width + 1.0,
            columns.nominals[-1],
            _("right, by value"),
        )
        for x, nominal in zip(columns.nominals, regulation.nominals, strict=True):
            caption(x, str(nominal), columns.nominal_width - 0.6, "right", 7.5)
    caption(columns.wrong, pgettext("standings", "wrong"), 9.5, "right", 7.5)
    caption(columns.score, pgettext("standings", "score"), 15, "right")
    paper.line(LEFT, y + HEAD_MM - 1.0, RIGHT, y + HEAD_MM - 1.0, 0.5)
