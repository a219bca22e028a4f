"""Guards against a stake or a number that is quietly read as another one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.contracts import Ink
from scanner.readers.digits import CLASSES, NOTHING, UNCLEAR, Floats, packed, reading_of, unpacked
from scanner.readers.numbers import UNREAD, NumberReading, read_number


def table(*cells: dict[int, float]) -> Floats:
    """Cells as they are read: symbol → probability."""
    made = np.zeros((len(cells), CLASSES), dtype=np.float32)
    for row, cell in enumerate(cells):
        for symbol, share in cell.items():
            made[row, symbol] = share
    return made


def clear(text: str) -> Floats:
    """Cells without any doubt; `_` is an empty one, `?` something that is no digit."""
    symbols = {"_": NOTHING, "?": UNCLEAR} | {str(digit): digit for digit in range(10)}
    return table(*({symbols[char]: 1.0} for char in text))


@given(st.integers(0, 9999), st.integers(0, 3), st.booleans())
def test_a_clear_number_is_read_wherever_it_stands(value: int, left: int, noughts: bool) -> None:
    text = str(value)
    text = text.zfill(4) if noughts else "_" * min(left, 4 - len(text)) + text
    found = read_number(clear(text.ljust(4, "_")))
    assert (found.value, found.sure) == (value, True)
    assert found.candidates[0] == (value, 1.0)


@given(
    st.lists(
        st.lists(st.floats(0.001, 1), min_size=CLASSES, max_size=CLASSES), min_size=1, max_size=4
    ),
    st.sets(st.integers(0, 9999), max_size=30),
)
def test_candidates_are_possible_and_their_probabilities_add_up_to_at_most_one(
    rows: list[list[float]], possible: set[int]
) -> None:
    cells = np.array(rows, dtype=np.float32)
    cells /= cells.sum(axis=1, keepdims=True)
    for allowed in (None, possible):
        found = read_number(cells, allowed)
        shares = [share for _value, share in found.candidates]
        assert sum(shares) + found.nothing <= 1.001
        assert shares == sorted(shares, reverse=True)
        assert allowed is None or {value for value, _ in found.candidates} <= allowed


def test_what_is_impossible_is_left_out_in_favour_of_what_is_possible() -> None:
    cells = table({1: 0.45, 7: 0.55}, {2: 1.0}, {0: 1.0}, {NOTHING: 1.0})
    assert read_number(cells).value == 720
    found = read_number(cells, range(1, 301))
    assert found.value == 120
    # 720 was the likelier reading: somebody has to look.
    assert not found.sure


def test_a_clear_number_that_is_impossible_never_becomes_a_sure_other_one() -> None:
    cells = table({9: 0.99, 3: 0.01}, {0: 1.0}, {0: 1.0}, {NOTHING: 1.0})
    found = read_number(cells, range(1, 301))
    assert found.value == 300
    assert not found.sure


@pytest.mark.parametrize("text", ["1_20", "?20_", "2??_", "____?"])
def test_a_gap_or_something_that_is_no_digit_is_flagged(text: str) -> None:
    assert not read_number(clear(text)).sure


def test_a_digit_struck_out_before_a_number_leaves_the_number_but_never_a_sure_one() -> None:
    found = read_number(clear("?320"))
    assert (found.value, found.sure) == (320, False)


def test_an_empty_box_is_surely_empty_and_has_no_number() -> None:
    found = read_number(clear("____"))
    assert (found.value, found.candidates, found.sure, found.nothing) == (None, (), True, 1.0)


def test_a_doubtful_blank_beside_a_digit_is_flagged() -> None:
    cells = unpacked(
        reading_of([(Ink.WRITTEN, True), (Ink.BLANK, False), (Ink.BLANK, True)], clear("5__")).trace
    )
    assert cells is not None
    found = read_number(cells)
    assert (found.value, found.sure) == (5, False)


def test_a_dash_says_that_nothing_is_staked_but_not_surely() -> None:
    trace = reading_of([(Ink.DASH, True), (Ink.BLANK, True)], clear("1_")).trace
    found = read_number(unpacked(trace))
    assert (found.value, found.sure) == (None, False)


@pytest.mark.parametrize(
    "cells", [None, np.zeros((0, CLASSES)), np.full((3, CLASSES), np.nan)], ids=["none", "0", "nan"]
)
def test_a_box_that_nobody_read_is_unread_and_unsure(cells: Floats | None) -> None:
    found = read_number(cells)
    assert found == UNREAD == NumberReading()
    assert (found.read, found.value, found.sure) == (False, None, False)


def test_what_is_kept_with_the_page_gives_the_same_reading() -> None:
    cells = table({1: 0.7, 7: 0.3}, {5: 0.9, 6: 0.1}, {NOTHING: 1.0})
    kept = unpacked(packed(cells))
    assert kept is not None
    assert [v for v, _ in read_number(kept).candidates] == [15, 75, 16, 76]
    assert unpacked(b"h1something else") is None
    assert unpacked(b"d1 cut short") is None


def test_a_box_of_a_hundred_cells_is_read_in_no_time() -> None:
    rows = np.full((100, CLASSES), 1 / CLASSES, dtype=np.float32)
    assert not read_number(rows).sure
