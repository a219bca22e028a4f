"""One theme on a player's page: its heading with the sum, and a line for every box."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit, shorten
from reports.fonts import BOLD, ITALIC, MM, REGULAR, printable
from reports.marks import verdict_mark
from reports.order import theme_sums
from reports.own_page import OwnAnswer, accepted_text, theme_title
from reports.paper import Paper, text_width
from reports.pictures import Picture
from reports.wording import points_text
from scanner.geometry import Rect
from scoring.model import AnswerKey, Regulation, StandingRow, Verdict

HEADING_MM = 7.4
WRITTEN_MM, TEXT_MM, EMPTY_MM = 7.4, 3.4, 4.2
"""Heights of a line: the picture, the words under it, a box left empty."""

WRONG_TINT = 0.9
NOMINAL_MM, MARK_MM, POINTS_MM = 8.0, 6.0, 9.5

Answers = Mapping[tuple[int, int], OwnAnswer]


def theme_height(
    theme: int, regulation: Regulation, answers: Answers, key: AnswerKey | None
) -> float:
    """Height of a theme at full size, mm."""
    lines = (
        _line_height(answers.get((theme, nominal)), key, theme, nominal)
        for nominal in regulation.nominals
    )
    return HEADING_MM + sum(lines)


def draw_theme(
    paper: Paper,
    rect: Rect,
    theme: int,
    row: StandingRow,
    regulation: Regulation,
    answers: Answers,
    key: AnswerKey | None,
    scale: float,
    removed: Collection[tuple[int, int]] = (),
) -> None:
    """Draw a theme into a rectangle of the height that `theme_height` gave, times `scale`.

    `removed` are the questions written off, as (theme, nominal): they say so in place of points.
    """
    _heading(paper, rect, theme, theme_sums(row, regulation)[theme - 1], key, scale)
    y = rect.y + HEADING_MM * scale
    for nominal in regulation.nominals:
        answer = answers.get((theme, nominal))
        height = _line_height(answer, key, theme, nominal) * scale
        line = Rect(rect.x, y, rect.width, height)
        points = _points_text(answer, (theme, nominal) in removed)
        _line(paper, line, nominal, answer, points, accepted_text(key, theme, nominal), scale)
        y += height


def _is_small(answer: OwnAnswer | None) -> bool:
    return answer is None or answer.verdict is Verdict.BLANK


def _points_text(answer: OwnAnswer | None, removed: bool) -> str:
    if removed:
        return pgettext("statistics", "removed")
    if answer is None or answer.points is None:
        return ""
    return f"+{answer.points}" if answer.points > 0 else points_text(answer.points)


def _line_height(
    answer: OwnAnswer | None, key: AnswerKey | None, theme: int, nominal: int
) -> float:
    if answer is None or _is_small(answer):
        return EMPTY_MM
    words = answer.reading or accepted_text(key, theme, nominal)
    return WRITTEN_MM + (TEXT_MM if words else 0.0) if answer.crop else WRITTEN_MM


def _heading(
    paper: Paper, rect: Rect, theme: int, points: int, key: AnswerKey | None, scale: float
) -> None:
    baseline = rect.y + (HEADING_MM - 2.2) * scale
    total = points_text(points)
    paper.text(rect.right, baseline, total, 10.5, BOLD, align="right")
    room = rect.width - text_width(total, BOLD, 10.5) - 3.0
    caption = _("Theme {number}").format(number=theme)
    title = theme_title(key, theme)
    text = f"{caption}. {title}" if title else caption
    paper.fitted(rect.x, baseline, fit(text, BOLD, 10.5, room * MM, least=7, lines=1), BOLD)
    paper.line(rect.x, baseline + 1.5, rect.right, baseline + 1.5, 0.25)


def _line(
    paper: Paper,
    rect: Rect,
    nominal: int,
    answer: OwnAnswer | None,
    points: str,
    accepted: str,
    scale: float,
) -> None:
    if answer is not None and answer.verdict is Verdict.WRONG:
        tint = (rect.x, rect.y + 0.1, rect.width, rect.height - 0.2)
        paper.fill([tint], grey=WRONG_TINT)
    paper.line(rect.x, rect.bottom, rect.right, rect.bottom, 0.1, grey=0.6)
    small = _is_small(answer)
    middle = (
        rect.y + (rect.height if small or not answer or not answer.crop else WRITTEN_MM * scale) / 2
    )
    size = 7.5 if small else 10.0
    paper.text(
        rect.x + NOMINAL_MM - 1.8,
        middle + size * 0.12,
        str(nominal),
        size,
        REGULAR if small else BOLD,
        align="right",
        grey=0.45 if small else 0.0,
    )
    mark_x = rect.right - POINTS_MM - MARK_MM / 2
    if answer is None:
        return
    verdict_mark(paper, mark_x, middle, answer.verdict, 2.6 if small else 4.2 * scale)
    left, right = rect.x + NOMINAL_MM, rect.right - POINTS_MM - MARK_MM - 1.0
    room = (right - left) * MM
    if small:
        # So that a faint answer taken for an empty box is still seen by its writer.
        if answer.crop and (shown := _crop(paper, answer.crop, left, right, rect, 0.4)):
            left, room = left + shown + 2.0, room - (shown + 2.0) * MM
        words = fit(accepted, ITALIC, 7.0, room, least=5.5, lines=1)
        paper.fitted(left, middle + 0.85, words, ITALIC, grey=0.4)
        return
    words = fit(points, BOLD, 10.5, (POINTS_MM - 1.2) * MM, least=6, lines=1)
    paper.fitted(rect.right - 0.8, middle + 1.25, words, BOLD, align="right")
    if answer.crop and _crop(
        paper, answer.crop, left, right, Rect(rect.x, rect.y, rect.width, WRITTEN_MM * scale), 0.45
    ):
        _words(paper, left, rect.bottom - 1.1 * scale, answer.reading, accepted, room)
    else:
        _words(paper, left, middle + 1.1, answer.reading, accepted, room)


def _words(
    paper: Paper, x: float, baseline: float, reading: str, accepted: str, room: float
) -> None:
    """The reading in roman, then what is accepted in italics, on one line."""
    size = 7.5
    reading = printable(reading)
    if accepted and reading:
        reading = shorten(reading, REGULAR, size, room * 0.55)
    elif reading:
        reading = shorten(reading, REGULAR, size, room)
    if reading:
        paper.text(x, baseline, reading, size)
        used = text_width(reading, REGULAR, size) + 2.0
        x, room = x + used, room - used * MM
    if accepted:
        paper.fitted(
            x, baseline, fit(accepted, ITALIC, size, room, least=5.5, lines=1), ITALIC, grey=0.3
        )


def _crop(
    paper: Paper, data: bytes, left: float, right: float, place: Rect, margin: float
) -> float:
    """Draw the picture at the left end of its place; returns its width, 0 if it can't be shown."""
    picture = Picture(data)
    try:
        width, height = picture.size
    except InputFileError:
        # One broken picture must not cost everybody their pages; the words still stand.
        return 0.0
    height_mm = place.height - 2 * margin
    width_mm = width / height * height_mm
    if width_mm > right - left:
        width_mm, height_mm = right - left, (right - left) * height / width
    paper.picture(picture, left, place.y + (place.height - height_mm) / 2, width_mm, height_mm)
    return width_mm
