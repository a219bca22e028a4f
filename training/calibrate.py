"""Fit the curve that turns evidence into the probability that a crop says a text.

    python -m training.calibrate --data DIR --handwriting DIR --model handwriting.onnx --out calibration.json

Lines come from fonts and letters that training never saw, scanned as in training. Each is checked against
what it says and against other texts. Prints a reliability table on lines not used for the fit.
"""

from __future__ import annotations

import argparse
import itertools
import json
from pathlib import Path

import numpy as np

from scanner.readers.alphabet import folded, spelled
from scanner.readers.handwriting import HandwritingReader
from scanner.readers.verification import Curve, Evidence, evidence
from training.lines import Lines
from training.vocabulary import Vocabulary

# Of the texts that a line is checked against: about as on a wall, where half of the answers are right,
# most wrong ones are something else, and a few differ by a letter or an ending.
NEAR_SHARE = 0.05
LETTERS = "абвгдежзийклмнопрстуфхцчшщыьэюя"
# Every third line is for the table.
HELD_BACK = 3


def main() -> None:
    """Make lines, fit, print the table, write the file."""
    parser = argparse.ArgumentParser(description="Fit the calibration.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=4000)
    arguments = parser.parse_args()
    rng = np.random.default_rng(20)
    lines = Lines(arguments.data, arguments.handwriting, held_out=True)
    samples = [lines.sample(rng, 30) for _ in range(arguments.lines)]
    reader = HandwritingReader(arguments.model)
    pixels = [sample.pixels.astype(np.float32) / 255 for sample in samples]
    traces = [reading.trace for reading in reader.read_lines(pixels)]
    texts = [_texts(sample.text, lines.vocabulary, rng) for sample in samples]
    found = evidence(traces, texts)
    items: list[Evidence] = []
    says: list[bool] = []
    kept: list[int] = []
    for line, (sample, some, wanted) in enumerate(zip(samples, found, texts, strict=True)):
        for item, text in zip(some or [], wanted, strict=False):
            if item is not None:
                items.append(item)
                says.append(folded(text) == folded(sample.text))
                kept.append(line)
    features = np.array([item.features() for item in items])
    right, row = np.array(says), np.array(kept)
    fitting = row % HELD_BACK != 0
    curve = fit(features[fitting], right[fitting])
    probability = np.array([curve.probability(item) for item in items])
    print(reliability(probability[~fitting], right[~fitting]))
    data = {
        "mean": curve.mean,
        "deviation": curve.deviation,
        "weights": curve.weights,
        "bias": curve.bias,
    }
    arguments.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _texts(text: str, vocabulary: Vocabulary, rng: np.random.Generator) -> list[str]:
    """What a line is checked against: itself, and one other text."""
    if rng.random() < NEAR_SHARE:
        at = int(rng.integers(len(text)))
        letter = str(rng.choice(list(LETTERS)))
        kind = int(rng.integers(3))
        other = text[:at] + ("" if kind == 0 else letter) + text[at + (kind != 1) :]
    else:
        other = ""
        for _ in range(20):
            other = spelled(vocabulary.text(rng, 30))
            if abs(len(other) - len(text)) <= 3:
                break
    return [text, other]


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
