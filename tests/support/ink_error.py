"""How often ink is told wrong: filled pages with known truth, through the whole scanner.

    PYTHONPATH=tests/support python -m ink_error 220

prints both rates. A page costs about half a second, so the suite takes a few pages only.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import paper
from writing import FONTS, Pad, digit

from scanner.contracts import Ink
from scanner.geometry import Rect, SheetKind, default
from scanner.recognition import recognise

Rng = np.random.Generator

WORDS = (
    "Пушкин", "Байкал", "Ежевика", "1812", "Лев Толстой", "кот", "Эйфелева башня", "мел", "Ё",
    "Северный Ледовитый океан", "в 1961 году", "Александр Македонский", "ил", "Менделеев", "42",
    "чёрная дыра", "барон Мюнхгаузен", "Windows", "да", "три богатыря", "йод", "уж", "Ы",
)  # fmt: skip
SHORT = ("ил", "уж", "7", "да", "мы", "оса", "Ре", "он", "5")


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a page was scanned."""

    dpi: int
    noise: float
    one_bit: bool
    jpeg: int | None
    crumple: float
    shadow: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One box: what was put in, and what was made of it."""

    case: str
    truth: Ink
    ink: Ink
    sure: bool
    area: float
    conditions: Conditions
    where: str


def ink_trials(pages: int, seed: int = 0) -> Iterator[Trial]:
    """Fill, scan and recognise pages; 40 trials a page, half of the boxes written in.

    Conditions: 150, 200 or 300 dpi; noise of sigma 0 to 12; JPEG of quality 60 to 90 or none; one page in
    seven 1-bit (with ink that survives it); skew, uneven light, shadows, crumpling up to 0.4 mm.
    """
    for index in range(pages):
        rng = np.random.default_rng([seed, index])
        yield from _page(rng, f"{seed}/{index}")


def summary(trials: list[Trial]) -> dict[str, float]:
    """Both error rates: counts and shares, as the benchmark prints them."""
    written = [trial for trial in trials if trial.truth is Ink.WRITTEN]
    blank = [trial for trial in trials if trial.truth is Ink.BLANK]
    dashes = [trial for trial in trials if trial.truth is Ink.DASH]
    lost = sum(trial.ink is not Ink.WRITTEN for trial in written)
    false = sum(trial.ink is Ink.WRITTEN for trial in blank)
    return {
        "written": len(written),
        "written_lost": lost,
        "written_called_blank": sum(trial.ink is Ink.BLANK for trial in written),
        "blank": len(blank),
        "blank_called_written": false,
        "blank_called_written_share": false / max(len(blank), 1),
        "dashes": len(dashes),
        "dashes_called_written": sum(trial.ink is Ink.WRITTEN for trial in dashes),
    }


def _page(rng: Rng, name: str) -> Iterator[Trial]:
    dpi = int(rng.choice([150, 200, 300]))
    one_bit = bool(rng.random() < 1 / 7)
    jpeg = int(rng.integers(60, 91)) if not one_bit and rng.random() < 0.7 else None
    crumple = float(rng.choice([0.0, 0.0, 0.25, 0.4])) if not one_bit else 0.0
    shadow = float(rng.choice([0.0, 0.0, 0.0, 0.3, 0.5])) if not one_bit else 0.0
    conditions = Conditions(dpi, float(rng.uniform(0, 12)), one_bit, jpeg, crumple, shadow)
    pad = Pad(paper.printed(SheetKind.PERSONAL, dpi))
    truths: dict[str, tuple[str, Ink]] = {}
    boxes = default().blanks["personal"].boxes
    for box in boxes:
        cases = WRITTEN if rng.random() < 0.5 else BLANK
        cases = DASHES if rng.random() < 0.06 else cases
        names = list(cases)
        shares = BLANK_SHARES if cases is BLANK else None
        case = names[int(rng.choice(len(names), p=shares))]
        if case == "tail" and truths.get(f"t{box.theme}r{box.row - 1}", ("", Ink.BLANK))[1] is not (
            Ink.WRITTEN
        ):
            case = "clean"
        least = 0.62 if one_bit else 0.0
        cases[case](pad, box.rect, rng, least)
        truth = Ink.DASH if cases is DASHES else Ink.WRITTEN if cases is WRITTEN else Ink.BLANK
        truths[box.key] = (case, truth)
    scan = paper.scanned(
        _creased(pad, rng),
        skew=float(rng.uniform(-2.5, 2.5)),
        scale=float(rng.uniform(0.95, 1.03)),
        noise=conditions.noise,
        blur=float(rng.uniform(0.3, 0.9)),
        white=float(rng.uniform(0.88, 1.0)),
        light=_light(rng, shadow),
        one_bit=one_bit,
        threshold=150,
        jpeg=jpeg,
        bend=paper.crumpled(crumple, int(rng.integers(1000))) if crumple else None,
        seed=int(rng.integers(1000)),
    )
    if not one_bit and rng.random() < 0.3:
        scan = _streaked(scan, rng)
    result = recognise(scan.gray, default(), paper.EVENT)
    found = {item.key: item for item in result.boxes}
    for key, (case, truth) in truths.items():
        item = found[key]
        yield Trial(case, truth, item.ink, item.sure, item.darkness, conditions, f"{name} {key}")


def _light(rng: Rng, shadow: float) -> paper.Field:
    """Uneven light, and on some pages the shadow of a hand."""
    coarse = 1 - rng.uniform(0, 0.15) * rng.random((4, 3))
    rows = np.linspace(0, 3, 200)
    columns = np.linspace(0, 2, 140)
    smooth = np.array([np.interp(rows, range(4), coarse[:, c]) for c in range(3)])
    light = np.array([np.interp(columns, range(3), smooth[:, r]) for r in range(200)])
    if shadow:
        edge = paper.half_shadow(
            shadow, float(rng.uniform(0, 360)), float(rng.uniform(0.008, 0.05))
        )
        light = light * edge
    return light.astype(np.float32)


def _creased(pad: Pad, rng: Rng) -> paper.Scan:
    """On every fourth page a fold: a thin dark line through the whole sheet."""
    if rng.random() < 0.25:
        y = float(rng.uniform(60, 260))
        ends = [(5.0, y), (205.0, y + float(rng.uniform(-12, 12)))]
        pad.stroke(
            ends, width=float(rng.uniform(0.25, 0.6)), darkness=float(rng.uniform(0.03, 0.09))
        )
    return pad.done()


def _streaked(scan: paper.Scan, rng: Rng) -> paper.Scan:
    """Dust on the glass of a feeder: straight lines down the whole picture."""
    gray = scan.gray.copy()
    for _ in range(int(rng.integers(1, 3))):
        wide = int(rng.integers(1, 4))
        left = int(rng.integers(gray.shape[1] // 8, gray.shape[1] * 7 // 8))
        strength = float(rng.uniform(0.15, 0.7))
        gray[:, left : left + wide] = (gray[:, left : left + wide] * (1 - strength)).astype(
            np.uint8
        )
    return scan.with_gray(gray)


def _pen(rng: Rng, least: float, low: float, high: float) -> float:
    return float(max(rng.uniform(low, high), least))


def _word(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    text = WORDS[int(rng.integers(len(WORDS)))]
    pad.text(
        rect.x + float(rng.uniform(1.5, 25)),
        rect.bottom - float(rng.uniform(1.5, 4)),
        text,
        x_height=float(rng.uniform(1.6, 3.2)),
        darkness=_pen(rng, least, 0.4, 0.95),
        font=FONTS[int(rng.choice(3, p=[0.6, 0.25, 0.15]))],
        bold=float(rng.uniform(0, 0.08)),
    )


def _pencil(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    text = WORDS[int(rng.integers(len(WORDS)))]
    pad.text(
        rect.x + float(rng.uniform(1.5, 25)),
        rect.bottom - float(rng.uniform(1.5, 4)),
        text,
        x_height=float(rng.uniform(2.0, 3.2)),
        darkness=_pen(rng, least, 0.15, 0.25),
        bold=0.06,
    )


def _light_blue(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    pad.text(
        rect.x + float(rng.uniform(1.5, 40)),
        rect.bottom - float(rng.uniform(1.5, 4)),
        SHORT[int(rng.integers(len(SHORT)))],
        x_height=float(rng.uniform(1.8, 3.0)),
        darkness=_pen(rng, least, 0.25, 0.4),
    )


def _digit(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    _strokes(pad, rect, rng, "17"[int(rng.integers(2))], _pen(rng, least, 0.4, 0.9), (0.3, 0.45))


def _pencil_digit(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    _strokes(pad, rect, rng, "174"[int(rng.integers(3))], _pen(rng, least, 0.18, 0.3), (0.35, 0.6))


def _signs(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    text = ("-5", "=", "-1", "+", "1-1", "5")[int(rng.integers(6))]
    _strokes(pad, rect, rng, text, _pen(rng, least, 0.5, 0.9), (0.3, 0.5))


def _strokes(
    pad: Pad, rect: Rect, rng: Rng, text: str, darkness: float, widths: tuple[float, float]
) -> None:
    height = float(rng.uniform(2.2, 5.0))
    left = rect.x + float(rng.uniform(1.2, 70))
    top = rect.y + float(rng.uniform(1.0, rect.height - height - 0.8))
    width = float(rng.uniform(*widths))
    for index, char in enumerate(text):
        for stroke in digit(char, left + index * height * 0.75, top, height):
            pad.stroke(stroke, width=width, darkness=darkness)


def _corner(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """A short word in a corner, touching or crossing the frame."""
    high = bool(rng.random() < 0.5)
    x_height = float(rng.uniform(1.6, 2.6))
    pad.text(
        rect.x + float(rng.uniform(-0.8, 0.3)),
        rect.y + x_height + float(rng.uniform(0, 0.6)) if high else rect.bottom - 0.2,
        SHORT[int(rng.integers(len(SHORT)))],
        x_height=x_height,
        darkness=_pen(rng, least, 0.4, 0.9),
    )


def _tiny(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """Small writing, joined: low and wide like a dash, and yet a word."""
    pad.text(
        rect.x + float(rng.uniform(2, 50)),
        rect.bottom - float(rng.uniform(2, 5)),
        ("мимо", "шиши", "мини", "ещё", "лишь", "а", "и")[int(rng.integers(7))],
        x_height=float(rng.uniform(1.1, 1.5)),
        darkness=_pen(rng, least, 0.5, 0.9),
        bold=0.03,
    )


def _rewritten(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """A word crossed out and another beside it."""
    darkness = _pen(rng, least, 0.5, 0.9)
    left, baseline = rect.x + 3, rect.bottom - 3.0
    wide = pad.text(left, baseline, "Москва", x_height=2.2, darkness=darkness)
    for _ in range(int(rng.integers(1, 4))):
        y = baseline - float(rng.uniform(0.6, 1.6))
        pad.stroke([(left - 1, y), (left + wide + 1, y - 0.4)], darkness=darkness)
    pad.text(left + wide + 4, baseline, "Тула", x_height=2.2, darkness=darkness)


def _clean(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """Nothing."""


def _specks(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    for _ in range(int(rng.integers(1, 8))):
        x = rect.x + float(rng.uniform(1, rect.width - 1))
        y = rect.y + float(rng.uniform(1, rect.height - 1))
        size = float(rng.uniform(0.1, 0.4))
        pad.stroke([(x, y), (x + 0.05, y)], width=size, darkness=float(rng.uniform(0.2, 0.9)))


def _smudge(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """A broad faint stain: rubber, a finger, the other side shining through."""
    x = rect.x + float(rng.uniform(5, rect.width - 15))
    y = rect.y + rect.height / 2
    pad.stroke([(x, y), (x + 8, y + 1)], width=3.0, darkness=float(rng.uniform(0.01, 0.05)))


def _tail(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    """The tail of a letter that was written in the box above."""
    pad.text(
        rect.x + float(rng.uniform(3, 60)),
        rect.y - float(rng.uniform(0.8, 1.8)),
        "уфдцрз"[int(rng.integers(6))],
        x_height=float(rng.uniform(1.8, 2.8)),
        darkness=_pen(rng, least, 0.4, 0.9),
        font=FONTS[int(rng.integers(2))],
    )


def _dash(pad: Pad, rect: Rect, rng: Rng, least: float) -> None:
    length = float(rng.choice([3, 5, 8, 12, 25, 60])) * float(rng.uniform(0.9, 1.1))
    x = rect.x + float(rng.uniform(1.5, max(1.6, rect.width - length - 2)))
    y = rect.y + float(rng.uniform(3, 6))
    rise = min(float(np.tan(np.radians(rng.uniform(-5, 5)))) * length, 1.2)
    pad.stroke(
        [(x, y), (x + length / 2, y + rise / 2 + 0.1), (x + length, y + max(rise, -1.2))],
        width=float(rng.uniform(0.3, 0.6)),
        darkness=_pen(rng, least, 0.4, 0.9),
    )


Case = Callable[[Pad, Rect, Rng, float], None]
WRITTEN: dict[str, Case] = {
    "word": _word,
    "pencil": _pencil,
    "light blue": _light_blue,
    "digit": _digit,
    "pencil digit": _pencil_digit,
    "signs": _signs,
    "corner": _corner,
    "tiny": _tiny,
    "rewritten": _rewritten,
}
BLANK: dict[str, Case] = {"clean": _clean, "specks": _specks, "smudge": _smudge, "tail": _tail}
# Most blanks are clean; the strokes of neighbours and dirt are what a busy hall gives.
BLANK_SHARES = (0.6, 0.2, 0.1, 0.1)
DASHES: dict[str, Case] = {"dash": _dash}


def main() -> None:
    """Print the errors of a number of pages."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    trials = list(ink_trials(pages, seed))
    print(summary(trials))
    counts = Counter((trial.truth, trial.case, trial.ink) for trial in trials)
    for (truth, case, ink), count in sorted(counts.items()):
        print(f"{truth:8} {case:14} → {ink:8} {count:6}")
    for trial in trials:
        if trial.ink is not trial.truth:
            print(trial)


if __name__ == "__main__":
    main()
