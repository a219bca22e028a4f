"""`otbor double`: which answers two jurors read, and how far that is."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from jury.double import Scope
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from service import double, double_status
from service.cli.options import event_argument, json_option, name_of, who_option, why_option
from service.cli.speech import Command, out, print_json
from service.double_status import Status, scope_name
from service.event import Event


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "double",
        cls=Command,
        help=_(
            "Let two jurors read every answer (all), those near the line (near) or none, neither seeing "
            "the other's verdict; differences go to the chief. Without a choice it shows how far it is."
        ),
    )
    def command(
        event: Annotated[Path, event_argument()],
        scope: Annotated[
            Scope | None,
            typer.Argument(
                metavar="none|near|all", help=_("What is read twice."), show_default=False
            ),
        ] = None,
        yes: Annotated[
            bool, typer.Option("--yes", help=_("Don't ask before single votes become rulings."))
        ] = False,
        why: Annotated[str, why_option()] = "",
        who: Annotated[str, who_option()] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        with Event(event) as opened:
            ruled = 0
            if scope is not None:
                _ask(opened, scope, yes)
                ruled = double.set_scope(opened, scope, who=name_of(who), why=why)
            found = double_status.status(opened)
        if json_:
            print_json(found.as_dict() | {"became_rulings": ruled})
            return
        if ruled:
            out.print(
                ngettext("{n} vote became a ruling.", "{n} votes became rulings.", ruled).format(
                    n=ruled
                ),
                markup=False,
            )
        _print(found, event)


def _ask(event: Event, scope: Scope, yes: bool) -> None:
    """Ask before a single vote becomes a ruling."""
    if scope is Scope.ALL or double.scope_of(event) is scope:
        return
    votes = double.only_votes(event)
    if not votes or yes:
        return
    question = ngettext(
        "{n} answer has been read by one juror alone; it becomes that juror's ruling.",
        "{n} answers have been read by one juror alone; they become that juror's rulings.",
        votes,
    ).format(n=votes)
    if not sys.stdin.isatty():
        raise ConflictError(question, _("Say --yes if that is meant; nothing was changed."))
    out.print(question, markup=False)
    typer.confirm(_("Go on?"), abort=True)


def _print(found: Status, event: Path) -> None:
    sentence = scope_name(found.scope)
    out.print(f"{sentence[0].upper()}{sentence[1:]}.", markup=False)
    if found.scope is Scope.NONE:
        return
    lines = (
        (_("read by nobody yet"), found.none),
        (_("read by one"), found.one),
        (_("read twice, alike"), found.agreed),
        (_("read twice, differently: for the chief"), found.differ),
        (_("decided by the chief"), found.decided),
    )
    for words, number in lines:
        out.print(f"{number:>7}  {words}", markup=False)
    if found.not_opened:
        out.print(
            _("{n} more near the line; they are opened with the next confirmation.").format(
                n=found.not_opened
            ),
            markup=False,
        )
    for person, number in found.by_person.items():
        out.print(_("{person}: {n} read").format(person=person, n=number), markup=False)
    if found.waiting:
        out.print(
            _("Next: another juror opens the list of questions (otbor serve {path}).").format(
                path=event
            ),
            markup=False,
        )
