"""What the pages of people show: everybody, one person, and what is shown only once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from otbor.errors import OtborError
from otbor.i18n import pgettext
from service import (
    account_log,
    account_wording,
    invitation_links,
    invitations,
    kept_from,
    kept_rulings,
    people,
)
from service.accounts import Account, Right, Role
from service.event import Event
from service.invitations import Made, State
from service.role_names import role_about
from service.serving import addresses
from service.times import moment
from service.web import roster_search
from service.web.qr_picture import qr_svg
from service.web.render import page
from service.web.sessions import token_of
from service.web_address import only_here

SHOWN_INVITATIONS, SHOWN_DONE = 40, 100


def everybody_page(
    request: Request,
    event: Event,
    error: OtborError | None = None,
    *,
    name: str = "",
    role: Role = Role.JUROR,
    invited: dict[str, Any] | None = None,
) -> Response:
    """Everybody, the forms and the invitations.

    Args:
        request: What is answered.
        event: Whose people.
        error: Why what was asked for has not been done.
        name: What was typed into the form of adding, kept for another try.
        role: What was chosen there.
        invited: What was typed into the form of inviting.
    """
    now = time.time()
    made = invitations.listed(event, now)
    made.sort(key=lambda one: one.state is not State.OPEN)
    return page(
        request,
        "people.html",
        status=error.http_status if error else 200,
        error=error,
        **list_values(event, now),
        invitations=made[:SHOWN_INVITATIONS],
        done=account_log.done(event)[:SHOWN_DONE],
        sentence=account_wording.sentence,
        roles=list(Role),
        role_about=role_about,
        state_name=state_name,
        name=name,
        role=role,
        invited=invited or {"role": Role.JUROR, "names": "", "wifi": ""},
        hours=round(invitations.VALID_HOURS),
        **_addresses(request),
    )


def list_values(event: Event, now: float) -> dict[str, Any]:
    """What the list of people is about."""
    everybody = people.everybody(event, now)
    kept = kept_from.lists(event)
    return {
        "people": [one for one in everybody if one.active],
        "locked": [one for one in everybody if not one.active],
        "here": sum(one.here for one in everybody),
        "kept": {name: len(kept_from.players_of(event, one)) for name, one in kept.items()},
        "moment": lambda at: moment(at, now),
    }


def person_page(
    request: Request,
    event: Event,
    account: Account,
    account_id: int,
    error: OtborError | None = None,
    *,
    q: str = "",
) -> Response:
    """One person, for `account`, who looks; `q` is what is searched for in the roster."""
    now = time.time()
    shown = people.person(event, account_id)
    kept = kept_from.list_of(event, shown.account)
    roster = {player.number: player for player in event.players()}
    own = shown.account.id == account.id
    return page(
        request,
        "person.html",
        status=error.http_status if error else 200,
        error=error,
        person=shown,
        own=own,
        this_session=people.session_id(token_of(request)) if own else "",
        judges=shown.account.may(Right.RULE),
        kept_players=[roster[number] for number in kept.players if number in roster],
        kept_schools=[
            (
                school,
                sum(kept_from.KeptFrom("", (), (school,)).covers(one) for one in roster.values()),
            )
            for school in kept.schools
        ],
        earlier=len(kept_rulings.earlier(event, shown.account)),
        q=q,
        found=roster_search.search(event.players(), q),
        covers=kept.covers,
        moment=lambda at: moment(at, now),
        roles=list(Role),
        role_about=role_about,
        **_addresses(request),
    )


def pin_page(request: Request, who: Account, pin: str, *, renewed: bool = False) -> Response:
    """A PIN, shown once."""
    return page(request, "new_pin.html", who=who, pin=pin, renewed=renewed)


def links_page(request: Request, made: Sequence[Made], address: str, wifi: str) -> Response:
    """The links of invitations just made, shown once; `address` is the one they begin with."""
    links = [(one, invitation_links.link(address, one.code)) for one in made]
    return page(
        request,
        "invitation_links.html",
        made=[(one.invitation, one.code, link, qr_svg(link)) for one, link in links],
        here=only_here(address),
        given_address=address,
        wifi=wifi,
        moment=lambda at: moment(at, time.time()),
    )


def _addresses(request: Request) -> dict[str, Any]:
    """The address that invitations begin with: the one the organizer is on, if others can reach it.

    From this computer's own address the one that the network sees is proposed instead.
    """
    now = f"{request.url.scheme}://{request.url.netloc}"
    if not only_here(now):
        return {"address": now, "own_address": ""}
    port = f":{request.url.port}" if request.url.port else ""
    others = [host for host in addresses("0.0.0.0") if not only_here(f"http://{host}")]
    proposed = f"{request.url.scheme}://{others[-1]}{port}" if others else now
    return {"address": proposed, "own_address": now}


def state_name(state: State) -> str:
    """What has become of an invitation, as a word."""
    return {
        State.OPEN: pgettext("invitation", "open"),
        State.USED: pgettext("invitation", "used"),
        State.WITHDRAWN: pgettext("invitation", "withdrawn"),
        State.EXPIRED: pgettext("invitation", "expired"),
    }[state]
