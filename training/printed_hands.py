"""Lines in handwriting fonts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

from training.letters import X_HEIGHT, Mask


class FontHands:
    """Writes with the fonts of a folder.

    Args:
        folder: With `.ttf` files as `training.fonts` makes them.
        names: Which fonts, by the start of their file's name.
    """

    def __init__(self, folder: Path, names: list[str]) -> None:
        found = sorted(folder.glob("*.ttf"))
        self.paths = [
            path for path in found if any(path.name.startswith(f"{name}-") for name in names)
        ]
        self.known = {path: frozenset(map(chr, TTFont(path).getBestCmap())) for path in self.paths}
        by_name: dict[str, list[Path]] = {}
        for path in self.paths:
            by_name.setdefault(path.name.rsplit("-", 2)[0], []).append(path)
        self.families = list(by_name.values())

    def writes(self, text: str) -> bool:
        """True if one of the fonts has every character."""
        return any(frozenset(text) <= known for known in self.known.values())

    def line(self, text: str, rng: np.random.Generator) -> Mask:
        """Write a text; characters the font lacks are an error, so ask `pick` for a font first."""
        path = self.pick(text, rng)
        # Every font has its own proportions: sized by its x-height.
        font = _font(str(path), _size(str(path)))
        gap = rng.normal(0.0, 0.05) * X_HEIGHT if rng.random() < 0.5 else 0.0
        wander = rng.uniform(0.0, 0.06) * X_HEIGHT
        left, _top, right, _bottom = font.getbbox(text)
        margin = X_HEIGHT
        image = Image.new(
            "L", (int(right - left + (len(text) + 2) * margin // 2 + 3 * margin), 5 * X_HEIGHT), 0
        )
        drawing = ImageDraw.Draw(image)
        x, baseline = float(margin), 3 * X_HEIGHT
        if gap == 0.0:
            drawing.text((x, baseline), text, fill=255, font=font, anchor="ls")
        else:
            for char in text:
                y = baseline + rng.normal(0.0, wander)
                drawing.text((x, y), char, fill=255, font=font, anchor="ls")
                x += font.getlength(char) + gap
        return np.asarray(image).copy()

    def pick(self, text: str, rng: np.random.Generator) -> Path:
        """A font that has every character of the text."""
        wanted = frozenset(text)
        for _ in range(20):
            family = self.families[int(rng.integers(len(self.families)))]
            path = family[int(rng.integers(len(family)))]
            if wanted <= self.known[path]:
                return path
        raise ValueError(f"no font writes {text!r}")


@lru_cache(maxsize=256)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


@lru_cache(maxsize=256)
def _size(path: str) -> int:
    """The size at which a small «н» is X_HEIGHT high."""
    _, top, _, bottom = ImageFont.truetype(path, 200).getbbox("н")
    return max(12, round(200 * X_HEIGHT / max(bottom - top, 20)))
