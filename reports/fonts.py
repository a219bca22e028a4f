"""PT Sans, the one typeface of everything printed: registered once, measured in points.

The standard PDF fonts have no Cyrillic (they print it as ■ without an error), so only the embedded
faces named here are ever used.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache
from pathlib import Path

import fontpkg_pt_sans
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR = "PTSans"
BOLD = "PTSans-Bold"
ITALIC = "PTSans-Italic"

_FILES = {
    REGULAR: "PT_Sans-Web-Regular.ttf",
    BOLD: "PT_Sans-Web-Bold.ttf",
    ITALIC: "PT_Sans-Web-Italic.ttf",
}

MM = 72.0 / 25.4
"""Points in a millimetre."""

CAP_HEIGHT = 0.7
"""Height of a capital of PT Sans as a share of the font size (its OS/2 table says 700 of 1000)."""

# Stands for a character that the typeface lacks. PT Sans has no U+FFFD.
SUBSTITUTE = "?"

_lock = threading.Lock()
_registered = False


def register() -> None:
    """Make the faces known to reportlab; calling it again does nothing. Safe from any thread."""
    global _registered
    with _lock:
        if _registered:
            return
        folder = Path(fontpkg_pt_sans.__file__).parent / "files"
        for name, file in _FILES.items():
            pdfmetrics.registerFont(TTFont(name, str(folder / file)))
        _registered = True


@cache
def _glyphs() -> frozenset[int]:
    """Code points that every face has."""
    register()
    sets = [frozenset(pdfmetrics.getFont(name).face.charToGlyph) for name in _FILES]
    return frozenset.intersection(*sets)


def printable(text: str) -> str:
    """The text as it can be printed on one line.

    Composed letters instead of decomposed ones (й, ё), every run of white space as one space,
    controls and invisible marks dropped, and `SUBSTITUTE` for what the typeface lacks, so that a
    name never loses a letter in silence.
    """
    # A no-break space stays one: it keeps «№ 12» on one line.
    spaced = re.sub(r"[^\S\u00a0]+", " ", unicodedata.normalize("NFC", text)).strip()
    visible = (char for char in spaced if unicodedata.category(char) not in ("Cc", "Cf"))
    return "".join(char if ord(char) in _glyphs() else SUBSTITUTE for char in visible)


def width(text: str, font: str, size: float) -> float:
    """The width in points of a printable text set in a face at a size in points."""
    register()
    return float(pdfmetrics.stringWidth(text, font, size))
