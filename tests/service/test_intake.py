"""Guards against lost pages: every page given is accounted for, once, whatever happens to the others."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from dying_worker import kill_on_second
from small_event import CODE, make_event, page, pdf, scan, words

from otbor.errors import InputFileError
from scanner.contracts import Outcome, PageResult, Reason
from scanner.geometry import SheetKind
from service import answers, intake, page_work, rulings, sheets
from service.event import Event
from service.page_work import PageTask
from service.settings import Settings

# --- what is taken in -------------------------------------------------------------------------


def test_every_page_is_accounted_for(tmp_path: Path) -> None:
    from PIL import Image

    event = make_event(tmp_path)
    empty = Image.new("L", (1240, 1754), 240)
    file = pdf(tmp_path / "scan.pdf", [page(1, words((1, 10))), empty, page(2), page(9)])
    report = scan(event, file)
    assert {page.number: page.outcome for page in report.pages} == {
        1: Outcome.SHEET,
        2: Outcome.EMPTY,
        3: Outcome.SHEET,
        4: Outcome.UNKNOWN,
    }
    assert report.pages[3].reason is Reason.NO_SUCH_SHEET
    assert sum(report.counts().values()) == 4
    stored = [record for _file, record in intake.page_records(event)]
    assert [(r.number, r.outcome) for r in stored] == [(r.number, r.outcome) for r in report.pages]


def test_written_and_blank_boxes_come_out_as_they_are(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    written = [(1, 10), (3, 50), (8, 50), (5, 20)]
    scan(event, pdf(tmp_path / "scan.pdf", [page(1, words(*written))]))
    found = {(a.theme, a.nominal) for a in answers.all_answers(event) if a.ink == "written"}
    assert found == set(written)
    assert len(answers.all_answers(event)) == 40


def test_the_same_file_again_changes_nothing(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1), page(2)])
    scan(event, file)
    before = intake.page_records(event)
    renamed = tmp_path / "again.pdf"
    renamed.write_bytes(file.read_bytes())
    report = scan(event, renamed)
    assert report.already == ["again.pdf"]
    assert report.pages == []
    assert intake.page_records(event) == before


def test_a_missing_file_stops_before_anything_is_taken(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1)])
    with pytest.raises(InputFileError, match=r"missing\.pdf"):
        scan(event, file, tmp_path / "missing.pdf")
    assert intake.page_records(event) == []


def _state(folder: Path) -> dict[str, bytes]:
    """All that people would call the event: everything in its folder but the database's pages."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("otbor.db")
    }


def _dump(event: Event) -> dict[str, list[tuple[object, ...]]]:
    from service.store.tables import metadata

    with event.database.reading() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in metadata.sorted_tables
        }


@pytest.mark.parametrize("what", ["foreign", "other_event", "no_player", "empty", "text"])
def test_a_file_with_nothing_of_ours_leaves_the_event_as_it_was(tmp_path: Path, what: str) -> None:
    from PIL import Image, ImageDraw

    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "good.pdf", [page(1, words((1, 10)))]))
    before, dump = _state(event.folder), _dump(event)
    file = tmp_path / "strange.pdf"
    if what == "foreign":
        image = Image.new("L", (1240, 1754), 250)
        for line in range(30):
            ImageDraw.Draw(image).text((100, 100 + 40 * line), "Приказ по школе " * 8, fill=10)
        pdf(file, [image])
    elif what == "other_event":
        pdf(file, [page(1, words((1, 10)), code="YYYYY")])
    elif what == "no_player":
        pdf(file, [page(77)])
    elif what == "empty":
        pdf(file, [Image.new("L", (1240, 1754), 250)])
    else:
        file.write_text("no PDF at all")
    report = scan(event, file)
    assert not report.gained
    assert len(report.pages) == 1
    assert report.pages[0].outcome is not Outcome.SHEET
    assert _state(event.folder) == before
    assert _dump(event) == dump


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.4 and then nothing")
    good = pdf(tmp_path / "good.pdf", [page(1), page(2)])
    report = scan(event, bad, good)
    assert report.counts()[Outcome.SHEET] == 2
    [refused] = [page for page in report.pages if page.outcome is Outcome.UNREADABLE]
    assert (refused.file, refused.number) == ("bad.pdf", 0)


