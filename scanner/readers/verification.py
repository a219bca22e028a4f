"""Does this crop say this text? Answered from the trace that the handwriting network left.

The probability of a text, all ways to write it over the steps added up, is set against the best free
reading. A logistic curve, fitted on hands that the network never saw, turns the ratio, the reading's
own sureness and the likeness of the two texts into a probability (`scanner/models/calibration.json`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import partial_ratio

from scanner.contracts import Match
from scanner.readers import trace
from scanner.readers.alphabet import FOLDED, folded, folded_classes
from scanner.readers.ctc import Floats, best_path, inside_scores, text_scores

CALIBRATION = Path(__file__).parents[1] / "models" / "calibration.json"
# A match that says nothing: no ink was read, or the text has no symbol that the network knows.
NOTHING = Match(-99.0, 0.0)
_NO_LINE: Floats = np.zeros((1, 1), np.float32)
# A text that fits as a whole with this probability.
FITS_FROM = 0.8
# Ratios below this are all the same: another text.
LEAST_RATIO = -12.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a crop and a text before calibration.

    `ratio` and `total` are log-likelihood ratios, a character and in all; `length` is the text's, in
    characters; `sureness` is the free reading's log-probability a character; `likeness` the similarity of
    the free reading to the text, 0 to 1.
    """

    ratio: float
    total: float
    length: int
    sureness: float
    likeness: float

    def features(self) -> list[float]:
        """The numbers that the logistic curve weighs."""
        ratio = max(self.ratio, LEAST_RATIO)
        return [
            ratio,
            math.sqrt(max(-ratio, 0.0)),
            max(self.total, -60.0) / 10,
            1.0 / self.length,
            self.sureness,
            self.likeness,
            self.likeness**4,
        ]


def evidence(
    traces: Sequence[bytes], texts: Sequence[Sequence[str]]
) -> list[list[Evidence | None] | None]:
    """What speaks for each text; None for a trace of another alphabet, or a text without symbols."""
    lines = [trace.unpacked(item) for item in traces]
    wanted = _folded(lines, texts)
    scores = text_scores(
        [line if line is not None else _NO_LINE for line in lines],
        [[folded_classes(text) for text in some] for some in wanted],
    )
    found: list[list[Evidence | None] | None] = []
    for line, some, scored in zip(lines, wanted, scores, strict=True):
        if line is None:
            found.append(None)
            continue
        classes, _, best = best_path(line)
        free = "".join(FOLDED[index - 1] for index in classes)
        sureness = best / max(len(classes), 1)
        found.append(
            [
                Evidence(
                    ratio=min(0.0, score - best) / len(text),
                    total=min(0.0, score - best),
                    length=len(text),
                    sureness=sureness,
                    likeness=Levenshtein.normalized_similarity(free, text),
                )
                if text and free
                else None
                for text, score in zip(some, scored, strict=True)
            ]
        )
    return found


def evidence_inside(
    traces: Sequence[bytes], texts: Sequence[Sequence[str]]
) -> list[list[Evidence | None]]:
    """What speaks for each text standing somewhere in the crop, among others."""
    lines = [trace.unpacked(item) for item in traces]
    wanted = _folded(lines, texts)
    scores = inside_scores(
        [line if line is not None else _NO_LINE for line in lines],
        [[folded_classes(text) for text in some] for some in wanted],
    )
    found: list[list[Evidence | None]] = []
    for line, some, scored in zip(lines, wanted, scores, strict=True):
        free, sureness = ("", 0.0) if line is None else _free(line)
        found.append(
            [
                Evidence(
                    ratio=score / len(text),
                    total=score,
                    length=len(text),
                    sureness=sureness,
                    likeness=partial_ratio(free, text) / 100 if len(free) >= len(text) else 0.0,
                )
                if text and free
                else None
                for text, score in zip(some, scored, strict=True)
            ]
        )
    return found


def _folded(lines: Sequence[Floats | None], texts: Sequence[Sequence[str]]) -> list[list[str]]:
    return [
        [folded(text) for text in some] if line is not None else []
        for line, some in zip(lines, texts, strict=True)
    ]


def _free(line: Floats) -> tuple[str, float]:
    """The free reading in folded symbols, and its log-probability a character."""
    classes, _, best = best_path(line)
    return "".join(FOLDED[index - 1] for index in classes), best / max(len(classes), 1)


class TraceVerifier:
    """Checks traces of the handwriting network; needs no network and no image."""

    def verify(self, traces: Sequence[bytes], texts: Sequence[Sequence[str]]) -> list[list[Match]]:
        """Check a batch; see `scanner.contracts.Verifier`."""
        curve = _curve()
        found = [
            [
                NOTHING if item is None else Match(round(item.ratio, 4), curve.probability(item))
                for item in some or []
            ]
            for some in evidence(traces, texts)
        ]
        # Where a text fits as a whole, nothing is looked for inside.
        open_ones = [
            index
            for index, some in enumerate(found)
            if some and max(match.probability for match in some) < FITS_FROM
        ]
        inside = evidence_inside(
            [traces[index] for index in open_ones], [texts[index] for index in open_ones]
        )
        for index, parts in zip(open_ones, inside, strict=True):
            found[index] = [
                match if part is None else replace(match, inside=curve.probability(part))
                for match, part in zip(found[index], parts, strict=True)
            ]
        return found


def probabilities(pairs: Sequence[tuple[bytes, str]]) -> list[float]:
    """For each pair of a trace and a text the probability that the crop says just this, 0 if unknown."""
    # Several texts to one trace share its work.
    by_trace: dict[bytes, list[int]] = {}
    for at, (trace_, _text) in enumerate(pairs):
        by_trace.setdefault(trace_, []).append(at)
    asked = [[pairs[at][1] for at in places] for places in by_trace.values()]
    found = [0.0] * len(pairs)
    curve = _curve()
    for places, some in zip(by_trace.values(), evidence(list(by_trace), asked), strict=True):
        for at, item in zip(places, some or [None] * len(places), strict=True):
            found[at] = 0.0 if item is None else curve.probability(item)
    return found


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve over `Evidence.features`, each brought to mean 0 and deviation 1 first."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def probability(self, item: Evidence) -> float:
        """Between 0.001 and 0.999: nothing is ever sure."""
        score = self.bias
        features = item.features()
        for value, mean, deviation, weight in zip(
            features, self.mean, self.deviation, self.weights, strict=True
        ):
            score += weight * (value - mean) / deviation
        probability = 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))
        return round(min(max(probability, 0.001), 0.999), 4)


@cache
def _curve() -> Curve:
    data = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    return Curve(
        tuple(data["mean"]), tuple(data["deviation"]), tuple(data["weights"]), float(data["bias"])
    )
