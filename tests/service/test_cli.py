"""Guards against a command line that fails silently, in the wrong language, or with a traceback."""

from __future__ import annotations

import csv
import io
import json
import re
import socket
from pathlib import Path

import pytest
from small_event import make_event, page, pdf, source, words

from service.cli import app
from service.event import Event

COMMANDS = (
    "new",
    "update",
    "blanks",
    "scan",
    "pages",
    "assign",
    "choose",
    "turn",
    "corners",
    "set-aside",
    "watch",
    "rebuild",
    "answers",
    "rule",
    "serve",
    "double",
    "effect",
    "standings",
    "report",
    "final",
    "publish",
    "withdraw",
    "publications",
    "verify",
    "bouts",
    "read",
)
GROUPS = {
    "decide": (
        "remove",
        "nominal",
        "disqualify",
        "out-of-competition",
        "exempt",
        "decline",
        "call",
        "penalty",
        "late",
        "bring",
        "places",
        "tie",
        "shoot-out",
        "lot",
        "list",
        "undo",
    ),
    "key": ("add-form", "list", "undo"),
    "crops": ("export",),
    "regulation": ("list", "show", "explain"),
    "appeal": ("list", "file", "accept", "reject", "undo", "withdraw", "deadline"),
    "account": (
        "add",
        "list",
        "role",
        "pin",
        "lock",
        "unlock",
        "end-sessions",
        "log",
        "keep-from",
        "let-judge",
        "invite",
        "invitations",
        "withdraw",
    ),
}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.setenv("OTBOR_READER", "none")
    monkeypatch.setenv("COLUMNS", "200")


def _json(capsys: pytest.CaptureFixture[str], *arguments: object) -> object:
    capsys.readouterr()
    assert app.run([str(argument) for argument in arguments]) == 0
    return json.loads(capsys.readouterr().out)


def _fails(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    capsys.readouterr()
    status = app.run([str(argument) for argument in arguments])
    return status, capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [[name] for name in COMMANDS] + [[g, name] for g, names in GROUPS.items() for name in names],
)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_command_explains_itself_in_both_languages(
    capsys: pytest.CaptureFixture[str], command: list[str], language: str
) -> None:
    assert app.run(["--lang", language, *command, "--help"]) == 0
    text = capsys.readouterr().out
    cyrillic = re.findall("[а-яё]{3,}", text, re.IGNORECASE)
    if language == "ru":
        assert "Вызов: otbor" in text
        assert not re.search(r"\b(Usage|Options|Arguments|Show this)\b", text)
    else:
        assert "Usage: otbor" in text
        assert not cyrillic


def test_the_list_of_commands_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["--help"]) == 0
    listed = set(re.findall(r"^│ ([a-z-]+)\s", capsys.readouterr().out, re.MULTILINE))
    assert {name for name in listed if name[0] != "-"} == {*COMMANDS, *GROUPS}


@pytest.mark.parametrize("group", GROUPS)
def test_the_list_of_each_group_is_complete(capsys: pytest.CaptureFixture[str], group: str) -> None:
    assert app.run([group, "--help"]) == 0
    listed = set(re.findall(r"^│ ([a-z-]+)\s", capsys.readouterr().out, re.MULTILINE))
    assert {name for name in listed if not name.startswith("-")} == set(GROUPS[group])


def test_an_event_from_start_to_end_without_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, files = tmp_path / "event", source(tmp_path / "source")
    made = _json(capsys, "new", folder, "--from", files, "--json")
    assert (made["players"], made["questions"], made["code"]) == (5, 40, "TEST1")
    printed = _json(capsys, "blanks", folder, "--spares", 2, "--json")["files"]
    assert [Path(name).name for name in printed] == [
        "blanks-personal.pdf",
        "blanks-spare.pdf",
        "blanks-final.pdf",
    ]
    assert all(Path(name).read_bytes().startswith(b"%PDF") for name in printed)
    scans = pdf(tmp_path / "scan.pdf", [page(1, words((1, 10), (1, 20))), page(2)])
    report = _json(capsys, "scan", folder, scans, "--json")
    assert report["counts"]["sheet"] == 2
    assert [entry["sheet"] for entry in report["pages"]] == ["1", "2"]
    rows = _json(capsys, "answers", folder, "--json")
    assert len(rows) == 80
    assert {
        "sheet",
        "player",
        "theme",
        "nominal",
        "ink",
        "text",
        "confidence",
        "suggestion",
        "ruling",
    } <= set(rows[0])
    verdicts = tmp_path / "rulings.csv"
    with verdicts.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["sheet", "theme", "nominal", "verdict"])
        for row in rows:
            verdict = "blank" if row["ink"] == "blank" else "right"
            writer.writerow([row["sheet"], row["theme"], row["nominal"], verdict])
    entered = _json(capsys, "rule", folder, "--from", verdicts, "--json")
    assert entered == {"lines": 80, "entered": 80}
    standings = _json(capsys, "standings", folder, "--json")
    first = standings["categories"][0]["rows"][0]
    assert standings["unconfirmed"] == 0
    assert (first["number"], first["score"], first["place"], first["status"]) == (1, 30, "1", "in")
    results = _json(capsys, "report", folder, "--out", tmp_path / "out", "--json")
    assert sorted(Path(name).name for name in results["files"]) == [
        "protocol.pdf",
        "standings.csv",
        "standings.pdf",
        "standings.xlsx",
    ]


