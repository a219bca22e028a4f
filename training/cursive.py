"""Joined-up writing from strokes drawn for this purpose: school cursive, with print and careless variants.

A letter is a text of points: `x,y` in hundredths of the x-height, y upwards from the baseline; `|` is a
sharp turn of the pen, `/` lifts it. Every writer bends all letters in an own way, writes a choice of
variants, joins more or less, and never writes a letter twice the same.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.letters import X_HEIGHT, Mask

Points = NDArray[np.float64]

_OVAL = "75,85 40,100 10,70 5,30 30,0 60,25 78,95"
_STICK = "0,60 13,100 10,35 24,0 50,30 63,100"
_LOWER: dict[str, tuple[str, ...]] = {
    "а": (f"{_OVAL} | 75,30 85,2 110,25", "70,80 40,98 8,60 15,10 45,5 72,50 | 74,95 70,30 72,0"),
    "б": (
        "85,195 50,175 20,120 8,60 15,10 45,0 75,30 70,75 40,90 15,60",
        "20,75 8,30 35,0 68,25 62,70 35,88 15,70 | 12,110 30,165 75,180",
    ),
    "в": (
        "0,5 35,70 50,160 35,195 20,160 15,70 15,20 40,0 70,25 65,70 35,95 | 55,78 90,78",
        "10,100 10,0 | 10,100 45,92 42,60 12,52 | 52,45 55,10 10,0",
    ),
    "г": ("0,75 20,100 45,85 40,60 12,25 20,0 50,10 65,25", "10,0 10,98 | 60,100"),
    "д": (
        f"{_OVAL} | 75,20 65,-70 40,-95 25,-70 60,-15 105,25",
        "60,80 30,95 5,50 20,5 55,10 75,60 65,130 35,170 5,172",
        "10,0 30,95 70,95 | 75,0 / -5,-25 0,0 90,0 | 90,-25",
    ),
    "е": (
        "0,25 45,50 62,80 40,100 12,70 10,25 40,0 80,25",
        "10,50 60,55 50,95 20,90 8,40 35,0 65,15",
    ),
    "ж": (
        "0,80 20,100 38,70 30,15 8,2 | 25,30 60,95 | 60,50 60,5 | 62,35 90,95 110,85 | 85,50 90,10 "
        "110,2 130,25",
        "5,98 50,50 5,0 / 50,100 50,0 / 100,98 52,50 105,0",
    ),
    "з": (
        "5,80 30,100 55,75 25,50 | 55,20 55,-50 25,-95 10,-70 50,-10 85,25",
        "5,85 30,100 55,80 25,52 | 60,30 35,0 3,12",
    ),
    "и": (f"{_STICK} | 62,35 75,0 100,30", "8,100 10,0 | 62,100 | 63,0"),
    "к": (
        "0,60 15,100 | 11,0 | 15,45 45,75 65,98 | 30,52 50,20 65,0 95,25",
        "10,100 10,0 / 65,98 12,50 | 70,0",
    ),
    "л": ("0,5 12,0 30,40 50,100 | 52,40 65,0 90,30", "0,0 20,10 35,100 | 70,100 | 70,0"),
    "м": (
        "0,5 10,0 25,40 40,100 | 48,50 55,5 | 75,50 95,100 | 95,40 108,0 130,30",
        "5,0 10,100 | 50,20 | 90,100 | 95,0",
    ),
    "н": (
        "5,70 15,100 | 11,0 | 14,40 35,55 60,60 72,100 | 66,35 78,0 102,28",
        "10,100 10,0 / 10,50 65,52 / 65,100 65,0",
    ),
    "о": (
        "50,97 15,80 5,35 30,0 65,20 70,65 45,97 60,82 95,75",
        "45,98 8,65 10,15 45,0 70,40 60,85 40,99",
    ),
    "п": (
        "0,70 15,100 | 11,0 | 15,60 40,98 62,85 58,30 70,0 95,28",
        "10,0 10,98 | 65,98 | 65,0",
    ),
    "р": (
        "0,50 18,100 15,20 10,-95 | 15,-10 20,60 45,100 68,80 62,25 75,0 100,28",
        "15,95 10,-90 | 15,70 45,98 68,60 45,3 14,12",
    ),
    "с": ("65,80 40,100 12,70 10,25 38,0 75,25",),
    "т": (
        "0,70 12,100 | 9,0 | 12,60 32,98 50,85 47,0 | 50,60 70,98 88,85 85,30 97,0 120,28",
        "0,98 70,100 / 35,98 35,0",
        "0,70 12,100 | 9,0 | 12,60 32,98 48,80 46,0 | 50,60 68,95 86,85 84,0 / 5,125 90,128",
    ),
    "у": (
        "0,65 12,100 10,45 30,10 55,40 68,100 | 62,10 50,-70 25,-95 12,-70 50,-10 95,25",
        "5,100 35,30 / 70,100 35,10 10,-60 -10,-70",
    ),
    "ф": (
        "50,80 20,98 3,50 22,2 48,35 / 52,150 48,30 45,-95 | 47,20 60,85 85,95 98,50 80,3 55,15",
        "0,50 30,95 80,90 100,45 70,3 20,5 0,50 / 50,130 50,-80",
    ),
    "х": ("75,98 40,50 5,2 / 5,80 20,100 35,70 50,20 65,0 85,20", "5,100 65,0 / 65,100 0,0"),
    "ц": (
        f"{_STICK} | 62,35 70,2 85,5 88,-30 75,-40 72,-20 105,25",
        "8,100 8,0 | 65,0 | 85,0 | 85,-28 / 62,100 63,0",
    ),
    "ч": (
        "0,75 12,100 15,60 35,50 55,65 65,100 | 60,35 72,0 98,28",
        "5,100 12,50 60,55 / 60,100 60,0",
    ),
    "ш": (
        "0,60 12,100 8,35 20,0 42,30 52,100 | 48,35 60,0 82,30 95,100 | 92,35 103,0 128,30",
        "5,100 8,0 | 100,0 | 100,100 / 52,100 52,0",
    ),
    "щ": (
        "0,60 12,100 8,35 20,0 42,30 52,100 | 48,35 60,0 82,30 95,100 | 92,35 100,2 115,4 118,-30 "
        "105,-40 103,-20 135,25",
        "5,100 8,0 | 118,0 | 118,-28 / 52,100 52,0 / 100,100 100,0",
    ),
    "ъ": (
        "0,85 18,100 28,90 24,30 42,0 72,12 70,48 35,52 | 60,50 95,52",
        "0,98 25,98 | 25,0 | 65,10 62,48 25,52",
    ),
    "ы": (
        "0,60 12,100 10,35 24,0 50,12 52,45 28,55 / 60,40 85,100 | 80,35 92,0 115,28",
        "8,100 8,0 | 50,8 45,48 8,52 / 80,100 80,0",
    ),
    "ь": ("0,60 12,100 10,35 24,0 54,8 60,42 30,55 | 55,50 85,52", "8,100 8,0 | 52,8 48,50 8,52"),
    "э": ("8,75 30,100 62,75 65,30 35,0 5,20 / 25,52 68,52 95,50",),
    "ю": (
        "5,70 15,100 | 11,0 | 13,45 40,50 48,65 75,100 50,75 50,25 75,0 102,30 98,80 75,100 | 120,78",
        "8,100 8,0 / 8,50 45,50 / 75,100 45,70 50,15 75,0 105,35 100,80 72,100",
    ),
    "я": (
        "0,5 10,0 35,45 | 20,55 12,80 40,100 65,95 | 62,40 72,0 98,28",
        "0,0 40,48 | 10,60 15,95 60,100 | 60,0",
    ),
}
_MARKS_OVER = {"ё": ("е", "22,128 24,132 / 48,130 50,134"), "й": ("и", "12,135 32,120 58,140")}
_ENLARGED = "жзиклмоостухцчшщэюясф"
_UPPER: dict[str, tuple[str, ...]] = {
    "А": ("0,0 20,20 70,180 | 75,60 90,0 / 20,60 85,65", "0,0 50,180 | 95,0 / 20,65 80,65"),
    "Б": (
        "90,180 10,178 | 10,0 60,0 88,40 60,90 12,95",
        "30,180 25,20 10,0 60,0 85,40 60,90 28,92 / 5,178 95,185",
    ),
    "В": (
        "10,180 10,0 | 10,180 60,170 65,120 15,95 | 75,75 80,20 10,0",
        "20,175 20,10 0,0 / 5,165 40,182 75,160 60,110 22,97 | 85,75 80,15 30,0",
    ),
    "Г": ("10,0 10,180 | 80,175", "0,5 20,0 40,90 45,170 / 0,160 30,180 95,178"),
    "Д": (
        "15,0 40,180 | 85,180 | 90,0 / 0,-25 5,2 110,2 | 110,-25",
        "45,170 35,20 10,0 40,5 90,40 100,120 60,180 10,165",
    ),
    "Е": (
        "75,180 10,175 | 10,0 | 80,0 / 10,90 65,95",
        "70,160 40,180 15,145 45,100 | 10,50 40,0 80,30",
    ),
    "Н": (
        "10,180 10,0 / 10,90 85,90 / 85,180 85,0",
        "5,160 20,180 15,10 0,0 / 15,85 85,95 / 95,180 85,20 105,5",
    ),
    "П": (
        "10,0 10,180 | 85,180 | 85,0",
        "20,170 15,10 0,0 / 80,170 75,10 95,10 / 5,165 40,185 110,178",
    ),
    "Р": (
        "10,0 10,180 | 60,175 75,135 50,90 10,85",
        "25,165 20,10 0,0 / 5,160 45,182 80,155 65,100 25,90",
    ),
    "Т": (
        "0,180 95,180 / 48,180 48,0",
        "10,150 12,5 / 45,150 45,5 / 85,150 82,10 100,5 / 0,165 40,180 110,175",
    ),
    "И": ("5,180 10,0 | 85,180 | 88,0",),
    "Л": ("0,0 20,10 45,180 | 85,0",),
    "М": ("5,0 15,180 | 55,40 | 95,180 | 105,0",),
}
_OTHER: dict[str, tuple[str, ...]] = {
    "0": ("45,160 8,110 15,20 50,0 85,60 75,140 42,160",),
    "1": ("10,110 45,160 | 42,0", "40,160 40,0"),
    "2": ("8,120 35,160 72,130 55,70 5,5 | 30,12 80,3",),
    "3": ("8,140 40,160 68,125 30,85 | 72,55 50,2 5,15", "8,158 65,158 | 30,90 72,60 45,0 3,18"),
    "4": ("15,160 10,70 | 75,75 / 65,160 62,0", "60,0 60,160 | 3,55 | 80,52"),
    "5": ("70,160 18,158 | 15,95 55,95 72,50 45,2 5,15",),
    "6": ("60,160 20,100 10,35 40,0 72,35 45,80 12,50",),
    "7": ("5,155 70,158 | 30,0", "5,155 70,158 | 30,0 / 20,80 65,85"),
    "8": ("60,130 35,160 15,125 60,50 40,0 8,35 60,120 62,140",),
    "9": ("65,120 35,160 8,115 35,75 65,115 | 55,40 20,0",),
    "-": ("5,50 55,52",),
    ".": ("5,3 8,0 6,5",),
    ",": ("8,8 10,0 0,-25",),
    '"': ("5,180 2,145 / 25,180 22,145",),
    "!": ("8,170 7,45 / 7,3 9,0",),
    "?": ("5,135 30,170 55,130 30,85 30,50 / 30,3 32,0",),
    "(": ("30,190 5,90 28,-20",),
    ")": ("5,190 30,90 5,-20",),
    "+": ("5,60 65,60 / 35,95 35,25",),
    ":": ("6,5 8,3 / 6,60 8,58",),
    "/": ("60,190 5,-20",),
    "I": ("10,165 10,0", "10,165 10,0 / -10,165 30,165 / -10,0 30,0"),
    "V": ("0,165 35,0 | 70,165",),
    "X": ("0,165 70,0 / 70,165 0,0",),
}


def _parsed(text: str) -> list[list[Points]]:
    """Strokes, each a list of smooth runs that share their ends."""
    strokes = []
    for stroke in text.split("/"):
        runs: list[Points] = []
        for run in stroke.split("|"):
            points = np.array([[float(v) for v in p.split(",")] for p in run.split()]) / 100
            if runs:
                points = np.concatenate([runs[-1][-1:], points])
            runs.append(points)
        strokes.append(runs)
    return strokes


def _variants(char: str) -> list[list[list[Points]]]:
    if char in _MARKS_OVER:
        base, mark = _MARKS_OVER[char]
        return [[*_parsed(text), *_parsed(mark)] for text in _LOWER[base]]
    found = [_parsed(text) for text in (*_UPPER.get(char, ()), *_OTHER.get(char, ()))]
    low = char.lower()
    if char in _LOWER:
        found += [_parsed(text) for text in _LOWER[char]]
    elif low != char and low in _ENLARGED:
        for text in _LOWER[low]:
            grown = [
                [np.maximum(run, [-9, -0.25]) * [1.35, 1.75] for run in s] for s in _parsed(text)
            ]
            found.append(grown)
    elif low != char and low in _MARKS_OVER:
        base, mark = _MARKS_OVER[low]
        over = [[run * [1.4, 1.0] + [0, 0.75] for run in s] for s in _parsed(mark)]
        found += [[*variant, *over] for variant in _variants(base.upper())]
    return found


LETTERS = {
    char: variants
    for char in (
        *_LOWER,
        *_MARKS_OVER,
        *(c.upper() for c in _LOWER),
        *(c.upper() for c in _MARKS_OVER),
        *_OTHER,
    )
    if (variants := _variants(char))
}
_JOINED = frozenset(_LOWER) | frozenset(_MARKS_OVER)


class CursiveHands:
    """Writes with drawn strokes, every line by another invented writer."""

    def writes(self, text: str) -> bool:
        """True if every character can be written."""
        return all(char == " " or char in LETTERS for char in text)

    def line(self, text: str, rng: np.random.Generator) -> Mask:
        """Write a text."""
        return _Writer(rng).line(text)


class _Writer:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        school = rng.random() < 0.7
        self.first_choice = rng.uniform(0.6, 1.0) if school else rng.uniform(0.1, 0.6)
        self.own_bend = rng.uniform(0.02, 0.1)
        self.slip = rng.uniform(0.01, 0.055)
        self.joining = rng.uniform(0.6, 1.0) if school else rng.uniform(0.0, 0.6)
        self.gap = rng.normal(0.22, 0.12)
        self.wide = float(np.exp(rng.normal(0.12, 0.14)))
        self.long = rng.uniform(0.6, 1.1)
        self.capital = rng.uniform(0.75, 1.15)
        self.pen = rng.uniform(1.4, 4.2)
        self.angular = rng.random() < 0.25
        self.habit: dict[str, list[list[Points]]] = {}

    def line(self, text: str) -> Mask:
        scale = X_HEIGHT
        canvas = np.zeros((round(5.2 * scale), round((len(text) + 3) * 2.4 * scale)), np.uint8)
        at, baseline = 1.0, 3.0
        paths: list[Points] = []
        before = ""
        for char in text:
            if char == " ":
                at += self.rng.uniform(0.5, 1.1)
                before = ""
                continue
            strokes = self._strokes(char)
            left = min(float(run[:, 0].min()) for stroke in strokes for run in stroke)
            rise = float(self.rng.normal(0.0, 0.03))
            gap = self.gap * self.rng.uniform(0.6, 1.4)
            placed = [[run + np.array([at - left, rise]) for run in stroke] for stroke in strokes]
            right = max(float(run[:, 0].max()) for stroke in placed for run in stroke)
            joins = before in _JOINED and char in _JOINED and self.rng.random() < self.joining
            if joins and paths:
                tail, head = paths[-1][-3:], placed[0][0][:2]
                if abs(float(head[0, 0] - tail[-1, 0])) < 1.0:
                    placed[0][0] = self._led_in(tail, placed[0][0])
            exit_path = None
            for stroke in placed:
                path = np.concatenate([self._smooth(run) for run in stroke])
                paths.append(path)
                # The pen goes on from where the last stroke on the line ended.
                if path[:, 1].max() < 1.6 and path[-1, 1] < 1.15:
                    exit_path = len(paths) - 1
            if exit_path is not None:
                paths.append(paths.pop(exit_path))
            tail_room = 0.22 if char in _JOINED and self.first_choice > 0.5 else 0.0
            at = right + gap - tail_room * self.rng.uniform(0.3, 1.0)
            before = char
        flip = np.array([1.0, -1.0])
        for path in paths:
            points = (path * flip + [0.0, baseline]) * scale
            cv2.polylines(
                canvas,
                [np.round(points * 8).astype(np.int32)],
                False,
                255,
                max(1, round(self.pen)),
                cv2.LINE_AA,
                3,
            )
        return canvas

    def _strokes(self, char: str) -> list[list[Points]]:
        """The letter as this writer writes it this time."""
        if char not in self.habit or self.rng.random() < 0.05:
            variants = LETTERS[char]
            first = len(variants) == 1 or self.rng.random() < self.first_choice
            index = 0 if first else int(self.rng.integers(1, len(variants)))
            self.habit[char] = self._bent(variants[index], self.own_bend)
        strokes = self._bent(self.habit[char], self.slip)
        tall = self.capital if char.isupper() or char.isdigit() else 1.0
        grown = []
        for stroke in strokes:
            runs = []
            for run in stroke:
                run = run * [self.wide, tall]
                above, below = run[:, 1] > 1.0, run[:, 1] < 0.0
                if tall == 1.0:
                    run[above, 1] = 1.0 + (run[above, 1] - 1.0) * self.long
                run[below, 1] *= self.long
                runs.append(run)
            grown.append(runs)
        return grown

    def _bent(self, strokes: list[list[Points]], amount: float) -> list[list[Points]]:
        size = 1 + self.rng.normal(0.0, amount, 2)
        lean = self.rng.normal(0.0, amount)
        bent = []
        for stroke in strokes:
            runs: list[Points] = []
            for run in stroke:
                moved = (run + self.rng.normal(0.0, amount, run.shape)) * size
                moved[:, 0] += lean * moved[:, 1]
                if runs:
                    moved[0] = runs[-1][-1]
                runs.append(moved)
            bent.append(runs)
        return bent

    def _led_in(self, tail: Points, run: Points) -> Points:
        """The run with the way from the letter before put in front."""
        start = tail[-1:]
        if run[0, 0] <= start[0, 0]:
            return np.concatenate([start, run])
        dip = np.array([[(start[0, 0] + run[0, 0]) / 2, (start[0, 1] + run[0, 1]) / 2 - 0.08]])
        return np.concatenate([start, dip, run])

    def _smooth(self, run: Points) -> Points:
        """Catmull-Rom through the points; hasty writers leave corners."""
        if len(run) < 3:
            return run
        steps = 2 if self.angular else 7
        padded = np.concatenate([2 * run[:1] - run[1:2], run, 2 * run[-1:] - run[-2:-1]])
        p0, p1, p2, p3 = (padded[i : i + len(run) - 1, None, :] for i in range(4))
        t = np.linspace(0.0, 1.0, steps, endpoint=False)[None, :, None]
        curve = 0.5 * (
            2 * p1
            + (p2 - p0) * t
            + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2
            + (3 * p1 - p0 - 3 * p2 + p3) * t**3
        )
        return np.concatenate([curve.reshape(-1, 2), run[-1:]])
