"""Guards the desk's work on the command line: what the browser can do must be possible without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from small_event import make_event, page, pdf, words
from spoiled import marks, without_marks

from service import watch
from service.cli import app, desk_commands
from service.event import Event


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.setenv("OTBOR_READER", "none")
    monkeypatch.setenv("OTBOR_WORKERS", "1")


def _run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert app.run([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_a_page_is_turned_marked_and_put_away_without_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_event(tmp_path).folder
    turned = without_marks(page(3)).transpose(Image.Transpose.ROTATE_180)
    scans = pdf(tmp_path / "s.pdf", [page(1), without_marks(page(2, words((1, 10)))), turned])
    _run(capsys, "scan", folder, scans)
    points = [f"{x:.3f},{y:.3f}" for x, y in marks()]
    said = _run(capsys, "corners", folder, "s.pdf#2", *points, "--json")
    assert json.loads(said) == {"page": "s.pdf#2", "outcome": "sheet", "sheet": "2"}
    assert "s.pdf#3: sheet — sheet 3" in _run(capsys, "turn", folder, "s.pdf#3", 180)
    # Taken back, the page is what it was, and can be put away.
    assert "unknown" in _run(capsys, "turn", folder, "s.pdf#3", 0)
    _run(capsys, "set-aside", folder, "s.pdf#3", "--why", "the player went home")
    assert "× s.pdf#3: unknown — set aside" in _run(capsys, "pages", folder)
    pages = json.loads(_run(capsys, "pages", folder, "--json"))["pages"]
    assert [(entry["needs_person"], entry["aside"]) for entry in pages][2] == (False, True)
    _run(capsys, "set-aside", folder, "s.pdf#3", "--back")
    assert "! s.pdf#3" in _run(capsys, "pages", folder)


def test_a_folder_is_watched_without_a_browser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_commands, "SECONDS", 0.0)
    assert watch.SECONDS > 0
    folder = make_event(tmp_path).folder
    scans = tmp_path / "scans"
    scans.mkdir()
    file = pdf(scans / "s.pdf", [page(1), page(2)])
    (scans / "half.pdf").write_bytes(file.read_bytes()[:5000])
    said = _run(capsys, "watch", folder, scans, "--once")
    assert "s.pdf: sheet: 2" in said
    assert "half.pdf" not in said
    assert "s.pdf has been taken in already" in _run(capsys, "watch", folder, scans, "--once")
    with Event(folder) as event:
        assert len(list((event.folder / "originals").iterdir())) == 1
