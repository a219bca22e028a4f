"""The printed blanks: personal, spare and final sheets, one A4 page each.

Everything that the scanner measures (fiducials, codes, boxes, digit cells) is drawn at the
millimetres of `scanner.geometry`; everything else is set around it and never touches the white that
a fiducial or a code needs. Nothing is printed inside a box.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.blank_marks import draw_pattern, fiducial, qr
from reports.blank_strip import draw_strip
from reports.fitting import fit
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.paper import Paper, text_width
from scanner.codes import SheetCode, sheet_name
from scanner.geometry import Blank, Field, Geometry, Rect, SheetKind

FRAME_MM = 0.22
"""Thickness of a box's frame."""

FRAME_GREY = 0.35
"""Grey of a frame, 0 black: lighter than a pen, and yet all of it survives a 1-bit scan.

Rendered, blurred by half a pixel and cut at 128, every frame of the personal blank keeps its line at
200 and 300 dpi; with a grey of 0.40 it is 94 % of them at 200 dpi, with 0.45 none.
"""

# The design of what is not measured, in mm; what the reader measures comes from the geometry alone.
LEFT, RIGHT = 12.0, 198.0
NAME_RIGHT = 160.0  # the number stands to the right of it
HEADER_RULE_Y = 43.6
RULE_MM = 0.3


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
    """One sheet: its kind and number, and the player's particulars where they are known.

    Without a name, and on every spare, there are lines to write the particulars on. `own_code` is the
    player's code (`reports.codes.player_code`), printed on a strip to cut off at the foot of a personal
    blank; without it there is no strip.
    """

    kind: SheetKind
    number: int
    name: str = ""
    category: str = ""
    school: str = ""
    own_code: str = ""


def blanks_pdf(geometry: Geometry, event: BlankEvent, sheets: Iterable[SheetToPrint]) -> bytes:
    """Print sheets, one A4 page each, in the order given and in the current language.

    The same input gives the same bytes.

    Raises:
        ValueError: The event's code or a sheet's number can't stand in a QR code.
        GeometryError: A sheet has a code of its own, and the blank no room for it.
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
    pattern = qr(code.encode())
    for rect in blank.codes:
        draw_pattern(paper, pattern, rect)
    _title(paper, event)
    _number(paper, sheet)
    if sheet.name and sheet.kind is not SheetKind.SPARE:
        _player(paper, sheet)
    else:
        _lines_to_fill(paper, sheet)
    paper.line(LEFT, HEADER_RULE_Y, RIGHT, HEADER_RULE_Y, RULE_MM)
    _answers(paper, blank, event)
    for field in blank.fields:
        if sheet.kind is SheetKind.SPARE or not field.spare_only:
            _field(paper, field)
    _legend(paper, sheet.kind)
    if sheet.own_code and sheet.kind is SheetKind.PERSONAL:
        draw_strip(paper, blank, sheet.own_code, sheet_name(sheet.kind, sheet.number))


def _title(paper: Paper, event: BlankEvent) -> None:
    """The event, between the two upper fiducials."""
    title = fit(event.title, BOLD, 12, 136 * MM, least=9)
    last = paper.fitted(26, 15.6 if len(title.lines) == 1 else 14.0, title, BOLD)
    about = " · ".join(part for part in (event.place, event.date) if part)
    paper.fitted(26, last + 4.8, fit(about, REGULAR, 9.5, 136 * MM, least=7, lines=1))


def _number(paper: Paper, sheet: SheetToPrint) -> None:
    """The sheet's name in plain digits, under the upper code, as tables and the desk call it."""
    name = sheet_name(sheet.kind, sheet.number)
    if sheet.kind is SheetKind.PERSONAL:
        paper.text(RIGHT, 40.4, name, 30, BOLD, align="right")
        paper.text(RIGHT - text_width(name, BOLD, 30) - 1.5, 40.4, "№", 15, align="right")
        return
    paper.text(RIGHT, 38, name, 26, BOLD, align="right")
    caption = (
        pgettext("blank", "spare blank")
        if sheet.kind is SheetKind.SPARE
        else pgettext("blank", "final question")
    )
    paper.fitted(RIGHT, 41.8, fit(caption, REGULAR, 8.5, 33 * MM, least=6, lines=1), align="right")


