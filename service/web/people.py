"""People and invitations, for the organizer: who is here, roles, sessions, links that let somebody in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from otbor.errors import ConflictError, NotFoundError, OtborError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.codes import typed
from service import accounts, invitation_links, invitations, kept_from, kept_rulings, people
from service.accounts import Account, Role
from service.event import Event
from service.invitations import Made
from service.web import people_pages
from service.web.render import page
from service.web.sessions import EventHere, PeopleKeeper
from service.web_address import web_address

router = APIRouter(prefix="/people", include_in_schema=False)


@router.get("")
def people_page(request: Request, event: EventHere, _account: PeopleKeeper) -> Response:
    """Everybody, and the invitations."""
    return people_pages.everybody_page(request, event)


@router.get("/list")
def people_list(request: Request, event: EventHere, _account: PeopleKeeper) -> Response:
    """Everybody, as a part of that page, to bring it up to date."""
    return page(request, "people_list.html", **people_pages.list_values(event, time.time()))


@router.post("/add")
def add(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    name: Annotated[str, Form()] = "",
    role: Annotated[Role, Form()] = Role.JUROR,
    pin: Annotated[str, Form()] = "",
) -> Response:
    """Add an account; its PIN is shown once."""
    try:
        given = accounts.add_account(event, name, role, pin.strip() or None, who=account.name)
    except OtborError as error:
        return people_pages.everybody_page(request, event, error, name=name, role=role)
    return people_pages.pin_page(request, accounts.find(event, name), given)


@router.post("/invite")
def invite(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    role: Annotated[Role, Form()] = Role.JUROR,
    names: Annotated[str, Form(max_length=20_000)] = "",
    count: Annotated[int, Form()] = 1,
    hours: Annotated[int, Form()] = round(invitations.VALID_HOURS),
    address: Annotated[str, Form()] = "",
    wifi: Annotated[str, Form(max_length=300)] = "",
) -> Response:
    """Make invitations and show their links, which are known only now."""
    wanted = [name for name in names.splitlines() if name.strip()] or [""] * count
    try:
        base = web_address(address)
        made = invitations.make(event, role, wanted, who=account.name, hours=hours)
    except OtborError as error:
        return people_pages.everybody_page(
            request, event, error, invited={"role": role, "names": names, "wifi": wifi}
        )
    return people_pages.links_page(request, made, base, wifi)


@router.post("/slips")
def slips(
    event: EventHere,
    _account: PeopleKeeper,
    code: Annotated[list[str], Form(max_length=invitations.MOST_AT_ONCE)],
    address: Annotated[str, Form()] = "",
    wifi: Annotated[str, Form(max_length=300)] = "",
) -> Response:
    """The links of open invitations as slips to be cut apart, PDF."""
    made = [Made(invitations.find(event, one), typed(one)) for one in code]
    data = invitation_links.slips_pdf(event, made, address, wifi=wifi)
    file = f"{event.info.title} – {pgettext('file name', 'invitations')}.pdf"
    disposition = (
        f"attachment; filename=\"invitations.pdf\"; filename*=UTF-8''{quote(file, safe='')}"
    )
    return Response(
        data, media_type="application/pdf", headers={"Content-Disposition": disposition}
    )


@router.post("/invitations/{invitation_id}/withdraw")
def withdraw(event: EventHere, account: PeopleKeeper, invitation_id: int) -> Response:
    """Make an open invitation worthless."""
    invitations.withdraw(event, invitation_id, who=account.name)
    return RedirectResponse("/people#invitations", 303)


@router.get("/{account_id}")
def person_page(
    request: Request, event: EventHere, account: PeopleKeeper, account_id: int, q: str = ""
) -> Response:
    """One person: role, PIN, sessions, and whom they do not judge."""
    return people_pages.person_page(request, event, account, account_id, q=q)


@router.post("/{account_id}/role")
def change_role(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    role: Annotated[Role, Form()],
) -> Response:
    """Give somebody another role."""
    who = people.person(event, account_id).account
    try:
        _not_oneself(account, who)
        people.change_role(event, who.name, role, who=account.name)
    except ConflictError as error:
        return people_pages.person_page(request, event, account, account_id, error)
    return _back(account_id)


@router.post("/{account_id}/pin")
def new_pin(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    pin: Annotated[str, Form()] = "",
) -> Response:
    """Give somebody another PIN, which ends their sessions."""
    who = people.person(event, account_id).account
    try:
        given = accounts.change_pin(event, who.name, pin.strip() or None, who=account.name)
    except OtborError as error:
        return people_pages.person_page(request, event, account, account_id, error)
    return people_pages.pin_page(request, who, given, renewed=True)


@router.post("/{account_id}/link")
def new_pin_link(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    address: Annotated[str, Form()] = "",
) -> Response:
    """Make a link by which somebody chooses another PIN."""
    who = people.person(event, account_id).account
    try:
        base = web_address(address)
        made = invitations.make_for(event, who.name, who=account.name)
    except OtborError as error:
        return people_pages.person_page(request, event, account, account_id, error)
    return people_pages.links_page(request, [made], base, "")


@router.post("/{account_id}/lock")
def lock(request: Request, event: EventHere, account: PeopleKeeper, account_id: int) -> Response:
    """Lock somebody out."""
    who = people.person(event, account_id).account
    try:
        _not_oneself(account, who)
        people.lock_out(event, who.name, who=account.name)
    except ConflictError as error:
        return people_pages.person_page(request, event, account, account_id, error)
    return _back(account_id)


@router.post("/{account_id}/unlock")
def unlock(event: EventHere, account: PeopleKeeper, account_id: int) -> Response:
    """Let somebody back in."""
    people.let_back(event, people.person(event, account_id).account.name, who=account.name)
    return _back(account_id)


@router.post("/{account_id}/end")
def end(
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    session: Annotated[str, Form()] = "",
) -> Response:
    """End one session of somebody; all of them if none is named."""
    who = people.person(event, account_id).account
    if session:
        people.end_session(event, who, session, who=account.name)
    else:
        accounts.end_sessions(event, who, who=account.name)
    return _back(account_id)


@dataclass(frozen=True, slots=True)
class KeptForm:
    """Whom somebody does not judge, one player or a school, and what was searched for to find them."""

    player: Annotated[int | None, Form()] = None
    school: Annotated[str, Form()] = ""
    q: Annotated[str, Form()] = ""


@router.post("/{account_id}/keep")
def keep(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    form: Annotated[KeptForm, Depends()],
) -> Response:
    """Keep somebody from judging a player or a school."""
    return _change_kept(request, event, account, account_id, kept_from.keep, form)


@router.post("/{account_id}/let")
def let(
    request: Request,
    event: EventHere,
    account: PeopleKeeper,
    account_id: int,
    form: Annotated[KeptForm, Depends()],
) -> Response:
    """Let somebody judge a player or a school again."""
    return _change_kept(request, event, account, account_id, kept_from.let, form)


@router.post("/{account_id}/take-back")
def take_back(event: EventHere, account: PeopleKeeper, account_id: int) -> Response:
    """Take back what somebody had ruled on players whom they do not judge."""
    kept_rulings.take_back(event, people.person(event, account_id).account, who=account.name)
    return _back(account_id, "#kept")


def _change_kept(
    request: Request,
    event: Event,
    account: Account,
    account_id: int,
    change: Any,
    form: KeptForm,
) -> Response:
    who = people.person(event, account_id).account
    try:
        change(
            event,
            who.name,
            players=[] if form.player is None else [form.player],
            schools=[form.school] if form.school else [],
            who=account.name,
        )
    except (ConflictError, NotFoundError) as error:
        return people_pages.person_page(request, event, account, account_id, error, q=form.q)
    return _back(account_id, f"?q={quote(form.q)}#kept" if form.q else "#kept")


def _not_oneself(account: Account, who: Account) -> None:
    if account.id == who.id:
        raise ConflictError(
            _("This is your own account."), _("Another organizer can do that, or “otbor account”.")
        )


def _back(account_id: int, part: str = "") -> Response:
    return RedirectResponse(f"/people/{account_id}{part}", 303)
