"""`otbor publish`, `withdraw`, `publications`, `verify`: what is posted; and `bouts`, what comes next."""

from pathlib import Path
from typing import Annotated

import typer

from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from reports.fingerprint import Match
from reports.shown_names import Names
from service import publications
from service.cli import bout_commands
from service.cli.changes import changes_data, print_changes
from service.cli.options import (
    event_argument,
    json_option,
    name_of,
    names_option,
    who_option,
    why_option,
)
from service.cli.speech import Command, err, out, print_json
from service.event import Event
from service.times import iso

NOT_OURS = InputFileError.exit_status


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    why_ = Annotated[str, why_option()]

    @app.command(
        "publish",
        cls=Command,
        help=_(
            "Publish the standings as they are, under the next number; says what is different from the "
            "publication before."
        ),
    )
    def publish(
        event: event_folder,
        provisional: Annotated[
            bool, typer.Option("--provisional", help=_("Although answers are unconfirmed."))
        ] = False,
        names: Annotated[str, names_option()] = "",
        why: why_ = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            entry, changes = publications.publish(
                opened,
                who=name_of(who),
                why=why,
                provisional=provisional,
                names=Names(names) if names else publications.posted_names(opened),
            )
        form = publications.printed_form(entry)
        if json_:
            print_json(
                {"number": entry.number, "fingerprint": form, "changes": changes_data(changes)}
            )
            return
        if changes is not None:
            print_changes(changes)
        undecided = [part.category for part in entry.standings.categories if part.cut.undecided]
        if undecided:
            err.print(
                _("Published with a tie across the line undecided: {categories}.").format(
                    categories=", ".join(undecided)
                ),
                markup=False,
                soft_wrap=True,
            )
        out.print(
            _("Publication {number}, fingerprint {form}. Next: otbor report {path}").format(
                number=entry.number, form=form, path=event
            ),
            markup=False,
        )

    @app.command(
        "withdraw", cls=Command, help=_("Withdraw a publication; it stays in the journal.")
    )
    def withdraw(
        event: event_folder,
        number: Annotated[
            int,
            typer.Argument(
                metavar=_("NUMBER"), help=_("The publication's number."), show_default=False
            ),
        ],
        why: why_ = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            publications.withdraw(opened, number, who=name_of(who), why=why)
        if json_:
            print_json({"withdrawn": number})
        else:
            out.print(_("Publication {number} is withdrawn.").format(number=number), markup=False)

    @app.command("publications", cls=Command, help=_("All publications, with their fingerprints."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = publications.publications(opened)
        if json_:
            print_json(
                [
                    {
                        "number": entry.number,
                        "at": iso(entry.at),
                        "who": entry.who,
                        "why": entry.why,
                        "fingerprint": publications.printed_form(entry),
                        "names": entry.names.value,
                        "withdrawn": entry.withdrawn,
                    }
                    for entry in found
                ]
            )
            return
        for entry in found:
            state = _("withdrawn") if entry.withdrawn else ""
            form = publications.printed_form(entry)
            out.print(f"{entry.number}  {form}  {entry.who}  {entry.why}  {state}", markup=False)

    @app.command(
        "verify",
        cls=Command,
        help=_("Say whether a posted PDF shows a publication of this event, and which."),
    )
    def verify(
        event: event_folder,
        file: Annotated[
            Path, typer.Argument(metavar=_("FILE"), help=_("The PDF."), show_default=False)
        ],
        json_: as_json = False,
    ) -> int:
        try:
            pdf = file.read_bytes()
        except OSError as error:
            raise InputFileError(
                _("The file {path} cannot be read: {error}.").format(
                    path=file, error=error.strerror or error
                ),
                _("Check the name and try again."),
            ) from error
        with Event(event) as opened:
            checked = publications.check_pdf(opened, pdf)
        number = checked.publication.number if checked.publication else None
        if json_:
            print_json(
                {
                    "match": checked.match.value,
                    "publication": number,
                    "later": checked.later or None,
                    "fingerprint": checked.found,
                }
            )
        else:
            out.print(publications.verdict_text(checked), markup=False)
        return 0 if checked.match is Match.SAME else NOT_OURS

    bout_commands.register(app)
