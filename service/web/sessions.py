"""Who is asking and what they may do: dependencies for the endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from otbor.errors import AccessError
from otbor.i18n import gettext as _
from service import accounts
from service.accounts import Account, Right
from service.event import Event
from service.web.errors import not_signed_in

# The server decides when a session ends; the cookie only has to outlive it.
COOKIE_SECONDS = 30 * 24 * 3600
UNATTENDED = "x-otbor-unattended"
"""A header by which a page says that nobody has pressed anything."""


async def event_of(request: Request) -> Event:
    """The event that this application serves."""
    event: Event = request.app.state.event
    return event


def cookie_name(event: Event) -> str:
    """Cookies do not know ports: two events served by one computer must not share one."""
    return f"otbor_{event.info.code.lower()}"


def token_of(request: Request) -> str:
    """The session's token, empty if the browser sent none."""
    return request.cookies.get(cookie_name(request.app.state.event), "")


def set_token(request: Request, response: Response, token: str) -> None:
    """Give the browser its session."""
    response.set_cookie(
        cookie_name(request.app.state.event),
        token,
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def drop_token(request: Request, response: Response) -> None:
    """Take the session from the browser."""
    response.delete_cookie(
        cookie_name(request.app.state.event),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def visitor(request: Request) -> Account | None:
    """Who is signed in, None for nobody."""
    # What a page asks by itself must not keep the session of somebody who has left it open.
    attended = UNATTENDED not in request.headers
    account = accounts.session(request.app.state.event, token_of(request), extend=attended)
    request.state.account = account  # for the page's head
    return account


def signed_in(request: Request) -> Account:
    """Who is signed in.

    Raises:
        NotSignedInError: Nobody is.
    """
    account = visitor(request)
    if account is None:
        raise not_signed_in()
    return account


def having(right: Right) -> Callable[[Request], Account]:
    """A dependency: who is signed in, refused without the right.

    Raises:
        NotSignedInError: Nobody is signed in.
        AccessError: The account's role does not have the right.
    """

    def check(request: Request) -> Account:
        account = signed_in(request)
        if not account.may(right):
            raise AccessError(
                _("This part is not open to you as “{name}”.").format(name=account.name),
                _("Ask the organizer, or sign in with another account."),
            )
        return account

    return check


EventHere = Annotated[Event, Depends(event_of)]
Visitor = Annotated[Account | None, Depends(visitor)]
SignedIn = Annotated[Account, Depends(signed_in)]
juror = having(Right.RULE)
"""To be called in the endpoint itself where requests come by hundreds: each dependency is a thread more."""
Juror = Annotated[Account, Depends(juror)]
Decider = Annotated[Account, Depends(having(Right.DECIDE))]
ResultsReader = Annotated[Account, Depends(having(Right.RESULTS))]
PagesReader = Annotated[Account, Depends(having(Right.PAGES))]
DeskWorker = Annotated[Account, Depends(having(Right.DESK))]
PeopleKeeper = Annotated[Account, Depends(having(Right.PEOPLE))]
AppealsClerk = Annotated[Account, Depends(having(Right.APPEAL))]
ChangeMaker = Annotated[Account, Depends(having(Right.CHANGE))]
Publisher = Annotated[Account, Depends(having(Right.PUBLISH))]
