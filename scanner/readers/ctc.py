"""Connectionist temporal classification: reading the network's steps, and adding up all ways to a text.

A step gives a probability to every class and to "no symbol" (class 0). A text's probability is the sum over
all ways to spread it over the steps (Graves et al., 2006); the forward recursion adds them up for many
crops and texts at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# Probabilities are kept off nought: one impossible step must not decide a whole line.
FLOOR = 1e-11
# What it costs to find a text in the middle of a word, for each end («Питер» in «Петергоф»); not
# everything, since a space is easily missed.
WITHIN_WORD = 4.0
# Pairs of one crop and one text that are worked on together; more would leave the processor's cache.
PAIRS = 512


def best_path(log_probs: Floats) -> tuple[list[int], list[int], float]:
    """The best free way through the steps.

    Args:
        log_probs: Shape (steps, classes), class 0 no symbol.

    Returns:
        The classes read; the step at which each is surest; and the way's log-probability.
    """
    winners = log_probs.argmax(axis=1)
    best = log_probs[np.arange(len(winners)), winners]
    classes: list[int] = []
    steps: list[int] = []
    before = 0
    for step, winner in enumerate(winners.tolist()):
        if winner and winner != before:
            classes.append(winner)
            steps.append(step)
        elif winner and best[step] > best[steps[-1]]:
            steps[-1] = step
        before = winner
    return classes, steps, float(best.sum())


def text_scores(
    lines: Sequence[Floats], texts: Sequence[Sequence[Sequence[int]]]
) -> list[list[float]]:
    """The log-probability of every text given for a line, all ways to it added up.

    Args:
        lines: Log-probabilities, each of shape (steps, classes).
        texts: For each line the texts to score, as classes.

    Returns:
        For each line one score a text; an impossible one (more symbols than steps) is very low.
    """
    pairs = [(row, text) for row, wanted in enumerate(texts) for text in wanted]
    # Pairs of like size together, so that little is padded.
    order = sorted(range(len(pairs)), key=lambda at: (len(lines[pairs[at][0]]), len(pairs[at][1])))
    scores = np.zeros(len(pairs))
    for start in range(0, len(order), PAIRS):
        chosen = order[start : start + PAIRS]
        scores[chosen] = _forward([(lines[pairs[at][0]], pairs[at][1]) for at in chosen])
    found, at = [], 0
    for wanted in texts:
        found.append(scores[at : at + len(wanted)].tolist())
        at += len(wanted)
    return found


def inside_scores(
    lines: Sequence[Floats],
    texts: Sequence[Sequence[Sequence[int]]],
    separators: frozenset[int] = frozenset(),
) -> list[list[float]]:
    """How well every text fits some stretch of a line, whatever stands before and after it.

    The best way through a stretch, against the best free way through the same stretch (Viterbi); 0 where
    the stretch says just this text, less `WITHIN_WORD` for each end of it that is not at an end of the
    line or at a separator.

    Args:
        lines: Log-probabilities, each of shape (steps, classes).
        texts: For each line the texts to look for, as classes.
        separators: Classes that stand between words.
    """
    found = []
    for line, wanted in zip(lines, texts, strict=True):
        found.append(_inside(line, wanted, separators) if wanted else [])
    return found


def _ends(line: Floats, separators: frozenset[int]) -> tuple[Floats, Floats]:
    """What it costs to begin a word at each step, and to end one there."""
    winners = line.argmax(axis=1).tolist()
    begin, end = np.zeros((2, len(winners)), dtype=np.float32)
    between = True
    for step, winner in enumerate(winners):
        begin[step] = 0.0 if between else -WITHIN_WORD
        if winner:
            between = winner in separators
    between = True
    for step in range(len(winners) - 1, -1, -1):
        end[step] = 0.0 if between else -WITHIN_WORD
        if winners[step]:
            between = winners[step] in separators
    return begin, end


def _inside(
    line: Floats, texts: Sequence[Sequence[int]], separators: frozenset[int]
) -> list[float]:
    begin, end = _ends(line, separators)
    lengths = np.array([len(text) for text in texts])
    states = 2 * int(lengths.max()) + 1
    labels = np.zeros((len(texts), states), dtype=np.intp)
    for row, text in enumerate(texts):
        labels[row, 1 : 2 * len(text) : 2] = text
    against_best = line - line.max(axis=1, keepdims=True)
    low = np.float32(-1e4)
    skips = np.full(labels.shape, low)
    skips[:, 2:][(labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])] = 0.0
    score = np.full(labels.shape, low)
    rows, last = np.arange(len(texts)), np.maximum(2 * lengths - 1, 0)
    best = np.full(len(texts), low)
    for step in range(len(line)):
        reached = score.copy()
        np.maximum(reached[:, 1:], score[:, :-1], out=reached[:, 1:])
        np.maximum(reached[:, 2:], score[:, :-2] + skips[:, 2:], out=reached[:, 2:])
        # Into the text at any step, at a price within a word.
        np.maximum(reached[:, :2], begin[step], out=reached[:, :2])
        score = reached + against_best[step][labels]
        np.maximum(best, score[rows, last] + end[step], out=best)
    return [float(value) for value in best]


def _forward(pairs: Sequence[tuple[Floats, Sequence[int]]]) -> NDArray[np.float64]:
    """The forward recursion for pairs of one line and one text, scaled at every step."""
    count = len(pairs)
    steps = np.array([len(line) for line, _ in pairs])
    lengths = np.array([len(text) for _, text in pairs])
    states = 2 * int(lengths.max(initial=0)) + 1
    labels = np.zeros((count, states), dtype=np.intp)
    for row, (_, text) in enumerate(pairs):
        labels[row, 1 : 2 * len(text) : 2] = text
    # What each state sees at each step, (steps, pairs, states): gathered line by line, since several texts
    # share one.
    seen = np.zeros((int(steps.max(initial=0)), count, states), dtype=np.float32)
    likely: dict[int, Floats] = {}
    for row, (line, _) in enumerate(pairs):
        if id(line) not in likely:
            likely[id(line)] = np.exp(line)
        seen[: len(line), row] = likely[id(line)][:, labels[row]]
    np.maximum(seen, FLOOR, out=seen)
    # From two states back only over a "no symbol", and not onto the same symbol.
    skips = np.zeros((count, states), dtype=np.float32)
    skips[:, 2:] = (labels[:, 2:] != 0) & (labels[:, 2:] != labels[:, :-2])
    inside = np.arange(states)[None, :] <= 2 * lengths[:, None]
    alpha = np.zeros((count, states), dtype=np.float32)
    alpha[:, : min(2, states)] = 1.0
    alpha *= inside
    total = np.zeros(count)
    result = np.full(count, -np.inf)
    last = np.stack([2 * lengths, np.maximum(2 * lengths - 1, 0)], axis=1)
    rows = np.arange(count)[:, None]
    for step in range(len(seen)):
        if step:
            reached = alpha.copy()
            reached[:, 1:] += alpha[:, :-1]
            reached[:, 2:] += alpha[:, :-2] * skips[:, 2:]
            alpha = reached
            alpha *= inside
        alpha *= seen[step]
        scale = alpha.sum(axis=1)
        np.maximum(scale, 1e-30, out=scale)
        alpha /= scale[:, None]
        total += np.log(scale)
        ended = steps == step + 1
        if ended.any():
            ends = alpha[rows, last]
            # An empty text has one last state, not two.
            final = np.where(lengths > 0, ends.sum(axis=1), ends[:, 0])
            result[ended] = (total + np.log(np.maximum(final, 1e-30)))[ended]
    return result
