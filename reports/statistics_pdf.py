"""Question statistics: which questions were taken, by whom, and how the scores are spread.

A page for everybody together, then one for each category: takes per question as a plot and in figures,
the easiest and the hardest questions, the spread of the scores with the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median

from otbor.i18n import gettext as _
from otbor.i18n import language, ngettext, pgettext
from reports.distance import passing_score
from reports.fitting import fit
from reports.fonts import BOLD, ITALIC, MM, REGULAR, printable
from reports.histogram import histogram
from reports.own_page import accepted_text
from reports.page_frame import PageFrame
from reports.paper import Paper
from reports.plots import plot_legend, plot_questions, plot_scores
from reports.question_counts import (
    QuestionCount,
    all_rows,
    by_difficulty,
    players_who_answered,
    question_counts,
)
from reports.wording import points_text, provisional_text
from scanner.geometry import Rect
from scoring.model import AnswerKey, CategoryStandings, Regulation, StandingRow, Standings

LEFT, RIGHT = 15.0, 197.0
PLOT_MM, SPREAD_MM = 56.0, 56.0
LISTED = 5
"""Questions in each of the two lists."""

MOST_CATEGORIES = 14
"""Rows of the comparison that find room on the first page."""


def statistics_pdf(
    standings: Standings, *, key: AnswerKey | None = None, generated_note: str = ""
) -> bytes:
    """Print the statistics in the current language; the same standings give the same bytes.

    Args:
        standings: What to count; the order of the rows does not matter.
        key: Its answers name the questions in the lists; None leaves theme and value alone.
        generated_note: Printed small at the foot of every page.
    """
    paper = Paper(title=printable(standings.title))
    parts: list[CategoryStandings | None] = [None, *standings.categories]
    if len(standings.categories) == 1:
        parts = [standings.categories[0]]
    for number, part in enumerate(parts, start=1):
        if number > 1:
            paper.next_page()
        rows = players_who_answered(part.rows) if part else all_rows(standings)
        frame = PageFrame(
            standings.title,
            part.category if part else _("All categories"),
            LEFT - 3.0,
            RIGHT,
            subtitle=_("question statistics"),
            about=ngettext("{n} player", "{n} players", len(rows)).format(n=len(rows)),
            note=generated_note,
            banner=_banner(standings, part),
        )
        frame.draw(paper, number, len(parts))
        paper.bookmark(printable(frame.heading), f"statistics-{number}")
        _page(paper, frame.top, standings, part, rows, key)
    return paper.finish()


def _banner(standings: Standings, part: CategoryStandings | None) -> str:
    if not standings.unconfirmed:
        return ""
    whole = CategoryStandings("", tuple(all_rows(standings)), standings.categories[0].cut)
    return provisional_text(standings, part or whole)


def _page(
    paper: Paper,
    top: float,
    standings: Standings,
    part: CategoryStandings | None,
    rows: list[StandingRow],
    key: AnswerKey | None,
) -> None:
    regulation = standings.regulation
    if not rows:
        paper.text(LEFT, top + 8, _("Nobody took part in this category."), 11)
        return
    counts = question_counts(rows, regulation)
    y = top + 3.0
    _title(paper, y, _("Who took which question"))
    plot_legend(paper, RIGHT, y)
    plot_questions(paper, Rect(LEFT + 5, y + 2.0, RIGHT - LEFT - 5, PLOT_MM), counts, regulation)
    y += PLOT_MM + 9.0
    y = _figures(paper, y, counts, regulation, standings.removed)
    y = _lists(paper, y + 7.0, by_difficulty(counts, standings.removed), key)
    if part is None:
        _categories(paper, y + 6.0, standings)
        return
    scores = [row.score for row in rows]
    _title(paper, y + 6.0, _("How the scores are spread"))
    paper.fitted(
        RIGHT,
        y + 6.0,
        fit(_summary(scores), REGULAR, 8.5, 110 * MM, least=6, lines=1),
        align="right",
    )
    line = passing_score(part)
    room = min(SPREAD_MM, paper.height - 18.0 - (y + 8.0))
    plot_scores(
        paper,
        Rect(LEFT, y + 8.0, RIGHT - LEFT - 4.0, room),
        histogram(scores, line, _unit(regulation)),
        line,
    )


def _unit(regulation: Regulation) -> int:
    """The least difference of two scores that is usual: the smallest nominal."""
    return max(1, min(regulation.nominals, default=1))


def _title(paper: Paper, baseline: float, text: str, room: float = 80.0) -> None:
    words = fit(text, BOLD, 11, room * MM, least=7, lines=1)
    paper.fitted(LEFT - 3.0, baseline, words, BOLD)


def _figures(
    paper: Paper,
    y: float,
    counts: Sequence[QuestionCount],
    regulation: Regulation,
    removed: Sequence[tuple[int, int]],
) -> float:
    """Right / wrong / empty of every question; returns the lower edge."""
    _title(paper, y, _("Right / wrong / empty"), 34.0)
    rows = len(regulation.nominals)
    left = LEFT + 24.0
    cell = (RIGHT - left) / max(1, rows)
    # As many themes as a regulation may have share the height that eight take.
    line = 5.0 if regulation.themes <= 9 else 45.0 / regulation.themes
    size = min(8.5, line * 1.7)
    for index, nominal in enumerate(regulation.nominals):
        paper.text(left + (index + 0.5) * cell, y, str(nominal), 8.5, BOLD, align="center")
    paper.line(LEFT - 3.0, y + 1.6, RIGHT, y + 1.6, 0.3)
    for theme in range(regulation.themes):
        baseline = y + 1.6 + (theme + 0.72) * line
        caption = _("Theme {number}").format(number=theme + 1)
        paper.fitted(LEFT - 3.0, baseline, fit(caption, REGULAR, size, 26 * MM, lines=1))
        for index in range(rows):
            count = counts[theme * rows + index]
            x = left + (index + 0.5) * cell
            if (count.theme, count.nominal) in removed:
                words = fit(
                    pgettext("statistics", "removed"), ITALIC, size, cell * MM, least=3, lines=1
                )
                paper.fitted(x, baseline, words, ITALIC, align="center")
                continue
            paper.fitted(
                x - 6.0,
                baseline,
                fit(str(count.takes), BOLD, size, 9 * MM, lines=1),
                BOLD,
                align="right",
            )
            rest = f"\u00a0/ {count.misses} / {count.blanks}"
            if count.unconfirmed:
                rest += f" (?\u00a0{count.unconfirmed})"
            room = (cell / 2 + 5.0) * MM
            paper.fitted(x - 6.0, baseline, fit(rest, REGULAR, size, room, least=3, lines=1))
        bottom = y + 1.6 + (theme + 1) * line
        paper.line(LEFT - 3.0, bottom, RIGHT, bottom, 0.08, grey=0.6)
    return y + 1.6 + regulation.themes * line


def _lists(paper: Paper, y: float, ranked: Sequence[QuestionCount], key: AnswerKey | None) -> float:
    """The hardest and the easiest questions side by side; returns the lower edge."""
    width = (RIGHT - LEFT + 3.0 - 6.0) / 2
    easiest = list(reversed(ranked))[:LISTED]
    for at, (title, questions) in enumerate(
        ((_("The hardest"), ranked[:LISTED]), (_("The easiest"), easiest))
    ):
        x = LEFT - 3.0 + at * (width + 6.0)
        words = fit(title, BOLD, 11, width * MM, least=8, lines=1)
        paper.fitted(x, y, words, BOLD)
        for index, count in enumerate(questions):
            baseline = y + 5.4 + index * 4.8
            name = _("T{theme}-{nominal}").format(theme=count.theme, nominal=count.nominal)
            paper.text(x, baseline, name, 8.5, BOLD)
            taken = _("{takes} of {players}").format(takes=count.takes, players=count.players)
            paper.text(x + width, baseline, taken, 8.5, align="right")
            answer = accepted_text(key, count.theme, count.nominal).split(" / ")[0]
            room = (width - 13.0 - 20.0) * MM
            paper.fitted(x + 13.0, baseline, fit(answer, REGULAR, 8.5, room, least=6.5, lines=1))
            paper.line(x, baseline + 1.4, x + width, baseline + 1.4, 0.08, grey=0.6)
    return y + 5.4 + LISTED * 4.8


def _categories(paper: Paper, y: float, standings: Standings) -> None:
    """The categories side by side: how many, which scores, how much was taken at each value."""
    regulation = standings.regulation
    _title(paper, y, _("The categories compared"))
    y += 5.5
    left = LEFT + 45.0
    captions = [
        pgettext("statistics", "players"),
        pgettext("statistics", "mean"),
        pgettext("statistics", "median"),
        pgettext("statistics", "best"),
        pgettext("statistics", "passing"),
        *(str(nominal) for nominal in regulation.nominals),
    ]
    step = (RIGHT - left) / len(captions)
    for at, caption in enumerate(captions):
        words = fit(caption, REGULAR, 7.5, (step - 0.8) * MM, least=4.0, lines=1)
        paper.fitted(left + (at + 1) * step, y, words, align="right")
    paper.line(LEFT - 3.0, y + 1.4, RIGHT, y + 1.4, 0.3)
    parts = standings.categories[:MOST_CATEGORIES]
    line = min(5.2, (paper.height - 24.0 - y) / max(1, len(parts)))
    for index, part in enumerate(parts):
        baseline = y + 1.4 + (index + 0.75) * line
        rows = players_who_answered(part.rows)
        words = fit(part.category, BOLD, 8.5, (left - LEFT + 1) * MM, least=6, lines=1)
        paper.fitted(LEFT - 3.0, baseline, words, BOLD)
        for at, text in enumerate(_compared(part, rows, regulation)):
            words = fit(text, REGULAR, 8.5, (step - 0.8) * MM, least=4.5, lines=1)
            paper.fitted(left + (at + 1) * step, baseline, words, align="right")
        bottom = y + 1.4 + (index + 1) * line
        paper.line(LEFT - 3.0, bottom, RIGHT, bottom, 0.08, grey=0.6)
    note = _("Under the values: the share of right answers.")
    end = y + 1.4 + len(parts) * line + 3.6
    paper.fitted(RIGHT, end, fit(note, REGULAR, 7.0, 120 * MM, lines=1), align="right", grey=0.3)


def _compared(
    part: CategoryStandings, rows: Sequence[StandingRow], regulation: Regulation
) -> list[str]:
    if not rows:
        return ["0"]
    scores = [row.score for row in rows]
    passing = passing_score(part)
    counts = question_counts(rows, regulation)
    shares = []
    for index in range(len(regulation.nominals)):
        column = counts[index :: len(regulation.nominals)]
        asked = sum(count.players for count in column)
        shares.append(f"{sum(count.takes for count in column) / max(1, asked):.0%}")
    return [
        str(len(rows)),
        _decimal(mean(scores)),
        _decimal(median(scores)),
        points_text(max(scores)),
        points_text(passing) if passing is not None else "—",
        *shares,
    ]


def _summary(scores: Sequence[int]) -> str:
    return pgettext("scores", "mean {mean} · median {median} · from {least} to {best}").format(
        mean=_decimal(mean(scores)),
        median=_decimal(median(scores)),
        least=points_text(min(scores)),
        best=points_text(max(scores)),
    )


def _decimal(number: float) -> str:
    """With one decimal where it is needed, and the decimal sign of the language."""
    text = f"{abs(number):.1f}".removesuffix(".0")
    sign = "−" if number < 0 and text != "0" else ""
    return sign + (text.replace(".", ",") if language() == "ru" else text)
