"""Refuses a description of a blank that could be written down, or even printed, but not read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from otbor.i18n import gettext as _

if TYPE_CHECKING:
    from scanner.geometry import Blank, Rect

# A fiducial needs this much white paper outside it: printers leave the outermost millimetres unprinted
# and feeders shift a page by several more.
LEAST_EDGE_MM = 10.0
# OpenCV's dictionaries of fiducials and how many each has. Written out, so that whoever only wants to
# know where a box is need not load OpenCV; a test holds the table to it.
DICTIONARIES = {
    f"DICT_{side}X{side}_{count}": count for side in (4, 5, 6, 7) for count in (50, 100, 250, 1000)
} | {
    "DICT_ARUCO_ORIGINAL": 1024,
    "DICT_ARUCO_MIP_36h12": 250,
    "DICT_APRILTAG_16h5": 30,
    "DICT_APRILTAG_25h9": 35,
    "DICT_APRILTAG_36h10": 2320,
    "DICT_APRILTAG_36h11": 587,
}


def fault(blanks: list[Blank]) -> str:
    """What is wrong with the blanks of a description, in the user's language; empty if nothing is."""
    used: set[int] = set()
    for blank in blanks:
        reason = _of_sizes(blank) or _of_fiducials(blank, used) or _of_places(blank)
        if reason:
            return reason
    return ""


def _parts(blank: Blank) -> list[tuple[str, Rect]]:
    return [
        *((f"marker {m.id}", m.rect.grown(blank.marker_quiet)) for m in blank.markers),
        *(("code", code.grown(blank.code_quiet)) for code in blank.codes),
        *((box.key, box.rect) for box in blank.boxes),
        *((field.key, cell) for field in blank.fields for cell in field.cells or (field.rect,)),
    ]


def _of_sizes(blank: Blank) -> str:
    sizes = [("paper", blank.paper), *_parts(blank)]
    for name, rect in sizes:
        numbers = (rect.x, rect.y, rect.width, rect.height)
        if (
            not all(math.isfinite(number) for number in numbers)
            or min(rect.width, rect.height) <= 0
        ):
            return _("{name} has no proper size").format(name=name)
    if len(blank.codes) != 2:
        return _("{name} needs two places for its code").format(name=blank.name)
    keys = [box.key for box in blank.boxes] + [field.key for field in blank.fields]
    if not keys or (blank.name == "personal" and not blank.boxes):
        return _("{name} has no box to write in").format(name=blank.name)
    twice = next((key for key in keys if keys.count(key) > 1), None)
    return "" if twice is None else _("{name} is there twice").format(name=twice)


def _of_fiducials(blank: Blank, used: set[int]) -> str:
    if len(blank.markers) != 4:
        return _("{name} needs four fiducials").format(name=blank.name)
    count = DICTIONARIES.get(blank.dictionary)
    if count is None:
        return _("there is no dictionary of fiducials {name}").format(name=blank.dictionary)
    for marker in blank.markers:
        if not 0 <= marker.id < count:
            return _("the dictionary has no fiducial {id}").format(id=marker.id)
        if marker.id in used:
            return _("the fiducial id {id} is used twice").format(id=marker.id)
        used.add(marker.id)
        if not _inside(marker.rect.grown(LEAST_EDGE_MM), blank.paper):
            return _("the fiducial {id} is nearer than {mm:g} mm to the paper's edge").format(
                id=marker.id, mm=LEAST_EDGE_MM
            )
    return ""


def _of_places(blank: Blank) -> str:
    parts = _parts(blank)
    for index, (name, rect) in enumerate(parts):
        if not _inside(rect, blank.paper):
            return _("{name} lies outside the paper").format(name=name)
        for other_name, other in parts[:index]:
            both_white = name.startswith(("marker", "code")) and other_name.startswith(
                ("marker", "code")
            )
            # Two white zones may share their white, not their print.
            if rect.overlaps(other) and not both_white:
                return _("{name} and {other} overlap").format(name=name, other=other_name)
    return ""


def _inside(rect: Rect, paper: Rect) -> bool:
    # A rounding of the last digit is no overhang.
    slack = 1e-6
    return (
        rect.x >= paper.x - slack
        and rect.y >= paper.y - slack
        and rect.right <= paper.right + slack
        and rect.bottom <= paper.bottom + slack
    )
