"""Everything that fails, in one shape: JSON for `/api`, a page that says what to do next elsewhere."""

from __future__ import annotations

import logging
import re
from typing import ClassVar
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otbor.errors import AccessError, NotFoundError, OtborError
from otbor.i18n import gettext as _
from service.accounts import TooManyAttemptsError
from service.web import render

log = logging.getLogger(__name__)


class NotSignedInError(AccessError):
    """There is no session, or it has ended."""

    code: ClassVar[str] = "not_signed_in"
    http_status: ClassVar[int] = 401


class InputError(OtborError):
    """A request that does not say what it should."""

    code: ClassVar[str] = "input"
    http_status: ClassVar[int] = 422


class FaultError(OtborError):
    """A bug of ours; the log has the details."""

    code: ClassVar[str] = "fault"
    http_status: ClassVar[int] = 500


def not_signed_in() -> NotSignedInError:
    """Nobody is signed in, or no longer."""
    return NotSignedInError(
        _("You are not signed in, or your session has ended."), _("Sign in to go on.")
    )


def answer(request: Request, error: OtborError) -> Response:
    """An error as a response."""
    headers = {"Retry-After": str(error.wait)} if isinstance(error, TooManyAttemptsError) else None
    if request.url.path.startswith("/api/"):
        return JSONResponse(error.as_dict(), error.http_status, headers)
    if isinstance(error, NotSignedInError) and request.method == "GET":
        back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?{urlencode({'next': back})}", 303)
    # Who has a player's code and no account is not sent to the questions.
    public = request.url.path == "/p" or request.url.path.startswith("/p/")
    template = "own/error.html" if public else "error.html"
    return render.page(request, template, status=error.http_status, headers=headers, error=error)


class Faults:
    """Turns an exception that nobody foresaw into an answer with headers and in the right language."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        started = False

        async def watching(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watching)
        except Exception:
            if scope["type"] != "http" or started:
                raise
            log.exception("%s %s", scope["method"], logged_path(scope["path"]))
            error = FaultError(
                _("Something went wrong on our side; nothing was changed."),
                _("Try again. If it happens again, tell the organizer what you did."),
            )
            await answer(Request(scope), error)(scope, receive, send)


# What follows is a secret: an invitation, a player's code.
_SECRET = re.compile(r"^/(invited|p)/[^/]+")


def logged_path(path: str) -> str:
    """A path as it may stand in a log: whoever reads it must not come in by somebody's secret."""
    return _SECRET.sub(r"/\1/…", path)


def register(app: FastAPI) -> None:
    """Let the application answer errors in our shape."""

    @app.exception_handler(OtborError)
    async def ours(request: Request, error: OtborError) -> Response:
        return answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0] if error.errors() else {}
        place = ".".join(str(part) for part in first.get("loc", ()))
        return answer(
            request,
            InputError(
                _("The request cannot be understood ({place}).").format(place=place),
                _("Reload the page and try again."),
            ),
        )

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return answer(
                request,
                NotFoundError(_("There is no such page."), _("Go to the list of questions.")),
            )
        known = InputError(_("This request is not possible here."), _("Go back and try again."))
        response = answer(request, known)
        response.status_code = error.status_code
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response
