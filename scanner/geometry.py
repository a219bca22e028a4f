"""The blank's geometry: one description in millimetres, from which it is printed and read.

Coordinate frame: millimetres on the paper, origin at the top left corner, x to the right, y downwards.
The file format is that of `blanks.toml` beside this module; an organizer's own blank can be described in
the same way.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from otbor.errors import GeometryError
from otbor.i18n import gettext as _
from scanner.geometry_check import fault

DEFAULT_FILE = Path(__file__).with_name("blanks.toml")

# More rows or digits than fit on a page: so many are a slip of the hand.
MOST_ROWS = 100


class SheetKind(StrEnum):
    """What a sheet of paper is; the value is the letter in its code."""

    PERSONAL = "P"
    SPARE = "S"
    FINAL = "F"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on the paper, in millimetres."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge, mm."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge, mm."""
        return self.y + self.height

    def grown(self, margin: float) -> Rect:
        """The rectangle with `margin` mm added on each side (taken away if negative)."""
        return Rect(
            self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin
        )

    def corners(self) -> tuple[tuple[float, float], ...]:
        """Top left, top right, bottom right, bottom left, mm."""
        return (
            (self.x, self.y),
            (self.right, self.y),
            (self.right, self.bottom),
            (self.x, self.bottom),
        )

    def overlaps(self, other: Rect) -> bool:
        """True if the two share more than an edge."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )


@dataclass(frozen=True, slots=True)
class AnswerBox:
    """One of the answer boxes: theme from 1, row from 1 (the row's nominal is the regulation's)."""

    theme: int
    row: int
    rect: Rect
    label: Rect

    @property
    def key(self) -> str:
        """The box's name, unique on its blank: `t3r5`."""
        return f"t{self.theme}r{self.row}"


@dataclass(frozen=True, slots=True)
class Field:
    """Something else to fill in: digit cells, or one wide box if `cells` is empty."""

    name: str
    rect: Rect
    cells: tuple[Rect, ...]
    spare_only: bool

    @property
    def key(self) -> str:
        """The field's name, unique on its blank."""
        return self.name


@dataclass(frozen=True, slots=True)
class Marker:
    """One fiducial: its ArUco id and its square."""

    id: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class Blank:
    """One kind of printed page."""

    name: str
    paper: Rect
    dictionary: str
    markers: tuple[Marker, ...]
    marker_quiet: float
    codes: tuple[Rect, ...]
    code_quiet: float
    boxes: tuple[AnswerBox, ...]
    headings: tuple[tuple[int, Rect], ...]
    fields: tuple[Field, ...]

    def box(self, theme: int, row: int) -> AnswerBox:
        """The answer box of a theme and row, both from 1.

        Raises:
            KeyError: There is no such box.
        """
        for box in self.boxes:
            if (box.theme, box.row) == (theme, row):
                return box
        raise KeyError((theme, row))


@dataclass(frozen=True, slots=True)
class Geometry:
    """All kinds of blanks of one description, and the text it came from."""

    blanks: dict[str, Blank]
    source: str

    def blank_of(self, kind: SheetKind) -> Blank:
        """The page on which a sheet of this kind is printed; spares share the personal one."""
        return self.blanks["final" if kind is SheetKind.FINAL else "personal"]

    def blank_with_marker(self, marker_id: int) -> Blank | None:
        """The blank that bears this fiducial, or None if none does."""
        for blank in self.blanks.values():
            if any(marker.id == marker_id for marker in blank.markers):
                return blank
        return None


