"""What a jury's work costs in three hands: part of `make bench-jury`, written into out/bench-jury.json.

The sample event grown to 300 sheets is generated, scanned and read; then a juror who knows the truth works
the real page in Chromium, with as few key presses and clicks as it can be done. After the last wall the
ledger is compared with the truth.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).with_name("support")))
sys.path.insert(0, str(Path(__file__).parents[1]))

from chromium import ARGUMENTS, CHROMIUM
from scripted_juror import Effort, ScriptedJuror

from samples.generate import SAMPLE_CODE, STROKES_FILE, GeneratedSample, generate
from scanner.contracts import Ink
from scoring.model import Verdict
from service import answers, intake, sheets
from service.accounts import Role, add_account
from service.event import Event, Source
from tests.bench_groups import Texts, group_figures
from tests.bench_jury import free_port, measured, wait_for
from tests.bench_labels import label_figures

SHEETS = 300
PIN = "271828"
HANDS = ("fonts", "real", "mixed")
TARGETS = {"fonts": 20, "real": 40, "mixed": 40}
# A person's screen in the hall.
VIEWPORT = {"width": 1280, "height": 720}

Truth = dict[tuple[int, int], dict[str, str]]


def prepared(folder: Path, hand: str, count: int) -> tuple[Event, Truth, Texts, dict[str, Any]]:
    """The event with all sheets scanned and read, what is true of it, what was written, how it was read."""
    sample = generate(
        folder / "scans", event_code=SAMPLE_CODE, hand=hand, sheets=count, extras=False
    )
    event = Event.create(folder / "event", Source.of_folder(sample.event), code=SAMPLE_CODE)
    spares = [row["sheet"] for row in _rows(sample.spares)]
    event.print_spares(len(spares))
    begin = time.monotonic()
    intake.take_in(event, list(sample.files))
    seconds = time.monotonic() - begin
    for row in _rows(sample.spares):
        sheets.give_spare(event, row["sheet"], int(row["player"]))
    add_account(event, "juror", Role.JUROR, PIN)
    truth, figures = _compared(event, sample)
    texts = _texts(sample)
    figures["groups"] = group_figures(event, texts)
    figures["scan_seconds"] = round(seconds, 1)
    return event, truth, texts, figures


def _compared(event: Event, sample: GeneratedSample) -> tuple[Truth, dict[str, Any]]:
    truth: Truth = defaultdict(dict)
    kinds: dict[tuple[str, int, int], str] = {}
    for row in _rows(sample.truth):
        place = (int(row["theme"]), int(row["nominal"]))
        truth[place][row["sheet"]] = row["verdict"]
        kinds[row["sheet"], *place] = row["kind"]
    counts: Counter[str] = Counter()
    ink: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers.all_answers(event):
        place = (answer.theme, answer.nominal)
        verdict = truth[place][answer.sheet]
        ink[kinds[answer.sheet, *place]][answer.ink.value] += 1
        counts["boxes"] += 1
        if answer.ink is not Ink.WRITTEN:
            counts["lost"] += verdict != Verdict.BLANK.value
            continue
        counts["written"] += 1
        if verdict == Verdict.BLANK.value:
            counts["phantom"] += 1
        elif answer.suggestion.verdict is None:
            counts["suggested_nothing"] += 1
        else:
            counts["agrees" if answer.suggestion.verdict.value == verdict else "contradicts"] += 1
    figures = {**counts, "ink_by_kind": {kind: dict(found) for kind, found in sorted(ink.items())}}
    return dict(truth), figures


def _texts(sample: GeneratedSample) -> Texts:
    return {
        (row["sheet"], int(row["theme"]), int(row["nominal"])): row["text"]
        for row in _rows(sample.truth)
    }


def one_hand(folder: Path, hand: str, count: int) -> dict[str, Any]:
    """Prepare an event in one hand, let the juror work, compare."""
    event, truth, texts, reading = prepared(folder, hand, count)
    with event:
        walls = len(list(event.key().questions()))
        port = free_port()
        command = [Path(sys.executable).with_name("otbor"), "serve", event.folder]
        server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL)
        try:
            wait_for(port, server)
            effort = _worked(f"http://127.0.0.1:{port}", truth, walls)
        finally:
            server.terminate()
            server.wait(20)
        left = _errors_left(event, truth)
        exported = label_figures(event, texts)
    actions = sum(effort.actions.values())
    return {
        "sheets": count,
        "reading": reading,
        "written": effort.written,
        "actions": dict(effort.actions),
        "actions_per_1000_written": round(1000 * actions / max(effort.written, 1), 1),
        "target_per_1000": TARGETS[hand],
        "scrolls": effort.scrolls,
        "seconds": round(effort.seconds),
        "bytes_per_wall_data": round(effort.data_bytes / walls),
        "bytes_per_wall_pictures": round(effort.picture_bytes / walls),
        "opening_in_the_browser": measured(effort.opening_ms),
        "ruling_in_the_browser": measured(effort.ruling_ms),
        "errors_left": left,
        "texts_of_crops_export": exported,
    }


def _worked(address: str, truth: Truth, walls: int) -> Effort:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(viewport=VIEWPORT, locale="ru-RU")  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{address}/sign-in")
        page.fill("#name", "juror")
        page.fill("#pin", PIN)
        page.press("#pin", "Enter")
        page.wait_for_url(f"{address}/")
        effort = ScriptedJuror(page, address, truth).work(walls)
        browser.close()
    return effort


def _errors_left(event: Event, truth: Truth) -> dict[str, int]:
    """Answers whose ruling is not the true one, and answers that nobody ruled on."""
    wrong = missing = 0
    for answer in answers.all_answers(event):
        verdict = truth[answer.theme, answer.nominal][answer.sheet]
        missing += answer.ruling is None
        wrong += answer.ruling is not None and answer.ruling.value != verdict
    return {"wrong": wrong, "not_ruled": missing}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def main() -> int:
    """Measure, print, write beside what is there already."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--sheets", type=int, default=SHEETS)
    parser.add_argument("--hands", nargs="+", choices=HANDS, default=list(HANDS))
    parser.add_argument("--keep", type=Path, help="keep the events in this folder")
    given = parser.parse_args()
    hands: dict[str, Any] = {}
    for hand in given.hands:
        if hand != "fonts" and not STROKES_FILE.exists():
            hands[hand] = "left out: the recordings of real writers are not here"
            continue
        with tempfile.TemporaryDirectory() as folder:
            where = (given.keep / hand) if given.keep else Path(folder)
            where.mkdir(parents=True, exist_ok=True)
            hands[hand] = one_hand(where, hand, given.sheets)
        print(hand, json.dumps(hands[hand], ensure_ascii=False, indent=2), flush=True)
    done = [found for found in hands.values() if isinstance(found, dict)]
    if done:
        mean = statistics.mean(found["actions_per_1000_written"] for found in done)
        print(f"mean of the hands: {mean:.1f} actions per 1,000 written answers")
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "bench-jury.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known["hands"] = {**known.get("hands", {}), **hands}
    path.write_text(json.dumps(known, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
