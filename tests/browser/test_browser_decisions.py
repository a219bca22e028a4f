"""Guards against a decision that only a script can make, and against movers that a phone cannot show."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from web_browser import Visit
from web_event import rule

from scoring.model import Verdict
from service import decisions
from service.accounts import Role
from service.decisions import Decision

pytestmark = pytest.mark.browser


def test_a_player_is_found_while_typing_and_decided_on_after_a_look(visit: Visit) -> None:
    page, event = visit.sign_in(Role.ORGANIZER, "/decisions/new/disqualify"), visit.site.event
    page.locator("#number").press_sequentially("ежик")
    found = page.get_by_role("option")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("Ёжиков Ёж")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decisions/new/disqualify?number=1")
    expect(page.locator(".effect")).to_contain_text("disqualified")
    page.get_by_role("button", name="Decide").click()
    expect(page.locator("#why")).to_be_focused()  # the reason is missing
    assert decisions.entries(event) == []
    page.fill("#why", "списывал")
    # Somebody rules meanwhile: the effect is shown anew, and the reason is kept.
    rule(event, "juror", ("1", "t1r1", Verdict.RIGHT))
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing was decided")
    expect(page.locator("#why")).to_have_value("списывал")
    page.get_by_role("button", name="Decide").click()
    page.wait_for_url("**/decisions?done=new")
    [entry] = decisions.entries(event)
    assert (entry.kind, entry.data) == (Decision.DISQUALIFY, {"number": 1})
    page.get_by_role("link", name="Take back…").click()
    page.fill("#why", "ошибка")
    page.get_by_role("button", name="Take it back").click()
    page.wait_for_url("**/decisions?done=back")
    assert decisions.entries(event)[0].back


def test_an_effect_fits_a_phone_and_is_reached_by_a_finger(phone: Visit) -> None:
    event = phone.site.event
    for number in range(1, 6):
        rule(event, f"juror {number}", (str(number), "t1r1", Verdict.RIGHT))
    page = phone.sign_in(Role.ORGANIZER, "/decisions/new/remove?question=1-10")
    expect(page.locator(".movers li")).to_have_count(5)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for target in page.locator("main button, main a, main select, main input:visible").all():
        box = target.bounding_box()
        assert box is None or box["height"] >= 44, target.evaluate("one => one.outerHTML")
