"""`otbor final`: the final stake and answer."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.i18n import gettext as _
from otbor.i18n import speaking
from reports.final_protocol import final_csv, final_protocol_pdf
from reports.final_wording import fault_name, outcome_lines
from reports.shown_names import Names
from reports.wording import points_text
from scanner.readers.numbers import NumberReading
from service import final_stakes, finals
from service.cli.options import (
    csv_option,
    event_argument,
    json_option,
    name_of,
    names_option,
    one_category_option,
    who_option,
)
from service.cli.speech import Command, out, print_json
from service.event import Event
from service.final_stakes import StakeWall
from service.finals import Final
from service.output import write
from service.publications import posted_names


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "final",
        cls=Command,
        help=_(
            "The final stake and answer, where the regulation has them: enters stakes and verdicts from a "
            "CSV of number, stake, verdict, ruled; says what each stake counts, what the chief has to "
            "decide, and who wins."
        ),
    )
    def final(
        event: Annotated[Path, event_argument()],
        source: Annotated[Path | None, csv_option()] = None,
        crops: Annotated[
            Path | None,
            typer.Option(
                "--crops",
                metavar=_("FOLDER"),
                help=_(
                    "Write the pictures of the scanned stakes and answers, and a CSV to fill in."
                ),
                show_default=False,
            ),
        ] = None,
        protocol: Annotated[
            Path | None,
            typer.Option(
                "--protocol",
                metavar=_("FILE"),
                help=_("Write the protocol of the final as PDF, or as CSV if the name ends so."),
                show_default=False,
            ),
        ] = None,
        names: Annotated[str, names_option()] = "",
        category: Annotated[str, one_category_option()] = "",
        who: Annotated[str, who_option()] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        with Event(event) as opened:
            files = finals.write_crops(opened, crops) if crops else []
            count = finals.enter(opened, source, name_of(who)) if source else 0
            found = finals.finals(opened, category)
            if protocol is not None:
                shown = Names(names) if names else posted_names(opened)
                files.append(_protocol(opened, protocol, found, shown))
            walls = {
                part.category: final_stakes.stake_wall(opened, part.category) for part in found
            }
        if json_:
            print_json(
                {
                    "entered": count,
                    "files": [str(path) for path in files],
                    "categories": [_data(part, walls[part.category]) for part in found],
                }
            )
            return
        for path in files:
            out.print(str(path), markup=False, soft_wrap=True)
        for part in found:
            _print(part, walls[part.category])


def _protocol(event: Event, path: Path, found: list[Final], names: Names) -> Path:
    parts = finals.parts(found)
    with speaking(event.info.language):
        if path.suffix.lower() == ".csv":
            return write(path, final_csv([part.shown(names) for part in parts]))
        question = event.key().final
        return write(path, final_protocol_pdf(event.info.title, parts, question, names=names))


def _data(part: Final, wall: StakeWall) -> dict[str, Any]:
    result, places = part.result, part.result.places()
    readings = {line.player.number: line.reading for line in wall.lines}
    return {
        "category": part.category,
        "opening": result.opening.value,
        "winner": result.winner,
        "tied": list(result.tied),
        "chief": list(result.chief),
        "open_verdicts": list(result.open_verdicts),
        "waiting": list(part.waiting),
        "rows": [
            {
                "number": row.number,
                "name": part.players[row.number].name,
                "before": row.before,
                "stake": row.stake,
                "fault": row.fault.value if row.fault else None,
                "verdict": verdict.value if verdict else None,
                "change": row.change,
                "after": row.after,
                "places": places.get(row.number),
                "read": _reading(readings.get(row.number)),
            }
            for row in result.rows
            for sheet in [part.sheets.get(row.number)]
            for verdict in [sheet.verdict if sheet else None]
        ],
    }


def _reading(reading: NumberReading | None) -> dict[str, Any] | None:
    """What the network read in the stake boxes; None without a scanned sheet."""
    if reading is None:
        return None
    return {
        "text": reading.text,
        "value": reading.value,
        "sure": reading.sure,
        "candidates": [[value, share] for value, share in reading.candidates],
    }


def _print(part: Final, wall: StakeWall) -> None:
    result = part.result
    readings = {line.player.number: line.reading for line in wall.lines}
    table = Table(title=part.category, title_justify="left", box=None, pad_edge=False)
    headings = (
        *(_("No."), _("Name"), _("Before"), _("Read"), _("Stake"), _("Change"), _("After"), ""),
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading in (_("Name"), "") else "right")
    for row in result.rows:
        table.add_row(
            str(row.number),
            part.players[row.number].name,
            points_text(row.before),
            _read(readings.get(row.number)),
            "?" if row.stake is None else str(row.stake),
            "?" if row.change is None else points_text(row.change),
            points_text(row.after),
            fault_name(row.fault),
        )
    out.print(table)
    for line in outcome_lines(result, part.players, part.waiting):
        out.print(line, markup=False)
    out.print()


def _read(reading: NumberReading | None) -> str:
    """The reading as a cell of the table; with a question mark where somebody should look."""
    if reading is None or not reading.read:
        return ""
    said = "" if reading.value is None else str(reading.value)
    return said if reading.sure else f"{said}?"
