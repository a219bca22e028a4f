"""The code on a sheet: a wrong one books a player's answers under somebody else's name.

Guards against misread characters, foreign barcodes on the table, grey print, dust and blots.
"""

from __future__ import annotations

import cv2
import numpy as np
import paper
import pytest
import segno
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from scanner.code_reading import find_codes, read_codes
from scanner.codes import ALPHABET, EVENT_LENGTH, SheetCode, decode, parse_sheet_name, sheet_name
from scanner.contracts import Outcome, Reason
from scanner.geometry import Rect, SheetKind, default
from scanner.locating import locate
from scanner.recognition import recognise
from scanner.rectify import rectify

EVENTS = st.text(alphabet=ALPHABET, min_size=EVENT_LENGTH, max_size=EVENT_LENGTH)
CODES = st.builds(SheetCode, EVENTS, st.sampled_from(SheetKind), st.integers(1, 9999))
QR_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
OURS = SheetCode(paper.EVENT, SheetKind.PERSONAL, paper.NUMBER)


@given(CODES)
def test_every_code_comes_back(code: SheetCode) -> None:
    text = code.encode()
    assert len(text) == 15 and set(text) <= set(QR_CHARACTERS)
    assert decode(text) == code


@given(CODES, st.integers(0, 14), st.sampled_from(QR_CHARACTERS + "абв²٣"))
def test_a_single_wrong_character_is_refused(code: SheetCode, place: int, other: str) -> None:
    text = code.encode()
    wrong = text[:place] + other + text[place + 1 :]
    assert wrong == text or decode(wrong) is None


def test_no_wrong_character_slips_through_anywhere() -> None:
    # 1 and P, 2 and Q, … once counted as the same in the check: all of them, at every place.
    text = SheetCode("0A1B2", SheetKind.SPARE, 1205).encode()
    for place in range(len(text)):
        for other in QR_CHARACTERS:
            wrong = text[:place] + other + text[place + 1 :]
            assert wrong == text or decode(wrong) is None


@given(CODES, st.integers(0, 14), st.integers(0, 14))
def test_exchanged_characters_are_refused(code: SheetCode, first: int, second: int) -> None:
    letters = list(code.encode())
    letters[first], letters[second] = letters[second], letters[first]
    swapped = "".join(letters)
    assert swapped == code.encode() or decode(swapped) is None


@given(st.text(max_size=20))
def test_any_text_is_refused_or_ours(text: str) -> None:
    assert decode(text) is None or decode(text).encode() == text  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [0, -1, 10000])
def test_numbers_that_do_not_fit_are_refused(number: int) -> None:
    with pytest.raises(ValueError):
        SheetCode(paper.EVENT, SheetKind.PERSONAL, number)


@given(st.sampled_from(SheetKind), st.integers(1, 9999))
def test_names_of_sheets_come_back(kind: SheetKind, number: int) -> None:
    assert parse_sheet_name(sheet_name(kind, number)) == (kind, number)


def test_names_are_read_as_people_write_them() -> None:
    assert parse_sheet_name(" №12 ") == (SheetKind.PERSONAL, 12)
    assert parse_sheet_name("с3") == (SheetKind.SPARE, 3)
    assert parse_sheet_name("ф12") == (SheetKind.FINAL, 12)
    for wrong in ("", "X3", "12a", "0", "10000", "²"):
        with pytest.raises(ValueError):
            parse_sheet_name(wrong)


# On the printed sheet ---------------------------------------------------------------------------------

UPPER, LOWER = default().blanks["personal"].codes


def scan(page: paper.Scan | None = None, **how: object) -> paper.Scan:
    return paper.scanned(page or paper.printed(dpi=200), skew=1.2, noise=4, **how)  # type: ignore[arg-type]


def sheets_on(page: paper.Scan) -> set[SheetCode]:
    registration = locate(page.gray, default()).registration
    assert registration is not None
    return read_codes(rectify(page.gray, registration), registration.blank)


def faded(page: paper.Scan, share: float) -> paper.Scan:
    """The codes printed in grey: black becomes 255 · (1 − share)."""
    gray = page.gray.copy()
    for rect in (UPPER, LOWER):
        view = part(page, gray, rect)
        view[:] = 255 - ((255 - view) * share).astype(np.uint8)
    return page.with_gray(gray)


def part(page: paper.Scan, gray: np.ndarray, rect: Rect) -> np.ndarray:
    (left, top), (right, bottom) = np.round(page.at([rect.corners()[0], rect.corners()[2]]) + 0.5)
    return gray[int(top) : int(bottom), int(left) : int(right)]


def pasted(page: paper.Scan, image: np.ndarray, x: float, y: float, width: float) -> paper.Scan:
    """The page with a picture put on it, mm."""
    gray = page.gray.copy()
    height = width * image.shape[0] / image.shape[1]
    view = part(page, gray, Rect(x, y, width, height))
    view[:] = cv2.resize(image, view.shape[::-1], interpolation=cv2.INTER_AREA)
    return page.with_gray(gray)


def qr_picture(text: str) -> np.ndarray:
    modules = np.array([list(row) for row in segno.make(text, error="m").matrix], dtype=bool)
    quiet = np.pad(~modules, 4, constant_values=True)
    return (np.kron(quiet, np.ones((8, 8), bool)) * 255).astype(np.uint8)


