"""`otbor standings` and `otbor report`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from reports.shown_names import Names
from reports.standings_layout import LayoutName
from reports.wording import places_text, points_text, status_text
from scoring.model import CategoryStandings, StandingRow, Standings, Status
from service import decision_effect
from service.carried import carried
from service.cli.changes import print_idle
from service.cli.options import (
    event_argument,
    json_option,
    language_option,
    layout_option,
    names_option,
)
from service.cli.speech import Command, err, out, print_json
from service.event import Event
from service.reporting import Choice, everything, write_reports
from service.results import event_standings, problems


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]

    @app.command(
        "standings",
        cls=Command,
        help=_(
            "The standings as they are now, by category, with the cut. Only confirmed answers count."
        ),
    )
    def standings(
        event: event_folder,
        next_: Annotated[
            bool,
            typer.Option(
                "--next", help=_("Instead: what those who go on bring into the next stage.")
            ),
        ] = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            now = decision_effect.now(opened)
            waiting = problems(opened)
            roster = {player.number: player for player in opened.players()}
        if now.problem is not None:
            raise now.problem
        result = now.standings
        if next_:
            _next(result, as_json=json_)
            return
        if json_:
            print_json(_data(result, waiting) | {"idle": [entry.id for entry in now.idle]})
            return
        for part in result.categories:
            _print_category(part)
        _print_open(result, waiting)
        print_idle(now.idle, roster)

    @app.command(
        "report",
        cls=Command,
        help=_(
            "Write the results: standings to post and the jury's protocol as PDF, the standings as XLSX "
            "and CSV; with the options below, more."
        ),
    )
    def report(
        event: event_folder,
        out_: Annotated[
            Path | None,
            typer.Option(
                "--out",
                metavar=_("FOLDER"),
                help=_("Where to; else EVENT/results."),
                show_default=False,
            ),
        ] = None,
        all_: Annotated[
            bool, typer.Option("--all", help=_("All of the below; the posted pages into OUT/site."))
        ] = False,
        layout: Annotated[list[str] | None, layout_option()] = None,
        players: Annotated[
            bool, typer.Option("--players", help=_("A page for each player, with the pictures."))
        ] = False,
        statistics: Annotated[
            bool, typer.Option("--statistics", help=_("Who took which question; plots."))
        ] = False,
        ties: Annotated[
            bool, typer.Option("--ties", help=_("Sheets for the shoot-outs at the line."))
        ] = False,
        invitations: Annotated[
            bool, typer.Option("--invitations", help=_("Who goes on, to be signed."))
        ] = False,
        diplomas: Annotated[
            bool, typer.Option("--diplomas", help=_("A diploma for everybody who took part."))
        ] = False,
        picture: Annotated[
            Path | None,
            typer.Option(
                "--picture",
                metavar=_("FILE"),
                help=_("JPEG or PNG behind the diplomas' words."),
                show_default=False,
            ),
        ] = None,
        rating: Annotated[
            bool, typer.Option("--rating", help=_("The table for rating sites, CSV and XLSX."))
        ] = False,
        site: Annotated[
            Path | None,
            typer.Option(
                "--site",
                metavar=_("FOLDER"),
                help=_("Pages to post on the web or to carry on a stick."),
                show_default=False,
            ),
        ] = None,
        names: Annotated[str, names_option()] = "",
        jury: Annotated[
            bool,
            typer.Option(
                "--jury",
                help=_("The protocol once more with full names, for the jury's own file."),
            ),
        ] = False,
        link: Annotated[
            str,
            typer.Option(
                "--link",
                metavar=_("ADDRESS"),
                help=_("Where the posted pages are found; printed as a QR code."),
                show_default=False,
            ),
        ] = "",
        appeals: Annotated[
            str,
            typer.Option(
                "--appeals",
                metavar=_("ADDRESS"),
                help=_(
                    "Where the service is reached: the players' posted pages lead to their pages there, "
                    "where appeals are filed."
                ),
                show_default=False,
            ),
        ] = "",
        language: Annotated[str, language_option()] = "",
        json_: as_json = False,
    ) -> None:
        out_folder = out_ or event / "results"
        if all_:
            choice = everything(
                site or out_folder / "site", Names(names) if names else None, link, picture
            )
        else:
            choice = Choice(
                layouts=tuple(LayoutName(name) for name in layout or ()),
                players=players,
                statistics=statistics,
                ties=ties,
                diplomas=diplomas or picture is not None,
                picture=picture,
                invitations=invitations,
                rating=rating,
                site=site,
                names=Names(names) if names else None,
                link=link,
                jury=jury,
            )
        choice = replace(choice, appeals=appeals)
        with Event(event) as opened:
            files = write_reports(opened, out_folder, language, choice)
            result = event_standings(opened)
            waiting = problems(opened)
        if json_:
            print_json({"files": [str(path) for path in files], "unconfirmed": result.unconfirmed})
            return
        for path in files:
            out.print(str(path), markup=False, soft_wrap=True)
        _print_open(result, waiting)


def _print_open(result: Standings, waiting: list[str]) -> None:
    if result.unconfirmed:
        err.print(
            ngettext(
                "Provisional: {count} answer is not confirmed yet.",
                "Provisional: {count} answers are not confirmed yet.",
                result.unconfirmed,
            ).format(count=result.unconfirmed)
        )
    if waiting:
        err.print(
            _("Sheets that need a person: {sheets}. See “otbor pages”.").format(
                sheets=", ".join(waiting)
            ),
            markup=False,
        )


def _next(result: Standings, *, as_json: bool) -> None:
    stage, players = carried(result)
    if as_json:
        print_json(
            {
                "stage": stage.name,
                "carry_over": stage.carry_over.value,
                "players": [
                    {"number": each.player.number, "points": each.points} for each in players
                ],
            }
        )
        return
    table = Table(title=stage.name, title_justify="left", box=None, pad_edge=False)
    table.add_column(_("No."), justify="right")
    table.add_column(_("Name"))
    table.add_column(_("Brings"), justify="right")
    for each in players:
        table.add_row(str(each.player.number), each.player.name, points_text(each.points))
    out.print(table)


def _print_category(part: CategoryStandings) -> None:
    table = Table(title=part.category, title_justify="left", box=None, pad_edge=False)
    for heading, side in (
        (_("Place"), "right"),
        (_("No."), "right"),
        (_("Name"), "left"),
        (_("School"), "left"),
        (_("Score"), "right"),
        (_("Status"), "left"),
    ):
        table.add_column(heading, justify="right" if side == "right" else "left")
    for row in part.rows:
        present = row.status is not Status.ABSENT
        table.add_row(
            places_text(row.places),
            str(row.player.number),
            row.player.name,
            row.player.school,
            points_text(row.score) if present else "",
            status_text(row.status),
            style="" if row.status in (Status.IN, Status.TIED) else "dim",
        )
    out.print(table)
    if part.cut.undecided:
        out.print(
            _(
                "A tie lies across the line: {numbers} share the last {left} places, still to be decided."
            ).format(
                left=part.cut.left, numbers=", ".join(str(number) for number in part.cut.tied)
            ),
            markup=False,
        )
    out.print()


def _data(result: Standings, waiting: list[str]) -> dict[str, Any]:
    return {
        "title": result.title,
        "unconfirmed": result.unconfirmed,
        "needs_person": waiting,
        "categories": [
            {
                "category": part.category,
                "cut": {
                    "places": part.cut.places,
                    "sure": part.cut.sure,
                    "left": part.cut.left,
                    "tied": list(part.cut.tied),
                    "undecided": part.cut.undecided,
                },
                "rows": [_row(row) for row in part.rows],
            }
            for part in result.categories
        ],
    }


def _row(row: StandingRow) -> dict[str, Any]:
    return {
        "place": places_text(row.places) or None,
        "place_from": row.places[0] if row.places else None,
        "place_to": row.places[1] if row.places else None,
        "number": row.player.number,
        "name": row.player.name,
        "school": row.player.school,
        "city": row.player.city,
        "score": row.score,
        "rights": row.rights,
        "wrongs": row.wrongs,
        "blanks": row.blanks,
        "unconfirmed": row.unconfirmed,
        "status": row.status.value,
        "cells": list(row.cells),
    }
