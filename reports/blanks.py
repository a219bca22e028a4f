"""The printed blanks: personal, spare and final sheets, one A4 page each.

Everything that the scanner measures (fiducials, codes, boxes, digit cells) is drawn at the millimetres
of `scanner.geometry`; everything else is set around it and never touches the white that a fiducial or a
code needs. Nothing is printed inside a box.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from otbor.i18n import gettext as _
from reports.blank_marks import draw_pattern, fiducial, qr
from reports.fitting import fit
from reports.fonts import BOLD, MM, REGULAR, printable
from reports.paper import Paper, text_width
from scanner.codes import SheetCode, sheet_name
from scanner.geometry import Blank, Field, Geometry, Rect, SheetKind

FRAME_MM = 0.22
"""Thickness of a box's frame: two pixels at 200 dpi."""

FRAME_GREY = 0.35
"""Grey of a frame: dark enough for a 1-bit scan (threshold at half), lighter than any pen."""

# Inner margins of the design; what is measured by the reader comes from the geometry alone.
SIDE = 12.0
TEXT_RIGHT = 160.0


@dataclass(frozen=True)
class BlankEvent:
    """What is the same on every blank of an event.

    Args:
        code: The event's five characters in the QR codes.
        title: The event's name, printed at the top.
        place: Where, printed beside the date; may be empty.
        date: When, as it shall be read; may be empty.
        nominals: What the rows of a theme are worth, top first.
        theme_titles: Titles of the themes; empty if they are announced only.
    """

    code: str
    title: str
    place: str = ""
    date: str = ""
    nominals: tuple[int, ...] = (10, 20, 30, 40, 50)
    theme_titles: tuple[str, ...] = ()


@dataclass(frozen=True)
class SheetToPrint:
    """One sheet: its kind and number, and the player's particulars where they are known."""

    kind: SheetKind
    number: int
    name: str = ""
    category: str = ""
    school: str = ""


def blanks_pdf(geometry: Geometry, event: BlankEvent, sheets: Iterable[SheetToPrint]) -> bytes:
    """Print sheets, one A4 page each, in the order given and in the current language.

    The same input gives the same bytes.

    Raises:
        ValueError: The event's code or a sheet's number can't stand in a QR code.
    """
    first = next(iter(geometry.blanks.values()))
    paper = Paper(first.paper.width, first.paper.height, printable(event.title))
    for index, sheet in enumerate(sheets):
        if index:
            paper.next_page()
        _sheet(paper, geometry.blank_of(sheet.kind), event, sheet)
    return paper.finish()


def _sheet(paper: Paper, blank: Blank, event: BlankEvent, sheet: SheetToPrint) -> None:
    code = SheetCode(event.code, sheet.kind, sheet.number)
    for marker in blank.markers:
        draw_pattern(paper, fiducial(blank.dictionary, marker.id), marker.rect)
    for rect in blank.codes:
        draw_pattern(paper, qr(code.encode()), rect)
    _header(paper, event, sheet)
    _answers(paper, blank, event)
    for field in blank.fields:
        if sheet.kind is SheetKind.SPARE or not field.spare_only:
            _field(paper, field)
    _footer(paper, event, sheet)


def _header(paper: Paper, event: BlankEvent, sheet: SheetToPrint) -> None:
    title = fit(event.title, BOLD, 12, 136 * MM, least=9)
    last = paper.fitted(26, 16.2 if len(title.lines) == 1 else 15.0, title, BOLD)
    about = " · ".join(part for part in (event.place, event.date) if part)
    paper.fitted(26, last + 4.4, fit(about, REGULAR, 9, 136 * MM, least=7, lines=1))
    _number(paper, sheet)
    if sheet.name:
        _player(paper, sheet)
    else:
        _lines_to_fill(paper, sheet)
    if sheet.kind is not SheetKind.FINAL:
        paper.fitted(SIDE, 44.4, fit(_instruction(), REGULAR, 8.5, 186 * MM, least=6, lines=1))


