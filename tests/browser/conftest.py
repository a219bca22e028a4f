"""A real Chromium, and the application served to it on a free port."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import ARGUMENTS, CHROMIUM
from playwright.sync_api import Browser, expect, sync_playwright
from web_browser import PATIENCE_MS, Site, Visit, served, window
from web_event import filled_event


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
    with filled_event(tmp_path) as event, served(event) as made:
        yield made


@pytest.fixture
def visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    """An English window of 1280×720. Whatever the browser complains of fails the test."""
    with window(chromium, site) as made:
        yield made


@pytest.fixture
def second_visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    """Another one, of somebody else."""
    with window(chromium, site) as made:
        yield made


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
