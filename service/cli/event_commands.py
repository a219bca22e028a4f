"""`otbor new` and `otbor update`."""

from pathlib import Path
from typing import Annotated

import typer

from otbor.errors import EventError
from otbor.i18n import gettext as _
from scoring.roster import possible_doubles
from service.cli.options import event_argument, json_option, name_of, who_option, why_option
from service.cli.speech import Command, err, out, print_json
from service.event import Event, Source


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]

    @app.command(
        "new",
        cls=Command,
        help=_(
            "Make an event from a folder with players.csv, key.toml and, if wanted, regulation.toml, "
            "event.toml (title, place, date) and blanks.toml."
        ),
    )
    def new(
        event: event_folder,
        source: Annotated[
            Path | None,
            typer.Option(
                "--from",
                metavar=_("FOLDER"),
                help=_("The folder with the files; else they lie in EVENT itself."),
                show_default=False,
            ),
        ] = None,
        title: Annotated[
            str, typer.Option(metavar=_("TEXT"), help=_("The event's title."), show_default=False)
        ] = "",
        code: Annotated[
            str,
            typer.Option(
                metavar=_("CODE"),
                help=_("The five characters in the blanks' codes; else drawn by lot."),
                show_default=False,
            ),
        ] = "",
        json_: as_json = False,
    ) -> None:
        with Event.create(event, Source.of_folder(source or event), code=code, title=title) as made:
            players = made.players()
            categories: dict[str, int] = {}
            for player in players:
                categories[player.category] = categories.get(player.category, 0) + 1
            doubles = possible_doubles(players)
            if json_:
                print_json(
                    {
                        "event": str(event),
                        "code": made.info.code,
                        "title": made.info.title,
                        "players": len(players),
                        "categories": categories,
                        "questions": len(list(made.key().questions())),
                        "possible_doubles": [[a.number, b.number] for a, b in doubles],
                    }
                )
                return
            out.print(
                _(
                    "Event “{title}” is made in {path}: {players} players, {questions} questions."
                ).format(
                    title=made.info.title,
                    path=event,
                    players=len(players),
                    questions=len(list(made.key().questions())),
                ),
                markup=False,
            )
            for category, count in categories.items():
                out.print(f"  {category}: {count}", markup=False)
            for first, second in doubles:
                err.print(
                    _(
                        "Numbers {first} and {second} may be one person: {name} ({category}). "
                        "If so, take one of them out of the roster."
                    ).format(
                        first=first.number,
                        second=second.number,
                        name=first.name,
                        category=first.category,
                    ),
                    markup=False,
                )
            out.print(_("Next: otbor blanks {path}").format(path=event), markup=False)

    @app.command(
        "update",
        cls=Command,
        help=_(
            "Put a new roster, key or regulation in force. The old one stays in the journal, "
            "and the standings follow at once."
        ),
    )
    def update(
        event: event_folder,
        players: Annotated[
            Path | None,
            typer.Option(metavar=_("FILE"), help=_("The roster, CSV."), show_default=False),
        ] = None,
        key: Annotated[
            Path | None,
            typer.Option(metavar=_("FILE"), help=_("The answer key, TOML."), show_default=False),
        ] = None,
        regulation: Annotated[
            Path | None,
            typer.Option(metavar=_("FILE"), help=_("The regulation, TOML."), show_default=False),
        ] = None,
        why: Annotated[str, why_option()] = "",
        who: Annotated[str, who_option()] = "",
        json_: as_json = False,
    ) -> None:
        if players is None and key is None and regulation is None:
            raise EventError(
                _("There is nothing to update."),
                _("Name a file: --players, --key or --regulation."),
            )
        with Event(event) as opened:
            changed = opened.update(
                players=players, key=key, regulation=regulation, who=name_of(who), why=why
            )
        if json_:
            print_json({"updated": changed})
        else:
            out.print(_("In force now: {parts}.").format(parts=", ".join(changed)), markup=False)
