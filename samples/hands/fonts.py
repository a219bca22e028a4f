"""Hands written with handwriting fonts from installed packages.

A font's letters are all alike; slant, size, weight, the wander of the line and a smooth distortion of
every line make the players differ, and one player's words too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.ttfonts import TTFontFile

from otbor.errors import EngineError
from otbor.i18n import gettext as _
from samples.hands.contracts import PX_PER_MM, Line, Pen, trimmed


@dataclass(frozen=True, slots=True)
class Face:
    """A font and how it is used.

    `bold` mm are added all around because its hairlines are too thin for a pen, or taken away because
    its strokes are a brush's.
    """

    package: str
    bold: float
    weights: tuple[int, int] | None


CAVEAT = Face("fontpkg_caveat", 0.0, (400, 640))
PACIFICO = Face("fontpkg_pacifico", -0.075, None)
GREAT_VIBES = Face("fontpkg_great_vibes", 0.065, None)
FACES = (CAVEAT, PACIFICO, GREAT_VIBES)

# Shares of the players who write with each face, and how high they make their small letters, mm.
FACE_SHARES = (0.6, 0.15, 0.25)
X_HEIGHTS = {CAVEAT: (2.1, 3.1), PACIFICO: (1.9, 2.5), GREAT_VIBES: (1.8, 2.3)}

_MEASURED_AT = 400


@dataclass(frozen=True, slots=True)
class FontHand:
    """One player's hand.

    Args:
        face: The font; characters it lacks are taken from the other faces.
        pen: What it writes with.
        x_height: Of small letters, mm.
        weight: Of a variable font.
        slant: Horizontal shift per unit of height, positive to the right.
        stretch: Width of the letters against the font's own.
        wander: How far the line leaves its straight course, mm.
    """

    face: Face
    pen: Pen
    x_height: float
    weight: int
    slant: float
    stretch: float
    wander: float

    def line(self, text: str, x_height: float, rng: np.random.Generator) -> Line:
        """Write a text; see `Hand.line`."""
        return self._distorted(self._set(text, x_height), x_height, rng)

    def _set(self, text: str, x_height: float) -> Line:
        """The text as the fonts have it, each run of characters in a face that has them."""
        runs = [
            (_font(face, x_height, self.weight), face, part)
            for face, part in runs_of(text, self.face)
        ]
        pieces = [(font, face, part, font.getlength(part)) for font, face, part in runs]
        margin = round(4 * x_height * PX_PER_MM)
        width = int(sum(advance for *_rest, advance in pieces)) + 2 * margin
        image = Image.new("L", (width, 2 * margin))
        draw = ImageDraw.Draw(image)
        at = float(margin)
        for font, face, part, advance in pieces:
            bold = max(0.0, face.bold) * PX_PER_MM
            draw.text((at, margin), part, fill=255, font=font, anchor="ls", stroke_width=bold)
            at += advance
        mask = np.asarray(image, dtype=np.uint8)
        if self.face.bold < 0:
            side = 2 * round(-self.face.bold * PX_PER_MM) + 1
            brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
            mask = np.asarray(cv2.erode(mask, brush), dtype=np.uint8)
        return trimmed(mask, margin)

    def _distorted(self, line: Line, x_height: float, rng: np.random.Generator) -> Line:
        margin = round(0.8 * PX_PER_MM)
        height, width = line.mask.shape
        lean = abs(self.slant) * height
        out_width = round(width * self.stretch + lean) + 2 * margin
        out_height = height + 2 * margin
        baseline = line.baseline + margin
        x = np.arange(out_width, dtype=np.float32)[None, :]
        y = np.arange(out_height, dtype=np.float32)[:, None]
        left = margin + (self.slant * (height - line.baseline) if self.slant > 0 else lean)
        source_x = (x - left + self.slant * (y - baseline)) / self.stretch
        source_y = (y - margin) + np.zeros_like(x)
        # Letters vary at the scale of a letter, the line as a whole more slowly.
        letters = 0.045 * x_height * PX_PER_MM
        source_x = source_x + _smooth(rng, out_height, out_width, 1.1 * x_height, letters)
        source_y = source_y + _smooth(rng, out_height, out_width, 1.1 * x_height, letters)
        course = _smooth(rng, 1, out_width, 6 * x_height, self.wander * PX_PER_MM)
        source_y = source_y + course + rng.normal(0.0, 0.008) * x
        bent = cv2.remap(
            line.mask,
            source_x.astype(np.float32),
            source_y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=0,
        )
        return trimmed(np.asarray(bent, dtype=np.uint8), baseline)


def choose_font_hand(pen: Pen, rng: np.random.Generator) -> FontHand:
    """A hand for one player."""
    face = FACES[int(rng.choice(len(FACES), p=FACE_SHARES))]
    weights = face.weights or (0, 0)
    return FontHand(
        face=face,
        pen=pen,
        x_height=float(rng.uniform(*X_HEIGHTS[face])),
        weight=int(rng.integers(weights[0], weights[1] + 1)),
        slant=float(np.clip(rng.normal(0.03, 0.09), -0.15, 0.25)),
        stretch=float(rng.uniform(0.92, 1.16)),
        wander=float(rng.uniform(0.06, 0.22)),
    )


def covers(face: Face, text: str) -> bool:
    """True if the face has a glyph for every character."""
    return all(char.isspace() or ord(char) in _characters(face) for char in text)


def runs_of(text: str, face: Face) -> Iterator[tuple[Face, str]]:
    """Split a text into runs, each with a face that has its characters, `face` wherever it can."""
    run, current = "", face
    for char in text:
        fits = next((known for known in (face, *FACES) if covers(known, char)), face)
        if fits is not current and run:
            yield current, run
            run = ""
        current, run = fits, run + char
    if run:
        yield current, run


def font_file(face: Face) -> Path:
    """The face's file in its installed package.

    Raises:
        EngineError: The package is not installed.
    """
    try:
        folder = resources.files(face.package) / "files"
        return next(Path(str(file)) for file in folder.iterdir() if file.name.endswith(".ttf"))
    except (ModuleNotFoundError, StopIteration) as error:
        raise EngineError(
            _("The handwriting font {package} is not installed.").format(package=face.package),
            _("Install the fonts with “pip install otbor[samples]” or run “make install”."),
        ) from error


@cache
def _characters(face: Face) -> frozenset[int]:
    return frozenset(TTFontFile(str(font_file(face))).charToGlyph)


def _font(face: Face, x_height: float, weight: int) -> ImageFont.FreeTypeFont:
    """The face in the size that makes small letters `x_height` mm high."""
    ratio = _x_height_ratio(face)
    return _sized(face, round(x_height * PX_PER_MM / ratio), weight if face.weights else 0)


@cache
def _sized(face: Face, size: int, weight: int) -> ImageFont.FreeTypeFont:
    # The basic layout engine is in every Pillow; raqm is not, and would change the pictures.
    font = ImageFont.truetype(str(font_file(face)), size, layout_engine=ImageFont.Layout.BASIC)
    if weight:
        font.set_variation_by_axes([weight])
    return font


@cache
def _x_height_ratio(face: Face) -> float:
    """Height of «н» as a share of the font size."""
    font = _sized(face, _MEASURED_AT, 0)
    box = font.getbbox("н", anchor="ls")
    return float(-box[1]) / _MEASURED_AT


def _smooth(
    rng: np.random.Generator, height: int, width: int, scale: float, amplitude: float
) -> NDArray[np.float32]:
    """A smooth random field, standard deviation `amplitude` px, that changes over `scale` mm."""
    step = scale * PX_PER_MM
    rows = max(2, round(height / step) + 2) if height > 1 else 1
    columns = max(2, round(width / step) + 2)
    coarse = rng.normal(0.0, amplitude, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))
