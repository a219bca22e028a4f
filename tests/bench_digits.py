"""Measures the digit network: part of `make bench-reading`, or `python -m tests.bench_digits` alone.

Loss guarded against: a stake that is read as another one without anybody being asked to look.

Single digits, and numbers of one to four of them in the hand of one writer; beside the small network the
line network, restricted to digits, on the same cells.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import fontpkg_caveat
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from samples.hands.writers import load_writers
from scanner.contracts import Gray, Ink
from scanner.readers.alphabet import folded_classes
from scanner.readers.ctc import text_scores
from scanner.readers.digits import NOTHING, DigitReader, reading_of, unpacked
from scanner.readers.handwriting import HandwritingReader
from scanner.readers.numbers import read_number
from scanner.readers.trace import unpacked as line_unpacked

SEED = 11
NUMBERS = 2000
CELLS = 4
Hand = dict[int, list[Gray]]
"""Digit → cells in which one writer wrote it."""

WHITE = np.full((140, 120), 255, np.uint8)


def tablet(path: Path) -> list[Hand]:
    """The digits of every recorded session, drawn with a pen of half a millimetre."""
    hands = []
    for writer in load_writers(path):
        hand: Hand = {}
        for digit in range(10):
            letter = writer.letters.get(str(digit), ())
            hand[digit] = [_drawn([*one.body, *one.marks]) for one in letter[:1]]
        hands.append(hand)
    return hands


def _drawn(paths: list[Any]) -> Gray:
    points = np.concatenate(paths)
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    scale = 70 / max(float(size.max()), 1e-6)
    cell = WHITE.copy()
    origin = (np.array([120, 140]) - size * scale) / 2
    for path in paths:
        line = np.round(((path - low) * scale + origin) * 8).astype(np.int32)
        cv2.polylines(cell, [line], False, 40, 5, cv2.LINE_AA, 3)
    return cell


def held_out(path: Path) -> list[Hand]:
    """The tenth of the real digits that training never sees; nobody knows who wrote which."""
    archive = np.load(path)
    hand: Hand = {}
    for digit in range(10):
        images = archive["images"][archive["labels"].astype(str) == str(digit)][::10]
        hand[digit] = [cv2.resize(image, None, fx=3, fy=3) for image in images]
    return [hand]


def fonts() -> list[Hand]:
    """A handwriting font that training does not see, in three sizes and inks, a little noisy."""
    rng = np.random.default_rng(SEED)
    hands = []
    for path in sorted(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf")):
        for size, fill in ((70, 30), (90, 120), (110, 190)):
            font = ImageFont.truetype(str(path), size)
            hand: Hand = {}
            for digit in range(10):
                image = Image.fromarray(WHITE)
                ImageDraw.Draw(image).text((60, 70), str(digit), fill, font, anchor="mm")
                noisy = np.asarray(image) + rng.normal(0, 4, WHITE.shape)
                hand[digit] = [np.clip(noisy, 0, 255).astype(np.uint8)]
            hands.append(hand)
    return hands


def singles(hands: list[Hand], answer: Callable[[list[Gray]], np.ndarray]) -> dict[str, Any]:
    """How many single digits are read rightly, and which are taken for which."""
    cells = [(digit, cell) for hand in hands for digit, some in hand.items() for cell in some]
    got = answer([cell for _, cell in cells])
    wrong = [
        f"{digit}→{read}" for (digit, _), read in zip(cells, got, strict=True) if digit != read
    ]
    return {
        "digits": len(cells),
        "accuracy": round(1 - len(wrong) / len(cells), 4),
        "taken_for": dict(sorted(((w, wrong.count(w)) for w in set(wrong)), key=lambda x: -x[1])),
    }


def numbers(hands: list[Hand], reader: DigitReader) -> dict[str, Any]:
    """Numbers in boxes of four cells, in the hand of one writer each."""
    rng = np.random.default_rng(SEED)
    kinds = {hand: table for hand, table in enumerate(hands) if all(table.values())}
    right = flagged = unflagged = 0
    for _ in range(NUMBERS):
        hand = kinds[int(rng.choice(list(kinds)))]
        length = int(rng.integers(1, CELLS + 1))
        value = int(rng.integers(10 ** (length - 1), 10**length))
        start = int(rng.integers(0, CELLS - length + 1))
        cells = [WHITE] * CELLS
        for at, char in enumerate(str(value), start=start):
            known = hand[int(char)]
            cells[at] = known[int(rng.integers(len(known)))]
        inks = [(Ink.BLANK if cell is WHITE else Ink.WRITTEN, True) for cell in cells]
        table = unpacked(reading_of(inks, reader.probabilities(cells)).trace)
        found = read_number(table)
        right += found.value == value
        flagged += not found.sure
        unflagged += found.sure and found.value != value
    return {
        "numbers": NUMBERS,
        "accuracy": round(right / NUMBERS, 4),
        "flagged": round(flagged / NUMBERS, 4),
        "unflagged_errors": round(unflagged / NUMBERS, 5),
    }


def small_network(reader: DigitReader) -> Callable[[list[Gray]], np.ndarray]:
    """The digit that the small network thinks likeliest."""
    return lambda cells: reader.probabilities(cells)[:, :NOTHING].argmax(axis=1)


def line_network() -> Callable[[list[Gray]], np.ndarray]:
    """The digit that fits the line network's trace best."""
    reader, texts = HandwritingReader(), [folded_classes(str(digit)) for digit in range(10)]

    def answer(cells: list[Gray]) -> np.ndarray:
        lines = [line_unpacked(reading.trace) for reading in reader.read(cells)]
        found = np.full(len(cells), -1)
        seen = [index for index, line in enumerate(lines) if line is not None]
        scores = text_scores([lines[index] for index in seen], [texts] * len(seen))  # type: ignore[misc]
        found[seen] = np.argmax(scores, axis=1)
        return found

    return answer


def figures(handwriting: Path | None, model: Path | None = None) -> dict[str, Any]:
    """All figures; without `handwriting` only those in a font."""
    sets = {"font not trained on": fonts()}
    if handwriting is not None:
        strokes = handwriting / "tablet_strokes.json"
        real = handwriting.parent / "train" / "mnist_digits_28.npz"
        if strokes.exists():
            sets["tablet, six writers"] = tablet(strokes)
        if real.exists():
            sets["real digits held out"] = held_out(real)
    reader = DigitReader(model) if model else DigitReader()
    small, line = small_network(reader), line_network()
    return {
        name: {
            "single": singles(hands, small),
            "single, line network": singles(hands, line),
            "numbers": numbers(hands, reader),
        }
        for name, hands in sets.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the digit network.")
    parser.add_argument("--handwriting", type=Path, help="folder with tablet_strokes.json")
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    for name, found in figures(arguments.handwriting, arguments.model).items():
        for part, values in found.items():
            print(f"{name}, {part}: {json.dumps(values, ensure_ascii=False)}", flush=True)


if __name__ == "__main__":
    main()
