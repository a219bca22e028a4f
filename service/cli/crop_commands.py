"""`otbor crops …`: confirmed answers as labelled pictures for training."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from otbor.i18n import gettext as _
from service import crop_export
from service.cli.options import event_argument, json_option
from service.cli.progress import counting
from service.cli.speech import Command, Group, out, print_json
from service.event import Event


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(cls=Group, no_args_is_help=True)
    app.add_typer(
        group,
        name="crops",
        help=_("Pictures of confirmed answers, from which the handwriting network can learn."),
    )

    @group.command(
        "export",
        cls=Command,
        help=_(
            "Write the picture of every confirmed answer with its text and verdict into a folder, without "
            "names and numbers. Handwriting itself can give a person away: ask before you hand it on."
        ),
    )
    def export(
        event: Annotated[Path, event_argument()],
        folder: Annotated[
            Path,
            typer.Argument(
                metavar=_("FOLDER"), help=_("Where to; made if missing."), show_default=False
            ),
        ],
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        with Event(event) as opened, counting(_("Pictures")) as tell:
            done = crop_export.export(opened, folder, tell)
        if json_:
            print_json(asdict(done))
            return
        out.print(
            _(
                "Pictures: {pictures}, with a text: {labelled}, of these surely what was written: {sure}. "
                "They lie in {folder}."
            ).format(pictures=done.pictures, labelled=done.labelled, sure=done.sure, folder=folder),
            markup=False,
        )
