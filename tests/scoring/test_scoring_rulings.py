"""Rulings marked on paper and typed in: a sign read wrongly is worth twice the nominal.

Guards against a dash of unknown meaning taken for a minus, contradicting lines, and lines lost.
"""

from __future__ import annotations

import pytest

from otbor.errors import TableError
from scoring.model import Verdict
from scoring.rulings import RulingLine, parse_rulings


def parse(text: str, encoding: str = "utf-8") -> list[RulingLine]:
    return parse_rulings(text.encode(encoding), source="rulings.csv")


@pytest.mark.parametrize(
    ("cell", "verdict"),
    [
        *[(cell, Verdict.RIGHT) for cell in ("верно", "Верно ", "+", "1", "+1", "right")],
        *[(cell, Verdict.WRONG) for cell in ("неверно", "-", "−", "–", "-1", "wrong")],
        *[(cell, Verdict.BLANK) for cell in ("пусто", "0", "empty", "blank")],
        *[(cell, Verdict.DISPUTED) for cell in ("спорно", "?", "disputed")],
    ],
)
def test_words_and_signs(cell: str, verdict: Verdict) -> None:
    text = f"лист;тема;номинал;вердикт\nS3;8;50;{cell}\n"
    assert parse(text) == [RulingLine("S3", 8, 50, verdict, line=2)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1251"])
def test_encodings_and_order_of_columns(encoding: str) -> None:
    text = "решение\tноминал\tтема\tбланк\tжюри\r\nневерно\t10\t1\t12\tЯн\r\n"
    assert parse(text, encoding) == [RulingLine("12", 1, 10, Verdict.WRONG, line=2)]


def test_a_line_repeated_counts_once_and_a_contradiction_is_refused() -> None:
    head = "sheet,theme,nominal,verdict\ns3,1,10,+\n"
    assert len(parse(head + "S3,1,10,right\n")) == 1
    with pytest.raises(TableError, match=r"line 4: line 2 rules otherwise"):
        parse(head + "12,1,10,-\nS3,1,10,-\n")


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (";1;10;+", "sheet"),
        ("1;;10;+", "theme"),
        ("1;x;10;+", "“x”"),
        ("1;0;10;+", "“0”"),
        ("1;1;-10;+", "“-10”"),
        ("1;1;²;+", "“²”"),
        ("1;1;10;", "verdict"),
        ("1;1;10;—", "“—”"),  # a stroke on paper means no answer
        ("1;1;10;может быть", "может быть"),
    ],
)
def test_errors_name_the_line(row: str, word: str) -> None:
    with pytest.raises(TableError) as caught:
        parse(f"sheet;theme;nominal;verdict\n1;1;20;+\n{row}\n")
    assert caught.value.message.startswith("rulings.csv, line 3:")
    assert word in caught.value.message


def test_a_missing_column_or_nothing_at_all() -> None:
    with pytest.raises(TableError, match="verdict"):
        parse("sheet;theme;nominal\n1;1;10\n")
    with pytest.raises(TableError, match="nothing"):
        parse("sheet;theme;nominal;verdict\n")
