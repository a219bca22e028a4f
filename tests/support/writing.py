"""Writes into printed blanks for tests: words in handwriting fonts, single strokes, and dirt.

Everything is placed in millimetres on the blank and darkens what is already there, as ink does: a
darkness of 0.2 leaves 80 % of the paper's brightness.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from paper import Scan
from PIL import Image, ImageDraw, ImageFont

FONTS = ("fontpkg_caveat", "fontpkg_great_vibes", "fontpkg_pacifico")
PRINT_FONT = "fontpkg_pt_sans"

Mask = NDArray[np.uint8]
# Strokes are drawn this much finer than the page, so that 0.3 mm is not a whole number of pixels.
FINE = 4


class Pad:
    """A page that can be written on; drawn at any resolution."""

    def __init__(self, page: Scan) -> None:
        self._page = page
        self.gray = page.gray.copy()
        self.per_mm = float(page.matrix[0, 0])

    def done(self) -> Scan:
        """The page as it is now."""
        return self._page.with_gray(self.gray)

    def text(
        self,
        left: float,
        baseline: float,
        text: str,
        *,
        x_height: float = 2.4,
        darkness: float = 0.85,
        font: str = FONTS[0],
        bold: float = 0.0,
    ) -> float:
        """Write a text, mm; gives its width in mm. `bold` mm are added around the font's strokes."""
        typeface = face(font, round(x_height * self.per_mm / _x_height_ratio(font)))
        margin = round(3 * x_height * self.per_mm) + 4
        width = round(typeface.getlength(text)) + 2 * margin
        image = Image.new("L", (width, 2 * margin))
        ImageDraw.Draw(image).text(
            (margin, margin),
            text,
            fill=255,
            font=typeface,
            anchor="ls",
            stroke_width=bold * self.per_mm,
        )
        mask = np.asarray(image, dtype=np.uint8)
        x, y = left * self.per_mm - margin, baseline * self.per_mm - margin
        self._ink(mask, round(x), round(y), darkness)
        return float(typeface.getlength(text)) / self.per_mm

    def stroke(
        self, points: list[tuple[float, float]], *, width: float = 0.4, darkness: float = 0.85
    ) -> None:
        """A stroke of a pen along points, mm."""
        scale = self.per_mm * FINE
        line = np.array(points, dtype=np.float64)
        low = np.floor((line.min(axis=0) - width - 0.3) * self.per_mm).astype(int)
        high = np.ceil((line.max(axis=0) + width + 0.3) * self.per_mm).astype(int)
        size = (high - low) * FINE
        fine = np.zeros((int(size[1]), int(size[0])), np.uint8)
        inside = np.round((line * scale - low * FINE) * 16).astype(np.int32)
        cv2.polylines(
            fine, [inside], False, (255,), max(1, round(width * scale)), cv2.LINE_AA, shift=4
        )
        share = 1 / FINE
        mask = cv2.resize(fine, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        self._ink(np.asarray(mask, np.uint8), int(low[0]), int(low[1]), darkness)

    def _ink(self, mask: Mask, x: int, y: int, darkness: float) -> None:
        height, width = self.gray.shape
        top, left = max(-y, 0), max(-x, 0)
        part = mask[top : max(height - y, 0), left : max(width - x, 0)]
        if part.size == 0:
            return
        view = self.gray[y + top : y + top + part.shape[0], x + left : x + left + part.shape[1]]
        view[:] = np.round(view * (1 - part.astype(np.float32) * (darkness / 255)))


def digit(text: str, left: float, top: float, height: float) -> list[list[tuple[float, float]]]:
    """The strokes of a hand-drawn `1`, `7`, `4`, `-`, `=` or `5`, mm."""
    wide = height * 0.55
    shapes: dict[str, list[list[tuple[float, float]]]] = {
        "1": [[(0.55, 0.0), (0.5, 1.0)]],
        "7": [[(0.0, 0.04), (0.9, 0.0), (0.35, 1.0)]],
        "4": [[(0.1, 0.0), (0.0, 0.55), (0.9, 0.5)], [(0.75, 0.1), (0.65, 1.0)]],
        "-": [[(0.0, 0.5), (0.8, 0.47)]],
        "=": [[(0.0, 0.35), (0.9, 0.33)], [(0.02, 0.65), (0.9, 0.67)]],
        "5": [
            [
                (0.85, 0.0),
                (0.2, 0.04),
                (0.1, 0.45),
                (0.6, 0.42),
                (0.8, 0.7),
                (0.5, 0.98),
                (0.05, 0.92),
            ]
        ],
        "+": [[(0.0, 0.5), (0.9, 0.5)], [(0.45, 0.15), (0.45, 0.9)]],
    }
    return [[(left + x * wide, top + y * height) for x, y in stroke] for stroke in shapes[text]]


@cache
def face(package: str, size: int) -> ImageFont.FreeTypeFont:
    """The font of a package at a size in pixels."""
    # The basic layout engine is in every Pillow; raqm is not.
    return ImageFont.truetype(_file(package), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _file(package: str) -> str:
    folder = resources.files(package) / "files"
    names = sorted(Path(str(file)) for file in folder.iterdir() if file.name.endswith(".ttf"))
    regular = [name for name in names if "Regular" in name.name]
    return str((regular or names)[0])


@cache
def _x_height_ratio(package: str) -> float:
    """Height of «н» as a share of the font's size."""
    return -face(package, 400).getbbox("н", anchor="ls")[1] / 400
