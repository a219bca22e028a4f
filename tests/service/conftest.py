"""What most tests of the service start from; a module with an event of its own defines `event` itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from appeal_event import HANDED_IN, publish, ruled_event
from final_event import SHEETS, before_the_final, scan_finals
from moved_clock import Clock
from starlette.testclient import TestClient
from web_event import client, filled_event

from service.accounts import Role
from service.event import Event


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    """Five scanned sheets, read without a mistake; see `web_event.WRITTEN`."""
    with filled_event(tmp_path) as made:
        yield made


@pytest.fixture
def juror(event: Event) -> TestClient:
    return client(event)


@pytest.fixture
def chief(event: Event) -> TestClient:
    return client(event, Role.CHIEF)


@pytest.fixture
def organizer(event: Event) -> TestClient:
    return client(event, Role.ORGANIZER)


@pytest.fixture
def appeal_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which appeals are filed and entries of the journal made."""
    made = Clock(HANDED_IN)
    monkeypatch.setattr("service.appeals.clock", made)
    monkeypatch.setattr("service.journal.time.time", made)
    return made


@pytest.fixture
def posted_event(tmp_path: Path, appeal_clock: Clock) -> Iterator[Event]:
    """All of it ruled on and published, the clock standing."""
    with ruled_event(tmp_path) as made:
        publish(made)
        yield made


@pytest.fixture(scope="session")
def final_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The event of `scanned_final`, scanned once for all."""
    folder = tmp_path_factory.mktemp("final")
    with before_the_final(folder) as made:
        scan_finals(made, SHEETS)
    return folder / "event"


@pytest.fixture
def scanned_final(final_folder: Path, tmp_path: Path) -> Iterator[Event]:
    """All sums and the final sheets of `final_event.SHEETS`; nothing of the final is entered."""
    shutil.copytree(final_folder, tmp_path / "event")
    with Event(tmp_path / "event") as made:
        yield made
