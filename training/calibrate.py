"""Fit the curves that turn evidence into the probability that an answer is a form of the key.

    python -m training.calibrate --data DIR --handwriting DIR --model handwriting.onnx --out calibration.json

Sheets are written in fonts and letters that training never saw, scanned and cut (`training.sheets`). Each
answer is checked against what a key would have for it and against other texts. Prints a reliability table
of sheets that were not used for the fit.
"""

from __future__ import annotations

import argparse
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from scanner.readers.alphabet import folded, spelled
from scanner.readers.handwriting import HandwritingReader
from scanner.readers.rivals import rivals
from scanner.readers.verification import Curve, Evidence, evidence
from training.lines import Lines
from training.sheets import written_boxes
from training.vocabulary import Vocabulary

LETTERS = "абвгдежзийклмнопрстуфхцчшщыьэюя"
# Of the answers that are right, as many have a slip of the pen in them; a jury forgives it.
SLIP_SHARE = 0.08
# Of the texts that are another answer: a real word that is like the one written; a number one digit away.
# A wall of wrong answers holds some of both, and many that are nothing like the key.
LIKE_SHARE, LIKE_OF = 0.3, 3000
RIVAL_SHARE = 0.35
# What stands around an answer and in no key.
AROUND = " \"'().,:;!?"
# Every third sheet is for the table.
HELD_BACK, BOXES = 3, 40


@dataclass(frozen=True, slots=True)
class Pair:
    """A box, a text, and whether a jury takes what stands in the box for this text."""

    box: int
    text: str
    right: bool


def main() -> None:
    """Make sheets, fit, print the tables, write the file."""
    parser = argparse.ArgumentParser(description="Fit the calibration.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sheets", type=int, default=180)
    arguments = parser.parse_args()
    lines = Lines(arguments.data, arguments.handwriting, held_out=True)
    boxes = list(written_boxes(lines, arguments.sheets, seed=20))
    readings = HandwritingReader(arguments.model).read([box.image for box in boxes])
    pairs = _pairs([box.text for box in boxes], lines.vocabulary, np.random.default_rng(21))
    asked: list[list[Pair]] = [[] for _ in boxes]
    for pair in pairs:
        asked[pair.box].append(pair)
    found = evidence(
        [reading.trace for reading in readings], [[pair.text for pair in some] for some in asked]
    )
    known = [
        (pair, item)
        for some, items in zip(asked, found, strict=True)
        for pair, item in zip(some, items or [], strict=False)
        if item is not None
    ]
    data = {}
    for name, numbers in (("words", False), ("numbers", True)):
        chosen = [(pair, item) for pair, item in known if (item.lead is not None) == numbers]
        curve, table = _fitted(chosen)
        print(f"{name}\n{table}")
        data[name] = {
            "mean": curve.mean,
            "deviation": curve.deviation,
            "weights": curve.weights,
            "bias": curve.bias,
        }
    arguments.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _fitted(known: list[tuple[Pair, Evidence]]) -> tuple[Curve, str]:
    features = np.array([item.features() for _, item in known])
    right = np.array([pair.right for pair, _ in known])
    fitting = np.array([pair.box // BOXES % HELD_BACK != 0 for pair, _ in known])
    curve = fit(features[fitting], right[fitting])
    probability = np.array([curve.probability(row) for row in features.tolist()])
    return curve, reliability(probability[~fitting], right[~fitting])


def _pairs(texts: list[str], vocabulary: Vocabulary, rng: np.random.Generator) -> list[Pair]:
    """For each box a text that is its answer and one that is another's."""
    many = [spelled(vocabulary.text(rng, 30)) for _ in range(LIKE_OF)]
    found = []
    for box, text in enumerate(texts):
        form = text.strip(AROUND)
        if not folded(form).strip():
            continue
        if rng.random() < SLIP_SHARE and not rivals(folded(form)):
            form = _slip(form, rng)
        found.append(Pair(box, form, True))
        other = _other(form, many, rng)
        if other is not None:
            found.append(Pair(box, other, False))
    return found


def _slip(text: str, rng: np.random.Generator) -> str:
    """The key's form, of which the player missed a letter."""
    at = int(rng.integers(len(text)))
    kind = int(rng.integers(3))
    letter = "" if kind == 0 else str(rng.choice(list(LETTERS)))
    return text[:at] + letter + text[at + (kind != 1) :]


def _other(text: str, many: list[str], rng: np.random.Generator) -> str | None:
    """A text that is another answer; None if what was drawn is the same one but for a slip."""
    near = rivals(folded(text))
    if near and rng.random() < RIVAL_SHARE:
        # Of Roman numerals one that can be confused with it, not just any.
        own = folded(text)
        return str(rng.choice([some for some in near if Levenshtein.distance(some, own) == 1]))
    if rng.random() < LIKE_SHARE:
        other = str(process.extractOne(text, many, scorer=Levenshtein.normalized_similarity)[0])
    else:
        alike = [some for some in many if abs(len(some) - len(text)) <= 2] or many
        other = str(rng.choice(alike))
    other = other.strip(AROUND)
    distance = Levenshtein.distance(folded(other), folded(text))
    return other if distance > (0 if near else 1) and folded(other).strip() else None


def fit(features: np.ndarray, right: np.ndarray) -> Curve:
    """A logistic curve by Newton's method, with a little weight decay."""
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    x = np.column_stack([(features - mean) / deviation, np.ones(len(features))])
    weights = np.zeros(x.shape[1])
    decay = np.append(np.full(x.shape[1] - 1, 1.0), 0.0)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (p - right) + decay * weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(decay + 1e-9)
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return Curve(
        tuple(np.round(mean, 6).tolist()),
        tuple(np.round(deviation, 6).tolist()),
        tuple(np.round(weights[:-1], 6).tolist()),
        round(float(weights[-1]), 6),
    )


def reliability(probability: np.ndarray, right: np.ndarray) -> str:
    """A table: how many fall into each band of probability, and how many of them are right."""
    edges = [0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0]
    rows = ["probability    count  mean   right"]
    for low, high in itertools.pairwise(edges):
        inside = (probability >= low) & ((probability < high) | (high == 1.0))
        if inside.any():
            rows.append(
                f"{low:.2f}–{high:.2f}  {inside.sum():8d}  {probability[inside].mean():.3f}"
                f"  {right[inside].mean():.3f}"
            )
    return "\n".join(rows)


if __name__ == "__main__":
    main()
