"""`otbor effect`: who is surely in, surely out or open, and the word that all sheets are in."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from reports.wording import points_text
from scoring.effect import GroupEffect
from scoring.reach import Fate
from service import effect
from service.cli.options import event_argument, json_option, name_of, who_option
from service.cli.speech import Command, err, out, print_json
from service.effect import EventEffect
from service.event import Event
from service.web import effect_view


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "effect",
        cls=Command,
        help=_(
            "What the answers that are left can still change: by category how many are surely in, "
            "open, surely out; or that who goes on is decided."
        ),
    )
    def effect_(
        event: Annotated[Path, event_argument()],
        players: Annotated[
            bool, typer.Option("--players", help=_("Name the players who are open or tied."))
        ] = False,
        all_in: Annotated[
            bool,
            typer.Option(
                "--all-in",
                help=_("Record that all sheets are in: who has none is absent for good."),
            ),
        ] = False,
        more_come: Annotated[
            bool, typer.Option("--more-come", help=_("Take that back: sheets may still come."))
        ] = False,
        who: Annotated[str, who_option()] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        if all_in and more_come:
            raise ConflictError(
                _("“--all-in” and “--more-come” contradict each other."), _("Give one of them.")
            )
        with Event(event) as opened:
            if all_in or more_come:
                effect.say_all_in(opened, all_in, who=name_of(who))
            now = effect.current(opened)
            near = effect.near_the_line(opened)
            names = {player.number: player.name for player in opened.players()}
        if json_:
            print_json(_data(now, near))
            return
        if now.found is None:
            err.print(
                _(
                    "The decisions contradict the regulation, so that nothing is certain. "
                    "The standings say what is wrong."
                )
            )
        for row, group in zip(effect_view.group_rows(now), now.groups, strict=True):
            out.print(f"{row['name']}: {row['sentence']}", markup=False, soft_wrap=True)
            if players:
                _print_players(group, now, names)
        if now.unsettled:
            text = _("Pages that are not settled yet and may change this: {n}.")
            err.print(text.format(n=now.unsettled))


def _print_players(group: GroupEffect, now: EventEffect, names: dict[int, str]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column(_("No."), justify="right")
    table.add_column(_("Name"))
    for heading in (_("At least"), _("At most"), _("Open answers")):
        table.add_column(heading, justify="right")
    rows = [
        (high, low, number)
        for number, low, high, fate in zip(
            group.numbers, group.low, group.high, group.fates, strict=True
        )
        if fate in (Fate.OPEN, Fate.TIED)
    ]
    for high, low, number in sorted(rows, key=lambda row: (-row[0], -row[1], row[2])):
        table.add_row(
            str(number),
            names[number],
            points_text(low),
            points_text(high),
            str(now.waiting_of(number)),
        )
    if rows:
        out.print(table)


def _data(now: EventEffect, near: dict[str, set[str]]) -> dict[str, Any]:
    return {
        "all_in": now.all_in,
        "unsettled_pages": now.unsettled,
        "categories": [
            {
                "category": group.group,
                "state": group.state.value,
                "final": group.final,
                "places": group.quota,
                "sheets": group.here,
                "missing": group.missing,
                **{fate.value: list(group.of(fate)) for fate in Fate},
                "scores": {
                    str(number): [low, high]
                    for number, low, high in zip(group.numbers, group.low, group.high, strict=True)
                },
            }
            for group in now.groups
        ],
        "weights": now.weights(),
        "near_the_line": {sheet: sorted(boxes) for sheet, boxes in sorted(near.items())},
    }
