"""Guards against a wall ordered by yesterday's key, and against traces that outlive their boxes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_event import key_text, make_event, page, pdf, scan
from sqlalchemy import func, select

from jury.forms import FormMatch, surname, written_forms
from jury.suggestion import suggest
from otbor.errors import EngineError
from scanner.contracts import Ink, Match
from scanner.geometry import default
from scanner.readers import handwriting
from scoring.model import Question, Verdict
from service import answers, intake, verification
from service.cli import app
from service.event import Event
from service.executors import SerialExecutor
from service.store import tables

ANSWERS = {(1, 10): "ответ 110", (1, 20): "Лермонтов"}


@pytest.fixture
def event(tmp_path: Path) -> Event:
    made = make_event(tmp_path)
    scan(made, pdf(tmp_path / "scan.pdf", [page(1, ANSWERS)]), reader="handwriting")
    return made


def _answer(event: Event, theme: int, nominal: int) -> answers.Answer:
    question = event.key().question(theme, nominal)
    (found,) = answers.all_answers(event, question)
    return found


def _traces(event: Event) -> int:
    with event.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(tables.trace)).scalar_one())


def test_every_written_box_keeps_its_trace(event: Event) -> None:
    assert _traces(event) == len(ANSWERS)
    right, wrong = _answer(event, 1, 10), _answer(event, 1, 20)
    assert right.suggestion.probability > wrong.suggestion.probability
    assert wrong.suggestion.verdict is Verdict.WRONG


def test_a_new_key_orders_the_wall_anew_without_the_images(event: Event, tmp_path: Path) -> None:
    before = _answer(event, 1, 20).suggestion
    for pack in (event.folder / "blobs").rglob("*"):
        if pack.is_file():
            pack.unlink()
    changed = tmp_path / "key.toml"
    changed.write_text(key_text().replace('"ответ 120"', '"Лермонтов"'), encoding="utf-8")
    event.update(key=changed)
    after = _answer(event, 1, 20).suggestion
    assert before.probability < 0.2
    assert after.probability > 0.5
    assert after.form == "Лермонтов"
    # Kept: the next reader of the wall does not make it again.
    question = event.key().question(1, 20)
    with event.database.reading() as connection:
        made_for = connection.execute(
            select(tables.trace.c.made_for).where(tables.trace.c.key == "t1r2")
        ).scalar_one()
    assert made_for == verification.digest(question)


def test_reading_again_without_the_network_drops_the_traces(event: Event) -> None:
    intake.rebuild(event, reader="none", factory=SerialExecutor)
    assert _traces(event) == 0
    assert _answer(event, 1, 10).suggestion.verdict is None


def test_matches_come_back_from_the_database_as_they_were() -> None:
    found = (FormMatch("Пушкин", False, Match(-0.25, 0.9)), FormMatch("мимо", True, Match(-9, 0.0)))
    assert verification.from_json(json.loads(json.dumps(verification.to_json(found)))) == found


QUESTION = Question(1, 1, 10, "?", "Нижний Новгород", ("1812", "кит"), ("Новгород",), "")


def _suggest(text: str, **probabilities: tuple[float, float]) -> tuple[float, str | None]:
    names = {"full": "Нижний Новгород", "part": "Новгород", "year": "1812", "short": "кит"}
    matches = tuple(
        FormMatch(names[name], name == "part", Match(ratio, probability))
        for name, (ratio, probability) in probabilities.items()
    )
    found = suggest(text, 0.8, Ink.WRITTEN, QUESTION, matches)
    return found.probability, found.form


def test_a_rejected_form_that_fits_better_takes_the_probability_away() -> None:
    both, form = _suggest("новгород", full=(-2.0, 0.6), part=(-0.1, 0.95))
    alone, _ = _suggest("нижний новгорол", full=(-0.1, 0.95), part=(-3.0, 0.05))
    assert both < 0.1
    assert form == "Новгород"
    assert alone > 0.9


def _inside(text: str, form: str, inside: float) -> float:
    question = Question(1, 1, 10, "?", form, (), (), "")
    matches = (FormMatch(form, False, Match(-3.0, 0.01, inside)),)
    return suggest(text, 0.8, Ink.WRITTEN, question, matches).probability


def test_a_form_among_other_words_comes_to_the_middle_and_no_further() -> None:
    assert _inside("поэт Пушкин", "Пушкин", 0.99) == 0.5


def test_a_short_number_among_other_signs_is_neither_lost_nor_likely() -> None:
    """Losses: «64 шт.» at the wrong end, unseen among a hundred; or every 164 in the middle."""
    assert 0.02 < _inside("бчшт", "64", 0.99) < 0.5


def test_a_number_behind_a_name_that_has_none_is_not_taken_for_a_slip() -> None:
    question = Question(1, 1, 10, "?", "Елизавета", (), (), "")
    matches = (FormMatch("Елизавета", False, Match(-0.4, 0.97)),)
    second = suggest("Елизавета II", 0.8, Ink.WRITTEN, question, matches)
    slip = suggest("Елизовета", 0.8, Ink.WRITTEN, question, matches)
    assert second.probability <= 0.5 < slip.probability


@pytest.mark.parametrize(
    ("form", "other"), [("Пётр I", "Пётр 1"), ("Людовик 14", "Людовик XIV")], ids=["to", "from"]
)
def test_the_number_behind_a_name_is_known_in_both_figures(form: str, other: str) -> None:
    assert other in written_forms(form)


def test_a_surname_alone_comes_to_the_middle_of_the_wall(event: Event, tmp_path: Path) -> None:
    """Loss: «Лермонтов» among the wrong answers because the key has «Михаил Лермонтов»."""
    changed = tmp_path / "key.toml"
    changed.write_text(key_text().replace('"ответ 120"', '"Михаил Лермонтов"'), encoding="utf-8")
    event.update(key=changed)
    found = _answer(event, 1, 20).suggestion
    assert 0.4 < found.probability <= 0.5


@pytest.mark.parametrize(
    ("form", "last"),
    [
        ("Михаил Лермонтов", "Лермонтов"),
        ("Пётр Ильич Чайковский [композитор]", "Чайковский"),
        ("Нильс Бор", ""),  # three letters are never right by likeness
        ("чёрная дыра", ""),
        ("Александр II", ""),
        ("Сказка о попе", ""),
        ("Пушкин", ""),
    ],
)
def test_a_surname_is_the_last_word_of_a_name(form: str, last: str) -> None:
    assert surname(form) == last


def test_a_bare_number_is_known_in_its_own_figures_only() -> None:
    assert written_forms("14") == ("14",)
    assert "10" not in written_forms("X")


def test_a_form_is_written_in_several_ways() -> None:
    assert "новгород нижний" in written_forms("Нижний Новгород")
    assert {"столб", "столбик"} <= set(written_forms("столб[ик]"))
    assert written_forms("Новгород (Великий)", bracketed=False)[0] == "Новгород (Великий)"


# --- otbor read ---------------------------------------------------------------------------------


def test_read_tells_text_ink_and_how_expected_texts_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixels = np.asarray(page(1, {(1, 10): "Лермонтов"}))
    rect = default().blanks["personal"].box(1, 1).rect.grown(-1)
    left, top, right, bottom = (
        round(side * pixels.shape[0] / 297) for side in (rect.x, rect.y, rect.right, rect.bottom)
    )
    crop = pixels[top:bottom, left:right]
    path = tmp_path / "ответ.png"
    Image.fromarray(crop).save(path)
    arguments = ["read", str(path), "--expect", "Лермонтов", "--expect", "Пушкин", "--json"]
    assert app.run(arguments) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["ink"] == "written"
    good, bad = row["expected"]
    assert good["probability"] > 0.5 > bad["probability"]
    assert bad["ratio"] < good["ratio"] <= 0


def test_read_tells_a_crossed_out_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixels = np.asarray(page(1, {(1, 10): "Лермонтов"})).copy()
    rect = default().blanks["personal"].box(1, 1).rect.grown(-1)
    left, top, right, bottom = (
        round(side * pixels.shape[0] / 297) for side in (rect.x, rect.y, rect.right, rect.bottom)
    )
    crop = pixels[top:bottom, left:right]
    columns = np.flatnonzero((crop < 128).any(axis=0))
    rows = np.flatnonzero((crop < 128).any(axis=1))
    middle = int(rows[0] + 0.55 * (rows[-1] - rows[0]))
    for row in (middle - 4, middle + 4):
        crop[row - 1 : row + 2, max(columns[0] - 8, 0) : columns[-1] + 8] = 20
    Image.fromarray(crop).save(tmp_path / "crossed.png")
    assert app.run(["read", str(tmp_path / "crossed.png"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["ink"], row["sure"]) == ("crossed", False)


def test_read_names_a_file_that_is_no_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text.png"
    path.write_text("no picture", encoding="utf-8")
    assert app.run(["read", str(path)]) == 3
    assert "text.png" in capsys.readouterr().err


def test_weights_that_do_not_load_leave_the_work_to_tesseract_and_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.cli import options

    def broken() -> None:
        raise EngineError(
            "The handwriting network cannot be used: cut short.", "Install Otbor again."
        )

    monkeypatch.setattr(handwriting, "check", broken)
    used = options.reader_to_use("", asked=False)
    assert used in ("tesseract", "none")
    assert "cut short" in capsys.readouterr().err
    with pytest.raises(Exception, match="cut short"):
        options.reader_to_use("handwriting", asked=True)


def test_two_readers_of_which_one_is_missing_leave_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from scanner.readers import tesseract
    from service.cli import options

    monkeypatch.setattr(tesseract, "available", lambda: False)
    assert options.reader_to_use("both", asked=False) == "handwriting"
    assert "Our network reads alone" in capsys.readouterr().err
    with pytest.raises(EngineError, match="Tesseract"):
        options.reader_to_use("both", asked=True)
    monkeypatch.setattr(tesseract, "available", lambda: True)
    assert options.reader_to_use("both", asked=True) == "both"
