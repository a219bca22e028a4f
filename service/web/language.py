"""The language of each request: asked for in the address, remembered in a cookie, or the browser's.

The middleware sets a context variable. An async endpoint runs in the same context; a plain function runs
in a thread, into which anyio copies the context. Both are tested.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otbor.i18n import LANGUAGES, detect, speaking

COOKIE = "otbor_lang"
PARAMETER = "lang"
_YEAR = 365 * 24 * 3600


class Language:
    """Sets the language for everything that answers a request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        asked = request.query_params.get(PARAMETER, "")

        async def remembering(message: Message) -> None:
            if message["type"] == "http.response.start" and asked in LANGUAGES:
                cookie = Response()
                cookie.set_cookie(COOKIE, asked, max_age=_YEAR, samesite="lax")
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in cookie.raw_headers if pair[0] == b"set-cookie"),
                ]
            await send(message)

        with speaking(choose(asked, request.cookies.get(COOKIE, ""), _accepted(request))):
            await self.app(scope, receive, remembering)


def choose(asked: str, remembered: str, accepted: str) -> str:
    """`ru` or `en`.

    Args:
        asked: What the address says.
        remembered: What the cookie says.
        accepted: The header `Accept-Language`; empty: the language of the computer that serves.
    """
    for code in (asked, remembered):
        if code in LANGUAGES:
            return code
    if not accepted:
        return detect()
    weighted = []
    for at, part in enumerate(accepted.split(",")):
        tag, _semicolon, parameter = part.strip().partition(";")
        weighted.append((-_weight(parameter), at, tag.strip().lower().partition("-")[0]))
    return next((code for weight, _at, code in sorted(weighted) if code in LANGUAGES), "en")


def _weight(parameter: str) -> float:
    name, _equals, value = parameter.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


def _accepted(request: Request) -> str:
    return request.headers.get("accept-language", "")
