"""Rulings out of a CSV file: for organizers who mark on paper, and for tests."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from scoring.model import Verdict
from scoring.table import Line, read_table, refused

COLUMNS = {
    "sheet": ("sheet", "лист", "бланк", "номер", "номер листа", "номер бланка", "№", "number"),
    "theme": ("theme", "тема", "номер темы"),
    "nominal": ("nominal", "номинал", "стоимость", "points", "очки"),
    "verdict": ("verdict", "вердикт", "решение", "ruling", "оценка"),
}

_MINUSES = ("-", "−", "–", "-1", "−1", "–1")
# A long dash is missing on purpose: on paper it means «no answer», typed it may be a minus, and the two
# differ by a nominal.
WORDS = {
    Verdict.RIGHT: ("right", "верно", "верный", "правильно", "да", "yes", "+", "+1", "1"),
    Verdict.WRONG: ("wrong", "неверно", "неверный", "неправильно", "нет", "no", *_MINUSES),
    Verdict.BLANK: ("blank", "empty", "пусто", "пустой", "нет ответа", "пропуск", "0"),
    Verdict.DISPUTED: ("disputed", "спорно", "спорный", "?"),
}
_VERDICTS = {word: verdict for verdict, words in WORDS.items() for word in words}


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One line: what was ruled on the box of a sheet. `line` is where it stands in its file."""

    sheet: str
    theme: int
    nominal: int
    verdict: Verdict
    line: int = 0


def parse_rulings(data: bytes, *, source: str) -> list[RulingLine]:
    """Read rulings from CSV of sheet, theme, nominal, verdict, with the tolerance of the roster.

    Whether the sheet, theme and nominal exist is for the caller to say, who knows the event. A box that
    is named twice with the same verdict is returned once.

    Raises:
        TableError: The file is no such table, a cell is empty or means nothing, or a box has two
            different verdicts; the message names the line.
    """
    lines = read_table(data, source=source, columns=COLUMNS, required=tuple(COLUMNS))
    first: dict[tuple[str, int, int], RulingLine] = {}
    for line in lines:
        if not line.cells["sheet"]:
            raise refused(
                source, line.number, _("the sheet is missing"), _("Enter the number of the sheet.")
            )
        ruling = RulingLine(
            sheet=line.cells["sheet"],
            theme=_positive(line, "theme", source),
            nominal=_positive(line, "nominal", source),
            verdict=_verdict(line, source),
            line=line.number,
        )
        box = (ruling.sheet.upper(), ruling.theme, ruling.nominal)
        earlier = first.setdefault(box, ruling)
        if earlier.verdict is not ruling.verdict:
            raise refused(
                source,
                line.number,
                _("line {line} rules otherwise on the same answer").format(line=earlier.line),
                _("Leave one of the two lines."),
            )
    return list(first.values())


def _positive(line: Line, column: str, source: str) -> int:
    cell = line.cells[column]
    if cell.isascii() and cell.isdigit() and int(cell) > 0:
        return int(cell)
    reason = (
        _("“{cell}” is no number of a theme") if column == "theme" else _("“{cell}” is no nominal")
    )
    raise refused(
        source, line.number, reason.format(cell=cell), _("It must be a whole number above 0.")
    )


def _verdict(line: Line, source: str) -> Verdict:
    cell = line.cells["verdict"]
    verdict = _VERDICTS.get(cell.casefold())
    if verdict is None:
        raise refused(
            source,
            line.number,
            _("“{cell}” is no verdict").format(cell=cell),
            _("Write “right” or +, “wrong” or -, “blank” or 0, “disputed” or ?."),
        )
    return verdict
