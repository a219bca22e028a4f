"""Where an invitation leads: the only page besides sign-in that is open to who has no account yet."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from otbor.errors import ConflictError, OtborError
from otbor.i18n import gettext as _
from service import accounts, invitations
from service.accounts import Account
from service.event import Event
from service.role_names import role_about
from service.times import moment
from service.web import hall
from service.web.render import page
from service.web.sessions import EventHere, Visitor, set_token

router = APIRouter(prefix="/invited", include_in_schema=False)


@router.get("/{code}")
def invited(request: Request, event: EventHere, visitor: Visitor, code: str) -> Response:
    """What one is invited to, and the form. Looking uses nothing up: programs look at links too."""
    return _form(request, event, visitor, code)


@router.post("/{code}")
def come_in(
    request: Request,
    event: EventHere,
    visitor: Visitor,
    code: str,
    name: Annotated[str, Form()] = "",
    pin: Annotated[str, Form()] = "",
    again: Annotated[str, Form()] = "",
    draw: Annotated[str, Form()] = "",
) -> Response:
    """Come in with a chosen PIN, or with one drawn by lot, which is shown once."""
    try:
        if not draw and pin.strip() != again.strip():
            raise ConflictError(
                _("The two PINs are not the same."), _("Type the same one into both fields.")
            )
        chosen = None if draw else pin
        accepted = invitations.accept(event, code, name, chosen, _address(request))
    except ConflictError as error:
        return _form(request, event, visitor, code, error, name)
    request.state.account = accepted.account
    response: Response = RedirectResponse(hall.landing(accepted.account, "/"), 303)
    if accepted.drawn is not None:
        response = page(request, "welcome.html", who=accepted.account, pin=accepted.drawn)
    set_token(request, response, accepted.token)
    return response


def _form(
    request: Request,
    event: Event,
    visitor: Account | None,
    code: str,
    error: OtborError | None = None,
    name: str = "",
) -> Response:
    found = invitations.find(event, code, _address(request))
    return page(
        request,
        "invited.html",
        status=error.http_status if error else 200,
        invitation=found,
        visitor=visitor,
        error=error,
        name=found.name or name,
        until=moment(found.expires_at, time.time()),
        role_about=role_about,
        digits=accounts.PIN_DIGITS,
        longest=invitations.LONGEST_PIN,
    )


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
