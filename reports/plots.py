"""Plots drawn from rectangles and lines: takes per question, and the spread of the scores."""

from __future__ import annotations

from collections.abc import Sequence

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit
from reports.fonts import BOLD, MM, REGULAR
from reports.histogram import Histogram
from reports.paper import Paper, text_width
from reports.question_counts import QuestionCount
from reports.wording import points_text
from scanner.geometry import Rect
from scoring.model import Regulation

TAKEN, MISSED = 0.15, 0.68
"""Greys of the bars; an empty box is white."""

WIDEST_BAR = 16.0
"""Of the spread of scores, mm: one score alone should not look like a wall."""


def plot_questions(
    paper: Paper, rect: Rect, counts: Sequence[QuestionCount], regulation: Regulation
) -> None:
    """A bar a question, theme by theme: taken from below, missed above it, the rest left white.

    Every bar is as high as the plot, so that shares are compared whatever the number of players; the
    number of takes stands above each.
    """
    rows = max(1, len(regulation.nominals))
    group = rect.width / max(1, regulation.themes)
    bar = group * 0.86 / rows
    top, bottom = rect.y + 5.0, rect.bottom - 8.0
    height = bottom - top
    for percent in (0, 25, 50, 75, 100):
        y = bottom - height * percent / 100
        paper.line(rect.x, y, rect.right, y, 0.1, grey=0.75)
        paper.text(rect.x - 1.0, y + 0.8, f"{percent}%", 6.0, align="right", grey=0.3)
    for at, count in enumerate(counts):
        theme, row = divmod(at, rows)
        x = rect.x + theme * group + group * 0.07 + row * bar
        width = bar * 0.8
        if count.players:
            taken = height * count.takes / count.players
            missed = height * count.misses / count.players
            paper.fill([(x, bottom - taken, width, taken)], grey=TAKEN)
            paper.fill([(x, bottom - taken - missed, width, missed)], grey=MISSED)
        paper.frame(x, top, width, height, 0.12, grey=0.4)
        words = fit(str(count.takes), REGULAR, 6.5, (bar - 0.7) * MM, least=3.0, lines=1)
        paper.fitted(x + width / 2, top - 1.0, words, align="center")
        words = fit(str(count.nominal), REGULAR, 5.5, bar * MM, least=2.5, lines=1)
        paper.fitted(x + width / 2, bottom + 2.6, words, align="center", grey=0.2)
    for theme in range(regulation.themes):
        caption = fit(
            _("Theme {number}").format(number=theme + 1),
            BOLD,
            8.0,
            (group - 1.5) * MM,
            least=4.0,
            lines=1,
        )
        middle = rect.x + (theme + 0.5) * group
        paper.fitted(middle, bottom + 6.4, caption, BOLD, align="center")


def plot_legend(paper: Paper, right: float, baseline: float) -> None:
    """What the greys of the bars mean, to the left of an edge."""
    x = right
    for text, grey in (
        (pgettext("statistics", "left empty"), 1.0),
        (pgettext("statistics", "wrong"), MISSED),
        (pgettext("statistics", "right"), TAKEN),
    ):
        x -= text_width(text, REGULAR, 8.0)
        paper.text(x, baseline, text, 8.0)
        x -= 4.2
        paper.fill([(x, baseline - 2.4, 3.0, 2.8)], grey=grey)
        paper.frame(x, baseline - 2.4, 3.0, 2.8, 0.12, grey=0.3)
        x -= 4.0


def plot_scores(paper: Paper, rect: Rect, spread: Histogram, line: int | None) -> None:
    """The spread of the scores; players at or above the line dark, the line dashed with its score."""
    if not spread.bars:
        return
    top, bottom = rect.y + 9.0, rect.bottom - 5.5
    bar = min(rect.width / len(spread.bars), WIDEST_BAR)
    unit = (bottom - top) / max(1, spread.highest)
    for at, column in enumerate(spread.bars):
        x, width = rect.x + at * bar + bar * 0.06, bar * 0.88
        above, below = column.above * unit, column.below * unit
        if column.below:
            paper.fill([(x, bottom - below, width, below)], grey=MISSED)
        if column.above:
            paper.fill([(x, bottom - below - above, width, above)], grey=TAKEN)
        total = column.above + column.below
        if total:
            words = fit(str(total), REGULAR, 8.0, bar * MM, least=4.0, lines=1)
            paper.fitted(x + width / 2, bottom - below - above - 1.0, words, align="center")
    paper.line(rect.x, bottom, rect.right, bottom, 0.3)
    _score_axis(paper, rect, spread, bottom, bar)
    if line is not None:
        x = rect.x + (line - spread.bars[0].start) / spread.step * bar
        paper.line(x, rect.y + 4.5, x, bottom + 1.2, 0.5, dash=(1.6, 1.0))
        caption = _("passing score {score}").format(score=points_text(line))
        room = max(x - rect.x, rect.right - x)
        words = fit(caption, BOLD, 9.0, room * MM, least=6, lines=1)
        align = "left" if rect.right - x >= x - rect.x else "right"
        paper.fitted(x + (1.0 if align == "left" else -1.0), rect.y + 4.0, words, BOLD, align=align)


def _score_axis(paper: Paper, rect: Rect, spread: Histogram, y: float, bar: float) -> None:
    """Scores at the edges of the bars, as many as find room."""
    edges = [column.start for column in spread.bars]
    edges.append(edges[-1] + spread.step)
    widest = max(text_width(points_text(edge), REGULAR, 7.5) for edge in edges) + 2.0
    every = max(1, -(-int(widest * 10) // max(1, int(bar * 10))))
    for at in range(0, len(edges), every):
        x = rect.x + at * bar
        paper.line(x, y, x, y + 1.0, 0.2)
        paper.text(x, y + 4.2, points_text(edges[at]), 7.5, align="center")
