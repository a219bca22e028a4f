"""Guards against a power cut: what was acknowledged is there after a restart, and nothing is there twice."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event as Flag
from typing import Any

import httpx
import pytest
from web_event import PIN, client, filled_event

from service import accounts, rulings
from service.accounts import Role
from service.event import Event

JURORS = ("anna", "boris")
PATIENCE_SECONDS = 60.0
BEFORE_THE_KILL = 5


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with filled_event(tmp_path) as event:
        for name in JURORS:
            accounts.add_account(event, name, Role.JUROR, PIN)
        return event.folder


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The event, served as an organizer does, in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = [sys.executable, "-c", "from service.cli.app import main; main()"]
    process = subprocess.Popen(
        [*program, "serve", str(folder), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OTBOR_LANG": "en"},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address)
        yield address, process
    finally:
        process.kill()
        process.wait(PATIENCE_SECONDS)


def _wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with suppress(httpx.TransportError):
            if httpx.get(f"{address}/sign-in").status_code == 200:
                return
        Flag().wait(0.05)
    pytest.fail("the server does not start")


def _signed_in(address: str, name: str) -> httpx.Client:
    browser = httpx.Client(base_url=address, timeout=PATIENCE_SECONDS)
    reply = browser.post("/sign-in", data={"name": name, "pin": PIN})
    assert reply.status_code == 303, reply.text
    return browser


def _confirmation(browser: httpx.Client, place: str) -> dict[str, Any]:
    wall = browser.get(f"/api/wall/{place}").json()
    pages = [entry["page"] for entry in (*wall["written"], *wall["blanks"])]
    browser.post(f"/api/wall/{place}/seen", json={"pages": pages}).raise_for_status()
    return {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}


def test_a_kill_in_mid_ruling_loses_nothing_and_doubles_nothing(folder: Path) -> None:
    with Event(folder) as event:
        every = [f"{q.theme}/{q.nominal}" for q in event.key().questions()]
    acknowledged: dict[str, str] = {}
    unanswered: dict[str, tuple[str, dict[str, Any]]] = {}
    enough = Flag()

    def judge(name: str, places: list[str], address: str) -> None:
        with suppress(httpx.TransportError), closing(_signed_in(address, name)) as browser:
            for place in places:
                body = _confirmation(browser, place)
                unanswered[place] = (name, body)
                reply = browser.post(f"/api/wall/{place}/confirm", json=body)
                acknowledged[place] = reply.json()["batch"]
                del unanswered[place]
                if len(acknowledged) >= BEFORE_THE_KILL:
                    enough.set()

    with _served(folder) as (address, process), ThreadPoolExecutor(len(JURORS)) as pool:
        halves = [every[at :: len(JURORS)] for at in range(len(JURORS))]
        working = [
            pool.submit(judge, name, places, address)
            for name, places in zip(JURORS, halves, strict=True)
        ]
        for one in working:
            one.add_done_callback(lambda _done: enough.set())
        assert enough.wait(PATIENCE_SECONDS)
        process.send_signal(signal.SIGKILL)
        for one in working:
            one.result(PATIENCE_SECONDS)
    assert BEFORE_THE_KILL <= len(acknowledged) < len(every)  # killed in the middle, not at the end

    with Event(folder) as event:
        batches = Counter(entry.batch for entry in rulings.history(event))
        assert {batches[batch] for batch in acknowledged.values()} == {5}
        # A confirmation is there as a whole or not at all.
        assert set(batches.values()) == {5}
        assert len(batches) - len(acknowledged) <= len(unanswered)

    # The tablets send again what was not answered.
    with Event(folder) as event:
        for place, (name, body) in unanswered.items():
            browser = client(event, None)
            browser.post("/sign-in", data={"name": name, "pin": PIN})
            browser.post(f"/api/wall/{place}/confirm", json=body)
        rows = Counter((entry.sheet, entry.box) for entry in rulings.history(event))
    assert set(rows.values()) == {1}
    assert len(rows) == 5 * len({*acknowledged, *unanswered})
