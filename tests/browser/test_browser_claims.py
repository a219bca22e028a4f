"""Guards against two tablets ruling on one wall, and against one that has to be reloaded to go on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from web_browser import Visit

from service import claims, rulings
from service.accounts import Role, accounts
from service.event import Event

pytestmark = pytest.mark.browser

WALL = "/wall/1/10"


@pytest.fixture
def chief(second_visit: Visit) -> Visit:
    return second_visit


def _open_as_second(visit: Visit, role: Role) -> Page:
    """Open the wall that somebody else is on."""
    page = visit.page
    page.goto(f"{visit.site.address}/sign-in?next={WALL}")
    page.fill("#name", role.value)
    page.fill("#pin", "271828")
    page.press("#pin", "Enter")
    expect(page.locator("#notices")).to_contain_text("is on this question now")
    return page


def _held(event: Event) -> dict[str, str]:
    return {box: claim.name for box, claim in claims.held(event).items()}


def test_the_second_one_looks_and_may_rule_when_the_first_goes_on(
    visit: Visit, chief: Visit
) -> None:
    first, event = visit.sign_in(path=WALL), visit.site.event
    assert _held(event) == {"t1r1": "juror"}
    second = _open_as_second(chief, Role.ORGANIZER)
    expect(second.locator("#unseen")).to_be_hidden()
    for key in ("w", "Space", "b", "d", "Enter"):
        second.keyboard.press(key)
    second.locator('[data-sheet="1"] .sign').click()
    assert second.locator('[data-sheet="1"]').get_attribute("data-verdict") == "right"
    expect(second.locator("#confirm")).to_be_disabled()
    second.keyboard.press("z")  # looking is free
    expect(second.locator("#lens")).to_be_visible()
    assert rulings.current(event) == {}
    first.keyboard.press("Enter")
    first.wait_for_url("**/wall/1/20")
    # The second page hears of it by itself.
    expect(second.locator("#notices")).to_contain_text("yours now")
    chief.ready()
    assert _held(event) == {"t1r1": "organizer", "t1r2": "juror"}
    second.keyboard.press("w")
    second.keyboard.press("Enter")
    second.wait_for_url("**/wall/1/30")  # not the one where the first is
    assert str(rulings.current(event)["1", "t1r1"]) == "wrong"


def test_the_chief_takes_over_and_the_juror_is_told(visit: Visit, chief: Visit) -> None:
    first, event = visit.sign_in(path=WALL), visit.site.event
    first.keyboard.press("w")
    second = _open_as_second(chief, Role.CHIEF)
    second.get_by_role("button", name="Take over").click()
    chief.ready()
    assert _held(event) == {"t1r1": "chief"}
    expect(first.locator("#notices")).to_contain_text("chief is on this question now")
    expect(first.locator("#confirm")).to_be_disabled()
    # The marks are still there, though nobody can confirm them.
    assert first.locator('[data-sheet="1"]').get_attribute("data-verdict") == "wrong"
    first.get_by_role("button", name="Next free question").click()
    first.wait_for_url("**/wall/1/20")
    visit.ready()
    second.keyboard.press("Enter")
    second.wait_for_url("**/wall/1/30")
    assert {entry.by for entry in rulings.history(event)} == {"chief"}


def test_leaving_frees_the_wall_and_the_home_page_shows_who_is_where(
    visit: Visit, chief: Visit
) -> None:
    watching = chief.sign_in(Role.ORGANIZER)
    here = watching.locator('[data-question="1-10"] .here')
    expect(here).to_be_hidden()
    first = visit.sign_in(path=WALL)
    expect(here).to_have_text("juror")
    first.goto(visit.site.address + "/")
    expect(here).to_be_hidden()
    assert _held(visit.site.event) == {}


def test_a_claim_that_ran_out_is_taken_up_again(visit: Visit) -> None:
    """A tablet that slept longer than the claim lasts confirms all the same, if nobody came meanwhile."""
    page, event = visit.sign_in(path=WALL), visit.site.event
    juror = next(one for one in accounts(event) if one.role is Role.JUROR)
    claims.release(event, "t1r1", juror)
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert len(rulings.current(event)) == 5
