"""Figures of the jury's room: `make bench-jury` prints them and writes out/bench-jury.json.

A server of its own (`otbor serve`, on 127.0.0.1) holds an event of 300 sheets. Six jurors at once open walls
and confirm them, each on a thread of this process; both processes share the machine. They do it twice: with
about a second's look at each wall, ten times as fast as people, and with no pause at all. How busy the
machine was meanwhile is said with the figures.
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
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil

sys.path.insert(0, str(Path(__file__).with_name("support")))

from grown_event import PIN, grown_event

SHEETS = 300
JURORS = 6
OPEN_TARGET_MS = 300.0
RULE_TARGET_MS = 50.0
# Pictures that a screen shows before the juror scrolls.
FIRST_PICTURES = 24
LOOK_S = 1.0
START_S = 60.0
SETTLE_S = 20.0


class Juror:
    """One signed-in connection, with the milliseconds of what it asked."""

    def __init__(self, port: int, name: str) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.sizes: list[tuple[int, int]] = []
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
        begin = time.perf_counter()
        self._connection.request(method, path, data, headers)
        reply = self._connection.getresponse()
        raw = reply.read()
        self.times[what].append((time.perf_counter() - begin) * 1000)
        assert reply.status == 200, (reply.status, raw[:300])
        packed = reply.getheader("content-encoding") == "gzip"
        return (gzip.decompress(raw) if packed else raw), len(raw)

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
    before, begin = sum(server.cpu_times()[:2]), time.perf_counter()
    with ThreadPoolExecutor(JURORS) as pool:
        list(pool.map(lambda pair: pair[0].work(pair[1], look), zip(jurors, shares, strict=True)))
    spent = sum(server.cpu_times()[:2]) - before
    times: dict[str, list[float]] = defaultdict(list)
    for juror in jurors:
        for what, some in juror.times.items():
            times[what] += some
    sizes = [size for juror in jurors for size in juror.sizes]
    return {
        "look_s": look,
        "seconds": round(time.perf_counter() - begin, 1),
        "server_cpu_s": round(spent, 1),
        "requests": sum(map(len, times.values())),
        **{what: measured(some) for what, some in sorted(times.items())},
        "bytes_per_wall": round(statistics.mean(size for size, _ in sizes)),
        "bytes_per_wall_sent": round(statistics.mean(wire for _, wire in sizes)),
    }


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
            # In a hall the server is up before the jurors come, and has grouped the walls by then.
            time.sleep(SETTLE_S)
            process = psutil.Process(server.pid)
            rounds = {
                "six jurors, a second for each wall": one_round(port, process, places, LOOK_S),
                "six jurors without a pause": one_round(port, process, places, 0.0),
            }
        finally:
            server.terminate()
            server.wait(20)
    figures = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load_average": [round(load, 1) for load in os.getloadavg()],
        "sheets": given.sheets,
        "jurors": JURORS,
        "targets": {"opening_p95_ms": OPEN_TARGET_MS, "ruling_p95_ms": RULE_TARGET_MS},
        "rounds": rounds,
    }
    given.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(figures, ensure_ascii=False, indent=2)
    (given.out / "bench-jury.json").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