def ean_picture() -> np.ndarray:
    barcode = zxingcpp.create_barcode("4006381333931", zxingcpp.BarcodeFormat.EAN13)
    return np.array(barcode.to_image(scale=6))


@pytest.mark.parametrize("dpi", [150, 300])
@pytest.mark.parametrize("one_bit", [False, True])
def test_both_copies_name_the_sheet(dpi: int, one_bit: bool) -> None:
    page = scan(paper.printed(dpi=dpi), one_bit=one_bit)
    assert sheets_on(page) == {OURS}


@pytest.mark.parametrize("lost", [UPPER, LOWER])
def test_one_destroyed_copy_does_no_harm(lost: Rect) -> None:
    assert sheets_on(scan(paper.covered(paper.printed(dpi=200), lost.grown(0.5)))) == {OURS}


@pytest.mark.parametrize("dpi", [150, 200])
@pytest.mark.parametrize("grey", [0.5, 0.3])
def test_codes_printed_grey_are_read(dpi: int, grey: float) -> None:
    assert sheets_on(scan(faded(paper.printed(dpi=dpi), grey))) == {OURS}


@pytest.mark.parametrize("shade", [0, 255])
@pytest.mark.parametrize("at", [0.15, 0.4, 0.55, 0.9])
def test_a_streak_through_both_copies_leaves_them_readable(shade: int, at: float) -> None:
    page = paper.printed(dpi=200)
    for rect in (UPPER, LOWER):
        streak = Rect(rect.x + at * rect.width - 0.35, rect.y - 3, 0.7, rect.height + 6)
        page = paper.covered(page, streak, shade)
    assert sheets_on(scan(page)) == {OURS}


@pytest.mark.parametrize(
    "dx, dy", [(0.5, 0.5), (0.15, 0.15), (0.85, 0.2), (0.2, 0.8), (0.75, 0.75)]
)
def test_a_blot_on_both_copies_leaves_them_readable(dx: float, dy: float) -> None:
    # 3.5 mm across: a fifth of the code's side; in the corners it hides a whole finder pattern's middle.
    page = paper.printed(dpi=200)
    gray = page.gray.copy()
    for rect in (UPPER, LOWER):
        x, y = page.at((rect.x + dx * rect.width, rect.y + dy * rect.height))[0]
        cv2.circle(gray, (round(x), round(y)), round(1.75 * 200 / 25.4), (20,), -1)
    assert sheets_on(scan(page.with_gray(gray))) == {OURS}


def test_codes_that_are_gone_leave_an_unknown_sheet() -> None:
    page = paper.printed(dpi=200)
    for rect in (UPPER, LOWER):
        page = paper.covered(page, rect.grown(0.5), 0)
    result = recognise(scan(page).gray, default(), paper.EVENT)
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, Reason.NO_CODE)
    assert len(result.boxes) == 41 and result.blank == "personal"  # the desk can give it a player


def test_two_codes_of_different_sheets_are_a_bad_code() -> None:
    page, other = paper.printed(dpi=200), paper.printed(dpi=200, number=13)
    gray = page.gray.copy()
    part(page, gray, LOWER)[:] = part(other, other.gray, LOWER)
    result = recognise(scan(page.with_gray(gray)).gray, default(), paper.EVENT)
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, Reason.BAD_CODE)
    assert result.code is None and result.detail == "12, 13"


def test_a_code_of_the_other_kind_of_blank_is_a_bad_code() -> None:
    page, final = paper.printed(dpi=200), paper.printed(SheetKind.FINAL, 200)
    gray = page.gray.copy()
    for rect in (UPPER, LOWER):
        part(page, gray, rect)[:] = part(final, final.gray, rect)
    result = recognise(scan(page.with_gray(gray)).gray, default(), paper.EVENT)
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, Reason.BAD_CODE)


def test_a_sheet_of_another_event_is_foreign() -> None:
    page = scan(paper.printed(dpi=200, event="ZZZ99".replace("Z", "X")))
    result = recognise(page.gray, default(), paper.EVENT)
    assert (result.outcome, result.reason) == (Outcome.FOREIGN, Reason.OTHER_EVENT)
    assert result.detail == "XXX99" and result.boxes == ()


@pytest.mark.parametrize("picture", [qr_picture("https://example.org/kniga?id=12"), ean_picture()])
@pytest.mark.parametrize("x, y", [(70.0, 12.0), (128.0, 255.0)])
def test_foreign_codes_on_the_sheet_are_ignored(picture: np.ndarray, x: float, y: float) -> None:
    page = pasted(paper.printed(dpi=200), picture, x, y, 24)
    result = recognise(scan(page).gray, default(), paper.EVENT)
    assert (result.outcome, result.code) == (Outcome.SHEET, OURS)


def test_a_foreign_sticker_over_one_copy_is_ignored() -> None:
    page = pasted(paper.printed(dpi=200), qr_picture("WIFI:S:hall;;"), UPPER.x - 2, UPPER.y - 1, 17)
    assert sheets_on(scan(page)) == {OURS}


def test_codes_are_found_anywhere_with_their_corners() -> None:
    page = scan(turn=90)
    found = find_codes(page.gray)
    assert [code for code, _ in found] == [OURS, OURS]
    true = sorted(page.at(rect.corners()).mean(axis=0).tolist() for rect in (UPPER, LOWER))
    seen = sorted(corners.mean(axis=0).tolist() for _, corners in found)
    assert np.abs(np.array(true) - seen).max() < 0.7 * 200 / 25.4  # within a module
