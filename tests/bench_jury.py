"""Figures of the jury's room: `make bench-jury` prints them and writes out/bench-jury.json.

A server of its own (`otbor serve`, on 127.0.0.1) holds an event of 300 sheets. Six jurors at once open walls
and confirm them, each on a thread of this process, and listen to what changes as their pages do; both
processes share the machine. They do it twice: with about a second's look at each wall, ten times as fast as
people, and with no pause at all. What the clients themselves took of the processor, and how busy the machine
was, is said with the figures.

A juror alone tells what does not depend on that: the server's processor time for each request, and for how
long a ruling holds the writer's lock.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import platform
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil
from sqlalchemy import event as database_events
from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).with_name("support")))

from grown_event import PIN, grown_event

from service.event import Event
from service.web.app import create_app

SHEETS = 300
JURORS = 6
OPEN_TARGET_MS = 300.0
RULE_TARGET_MS = 50.0
# Pictures that a screen shows before the juror scrolls.
FIRST_PICTURES = 24
LOOK_S = 1.0
# Walls of the juror who works alone.
ALONE = 20
START_S = 60.0
# In a hall the server is up long before the jurors come, and has grouped the walls by then.
SETTLE_S = 20.0
MOST_SETTLE_S = 180.0
IDLE_S = 3.0
IDLE_SHARE = 0.05


class Juror:
    """One signed-in connection, with the milliseconds of what it asked.

    Given the server's clock, `spent` are the milliseconds of the processor meanwhile.
    """

    def __init__(self, port: int, name: str, clock: Callable[[], float] | None = None) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.spent: dict[str, list[float]] = defaultdict(list)
        self.sizes: list[tuple[int, int]] = []
        self._clock = clock
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.connect()
        # As browsers do; else a request of two writes waits 40 ms for an acknowledgement.
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        form = urlencode({"name": name, "pin": PIN}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        self._connection.request("POST", "/sign-in", form, kind)
        reply = self._connection.getresponse()
        reply.read()
        assert reply.status == 303, reply.status
        self._cookie = str(reply.getheader("set-cookie")).split(";")[0]

    def ask(self, what: str, method: str, path: str, body: Any = None) -> tuple[bytes, int]:
        """Ask the server and note how long it took; returns the data and its size on the wire."""
        headers = {"Cookie": self._cookie, "Accept-Encoding": "gzip"}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        spent = self._clock() if self._clock else 0.0
        begin = time.perf_counter()
        self._connection.request(method, path, data, headers)
        reply = self._connection.getresponse()
        raw = reply.read()
        self.times[what].append((time.perf_counter() - begin) * 1000)
        if self._clock:
            self.spent[what].append((self._clock() - spent) * 1000)
        assert reply.status == 200, (reply.status, raw[:300])
        packed = reply.getheader("content-encoding") == "gzip"
        return (gzip.decompress(raw) if packed else raw), len(raw)

    def listen(self, port: int) -> http.client.HTTPResponse:
        """The stream of what changes, as the wall's page keeps it open."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/api/events", headers={"Cookie": self._cookie})
        return connection.getresponse()

    def work(self, places: list[tuple[int, int]], look: float) -> None:
        """Open walls, look at each, confirm it; then change one answer on it and confirm again."""
        # People do not press in step.
        chance = random.Random(repr(places))
        for theme, nominal in places:
            wall = self._open(theme, nominal)
            pictures = [entry["crop"] for entry in wall["written"][:FIRST_PICTURES]]
            for picture in pictures:
                self.ask("picture", "GET", picture)
            time.sleep(look * chance.uniform(0.5, 1.5))
            entries = [*wall["written"], *wall["blanks"]]
            pages = {"pages": [entry["page"] for entry in entries]}
            self.ask("reporting what was seen", "POST", f"/api/wall/{theme}/{nominal}/seen", pages)
            if wall["written"][0]["ruling"]:
                # A wall confirmed as it stands is no ruling: now everything is the other way round.
                every = {entry["sheet"] for entry in wall["written"]}
                wall["marks"]["flipped"] = sorted(every ^ set(wall["marks"]["flipped"]))
            self._confirm(wall, "ruling on a wall")
            wall = self._open(theme, nominal)
            time.sleep(look * chance.uniform(0.5, 1.5))
            sheet = wall["written"][0]["sheet"]
            wall["marks"]["flipped"] = sorted({sheet} ^ set(wall["marks"]["flipped"]))
            self._confirm(wall, "ruling on one answer")

    def _open(self, theme: int, nominal: int) -> dict[str, Any]:
        self.ask("claiming", "POST", f"/api/wall/{theme}/{nominal}/claim", {})
        data, wire = self.ask("opening", "GET", f"/api/wall/{theme}/{nominal}")
        self.sizes.append((len(data), wire))
        return dict(json.loads(data))

    def _confirm(self, wall: dict[str, Any], what: str) -> None:
        body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
        path = f"/api/wall/{wall['theme']}/{wall['nominal']}/confirm"
        self.ask(what, "POST", path, body)


