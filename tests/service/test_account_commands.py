"""Guards against an organizer without a browser: the same for people by the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from small_event import make_event
from web_event import client

from service import accounts, invitations, kept_from
from service.accounts import Role
from service.cli import app
from service.event import Event
from service.invitations import State

ADDRESS = "http://192.168.1.5:8300"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.setenv("COLUMNS", "200")
    with make_event(tmp_path) as event:
        accounts.add_account(event, "Анна", Role.JUROR)
        accounts.add_account(event, "Пётр", Role.ORGANIZER)
        yield event.folder


def _json(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capsys.readouterr()
    assert app.run(["account", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def _says(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> str:
    capsys.readouterr()
    assert app.run(["account", *map(str, arguments)]) == status
    told = capsys.readouterr()
    return told.err if status else told.out


def test_people_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added = _json(capsys, "add", folder, "Борис", "--role", "desk")
    assert added["role"] == "desk"
    with Event(folder) as event:
        accounts.sign_in(event, "Борис", added["pin"])
    assert _json(capsys, "role", folder, "борис", "chief") == {"name": "Борис", "role": "chief"}
    rows = {row["name"]: row for row in _json(capsys, "list", folder)}
    assert list(rows) == ["Анна", "Пётр", "Борис"]
    assert (rows["Борис"]["role"], rows["Борис"]["here"]) == ("chief", True)
    assert len(rows["Борис"]["sessions"]) == 1
    assert _json(capsys, "end-sessions", folder, "Борис")["ended"] == 1
    given = _json(capsys, "pin", folder, "Борис")["pin"]
    with Event(folder) as event:
        token = accounts.sign_in(event, "Борис", given)
        assert _json(capsys, "lock", folder, "Борис")["ended"] == 1
        assert accounts.session(event, token) is None
    assert "locked out" in _says(capsys, "list", folder)
    assert "may sign in again" in _says(capsys, "unlock", folder, "Борис")
    assert "only organizer" in _says(capsys, "lock", folder, "Пётр", status=7)
    assert "no account" in _says(capsys, "pin", folder, "Никто", status=6)


def test_whom_a_juror_does_not_judge(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = _json(capsys, "keep-from", folder, "анна", "--player", 3, "--school", "школа № 1")
    assert kept == {
        "account": "Анна",
        "players": [3],
        "schools": ["школа № 1"],
        "covers": [1, 2, 3],
    }
    assert "школа № 1" in _says(capsys, "list", folder)
    said = _says(capsys, "let-judge", folder, "Анна", "--player", 3)
    assert "does not judge 2 players" in said
    assert "Ёжиков Ёж" in said
    assert "judges everybody" in _says(capsys, "let-judge", folder, "Анна", "--school", "школа № 1")
    assert "no player 99" in _says(capsys, "keep-from", folder, "Анна", "--player", 99, status=6)
    assert "Nobody is named" in _says(capsys, "keep-from", folder, "Анна", status=7)
    with Event(folder) as event:
        assert kept_from.lists(event) == {}


def test_invitations_with_slips(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slips = tmp_path / "slips.pdf"
    made = _json(
        capsys,
        "invite",
        folder,
        "--count",
        9,
        "--pdf",
        slips,
        "--address",
        ADDRESS,
        "--wifi",
        "Hall",
    )
    assert made["file"] == str(slips)
    document = pdfium.PdfDocument(slips)
    assert len(document) == 2
    text = "".join(page.get_textpage().get_text_range() for page in document)
    assert "член жюри" in text  # in the event's language, not the organizer's
    links = [one["link"] for one in made["invitations"]]
    assert all(link.rpartition("/")[2] in text for link in links)
    with Event(folder) as event:
        assert client(event, None).get(links[0].removeprefix(ADDRESS)).status_code == 200
    numbers = [one["id"] for one in _json(capsys, "invitations", folder)]
    assert len(numbers) == 9
    assert _json(capsys, "withdraw", folder, numbers[0])["state"] == "withdrawn"
    assert "withdrawn" in _says(capsys, "withdraw", folder, numbers[0], status=7)
    listed = _says(capsys, "invitations", folder)
    assert listed.count("open until") == 8
    assert not any(link.rpartition("/")[2] in listed for link in links)


def test_named_invitations_are_said_with_their_links(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("invite", folder, "--role", "desk", "--name", "Вера", "--name", "Глеб")
    said = _says(capsys, *arguments, "--address", "127.0.0.1:8300")
    assert "Вера  http://127.0.0.1:8300/invited/" in said
    assert "work here only" in said
    assert "an invitation already" in _says(capsys, *arguments, "--address", ADDRESS, status=7)
    assert "not an address" in _says(capsys, "invite", folder, "--address", "x/y", status=7)


def test_slips_that_cannot_be_written_leave_no_unknown_links(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    arguments = ("invite", folder, "--address", ADDRESS, "--pdf", tmp_path / "file" / "slips.pdf")
    assert "cannot be written" in _says(capsys, *arguments, status=3)
    with Event(folder) as event:
        assert [one.state for one in invitations.listed(event)] == [State.WITHDRAWN]
