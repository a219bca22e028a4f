"""Guards against a wall in a wrong order: a text's score must be the sum of all ways to write it."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.readers import trace
from scanner.readers.alphabet import (
    FOLDED,
    FOLDED_CLASSES,
    SYMBOLS,
    classes,
    folded,
    folded_classes,
    folding,
    spelled,
)
from scanner.readers.ctc import WITHIN_WORD, best_path, inside_scores, text_scores


def _line(steps: int, count: int, seed: int) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(0, 2, (steps, count))
    return (scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))).astype(np.float32)


def _by_hand(line: np.ndarray, text: tuple[int, ...]) -> float:
    """Every way through the steps, one after the other."""
    total = 0.0
    for way in product(range(line.shape[1]), repeat=len(line)):
        read = tuple(symbol for symbol, _ in groupby(way) if symbol)
        if read == text:
            total += float(np.exp(sum(line[step, symbol] for step, symbol in enumerate(way))))
    return float(np.log(total)) if total else -np.inf


@settings(max_examples=60, deadline=None)
@given(
    steps=st.integers(1, 6),
    seed=st.integers(0, 1000),
    text=st.lists(st.integers(1, 2), max_size=4),
)
def test_a_score_is_the_sum_of_all_ways(steps: int, seed: int, text: list[int]) -> None:
    line = _line(steps, 3, seed)
    ((score,),) = text_scores([line], [[text]])
    expected = _by_hand(line, tuple(text))
    if np.isfinite(expected):
        assert score == pytest.approx(expected, abs=1e-3)
    else:
        assert score < -15  # more symbols than steps can hold


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_score_does_not_depend_on_its_batch(data: st.DataObject) -> None:
    lines = [_line(data.draw(st.integers(1, 9)), 4, seed) for seed in range(4)]
    texts = [
        data.draw(st.lists(st.lists(st.integers(1, 3), max_size=5), max_size=3)) for _ in lines
    ]
    together = text_scores(lines, texts)
    for line, some, scores in zip(lines, texts, together, strict=True):
        alone = [text_scores([line], [[text]])[0][0] for text in some]
        assert scores == pytest.approx(alone, abs=1e-4)


def test_the_best_path_folds_repeats_and_keeps_twins() -> None:
    way = [1, 1, 0, 1, 2, 2, 0]
    line = np.full((len(way), 3), -5.0, dtype=np.float32)
    line[range(len(way)), way] = -0.1
    classes_read, steps, score = best_path(line)
    assert classes_read == [1, 1, 2]
    assert steps == [0, 3, 4]
    assert score == pytest.approx(-0.7)


def test_a_trace_comes_back_to_a_tenth() -> None:
    line = _line(50, FOLDED_CLASSES, 1)
    packed = trace.packed(line)
    back = trace.unpacked(packed)
    assert back is not None
    assert np.abs(back - np.maximum(line, -25.5)).max() <= 0.051
    assert len(packed) < line.nbytes / 3


@pytest.mark.parametrize("damaged", [b"", b"h1", b"xx\x01\x00abc", b"h1\x05\x00abc"])
def test_a_damaged_trace_says_nothing(damaged: bytes) -> None:
    assert trace.unpacked(damaged) is None
    cut = trace.packed(_line(20, FOLDED_CLASSES, 2))[:-5]
    assert trace.unpacked(cut) is None


def test_folding_is_what_the_jury_calls_the_same() -> None:
    assert folded("Ёлка") == folded("ЕЛКА")
    assert folded("BBC") == folded("ВВС")
    assert folded("«Война и мир» — №1") == '"война и мир" - №1'
    assert folded("кит") != folded("кот")
    assert spelled("ши\u0301р\t漢 окий") == "шир окий"


def test_every_symbol_has_one_folded_class() -> None:
    matrix = folding()
    assert (matrix.sum(axis=1) == 1).all()
    assert (matrix.sum(axis=0) >= 1).all()
    for symbol in SYMBOLS.replace(" ", ""):
        (index,) = folded_classes(folded(symbol))
        assert matrix[classes(symbol)[0], index] == 1
        assert FOLDED[index - 1] == folded(symbol)


def _certain(way: list[int]) -> np.ndarray:
    line = np.full((len(way), 4), -6.0, dtype=np.float32)
    line[range(len(way)), way] = -0.1
    return line


def test_a_text_is_found_among_others() -> None:
    line = _certain([3, 0, 1, 2, 0, 3, 3])
    ((inside, missing),) = inside_scores([line], [[[1, 2], [2, 1]]], frozenset({3}))
    assert inside == pytest.approx(0.0, abs=1e-5)
    assert missing < -5
    assert inside_scores([line], [[]]) == [[]]


def test_a_text_in_the_middle_of_a_word_is_found_less_willingly() -> None:
    """Loss: «Питер» stands in «Петергоф», and every Петергоф in the middle of the wall."""
    whole, begun, within = (
        inside_scores([_certain(way)], [[[1, 2]]], frozenset({3}))[0][0]
        for way in ([1, 2, 0, 3], [1, 2, 0, 1, 3], [2, 0, 1, 2, 0, 1])
    )
    assert whole == pytest.approx(0.0, abs=1e-5)
    assert begun == pytest.approx(-WITHIN_WORD, abs=1e-5)
    assert within == pytest.approx(-2 * WITHIN_WORD, abs=1e-5)
