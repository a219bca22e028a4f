"""The lines under a list on which it is signed."""

from __future__ import annotations

from otbor.i18n import gettext as _
from reports.fitting import fit
from reports.fonts import MM, REGULAR
from reports.paper import Paper, text_width

SIGN_OFF_MM = 26.0
"""Height of both lines, mm."""


def sign_off(paper: Paper, y: float, left: float, right: float) -> None:
    """Draw two lines to sign on, with room for the name in plain letters, and one for the date.

    Args:
        paper: Where.
        y: Upper edge, mm.
        left: Left edge, mm.
        right: Right edge, mm.
    """
    date_width = 46.0
    for at, role in enumerate((_("Head of the jury"), _("Organizer"))):
        baseline = y + 12.0 + at * 11.0
        words = fit(role, REGULAR, 10, 45 * MM, least=6, lines=1)
        paper.fitted(left, baseline, words)
        start = left + 40.0
        middle = start + (right - date_width - 6.0 - start) * 0.42
        paper.line(start, baseline + 0.6, middle - 3.0, baseline + 0.6, 0.2)
        paper.line(middle, baseline + 0.6, right - date_width - 6.0, baseline + 0.6, 0.2)
        for x, text in ((start, _("signature")), (middle, _("name in full"))):
            paper.fitted(x, baseline + 3.6, fit(text, REGULAR, 6.5, 30 * MM, lines=1), grey=0.35)
    baseline = y + 12.0
    caption = fit(_("Date"), REGULAR, 10, 14 * MM, least=6, lines=1)
    x = right - date_width
    paper.fitted(x, baseline, caption)
    start = x + text_width(caption.lines[0], REGULAR, caption.size) + 2.0
    paper.line(start, baseline + 0.6, right, baseline + 0.6, 0.2)
