"""One person's browser window on an event that is being served."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import BrowserContext, Page, expect
from web_event import PIN

from service.accounts import Role
from service.event import Event

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
