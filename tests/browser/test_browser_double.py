"""Guards against a second reader who is shown the first one's verdicts, and a difference that gets lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from web_browser import Visit

from jury.double import Scope
from service import double, rulings
from service.accounts import Role

pytestmark = pytest.mark.browser

WALL = "/wall/1/10"


@pytest.fixture
def other(second_visit: Visit) -> Visit:
    return second_visit


def test_two_read_a_wall_blindly_and_the_chief_sees_both_sides(visit: Visit, other: Visit) -> None:
    event = visit.site.event
    double.set_scope(event, Scope.ALL, who="organizer")
    first = visit.sign_in(path=WALL)
    first.locator('[data-sheet="1"] .sign').click()  # the reading says right
    assert first.locator('[data-sheet="1"]').get_attribute("data-verdict") == "wrong"
    first.keyboard.press("Enter")
    first.wait_for_url("**/wall/1/20")
    assert rulings.current(event) == {}
    second = other.sign_in(Role.CHIEF)
    summary = second.locator("#summary")
    expect(summary).to_contain_text("200 of 200 boxes are left for you.")
    expect(summary).to_contain_text("Read by one juror, waiting for another: 5.")
    expect(second.locator("#go-on")).to_have_text("Begin with 1–10")
    second.goto(visit.site.address + WALL)
    other.ready()
    # As the reading puts it, not as the first one ruled; nothing is marked as new or ruled.
    assert second.locator('[data-sheet="1"]').get_attribute("data-verdict") == "right"
    expect(second.locator(".flag")).to_have_count(0)
    second.keyboard.press("Enter")
    second.wait_for_url("**/wall/1/30")
    assert str(rulings.current(event)["1", "t1r1"]) == "disputed"
    assert str(rulings.current(event)["3", "t1r1"]) == "right"
    # Back on the wall the first one still sees their own verdict, and takes it back.
    first.goto(visit.site.address + WALL)
    visit.ready()
    assert first.locator('[data-sheet="1"]').get_attribute("data-verdict") == "wrong"
    second.goto(visit.site.address + "/disputes")
    answer = second.locator('[data-sheet="1"]').first
    expect(answer).to_contain_text("juror")
    expect(answer).to_contain_text("wrong")
    expect(answer).to_contain_text("chief")
    expect(answer).to_contain_text("right")
    first.keyboard.press("Control+z")
    expect(first.locator("#notices")).to_contain_text("is taken back")
    assert rulings.current(event) == {}
