"""How a page ends: exactly one outcome each, nothing dropped in silence, no answer made a blank."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import paper
import pytest
from numpy.typing import NDArray
from writing import Pad

from otbor.errors import EngineError
from reports.paper import Paper
from scanner.codes import SheetCode
from scanner.contracts import Gray, Ink, Outcome, PageResult, Reader, Reading, Reason
from scanner.geometry import SheetKind, default
from scanner.recognition import recognise

BOXES = default().blanks["personal"].boxes


def read(scan: paper.Scan | Gray, reader: Reader | None = None) -> PageResult:
    gray = scan.gray if isinstance(scan, paper.Scan) else scan
    return recognise(gray, default(), paper.EVENT, reader)


def picture(data: bytes) -> Gray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE), np.uint8)


# Sheets -----------------------------------------------------------------------------------------------


def test_a_personal_sheet() -> None:
    pad = Pad(paper.printed(dpi=200))
    for index, box in enumerate(BOXES):
        if index % 4 == 0:
            pad.text(box.rect.x + 5, box.rect.bottom - 3, "Двина")
        if index % 4 == 1:
            pad.stroke([(box.rect.x + 5, box.rect.y + 5), (box.rect.x + 12, box.rect.y + 5.2)])
    result = read(paper.scanned(pad.done(), skew=1, noise=5, jpeg=80))
    assert (result.outcome, result.reason, result.blank) == ("sheet", "", "personal")
    assert result.code == SheetCode(paper.EVENT, SheetKind.PERSONAL, paper.NUMBER)
    assert [item.key for item in result.boxes] == [box.key for box in BOXES]
    kinds = (Ink.WRITTEN, Ink.DASH, Ink.BLANK, Ink.BLANK)
    assert [item.ink for item in result.boxes] == [kinds[index % 4] for index in range(40)]
    # A crop shows the box and a little around it, at ten pixels a millimetre.
    assert picture(result.boxes[0].image).shape == (116, 844)
    assert result.boxes[0].darkness > result.boxes[1].darkness > 0 == result.boxes[2].darkness
    assert max(picture(result.thumbnail).shape) == 1000
    assert result.dpi == pytest.approx(200, rel=0.01) and result.residual < 0.05


def test_a_spare_sheet_has_the_digits_of_the_players_number() -> None:
    pad = Pad(paper.printed(SheetKind.SPARE, 200))
    field = default().blanks["personal"].fields[0]
    pad.text(field.cells[1].x + 2.5, field.rect.bottom - 2, "4", x_height=2.5)
    result = read(paper.scanned(pad.done(), noise=4, bend=paper.crumpled(0.4, 1)))
    assert result.code is not None and result.code.kind is SheetKind.SPARE
    number = result.boxes[-1]
    assert (number.key, number.ink) == ("number", Ink.WRITTEN)
    empty = read(paper.scanned(paper.printed(SheetKind.SPARE, 200), bend=paper.crumpled(0.4, 1)))
    assert empty.boxes[-1].ink is Ink.BLANK


def test_the_final_sheet() -> None:
    pad = Pad(paper.printed(SheetKind.FINAL, 200))
    stake, answer = default().blanks["final"].fields
    pad.text(stake.cells[0].x + 4, stake.rect.bottom - 4, "7", x_height=3.5)
    pad.text(answer.rect.x + 20, answer.rect.bottom - 7, "Пушкин", x_height=4)
    result = read(paper.scanned(pad.done(), skew=-1, noise=4))
    assert (result.outcome, result.blank) == ("sheet", "final")
    assert [(item.key, item.ink) for item in result.boxes] == [
        ("stake", Ink.WRITTEN),
        ("answer", Ink.WRITTEN),
    ]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("kind", list(SheetKind))
def test_an_empty_blank_is_a_sheet_of_blanks_whatever_its_turn(kind: SheetKind, turn: int) -> None:
    result = read(paper.scanned(paper.printed(kind, 200), skew=0.7, noise=6, turn=turn))
    assert result.outcome is Outcome.SHEET
    assert {item.ink for item in result.boxes} == {Ink.BLANK}
    assert (result.turned - turn - 0.7 + 180) % 360 == pytest.approx(180, abs=0.2)


@pytest.mark.parametrize("angle", [20, 110])
def test_the_shadow_of_a_hand_on_a_photo_is_no_ink(angle: float) -> None:
    light = paper.half_shadow(0.5, angle, softness=0.015)
    pad = Pad(paper.printed(dpi=200))
    for box in BOXES[::5]:
        pad.text(box.rect.x + 5, box.rect.bottom - 3, "Обь", darkness=0.6)
    result = read(paper.photographed(pad.done(), light=light, seed=3))
    expected = [Ink.BLANK if index % 5 else Ink.WRITTEN for index in range(40)]
    assert result.outcome is Outcome.SHEET and [item.ink for item in result.boxes] == expected


def test_the_sharper_of_two_scans_is_known() -> None:
    sharp = read(paper.scanned(paper.printed(dpi=200)))
    dull = read(paper.scanned(paper.printed(dpi=200), blur=2.0))
    assert sharp.sharpness > 1.5 * dull.sharpness


def test_fifty_pages_on_paper_of_all_sizes_are_all_read() -> None:
    sizes = [(210.0, 297.0), (215.9, 279.4), (297.0, 420.0), (216.0, 356.0), (203.0, 290.0)]
    rng = np.random.default_rng(8)
    outcomes = []
    for index in range(50):
        width, height = sizes[index % len(sizes)]
        fit = min(width / 210, height / 297, 1.03) * float(rng.uniform(0.95, 1.0))
        scan = paper.scanned(
            paper.printed(dpi=150),
            glass=(width, height),
            scale=max(fit, 0.9),
            skew=float(rng.uniform(-2, 2)),
            turn=int(rng.integers(4)) * 90,
            lid=int(rng.choice([255, 235, 20])),
            noise=4,
            seed=index,
        )
        result = read(scan)
        blank = all(item.ink is Ink.BLANK for item in result.boxes)
        outcomes.append((result.outcome, result.code is not None, blank))
    assert outcomes == [(Outcome.SHEET, True, True)] * 50


# Not sheets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shade", [255, 236])
@pytest.mark.parametrize("turn", [0, 90])
def test_an_empty_page(shade: int, turn: int) -> None:
    page = paper.Scan(np.full((1754, 1240), shade, np.uint8), np.eye(3))
    scan = paper.turned(
        paper.Scan(paper.digitized(page.gray, 6, 0, False, 128, 75, 1), np.eye(3)), turn
    )
    light = paper.lit(scan.gray, 1.0, paper.half_shadow(0.3))
    for gray in (scan.gray, light):
        result = read(gray)
        assert (result.outcome, result.reason) == (Outcome.EMPTY, Reason.NO_INK)
        assert result.thumbnail


def test_a_single_written_line_is_no_empty_page() -> None:
    gray = np.full((1754, 1240), 250, np.uint8)
    cv2.putText(gray, "appeal: theme 3", (200, 900), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 0.8, (70,), 2)
    assert read(gray).outcome is Outcome.FOREIGN


def test_dust_and_a_streak_leave_a_page_empty() -> None:
    gray = np.full((1754, 1240), 250, np.uint8)
    rng = np.random.default_rng(3)
    for x, y in rng.integers(100, 1100, (25, 2)):
        gray[y : y + 3, x : x + 3] = 60
    gray[:, 700:702] = 150
    assert read(gray).outcome is Outcome.EMPTY


def foreign_page() -> NDArray[np.uint8]:
    """A printed page of something else: text, a table, a picture."""
    sheet = Paper()
    for line in range(40):
        sheet.text(
            20, 25 + line * 5, "Положение о турнире: порядок регистрации команд и игроков", 11
        )
    for line in range(6):
        sheet.line(20, 240 + line * 8, 190, 240 + line * 8, 0.3)
        sheet.line(20 + line * 34, 240, 20 + line * 34, 280, 0.3)
    import pypdfium2

    document = pypdfium2.PdfDocument(sheet.finish())
    pixels = document[0].render(scale=150 / 72, grayscale=True).to_numpy()
    document.close()
    return np.ascontiguousarray(pixels.reshape(pixels.shape[:2]))


def test_a_foreign_printed_page() -> None:
    result = read(foreign_page())
    assert (result.outcome, result.reason) == (Outcome.FOREIGN, Reason.NO_FIDUCIALS)
    assert result.boxes == () and result.thumbnail


def test_two_marks_and_no_code_are_an_unknown_blank() -> None:
    page = paper.printed(dpi=200)
    blank = default().blanks["personal"]
    for rect in (blank.markers[0].rect, blank.markers[2].rect, *blank.codes):
        page = paper.covered(page, rect.grown(0.5))
    result = read(paper.scanned(page))
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, Reason.NO_REGISTRATION)


def test_two_marks_and_a_code_are_a_sheet() -> None:
    page = paper.printed(dpi=200)
    blank = default().blanks["personal"]
    for rect in (blank.markers[0].rect, blank.markers[2].rect, blank.codes[1]):
        page = paper.covered(page, rect.grown(0.5))
    result = read(paper.scanned(page, skew=1, noise=4))
    assert result.outcome is Outcome.SHEET and result.code is not None
    assert {item.ink for item in result.boxes} == {Ink.BLANK}


def test_a_lost_page_with_only_a_code_is_unknown_or_foreign_by_its_event() -> None:
    for event, outcome in ((paper.EVENT, Outcome.UNKNOWN), ("XXX99", Outcome.FOREIGN)):
        page = paper.printed(dpi=200, event=event)
        for marker in default().blanks["personal"].markers:
            page = paper.covered(page, marker.rect.grown(0.5))
        result = read(paper.scanned(page))
        assert result.outcome is outcome
        assert result.code is not None and result.code.event == event


@pytest.mark.parametrize("second", [SheetKind.PERSONAL, SheetKind.FINAL])
@pytest.mark.parametrize("beside", [True, False])
def test_two_blanks_on_one_picture_are_never_one_of_them(second: SheetKind, beside: bool) -> None:
    first = paper.scanned(paper.printed(dpi=150), skew=1).gray
    other = paper.scanned(paper.printed(second, 150, 13), skew=-1).gray
    both = np.hstack([first, other]) if beside else np.vstack([first, other])
    result = read(np.ascontiguousarray(both))
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, Reason.NO_REGISTRATION)


def test_the_edge_of_a_second_blank_does_not_spoil_the_first() -> None:
    first = paper.scanned(paper.printed(dpi=150), skew=1).gray
    other = paper.scanned(paper.printed(dpi=150, number=13), skew=-1).gray
    both = np.hstack([first, other[:, :170]])  # with its two left marks
    result = read(np.ascontiguousarray(both))
    assert result.outcome is Outcome.SHEET
    assert result.code is not None and result.code.number == paper.NUMBER


# A page that is cut off -------------------------------------------------------------------------------


@pytest.mark.parametrize("right", [196.0, 185.0])
def test_boxes_that_are_cut_off_are_never_blank(right: float) -> None:
    scan = paper.scanned(paper.printed(dpi=200), noise=3)
    width = round(right * 200 / 25.4)
    result = read(np.ascontiguousarray(scan.gray[:, :width]))
    assert result.outcome is Outcome.SHEET
    cut = [item for item, box in zip(result.boxes, BOXES, strict=True) if box.rect.right > right]
    whole = [item for item, box in zip(result.boxes, BOXES, strict=True) if box.rect.right < right]
    assert len(cut) == 20 and {(item.ink, item.sure) for item in cut} == {(Ink.WRITTEN, False)}
    assert {item.ink for item in whole} == {Ink.BLANK}


def test_a_page_cut_off_below_is_not_called_blank_there() -> None:
    scan = paper.scanned(paper.printed(dpi=200), noise=3)
    for height in (282.0, 262.0, 200.0):
        result = read(np.ascontiguousarray(scan.gray[: round(height * 200 / 25.4)]))
        below = [
            item
            for item, box in zip(result.boxes, BOXES, strict=bool(result.boxes))
            if box.rect.bottom > height
        ]
        assert all(item.ink is Ink.WRITTEN and not item.sure for item in below)
        assert result.outcome in (Outcome.SHEET, Outcome.UNKNOWN)


# Readers ----------------------------------------------------------------------------------------------


class Scripted:
    """A reader that answers as told, and remembers what it was given."""

    name = "scripted"

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.seen: list[Gray] = []

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        self.seen = list(crops)
        if isinstance(self.answer, Exception):
            raise self.answer
        return [Reading(f"w{index}", 0.5) for index in range(len(crops))][: self.answer]  # type: ignore[misc]


@pytest.fixture(scope="module")
def filled() -> Gray:
    pad = Pad(paper.printed(dpi=200))
    for box in BOXES[:6]:
        pad.text(box.rect.x + 5, box.rect.bottom - 3, "Кама", x_height=2.6, darkness=0.4)
    return paper.scanned(pad.done(), noise=4, white=0.85).gray


def test_a_reader_gets_the_written_boxes_cleaned(filled: Gray) -> None:
    reader = Scripted(None)
    result = read(filled, reader)
    assert isinstance(reader, Reader)
    readings = [item.reading for item in result.boxes]
    assert readings[:6] == [Reading(f"w{index}", 0.5) for index in range(6)]
    assert readings[6:] == [None] * 34
    for crop in reader.seen:
        assert crop.dtype == np.uint8 and crop.shape == (92, 820)
        # White paper, no frame, ink as dark as it was.
        assert crop[:4].min() == crop[-4:].min() == crop[:, :4].min() == 255
        assert crop.min() < 190 and np.median(crop) == 255


@pytest.mark.parametrize(
    "answer", [EngineError("The engine is gone.", "Go on without."), 5, 0], ids=["error", "5", "0"]
)
def test_a_failing_reader_costs_the_readings_only(filled: Gray, answer: object) -> None:
    plain = read(filled)
    result = read(filled, Scripted(answer))
    assert result.outcome is Outcome.SHEET
    assert [item.ink for item in result.boxes] == [item.ink for item in plain.boxes]
    assert {item.reading for item in result.boxes} == {None}
    assert len(result.warnings) == 1 and result.warnings[0].startswith("reader:")