def test_answers_are_csv_without_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = make_event(tmp_path)
    app.run(["scan", str(event.folder), str(pdf(tmp_path / "s.pdf", [page(1, words((1, 10)))]))])
    capsys.readouterr()
    assert app.run(["answers", str(event.folder), "--sheet", "1", "--open"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter=";"))
    assert len(rows) == 40
    assert [row["theme"] for row in rows if row["ink"] == "written"] == ["1"]


def test_the_geometry_can_be_had_as_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    from scanner import geometry

    capsys.readouterr()
    assert app.run(["blanks", "--geometry"]) == 0
    assert geometry.parse(capsys.readouterr().out) == geometry.default()
    boxes = _json(capsys, "blanks", "--geometry", "--json")["personal"]["boxes"]
    assert len(boxes) == 40
    assert all(box["height"] >= 9 for box in boxes)


# --- bad input: one sentence, what to do, a status that is not 0, the event as it was ---------------


def test_bad_input_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = make_event(tmp_path)
    folder = event.folder
    text = tmp_path / "letter.pdf"
    text.write_text("not a PDF")
    cases = [
        ("pages", tmp_path / "nowhere"),
        ("scan", folder, tmp_path / "missing.pdf"),
        ("scan", folder, text),
        ("new", folder, "--from", tmp_path / "source"),
        ("new", tmp_path / "other", "--from", tmp_path / "nowhere"),
        ("rule", folder, "--from", tmp_path / "missing.csv"),
        ("assign", folder, "S1", "--player", 1),
        ("assign", folder, "scan.pdf#1", "--sheet", 1),
        ("choose", folder, "scan.pdf#1"),
        ("turn", folder, "scan.pdf#1", 90),
        ("turn", folder, "scan.pdf#1", 45),
        ("corners", folder, "scan.pdf#1", "0.1,0.1", "0.9,0.1"),
        ("corners", folder, "scan.pdf#1", "0,0", "1,0", "0,1", "1,1"),
        ("set-aside", folder, "scan.pdf#1"),
        ("watch", folder, tmp_path / "nowhere"),
        ("serve", folder, "--watch", tmp_path / "nowhere"),
        ("answers", folder, "--sheet", "999"),
        ("scan", folder, text, "--reader", "psychic"),
        ("update", folder),
        ("report", folder, "--language", "de"),
    ]
    for arguments in cases:
        status, error = _fails(capsys, *arguments)
        assert status not in (0, 1), arguments
        assert "Traceback" not in error
        if arguments[0] != "scan" or "--reader" in arguments:
            assert error.startswith("Error: "), arguments
            assert 2 <= len(error.strip().splitlines()) <= 3, (arguments, error)
    from service import intake, rulings

    assert intake.page_records(event) == []
    assert rulings.history(event) == []


@pytest.mark.parametrize(
    ("arguments", "words_"),
    [
        (["scan"], "EVENT"),
        (["scan", "--nonsense", "x", "y"], "--nonsense"),
        (["frobnicate"], "frobnicate"),
    ],
)
def test_a_wrong_command_line_says_where_help_is(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words_: str
) -> None:
    status, error = _fails(capsys, *arguments)
    assert status == 2
    assert words_ in error
    assert "--help" in error


def test_errors_are_json_where_json_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, error = _fails(capsys, "standings", tmp_path, "--json")
    assert status == 5
    assert set(json.loads(error)) == {"error", "message", "hint"}


def test_a_port_in_use_is_told_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from service import accounts

    event = make_event(tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, error = _fails(capsys, "serve", event.folder, "--port", port)
    assert status == 9
    assert str(port) in error
    assert "--port" in error
    assert accounts.accounts(Event(event.folder)) == []


def test_without_tesseract_the_scan_goes_on_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pytesseract

    monkeypatch.setenv("OTBOR_READER", "tesseract")
    monkeypatch.setattr(pytesseract.pytesseract, "tesseract_cmd", str(tmp_path / "nowhere"))
    from service.settings import settings

    settings.cache_clear()
    event = make_event(tmp_path)
    file = pdf(tmp_path / "s.pdf", [page(1, words((1, 10)))])
    assert app.run(["scan", str(event.folder), str(file)]) == 0
    assert "Tesseract" in capsys.readouterr().err
    # Asked for by name it must be there.
    status, error = _fails(capsys, "scan", event.folder, file, "--reader", "tesseract")
    assert status == 8
    assert "tesseract-ocr-rus" in error
    settings.cache_clear()
