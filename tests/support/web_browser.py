"""An event that is being served, and one person's browser window on it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, expect
from web_event import PIN

from service.accounts import Role
from service.event import Event
from service.web.app import create_app
from service.web.server import Server

PATIENCE_MS = 20_000


@dataclass(frozen=True)
class Site:
    """An event that is being served."""

    event: Event
    address: str


class Visit:
    """One person's browser window."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        context.set_default_timeout(PATIENCE_MS)
        self.site = site
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.requested: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )

    def sign_in(self, role: Role = Role.JUROR, path: str = "/") -> Page:
        """Sign in and go to a page."""
        self.page.goto(f"{self.site.address}/sign-in?next={path}")
        self.page.fill("#name", role.value)
        self.page.fill("#pin", PIN)
        self.page.press("#pin", "Enter")
        self.page.wait_for_url(self.site.address + path)
        if path.startswith("/wall"):
            self.ready()
        return self.page

    def ready(self) -> None:
        """Wait until the wall can be confirmed and, where all of it is in view, has been seen."""
        expect(self.page.locator("#confirm")).to_be_enabled()
        if self.page.viewport_size == {"width": 1280, "height": 720}:
            expect(self.page.locator("#unseen")).to_be_hidden()


@contextmanager
def served(event: Event) -> Iterator[Site]:
    """Serve an event on a free port, from a thread, until the block ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        server = Server(create_app(event))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield Site(event, f"http://127.0.0.1:{listener.getsockname()[1]}")
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


@contextmanager
def window(chromium: Browser, site: Site) -> Iterator[Visit]:
    """An English window of 1280×720. Whatever the browser complains of fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    made = Visit(context, site)
    try:
        yield made
    finally:
        context.close()
    assert [text for text in made.complaints if "Failed to load resource" not in text] == []
    assert [url for url in made.requested if not url.startswith(site.address)] == []
