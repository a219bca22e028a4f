"""Does this crop say this text? Answered from the trace that the handwriting network left.

The probability of a text, all ways to write it over the steps added up, is set against the best free
reading; that of a number or a short word also against its rivals, the texts one sign away. A logistic
curve, fitted on sheets in hands that the network never saw, turns the ratio, the reading's own sureness,
the likeness of the two texts and the lead over the rivals into a probability
(`scanner/models/calibration.json`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import partial_ratio

from scanner.contracts import Match
from scanner.readers import trace
from scanner.readers.alphabet import FOLDED, folded, folded_classes
from scanner.readers.ctc import Floats, best_path, inside_scores, text_scores
from scanner.readers.rivals import rivals, spelled_alike

CALIBRATION = Path(__file__).parents[1] / "models" / "calibration.json"
# A match that says nothing: no ink was read, or the text has no symbol that the network knows.
NOTHING = Match(-99.0, 0.0)
# Between two words.
_SEPARATORS = frozenset(folded_classes("".join(char for char in FOLDED if not char.isalnum())))
_NO_LINE: Floats = np.zeros((1, 1), np.float32)
# A text that fits as a whole with this probability.
FITS_FROM = 0.8
# Ratios below this are all the same: another text.
LEAST_RATIO = -12.0
# A text that fits worse than this, a character or in all, is no candidate: no rival can be worse.
CONTENDS_FROM, CONTENDS_TOTAL = -5.0, -20.0
# A sign that is nowhere likelier than this (log-probability) was not seen.
HARDLY_SEEN = -9.0
# A lead over the rivals is at most this, in either direction.
MOST_LEAD = 12.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a crop and a text before calibration.

    `ratio` and `total` are log-likelihood ratios, a character and in all; `length` is the text's, in
    characters; `sureness` is the free reading's log-probability a character; `likeness` the similarity of
    the free reading to the text, 0 to 1. `lead` is the text's log-likelihood against all its rivals
    together, None where it has none.
    """

    ratio: float
    total: float
    length: int
    sureness: float
    likeness: float
    lead: float | None = None

    def features(self) -> list[float]:
        """The numbers that the logistic curve weighs: `lead` comes last, where there are rivals."""
        ratio = max(self.ratio, LEAST_RATIO)
        found = [
            ratio,
            math.sqrt(max(-ratio, 0.0)),
            max(self.total, -60.0) / 10,
            1.0 / self.length,
            self.sureness,
            self.likeness,
            self.likeness**4,
        ]
        if self.lead is not None:
            found += [self.lead / 10, math.tanh(self.lead / 2)]
        return found


def evidence(
    traces: Sequence[bytes], texts: Sequence[Sequence[str]]
) -> list[list[Evidence | None] | None]:
    """What speaks for each text; None for a trace of another alphabet, or a text without symbols."""
    lines = [trace.unpacked(item) for item in traces]
    wanted = _folded(lines, texts)
    scores = _together(lines, [[spelled_alike(text) for text in some] for some in wanted])
    found: list[list[Evidence | None] | None] = []
    for line, some, scored in zip(lines, wanted, scores, strict=True):
        if line is None:
            found.append(None)
            continue
        free = _free(line)
        found.append(
            [
                _without_rivals(text, score, free) if text and free.text else None
                for text, score in zip(some, scored, strict=True)
            ]
        )
    return _with_leads(lines, wanted, scores, found)


def _without_rivals(text: str, score: float, free: _Free) -> Evidence:
    against_best = min(0.0, score - free.score)
    likeness = Levenshtein.normalized_similarity
    return Evidence(
        ratio=against_best / len(text),
        total=against_best,
        length=len(text),
        sureness=free.sureness,
        likeness=max(likeness(free.text, way) for way in spelled_alike(text)),
    )


def _with_leads(
    lines: Sequence[Floats | None],
    wanted: Sequence[Sequence[str]],
    scores: Sequence[Sequence[float]],
    found: list[list[Evidence | None] | None],
) -> list[list[Evidence | None] | None]:
    """The same evidence with the leads of those texts that have rivals."""
    against = [
        [
            _possible(rivals(text), text, line) if item is not None and _contends(item) else []
            for text, item in zip(texts, items or [], strict=False)
        ]
        for line, texts, items in zip(lines, wanted, found, strict=True)
    ]
    rival_scores = _together(lines, against)
    return [
        None
        if items is None
        else [
            item if item is None or not rivals(text) else _led(item, score - other)
            for item, text, score, other in zip(items, texts, scored, others, strict=True)
        ]
        for texts, scored, others, items in zip(wanted, scores, rival_scores, found, strict=True)
    ]


