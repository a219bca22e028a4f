"""What keeps other sites out: response headers, and the refusal of requests that they forge.

A page elsewhere can make a browser send a request here, and the browser adds our cookie to it. What the
page cannot do is hide where the request comes from:

1. `Sec-Fetch-Site` is set by the browser itself; scripts cannot touch it. `same-origin` is one of our own
   pages, `none` an address typed by the user. Anything else (`cross-site`, `same-site`) is refused.
   Browsers send it to https addresses and to localhost, but not to http://192.168.…, which is where a
   jury's tablets are.
2. Without it, `Origin` decides: every browser sends it with a POST. Its host and port must be those that
   the request was sent to (`Host`); the scheme is left out, since behind a proxy we do not know ours.
3. With neither the request is no browser's (a script of the organizer, a test) and carries no cookie that
   somebody else could have made it carry.

No token in forms is needed, so none can be forgotten. `SameSite=Lax` on the cookie is a second lock.
GET and HEAD change nothing anywhere, so they pass.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otbor.errors import AccessError
from otbor.i18n import gettext as _
from service.web.errors import answer

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not `no-referrer`: with that browsers send `Origin: null` from our own forms.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    # Players' own pages need no sign-in, only their code: no search engine may keep one.
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class ForgedRequestError(AccessError):
    """A request that another site made the browser send."""

    code = "forged_request"


class SecurityHeaders:
    """Adds `HEADERS` to every response; what says nothing about storing is not stored."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                # Names of children must not come back by the «back» button after signing out.
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, with_headers)


class SameOrigin:
    """Refuses requests that change something and were made by another site's page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if (
            scope["type"] != "http"
            or scope["method"] in SAFE_METHODS
            or is_ours(Headers(scope=scope))
        ):
            await self.app(scope, receive, send)
            return
        error = ForgedRequestError(
            _("This request was sent by another site."),
            _("Open this page by its own address and try again."),
        )
        await answer(Request(scope), error)(scope, receive, send)


def is_ours(headers: Headers) -> bool:
    """True if a request comes from one of our own pages, or from no browser at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
