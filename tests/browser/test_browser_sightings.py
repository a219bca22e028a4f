"""Guards against a wall that calls an answer seen which was never before anybody's eyes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from web_browser import Visit

from service import rulings, sightings
from service.event import Event

pytestmark = pytest.mark.browser

WALL = "/wall/1/10"
# So low that of the five answers only some fit between the key and the bar.
LOW = {"width": 420, "height": 460}


def _seen(event: Event) -> int:
    return len(sightings.seen_by(event, "t1r1", "juror"))


def _low(visit: Visit) -> Page:
    visit.page.set_viewport_size(LOW)  # type: ignore[arg-type]
    return visit.sign_in(path=WALL)


def test_what_is_out_of_view_is_asked_for_and_shown(visit: Visit) -> None:
    page, event = _low(visit), visit.site.event
    expect(page.locator("#unseen")).to_contain_text("not seen")
    while page.locator("#unseen").is_visible():
        before = page.locator("#unseen").text_content()
        page.keyboard.press("Enter")
        assert rulings.current(event) == {}
        expect(page.locator("#notices")).to_contain_text("Nothing was recorded")
        expect(page.locator("#unseen")).not_to_have_text(str(before))
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert len(rulings.current(event)) == 5
    assert _seen(event) == 5


def test_moving_the_cursor_is_looking(visit: Visit) -> None:
    page, event = _low(visit), visit.site.event
    page.keyboard.press("Home")
    for at in range(1, 6):
        sheet = page.locator("li.cursor").get_attribute("data-sheet")
        seen = (
            "sheet => document.querySelector(`[data-sheet='${sheet}']`).classList.contains('seen')"
        )
        page.wait_for_function(seen, arg=sheet)
        if at < 5:
            page.keyboard.press("ArrowRight")
    expect(page.locator("#unseen")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert _seen(event) == 5


def test_a_picture_that_did_not_come_is_not_seen(visit: Visit) -> None:
    page, event = visit.page, visit.site.event
    page.route("**/api/crop/2/**", lambda route: route.abort())
    page.goto(f"{visit.site.address}/sign-in?next={WALL}")
    page.fill("#name", "juror")
    page.fill("#pin", "271828")
    page.press("#pin", "Enter")
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#unseen")).to_have_text("not seen: 1")
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("Not seen yet: 1")
    assert page.locator("li.cursor").get_attribute("data-sheet") == "2"
    assert rulings.current(event) == {}


def test_under_an_open_dialog_nothing_is_seen(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.site.address}/sign-in?next={WALL}")
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.querySelector('#help')?.showModal())"
    )
    page.fill("#name", "juror")
    page.fill("#pin", "271828")
    page.press("#pin", "Enter")
    expect(page.locator("#confirm")).to_be_enabled()
    # The wall settles in 500 ms, a look takes 300: all would have been seen by now.
    expect(page.locator("#unseen")).to_have_text("not seen: 5")
    page.keyboard.press("Escape")
    expect(page.locator("#unseen")).to_be_hidden()
