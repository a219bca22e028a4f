"""Guards what a person says of pages: it must bring their answers in, be undone, and survive a rebuild."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from small_event import make_event, page, pdf, scan, words
from spoiled import marks, without_codes, without_marks

from otbor.errors import ConflictError, NotFoundError
from scanner.contracts import Outcome, Reason
from scanner.geometry import SheetKind
from scanner.placing import Hint
from scoring.model import Verdict
from service import answers, desk, intake, rereading, rulings, sheets
from service.event import Event
from service.executors import SerialExecutor
from service.journal import Kind
from service.store import tables

WRITTEN = ((1, 10), (4, 40), (8, 50))


def _again(event: Event, name: str, hint: Hint | None) -> Outcome:
    return rereading.read_again(event, name, hint, "desk", reader="none")


def _written(event: Event) -> set[tuple[str, int, int]]:
    return {(a.sheet, a.theme, a.nominal) for a in answers.all_answers(event) if a.ink == "written"}


def _records(event: Event) -> dict[str, intake.PageRecord]:
    return {f"{r.file}#{r.number}": r for _file, r in intake.page_records(event)}


def _all(event: Event) -> object:
    """All that a rebuild must give again, crops too."""
    with event.database.reading() as connection:
        pages = [
            (row.id, row.manual, row.aside, row.outcome, row.reason, row.sheet, row.duplicate_of)
            for row in connection.execute(tables.page.select())
        ]
    crops = {
        str(path.relative_to(event.folder)): path.read_bytes()
        for path in event.folder.glob("crops/*/*")
    }
    return (
        answers.all_answers(event),
        intake.page_records(event),
        rulings.current(event),
        pages,
        crops,
    )


def _rule(event: Event, path: Path, *lines: str) -> None:
    path.write_text("\n".join(["sheet;theme;nominal;verdict", *lines]), encoding="utf-8")
    rulings.rule_from_file(event, path, "jury")


def _rebuilt(event: Event) -> object:
    before = _all(event)
    for path in event.folder.glob("crops/**/*.pack"):
        path.unlink()
    intake.rebuild(event, reader="none", factory=SerialExecutor)
    assert _all(event) == before
    return before


# --- a page whose corner marks are gone -----------------------------------------------------------


@pytest.mark.parametrize("off_mm", [0.0, 3.0])
def test_marked_corners_bring_the_answers_in(tmp_path: Path, off_mm: float) -> None:
    """A finger on a phone is off by millimetres; the crops must lie on the boxes all the same."""
    event = make_event(tmp_path)
    spoiled = without_marks(page(2, words(*WRITTEN)))
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), spoiled]))
    assert _records(event)["scan.pdf#2"].reason is Reason.NO_REGISTRATION
    outcome = _again(event, "scan.pdf#2", Hint(corners=marks(off_mm=off_mm)))
    assert outcome is Outcome.SHEET
    assert _written(event) == {("2", theme, nominal) for theme, nominal in WRITTEN}
    assert len(answers.all_answers(event)) == 80
    plain = make_event(tmp_path / "plain")
    scan(plain, pdf(tmp_path / "plain.pdf", [page(2, words(*WRITTEN))]))
    crops = [_crop(where, "t4r4") for where in (event, plain)]
    assert abs(crops[0] - crops[1]) < 3  # grey levels: the same picture


def _crop(event: Event, box: str) -> float:
    import cv2
    import numpy as np

    data = answers.crop(event, "2", box)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    return float(picture.mean())


def test_a_turned_page_without_marks_is_read_once_it_is_said_to_be_turned(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    turned = without_marks(page(2, words(*WRITTEN))).transpose(Image.Transpose.ROTATE_180)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), turned]))
    assert _again(event, "scan.pdf#2", Hint(turn=180)) is Outcome.SHEET
    assert _written(event) == {("2", theme, nominal) for theme, nominal in WRITTEN}


def test_corners_that_the_frames_deny_change_nothing(tmp_path: Path) -> None:
    """Crops beside their boxes would look blank, and nobody would ever see the answers."""
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), without_marks(page(2, words(*WRITTEN)))]))
    before = _all(event)
    for wrong in (
        tuple((0.3 + 0.4 * x, 0.3 + 0.4 * y) for x, y in marks()),
        tuple(marks()[(index + 1) % 4] for index in range(4)),
    ):
        with pytest.raises(ConflictError):
            _again(event, "scan.pdf#2", Hint(corners=wrong))
    assert _all(event) == before
    assert desk.done(event) == []


def test_a_foreign_page_never_becomes_a_sheet(tmp_path: Path) -> None:
    from PIL import ImageDraw

    form = Image.new("L", (1240, 1754), 250)
    pen = ImageDraw.Draw(form)
    for row in range(30):
        for column in range(4):
            left, top = 80 + 270 * column, 90 + 52 * row
            pen.rectangle((left, top, left + 260, top + 44), outline=60, width=2)
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), form]))
    assert _again(event, "scan.pdf#2", Hint(turn=180)) is Outcome.FOREIGN
    with pytest.raises(ConflictError):
        _again(event, "scan.pdf#2", Hint(corners=marks()))


def test_a_page_without_marks_and_code_is_placed_and_then_named(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    spoiled = without_codes(without_marks(page(3, words((4, 40)))))
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), spoiled]))
    assert _records(event)["scan.pdf#2"].outcome is Outcome.FOREIGN
    assert _again(event, "scan.pdf#2", Hint(corners=marks())) is Outcome.UNKNOWN
    assert sheets.name_page(event, "scan.pdf#2", "3") == "3"
    assert _written(event) == {("3", 4, 40)}
    _rebuilt(event)


def test_a_final_blank_can_be_placed_too(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    spoiled = without_marks(page(2, kind=SheetKind.FINAL), kind=SheetKind.FINAL)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), spoiled]))
    corners = marks(SheetKind.FINAL, off_mm=2)
    assert _again(event, "scan.pdf#2", Hint(corners=corners)) is Outcome.SHEET
    assert _records(event)["scan.pdf#2"].sheet == "F2"


# --- a rebuild, and taking back -------------------------------------------------------------------


def test_a_rebuild_does_again_what_the_desk_did(tmp_path: Path) -> None:
    """The order counts: the second scan of sheet 2 came after a person had said how the first one lies."""
    event = make_event(tmp_path)
    event.print_spares(1)
    spare = page(1, words((2, 20)), kind=SheetKind.SPARE)
    first = without_marks(page(2, words((1, 10)), blur=0.9))
    scan(event, pdf(tmp_path / "one.pdf", [page(1), first, spare, without_codes(page(4))]))
    scan(event, pdf(tmp_path / "two.pdf", [page(2, words((1, 10), (3, 30)))]))
    assert _again(event, "one.pdf#2", Hint(corners=marks(off_mm=1))) is Outcome.DUPLICATE
    sheets.choose_page(event, "one.pdf#2", "desk")
    sheets.give_spare(event, "S1", 5)
    desk.set_aside(event, "one.pdf#4", who="desk")
    _rule(event, tmp_path / "r.csv", "2;1;10;right")
    _rebuilt(event)
    assert _records(event)["two.pdf#1"].outcome is Outcome.DUPLICATE
    assert not _records(event)["one.pdf#4"].needs_person


def test_a_rebuild_heeds_what_was_taken_back(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(
        event,
        pdf(tmp_path / "scan.pdf", [page(1), without_marks(page(2)), without_codes(page(3))]),
    )
    before = _all(event)
    _again(event, "scan.pdf#2", Hint(corners=marks()))
    sheets.name_page(event, "scan.pdf#3", "3")
    assert len(sheets.all_sheets(event)) == 3
    _again(event, "scan.pdf#2", None)
    desk.unname_page(event, "scan.pdf#3", "desk")
    assert _all(event) == before
    _rebuilt(event)


def test_better_corners_take_back_rulings_on_the_old_crops(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), without_marks(page(2, words((1, 10))))]))
    _again(event, "scan.pdf#2", Hint(corners=marks(off_mm=2)))
    _rule(event, tmp_path / "r.csv", "2;1;10;right", "1;1;10;blank")
    assert desk.standing_rulings(event, "2") == 1
    assert _again(event, "scan.pdf#2", Hint(corners=marks())) is Outcome.SHEET
    assert rulings.current(event) == {("1", "t1r1"): Verdict.BLANK}
    _rebuilt(event)


def test_naming_a_page_heeds_what_has_been_ruled_since_it_was_scanned(tmp_path: Path) -> None:
    """The sharper page must not slip under verdicts that were given on the other picture."""
    event = make_event(tmp_path)
    sharp = without_codes(page(1, words((1, 10))))
    scan(event, pdf(tmp_path / "scan.pdf", [sharp, page(1, words((1, 10)), blur=1.2)]))
    _rule(event, tmp_path / "r.csv", "1;1;10;right")
    sheets.name_page(event, "scan.pdf#1", "1")
    assert _records(event)["scan.pdf#1"].outcome is Outcome.DUPLICATE
    assert rulings.current(event) == {("1", "t1r1"): Verdict.RIGHT}
    _rebuilt(event)


def test_taking_a_name_back_lets_the_other_scan_count_again(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    sharp = without_codes(page(1, words((1, 10))))
    scan(event, pdf(tmp_path / "scan.pdf", [sharp, page(1, words((1, 10)), blur=1.2)]))
    sheets.name_page(event, "scan.pdf#1", "1")
    assert _records(event)["scan.pdf#2"].outcome is Outcome.DUPLICATE
    desk.unname_page(event, "scan.pdf#1")
    records = _records(event)
    assert records["scan.pdf#1"].reason is Reason.NO_CODE
    assert records["scan.pdf#2"].outcome is Outcome.SHEET
    _rebuilt(event)


def test_only_the_last_thing_done_to_a_page_is_taken_back(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    event.print_spares(1)
    spare = page(1, words((2, 20)), kind=SheetKind.SPARE)
    spoiled = without_codes(without_marks(page(3)))
    scan(event, pdf(tmp_path / "scan.pdf", [spare, spoiled]))
    _again(event, "scan.pdf#2", Hint(corners=marks()))
    sheets.name_page(event, "scan.pdf#2", "3")
    sheets.give_spare(event, "S1", 4)
    placed, named, given = desk.done(event)
    assert desk.undoable([placed, named, given]) == {named.id, given.id}

    def back(entry: int) -> None:
        desk.undo(
            event,
            entry,
            "desk",
            lambda page_id: rereading.read_again(event, page_id, None, "desk", reader="none"),
        )

    with pytest.raises(ConflictError):
        back(placed.id)
    back(named.id)
    with pytest.raises(ConflictError):
        back(named.id)
    back(given.id)
    assert sheets.orphans(event) == ["S1"]
    # What is taken back is no step to take back.
    assert desk.undoable(desk.done(event)) == set()
    with pytest.raises(NotFoundError):
        back(10_000)
    assert [entry.kind for entry in desk.done(event)][:3] == [
        Kind.MANUAL_PAGE,
        Kind.ASSIGN_PAGE,
        Kind.ASSIGN_PLAYER,
    ]


def test_what_counts_cannot_be_put_away(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1), without_codes(page(2))]))
    with pytest.raises(ConflictError):
        desk.set_aside(event, "scan.pdf#1")
    desk.set_aside(event, "scan.pdf#2")
    with pytest.raises(ConflictError):
        desk.set_aside(event, "scan.pdf#2")
    assert not _records(event)["scan.pdf#2"].needs_person
    desk.set_aside(event, "scan.pdf#2", aside=False)
    assert _records(event)["scan.pdf#2"].needs_person
