"""Guards the product's promise: from printed blank to posted place, every score equals the truth."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from samples.demo import Summary, summarize
from samples.generate import SAMPLE_CODE, STROKES_FILE, GeneratedSample, generate
from scanner.contracts import Outcome
from scoring.model import Status
from service import answers, intake, results, rulings, sheets
from service.cli import app
from service.event import Event, Source

SAMPLE_FILES = Path(__file__).parents[1] / "samples" / "event"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def _whole_way(
    folder: Path, *, hand: str, sheets_: int | None, reader: str
) -> tuple[Event, GeneratedSample]:
    """Blanks, scans, desk and a scripted jury."""
    event = Event.create(folder / "event", Source.of_folder(SAMPLE_FILES), code=SAMPLE_CODE)
    event.print_spares(20)
    sample = generate(folder / "scans", event_code=SAMPLE_CODE, hand=hand, sheets=sheets_)
    intake.take_in(event, sample.files, reader=reader)
    for row in _rows(sample.spares):
        sheets.give_spare(event, row["sheet"], int(row["player"]))
    for row in _rows(sample.page_table):
        if row["outcome"] == Outcome.UNKNOWN.value and row["sheet"]:
            sheets.name_page(event, f"{row['file']}#{row['page']}", row["sheet"])
    rulings.rule_from_file(event, sample.rulings, "scripted jury")
    return event, sample


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Event, GeneratedSample, Summary]:
    """The whole sample event, in handwriting fonts, without a reader."""
    folder = tmp_path_factory.mktemp("whole")
    event, sample = _whole_way(folder, hand="fonts", sheets_=None, reader="none")
    return event, sample, summarize(event, sample)


def test_every_score_equals_the_truth(whole: tuple[Event, GeneratedSample, Summary]) -> None:
    event, sample, summary = whole
    assert summary.players == len(sample.plan.scores) == 101
    assert summary.equal == summary.players
    assert results.event_standings(event).unconfirmed == 0


def test_every_page_ends_as_it_should(whole: tuple[Event, GeneratedSample, Summary]) -> None:
    _event, sample, summary = whole
    assert summary.misplaced == 0
    assert sum(summary.outcomes.values()) == len(sample.pages)
    kinds = {Outcome.SHEET, Outcome.DUPLICATE, Outcome.EMPTY, Outcome.FOREIGN}
    assert set(summary.outcomes) == kinds


def test_no_answer_is_taken_for_a_blank(whole: tuple[Event, GeneratedSample, Summary]) -> None:
    _event, _sample, summary = whole
    assert summary.boxes == 101 * 40
    assert summary.lost == 0
    # One glance of a juror each: fewer than 1 in 100 of the blank boxes.
    assert summary.phantom <= summary.blank / 100


def test_the_cuts_fall_as_the_event_was_made(
    whole: tuple[Event, GeneratedSample, Summary],
) -> None:
    event, _sample, _summary = whole
    young, middle, old = results.event_standings(event).categories
    assert [len(part.rows) for part in (young, middle, old)] == [45, 38, 20]
    assert young.cut.undecided
    assert young.cut.sure < 32 < young.cut.sure + len(young.cut.tied)
    assert young.cut.sure + young.cut.left == 32
    assert not middle.cut.undecided
    assert middle.cut.sure == 32
    assert not old.cut.undecided
    present = [row for row in old.rows if row.status is not Status.ABSENT]
    assert old.cut.sure == len(present) < 32


def test_what_is_posted_names_everybody_with_place_and_score(
    whole: tuple[Event, GeneratedSample, Summary], tmp_path: Path
) -> None:
    event, sample, _summary = whole
    assert app.run(["report", str(event.folder), "--out", str(tmp_path), "--json"]) == 0
    document = pdfium.PdfDocument((tmp_path / "standings.pdf").read_bytes())
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    for player in sample.plan.players:
        first, *_rest = player.name.split()
        assert first in text, player
    rows = _rows(tmp_path / "standings.csv")
    assert len(rows) == 103


def test_standings_do_not_depend_on_the_order_of_the_scans(
    whole: tuple[Event, GeneratedSample, Summary], tmp_path: Path
) -> None:
    event, sample, _summary = whole
    other = Event.create(tmp_path / "event", Source.of_folder(SAMPLE_FILES), code=SAMPLE_CODE)
    other.print_spares(20)
    small = [path for path in sample.files if path.stat().st_size < 3_000_000]
    intake.take_in(other, list(reversed(small)), reader="none")
    mine = {(a.sheet, a.box): a.ink for a in answers.all_answers(other)}
    theirs = {(a.sheet, a.box): a.ink for a in answers.all_answers(event)}
    shared = set(mine) & set(theirs)
    assert len(shared) > 40 * 20
    differing = [box for box in shared if mine[box] != theirs[box]]
    # Sheet 10 lies in two files, of which only one is in this pile.
    assert {sheet for sheet, _box in differing} <= {
        record.sheet
        for _file, record in intake.page_records(event)
        if record.outcome is Outcome.DUPLICATE
    }


def test_real_handwriting_goes_the_whole_way(tmp_path: Path) -> None:
    if not STROKES_FILE.exists():
        pytest.skip("the recordings of real writers (shared/handwriting) are not here")
    event, sample = _whole_way(tmp_path, hand="real", sheets_=12, reader="none")
    summary = summarize(event, sample)
    assert summary.equal == summary.players > 0
    assert summary.lost == 0


def test_tesseract_reads_what_it_can_and_the_answers_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from scanner.readers import tesseract

    if not tesseract.available():
        pytest.skip("Tesseract with Russian is not installed")
    event, _sample = _whole_way(tmp_path, hand="fonts", sheets_=6, reader="tesseract")
    capsys.readouterr()
    assert app.run(["answers", str(event.folder), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    written = [row for row in rows if row["ink"] == "written"]
    assert all(row["text"] is not None and 0 <= row["confidence"] <= 1 for row in written)
    assert all(row["text"] is None for row in rows if row["ink"] != "written")
    # It cannot read handwriting well, but it does read something.
    assert sum(bool(row["text"]) for row in written) > len(written) / 2
