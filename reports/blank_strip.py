"""The strip at the foot of a personal blank that the player cuts off and keeps: the own code.

It lies below the white of the lower marks and above the 5 mm that printers leave empty, so the part that
is handed in and scanned stays as it is.
"""

from __future__ import annotations

import math

from otbor.errors import GeometryError
from otbor.i18n import gettext as _
from reports.codes import printed
from reports.fitting import fit
from reports.fonts import BOLD, MM, REGULAR
from reports.paper import Paper, text_width
from scanner.geometry import Blank

UNPRINTED_MM = 5.0
"""Nothing is printed nearer to the paper's edge: office printers leave 3 to 5 mm white."""

STRIP_MM = 3.8
"""From the line to the lowest stroke of a letter."""

_GAP_MM = 0.3  # white between the line and the zone that has to stay white
_BASELINE_MM = 3.2  # below the line
_LEFT, _RIGHT = 12.0, 198.0
_SIZE, _CODE_SIZE = 7.5, 8.0
_SPACE_MM = 0.9  # on either side of the code


def strip_line(blank: Blank) -> float:
    """Where the cutting line lies, mm from the upper edge.

    Raises:
        GeometryError: The blank's marks and boxes leave no room for a strip.
    """
    lowest = max(
        *(marker.rect.grown(blank.marker_quiet).bottom for marker in blank.markers),
        *(rect.grown(blank.code_quiet).bottom for rect in blank.codes),
        *(box.rect.bottom for box in blank.boxes),
    )
    line = lowest + _GAP_MM
    if line + STRIP_MM > blank.paper.height - UNPRINTED_MM:
        raise GeometryError(
            _("The foot of the blank has no room for the player's code."),
            _("Leave the codes out: otbor blanks EVENT --no-codes."),
        )
    return line


def draw_strip(paper: Paper, blank: Blank, code: str, sheet: str) -> None:
    """Draw the line to cut along, and below it the code with what it is good for.

    Args:
        paper: Where.
        blank: Whose foot.
        code: The player's code as `reports.codes.player_code` gives it.
        sheet: The sheet's name, so that a strip that is found can be given back.
    """
    y = strip_line(blank)
    # In the margin: there is no mark whose white the blades could enter.
    _scissors(paper, UNPRINTED_MM + 0.5, y)
    paper.line(10.5, y, paper.width - UNPRINTED_MM, y, 0.18, grey=0.3, dash=(1.4, 1.1))
    baseline = y + _BASELINE_MM
    number = f"№ {sheet}"
    paper.text(_RIGHT, baseline, number, _CODE_SIZE, BOLD, align="right")
    words = _("player's code {code} — cut off and keep: it opens your answers")
    before, _placeholder, after = words.partition("{code}")
    code = printed(code)
    x = _LEFT
    if before:
        paper.text(x, baseline, before.rstrip(), _SIZE)
        x += text_width(before.rstrip(), REGULAR, _SIZE) + _SPACE_MM
    paper.text(x, baseline, code, _CODE_SIZE, BOLD)
    x += text_width(code, BOLD, _CODE_SIZE) + _SPACE_MM
    room = _RIGHT - text_width(number, BOLD, _CODE_SIZE) - 4.0 - x
    paper.fitted(x, baseline, fit(after.lstrip(), REGULAR, _SIZE, room * MM, least=5, lines=1))


def _scissors(paper: Paper, x: float, y: float) -> None:
    """The sign ✂, which the typeface lacks: 4.3 mm from x to the right, its cut at y."""
    for side in (-1, 1):
        eye_x, eye_y, radius = x + 0.72, y + side * 0.82, 0.56
        ring = [
            (eye_x + radius * math.cos(turn), eye_y + radius * math.sin(turn))
            for turn in (math.tau * step / 24 for step in range(25))
        ]
        paper.stroke(ring, 0.22)
        # From the eye through the pivot to the tip on the other side; the blade is the stronger half.
        paper.stroke([(eye_x + 0.5, eye_y - side * 0.28), (x + 2.0, y)], 0.26)
        paper.stroke([(x + 2.0, y), (x + 4.3, y - side * 0.78)], 0.34)
