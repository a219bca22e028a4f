"""`otbor account invite …`: links that let somebody in once, on the screen or on slips to be cut apart."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.errors import OtborError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from service import invitation_links, invitations
from service.accounts import Role
from service.cli.options import (
    event_argument,
    json_option,
    language_option,
    name_of,
    role_option,
    who_option,
)
from service.cli.speech import Command, out, print_json
from service.event import Event
from service.invitations import Invitation, State
from service.output import write
from service.role_names import role_name
from service.times import iso, moment
from service.web_address import only_here, web_address


def register(group: typer.Typer) -> None:
    """Add the commands to the group `otbor account`."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]

    @group.command(
        "invite",
        cls=Command,
        help=_("Make invitations: links by which people come in once and choose a PIN."),
    )
    def invite(
        event: event_folder,
        address: Annotated[
            str,
            typer.Option(
                metavar="URL",
                help=_("Where others open the pages, such as http://192.168.1.5:8300."),
                show_default=False,
            ),
        ],
        role: Annotated[Role, role_option()] = Role.JUROR,
        name: Annotated[
            list[str] | None,
            typer.Option(
                metavar=_("NAME"),
                help=_("For whom; may be given again. Without it they say their name themselves."),
                show_default=False,
            ),
        ] = None,
        count: Annotated[
            int, typer.Option(min=1, help=_("How many, where no names are given."))
        ] = 1,
        hours: Annotated[float, typer.Option(help=_("How long they are valid."))] = (
            invitations.VALID_HOURS
        ),
        pdf: Annotated[
            Path | None,
            typer.Option(
                metavar=_("FILE"), help=_("Slips to print and cut apart."), show_default=False
            ),
        ] = None,
        wifi: Annotated[
            str,
            typer.Option(
                metavar=_("TEXT"),
                help=_("How to join the Wi-Fi, for the slips."),
                show_default=False,
            ),
        ] = "",
        language: Annotated[str, language_option()] = "",
        who: Annotated[str, who_option()] = "",
        json_: as_json = False,
    ) -> None:
        base = web_address(address)
        with Event(event) as opened:
            made = invitations.make(
                opened, role, name or [""] * count, who=name_of(who), hours=hours
            )
            file = None
            if pdf is not None:
                try:
                    data = invitation_links.slips_pdf(
                        opened, made, base, wifi=wifi, language=language
                    )
                    file = write(pdf, data)
                except OtborError:
                    # Their links would be known to nobody.
                    for one in made:
                        invitations.withdraw(opened, one.invitation.id, who=name_of(who))
                    raise
        links = [(one.invitation, invitation_links.link(base, one.code)) for one in made]
        if json_:
            print_json(
                {
                    "invitations": [{**_data(one), "link": link} for one, link in links],
                    "file": str(file) if file else None,
                }
            )
            return
        for invited, link in links:
            out.print(f"{invited.name}  {link}".strip(), markup=False, soft_wrap=True)
        out.print(_("The links are shown only now; each works once."), markup=False)
        if only_here(base):
            out.print(
                _(
                    "{address} leads every other device to itself: these links work here only."
                ).format(address=base),
                markup=False,
            )
        if file:
            out.print(str(file), markup=False, soft_wrap=True)

    @group.command(
        "invitations", cls=Command, help=_("List the invitations and what became of them.")
    )
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = invitations.listed(opened)
        if json_:
            print_json([_data(one) for one in found])
            return
        for one in found:
            out.print(_line(one), markup=False, soft_wrap=True)
        if not found:
            out.print(_("Nobody has been invited yet."))

    @group.command("withdraw", cls=Command, help=_("Make an open invitation worthless."))
    def withdraw(
        event: event_folder,
        number: Annotated[
            int,
            typer.Argument(
                metavar=_("NUMBER"),
                help=_("As “otbor account invitations” lists it."),
                show_default=False,
            ),
        ],
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            done = invitations.withdraw(opened, number, who=name_of(""))
        if json_:
            print_json(_data(done))
        else:
            out.print(_line(done), markup=False, soft_wrap=True)


def state_text(one: Invitation, now: float) -> str:
    """What has become of an invitation."""
    return {
        State.OPEN: _("open until {moment}").format(moment=moment(one.expires_at, now)),
        State.USED: _("used by {name}, {moment}").format(
            name=one.account, moment=moment(one.used_at or 0.0, now)
        ),
        State.WITHDRAWN: pgettext("invitation", "withdrawn"),
        State.EXPIRED: pgettext("invitation", "expired"),
    }[one.state]


def _line(one: Invitation) -> str:
    parts = [f"{one.id}", role_name(one.role), one.name, state_text(one, time.time())]
    return "  ".join(part for part in parts if part)


def _data(one: Invitation) -> dict[str, Any]:
    return {
        "id": one.id,
        "role": one.role.value,
        "name": one.name,
        "state": one.state.value,
        "account": one.account or None,
        "expires_at": iso(one.expires_at),
    }
