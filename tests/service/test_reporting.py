"""Guards against results that leave the event wrong: another player's picture, a code that is posted, a
file that is half written."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import Image
from small_event import make_event, page, pdf, scan

from jury.boxes import BoxVerdict
from otbor.errors import ConflictError, EventError, InputFileError
from reports.codes import player_code
from reports.fingerprint import Match, verify
from reports.shown_names import Names
from reports.standings_layout import LayoutName
from scoring.model import Verdict
from service import answers, publications, rulings
from service.cli import app
from service.event import Event
from service.own_pages import own_pages
from service.player_codes import FILE, codes, event_secret
from service.reporting import Choice, everything, write_reports
from service.results import event_standings

USUAL = ["standings.pdf", "protocol.pdf", "standings.xlsx", "standings.csv"]


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """Three players scanned; player 1 has two rights and a wrong, player 2 a right, all else is blank."""
    with make_event(tmp_path) as made:
        sheets = [
            page(1, {(1, 10): "один", (2, 20): "два", (3, 30): "три"}),
            page(2, {(1, 10): "другой"}),
            page(4, {}),
        ]
        scan(made, pdf(tmp_path / "pile.pdf", sheets))
        right = {("1", "t1r1"), ("1", "t2r2"), ("2", "t1r1")}
        verdicts = []
        for answer in answers.all_answers(made):
            box = (answer.sheet, answer.box)
            verdict = Verdict.RIGHT if box in right else Verdict.BLANK
            if box == ("1", "t3r3"):
                verdict = Verdict.WRONG
            verdicts.append(BoxVerdict(answer.sheet, answer.box, verdict))
        rulings.enter(made, verdicts, "test", origin="test")
        yield made


def _text(path: Path) -> str:
    return "\n".join(
        each.get_textpage().get_text_bounded() for each in pdfium.PdfDocument(path.read_bytes())
    )


def test_the_usual_files_are_the_usual_ones(event: Event, tmp_path: Path) -> None:
    files = write_reports(event, tmp_path / "out")
    assert [path.name for path in files] == USUAL
    assert not (event.folder / FILE).exists()


def test_each_player_sees_own_pictures(event: Event) -> None:
    result = event_standings(event)
    pages = {own.number: own for own in own_pages(event, result, {1: "abc"})}
    assert set(pages) == {1, 2, 4}
    assert (pages[1].code, pages[2].code) == ("abc", "")
    for number, own in pages.items():
        assert len(own.answers) == 40
        for answer in own.answers:
            box = f"t{answer.theme}r{answer.nominal // 10}"
            assert answer.crop == answers.crop(event, str(number), box)
    marks = {(a.theme, a.nominal): (a.verdict, a.points) for a in pages[1].answers}
    assert marks[1, 10] == (Verdict.RIGHT, 10)
    assert marks[3, 30] == (Verdict.WRONG, -30)
    assert marks[8, 50] == (Verdict.BLANK, 0)


def test_everything_at_once(event: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    link = "https://otbor.example.org/1/"
    files = write_reports(event, out, "ru", everything(out / "site", Names.FULL, link))
    names = {path.relative_to(out).as_posix() for path in files if path.is_relative_to(out)}
    assert names == {
        *USUAL,
        *(f"standings-{name}.pdf" for name in ("landscape", "columns", "large")),
        "players.pdf",
        "statistics.pdf",
        "ties.pdf",
        "protocol-jury.pdf",
        "diplomas.pdf",
        "invitations.pdf",
        "rating-1.csv",
        "rating-2.csv",
        "rating.xlsx",
        "site/index.html",
    }
    assert all(path.stat().st_size for path in files)
    assert not list(out.rglob("*.part"))
    text = _text(out / "players.pdf")
    assert text.count("ваши ответы") == 3
    known = codes(event)
    for number, code in known.items():
        assert (out / "site" / "p" / f"{code}.html").exists() is (number in (1, 2, 4))
    assert _text(out / "diplomas.pdf").count("награждается") == 3


def test_the_codes_are_never_among_what_is_posted(event: Event, tmp_path: Path) -> None:
    folder = tmp_path / "posted"
    write_reports(event, tmp_path / "out", "ru", Choice(site=folder))
    listed = event.folder / "player-codes.csv"
    rows = list(csv.DictReader(listed.read_text("utf-8-sig").splitlines(), delimiter=";"))
    assert len(rows) == 5
    secret = event_secret(event)
    for row in rows:
        code = player_code(secret, int(row["number"]))
        assert row["page"] == f"p/{code}.html"
        for path in folder.rglob("*"):
            if path.is_file() and path.name != f"{code}.html":
                assert code.encode() not in path.read_bytes()
                assert row["code"].encode() not in path.read_bytes()
    assert not (folder / "player-codes.csv").exists()


@pytest.mark.parametrize("where", [".", "..", "../.."])
def test_the_event_itself_is_never_posted(where: str, event: Event, tmp_path: Path) -> None:
    with pytest.raises(ConflictError):
        write_reports(event, tmp_path / "out", choice=Choice(site=event.folder / where))
    assert not (tmp_path / "out").exists()


def test_the_codes_stay_and_a_damaged_secret_is_not_replaced(event: Event) -> None:
    first = codes(event)
    assert codes(event) == first and len(set(first.values())) == 5
    path = event.folder / FILE
    assert len(event_secret(event)) == 32
    path.write_text("abc")
    with pytest.raises(EventError, match=FILE):
        codes(event)
    assert path.read_text() == "abc"


def test_the_publication_is_named_and_found_again(event: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    choice = Choice(site=tmp_path / "site", names=Names.NUMBER)
    write_reports(event, out, "en", choice)
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Draft" in index and "Публикация" not in index
    assert "Publication" not in _text(out / "standings.pdf")
    publications.publish(event, who="chief")
    write_reports(event, out, "en", choice)
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Publication 1" in index and "Draft" not in index
    assert "Ёжиков" not in index and "№ 1" in index
    assert "Publication 1" in _text(out / "standings.pdf")
    found = publications.check_pdf(event, (out / "standings.pdf").read_bytes())
    assert found.match is Match.SAME and found.publication is not None
    assert verify((out / "protocol.pdf").read_bytes(), event_standings(event)).match is Match.NONE


def test_a_posted_protocol_calls_the_players_as_the_publication_does(
    event: Event, tmp_path: Path
) -> None:
    """It once had every child's full name, whatever was set; the jury's own copy still has."""
    out = tmp_path / "out"
    publications.publish(event, who="chief", names=Names.NUMBER)
    write_reports(event, out, "en", Choice(jury=True, invitations=True))
    assert "Ёжиков" not in _text(out / "protocol.pdf") and "№ 1" in _text(out / "protocol.pdf")
    note = "For the organizers, not for posting"
    assert note not in _text(out / "protocol.pdf")
    for name in ("protocol-jury.pdf", "invitations.pdf"):
        assert "Ёжиков" in _text(out / name) and note in _text(out / name)
    # What is said at the command goes before what was published.
    write_reports(event, out, "en", Choice(names=Names.FULL))
    assert "Ёжиков" in _text(out / "protocol.pdf")


def test_a_second_publication_says_what_changed(event: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    publications.publish(event, who="chief")
    write_reports(event, out, "en")
    assert "Changes since" not in _text(out / "standings.pdf")
    rulings.enter(event, [BoxVerdict("1", "t3r3", Verdict.RIGHT)], "appeal", origin="test")
    write_reports(event, out, "en", Choice(site=tmp_path / "site"))
    assert "Changes since" not in _text(out / "standings.pdf")
    publications.publish(event, who="chief")
    write_reports(event, out, "en", Choice(site=tmp_path / "site"))
    first = pdfium.PdfDocument((out / "standings.pdf").read_bytes())[0]
    text = first.get_textpage().get_text_bounded()
    assert "Changes since publication 1" in text and "0 › 60" in text
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Publication 2" in index and "0 → 60" in index


def test_the_same_event_gives_the_same_bytes(event: Event, tmp_path: Path) -> None:
    trees = []
    for name in ("one", "two"):
        out = tmp_path / name
        write_reports(event, out, "ru", everything(out / "site"))
        trees.append(
            {
                path.relative_to(out).as_posix(): path.read_bytes()
                for path in out.rglob("*")
                if path.is_file()
            }
        )
    assert trees[0] == trees[1]


def test_a_picture_that_is_none_leaves_the_older_diplomas(event: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_reports(event, out, choice=Choice(diplomas=True))
    before = (out / "diplomas.pdf").read_bytes()
    wrong = tmp_path / "picture.png"
    wrong.write_bytes(b"no picture")
    for picture in (wrong, tmp_path / "missing.png"):
        with pytest.raises(InputFileError):
            write_reports(event, out, choice=Choice(diplomas=True, picture=picture))
    assert (out / "diplomas.pdf").read_bytes() == before
    assert not list(out.glob("*.part"))
    Image.new("RGB", (297, 210), "lightblue").save(wrong)
    write_reports(event, out, choice=Choice(diplomas=True, picture=wrong))
    assert (out / "diplomas.pdf").read_bytes() != before


def test_no_scans_yet_still_give_all_files(tmp_path: Path) -> None:
    with make_event(tmp_path) as empty:
        out = tmp_path / "out"
        files = write_reports(empty, out, "en", everything(out / "site"))
        assert all(path.stat().st_size for path in files)
        assert "There are no players yet." in _text(out / "players.pdf")


def test_the_command_line_writes_what_is_asked_for(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    folder, out = str(event.folder), str(tmp_path / "out")
    event.close()

    def run(*arguments: str) -> list[str]:
        capsys.readouterr()
        assert app.run(["report", folder, "--out", out, "--json", *arguments]) == 0
        return [Path(path).name for path in json.loads(capsys.readouterr().out)["files"]]

    assert run() == USUAL
    assert run("--layout", "large", "--layout", "columns") == [
        *USUAL,
        "standings-large.pdf",
        "standings-columns.pdf",
    ]
    assert run("--players") == [*USUAL, "players.pdf"]
    assert run("--statistics", "--ties", "--invitations") == [
        *USUAL,
        "statistics.pdf",
        "ties.pdf",
        "invitations.pdf",
    ]
    assert run("--rating") == [*USUAL, "rating-1.csv", "rating-2.csv", "rating.xlsx"]
    assert run("--diplomas") == [*USUAL, "diplomas.pdf"]
    site = str(tmp_path / "site")
    assert run("--site", site, "--names", "initials") == [*USUAL, "index.html", "player-codes.csv"]
    assert "Ёжиков\u00a0Ё." in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert set(run("--all")) >= {"players.pdf", "diplomas.pdf", "index.html"}
    assert (tmp_path / "out" / "site" / "index.html").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--layout", "fancy"], "portrait, landscape, columns, large"),
        (["--names", "none"], "full, initials, number"),
        (["--diplomas", "--picture", "nowhere.png"], "JPEG or PNG"),
    ],
)
def test_a_wrong_choice_is_said_before_anything_is_written(
    arguments: list[str],
    word: str,
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.chdir(tmp_path)
    assert app.run(["report", str(event.folder), "--out", "out", *arguments]) != 0
    assert word in re.sub(r"\s+", " ", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_the_layouts_are_all_offered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for language in ("ru", "en"):
        assert app.run(["--lang", language, "report", "--help"]) == 0
        text = capsys.readouterr().out
        assert "|".join(LayoutName) in text and "|".join(Names) in text
