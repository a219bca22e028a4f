"""The whole job on the sample event, as `make demo` runs it: by the product's own commands.

Nobody sits at the desk and no jury looks at walls here: a script says whose the spare sheets are and
rules from the truth that the generator wrote. That is said on the screen. Everything else is what an
organizer would run.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from otbor import i18n
from otbor.errors import InputFileError, OtborError
from otbor.i18n import gettext as _
from samples.generate import FINAL_CATEGORY, SAMPLE_CODE, GeneratedSample, generate
from scanner.contracts import Ink, Outcome
from scoring.model import Verdict
from service import answers, intake, results
from service.cli.app import run
from service.cli.speech import out, print_error
from service.event import Event
from service.wording import outcome_name

# Only a folder with this file in it is ours to empty.
MARK = "otbor-demo.txt"
SCRIPTED = "scripted jury"
SERVE_PORT = 8300


def demo(folder: Path, *, hand: str = "fonts", seed: int = 1, reader: str = "") -> bool:
    """Run the whole job into a folder.

    Args:
        folder: Made if missing; what an earlier demo left there is replaced.
        hand: `fonts` or `real`.
        seed: Of the generator.
        reader: Name of a reader; the setting's if empty.

    Returns:
        True if every score equals the truth.

    Raises:
        OtborError: A step failed.
    """
    _fresh(folder)
    event_folder, scans = folder / "event", folder / "scans"
    out.rule(_("Otbor on an invented event"))
    out.print(
        _(
            "Nobody is at the desk here: a script, who knows the truth, plays the jury and the desk. "
            "All other steps are the commands that an organizer runs."
        ),
        style="italic",
    )
    sample_files = _near(Path(__file__).parent / "event")
    _step(["new", str(event_folder), "--from", str(sample_files), "--code", SAMPLE_CODE])
    _step(["blanks", str(event_folder)])
    out.print(
        "\n" + _("The players write, the scanner scans (the generator's part)…"), style="bold"
    )
    started = time.monotonic()
    with Event(event_folder) as event:
        sample = generate(
            scans, event_code=event.info.code, geometry=event.geometry, seed=seed, hand=hand
        )
    out.print(
        _("{pages} pages in {files} files, {seconds:.0f} s.").format(
            pages=len(sample.pages), files=len(sample.files), seconds=time.monotonic() - started
        )
    )
    scan = ["scan", str(event_folder), *(str(path) for path in sample.files)]
    _step(scan + (["--reader", reader] if reader else []), shown=[*scan[:2], f"{scans}/*"])
    _desk(event_folder, sample)
    _step(["rule", str(event_folder), "--from", str(sample.rulings), "--who", SCRIPTED])
    _final(event_folder, sample, reader)
    _step(["report", str(event_folder), "--out", str(folder)])
    with Event(event_folder) as event:
        summary = summarize(event, sample)
    _print_summary(summary)
    out.print(
        _("Look into {folder}: standings.pdf, protocol.pdf, standings.xlsx, standings.csv;").format(
            folder=folder
        ),
        markup=False,
    )
    out.print(
        _("the blanks in {blanks}, the scans in {scans}.").format(
            blanks=event_folder / "print", scans=scans
        ),
        markup=False,
    )
    return summary.equal == summary.players


@dataclass(frozen=True, slots=True)
class Summary:
    """What came out, beside the truth.

    `lost` counts answers taken for blanks, `phantom` blanks taken for answers; `right`, `wrong` and
    `open` how many suggestions on written answers agree with the truth, contradict it, or say nothing;
    `equal` players' scores of `players` are the true ones; `misplaced` pages ended otherwise than the
    generator meant.
    """

    outcomes: dict[Outcome, int]
    misplaced: int
    boxes: int
    written: int
    blank: int
    lost: int
    phantom: int
    right: int
    wrong: int
    open: int
    players: int
    equal: int


def summarize(event: Event, sample: GeneratedSample) -> Summary:
    """Compare an event with the truth it was generated from."""
    records = {(r.file, r.number): r for _file, r in intake.page_records(event)}
    truth_pages = _rows(sample.page_table)
    misplaced = sum(
        (found := records.get((row["file"], int(row["page"])))) is None
        # The scripted desk has given the unknown page its sheet by now.
        or (found.outcome.value != row["outcome"] and row["outcome"] != Outcome.UNKNOWN.value)
        or (row["outcome"] != Outcome.UNKNOWN.value and found.sheet != row["sheet"])
        for row in truth_pages
    )
    boxes = {
        (row["sheet"], int(row["theme"]), int(row["nominal"])): row for row in _rows(sample.truth)
    }
    counts: Counter[str] = Counter()
    for answer in answers.all_answers(event):
        row = boxes[answer.sheet, answer.theme, answer.nominal]
        nothing = row["kind"] == "blank"
        written = answer.ink is Ink.WRITTEN
        counts["written" if written else "blank"] += 1
        # Dashes and crossed-out text may count as either; only these two are errors.
        counts["phantom"] += nothing and written
        counts["lost"] += row["verdict"] != Verdict.BLANK.value and not written
        if written and row["verdict"] != Verdict.BLANK.value:
            guess = answer.suggestion.verdict
            counts["open" if guess is None else str(guess.value == row["verdict"])] += 1
    true_scores = {int(row["player"]): int(row["score"]) for row in _rows(sample.scores)}
    standings = results.event_standings(event)
    scores = {row.player.number: row.score for part in standings.categories for row in part.rows}
    return Summary(
        outcomes=Counter(record.outcome for record in records.values()),
        misplaced=misplaced,
        boxes=counts["written"] + counts["blank"],
        written=counts["written"],
        blank=counts["blank"],
        lost=counts["lost"],
        phantom=counts["phantom"],
        right=counts["True"],
        wrong=counts["False"],
        open=counts["open"],
        players=len(true_scores),
        equal=sum(scores.get(player) == score for player, score in true_scores.items()),
    )


def _fresh(folder: Path) -> None:
    """An empty place for the demo; only what an earlier demo made is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / MARK
    theirs = [name for name in ("event", "scans") if (folder / name).exists()]
    if theirs and not mark.exists():
        raise InputFileError(
            _("{folder} holds “{name}”, which is no earlier demo's.").format(
                folder=folder, name=theirs[0]
            ),
            _("Choose another folder: make demo OUT=…"),
        )
    mark.write_text("Otbor's demo may empty the folders event and scans beside this file.\n")
    for name in theirs:
        shutil.rmtree(folder / name)


