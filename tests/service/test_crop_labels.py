"""Guards against a text for training that is not what stands on the picture.

On 150 generated sheets in real strokes one text in nine was a slip that the jury had let pass, another word
order, or S.O.S. for SOS.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import fontpkg_caveat
import pytest
from PIL import ImageDraw, ImageFont
from rich.console import Console
from small_event import DPI, key_text, make_event, page, pdf, scan
from web_event import rule

from scanner.contracts import Ink
from scanner.geometry import default
from scanner.readers.alphabet import folded
from scoring.model import Question, Verdict
from service import crop_export, crop_labels, intake
from service.answers import Answer
from service.cli import app, progress
from service.crop_labels import Won, read_label
from service.event import Event
from service.executors import SerialExecutor
from training.own_crops import SURE, OwnCrops

RIGHT, WRONG = Verdict.RIGHT, Verdict.WRONG
FONT = next(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf"))
KEY = {
    10: ("Меркурий", [], ["Венера"]),
    20: ("а капелла", ["акапелла"], []),
    30: ("Волга", ["Итиль"], ["Кама"]),
    40: ("Александр Пушкин", ["Пушкин"], []),
}
# Sheet → what stands in the boxes of theme 1, and how it is ruled.
WRITTEN = {
    1: {10: ("Меркурий", RIGHT), 20: ("акапелла", RIGHT), 30: ("Волга", RIGHT)},
    2: {10: ("Венера", WRONG), 20: ("а капелла", RIGHT), 30: ("Кама", WRONG)},
    3: {10: ("Меркурей", RIGHT), 30: ("Тобол", WRONG), 40: ("Пушкин Александр", RIGHT)},
}


def _key() -> str:
    text = key_text()
    for nominal, (answer, accepted, rejected) in KEY.items():
        old = f'answer = "ответ 1{nominal}"\naccepted = []\nrejected = ["мимо"]'
        assert old in text
        quoted = [", ".join(f'"{form}"' for form in forms) for forms in (accepted, rejected)]
        new = f'answer = "{answer}"\naccepted = [{quoted[0]}]\nrejected = [{quoted[1]}]'
        text = text.replace(old, new)
    return text


def _read_event(folder: Path) -> Event:
    """Three sheets written in a handwriting font, read by the network and ruled on."""
    event = make_event(folder)
    file = folder / "new-key.toml"
    file.write_text(_key(), encoding="utf-8")
    event.update(key=file)
    font = ImageFont.truetype(str(FONT), round(7 * DPI / 25.4))
    pages = []
    for number, boxes in WRITTEN.items():
        image = page(number)
        for nominal, (text, _verdict) in boxes.items():
            rect = default().blanks["personal"].box(1, nominal // 10).rect
            at = ((rect.x + 4) * DPI / 25.4, (rect.y + rect.height / 2) * DPI / 25.4)
            ImageDraw.Draw(image).text(at, text, fill=50, font=font, anchor="lm")
        pages.append(image)
    scan(event, pdf(folder / "scan.pdf", pages), reader="handwriting")
    lines = [
        (str(number), f"t1r{nominal // 10}", verdict)
        for number, boxes in WRITTEN.items()
        for nominal, (_text, verdict) in boxes.items()
    ]
    rule(event, "juror", *lines)
    return event


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Event:
    return _read_event(tmp_path_factory.mktemp("read"))


def _truth(event: Event) -> dict[str, str]:
    """What stands on each exported picture, by its name."""
    secret = crop_export.event_secret(event)
    return {
        crop_export._name(secret, answer): WRITTEN[int(answer.sheet)][answer.nominal][0]
        for answer in crop_export.answers.all_answers(event)
        if answer.ruling is not None
    }


def _rows(out: Path) -> list[dict[str, str]]:
    text = (out / "crops.csv").read_text(encoding="utf-8-sig")
    return list(csv.DictReader(text.splitlines(), delimiter=";"))


def test_a_text_that_is_called_sure_is_what_was_written(event: Event, tmp_path: Path) -> None:
    done = crop_export.export(event, tmp_path / "out")
    truth = _truth(event)
    rows = {truth[row["file"]]: row for row in _rows(tmp_path / "out")}
    sure = {text: row["text"] for text, row in rows.items() if row["won"] == Won.READ}
    assert {text: folded(found) for text, found in sure.items()} == {t: folded(t) for t in sure}
    # Words that the network reads in this hand, a right one and a rejected one.
    assert {"Меркурий", "Венера"} <= sure.keys()
    assert (done.pictures, done.sure) == (9, len(sure))
    # Nothing is known of a wrong answer that is no form of the key.
    assert rows["Тобол"]["text"] == ""
    # Spelled with a slip, and with a gap that nobody can see for certain.
    assert not {"Меркурей", "акапелла", "а капелла"} & sure.keys()
    # The other way round than in the key.
    swapped = rows["Пушкин Александр"]["text"]
    assert folded(swapped) in ("", "пушкин александр")


def test_training_learns_from_what_is_exported_and_only_from_sure_texts(
    event: Event, tmp_path: Path
) -> None:
    done = crop_export.export(event, tmp_path / "out")
    own = OwnCrops([tmp_path / "out"])
    truth = _truth(event)
    assert len(own.known) == done.sure
    assert all(folded(truth[path.name]) == folded(text) for path, text in own.known)
    assert set(SURE) == {won.value for won in crop_labels.SURE}


def test_a_rebuild_gives_the_same_names_and_texts(tmp_path: Path) -> None:
    """Who trains from several exports of one event must not get an answer twice under two names."""
    with _read_event(tmp_path) as event:
        crop_export.export(event, tmp_path / "before")
        intake.rebuild(event, reader="handwriting", factory=SerialExecutor)
        crop_export.export(event, tmp_path / "after")
    before, after = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("before", "after")
    )
    assert before == after


def test_what_a_person_has_checked_stays(event: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crop_export.export(event, out)
    slip = next(name for name, text in _truth(event).items() if text == "Меркурей")
    lines = (out / "crops.csv").read_text(encoding="utf-8-sig").splitlines()
    lines = [f"{slip};t1r1;Меркурей;checked;right;written" if slip in x else x for x in lines]
    (out / "crops.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    sure = crop_export.export(event, out).sure
    assert (out / slip, "Меркурей") in OwnCrops([out]).known
    assert len(OwnCrops([out]).known) == sure


def test_the_bar_follows_the_pictures(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    crop_export.export(event, tmp_path / "one", lambda done, of: told.append((done, of)))
    assert told == [(done, 9) for done in range(1, 10)]
    shown = io.StringIO()
    monkeypatch.setattr(progress, "err", Console(file=shown, force_terminal=True, width=100))
    assert app.run(["crops", "export", str(event.folder), str(tmp_path / "two"), "--json"]) == 0
    assert "9/9" in shown.getvalue()


@pytest.mark.parametrize(
    ("form", "accepted", "read"),
    [
        ("SOS", (), "SOS"),  # S.O.S., S O S
        ("5050", (), "5050"),  # 5 050
        ("MCMXC", (), "МСМХС"),  # MCMLX
        ("А. Иванов", (), "а. иванов"),  # А.Иванов
        ("Санкт-Петербург", ("Санкт Петербург",), "Санкт-Петербург"),
        ("Пушкин", (), "Пушкен"),
        ("Пушкин", (), ""),
    ],
)
def test_what_may_look_so_and_be_another_text_is_not_sure(
    form: str, accepted: tuple[str, ...], read: str
) -> None:
    assert read_label(_answer(read), Question(1, 1, 10, form, accepted)).won is Won.NOT


@pytest.mark.parametrize(
    ("form", "read", "text"),
    [
        ("Пушкин", "ПУШКИН", "Пушкин"),
        ("Пётр Великий", "Петр великий", "Пётр Великий"),
        ("1961", "1961", "1961"),
        ("столб[ик]", "столбик", "столбик"),
        ("столб[ик]", "столб", "столб"),
        ("Александр Пушкин", "Пушкин Александр", "пушкин александр"),
    ],
)
def test_a_plain_reading_is_sure(form: str, read: str, text: str) -> None:
    found = read_label(_answer(read), Question(1, 1, 10, form))
    assert found.won is Won.READ
    assert folded(found.text) == folded(text)


def test_a_reading_is_no_text_where_the_jury_ruled_against_it() -> None:
    question = Question(1, 1, 10, "Марс", rejected=("Венера",))
    assert read_label(_answer("Марс", WRONG), question).won is Won.NOT
    assert read_label(_answer("Венера", RIGHT), question).won is Won.NOT
    assert read_label(_answer("Венера", WRONG), question).won is Won.READ


def _answer(text: str, ruling: Verdict = RIGHT) -> Answer:
    nothing = crop_export.answers.suggest(text, 0.9, Ink.WRITTEN, Question(1, 1, 10, "x"))
    return Answer("1", 1, 1, 1, 10, "t1r1", Ink.WRITTEN, True, text, 0.9, nothing, ruling, 1)
