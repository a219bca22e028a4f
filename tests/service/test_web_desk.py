"""Guards the desk in the browser: who may act, that each action does what it says, that no file is lost."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from small_event import make_event, page, pdf, scan, words
from spoiled import marks, without_codes, without_marks
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient
from web_event import PIN, client, filled_event

from scanner.contracts import Outcome
from scanner.geometry import SheetKind
from scanner.pages import count_pages
from scoring.model import Verdict
from service import accounts, answers, desk_queue, intake, rulings, sheets
from service.accounts import Role
from service.event import Event
from service.executors import SerialExecutor
from service.inbox import FOLDER, Inbox, JobState, fitting_name
from service.settings import settings
from service.web.app import STATIC


class Here:
    """Small work done in this process: another one costs seconds."""

    def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return work(*arguments)

    def count(self, path: Path) -> int:
        return count_pages(path)

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def without_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTBOR_READER", "none")
    settings.cache_clear()
    yield
    settings.cache_clear()


def inbox_for(event: Event) -> Inbox:
    return Inbox(event, Here(), factory=SerialExecutor, reader="none")  # type: ignore[arg-type]


def sit_down(event: Event, role: Role = Role.DESK) -> TestClient:
    browser = client(event, role)
    browser.app.state.small = Here()  # type: ignore[attr-defined]
    browser.app.state.inbox = inbox_for(event)  # type: ignore[attr-defined]
    return browser


def _item(browser: TestClient, need: str) -> dict[str, Any]:
    [found] = [item for item in browser.get("/api/desk").json()["items"] if item["need"] == need]
    return dict(browser.get(f"/api/desk/page/{found['id']}").json())


def _post(browser: TestClient, path: str, status: int = 200, **body: object) -> dict[str, Any]:
    answer = browser.post(f"/api/desk/{path}", json=body)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """A page of every need: without code, without marks, a spare, a duplicate that differs."""
    shutil.copytree(_template(), tmp_path / "event")
    with Event(tmp_path / "event") as made:
        yield made


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="otbor-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with make_event(folder) as made:
        made.print_spares(2)
        pages = [
            page(1, words((1, 10))),
            page(1, words((1, 10), (2, 20)), blur=0.6),
            without_codes(page(2, words((3, 30)))),
            without_marks(page(3, words((4, 40)))).transpose(Image.Transpose.ROTATE_180),
            page(1, words((5, 50)), kind=SheetKind.SPARE),
        ]
        scan(made, pdf(folder / "pile.pdf", pages))
        for role in (Role.DESK, Role.JUROR, Role.ORGANIZER, Role.CHIEF):
            accounts.add_account(made, role.value, role, PIN)
    return folder / "event"


def _written(event: Event) -> set[tuple[str, int, int]]:
    return {(a.sheet, a.theme, a.nominal) for a in answers.all_answers(event) if a.ink == "written"}


# --- who may, and what is seen --------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.JUROR, Role.CHIEF])
def test_the_desk_is_closed_to_those_who_judge(event: Event, role: Role) -> None:
    """Whole pages bear names, and who judges must not say whose a sheet is."""
    browser = client(event, role)
    assert "/desk" not in browser.get("/").text
    page_id = desk_queue.waiting(event)[0].page_id
    for path in (
        "/desk",
        "/api/desk",
        "/api/desk/players?q=1",
        f"/api/desk/page/{page_id}",
        f"/api/desk/page/{page_id}/picture",
        f"/api/desk/page/{page_id}/crop/t1r1",
    ):
        assert browser.get(path).status_code == 403, path
    for path, body in (
        (f"page/{page_id}/name", {"sheet": "2"}),
        (f"page/{page_id}/owner", {"player": 2}),
        (f"page/{page_id}/place", {"turn": 90}),
        (f"page/{page_id}/choose", {}),
        (f"page/{page_id}/aside", {}),
        ("undo", {"entry": 1}),
    ):
        _post(browser, path, 403, **body)
    assert browser.post("/api/desk/files?name=a.pdf", content=b"x").status_code == 403
    assert not (event.folder / FOLDER).exists()
    assert len(desk_queue.waiting(event)) == 4


def test_every_page_that_waits_is_listed_with_what_it_needs(event: Event) -> None:
    browser = sit_down(event)
    items = browser.get("/api/desk").json()["items"]
    assert [item["need"] for item in items] == ["name", "owner", "place", "choose"]
    assert browser.get("/api/waiting").json()["desk"] == 4
    for item in items:
        detail = browser.get(f"/api/desk/page/{item['id']}").json()
        assert detail["why"]
        assert "otbor" not in detail["why"]  # nobody at the desk has a command line
        picture = browser.get(f"/api/desk/page/{item['id']}/picture?turn={detail['turn']}&side=500")
        assert picture.headers["content-type"] == "image/jpeg"
    assert browser.get("/api/desk/page/999").status_code == 404
    assert browser.get("/api/desk/page/999/picture").status_code == 404


def test_the_search_finds_players_while_somebody_types(event: Event) -> None:
    browser = sit_down(event)

    def found(typed: str) -> list[int]:
        return [
            player["number"]
            for player in browser.get("/api/desk/players", params={"q": typed}).json()
        ]

    assert found("ежик") == [1]
    assert found("водкин") == [2]
    assert found("004") == [4]
    assert found("иванов школа 2") == [3]
    assert found(" ") == []
    assert browser.get("/api/desk/players?q=1").json()[0]["has"] == "1"


# --- the actions ----------------------------------------------------------------------------------


def test_a_page_without_a_code_gets_its_sheet_and_loses_it_again(event: Event) -> None:
    browser = sit_down(event)
    item = _item(browser, "name")
    assert browser.get(f"/api/desk/page/{item['id']}/crop/t3r3").status_code == 200
    _post(browser, f"page/{item['id']}/name", 404, sheet="77")
    _post(browser, f"page/{item['id']}/name", sheet="2")
    assert ("2", 3, 30) in _written(event)
    # Somebody else at the desk still has it on the screen.
    assert browser.get(f"/api/desk/page/{item['id']}").status_code == 404
    _post(browser, f"page/{item['id']}/name", 409, sheet="4")
    [entry] = browser.get("/api/desk").json()["done"]
    assert entry["who"] == "desk"
    assert entry["undo"]
    _post(browser, "undo", entry=entry["id"])
    assert ("2", 3, 30) not in _written(event)
    _post(browser, "undo", 409, entry=entry["id"])


def test_a_spare_sheet_gets_its_player(event: Event) -> None:
    browser = sit_down(event)
    item = _item(browser, "owner")
    # Nobody has written into the number's cells, so there is nothing to look at.
    assert not item["number_box"]
    _post(browser, f"page/{item['id']}/owner", 404, player=77)
    _post(browser, f"page/{item['id']}/owner", player=5)
    assert sheets.player_sheets(event)[5] == "S1"
    assert browser.get("/api/waiting").json()["desk"] == 3


def test_marked_corners_read_a_page_and_say_so_in_its_pictures_address(event: Event) -> None:
    """A browser keeps pictures for good: new crops under the old address would never be seen."""
    browser = sit_down(event)
    item = _item(browser, "place")
    _post(browser, f"page/{item['id']}/place", 422, corners=[[0, 0], [1, 1], [0, 1], [1, 0]])
    _post(browser, f"page/{item['id']}/place", 422, corners=[[0, 0]])
    _post(
        browser, f"page/{item['id']}/place", 409, corners=[[0, 0], [0.2, 0], [0.2, 0.2], [0, 0.2]]
    )
    assert _item(browser, "place")["id"] == item["id"]
    # The page lies upside down, and so do the marks that a person points at.
    corners = [[1 - x, 1 - y] for x, y in marks(off_mm=1)]
    assert _post(browser, f"page/{item['id']}/place", corners=corners)["read"]
    assert ("3", 4, 40) in _written(event)
    listed = browser.get("/pages").text
    version = re.findall(rf"/api/page/{item['id']}\?v=(\w+)", listed)[0]
    assert version != item["version"]
    [entry] = browser.get("/api/desk").json()["done"]
    _post(browser, "undo", entry=entry["id"])
    assert _item(browser, "place")["id"] == item["id"]


def test_choosing_a_scan_warns_of_rulings_and_shows_what_differs(
    event: Event, tmp_path: Path
) -> None:
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n1;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    browser = sit_down(event)
    item = _item(browser, "choose")
    assert item["rulings"] == 1
    assert [(pair["name"], pair["differs"]) for pair in item["pairs"]] == [
        ("2–20", True),
        ("1–10", False),
    ]
    for side in (item["rival"]["id"], item["id"]):
        assert browser.get(f"/api/desk/page/{side}/crop/t2r2").status_code == 200
    _post(browser, f"page/{item['id']}/choose")
    assert ("1", 2, 20) in _written(event)
    assert rulings.current(event) == {}
    [entry] = browser.get("/api/desk").json()["done"]
    _post(browser, "undo", entry=entry["id"])
    assert ("1", 2, 20) not in _written(event)


def test_keeping_the_first_scan_leaves_its_rulings(event: Event, tmp_path: Path) -> None:
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n1;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    browser = sit_down(event)
    item = _item(browser, "choose")
    _post(browser, f"page/{item['id']}/aside")
    assert rulings.current(event) == {("1", "t1r1"): Verdict.RIGHT}
    state = browser.get("/api/desk").json()
    assert [entry["id"] for entry in state["aside"]] == [item["id"]]
    _post(browser, f"page/{item['id']}/aside", aside=False)
    assert _item(browser, "choose")["id"] == item["id"]


# --- files ----------------------------------------------------------------------------------------


def _send(browser: TestClient, name: str, data: bytes, status: int = 200) -> dict[str, Any]:
    answer = browser.post("/api/desk/files", params={"name": name}, content=data)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def _finished(browser: TestClient) -> list[dict[str, Any]]:
    assert browser.app.state.inbox.wait(60)  # type: ignore[attr-defined]
    return list(browser.get("/api/desk").json()["jobs"])


def test_files_from_the_browser_are_taken_in_and_told(tmp_path: Path) -> None:
    with filled_event(tmp_path) as event:
        browser = sit_down(event, Role.ORGANIZER)
        more = pdf(tmp_path / "more.pdf", [page(1, words((8, 50)), blur=1.0)]).read_bytes()
        _send(browser, "IMG_1.pdf", more)
        _send(browser, "again.pdf", more)
        _send(browser, "letter.txt", b"not a scan")
        _send(browser, "empty.pdf", b"", 400)
        jobs = {job["name"]: job for job in _finished(browser)}
        assert jobs["IMG_1.pdf"]["said"] == "duplicate: 1"
        assert jobs["again.pdf"]["said"] == "was taken in before; nothing changed"
        assert jobs["letter.txt"]["bad"]
        assert "neither a PDF nor a picture" in jobs["letter.txt"]["said"]
        assert "empty.pdf" not in jobs
        records = [record.file for _file, record in intake.page_records(event)]
        assert records.count("IMG_1.pdf") == 1
        originals = [path.read_bytes() for path in (event.folder / "originals").iterdir()]
        assert more in originals
        assert list((event.folder / FOLDER).iterdir()) == []


def test_a_photo_on_which_nothing_is_recognised_is_kept_if_a_person_says_so(
    event: Event, tmp_path: Path
) -> None:
    """A single damaged blank would be dropped as foreign, and nobody could ever mark its corners."""
    browser = sit_down(event)
    photo = tmp_path / "photo.png"
    without_codes(without_marks(page(5, words((6, 50))))).save(photo)
    _send(browser, "photo.png", photo.read_bytes())
    assert _finished(browser)[0]["bad"]
    assert len(browser.get("/api/desk").json()["items"]) == 4
    answer = browser.post("/api/desk/files?name=photo.png&keep=true", content=photo.read_bytes())
    assert answer.status_code == 200
    assert not _finished(browser)[0]["bad"]
    [kept] = [item for item in browser.get("/api/desk").json()["items"] if "photo" in item["file"]]
    assert kept["need"] == "place"
    _post(browser, f"page/{kept['id']}/place", corners=[list(point) for point in marks()])
    _post(browser, f"page/{kept['id']}/name", sheet="5")
    assert ("5", 6, 50) in _written(event)


def test_photos_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Phones call every photo the same; pages are named by their file."""
    with filled_event(tmp_path) as event:
        browser = sit_down(event, Role.ORGANIZER)
        for number in (1, 2):
            path = tmp_path / f"{number}.png"
            page(number, words((8, 50)), blur=1.0).save(path)
            _send(browser, "image.jpg", path.read_bytes())
        names = {job["name"] for job in _finished(browser)}
        assert names == {"image.jpg", "image-2.jpg"}
        assert sheets.find_page(event, "image-2.jpg#1") > 0