def _player(paper: Paper, sheet: SheetToPrint) -> None:
    room = (NAME_RIGHT - LEFT) * MM
    name = fit(sheet.name, BOLD, 21, room, least=13)
    paper.fitted(LEFT, 33.4 if len(name.lines) == 1 else 29.4, name, BOLD)
    about = " · ".join(part for part in (sheet.category, sheet.school) if part)
    where = fit(about, REGULAR, 11, room, least=8)
    paper.fitted(LEFT, 40.4 if len(where.lines) == 1 else 38.2, where)


def _lines_to_fill(paper: Paper, sheet: SheetToPrint) -> None:
    """Where the player writes who they are; people read it, the scanner does not."""
    right = 122.0 if sheet.kind is SheetKind.SPARE else NAME_RIGHT
    captions = (_("Surname, name"), _("Category, school"))
    left = LEFT + 2 + max(text_width(caption, REGULAR, 9.5) for caption in captions)
    for caption, y in zip(captions, (32.0, 40.2), strict=True):
        paper.text(LEFT, y, caption, 9.5)
        paper.line(left, y + 0.5, right, y + 0.5, FRAME_MM)


def _answers(paper: Paper, blank: Blank, event: BlankEvent) -> None:
    label_width = blank.boxes[0].label.width if blank.boxes else 0.0
    for theme, rect in blank.headings:
        _heading(paper, theme, rect, label_width, event)
    for box in blank.boxes:
        _frame(paper, box.rect)
        if box.row <= len(event.nominals):
            nominal = str(event.nominals[box.row - 1])
            baseline = _middle(box.label, 14)
            size = fit(nominal, BOLD, 14, (box.label.width - 1.8) * MM, least=5, lines=1).size
            paper.text(box.label.right - 1.4, baseline, nominal, size, BOLD, align="right")


def _heading(paper: Paper, theme: int, rect: Rect, label_width: float, event: BlankEvent) -> None:
    x, baseline = rect.x + label_width, rect.bottom - 1.7
    caption = _("Theme {number}").format(number=theme)
    paper.text(x, baseline, caption, 12.5, BOLD)
    if theme <= len(event.theme_titles):
        x += text_width(caption, BOLD, 12.5) + 2.6
        title, room = event.theme_titles[theme - 1], (rect.right - x) * MM
        paper.fitted(x, baseline, fit(title, REGULAR, 12, room, least=6.5, lines=1))


def _field(paper: Paper, field: Field) -> None:
    for rect in field.cells or (field.rect,):
        _frame(paper, rect)
    if field.name == "number":
        caption = fit(_("Player's number"), REGULAR, 9.5, 36 * MM, least=6, lines=1)
        paper.fitted(field.rect.x, field.rect.y - 1.4, caption)
    elif field.name == "stake":
        paper.text(16, _middle(field.rect, 22), pgettext("blank", "Stake"), 22, BOLD)
        note = fit(pgettext("blank", "one digit to a cell"), REGULAR, 11, 70 * MM, least=8)
        paper.fitted(field.rect.right + 5, _middle(field.rect, 11), note)
    elif field.name == "answer":
        paper.text(field.rect.x, field.rect.y - 4, pgettext("blank", "Answer"), 22, BOLD)


def _frame(paper: Paper, rect: Rect) -> None:
    paper.frame(rect.x, rect.y, rect.width, rect.height, FRAME_MM, grey=FRAME_GREY)


def _middle(rect: Rect, size: float) -> float:
    """The baseline on which capitals of a size stand in the middle of a rectangle's height, mm."""
    return rect.y + rect.height / 2 + size * CAP_HEIGHT / 2 / MM


def _legend(paper: Paper, kind: SheetKind) -> None:
    """What an answer is worth and how to write it, between the two lower corners."""
    final = kind is SheetKind.FINAL
    value = pgettext("blank", "the stake") if final else pgettext("blank", "the value")
    worth = [
        (pgettext("blank", "right answer"), f"+ {value}"),
        (pgettext("blank", "wrong answer"), f"− {value}"),
    ]
    if not final:
        worth.append((pgettext("blank", "empty box"), "0"))
    for index, (caption, points) in enumerate(worth):
        x = 48.0 + 46 * index
        paper.fitted(x, 273.2, fit(caption, REGULAR, 9.5, 44 * MM, least=7, lines=1))
        paper.fitted(x, 278.4, fit(points, BOLD, 13, 44 * MM, least=8, lines=1), BOLD)
    rules = _(
        "Write inside the frame. Cross out what should not count. Keep the corner marks clean."
    )
    paper.fitted(48, 284.6, fit(rules, REGULAR, 9.5, 136 * MM, least=7, lines=1))