def measured(times: list[float]) -> dict[str, float]:
    """Median, 95th percentile and worst of some milliseconds."""
    ordered = sorted(times)
    return {
        "count": len(ordered),
        "p50_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[max(0, -(-len(ordered) * 95 // 100) - 1)], 1),
        "worst_ms": round(ordered[-1], 1),
    }


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers.

    Raises:
        RuntimeError: It has ended, or takes too long.
    """
    until = time.monotonic() + START_S
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


def one_round(port: int, server: psutil.Process, places: list[Any], look: float) -> dict[str, Any]:
    """All jurors at once, each with its share of the questions."""
    jurors = [Juror(port, f"juror {number}") for number in range(1, JURORS + 1)]
    shares = [places[at::JURORS] for at in range(JURORS)]
    for juror in jurors:
        threading.Thread(target=drain, args=(juror.listen(port),), daemon=True).start()
    before, begin, own = sum(server.cpu_times()[:2]), time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(JURORS) as pool:
        list(pool.map(lambda pair: pair[0].work(pair[1], look), zip(jurors, shares, strict=True)))
    spent = sum(server.cpu_times()[:2]) - before
    own = time.process_time() - own
    times: dict[str, list[float]] = defaultdict(list)
    for juror in jurors:
        for what, some in juror.times.items():
            times[what] += some
    sizes = [size for juror in jurors for size in juror.sizes]
    return {
        "look_s": look,
        "seconds": round(time.perf_counter() - begin, 1),
        "server_cpu_s": round(spent, 1),
        "clients_cpu_s": round(own, 1),
        "requests": sum(map(len, times.values())),
        **{what: measured(some) for what, some in sorted(times.items())},
        "bytes_per_wall": round(statistics.mean(size for size, _ in sizes)),
        "bytes_per_wall_sent": round(statistics.mean(wire for _, wire in sizes)),
    }


def drain(stream: http.client.HTTPResponse) -> None:
    """Take what comes, until the server ends."""
    with suppress(OSError, ValueError, http.client.HTTPException):
        while stream.readline():
            pass


def settle(server: psutil.Process) -> float:
    """Wait until the server has nothing to do; returns the seconds."""
    begin = time.monotonic()
    spent = IDLE_S
    while time.monotonic() - begin < MOST_SETTLE_S:
        if time.monotonic() - begin > SETTLE_S and spent < IDLE_S * IDLE_SHARE:
            break
        before = sum(server.cpu_times()[:2])
        time.sleep(IDLE_S)
        spent = sum(server.cpu_times()[:2]) - before
    return round(time.monotonic() - begin)


def alone(port: int, server: psutil.Process, places: list[Any]) -> dict[str, float]:
    """What each request costs the server when one juror works: median of processor milliseconds."""
    # Linux counts every process's time in nanoseconds; what psutil reads are hundredths of a second.
    number = (~server.pid << 3) | 2
    juror = Juror(port, "juror 1", lambda: time.clock_gettime(number))
    juror.work(places, 0.0)
    return {what: round(statistics.median(some), 1) for what, some in sorted(juror.spent.items())}


def lock_held(folder: Path, places: list[Any]) -> dict[str, dict[str, float]]:
    """For how long one juror's rulings hold the writer's lock: by the clock, and of the processor alone."""
    held: list[tuple[float, float]] = []
    begun: list[tuple[float, float]] = []
    figures: dict[str, dict[str, float]] = {}
    with Event(folder) as event:

        def locked(connection: Any) -> None:
            if connection.get_execution_options().get("writing", False):
                begun.append((time.perf_counter(), time.thread_time()))

        def let_go(*_connection: Any) -> None:
            if begun:
                clock, processor = begun.pop()
                held.append((time.perf_counter() - clock, time.thread_time() - processor))

        browser = TestClient(create_app(event), follow_redirects=False)
        browser.post("/sign-in", data={"name": "juror 1", "pin": PIN})
        database_events.listen(event.database.engine, "begin", locked)
        database_events.listen(event.database.engine, "checkin", let_go)
        for what in ("ruling on a wall", "ruling on one answer"):
            found: list[tuple[float, float]] = []
            for theme, nominal in places:
                path = f"/api/wall/{theme}/{nominal}"
                wall = browser.get(path).json()
                shown = [*wall["written"], *wall["blanks"]]
                browser.post(f"{path}/seen", json={"pages": [one["page"] for one in shown]})
                changed = {one["sheet"] for one in wall["written"]}
                if what == "ruling on one answer":
                    changed = {wall["written"][0]["sheet"]}
                wall["marks"]["flipped"] = sorted(changed ^ set(wall["marks"]["flipped"]))
                held.clear()
                body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
                assert browser.post(f"{path}/confirm", json=body).status_code == 200
                found += held
            figures[what] = {
                f"{name}_ms": round(statistics.median(some) * 1000, 1)
                for name, some in zip(("clock", "cpu"), zip(*found, strict=True), strict=True)
            }
    return figures


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--sheets", type=int, default=SHEETS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with grown_event(Path(folder), given.sheets, JURORS) as event:
            places = [(question.theme, question.nominal) for question in event.key().questions()]
            where = event.folder
        port = free_port()
        command = [Path(sys.executable).with_name("otbor"), "serve", where]
        server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL)
        try:
            wait_for(port, server)
            process = psutil.Process(server.pid)
            settled = settle(process)
            rounds = {
                "six jurors, a second for each wall": one_round(port, process, places, LOOK_S),
                "six jurors without a pause": one_round(port, process, places, 0.0),
            }
            load = os.getloadavg()
            processor = alone(port, process, places[:ALONE])
        finally:
            server.terminate()
            server.wait(20)
        held = lock_held(where, places[:ALONE])
    figures = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load_average": [round(each, 1) for each in load],
        "settled_s": settled,
        "sheets": given.sheets,
        "jurors": JURORS,
        "targets": {"opening_p95_ms": OPEN_TARGET_MS, "ruling_p95_ms": RULE_TARGET_MS},
        "rounds": rounds,
        "one juror alone": {"server_cpu_ms": processor, "writers_lock_held": held},
    }
    given.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, ensure_ascii=False, indent=2)
    (given.out / "bench-jury.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
