"""`otbor blanks`, `scan`, `pages`, `assign`, `choose`: from paper and back."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.errors import ConflictError, InputFileError
from otbor.i18n import gettext as _
from scanner import geometry
from service import intake, sheets
from service.cli.options import (
    event_argument,
    json_option,
    language_option,
    name_of,
    page_argument,
    reader_option,
    reader_to_use,
    who_option,
)
from service.cli.progress import ScanBar
from service.cli.speech import Command, err, out, print_json
from service.event import Event
from service.intake import PageRecord, ScanReport
from service.printing import DEFAULT_SPARES, print_blanks
from service.settings import settings
from service.wording import explain, outcome_name

NOTHING_OF_OURS = InputFileError.exit_status


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    reader_ = Annotated[str, reader_option()]

    @app.command(
        "blanks",
        cls=Command,
        help=_(
            "Print the blanks as PDF: one for every player, numbered spare ones, and the blank for "
            "the final stake and answer."
        ),
    )
    def blanks(
        event: Annotated[Path | None, event_argument()] = None,
        out_: Annotated[
            Path | None,
            typer.Option(
                "--out",
                metavar=_("FOLDER"),
                help=_("Where to; else EVENT/print."),
                show_default=False,
            ),
        ] = None,
        spares: Annotated[
            int, typer.Option(min=0, max=9999, metavar=_("N"), help=_("How many spare blanks."))
        ] = DEFAULT_SPARES,
        no_codes: Annotated[
            bool,
            typer.Option(
                "--no-codes",
                help=_("Without the strip that holds the player's own code."),
            ),
        ] = False,
        geometry_: Annotated[
            bool,
            typer.Option(
                "--geometry",
                help=_(
                    "Print the geometry of the blanks instead, in millimetres, as TOML; "
                    "with --json every box by itself."
                ),
            ),
        ] = False,
        language: Annotated[str, language_option()] = "",
        json_: as_json = False,
    ) -> None:
        if geometry_:
            _print_geometry(event, json_)
            return
        if event is None:
            raise InputFileError(
                _("The event is missing."), _("Name its folder: otbor blanks EVENT.")
            )
        with Event(event) as opened:
            files = print_blanks(
                opened, out_ or event / "print", spares, language, own_codes=not no_codes
            )
        if json_:
            print_json({"files": [str(path) for path in files]})
            return
        for path in files:
            out.print(str(path), markup=False, soft_wrap=True)
        out.print(
            _("Print them at actual size (100 %). Next: otbor scan {path} FILES…").format(
                path=event
            ),
            markup=False,
        )

    @app.command(
        "scan",
        cls=Command,
        help=_(
            "Take in scans: PDF, TIFF, JPEG, PNG, HEIC, or folders of them. Every page ends as a sheet, "
            "a duplicate, an unknown blank, a foreign page, an empty or an unreadable one. The same "
            "file again changes nothing; an interrupted scan goes on where it was."
        ),
    )
    def scan(
        event: event_folder,
        files: Annotated[
            list[Path],
            typer.Argument(metavar=_("FILES…"), help=_("Files or folders."), show_default=False),
        ],
        keep: Annotated[
            bool,
            typer.Option(
                "--keep",
                help=_("Keep pages that are not recognised too, to mark their corners."),
            ),
        ] = False,
        reader: reader_ = "",
        json_: as_json = False,
    ) -> int:
        name = reader_to_use(reader or settings().reader, asked=bool(reader))
        with Event(event) as opened, ScanBar() as bar:
            report = intake.take_in(
                opened, files, reader=name, progress=bar, keep=lambda _name: keep
            )
        if json_:
            print_json(_report_data(report))
        else:
            _print_report(report, event)
        broken = any(page.number == 0 for page in report.pages)
        return 0 if report.gained and not broken else NOTHING_OF_OURS

    @app.command(
        "pages",
        cls=Command,
        help=_("How every page that was scanned ended; first of all those that need a person."),
    )
    def pages(
        event: event_folder,
        all_: Annotated[
            bool, typer.Option("--all", help=_("Plain sheets too, not only the others."))
        ] = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            records = [record for _file, record in intake.page_records(opened)]
            orphans = sheets.orphans(opened)
            doubled = sheets.two_sheets(opened)
        if json_:
            print_json(
                {
                    "pages": [_page_data(record) for record in records],
                    "spares_of_nobody": orphans,
                    "two_sheets": {str(player): names for player, names in doubled.items()},
                }
            )
            return
        report = ScanReport(records)
        _print_counts(report)
        _print_pages([r for r in records if all_ or r.outcome is not intake.Outcome.SHEET])
        _print_orphans(orphans, doubled)

    @app.command(
        "assign",
        cls=Command,
        help=_(
            "Say whose a spare sheet is (otbor assign EVENT S1 --player 17), or which sheet a page is "
            "whose code cannot be read (otbor assign EVENT scan.pdf#3 --sheet 17)."
        ),
    )
    def assign(
        event: event_folder,
        what: Annotated[
            str,
            typer.Argument(
                metavar=_("WHAT"),
                help=_("A spare sheet such as S1, or a page such as scan.pdf#3."),
                show_default=False,
            ),
        ],
        player: Annotated[
            int | None,
            typer.Option(metavar=_("NUMBER"), help=_("The player's number."), show_default=False),
        ] = None,
        sheet: Annotated[
            str, typer.Option(metavar=_("SHEET"), help=_("The sheet's name."), show_default=False)
        ] = "",
        nobody: Annotated[
            bool, typer.Option("--nobody", help=_("Take the spare sheet back."))
        ] = False,
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        if (player is not None) + bool(sheet) + nobody != 1:
            raise ConflictError(
                _("Say one thing: a player, a sheet, or nobody."),
                _("Use --player for a spare sheet, --sheet for a page, --nobody to take one back."),
            )
        with Event(event) as opened:
            if sheet:
                name = sheets.name_page(opened, what, sheet, name_of(who))
            else:
                name = sheets.give_spare(opened, what, player, name_of(who))
        if json_:
            print_json({"what": what, "sheet": name, "player": player})
        elif sheet:
            out.print(_("{what} is sheet {sheet}.").format(what=what, sheet=name), markup=False)
        elif nobody:
            out.print(_("Sheet {sheet} is nobody's again.").format(sheet=name), markup=False)
        else:
            out.print(
                _("Sheet {sheet} is player {player}'s.").format(sheet=name, player=player),
                markup=False,
            )

    @app.command(
        "choose",
        cls=Command,
        help=_(
            "Of two scans of one sheet, make a duplicate the one that counts. Rulings on the sheet are "
            "taken back, since nobody has seen this picture."
        ),
    )
    def choose(
        event: event_folder,
        page: Annotated[str, page_argument()],
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            sheet = sheets.choose_page(opened, page, name_of(who))
        if json_:
            print_json({"page": page, "sheet": sheet})
        else:
            out.print(
                _("{page} counts for sheet {sheet} now.").format(page=page, sheet=sheet),
                markup=False,
            )

    @app.command(
        "rebuild",
        cls=Command,
        help=_(
            "Read every page again from the originals, for a new reader or lost crops. What people "
            "entered stays as it is."
        ),
    )
    def rebuild(
        event: event_folder,
        reader: reader_ = "",
        json_: as_json = False,
    ) -> None:
        name = reader_to_use(reader or settings().reader, asked=bool(reader))
        with Event(event) as opened, ScanBar() as bar:
            count = intake.rebuild(opened, reader=name, progress=bar)
        if json_:
            print_json({"pages": count})
        else:
            out.print(_("{count} pages read again.").format(count=count))


def _print_geometry(event: Path | None, as_json: bool) -> None:
    if event is None:
        found = geometry.default()
    else:
        with Event(event) as opened:
            found = opened.geometry
    if not as_json:
        sys.stdout.write(found.source)
        return
    print_json({name: _blank_data(blank) for name, blank in found.blanks.items()})


def _blank_data(blank: geometry.Blank) -> dict[str, Any]:
    return {
        "paper": asdict(blank.paper),
        "fiducials": [{"id": m.id, **asdict(m.rect)} for m in blank.markers],
        "codes": [asdict(code) for code in blank.codes],
        "boxes": [
            {"box": box.key, "theme": box.theme, "row": box.row, **asdict(box.rect)}
            for box in blank.boxes
        ],
        "fields": [
            {
                "field": field.name,
                "spare_only": field.spare_only,
                **asdict(field.rect),
                "cells": [asdict(cell) for cell in field.cells],
            }
            for field in blank.fields
        ],
    }


def _page_data(record: PageRecord) -> dict[str, Any]:
    return {
        "file": record.file,
        "page": record.number,
        "outcome": record.outcome.value,
        "reason": record.reason.value,
        "sheet": record.sheet or None,
        "duplicate_of": record.duplicate_of or None,
        "differs": list(record.differs),
        "warnings": list(record.warnings),
        "needs_person": record.needs_person,
        "aside": record.aside,
        "kept": record.kept,
        "message": explain(record),
    }


def _report_data(report: ScanReport) -> dict[str, Any]:
    return {
        "counts": {outcome.value: count for outcome, count in report.counts().items()},
        "pages": [_page_data(record) for record in report.pages],
        "already": report.already,
        "seconds": round(report.seconds, 2),
    }


def _print_counts(report: ScanReport) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(justify="right")
    table.add_column()
    for outcome, count in report.counts().items():
        if count:
            table.add_row(str(count), outcome_name(outcome))
    table.add_row(str(len(report.pages)), _("pages in all"), style="bold")
    out.print(table)


def _print_pages(records: list[PageRecord]) -> None:
    for record in sorted(records, key=lambda record: not record.needs_person):
        place = f"{record.file}#{record.number}" if record.number else record.file
        mark = "!" if record.needs_person else "×" if record.aside else "·"
        sheet = _("sheet {sheet}").format(sheet=record.sheet) if record.sheet else ""
        words = " — ".join(
            part
            for part in (
                outcome_name(record.outcome),
                _("set aside") if record.aside else "",
                sheet,
                explain(record),
            )
            if part
        )
        out.print(f"{mark} {place}: {words}", markup=False, soft_wrap=True)


def _print_orphans(orphans: list[str], doubled: dict[int, list[str]]) -> None:
    if orphans:
        out.print(
            _(
                "Spare sheets of nobody: {sheets}. Say whose: otbor assign EVENT S1 --player NUMBER"
            ).format(sheets=", ".join(orphans)),
            markup=False,
            soft_wrap=True,
        )
    for player, names in doubled.items():
        out.print(
            _("Player {player} has more than one sheet: {sheets}. The last named counts.").format(
                player=player, sheets=", ".join(names)
            ),
            markup=False,
            soft_wrap=True,
        )


def _print_report(report: ScanReport, event: Path) -> None:
    if report.pages:
        _print_counts(report)
        _print_pages([r for r in report.pages if r.outcome is not intake.Outcome.SHEET])
        warned = [record for record in report.pages if record.warnings]
        for record in warned[:10]:
            out.print(
                f"{record.file}#{record.number}: {_warning(record.warnings[0])}",
                markup=False,
                soft_wrap=True,
            )
    for name in report.already:
        out.print(_("{file} has been taken in already.").format(file=name), markup=False)
    if not report.gained:
        err.print(
            _("Nothing of this event was among the pages; the event is as it was."), markup=False
        )
        return
    if report.pages and report.seconds > 0:
        out.print(
            _("{seconds:.0f} s, {rate:.0f} pages a minute. Next: otbor serve {path}").format(
                seconds=report.seconds,
                rate=len(report.pages) / report.seconds * 60,
                path=event,
            ),
            markup=False,
        )


def _warning(code: str) -> str:
    if code == "jbig2":
        return _(
            "JBIG2 compression: some scanners swap digits with it. Compare with the paper, and scan "
            "with another setting."
        )
    return _("Kept without readings. {message}").format(message=code.partition(":")[2])