def _step(arguments: list[str], shown: list[str] | None = None) -> None:
    """Run one command of the product, showing it as one would type it."""
    out.print()
    words = " ".join(shown) if shown else shlex.join(arguments)
    out.print(f"$ otbor {words}", style="bold", markup=False, soft_wrap=True)
    language = i18n.language()
    status = run(["--lang", language, *arguments])
    if status:
        raise SystemExit(status)


def _near(path: Path) -> Path:
    """The path as one would type it from here."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _desk(event_folder: Path, sample: GeneratedSample) -> None:
    """What a person at the desk does: spare sheets to players, a name for the page without a code."""
    for row in _rows(sample.spares):
        _step(["assign", str(event_folder), row["sheet"], "--player", row["player"]])
    for row in _rows(sample.page_table):
        if row["outcome"] == Outcome.UNKNOWN.value and row["sheet"]:
            page = f"{row['file']}#{row['page']}"
            _step(["assign", str(event_folder), page, "--sheet", row["sheet"]])


def _final(event_folder: Path, sample: GeneratedSample, reader: str) -> None:
    """Scan the final of one category; its stakes and answers are left to who looks around."""
    if sample.final is None:
        return
    scan = ["scan", str(event_folder), str(sample.final)]
    _step(scan + (["--reader", reader] if reader else []))
    _step(["final", str(event_folder), "--category", FINAL_CATEGORY])
    out.print(
        _(
            "The final is left to you: “Final” in the browser, or otbor final {event} --from {table}"
        ).format(event=event_folder, table=sample.finals),
        markup=False,
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def _print_summary(summary: Summary) -> None:
    table = Table(title=_("What came out, against the truth"), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for outcome, count in sorted(summary.outcomes.items(), key=lambda item: -item[1]):
        table.add_row(_("Pages: {outcome}").format(outcome=outcome_name(outcome)), str(count))
    table.add_row(_("Pages that ended otherwise than they should"), str(summary.misplaced))
    table.add_section()
    table.add_row(_("Boxes"), str(summary.boxes))
    table.add_row(_("Answers"), str(summary.written))
    table.add_row(_("Blank"), str(summary.blank))
    table.add_row(_("Answers taken for blanks"), str(summary.lost))
    table.add_row(_("Blanks taken for answers"), str(summary.phantom))
    table.add_section()
    table.add_row(_("Suggestions that agree with the truth"), str(summary.right))
    table.add_row(_("Suggestions that contradict it"), str(summary.wrong))
    table.add_row(_("Answers without a suggestion"), str(summary.open))
    table.add_section()
    table.add_row(
        _("Scores equal to the truth"), f"{summary.equal} / {summary.players}", style="bold"
    )
    out.print()
    out.print(table)


def main() -> int:
    """`python -m samples.demo`."""
    i18n.set_language(i18n.detect())
    parser = argparse.ArgumentParser(prog="python -m samples.demo")
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--hand", choices=("fonts", "real"), default="fonts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", default="")
    parser.add_argument("--serve", action="store_true")
    arguments = parser.parse_args()
    try:
        equal = demo(
            arguments.out, hand=arguments.hand, seed=arguments.seed, reader=arguments.reader
        )
    except OtborError as error:
        print_error(error, as_json=False)
        return error.exit_status
    if arguments.serve and equal:
        return run(
            [
                "--lang",
                i18n.language(),
                "serve",
                str(arguments.out / "event"),
                "--port",
                str(SERVE_PORT),
            ]
        )
    out.print(
        _("To look around in the jury's room: make demo SERVE=1, or otbor serve {path}").format(
            path=arguments.out / "event"
        ),
        markup=False,
    )
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
