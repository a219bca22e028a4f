"""`otbor answers`, `rule`, `serve`: the jury's work."""

import csv
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.i18n import gettext as _
from service import answers as answer_rows
from service import rulings
from service.answers import Answer
from service.cli.options import csv_option, event_argument, json_option, name_of, who_option
from service.cli.speech import Command, out, print_json
from service.event import Event

COLUMNS = (
    "sheet",
    "player",
    "theme",
    "nominal",
    "ink",
    "text",
    "confidence",
    "suggestion",
    "probability",
    "ruling",
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]

    @app.command(
        "answers",
        cls=Command,
        help=_(
            "One row a box: sheet, player, theme, nominal, ink, text, confidence, suggestion, "
            "probability, ruling. CSV with semicolons, or JSON."
        ),
    )
    def answers(
        event: event_folder,
        sheet: Annotated[
            str,
            typer.Option(metavar=_("SHEET"), help=_("Only this sheet."), show_default=False),
        ] = "",
        open_: Annotated[
            bool, typer.Option("--open", help=_("Only boxes that nobody has ruled on."))
        ] = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            wanted = _sheet(opened, sheet)
            rows = [
                _row(answer)
                for answer in answer_rows.all_answers(opened)
                if (not wanted or answer.sheet == wanted) and (not open_ or answer.ruling is None)
            ]
        if json_:
            print_json(rows)
            return
        writer = csv.DictWriter(sys.stdout, COLUMNS, delimiter=";", lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: "" if v is None else v for k, v in row.items()} for row in rows)

    @app.command(
        "rule",
        cls=Command,
        help=_(
            "Enter rulings from a CSV of sheet, theme, nominal, verdict (right, wrong, blank or "
            "disputed): for a jury that marks on paper. All lines are entered or none."
        ),
    )
    def rule(
        event: event_folder,
        source: Annotated[Path, csv_option()],
        who: Annotated[str, who_option()] = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            lines, entered = rulings.rule_from_file(opened, source, name_of(who))
        if json_:
            print_json({"lines": lines, "entered": entered})
        else:
            out.print(
                _(
                    "{lines} rulings read, {entered} of them new. Next: otbor standings {path}"
                ).format(lines=lines, entered=entered, path=event),
                markup=False,
            )

    @app.command(
        "serve",
        cls=Command,
        help=_(
            "Start the web application for the jury: one wall a question, by keyboard, mouse or touch."
        ),
    )
    def serve(
        event: event_folder,
        host: Annotated[
            str,
            typer.Option(
                metavar=_("ADDRESS"),
                help=_("0.0.0.0 lets tablets and phones in the local network in."),
            ),
        ] = "127.0.0.1",
        port: Annotated[int, typer.Option(metavar=_("PORT"), min=1, max=65535)] = 8300,
        watch: Annotated[
            Path | None,
            typer.Option(
                metavar=_("FOLDER"),
                help=_("Take in what a scanner writes into this folder."),
                show_default=False,
            ),
        ] = None,
    ) -> None:
        from service.serving import serve_event

        with Event(event) as opened:
            serve_event(opened, host, port, lambda line: out.print(line, markup=False), watch)


def _sheet(event: Event, name: str) -> str:
    from service import sheets

    return sheets.find(event, name) if name else ""


def _row(answer: Answer) -> dict[str, Any]:
    suggestion = answer.suggestion
    return {
        "sheet": answer.sheet,
        "player": answer.player,
        "theme": answer.theme,
        "nominal": answer.nominal,
        "ink": answer.ink.value,
        "text": answer.text,
        "confidence": answer.confidence,
        "suggestion": suggestion.verdict.value if suggestion.verdict else None,
        "probability": round(suggestion.probability, 4),
        "ruling": answer.ruling.value if answer.ruling else None,
    }
