"""A filled event for tests of the web application, and a client that is signed in to it.

Scanning takes a second, so it is done once a test run; every test gets a copy of the folder.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image
from small_event import Answers, make_event, page, pdf, scan
from sqlalchemy import update
from starlette.testclient import TestClient

from jury.boxes import BoxVerdict
from scoring.model import Verdict
from service import accounts, rulings
from service.accounts import Role
from service.event import Event
from service.store import tables
from service.web.app import create_app

PIN = "271828"
# What the sheets 1 to 5 hold; all other boxes are blank.
WRITTEN: dict[int, Answers] = {
    1: {(1, 10): "ответ 110", (1, 20): "мимо"},
    2: {(1, 10): "мимо", (1, 20): "ответ 120"},
    3: {(1, 10): "ответ 110"},
    4: {(1, 10): "что-то", (2, 50): "ответ 250"},
    5: {},
}


def filled_event(folder: Path) -> Event:
    """An event with five scanned sheets, read without a mistake, and one account of each role."""
    shutil.copytree(_template(), folder / "event")
    return Event(folder / "event")


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="otbor-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with make_event(folder) as event:
        sheets = [page(number, texts) for number, texts in WRITTEN.items()]
        scan(event, pdf(folder / "scan.pdf", [*sheets, Image.new("L", (1240, 1754), 240)]))
        for number, texts in WRITTEN.items():
            for (theme, nominal), text in texts.items():
                read_as(event, str(number), f"t{theme}r{nominal // 10}", text)
        for role in Role:
            accounts.add_account(event, role.value, role, PIN)
    return folder / "event"


def read_as(event: Event, sheet: str, box: str, text: str) -> None:
    """Pretend that a reader made this of a box."""
    with event.database.writing() as connection:
        pages = tables.page.select().where(tables.page.c.sheet == sheet)
        ids = [row.id for row in connection.execute(pages)]
        connection.execute(
            update(tables.box)
            .where(tables.box.c.page_id.in_(ids), tables.box.c.key == box)
            .values(text=text, confidence=0.9)
        )
        # As when a page is read again: what is kept in memory goes by it.
        connection.execute(
            update(tables.page)
            .where(tables.page.c.id.in_(ids))
            .values(attempts=tables.page.c.attempts + 1)
        )


def rule(event: Event, who: str, *lines: tuple[str, str, Verdict]) -> None:
    """Enter rulings directly."""
    given = [BoxVerdict(sheet, box, verdict) for sheet, box, verdict in lines]
    rulings.enter(event, given, who, origin=given[0].box)


def client(event: Event, role: Role | None = Role.JUROR, **options: object) -> TestClient:
    """A browser, signed in as the account of a role (None: not signed in). It speaks English."""
    options.setdefault("base_url", "http://testserver")
    made = TestClient(create_app(event), follow_redirects=False, **options)  # type: ignore[arg-type]
    made.headers["accept-language"] = "en"
    if role is not None:
        answer = made.post("/sign-in", data={"name": role.value, "pin": PIN})
        assert answer.status_code == 303, answer.text
    return made


def look(browser: TestClient, place: str = "1/10") -> dict[str, Any]:
    """Open a wall and look at every answer on it, as the page reports it."""
    answer = browser.get(f"/api/wall/{place}")
    assert answer.status_code == 200, answer.text
    wall = dict(answer.json())
    pages = [entry["page"] for entry in (*wall["written"], *wall["blanks"])]
    assert browser.post(f"/api/wall/{place}/seen", json={"pages": pages}).status_code == 200
    return wall
