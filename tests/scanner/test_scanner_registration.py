"""Print → scan → every box back at its place.

Guards against «fit to page», other paper sizes, feeders that turn and stretch, lost corner marks, crumpled
sheets and phone photos: a box cut 1 mm aside shows its neighbour's answer.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import paper
import pytest
from corner_error import corner_errors, cut_corners, errors_of
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.geometry import SheetKind, default
from scanner.locating import locate
from scanner.registration import find_fiducials, register

# The promise; what is really reached is several times better and asserted where the paper is flat.
PROMISED_MM = 0.3
FLAT_MM = 0.06


@pytest.mark.parametrize("dpi", [150, 200, 300])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"skew": 3, "scale": 0.94, "turn": 90, "noise": 8},
        {"skew": -3, "scale": 1.03, "turn": 180, "noise": 8},
        {"skew": 2, "scale": 0.97, "turn": 270, "noise": 8, "jpeg": 70},
        {"skew": -1, "scale": (1.02, 0.985), "shift": (3.0, -4.0), "white": 0.85},
        {"skew": 1.5, "scale": 0.96, "noise": 6, "blur": 0.7, "one_bit": True},
    ],
    ids=["straight", "quarter", "upside down", "three quarters", "stretched", "1-bit"],
)
def test_every_corner_of_every_box_comes_back(dpi: int, how: dict[str, object]) -> None:
    assert corner_errors(dpi, **how).max() < FLAT_MM


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from([150, 200]),
    st.floats(-3, 3),
    st.floats(0.94, 1.03),
    st.sampled_from([0, 90, 180, 270]),
    st.floats(0, 12),
)
def test_any_skew_scale_and_turn(
    dpi: int, skew: float, scale: float, turn: int, noise: float
) -> None:
    assert corner_errors(dpi, skew=skew, scale=scale, turn=turn, noise=noise).max() < FLAT_MM


@pytest.mark.parametrize("kind", [SheetKind.SPARE, SheetKind.FINAL])
def test_the_other_blanks_too(kind: SheetKind) -> None:
    assert corner_errors(200, kind=kind, skew=2, scale=0.97, noise=5).max() < FLAT_MM


@pytest.mark.parametrize("dpi, lost", [(150, 0), (200, 0), (200, 1), (200, 2), (200, 3)])
def test_one_lost_corner_mark_does_no_harm(dpi: int, lost: int) -> None:
    assert corner_errors(dpi, skew=2, scale=0.97, noise=6, destroyed=(lost,)).max() < FLAT_MM


@pytest.mark.parametrize("lost", list(itertools.combinations(range(4), 2)))
def test_codes_stand_in_for_two_lost_corner_marks(lost: tuple[int, int]) -> None:
    errors = corner_errors(200, skew=-1.5, scale=0.98, noise=6, destroyed=lost)
    assert errors.max() < PROMISED_MM


@pytest.mark.parametrize("lost", [0, 1, 2, 3])
def test_a_streak_through_a_corner_mark_does_no_harm(lost: int) -> None:
    page = paper.printed(dpi=200)
    rect = default().blanks["personal"].markers[lost].rect
    streak = type(rect)(rect.x + 3.0, rect.y - 8, 0.8, rect.height + 16)
    assert errors_of(paper.scanned(paper.covered(page, streak, 60), skew=1)).max() < FLAT_MM


@pytest.mark.parametrize("seed", range(4))
def test_boxes_are_followed_over_crumpled_paper(seed: int) -> None:
    # The fiducials alone leave errors of up to 0.65 mm on these sheets.
    assert corner_errors(200, skew=1, crumple=0.5, noise=5, seed=seed).max() < PROMISED_MM


@pytest.mark.parametrize("kind", [SheetKind.SPARE, SheetKind.FINAL])
def test_fields_are_followed_over_crumpled_paper(kind: SheetKind) -> None:
    assert corner_errors(200, kind=kind, skew=1, crumple=0.5, noise=5).max() < PROMISED_MM


@pytest.mark.parametrize(
    "glass, scale", [((215.9, 279.4), 0.94), ((215.9, 279.4), 0.9), ((297.0, 420.0), 1.0)]
)
def test_letter_and_a3_scans_of_an_a4_blank(glass: tuple[float, float], scale: float) -> None:
    errors = corner_errors(200, glass=glass, scale=scale, skew=-1, noise=5, lid=235)
    assert errors.max() < FLAT_MM


@pytest.mark.parametrize("seed", range(3))
def test_a_phone_photo_on_a_dark_table_half_in_shadow(seed: int) -> None:
    light = paper.half_shadow(0.5, angle=50 * seed)
    photo = paper.photographed(paper.printed(dpi=200), skew=6 * seed - 5, light=light, seed=seed)
    assert errors_of(photo).max() < FLAT_MM


def test_a_crumpled_sheet_on_a_phone_photo() -> None:
    light = paper.half_shadow(0.4)
    bend = paper.crumpled(0.5, 2)
    photo = paper.photographed(paper.printed(dpi=200), light=light, bend=bend, seed=1, turn=90)
    assert errors_of(photo).max() < PROMISED_MM


def test_a_streak_beside_a_column_of_boxes_does_not_pull_them_aside() -> None:
    page = paper.printed(dpi=200)
    box = default().blanks["personal"].boxes[0].rect
    streak = type(box)(box.x - 0.75, 0.0, 0.3, 297.0)
    assert errors_of(paper.scanned(paper.covered(page, streak, 90))).max() < PROMISED_MM


def test_writing_along_the_frames_does_not_pull_them_aside() -> None:
    page = paper.printed(dpi=200)
    for box in default().blanks["personal"].boxes[::2]:
        for x, y in ((box.rect.x, box.rect.y + 0.8), (box.rect.x + 0.9, box.rect.y)):
            wide = 60.0 if x == box.rect.x else 0.5
            high = 0.5 if x == box.rect.x else box.rect.height
            page = paper.covered(page, type(box.rect)(x, y, wide, high), 40)
    assert errors_of(paper.scanned(page, skew=0.5, noise=4)).max() < PROMISED_MM


def test_resolution_and_turn_are_measured_on_the_paper() -> None:
    scan = paper.scanned(paper.printed(dpi=200), scale=0.96, skew=2, turn=90)
    registration = locate(scan.gray, default()).registration
    assert registration is not None
    assert registration.dpi == pytest.approx(200 * 0.96, rel=0.003)
    assert registration.turned == pytest.approx(92, abs=0.1)
    assert registration.residual < 0.05 and registration.anchors == 4


def test_the_blank_is_known_by_its_corner_marks() -> None:
    for kind, ids in ((SheetKind.PERSONAL, [0, 1, 2, 3]), (SheetKind.FINAL, [4, 5, 6, 7])):
        found = find_fiducials(paper.printed(kind, 150).gray, default())
        assert sorted(item.marker.id for item in found) == ids
        assert {item.blank.name for item in found} == {"final" if ids[0] else "personal"}


def test_too_few_or_contradicting_marks_are_not_registered() -> None:
    found = find_fiducials(paper.printed(dpi=150).gray, default())
    assert register([]) is None
    assert register(found[:2]) is None
    # One mark 6 mm aside: a blot, another sheet shining through. The others know better.
    moved = type(found[0])(found[0].blank, found[0].marker, found[0].corners + 35.0)
    registration = register([moved, *found[1:]])
    assert registration is not None and registration.anchors == 3
    # Two marks in a line with a third far off span nothing.
    far = type(found[0])(found[0].blank, found[0].marker, found[0].corners + 700.0)
    assert register([far, *found[1:3]]) is None


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 9000), (9000, 1), (40, 5000), (64, 9000), (700, 500)]
)
@pytest.mark.parametrize("shade", [0, 128, 255])
def test_any_picture_without_a_blank_is_not_registered(shape: tuple[int, int], shade: int) -> None:
    gray = np.full(shape, shade, dtype=np.uint8)
    assert find_fiducials(gray, default()) == []
    assert locate(gray, default()).registration is None


def test_noise_is_no_blank() -> None:
    gray = np.random.default_rng(1).integers(0, 256, (1200, 900)).astype(np.uint8)
    assert locate(cv2.resize(gray, (1800, 2400)), default()).registration is None


def test_a_mirrored_scan_is_not_taken_for_a_sheet() -> None:
    scan = paper.scanned(paper.printed(dpi=150))
    assert locate(np.ascontiguousarray(scan.gray[:, ::-1]), default()).registration is None


def test_the_measure_of_errors_sees_an_error() -> None:
    # The measuring itself must be able to fail: the truth moved by a millimetre is an error of one.
    scan = paper.scanned(paper.printed(dpi=150), skew=1)
    aside = scan.matrix @ np.array([[1, 0, 1.0], [0, 1, 0], [0, 0, 1]])
    assert errors_of(paper.Scan(scan.gray, aside)).mean() == pytest.approx(1.0, abs=0.02)
    assert len(cut_corners(scan.gray, default(), spare=False)) == 40