def _instruction() -> str:
    return _(
        "Write inside the frame. Empty box: 0. Right: plus the value of the question. "
        "Wrong: minus it. Cross out what should not count."
    )


def _number(paper: Paper, sheet: SheetToPrint) -> None:
    """The sheet's name in plain digits, under the upper code."""
    name = sheet_name(sheet.kind, sheet.number)
    paper.text(198, 40, name, 30, BOLD, align="right")
    if sheet.kind is SheetKind.PERSONAL:
        paper.text(198 - text_width(name, BOLD, 30) - 1.5, 40, "№", 15, align="right")


def _player(paper: Paper, sheet: SheetToPrint) -> None:
    room = (TEXT_RIGHT - SIDE) * MM
    name = fit(sheet.name, BOLD, 20, room, least=13)
    paper.fitted(SIDE, 33.4 if len(name.lines) == 1 else 29.2, name, BOLD)
    about = " · ".join(part for part in (sheet.category, sheet.school) if part)
    paper.fitted(SIDE, 39.2, fit(about, REGULAR, 10.5, room, least=7, lines=1))


def _lines_to_fill(paper: Paper, sheet: SheetToPrint) -> None:
    right = 122.0 if sheet.kind is SheetKind.SPARE else TEXT_RIGHT
    captions = (_("Surname, name"), _("Category, school"))
    left = SIDE + 2 + max(text_width(caption, REGULAR, 9) for caption in captions)
    for caption, y in zip(captions, (32.4, 40.4), strict=True):
        paper.text(SIDE, y - 0.6, caption, 9)
        paper.line(left, y, right, y, FRAME_MM, grey=FRAME_GREY)


def _answers(paper: Paper, blank: Blank, event: BlankEvent) -> None:
    label_width = blank.boxes[0].label.width if blank.boxes else 0.0
    for theme, rect in blank.headings:
        _heading(paper, theme, rect, label_width, event)
    for box in blank.boxes:
        _frame(paper, box.rect)
        baseline = box.label.y + box.label.height / 2 + 13 * 0.35 / MM
        if box.row <= len(event.nominals):
            nominal = str(event.nominals[box.row - 1])
            paper.text(box.label.right - 1.4, baseline, nominal, 13, BOLD, align="right")


def _heading(paper: Paper, theme: int, rect: Rect, label_width: float, event: BlankEvent) -> None:
    x, baseline = rect.x + label_width, rect.bottom - 1.8
    caption = _("Theme {number}").format(number=theme)
    paper.text(x, baseline, caption, 12, BOLD)
    if theme <= len(event.theme_titles):
        x += text_width(caption, BOLD, 12) + 2.5
        title = fit(
            event.theme_titles[theme - 1], REGULAR, 11, (rect.right - x) * MM, least=7, lines=1
        )
        paper.fitted(x, baseline, title)


def _field(paper: Paper, field: Field) -> None:
    for rect in field.cells or (field.rect,):
        _frame(paper, rect)
    if field.name == "number":
        caption = _("Player's number")
        paper.fitted(
            field.rect.x, field.rect.y - 1.4, fit(caption, REGULAR, 9, 36 * MM, least=6, lines=1)
        )
    elif field.name == "stake":
        paper.text(16, field.rect.y + field.rect.height / 2 + 2, _("Stake"), 18, BOLD)
    elif field.name == "answer":
        paper.text(field.rect.x, field.rect.y - 3, _("Answer"), 18, BOLD)


def _frame(paper: Paper, rect: Rect) -> None:
    paper.frame(rect.x, rect.y, rect.width, rect.height, FRAME_MM, grey=FRAME_GREY)


def _footer(paper: Paper, event: BlankEvent, sheet: SheetToPrint) -> None:
    paper.text(
        186, 284.6, _("Keep the corner marks and codes clean; do not fold."), 8, align="right"
    )
