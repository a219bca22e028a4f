"""Guards against an answer taken for crossed out, and against crossed-out text that the jury must look at."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from otbor.errors import EngineError
from samples.fill import fill_box
from samples.hands.fonts import choose_font_hand
from samples.hands.pens import choose_pen
from samples.plan import Kind, PlannedBox
from scanner.readers.struck import StrikeFinder, without_parts
from scoring.model import Verdict
from service import page_work

BOX = (82.0, 9.2)
WORDS = ("Пушкин", "Нижний Новгород", "1812", "Ж. Верн", "Сатурн", "«Война и мир»", "кит", "Тихий")
SEEDS = range(40)


def drawn(kind: Kind, seed: int, text: str = "", struck: str = "") -> NDArray[np.uint8]:
    """A box that a player filled, as a reader gets it."""
    rng = np.random.default_rng(seed)
    hand = choose_font_hand(choose_pen(rng), rng)
    verdict = Verdict.BLANK if kind is Kind.CROSSED else Verdict.RIGHT
    mask = fill_box(hand, PlannedBox(1, 1, 10, kind, text, struck, verdict), BOX, rng)
    assert mask is not None
    return 255 - cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def trimmed(crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cut to the ink."""
    rows, columns = (np.flatnonzero((crop < 200).any(axis=axis)) for axis in (1, 0))
    return crop[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def test_no_answer_is_taken_for_crossed_out() -> None:
    plain = [drawn(Kind.RIGHT, seed, WORDS[seed % len(WORDS)]) for seed in SEEDS]
    mended = [
        drawn(Kind.REWRITTEN, seed, WORDS[seed % len(WORDS)], WORDS[(seed + 3) % len(WORDS)])
        for seed in SEEDS
    ]
    assert not any(found.whole for found in StrikeFinder().find([*plain, *mended]))


def test_most_of_what_is_crossed_out_is_found() -> None:
    crossed = [drawn(Kind.CROSSED, seed, struck=WORDS[seed % len(WORDS)]) for seed in SEEDS]
    found = [strikes.whole for strikes in StrikeFinder().find(crossed)]
    assert sum(found) >= 0.8 * len(found)


def test_a_mended_answer_is_read_without_what_was_crossed_out() -> None:
    """What is left white is the crossed-out word, not the answer behind it."""
    better = 0
    for seed in SEEDS:
        crop = drawn(Kind.REWRITTEN, seed, "Сатурн", "Меркатор")
        [strikes] = StrikeFinder().find([crop])
        kept = without_parts(crop, strikes)
        ink = 255.0 - crop.astype(np.float64)
        left = 255.0 - kept.astype(np.float64)
        columns = np.flatnonzero(ink.max(axis=0) > 60)
        middle = int((columns[0] + columns[-1]) / 2)
        # The last third belongs to the answer.
        last = slice(columns[-1] - (columns[-1] - middle) * 2 // 3, None)
        assert left[:, last].sum() >= 0.9 * ink[:, last].sum()
        better += left[:, :middle].sum() < 0.6 * ink[:, :middle].sum()
    assert better >= 0.7 * len(SEEDS)


def test_an_answer_above_a_crossed_out_word_is_no_crossed_out_box() -> None:
    for seed in range(12):
        struck = drawn(Kind.CROSSED, seed, struck="Меркатор")
        answer = drawn(Kind.RIGHT, seed + 50, "Марс")
        small = trimmed(cv2.resize(answer, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA))
        word = trimmed(struck)
        both = np.full((small.shape[0] + 3 + word.shape[0], struck.shape[1]), 255, np.uint8)
        both[: small.shape[0], 4 : 4 + small.shape[1]] = small
        both[small.shape[0] + 3 :, : word.shape[1]] = word
        [found] = StrikeFinder().find([both])
        assert not found.whole


def test_two_rows_that_touch_one_of_them_crossed_out_are_no_crossed_out_box() -> None:
    """«Беринг» crossed out by crosses and «Лазарев» close under it once went to the strip of blanks."""
    for seed in range(12):
        rows = [
            trimmed(cv2.resize(drawn(kind, seed, text, struck), None, fx=0.62, fy=0.62))
            for kind, text, struck in (
                (Kind.CROSSED, "", "Беринг и Чириков"),
                (Kind.RIGHT, "Лазарев и Беллинсгаузен", ""),
            )
        ]
        wide = max(row.shape[1] for row in rows)
        both = np.full((sum(row.shape[0] for row in rows) - 6, wide), 255, np.uint8)
        both[: rows[0].shape[0], : rows[0].shape[1]] = rows[0]
        under = both[-rows[1].shape[0] :, : rows[1].shape[1]]
        np.minimum(under, rows[1], out=under)
        [found] = StrikeFinder().find([both])
        assert not found.whole, seed


@pytest.mark.parametrize(
    "crop",
    [
        np.zeros((1, 1), np.uint8),
        np.zeros((90, 800), np.uint8),
        np.full((90, 800), 255, np.uint8),
        np.full((90, 4000), 255, np.uint8),
        np.tile(np.arange(256, dtype=np.uint8), (300, 8)),
    ],
)
def test_what_is_no_writing_is_not_crossed_out(crop: NDArray[np.uint8]) -> None:
    [found] = StrikeFinder().find([crop])
    assert not found.whole
    assert not found.parts


def test_missing_weights_say_so_and_leave_the_box_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineError, match=r"none\.onnx"):
        StrikeFinder(tmp_path / "none.onnx").find([drawn(Kind.RIGHT, 1, "Марс")])
    monkeypatch.setattr(page_work.struck, "MODEL", tmp_path / "none.onnx")
    page_work._strikes.cache_clear()
    assert page_work._strikes("handwriting") is None
    page_work._strikes.cache_clear()
