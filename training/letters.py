"""Lines composed from real letters: every letter of a line from one hand as far as that can be.

Real letters come as images (`letters.npz` of 64 pixels, `digits.npz` of 28), each trimmed to its ink and
put on one line: small ones to the x-height, tall ones above, tails below. Neighbours are joined by a drawn
stroke in some lines.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
"""Ink coverage of a line, 0 bare to 255, shape (height, width)."""

X_HEIGHT = 26
_TALL = frozenset("бвАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯф0123456789")
_TAIL = frozenset("руфдзцщ")
# к and о of the letter set hold look-alikes of another alphabet, drawn with a thinner pen.
_MIXED = frozenset("ко")
_THIN = 2.6


class Letters:
    """Real letters and digits by class.

    Args:
        letters: `npz` with `images` (N, 64, 64), dark on white, and `labels`.
        digits: The same with (N, 28, 28) digits.
        held_out: True for the tenth of the images that training never sees, False for the others.
    """

    def __init__(self, letters: Path, digits: Path, held_out: bool) -> None:
        self.glyphs: dict[str, list[Mask]] = {}
        for path in (letters, digits):
            archive = np.load(path)
            labels = archive["labels"].astype(str)
            for label in np.unique(labels):
                images = archive["images"][labels == label]
                chosen = [
                    image for index, image in enumerate(images) if (index % 10 == 0) == held_out
                ]
                kept = [self._trimmed(image) for image in chosen]
                if label in _MIXED:
                    kept = [glyph for glyph in kept if _pen_width(glyph) > _THIN]
                self.glyphs[str(label)] = [glyph for glyph in kept if min(glyph.shape) > 3]

    @staticmethod
    def _trimmed(image: Mask) -> Mask:
        ink = 255 - image
        rows = np.flatnonzero((ink > 60).any(axis=1))
        columns = np.flatnonzero((ink > 60).any(axis=0))
        if not len(rows):
            return np.zeros((1, 1), np.uint8)
        return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])

    def writes(self, text: str) -> bool:
        """True if every character can be written."""
        return all(char == " " or char.lower() in self.glyphs for char in text)

    def line(self, text: str, rng: np.random.Generator) -> Mask:
        """Write a text."""
        # One and the same letter twice in a line is often one and the same picture.
        habit: dict[str, Mask] = {}
        capitals = rng.random() < 0.5
        gap = rng.normal(0.12, 0.1) * X_HEIGHT
        wander = rng.uniform(0.0, 0.07) * X_HEIGHT
        wide = rng.uniform(0.75, 1.15)
        size_spread = rng.uniform(0.02, 0.12)
        joined = rng.random() < 0.4
        pen = rng.uniform(1.6, 5.0)
        height, baseline = 4 * X_HEIGHT, round(2.6 * X_HEIGHT)
        canvas = np.zeros((height, round((len(text) + 3) * 2.4 * X_HEIGHT)), dtype=np.uint8)
        at, before = float(X_HEIGHT), None
        for char in text:
            if char == " ":
                at += rng.uniform(0.6, 1.3) * X_HEIGHT
                before = None
                continue
            known = self.glyphs[char.lower()]
            if char not in habit or rng.random() < 0.5:
                habit[char] = known[int(rng.integers(len(known)))]
            glyph, drop = self._sized(habit[char], char, capitals, wide, size_spread, pen, rng)
            top = round(baseline + drop - glyph.shape[0] + rng.normal(0.0, wander))
            top = min(max(top, 0), height - glyph.shape[0])
            left = max(round(at), 0)
            place = canvas[top : top + glyph.shape[0], left : left + glyph.shape[1]]
            if place.shape[1] != glyph.shape[1]:
                break
            np.maximum(place, glyph, out=place)
            if joined and before is not None:
                _join(canvas, before, (left, top, glyph), pen, rng)
            before = (left, top, glyph)
            at += glyph.shape[1] + gap * rng.uniform(0.6, 1.4)
        return canvas

    def _sized(
        self,
        glyph: Mask,
        char: str,
        capitals: bool,
        wide: float,
        spread: float,
        pen: float,
        rng: np.random.Generator,
    ) -> tuple[Mask, float]:
        """A glyph in the line's size and pen, and how far it hangs below the baseline."""
        height, drop = 1.0, 0.0
        if char in _TALL or capitals:
            height = 1.65 if not capitals else (1.5 if char.isupper() else 1.2)
        if not capitals and char in "йё":
            height = 1.45
        if not capitals and char in _TAIL:
            drop = 0.55 if char in "руфд" and rng.random() < 0.8 else 0.25
            height += drop
        scale = X_HEIGHT * height * (1 + rng.normal(0.0, spread)) / glyph.shape[0]
        # Flat letters (ю written low, a wide м) keep their shape rather than their height.
        across = min(scale * wide, 2.0 * X_HEIGHT / glyph.shape[1])
        size = (max(3, round(glyph.shape[1] * across)), max(3, round(glyph.shape[0] * scale)))
        size = (min(size[0], 3 * X_HEIGHT), min(size[1], 3 * X_HEIGHT))
        return _with_pen(
            cv2.resize(glyph, size, interpolation=cv2.INTER_AREA), pen
        ), drop * X_HEIGHT


def _pen_width(glyph: Mask) -> float:
    """The width of a glyph's stroke, pixels: area by half the outline."""
    ink = (glyph > 100).astype(np.uint8)
    inner = cv2.erode(ink, np.ones((3, 3), np.uint8), borderValue=0)
    edge = int(ink.sum()) - int(inner.sum())
    return 2.0 * float(ink.sum()) / max(edge, 1)


def _with_pen(glyph: Mask, pen: float) -> Mask:
    """Thicker or thinner until the stroke is about as wide as the pen."""
    padded = cv2.copyMakeBorder(glyph, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(0,))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    for _ in range(3):
        width = _pen_width(padded)
        if width < pen - 1.2:
            padded = cv2.dilate(padded, kernel)
        elif width > pen + 1.5 and width > 3.4:
            padded = cv2.erode(padded, kernel)
        else:
            break
    return padded


def _join(
    canvas: Mask,
    left: tuple[int, int, Mask],
    right: tuple[int, int, Mask],
    pen: float,
    rng: np.random.Generator,
) -> None:
    """A stroke from the right edge of one letter to the left edge of the next."""
    start = _edge(left, rng, last=True)
    end = _edge(right, rng, last=False)
    sag = rng.uniform(-0.05, 0.3) * X_HEIGHT
    t = np.linspace(0.0, 1.0, 8)[:, None]
    middle = (start + end) / 2 + np.array([0.0, sag])
    curve = (1 - t) ** 2 * start + 2 * (1 - t) * t * middle + t**2 * end
    points = np.round(curve * 8).astype(np.int32)
    cv2.polylines(canvas, [points], False, 255, max(1, round(pen)), cv2.LINE_AA, 3)


def _edge(
    letter: tuple[int, int, Mask], rng: np.random.Generator, *, last: bool
) -> NDArray[np.float64]:
    x0, y0, glyph = letter
    column = glyph.shape[1] - 3 if last else 2
    rows = np.flatnonzero(glyph[:, column] > 80)
    if not len(rows):
        rows = np.array([glyph.shape[0] - 3 if last else glyph.shape[0] // 2])
    row = int(rows[-1]) if last or rng.random() < 0.5 else int(rows[0])
    return np.array([x0 + column, y0 + row], dtype=float)
