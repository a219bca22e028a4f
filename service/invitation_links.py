"""Invitations as links and on paper."""

from __future__ import annotations

from collections.abc import Sequence

from otbor.i18n import speaking
from reports.codes import printed
from reports.invitation_slips import Slip, invitation_slips_pdf
from service.event import Event
from service.invitations import Made
from service.role_names import role_name
from service.times import moment
from service.web_address import web_address

PATH = "/invited/"


def link(address: str, code: str) -> str:
    """What opens an invitation; `address` is that of the pages, as `web_address` gives it."""
    return f"{address}{PATH}{printed(code)}"


def slips_pdf(
    event: Event, made: Sequence[Made], address: str, *, wifi: str = "", language: str = ""
) -> bytes:
    """Slips of some invitations, to be cut apart; all of them for a first visit, or all for a new PIN.

    Args:
        event: Whose.
        made: The invitations with their codes.
        address: Of the pages, such as `http://192.168.1.5:8300`.
        wifi: How to join the network; empty leaves it out.
        language: Of the printed words; the event's own if empty.

    Raises:
        ConflictError: The address is none.
    """
    base = web_address(address) + PATH
    with speaking(language or event.info.language):
        slips = [
            Slip(role_name(one.invitation.role), one.invitation.name, base, printed(one.code))
            for one in made
        ]
        return invitation_slips_pdf(
            event.info.title,
            slips,
            valid_until=moment(min(one.invitation.expires_at for one in made)),
            wifi=" ".join(wifi.split()),
            renews=all(one.invitation.account for one in made),
        )
