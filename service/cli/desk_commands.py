"""`otbor turn`, `corners`, `set-aside`, `watch`: the desk's work on the command line."""

import time
from pathlib import Path
from typing import Annotated

import typer

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.contracts import Outcome
from scanner.placing import TURNS, Hint
from service import desk, intake, rereading
from service.cli.options import (
    event_argument,
    json_option,
    name_of,
    page_argument,
    reader_option,
    reader_to_use,
    who_option,
)
from service.cli.speech import Command, out, print_json
from service.event import Event
from service.intake import ScanReport
from service.settings import settings
from service.watch import SECONDS, FolderWatch, open_folder
from service.wording import explain, outcome_name


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    reader_ = Annotated[str, reader_option()]
    page_ = Annotated[str, page_argument()]

    @app.command(
        "turn",
        cls=Command,
        help=_(
            "Say by how many degrees clockwise a page without corner marks must be turned to stand "
            "upright; it is read again. 0 takes back what was said of the page."
        ),
    )
    def turn(
        event: event_folder,
        page: page_,
        degrees: Annotated[int, typer.Argument(metavar="0|90|180|270", show_default=False)],
        who: who_ = "",
        reader: reader_ = "",
        json_: as_json = False,
    ) -> None:
        if degrees not in TURNS:
            raise ConflictError(
                _("A page is turned by 90, 180 or 270 degrees."), _("0 takes a turn back.")
            )
        _again(event, page, Hint(turn=degrees) if degrees else None, who, reader, json_)

    @app.command(
        "corners",
        cls=Command,
        help=_(
            "Say where the middles of the four corner marks of a page are, as parts of its width and "
            "height from 0 to 1 (0.08,0.06), in the order top left, top right, bottom right, bottom left "
            "of the blank; it is read again. A few millimetres off does no harm."
        ),
    )
    def corners(
        event: event_folder,
        page: page_,
        points: Annotated[
            list[str],
            typer.Argument(metavar="X,Y X,Y X,Y X,Y", show_default=False),
        ],
        of_paper: Annotated[
            bool, typer.Option("--paper", help=_("They are the corners of the paper."))
        ] = False,
        who: who_ = "",
        reader: reader_ = "",
        json_: as_json = False,
    ) -> None:
        _again(event, page, _corners(points, of_paper), who, reader, json_)

    @app.command(
        "set-aside",
        cls=Command,
        help=_("Put a page away so that it waits for nobody; --back brings it back."),
    )
    def set_aside(
        event: event_folder,
        page: page_,
        back: Annotated[bool, typer.Option("--back", help=_("Bring it back."))] = False,
        why: Annotated[
            str, typer.Option(metavar=_("TEXT"), help=_("A reason, for the journal."))
        ] = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            name = desk.set_aside(opened, page, not back, name_of(who), why)
        if json_:
            print_json({"page": name, "aside": not back})
        elif back:
            out.print(_("{page} waits again.").format(page=name), markup=False)
        else:
            out.print(_("{page} is set aside.").format(page=name), markup=False)

    @app.command(
        "watch",
        cls=Command,
        help=_(
            "Take in what a scanner writes into a folder, each file as soon as it is finished; the "
            "scanner's files stay where they are. Ctrl+C stops."
        ),
    )
    def watch(
        event: event_folder,
        folder: Annotated[
            Path,
            typer.Argument(
                metavar=_("FOLDER"), help=_("Where the scanner writes."), show_default=False
            ),
        ],
        reader: reader_ = "",
        once: Annotated[
            bool,
            typer.Option("--once", help=_("Take in what is finished there now, and stop.")),
        ] = False,
    ) -> None:
        name = reader_to_use(reader or settings().reader, asked=bool(reader))
        place = open_folder(folder)
        with Event(event) as opened:

            def take(paths: list[Path]) -> None:
                for path in paths:
                    if path.is_file():
                        _say(intake.take_in(opened, [path], reader=name))

            looking = FolderWatch(place, take, lambda line: out.print(line, markup=False))
            out.print(_("Watching {path}.").format(path=place), markup=False)
            looking.step()
            while True:
                # Two looks must be apart, also if only the finished files are wanted.
                time.sleep(SECONDS)
                looking.step()
                if once:
                    return


def _again(event: Path, page: str, hint: Hint | None, who: str, reader: str, as_json: bool) -> None:
    name = reader_to_use(reader or settings().reader, asked=bool(reader))
    with Event(event) as opened:
        outcome = rereading.read_again(opened, page, hint, name_of(who), reader=name)
        record = next(
            record
            for _file, record in intake.page_records(opened)
            if f"{record.file}#{record.number}" == page
        )
    if as_json:
        print_json({"page": page, "outcome": outcome.value, "sheet": record.sheet or None})
        return
    words = [outcome_name(outcome)]
    if record.sheet:
        words.append(_("sheet {sheet}").format(sheet=record.sheet))
    if outcome is not Outcome.SHEET:
        words.append(explain(record))
    out.print(f"{page}: {' — '.join(words)}", markup=False, soft_wrap=True)


def _corners(points: list[str], of_paper: bool) -> Hint:
    """Four points as typed.

    Raises:
        ConflictError: They are no four corners.
    """
    try:
        pairs = [tuple(float(part) for part in point.split(",")) for point in points]
        if any(len(pair) != 2 for pair in pairs) or len(pairs) != 4:
            raise ValueError(points)
        return Hint(corners=tuple((pair[0], pair[1]) for pair in pairs), of_paper=of_paper)
    except ValueError as error:
        raise ConflictError(
            _("“{points}” are not four corners.").format(points=" ".join(points)),
            _(
                "Give four points as parts of width and height, clockwise from the blank's top left: "
                "0.08,0.06 0.92,0.06 0.92,0.94 0.08,0.94."
            ),
        ) from error


def _say(report: ScanReport) -> None:
    """One line a file."""
    counts = ", ".join(
        f"{outcome_name(outcome)}: {count}" for outcome, count in report.counts().items() if count
    )
    for name in report.already:
        out.print(_("{file} has been taken in already.").format(file=name), markup=False)
    for record in report.pages[:1]:
        reason = f" — {explain(record)}" if record.number == 0 or not record.kept else ""
        out.print(f"{record.file}: {counts}{reason}", markup=False, soft_wrap=True)
