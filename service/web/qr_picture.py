"""A QR code as a drawing inside a page: the policy of our pages allows no picture out of an address."""

from __future__ import annotations

import segno
from markupsafe import Markup

MARGIN = 4


def qr_svg(text: str) -> Markup:
    """The code as SVG with its light margin, black on white in the dark too: scanners want it so."""
    matrix = segno.make(text, error="m", micro=False).matrix
    side = len(matrix) + 2 * MARGIN
    cells = "".join(
        f"M{x + MARGIN} {y + MARGIN}h1v1h-1z"
        for y, row in enumerate(matrix)
        for x, dark in enumerate(row)
        if dark
    )
    return Markup(
        f'<svg class="qr" viewBox="0 0 {side} {side}" width="{side * 5}" height="{side * 5}" '
        f'aria-hidden="true"><rect width="{side}" height="{side}" fill="#fff"/>'
        f'<path d="{cells}" fill="#000"/></svg>'
    )