def test_a_folder_of_scans_is_taken_in_by_name(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    folder = tmp_path / "scans"
    folder.mkdir()
    page(2).save(folder / "b.png")
    page(1).save(folder / "a.jpg", quality=85)
    (folder / ".hidden").write_text("not a scan")
    report = scan(event, folder)
    assert [page.file for page in report.pages] == ["a.jpg", "b.png"]


# --- two scans of one sheet --------------------------------------------------------------------


@pytest.mark.parametrize("sharp_first", [True, False])
def test_of_two_scans_the_sharper_counts_whatever_the_order(
    tmp_path: Path, sharp_first: bool
) -> None:
    event = make_event(tmp_path)
    pages = [page(1, words((1, 10))), page(1, words((1, 10)), blur=1.2)]
    scan(event, pdf(tmp_path / "scan.pdf", pages if sharp_first else pages[::-1]))
    records = {r.number: r for _file, r in intake.page_records(event)}
    sharp, dull = (1, 2) if sharp_first else (2, 1)
    assert records[sharp].outcome is Outcome.SHEET
    assert records[dull].outcome is Outcome.DUPLICATE
    assert records[dull].duplicate_of == f"scan.pdf#{sharp}"
    assert not records[dull].needs_person
    assert len(answers.all_answers(event)) == 40


def test_two_scans_with_different_answers_go_to_a_person(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    first = page(1, words((1, 10)), blur=0.8)
    second = page(1, words((1, 10), (2, 20)))
    scan(event, pdf(tmp_path / "scan.pdf", [first, second]))
    records = {r.number: r for _file, r in intake.page_records(event)}
    # The second is sharper, but somebody must say which one is the player's.
    assert records[1].outcome is Outcome.SHEET
    assert records[2].differs == ("t2r2",)
    assert records[2].needs_person


def test_a_ruled_sheet_keeps_the_scan_it_was_ruled_on(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "dull.pdf", [page(1, words((1, 10)), blur=1.2)]))
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n1;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    scan(event, pdf(tmp_path / "sharp.pdf", [page(1, words((1, 10)))]))
    outcomes = {r.file: r.outcome for _file, r in intake.page_records(event)}
    assert outcomes == {"dull.pdf": Outcome.SHEET, "sharp.pdf": Outcome.DUPLICATE}


def test_choosing_the_other_scan_takes_the_rulings_back(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1, words((1, 10))), page(1, words((2, 20)))]))
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n1;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    assert sheets.choose_page(event, "scan.pdf#2") == "1"
    assert rulings.current(event) == {}
    assert len(rulings.history(event)) == 2
    written = {(a.theme, a.nominal) for a in answers.all_answers(event) if a.ink == "written"}
    assert written == {(2, 20)}


# --- spare sheets and pages without a code ------------------------------------------------------


def test_a_spare_sheet_belongs_to_whom_the_desk_says(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    event.print_spares(3)
    spare = page(2, words((1, 10)), kind=SheetKind.SPARE)
    scan(event, pdf(tmp_path / "scan.pdf", [spare]))
    assert sheets.orphans(event) == ["S2"]
    sheets.give_spare(event, "s2", 4)
    assert sheets.player_sheets(event) == {4: "S2"}
    assert sheets.orphans(event) == []
    sheets.give_spare(event, "S2", None)
    assert sheets.orphans(event) == ["S2"]


def test_a_page_without_codes_is_named_by_a_person(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    image = page(3, words((4, 40)))
    from PIL import ImageDraw

    from scanner.geometry import default

    per_mm = image.size[1] / 297
    for code in default().blanks["personal"].codes:
        area = [per_mm * v for v in (code.x, code.y, code.right, code.bottom)]
        ImageDraw.Draw(image).rectangle(area, fill=90)
    report = scan(event, pdf(tmp_path / "scan.pdf", [image]))
    assert report.pages[0].reason is Reason.NO_CODE
    assert answers.all_answers(event) == []
    assert sheets.name_page(event, "scan.pdf#1", "3") == "3"
    written = [
        (a.player, a.theme, a.nominal) for a in answers.all_answers(event) if a.ink == "written"
    ]
    assert written == [(3, 4, 40)]


# --- faults of the workers ----------------------------------------------------------------------


def test_a_page_whose_reading_fails_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1), page(2), page(3)])

    def work(task: PageTask) -> PageResult:
        if task.index == 1:
            return page_work.died(task)
        return page_work.work(task)

    report = scan(event, file, work=work)
    assert [p.outcome for p in report.pages] == [
        Outcome.SHEET,
        Outcome.UNREADABLE,
        Outcome.SHEET,
    ]


