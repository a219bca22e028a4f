"""Guards against a second publication that hides what it changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pypdfium2 as pdfium
import pytest

from otbor.i18n import speaking
from reports.changes import PublishedChanges, change_lines, question_sentences
from reports.fingerprint import Match, verify
from reports.shown_names import Names
from reports.site import site
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from scoring.changes import compare
from scoring.model import CategoryStandings, StandingRow, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]


def _with(event: Standings, *changed: tuple[int, dict[str, object]]) -> Standings:
    """The players of these numbers are other ones in some respects."""
    fields = dict(changed)

    def row(old: StandingRow) -> StandingRow:
        return dataclasses.replace(old, **fields.get(old.player.number, {}))  # type: ignore[arg-type]

    parts = (
        dataclasses.replace(part, rows=tuple(row(old) for old in part.rows))
        for part in event.categories
    )
    return dataclasses.replace(event, categories=tuple(parts))


@pytest.fixture(scope="module")
def before(category: Make, standings: MakeAll) -> Standings:
    return standings(category("Средняя", 40, absent=1), category("Старшая", 5, first_number=201))


@pytest.fixture(scope="module")
def published(before: Standings) -> tuple[Standings, PublishedChanges]:
    """One in for one out, one score that moves nobody, a removed question."""
    rows = {row.player.number: row for row in before.categories[0].rows}
    after = _with(
        before,
        (32, {"status": Status.OUT, "places": (33, 33)}),
        (33, {"status": Status.IN, "places": (32, 32), "score": rows[33].score + 50}),
        (5, {"score": rows[5].score + 10}),
        (7, {"cells": tuple(reversed(rows[7].cells))}),
    )
    after = dataclasses.replace(after, removed=((3, 40),))
    return after, PublishedChanges(1, compare(before, after))


def test_who_crossed_the_line_comes_first(
    published: tuple[Standings, PublishedChanges], before: Standings
) -> None:
    with speaking("en"):
        lines = change_lines(published[1].changes)
    assert [line.player.number for line in lines] == [32, 33, 5]
    assert [line.remark for line in lines] == ["does not go on now", "goes on now", ""]
    old = {row.player.number: row for row in before.categories[0].rows}
    score = str(old[5].score).replace("-", "−")
    assert lines[2].score == f"{score} → {old[5].score + 10}".replace("-", "−")
    assert lines[0].place.endswith("→ 33")


@pytest.mark.parametrize("layout", list(LayoutName))
def test_the_first_page_tells_it(
    layout: LayoutName, published: tuple[Standings, PublishedChanges]
) -> None:
    after, changes = published
    with speaking("ru"):
        data = standings_pdf(after, layout=layout, changes=changes)
        plain = standings_pdf(after, layout=layout)
    document = pdfium.PdfDocument(data)
    assert len(document) == len(pdfium.PdfDocument(plain)) + 1
    text = " ".join(document[0].get_textpage().get_text_bounded().split())
    assert "Изменения после публикации № 1" in text
    assert "Вопрос 3–40 снят" in text
    assert "изменились у 3 участников" in text
    assert "теперь выходит" in text and "теперь не выходит" in text
    assert "?" not in text
    assert verify(data, after).match is Match.SAME


def test_the_posted_pages_tell_it_with_the_names_that_are_set(
    published: tuple[Standings, PublishedChanges],
) -> None:
    after, changes = published
    name = next(row.player.name for row in after.categories[0].rows if row.player.number == 33)
    for names in Names:
        with speaking("ru"):
            text = site(after, number=2, date="", names=names, changes=changes)[
                "index.html"
            ].decode()
        section = text[text.index('class="changes"') : text.index('id="c1"')]
        assert (name in section) is (names is Names.FULL)
        assert "теперь выходит" in section and "№\u00a033" in section.replace("№ 33", "№\u00a033")
        assert "Вопрос 3–40 снят" in section


def test_players_who_come_and_go(before: Standings) -> None:
    part = before.categories[1]
    fewer = dataclasses.replace(
        before,
        categories=(before.categories[0], dataclasses.replace(part, rows=part.rows[1:])),
    )
    with speaking("en"):
        gone = change_lines(compare(before, fewer))
        back = change_lines(compare(fewer, before))
    assert [(line.player.number, line.remark) for line in gone] == [(201, "no longer in the list")]
    assert [(line.player.number, line.remark) for line in back] == [(201, "new")]
    assert back[0].score.startswith("— → ") and gone[0].score.endswith(" → —")


def test_questions_in_words(before: Standings) -> None:
    after = dataclasses.replace(before, removed=((1, 10),), changed=((2, 20, 30),))
    with speaking("en"):
        assert question_sentences(compare(before, after)) == [
            "Question 1–10 is removed: it counts for nobody.",
            "Question 2–20 is worth 30 now.",
        ]
        assert question_sentences(compare(after, before)) == ["Question 1–10 counts again."]


def test_no_visible_difference_is_said(before: Standings) -> None:
    changes = PublishedChanges(4, compare(before, before))
    with speaking("ru"):
        page = pdfium.PdfDocument(standings_pdf(before, changes=changes))[0]
    text = page.get_textpage().get_text_bounded()
    assert "после публикации № 4" in text and "у всех прежние" in text
