"""Figures, measured: `make bench` prints them and writes out/bench.json.

Speed and memory are taken of the real command in a process of its own, as an organizer runs it, on a PDF
of 300 dpi grey pages. Memory is that of the command and all its workers together.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parent / "support"))

from corner_error import corner_errors

from otbor import i18n
from samples.demo import summarize
from samples.generate import SAMPLE_CODE, generate
from samples.pile import pile
from service import intake
from service.event import Event, Source

SAMPLE_FILES = Path(__file__).parents[1] / "samples" / "event"
TARGET_RATE = 400
WATCH_S = 0.05


@dataclass(frozen=True)
class Run:
    """One scan by the command line."""

    pages: int
    seconds: float
    rate: float
    peak_mb: float
    worker_mb: float


def scan_run(folder: Path, pdf: Path, reader: str) -> Run:
    """Make an event, scan a PDF into it with `otbor scan`, and watch time and memory."""
    event_folder = folder / f"event-{pdf.stem}-{reader}"
    Event.create(event_folder, Source.of_folder(SAMPLE_FILES), code=SAMPLE_CODE).close()
    command = [str(Path(sys.executable).with_name("otbor")), "scan", str(event_folder), str(pdf)]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--reader", reader, "--json"], stdout=subprocess.PIPE, text=True
    )
    peak = Peak(process.pid)
    output, _nothing = process.communicate()
    seconds = time.perf_counter() - started
    peak.stop()
    assert process.returncode == 0, output
    pages = len(json.loads(output)["pages"])
    shutil.rmtree(event_folder)
    return Run(
        pages, round(seconds, 2), round(pages / seconds * 60), round(peak.mb), round(peak.worker_mb)
    )


class Peak:
    """The largest memory of a process and its children together, and of one child (unique pages)."""

    def __init__(self, pid: int) -> None:
        self.mb = 0.0
        self.worker_mb = 0.0
        self._process = psutil.Process(pid)
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(WATCH_S):
            total = 0
            try:
                everyone = [self._process, *self._process.children(recursive=True)]
            except psutil.Error:
                break
            for process in everyone:
                try:
                    own = process.memory_full_info().uss
                except psutil.Error:
                    continue
                total += own
                if process.pid != self._process.pid:
                    self.worker_mb = max(self.worker_mb, own / 1e6)
            self.mb = max(self.mb, total / 1e6)

    def stop(self) -> None:
        """No more measuring."""
        self._done.set()
        self._thread.join()


def sample_errors(folder: Path, hand: str) -> dict[str, float]:
    """Blank and written boxes told wrongly on the sample event, in both directions."""
    event_folder = folder / f"sample-{hand}"
    with Event.create(event_folder, Source.of_folder(SAMPLE_FILES), code=SAMPLE_CODE) as event:
        event.print_spares(20)
        sample = generate(folder / f"scans-{hand}", event_code=SAMPLE_CODE, hand=hand)
        intake.take_in(event, sample.files, reader="none")
        summary = summarize(event, sample)
    blanks = summary.blank + summary.phantom - summary.lost
    return {
        "boxes": summary.boxes,
        "answers_taken_for_blank": summary.lost,
        "blanks_taken_for_answers": summary.phantom,
        "blanks_taken_for_answers_per_1000": round(1000 * summary.phantom / max(blanks, 1), 2),
        "pages_that_ended_otherwise_than_meant": summary.misplaced,
    }


def corners() -> dict[str, dict[str, float]]:
    """Distance of box corners from where they were printed, mm."""
    cases = {
        "300 dpi, flat": {"dpi": 300, "skew": 1.5, "noise": 6.0},
        "200 dpi, flat": {"dpi": 200, "skew": -2.0, "noise": 6.0, "scale": 0.97},
        "150 dpi, flat": {"dpi": 150, "skew": 3.0, "noise": 6.0, "scale": 1.02},
        "300 dpi, crumpled by 0.5 mm": {"dpi": 300, "skew": 1.0, "noise": 6.0, "crumple": 0.5},
        "300 dpi, three fiducials": {"dpi": 300, "skew": 1.0, "noise": 6.0, "destroyed": (2,)},
    }
    figures = {}
    for name, options in cases.items():
        errors = np.concatenate([corner_errors(seed=seed, **options) for seed in range(4)])
        figures[name] = {
            "mean": round(float(errors.mean()), 3),
            "p99": round(float(np.percentile(errors, 99)), 3),
            "max": round(float(errors.max()), 3),
        }
    return figures


def machine() -> dict[str, object]:
    """What this was measured on."""
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def main() -> int:
    """Measure, print, write."""
    i18n.set_language("en")
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--pages", type=int, default=500, help="of the long run")
    parser.add_argument("--hands", nargs="*", default=["fonts"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="otbor-bench-") as name:
        folder = Path(name)
        short, medium, long = folder / "20.pdf", folder / "100.pdf", folder / "long.pdf"
        pile(short, pages=20, distinct=20)
        pile(medium, pages=100, distinct=20)
        pile(long, pages=arguments.pages, distinct=20)
        runs = {
            "20 pages, no reader": scan_run(folder, short, "none"),
            f"{arguments.pages} pages, no reader": scan_run(folder, long, "none"),
            "100 pages, handwriting": scan_run(folder, medium, "handwriting"),
            "100 pages, Tesseract": scan_run(folder, medium, "tesseract"),
        }
        figures = {
            "machine": machine(),
            "scan": {label: asdict(run) for label, run in runs.items()},
            "sample": {hand: sample_errors(folder, hand) for hand in arguments.hands},
            "corner_error_mm": corners(),
        }
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / "bench.json"
    path.write_text(json.dumps(figures, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    show(figures, arguments.pages)
    sys.stdout.write(f"\n{path}\n")
    return 0


def show(figures: dict[str, dict], pages: int) -> None:  # type: ignore[type-arg]
    """Print the figures as lines."""
    write = sys.stdout.write
    for label, run in figures["scan"].items():
        write(
            f"{label}: {run['rate']} pages a minute, peak memory {run['peak_mb']} MB,"
            f" of one worker {run['worker_mb']} MB\n"
        )
    rate = figures["scan"][f"{pages} pages, no reader"]["rate"]
    write(
        f"target {TARGET_RATE} pages a minute: {'reached' if rate >= TARGET_RATE else 'missed'}\n"
    )
    for hand, errors in figures["sample"].items():
        for name, value in errors.items():
            write(f"sample event ({hand}), {name.replace('_', ' ')}: {value}\n")
    for name, errors in figures["corner_error_mm"].items():
        write(
            f"corner error, {name}: mean {errors['mean']}, p99 {errors['p99']}, max {errors['max']} mm\n"
        )


if __name__ == "__main__":
    sys.exit(main())