def _led(item: Evidence, lead: float) -> Evidence:
    """The evidence with its lead over the rivals; what does not contend is as far behind as can be."""
    if not _contends(item):
        return replace(item, lead=-MOST_LEAD)
    return replace(item, lead=min(max(lead, -MOST_LEAD), MOST_LEAD))


def _possible(others: Sequence[str], text: str, line: Floats | None) -> list[str]:
    """Those rivals whose further signs were seen anywhere; the rest would add nothing to the sum."""
    if line is None or not others:
        return []
    seen = {FOLDED[index - 1] for index in np.flatnonzero(line.max(axis=0) > HARDLY_SEEN) if index}
    seen.update(text)
    return [other for other in others if seen.issuperset(other)]


def _contends(item: Evidence) -> bool:
    return item.ratio >= CONTENDS_FROM and item.total >= CONTENDS_TOTAL


def _together(
    lines: Sequence[Floats | None], texts: Sequence[Sequence[Sequence[str]]]
) -> list[list[float]]:
    """For each line and each of its lists of texts the log-probability that it is one of the list."""
    scores = text_scores(
        [line if line is not None else _NO_LINE for line in lines],
        [[folded_classes(text) for ways in some for text in ways] for some in texts],
    )
    found = []
    for some, scored in zip(texts, scores, strict=True):
        rest = iter(scored)
        found.append(
            [
                float(np.logaddexp.reduce([next(rest) for _ in ways])) if ways else -math.inf
                for ways in some
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
        _SEPARATORS,
    )
    found: list[list[Evidence | None]] = []
    for line, some, scored in zip(lines, wanted, scores, strict=True):
        free = _NOTHING_READ if line is None else _free(line)
        found.append(
            [
                Evidence(
                    ratio=score / len(text),
                    total=score,
                    length=len(text),
                    sureness=free.sureness,
                    likeness=partial_ratio(free.text, text) / 100
                    if len(free.text) >= len(text)
                    else 0.0,
                )
                if text and free.text
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


@dataclass(frozen=True, slots=True)
class _Free:
    """The free reading in folded symbols, its log-probability, and that for each character."""

    text: str
    score: float
    sureness: float


_NOTHING_READ = _Free("", 0.0, 0.0)


def _free(line: Floats) -> _Free:
    classes, _, best = best_path(line)
    text = "".join(FOLDED[index - 1] for index in classes)
    return _Free(text, best, best / max(len(classes), 1))


class TraceVerifier:
    """Checks traces of the handwriting network; needs no network and no image."""

    def verify(self, traces: Sequence[bytes], texts: Sequence[Sequence[str]]) -> list[list[Match]]:
        """Check a batch; see `scanner.contracts.Verifier`."""
        # Many ways to write a form are one and the same text to the network.
        alike = [[folded(text) for text in some] for some in texts]
        asked = [list(dict.fromkeys(some)) for some in alike]
        found = _checked(traces, asked)
        return [
            [matches[distinct.index(text)] for text in some] if matches else []
            for some, distinct, matches in zip(alike, asked, found, strict=True)
        ]


def _checked(traces: Sequence[bytes], texts: Sequence[Sequence[str]]) -> list[list[Match]]:
    curve = _calibration()
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
    curve = _calibration()
    for places, some in zip(by_trace.values(), evidence(list(by_trace), asked), strict=True):
        for at, item in zip(places, some or [None] * len(places), strict=True):
            found[at] = 0.0 if item is None else curve.probability(item)
    return found


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve over features, each brought to mean 0 and deviation 1 first."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def probability(self, features: Sequence[float]) -> float:
        """Between 0.001 and 0.999: nothing is ever sure."""
        score = self.bias
        for value, mean, deviation, weight in zip(
            features, self.mean, self.deviation, self.weights, strict=True
        ):
            score += weight * (value - mean) / deviation
        probability = 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))
        return round(min(max(probability, 0.001), 0.999), 4)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Two curves: one for texts in which a wrong letter is a slip, one for those that have rivals."""

    words: Curve
    numbers: Curve

    def probability(self, item: Evidence) -> float:
        """The probability that a crop says a text, but for a slip where slips can be told as such."""
        curve = self.words if item.lead is None else self.numbers
        return curve.probability(item.features())


@cache
def _calibration() -> Calibration:
    data = json.loads(CALIBRATION.read_text(encoding="utf-8"))
    return Calibration(*(_curve(data[name]) for name in ("words", "numbers")))


def _curve(data: dict[str, Any]) -> Curve:
    return Curve(
        tuple(data["mean"]), tuple(data["deviation"]), tuple(data["weights"]), float(data["bias"])
    )
