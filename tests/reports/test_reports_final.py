"""Guards the protocol of the final: the same bytes for the same final, and every player on it once."""

from __future__ import annotations

import csv
import io

import pypdfium2 as pdfium
import pytest

from otbor.i18n import speaking
from reports.final_protocol import FinalPart, final_csv, final_protocol_pdf
from scoring.model import Player, Question, Verdict
from scoring.rules import FinalStake, TiePolicy, TieRule
from scoring.stakes import StakeSheet, play_final
from scoring.ties import Evidence

RULE = FinalStake()


def _part(count: int, *sheets: StakeSheet, name: str = "Иванов Иван") -> FinalPart:
    players = {n: Player(n, f"{name} {n}", "младшие") for n in range(1, count + 1)}
    sums = {n: 10 * n for n in players}
    nobody = Evidence(lambda _number, _key: (), [], [])
    result = play_final(sums, list(sheets), RULE, TieRule((TiePolicy.SHOOT_OUT,), 1), nobody)
    return FinalPart("младшие", players, result, {sheet.number: sheet for sheet in sheets})


def _text(pdf: bytes) -> str:
    document = pdfium.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_protocol_holds_everybody_and_is_the_same_every_time(language: str) -> None:
    sheets = [StakeSheet(n, (5,), verdict=Verdict.RIGHT) for n in range(1, 61)]
    part = _part(60, *sheets, name="Константинопольская-Задунайская Елизавета-Анастасия")
    question = Question(0, 0, 0, "Волга", text="Какая река?")
    with speaking(language):
        first = final_protocol_pdf("Кубок", [part], question)
        assert final_protocol_pdf("Кубок", [part], question) == first
    text = _text(first).replace("\r\n", " ").replace("\n", " ")
    for number in (1, 30, 60):
        assert f"Анастасия {number}" in text
    assert "Волга" in text and "605" in text
    assert len(pdfium.PdfDocument(first)) > 1


@pytest.mark.parametrize(
    ("language", "end"), [("ru", "назначил председатель"), ("en", "set by the chief")]
)
def test_what_the_signs_mean_stands_whole_at_the_foot(language: str, end: str) -> None:
    """It was cut off in the middle of a word, though the line had room."""
    with speaking(language):
        assert end in _text(final_protocol_pdf("Кубок", [_part(3)]))


def test_what_is_open_is_on_the_first_page() -> None:
    with speaking("en"):
        text = _text(final_protocol_pdf("Cup", [_part(2, StakeSheet(1, (99,)))]))
    assert "Preliminary" in text and "too high" in text
    assert "Winner" not in text


def test_a_tie_says_what_decides_it() -> None:
    sheets = [StakeSheet(1, (10,), verdict=Verdict.RIGHT), StakeSheet(2, (0,), ruled=0)]
    part = _part(2, *sheets)
    with speaking("en"):
        text = _text(final_protocol_pdf("Cup", [part]))
    assert "Tied for the first place" in text and "shoot-out" in text
    assert part.result.places() == {1: (1, 2), 2: (1, 2)}


def test_the_table_holds_numbers_and_no_formula() -> None:
    part = _part(1, StakeSheet(1, (10,), verdict=Verdict.WRONG), name="=1+1")
    with speaking("en"):
        data = final_csv([part])
    [heads, row] = csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=";")
    found = dict(zip(heads, row, strict=True))
    assert (
        found["Player"].startswith("'=") and found["Change"] == "-10" and found["Place from"] == "1"
    )


def test_nobody_is_a_page_too() -> None:
    assert final_protocol_pdf("Кубок", []).startswith(b"%PDF")
