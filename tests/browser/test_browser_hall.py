"""Guards against a projector that shows the state of an hour ago, a name, or only half of the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from effect_event import BOXES, confirm, narrow
from playwright.sync_api import expect
from web_browser import Visit

from service import publications
from service.accounts import Role

pytestmark = pytest.mark.browser


def test_the_hall_follows_by_itself_fits_its_screen_and_names_nobody(
    visit: Visit, tmp_path: Path
) -> None:
    event, page = visit.site.event, visit.page
    narrow(event, tmp_path)
    page.goto(f"{visit.site.address}/sign-in")
    page.fill("#name", Role.SPECTATOR.value)
    page.fill("#pin", "271828")
    page.press("#pin", "Enter")
    page.wait_for_url(f"{visit.site.address}/hall")
    first = page.locator("#groups li").first
    expect(page.locator("#share")).to_have_text("0")
    expect(first).to_contain_text("surely in: 0 · open: 3")
    confirm(event, *BOXES[1:], right="1")
    expect(first).to_contain_text("Decided: 1 go on.")
    expect(first).to_have_attribute("data-state", "done")
    expect(page.locator("#share")).to_have_text("97")
    expect(page.locator('[data-question="1-20"]')).to_have_attribute("data-state", "done")
    confirm(event, BOXES[0])
    publications.publish(event, who="x")
    expect(page.locator("#posted")).to_contain_text("publication 1")
    expect(page.locator("#lead")).to_have_text("All answers are checked.")
    for player in event.players():
        assert player.name not in page.content()
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        size = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert size == [width, height]
