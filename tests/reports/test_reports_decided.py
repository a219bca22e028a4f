"""Guards against posted sums that nobody can check: what was decided has to stand on the same paper."""

from __future__ import annotations

import csv
import io

import openpyxl
import pandas as pd
import pypdfium2 as pdfium
import pytest

from otbor.i18n import speaking
from reports.protocol_pdf import protocol_pdf
from reports.shown_names import Names
from reports.site import site
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from reports.workbook import standings_csv, standings_xlsx
from scoring.decisions import Decisions, Lot, NewNominal, Points, ShootOut, TieChoice
from scoring.lots import draw_order
from scoring.model import Player, Regulation, Standings
from scoring.ranking import standings
from scoring.rules import TiePolicy, TieRule
from scoring.totals import COLUMNS

SEED = "17 марта"
NAMES = ["Абрамова Аня", "Волгин Борис", "Громова Вера", "Дымов Глеб", "Ежова Дарья", "Зимин Егор"]


def an_event(decisions: Decisions) -> Standings:
    """Six players, two places. The score of the first is 190, of the last 10, all others have 70."""
    players = [Player(n, name, "Младшая", "Школа № 1") for n, name in enumerate(NAMES, start=1)]
    answers = {n: [(1, 20), (1, 50)] for n in range(2, 6)}
    answers |= {1: [(1, 50), (2, 50), (3, 40), (4, 50)], 6: [(1, 10)]}
    rows = []
    for number, right in answers.items():
        for theme in range(1, 9):
            for nominal in (10, 20, 30, 40, 50):
                word = "right" if (theme, nominal) in right else "blank"
                rows.append((number, theme, nominal, word))
    verdicts = pd.DataFrame(rows, columns=list(COLUMNS))
    regulation = Regulation(cut=2)
    return standings("Кубок", players, set(answers), verdicts, regulation, decisions)


def chosen(*steps: TiePolicy) -> tuple[TieChoice, ...]:
    themes = 1 if TiePolicy.SHOOT_OUT in steps else 0
    return (TieChoice(TieRule(steps, themes, ())),)


LOT = Decisions(
    removed=frozenset({(3, 40)}),
    nominals=(NewNominal(2, 50, 30),),
    penalties=(Points(1, 20),),
    out_of_competition=frozenset({6}),
    choices=chosen(TiePolicy.SHOOT_OUT, TiePolicy.LOT),
    shoot_outs=(ShootOut(((2, 10), (3, 10), (4, 0), (5, None))),),
    lots=(Lot(draw_order([2, 3], SEED), SEED),),
)


def words(pdf: bytes) -> str:
    """The text of a PDF with single spaces: a sentence may be broken into lines."""
    pages = [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(pdf)]
    return " ".join(" ".join(pages).split())


@pytest.mark.parametrize("layout", list(LayoutName))
def test_posted_standings_say_what_was_decided(layout: LayoutName) -> None:
    with speaking("ru"):
        text = words(standings_pdf(an_event(LOT), layout=layout))
    for said in (
        "Вопрос 3–40 снят: он никому не засчитан.",
        "Вопрос 2–50 стоит 30.",
        "Решила перестрелка; по порядку, начиная с лучшего: Волгин Борис (№ 2) = Громова Вера (№ 3)",
        "Решил жребий (зерно «17 марта»)",
    ):
        assert said.replace("\u00a0", " ") in text.replace("\u00a0", " ")


@pytest.mark.parametrize("layout", [LayoutName.PORTRAIT, LayoutName.LANDSCAPE])
def test_a_penalty_stands_beside_the_score_that_it_lowers(layout: LayoutName) -> None:
    with speaking("ru"):
        assert "штраф −20" in words(standings_pdf(an_event(LOT), layout=layout))
        assert "штраф" not in words(standings_pdf(an_event(Decisions()), layout=layout))


def test_nothing_is_said_where_nothing_was_decided() -> None:
    with speaking("ru"):
        text = words(standings_pdf(an_event(Decisions())))
    assert "снят" not in text
    assert "Решил" not in text


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (TiePolicy.ALL_IN, "Равные на черте прошли все: Волгин Борис (№ 2), Громова Вера (№ 3)"),
        (TiePolicy.NONE_IN, "Из равных на черте не прошёл никто: Волгин Борис (№ 2)"),
    ],
)
def test_how_all_or_none_of_the_tied_went_on_is_said(policy: TiePolicy, said: str) -> None:
    with speaking("ru"):
        assert said in words(standings_pdf(an_event(Decisions(choices=chosen(policy)))))


def test_a_removed_question_is_no_missing_answer_in_the_protocol() -> None:
    """It was printed as a dot, which the legend explains as «no answer»; the jury signs this paper."""
    with speaking("ru"):
        text = words(protocol_pdf(an_event(LOT)))
        plain = words(protocol_pdf(an_event(Decisions())))
    assert text.count("×") >= 6  # each of the six players, and the legend
    assert "× — вопрос снят" in text
    assert "×" not in plain
    assert "Вопрос 3–40 снят" in text


def test_the_protocol_has_the_verdicts_of_who_plays_out_of_competition() -> None:
    """Only the words stood in the line, so that nobody could add up the score that is posted."""
    with speaking("ru"):
        event = an_event(Decisions(out_of_competition=frozenset({1})))
        text = words(protocol_pdf(event))
    line = text.split("Абрамова Аня")[1].split("верных")[0]
    assert "вне зачёта" in line
    assert line.split()[4:6] == ["50", "50"]  # theme 1: the question, and the sum
    assert "190" in line.split()


def test_posted_pages_say_it_with_the_names_of_the_publication() -> None:
    with speaking("ru"):
        page = site(an_event(LOT), number=1, date="", names=Names.NUMBER)["index.html"].decode()
    assert "Вопрос 3–40 снят" in page
    assert "Решил жребий" in page
    assert "Волгин" not in page


def test_the_workbook_says_it_and_its_columns_add_up() -> None:
    event = an_event(LOT)
    with speaking("ru"):
        sheet = openpyxl.load_workbook(io.BytesIO(standings_xlsx(event))).worksheets[0]
        table = list(
            csv.reader(io.StringIO(standings_csv(event).decode("utf-8-sig")), delimiter=";")
        )
    below = [str(row[0]) for row in sheet.iter_rows(min_row=8, values_only=True) if row[0]]
    assert any("Вопрос 3–40 снят" in text for text in below)
    head = table[0]
    score, beside = head.index("Очки"), head.index("Сверх ответов")
    for line in table[1:]:
        assert int(line[score]) == sum(int(cell) for cell in line[beside:])
    # Also of who has points and no place.
    assert {line[score] for line in table if "Зимин Егор" in line} == {"10"}
