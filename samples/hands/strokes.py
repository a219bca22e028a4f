"""Hands that write with the letters of real writers, joined to words.

Small letters of one word are joined by a stroke from the end of one to the beginning of the next where a
writer would; a letter is never drawn twice in quite the same way. Characters that the writer has not
recorded (Latin, punctuation) come from a handwriting font of the same height.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from samples.hands.contracts import PX_PER_MM, Line, Mask, Pen, trimmed
from samples.hands.fonts import CAVEAT, FontHand
from samples.hands.ink_strokes import Path as StrokePath
from samples.hands.ink_strokes import draw
from samples.hands.writers import Letter, Writer, load_writers

X_HEIGHTS = (1.9, 2.8)
"""How high players make their small letters, mm."""


@dataclass(frozen=True, slots=True)
class StrokeHand:
    """One player's hand.

    Args:
        writer: Whose letters.
        pen: What it writes with.
        x_height: Of small letters, mm.
        slant: Horizontal shift per unit of height.
        stretch: Width of the letters against the writer's own.
        joining: How often two small letters are joined, 0 to 1.
        gap: Between letters, in x-heights.
        wander: Up and down of the letters, in x-heights.
        latin: Writes what the writer has not recorded.
    """

    writer: Writer
    pen: Pen
    x_height: float
    slant: float
    stretch: float
    joining: float
    gap: float
    wander: float
    latin: FontHand

    def line(self, text: str, x_height: float, rng: np.random.Generator) -> Line:
        """Write a text; see `Hand.line`."""
        margin = 4.0 * x_height
        room = (len(text) + 2) * 2.2 * x_height + 2 * margin
        mask = np.zeros((round(2 * margin * PX_PER_MM), round(room * PX_PER_MM)), dtype=np.uint8)
        drift = rng.normal(0.0, 0.008)
        at = margin
        for known, chars in groupby(text, key=self._knows):
            run = "".join(chars)
            if run.isspace():
                at += len(run) * x_height * rng.uniform(0.75, 1.05)
            elif known:
                at = self._run(mask, run, at, margin, drift, x_height, rng)
            else:
                at = self._latin_run(mask, run, at, margin, x_height, rng)
        return trimmed(mask, round(margin * PX_PER_MM))

    def _knows(self, char: str) -> bool | None:
        return None if char.isspace() else char in self.writer.letters

    def _run(
        self,
        mask: Mask,
        run: str,
        at: float,
        baseline: float,
        drift: float,
        x_height: float,
        rng: np.random.Generator,
    ) -> float:
        """Write characters that the writer has, from `at`; returns where the next may begin, mm."""
        strokes: list[StrokePath] = []
        previous = ""
        for char in run:
            letter = self._varied(self._recorded(char, rng), rng)
            start = at - letter.left * x_height
            rise = baseline + drift * (at - baseline) + rng.normal(0.0, self.wander) * x_height
            placed = [path * x_height + np.array([start, rise]) for path in letter.body]
            if previous and self._joins(previous, char, rng) and strokes:
                _join(strokes, placed, x_height)
            strokes.extend(placed)
            marks = [path * x_height + np.array([start, rise]) for path in letter.marks]
            draw(mask, marks, self.pen.width, rng)
            at += (letter.right - letter.left + self.gap * rng.uniform(0.6, 1.4)) * x_height
            previous = char
        draw(mask, strokes, self.pen.width, rng)
        return at

    def _recorded(self, char: str, rng: np.random.Generator) -> Letter:
        known = self.writer.letters[char]
        if len(known) == 1 or rng.random() < 0.6:
            return known[0]
        return known[int(rng.integers(1, len(known)))]

    def _varied(self, letter: Letter, rng: np.random.Generator) -> Letter:
        """The letter as it comes out this time, with the player's slant and width."""
        turn = rng.normal(0.0, 0.035)
        grow = 1 + rng.normal(0.0, 0.045)
        wide = self.stretch * (1 + rng.normal(0.0, 0.05))
        matrix = np.array([[wide, 0.0], [0.0, 1.0]]) @ np.array(
            [[grow, turn], [-self.slant - turn, grow]]
        )
        return Letter(
            tuple(path @ matrix for path in letter.body),
            tuple(path @ matrix for path in letter.marks),
        )

    def _joins(self, left: str, right: str, rng: np.random.Generator) -> bool:
        both_small = left.islower() and right.islower()
        return both_small and bool(rng.random() < self.joining)

    def _latin_run(
        self,
        mask: Mask,
        run: str,
        at: float,
        baseline: float,
        x_height: float,
        rng: np.random.Generator,
    ) -> float:
        line = self.latin.line(run, x_height, rng)
        left, top = round(at * PX_PER_MM), round(baseline * PX_PER_MM) - line.baseline
        height, width = line.mask.shape
        place = mask[top : top + height, left : left + width]
        np.maximum(place, line.mask[: place.shape[0], : place.shape[1]], out=place)
        return at + line.width + self.gap * x_height


def choose_stroke_hand(file: Path, index: int, pen: Pen, rng: np.random.Generator) -> StrokeHand:
    """A hand for the player with this index: writers take turns.

    Raises:
        InputFileError: The recordings are missing or unreadable.
    """
    writers = load_writers(file)
    x_height = float(rng.uniform(*X_HEIGHTS))
    slant = float(np.clip(rng.normal(0.04, 0.08), -0.12, 0.22))
    return StrokeHand(
        writer=writers[index % len(writers)],
        pen=pen,
        x_height=x_height,
        slant=slant,
        stretch=float(rng.uniform(0.9, 1.15)),
        joining=float(rng.uniform(0.55, 0.97)),
        gap=float(rng.uniform(0.14, 0.3)),
        wander=float(rng.uniform(0.02, 0.06)),
        latin=FontHand(CAVEAT, pen, x_height, 620, slant, 1.0, 0.08),
    )


def _join(strokes: list[StrokePath], letter: list[StrokePath], x_height: float) -> None:
    """Lead the pen from the end of what is written into the letter, if that is a short way."""
    before, after = strokes[-1], letter[0]
    leave, enter = before[-1], after[0]
    across, down = enter - leave
    if not (-0.25 * x_height < across < 1.1 * x_height and abs(down) < 1.15 * x_height):
        return
    if len(before) < 3 or len(after) < 3:
        return
    # A cubic from the way the pen was going to the way it will go.
    reach = 0.45 * float(np.hypot(across, down)) + 0.08 * x_height
    first = leave + reach * _direction(before[-3:], (1.0, -0.2))
    second = enter - reach * _direction(after[:3], (1.0, 0.0))
    t = np.linspace(0.0, 1.0, 9)[1:-1, None]
    curve = (
        (1 - t) ** 3 * leave
        + 3 * (1 - t) ** 2 * t * first
        + 3 * (1 - t) * t**2 * second
        + t**3 * enter
    )
    strokes[-1] = np.concatenate([before, curve, after[:1]])


def _direction(path: StrokePath, otherwise: tuple[float, float]) -> StrokePath:
    """The way a path goes, bent to the right: a joining stroke always moves on along the line."""
    way = path[-1] - path[0]
    length = float(np.hypot(*way))
    forward = np.array(otherwise)
    mixed = forward + (way / length if length > 1e-6 else 0.0)
    size = float(np.hypot(*mixed))
    return np.asarray(mixed / size if size > 0.2 else forward)