def test_a_file_that_is_too_large_is_refused_and_leaves_nothing(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTBOR_UPLOAD", "1")
    settings.cache_clear()
    browser = sit_down(event)
    error = _send(browser, "big.pdf", b"x" * 1_000_001, 413)
    assert "1 MB" in error["message"]

    def pieces() -> Iterator[bytes]:
        # Without a length before it, as a program may send it.
        for _piece in range(20):
            yield b"x" * 100_000

    answer = browser.post("/api/desk/files?name=big.pdf", content=pieces())
    assert answer.status_code == 413
    assert list((event.folder / FOLDER).iterdir()) == []


def test_an_upload_that_is_cut_off_leaves_nothing(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut(_request: object) -> Any:
        yield b"%PDF-1.4 and half of"
        raise ClientDisconnect

    browser = sit_down(event)
    monkeypatch.setattr("starlette.requests.Request.stream", cut)
    _send(browser, "half.pdf", b"whatever", 422)
    assert list((event.folder / FOLDER).iterdir()) == []
    assert browser.get("/api/desk").json()["jobs"] == []


def test_what_a_stopped_server_has_left_is_taken_in_by_the_next(
    event: Event, tmp_path: Path
) -> None:
    """The browser was told that the file has arrived; from then on it must not be lost."""

    class Stopping(SerialExecutor):
        def submit(self, fn: Callable[..., Any], /, *arguments: Any, **more: Any) -> Any:
            future = super().submit(fn, *arguments, **more)
            first._stopping = True  # Ctrl+C while a page is worked on
            return future

    first = Inbox(event, Here(), factory=Stopping, reader="none")  # type: ignore[arg-type]
    file = pdf(tmp_path / "late.pdf", [page(number, blur=0.8) for number in (2, 3, 4, 5)])
    part = first.place()
    part.write_bytes(file.read_bytes())
    first.add_upload(part, "late.pdf", "desk")
    first.close()
    cut = first.place()
    cut.write_bytes(b"half of an upload")
    names = [record.file for _file, record in intake.page_records(event)]
    assert names.count("late.pdf") < 4
    second = inbox_for(event)
    assert second.resume() == 1
    assert second.wait(60)
    [job] = second.jobs()
    assert job.state is JobState.DONE
    records = [record for _file, record in intake.page_records(event) if record.file == "late.pdf"]
    assert [record.outcome for record in records] == [Outcome.SHEET] * 4
    assert list((event.folder / FOLDER).iterdir()) == []
    second.close()


def test_a_fault_of_ours_ends_neither_the_queue_nor_the_file(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in = intake.take_in

    def broken(*_arguments: object, **_more: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(intake, "take_in", broken)
    inbox = inbox_for(event)
    data = pdf(tmp_path / "late.pdf", [page(4)]).read_bytes()
    part = inbox.place()
    part.write_bytes(data)
    inbox.add_upload(part, "late.pdf", "desk")
    assert inbox.wait(60)
    assert inbox.jobs()[0].state is JobState.FAILED
    monkeypatch.setattr(intake, "take_in", take_in)
    after = inbox_for(event)
    assert after.resume() == 1
    assert after.wait(60)
    assert after.jobs()[0].counts[Outcome.SHEET] == 1
    inbox.close()
    after.close()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("scan.pdf", "scan.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\scans\\скан 1.pdf", "скан 1.pdf"),
        ("a<b>:|?*\x00.pdf", "a_b_.pdf"),
        ("..", "scan"),
        ("", "scan"),
        ("ё" * 400 + ".jpeg", "ё" * 115 + ".jpeg"),
    ],
)
def test_names_from_a_browser_fit_every_file_system(given: str, kept: str) -> None:
    assert fitting_name(given) == kept


def test_the_scripts_use_just_the_words_there_are(event: Event) -> None:
    browser = sit_down(event)
    html = browser.get("/desk").text
    shared = json.loads(re.findall(r'id="shared">(.*?)</script>', html, re.DOTALL)[0])
    scripts = "".join(file.read_text(encoding="utf-8") for file in (STATIC / "desk").glob("*.js"))
    used = set(re.findall(r'say\(\s*"(\w+)"', scripts)) | {"done_placed", "done_turned"}
    assert used == set(shared["words"])
