"""A real Chromium, and the application served to it on a free port."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import ARGUMENTS, CHROMIUM
from playwright.sync_api import Browser, expect, sync_playwright
from web_browser import PATIENCE_MS, Site, Visit
from web_event import filled_event

from service.web.app import create_app
from service.web.server import Server


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. It is closed after each module: while it runs, no other event loop can."""
    if not CHROMIUM:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and CI must run the browser tests")
        pytest.skip("Chromium is not installed (on Debian: apt-get install chromium)")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """The filled event, served from a thread until the test ends."""
    with filled_event(tmp_path) as event, socket.socket() as listener:
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


@pytest.fixture
def visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    """An English window of 1280×720. Whatever the browser complains of fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB")
    made = Visit(context, site)
    yield made
    context.close()
    assert [text for text in made.complaints if "Failed to load resource" not in text] == []
    assert [url for url in made.requested if not url.startswith(site.address)] == []


@pytest.fixture
def phone(chromium: Browser, site: Site) -> Iterator[Visit]:
    """A Russian phone of 390×844 with a touch screen."""
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, locale="ru-RU", has_touch=True, is_mobile=True
    )
    made = Visit(context, site)
    yield made
    context.close()
    assert made.complaints == []
