"""The application: one per event, made by `create_app`."""

from __future__ import annotations

import mimetypes
from pathlib import Path

import fontpkg_pt_sans
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from otbor import __version__
from service.event import Event
from service.inbox import Inbox
from service.small_work import SmallWork
from service.web import (
    api,
    appeals,
    decisions,
    desk,
    disputes,
    double,
    errors,
    final,
    going_on,
    hall,
    invited,
    own,
    pages,
    people,
    pictures,
    publications,
    results,
    tie_pages,
    views,
)
from service.web.language import Language
from service.web.live import Live
from service.web.security import SameOrigin, SecurityHeaders

STATIC = Path(__file__).with_name("static")
AS_THEY_ARE = ("/api/crop/", "/api/around/", "/api/page/", "/static/fonts/")
FONTS = Path(fontpkg_pt_sans.__file__).parent / "files"


class OwnFiles(StaticFiles):
    """Our own files: the browser asks each time whether they changed, and is mostly told no."""

    def __init__(self, directory: Path, caching: str) -> None:
        super().__init__(directory=directory)
        self._caching = caching

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file with its rule of caching."""
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = self._caching
        return response


class Compressed(GZipMiddleware):
    """Compresses text: a wall of 300 answers is 80 kB of it. Pictures and fonts are compressed already."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        path = scope.get("path", "")
        if path.startswith(AS_THEY_ARE) or "/crop/" in path or path.endswith("/picture"):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def create_app(event: Event) -> FastAPI:
    """The web application of one event; `service.web.server.Server` serves it."""
    # Windows takes types from its registry, where .js may be text/plain; `nosniff` would refuse that.
    for kind, ending in (("text/javascript", ".js"), ("text/css", ".css"), ("font/ttf", ".ttf")):
        mimetypes.add_type(kind, ending)
    # FastAPI's own pages of documentation load scripts from elsewhere, so only the description is served.
    app = FastAPI(
        title="Otbor",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.event = event
    app.state.live = Live(event)
    app.state.small = SmallWork()
    app.state.inbox = Inbox(event, app.state.small)
    errors.register(app)
    # Looked through in this order at every request: a wall has hundreds of pictures.
    for part in (
        pictures,
        api,
        views,
        hall,
        going_on,
        results,
        decisions,
        tie_pages,
        publications,
        final,
        pages,
        desk,
        disputes,
        double,
        people,
        invited,
        own,
        appeals,
    ):
        app.include_router(part.router)
    app.mount("/static/fonts", OwnFiles(FONTS, "public, max-age=2592000"))
    app.mount("/static", OwnFiles(STATIC, "no-cache"))
    # The last one added is the outermost.
    app.add_middleware(SameOrigin)
    app.add_middleware(errors.Faults)
    app.add_middleware(Language)
    app.add_middleware(Compressed, minimum_size=2000, compresslevel=5)
    app.add_middleware(SecurityHeaders)
    return app
