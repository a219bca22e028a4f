"""Folds: a fold taken for writing costs the jury an action, writing taken for a fold costs a player points.

Guards both ways: boxes with nothing but a fold are blank, though never surely; whatever lies on or beside a
fold stays written.
"""

from __future__ import annotations

import numpy as np
import paper
import pytest
from writing import Pad, digit

from scanner.contracts import BoxResult, Ink
from scanner.geometry import SheetKind, default
from scanner.recognition import recognise

BOXES = default().blanks["personal"].boxes
X_OF_FOLD, TURN = 60.0, 0.12


def fold(pad: Pad, darkness: float, width: float = 0.5) -> None:
    """A wavy fold from the upper edge of the sheet to the lower one, through the left column of boxes."""
    ys = np.arange(2, 295, 2.0)
    xs = X_OF_FOLD + TURN * (ys - 150) + 1.2 * np.sin(ys / 16)
    pad.stroke(
        [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)], width=width, darkness=darkness
    )


def x_at(y: float) -> float:
    return float(X_OF_FOLD + TURN * (y - 150) + 1.2 * np.sin(y / 16))


def read(pad: Pad, noise: float = 3.0, dpi: int = 200) -> dict[str, BoxResult]:
    scan = paper.scanned(pad.done(), noise=noise, skew=0.7, seed=3)
    return {item.key: item for item in recognise(scan.gray, default(), paper.EVENT).boxes}


@pytest.mark.parametrize(("darkness", "width"), [(0.1, 0.5), (0.16, 0.9)])
def test_boxes_with_nothing_but_a_fold_are_blank_and_shown_first(
    darkness: float, width: float
) -> None:
    pad = Pad(paper.printed(SheetKind.PERSONAL, 200))
    fold(pad, darkness, width)
    found = read(pad)
    crossed = [found[box.key] for box in BOXES if box.rect.x < X_OF_FOLD < box.rect.right]
    assert [item.key for item in crossed if item.ink is Ink.WRITTEN] == []
    assert not any(item.sure for item in crossed)


@pytest.mark.parametrize("darkness", [0.25, 0.6])
def test_a_digit_written_along_a_fold_stays_written(darkness: float) -> None:
    pad = Pad(paper.printed(SheetKind.PERSONAL, 200))
    fold(pad, 0.1)
    boxes = BOXES[2:18:5]
    for box in boxes:
        ys = np.arange(box.rect.y + 3, box.rect.y + 6.1, 0.5)
        pad.stroke([(x_at(float(y)), float(y)) for y in ys], width=0.4, darkness=darkness)
    found = read(pad)
    assert {found[box.key].ink for box in boxes} == {Ink.WRITTEN}


@pytest.mark.parametrize("text", ["7", "4", "-"])
def test_what_is_written_faintly_across_or_beside_a_fold_stays_written(text: str) -> None:
    pad = Pad(paper.printed(SheetKind.PERSONAL, 200))
    fold(pad, 0.1)
    boxes = BOXES[1:18:4]
    for index, box in enumerate(boxes):
        top = box.rect.y + 3
        left = x_at(top) - (0.8 if index % 2 else 6)
        for stroke in digit(text, left, top, 2.6):
            pad.stroke(stroke, width=0.35, darkness=0.16)
    found = read(pad, noise=2)
    kinds = {found[box.key].ink for box in boxes}
    assert Ink.BLANK not in kinds


def test_a_faint_stroke_from_frame_to_frame_in_one_box_alone_is_no_fold() -> None:
    pad = Pad(paper.printed(SheetKind.PERSONAL, 200))
    boxes = BOXES[3:33:7]
    for box in boxes:
        ends = [(box.rect.x + 30, box.rect.y), (box.rect.x + 32, box.rect.bottom)]
        pad.stroke(ends, width=0.5, darkness=0.12)
    found = read(pad)
    assert {found[box.key].ink for box in boxes} == {Ink.WRITTEN}
