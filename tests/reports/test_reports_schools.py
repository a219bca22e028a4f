"""Guards against schools that are cut off where people read them: official names are very long."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pypdfium2 as pdfium

from otbor.i18n import speaking
from reports.diplomas_pdf import diplomas_pdf
from reports.standings_pdf import standings_pdf
from scoring.model import CategoryStandings, Standings

SCHOOL = (
    "Муниципальное бюджетное общеобразовательное учреждение «Средняя общеобразовательная школа № 1257 "
    "с углублённым изучением отдельных предметов»"
)


def _words(pdf: bytes) -> str:
    pages = [page.get_textpage().get_text_bounded() for page in pdfium.PdfDocument(pdf)]
    return " ".join(" ".join(pages).split())


def test_a_long_school_is_whole_on_diplomas_and_standings(
    category: Callable[..., CategoryStandings], standings: Callable[..., Standings]
) -> None:
    part = category("Младшая", 3)
    rows = [
        dataclasses.replace(row, player=dataclasses.replace(row.player, school=SCHOOL, city=""))
        for row in part.rows
    ]
    event = standings(dataclasses.replace(part, rows=tuple(rows)))
    with speaking("ru"):
        assert _words(diplomas_pdf(event)).count(SCHOOL) == 3
        assert _words(standings_pdf(event)).count(SCHOOL) == 3
