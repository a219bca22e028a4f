"""Fills and scans the whole sample event: `python -m samples.generate OUT`.

From a seed: a plan of what every player writes, hands that write it into printed blanks, scanners and
phones that make files of them, and the truth beside. The same seed gives the same bytes, whatever the
number of worker processes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from otbor.errors import OtborError
from otbor.i18n import detect, set_language
from otbor.i18n import gettext as _
from reports.blanks import BlankEvent
from samples.event_files import load_event
from samples.finals import TABLE, plan_finals, write_finals
from samples.hands.writers import load_writers
from samples.making import HandKind, MadePage, Workshop, making, pen_of
from samples.pack import FILES, FileSpec, pack
from samples.page import print_blanks
from samples.plan import Plan
from samples.plan_search import plan_sample
from samples.truth import PAGES as PAGES_TABLE
from samples.truth import (
    PLACES,
    RULINGS,
    SCORES,
    SPARES,
    TRUTH,
    PageTruth,
    page_truth,
    write_pages,
    write_plan,
)
from samples.writing import write_event, write_files
from scanner.codes import ALPHABET, EVENT_LENGTH
from scanner.geometry import Geometry, SheetKind, default

PROJECT = Path(__file__).resolve().parents[1]
STROKES_FILE = PROJECT.parent / "shared" / "handwriting" / "measure" / "tablet_strokes.json"
"""Where recordings of real writers lie, if they are there at all; they never come with the product."""

FINAL_CATEGORY = "10–11 классы"
"""Whose final is written and scanned too."""

SAMPLE_CODE = "S0VA1"
"""The event's code in the QR codes when the generator is run by itself."""

Tell = Callable[[int, int], None]
"""Is told how many pages are done, and of how many."""


@dataclass(frozen=True, slots=True)
class GeneratedSample:
    """What was generated.

    Args:
        folder: Where everything lies.
        event: The folder of the event's files (roster, key, regulation), as `otbor new` takes it.
        files: The scans, in the order in which they were handed in.
        pages: How every page must end, in the same order.
        plan: Who wrote what; `plan.scores` are the true scores by player.
        final: The scans of one category's final, not among `files`; None in a sample of another size.
    """

    folder: Path
    event: Path
    files: tuple[Path, ...]
    pages: tuple[PageTruth, ...]
    plan: Plan
    final: Path | None = None

    @property
    def truth(self) -> Path:
        """Every box: `sheet;player;theme;nominal;kind;text;verdict;struck`."""
        return self.folder / TRUTH

    @property
    def page_table(self) -> Path:
        """Every page: `file;page;outcome;sheet;dpi;mode;…`, pages from 1."""
        return self.folder / PAGES_TABLE

    @property
    def places(self) -> Path:
        """Every page's homography and paper corners, JSON."""
        return self.folder / PLACES

    @property
    def scores(self) -> Path:
        """`player;score` of all who wrote."""
        return self.folder / SCORES

    @property
    def rulings(self) -> Path:
        """`sheet;theme;nominal;verdict`, ready for `otbor rule --from`."""
        return self.folder / RULINGS

    @property
    def finals(self) -> Path:
        """`number;stake;verdict` of the final, ready for `otbor final --from`."""
        return self.folder / TABLE

    @property
    def spares(self) -> Path:
        """`sheet;player` of the numbered spare blanks."""
        return self.folder / SPARES


