"""Where a blank lies on an image: by its fiducials, and by its codes where fiducials are lost."""

from __future__ import annotations

from dataclasses import dataclass

from scanner.code_reading import find_codes
from scanner.codes import SheetCode
from scanner.contracts import Gray
from scanner.geometry import Geometry
from scanner.registration import Found, Registration, find_fiducials, register


@dataclass(frozen=True, slots=True)
class Location:
    """What was found of a blank on an image.

    Args:
        registration: How it lies; None if that cannot be told.
        fiducials: Those that were found.
        codes: The sheets named by codes, if those had to be searched on the whole image.
    """

    registration: Registration | None
    fiducials: list[Found]
    codes: list[SheetCode]


def locate(gray: Gray, geometry: Geometry) -> Location:
    """Find a blank on an image of any turn.

    Args:
        gray: Shape (height, width).
        geometry: The blanks that may be there.
    """
    found = find_fiducials(gray, geometry)
    registration = register(found)
    if registration is not None:
        return Location(registration, found, [])
    codes = find_codes(gray)
    named = [code for code, _ in codes]
    if not codes or not found:
        return Location(None, found, named)
    blank = found[0].blank
    # Which of the blank's two places a code is at is not written in it: the better fit tells.
    trials = []
    for order in (blank.codes, blank.codes[::-1]):
        anchors = [(rect, corners) for rect, (_, corners) in zip(order, codes, strict=False)]
        trial = register(found, anchors)
        if trial is not None:
            trials.append(trial)
    return Location(min(trials, key=lambda trial: trial.residual, default=None), found, named)