def test_a_worker_that_dies_costs_only_its_own_page(tmp_path: Path) -> None:
    import multiprocessing

    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1), page(2), page(3), page(4), page(5)])
    context = multiprocessing.get_context("spawn")
    report = scan(
        event,
        file,
        work=kill_on_second,
        factory=lambda: ProcessPoolExecutor(1, mp_context=context),
    )
    outcomes = [p.outcome for p in report.pages]
    assert outcomes == [Outcome.SHEET, Outcome.UNREADABLE, *[Outcome.SHEET] * 3]
    assert report.pages[1].reason is Reason.FAILED


def test_an_interrupted_scan_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "settings", lambda: Settings(workers=1))
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(number) for number in (1, 2, 3, 4, 5)])
    done: list[int] = []

    def work(task: PageTask) -> PageResult:
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(task.index)
        return page_work.work(task)

    with pytest.raises(KeyboardInterrupt):
        scan(event, file, work=work)
    stored = len(intake.page_records(event))
    assert 0 < stored < 5
    first = len(done)

    def rest(task: PageTask) -> PageResult:
        done.append(task.index)
        return page_work.work(task)

    report = scan(event, file, work=rest)
    assert [p.outcome for p in report.pages] == [Outcome.SHEET] * 5
    # Pages in flight are read again, pages stored never.
    assert done[first:] == list(range(stored, 5))


def test_a_scan_interrupted_after_its_last_page_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1), page(2)])
    finish = intake._finish
    monkeypatch.setattr(
        intake, "_finish", lambda *_arguments: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        scan(event, file)
    monkeypatch.setattr(intake, "_finish", finish)
    report = scan(event, file)
    assert [p.outcome for p in report.pages] == [Outcome.SHEET] * 2
    assert scan(event, file).already == ["scan.pdf"]


def test_the_same_file_twice_in_one_go_is_taken_once(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1), page(2)])
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(file.read_bytes())
    report = scan(event, file, copy, file)
    assert [p.outcome for p in report.pages] == [Outcome.SHEET] * 2
    assert report.already == ["copy.pdf", "scan.pdf"]
    assert len(intake.page_records(event)) == 2


# --- everything derived can be made again --------------------------------------------------------


def test_a_rebuild_gives_the_same_event(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    event.print_spares(1)
    scan(
        event,
        pdf(
            tmp_path / "one.pdf",
            [
                page(1, words((1, 10))),
                page(2, words((2, 20)), blur=1.0),
                page(1, kind=SheetKind.SPARE, answers=words((3, 30))),
            ],
        ),
    )
    sheets.give_spare(event, "S1", 5)
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n2;2;20;wrong\n1;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    # Sharper, but the sheet has been ruled on: it stays a duplicate, also after a rebuild.
    scan(event, pdf(tmp_path / "two.pdf", [page(2, words((2, 20)))]))
    before = (answers.all_answers(event), intake.page_records(event), _state(event.folder))
    for path in event.folder.glob("crops/**/*.pack"):
        path.unlink()
    from service.executors import SerialExecutor

    assert intake.rebuild(event, reader="none", factory=SerialExecutor) == 4
    assert (answers.all_answers(event), intake.page_records(event), _state(event.folder)) == before


def test_originals_are_kept_as_they_came(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1)])
    scan(event, file)
    [original] = list((event.folder / "originals").iterdir())
    assert original.read_bytes() == file.read_bytes()
    assert event.info.code == CODE