def load(path: Path = DEFAULT_FILE) -> Geometry:
    """Read a description from a file.

    Raises:
        GeometryError: The file is missing, is no TOML, or describes a blank that cannot be.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GeometryError(
            _("The blank's geometry {path} cannot be read: {error}.").format(
                path=path, error=error
            ),
            _("Get a fresh one with “otbor blanks --geometry”."),
        ) from error
    return parse(text)


@cache
def default() -> Geometry:
    """The geometry that comes with the product."""
    return load()


def parse(text: str) -> Geometry:
    """Read a description from TOML text; see `load`."""
    try:
        data = tomllib.loads(text)
        paper = Rect(0.0, 0.0, float(data["paper"]["width"]), float(data["paper"]["height"]))
        names = [name for name in data if name not in ("paper", "fiducials", "codes")]
        blanks = {name: _blank(name, data, paper) for name in names}
    except tomllib.TOMLDecodeError as error:
        raise _refused(str(error)) from error
    except KeyError as error:
        raise _refused(_("the field {name} is missing").format(name=error)) from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _refused(str(error)) from error
    for name in ("personal", "final"):
        if name not in blanks:
            raise _refused(_("the field {name} is missing").format(name=name))
    reason = fault(list(blanks.values()))
    if reason:
        raise _refused(reason)
    return Geometry(blanks, text)


@cache
def parse_cached(text: str) -> Geometry:
    """`parse`, remembered: a worker gets the same text with every page."""
    return parse(text)


def _refused(reason: str) -> GeometryError:
    return GeometryError(
        _("The blank's geometry is refused: {reason}.").format(reason=reason),
        _("Compare it with the one that “otbor blanks --geometry” prints."),
    )


def _blank(name: str, data: dict[str, Any], paper: Rect) -> Blank:
    part = data[name]
    side = float(data["fiducials"]["side"])
    code_side = float(data["codes"]["side"])
    boxes: list[AnswerBox] = []
    headings: list[tuple[int, Rect]] = []
    answers = part.get("answers")
    for column in answers["columns"] if answers else ():
        for index, theme in enumerate(column["themes"]):
            _theme(answers, float(column["x"]), float(column["y"]), index, theme, boxes, headings)
    return Blank(
        name=name,
        paper=paper,
        dictionary=data["fiducials"]["dictionary"],
        markers=tuple(
            Marker(int(id_), Rect(float(x), float(y), side, side))
            for id_, (x, y) in zip(part["marker_ids"], part["marker_at"], strict=True)
        ),
        marker_quiet=float(data["fiducials"]["quiet"]),
        codes=tuple(Rect(float(x), float(y), code_side, code_side) for x, y in part["code_at"]),
        code_quiet=float(data["codes"]["quiet"]),
        boxes=tuple(sorted(boxes, key=lambda box: (box.theme, box.row))),
        headings=tuple(sorted(headings, key=lambda item: item[0])),
        fields=tuple(_field(entry) for entry in part.get("fields", ())),
    )


def _theme(
    answers: dict[str, Any],
    x: float,
    y: float,
    index: int,
    theme: int,
    boxes: list[AnswerBox],
    headings: list[tuple[int, Rect]],
) -> None:
    top = y + index * float(answers["theme_pitch"])
    label, width = float(answers["label_width"]), float(answers["box_width"])
    height, heading = float(answers["box_height"]), float(answers["heading_height"])
    headings.append((theme, Rect(x, top, label + width, heading)))
    for row in range(min(int(answers["rows"]), MOST_ROWS)):
        row_y = top + heading + row * float(answers["pitch"])
        boxes.append(
            AnswerBox(
                theme, row + 1, Rect(x + label, row_y, width, height), Rect(x, row_y, label, height)
            )
        )


def _field(entry: dict[str, Any]) -> Field:
    x, y = float(entry["x"]), float(entry["y"])
    spare_only = bool(entry.get("spare_only", False))
    if "digits" not in entry:
        rect = Rect(x, y, float(entry["width"]), float(entry["height"]))
        return Field(entry["name"], rect, (), spare_only)
    width, height = float(entry["cell_width"]), float(entry["cell_height"])
    pitch, digits = float(entry["pitch"]), int(entry["digits"])
    if not 1 <= digits <= MOST_ROWS:
        raise ValueError(f"digits = {digits}")
    cells = tuple(Rect(x + index * pitch, y, width, height) for index in range(digits))
    rect = Rect(x, y, pitch * (digits - 1) + width, height)
    return Field(entry["name"], rect, cells, spare_only)
