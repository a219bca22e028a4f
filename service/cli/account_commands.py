"""`otbor account`: who may sign in to the web application."""

from pathlib import Path
from typing import Annotated

import typer

from otbor.i18n import gettext as _
from service import accounts
from service.cli.options import event_argument, json_option
from service.cli.speech import Command, out, print_json
from service.event import Event


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "account",
        cls=Command,
        help=_("Let a person sign in to the web application; prints the PIN once."),
    )
    def account(
        event: Annotated[Path, event_argument()],
        name: Annotated[
            str, typer.Argument(metavar=_("NAME"), help=_("The name."), show_default=False)
        ],
        role: Annotated[
            accounts.Role,
            typer.Option(metavar="|".join(accounts.Role), help=_("What they may do.")),
        ] = accounts.Role.JUROR,
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        with Event(event) as opened:
            pin = accounts.add_account(opened, name, role)
        if json_:
            print_json({"name": name, "role": role.value, "pin": pin})
        else:
            out.print(
                _("“{name}” signs in with the PIN {pin}. It is shown only now.").format(
                    name=name, pin=pin
                ),
                markup=False,
            )