def generate(
    out: Path,
    *,
    event_code: str = SAMPLE_CODE,
    geometry: Geometry | None = None,
    seed: int = 1,
    hand: str = HandKind.FONTS,
    workers: int = 2,
    sheets: int | None = None,
    dpi: int | None = None,
    extras: bool = True,
    piles: Sequence[FileSpec] = FILES,
    strokes_file: Path | None = None,
    tell: Tell | None = None,
) -> GeneratedSample:
    """Generate the sample.

    Args:
        out: A folder; made if missing, files of the same names are replaced.
        event_code: The event's five characters in the QR codes.
        geometry: Of the blanks; the product's own if None.
        seed: The same seed gives the same bytes.
        hand: `fonts`, `real` for the letters of real writers, or `mixed` for both.
        workers: Processes; 1 does all work in this one.
        sheets: How many sheets instead of one for every player present; see `plan_sample`.
        dpi: One resolution for all scanned pages, instead of the mixture.
        extras: With the pages that are no sheets of their own.
        piles: The files to write and how their pages are scanned.
        strokes_file: Recordings of real writers; `STROKES_FILE` if None.
        tell: Is told the progress.

    Raises:
        InputFileError: Real writers are wanted and their recordings are missing or unreadable.
        EngineError: A handwriting font is not installed.
        ValueError: The hand or the event's code is none.
    """
    event = load_event()
    geometry = geometry or default()
    kind = HandKind(hand)
    strokes = strokes_file or STROKES_FILE
    if kind is not HandKind.FONTS:
        load_writers(strokes)  # before anything is written
    plan = plan_sample(event, seed, sheets)
    workshop = Workshop(
        event=replace(event, players=plan.players),
        geometry=geometry,
        plan=plan,
        blanks=print_blanks(event, event_code, geometry, plan.sheets),
        seed=seed,
        hand=kind,
        strokes=None if kind is HandKind.FONTS else strokes,
    )
    dark = [pen_of(seed, sheet.player).dark for sheet in plan.sheets]
    jobs = pack(dark, seed, dpi=dpi, extras=extras, files=piles)
    out.mkdir(parents=True, exist_ok=True)
    with making(workshop, jobs, workers) as pages:
        files, made = write_files(out, _counted(pages, len(jobs), tell))
    write_plan(out, plan)
    write_pages(out, made, plan)
    folder = write_event(out, plan)
    truths = tuple(page_truth(page, plan) for page in made)
    final = _final(out, workshop, event_code) if extras and sheets is None else None
    return GeneratedSample(out, folder, tuple(files), truths, plan, final)


def _final(out: Path, workshop: Workshop, event_code: str) -> Path | None:
    """The final of one category, if the event has a final question."""
    event = workshop.event
    if event.key.final is None:
        return None
    fields = workshop.geometry.blank_of(SheetKind.FINAL).fields
    planned = plan_finals(
        [player for player in event.players if player.category == FINAL_CATEGORY],
        workshop.plan.scores,
        event.key.final,
        workshop.seed,
        max(len(field.cells) for field in fields),
    )
    about = BlankEvent(event_code, event.title, event.place, event.date)
    return write_finals(out, workshop, about, planned)


def _counted(pages: Iterable[MadePage], total: int, tell: Tell | None) -> Iterator[MadePage]:
    for done, page in enumerate(pages, start=1):
        yield page
        if tell is not None:
            tell(done, total)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    set_language(detect())
    options = _parser().parse_args(arguments)
    console = Console(stderr=True)
    try:
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
        ) as progress:
            task = progress.add_task(_("Filling and scanning"), total=None)
            sample = generate(
                options.out,
                event_code=options.event_code,
                seed=options.seed,
                hand=options.hand,
                workers=options.workers,
                sheets=options.sheets,
                dpi=options.dpi,
                strokes_file=options.strokes,
                tell=lambda done, total: progress.update(task, completed=done, total=total),
            )
    except OtborError as error:
        console.print(str(error), style="red", markup=False, highlight=False)
        return error.exit_status
    summary = _("Pages: {pages}, files: {files}. They lie with the truth beside them in {folder}.")
    line = summary.format(pages=len(sample.pages), files=len(sample.files), folder=sample.folder)
    sys.stdout.write(line + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m samples.generate",
        description=_(
            "Fill the blanks of the invented event and scan them, with the truth beside."
        ),
    )
    parser.add_argument("out", type=Path, metavar="OUT", help=_("the folder to write into"))
    parser.add_argument(
        "--seed", type=int, default=1, help=_("the same seed gives the same bytes (%(default)s)")
    )
    parser.add_argument(
        "--hand",
        choices=[str(kind) for kind in HandKind],
        default=str(HandKind.FONTS),
        help=_("handwriting fonts, the letters of real writers, or both (%(default)s)"),
    )
    parser.add_argument(
        "--sheets", type=int, default=None, help=_("how many sheets, instead of one a player")
    )
    parser.add_argument(
        "--dpi", type=int, default=None, help=_("one resolution for all scanned pages")
    )
    parser.add_argument(
        "--workers", type=int, default=2, help=_("how many processes work (%(default)s)")
    )
    parser.add_argument(
        "--strokes", type=Path, default=None, help=_("the recordings of real writers")
    )
    parser.add_argument(
        "--event-code",
        type=_event_code,
        default=SAMPLE_CODE,
        help=_("the event's five characters in the codes (%(default)s)"),
    )
    return parser


def _event_code(text: str) -> str:
    if len(text) != EVENT_LENGTH or any(char not in ALPHABET for char in text):
        raise argparse.ArgumentTypeError(
            _("an event's code has {length} characters out of {alphabet}").format(
                length=EVENT_LENGTH, alphabet=ALPHABET
            )
        )
    return text


if __name__ == "__main__":
    raise SystemExit(main())
