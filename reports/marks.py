"""The signs of a verdict, drawn: the typeface has no ✓ and ✗, and shape must tell as well as shade."""

from __future__ import annotations

from reports.fonts import BOLD
from reports.paper import Paper
from scoring.model import Verdict


def verdict_mark(
    paper: Paper, x: float, y: float, verdict: Verdict | None, size: float = 4.2
) -> None:
    """Draw the sign of a verdict about a point.

    Right: a white tick on a black disc. Wrong: a black cross. Blank: a grey dash. Disputed or not
    confirmed: a question mark.

    Args:
        paper: Where.
        x: The sign's middle, mm.
        y: The same, downwards.
        verdict: What the jury said; None if nothing yet.
        size: Its width, mm.
    """
    half = size / 2
    if verdict is Verdict.RIGHT:
        paper.disc(x, y, half)
        tick = [(-0.45, 0.05), (-0.12, 0.38), (0.48, -0.36)]
        paper.stroke([(x + a * half, y + b * half) for a, b in tick], size * 0.12, grey=1.0)
    elif verdict is Verdict.WRONG:
        arm = half * 0.62
        for slant in (-1, 1):
            ends = [(x - arm, y - slant * arm), (x + arm, y + slant * arm)]
            paper.stroke(ends, size * 0.13)
    elif verdict is Verdict.BLANK:
        paper.line(x - half * 0.5, y, x + half * 0.5, y, size * 0.08, grey=0.5)
    else:
        paper.text(x, y + size * 0.33, "?", size * 2.6, BOLD, align="center")
