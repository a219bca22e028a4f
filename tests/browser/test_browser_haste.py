"""Guards against what a tired hand does: a second press, "back" in mid-opening, work on without a network."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from small_event import page, pdf, scan, words
from spoiled import without_codes
from web_browser import Visit
from web_event import rule

from scoring.model import Verdict
from service import accounts, rulings
from service.accounts import Role
from service.settings import settings

pytestmark = pytest.mark.browser

WALL = "/wall/1/10"


@pytest.fixture
def without_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTBOR_READER", "none")
    settings.cache_clear()
    yield
    settings.cache_clear()


def _as_soon_as_it_changes(view: Page, selector: str, do: str, of: str) -> None:
    """Leave a watcher in the page: it does something with what `of` finds once all else is different."""
    view.evaluate(
        f"""() => {{
          const part = document.querySelector({selector!r});
          const before = part.textContent;
          const watch = new MutationObserver(() => {{
            const found = part.querySelector({of!r});
            if (part.textContent === before || !found) return;
            watch.disconnect();
            {do};
          }});
          watch.observe(part, {{ childList: true, subtree: true, characterData: true }});
        }}"""
    )


def test_who_loses_the_network_sees_it_before_confirming(visit: Visit) -> None:
    view = visit.sign_in(path=WALL)
    told = view.locator("#connection")
    view.context.set_offline(True)
    expect(told).to_contain_text("No connection to the server. Your marks are kept here")
    view.keyboard.press("w")
    view.keyboard.press("Enter")
    expect(view.locator("#notices .bad")).to_be_visible()
    view.context.set_offline(False)
    expect(told).to_contain_text("The connection is back")
    # What is no longer true is no longer said.
    expect(view.locator("#notices .bad")).to_have_count(0)
    visit.ready()
    view.keyboard.press("Enter")
    view.wait_for_url("**/wall/1/20")
    assert len(rulings.current(visit.site.event)) == 5


def test_a_session_that_was_ended_is_told_without_a_press(visit: Visit) -> None:
    view = visit.sign_in(path=WALL)
    accounts.end_sessions(visit.site.event, accounts.find(visit.site.event, "juror"))
    view.evaluate("window.dispatchEvent(new Event('online'))")  # as a tablet that wakes up
    told = view.locator("#connection")
    expect(told).to_contain_text("Your session has ended")
    told.get_by_role("link").click()
    assert view.url.endswith("/sign-in?next=%2Fwall%2F1%2F10")


def test_back_twice_ends_with_the_answers_of_the_address(visit: Visit) -> None:
    view = visit.sign_in(path=WALL)
    for following in ("20", "30"):
        view.locator("#following").click()
        view.wait_for_url(f"**/wall/1/{following}")
        visit.ready()

    def late(route: Route) -> None:
        answer = route.fetch()
        time.sleep(0.4)
        route.fulfill(response=answer)

    view.route("**/api/wall/1/20", late)
    with view.expect_response("**/api/wall/1/10"):
        view.evaluate("history.back(); setTimeout(() => history.back(), 100)")
    visit.ready()
    expect(view.locator("#nominal")).to_have_text("10")
    assert view.url.endswith(WALL)


def test_an_enlarged_answer_that_is_scrolled_away_does_not_cover_the_key(visit: Visit) -> None:
    view = visit.page
    view.set_viewport_size({"width": 420, "height": 460})
    visit.sign_in(path=WALL)
    view.keyboard.press("z")
    expect(view.locator("#lens")).to_be_visible()
    view.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(view.locator("#lens")).to_be_hidden()
    view.evaluate("scrollTo(0, 0)")
    expect(view.locator("#lens")).to_be_visible()


def test_a_second_press_is_not_for_the_dispute_that_came_into_its_place(visit: Visit) -> None:
    event = visit.site.event
    rule(event, "juror", *((sheet, "t1r1", Verdict.DISPUTED) for sheet in ("2", "4")))
    chief = visit.sign_in(Role.CHIEF, "/disputes")
    cards = chief.locator("article.group")
    expect(cards).to_have_count(2)
    expect(chief.locator("#unseen")).to_be_hidden()
    first = str(cards.first.locator("li.shot").get_attribute("data-sheet"))
    other = {"2": "4", "4": "2"}[first]
    key = "new KeyboardEvent('keydown', { key: 'r', code: 'KeyR', bubbles: true })"
    # The list changes first, then the page is told which group is chosen.
    do = f"setTimeout(() => found.dispatchEvent({key}), 60)"
    _as_soon_as_it_changes(chief, "#list", do, of="article.group")
    chief.keyboard.press("r")
    expect(cards).to_have_count(1)
    expect(chief.locator(".settling")).to_have_count(0)
    chief.keyboard.press("w")
    expect(chief.locator("#nothing")).to_be_visible()
    ruled = rulings.current(event)
    assert (ruled[first, "t1r1"], ruled[other, "t1r1"]) == (Verdict.RIGHT, Verdict.WRONG)


@pytest.mark.usefixtures("without_reader")
def test_a_second_press_is_not_for_the_page_that_came_to_the_desk_next(
    visit: Visit, tmp_path: Path
) -> None:
    late = [without_codes(page(number, words((3, 30)))) for number in (5, 2)]
    scan(visit.site.event, pdf(tmp_path / "late.pdf", late))
    view = visit.sign_in(Role.DESK, "/desk")
    expect(view.locator("#lead")).to_have_text("Pages that need a person: 2")
    aside = view.get_by_role("button", name="Set aside")
    expect(aside).to_be_visible()
    _as_soon_as_it_changes(view, "#detail", "found.click()", of=".tools button.quiet")
    aside.click()
    expect(view.locator("#lead")).to_have_text("Pages that need a person: 1")
    expect(view.locator(".settling")).to_have_count(0)
    view.fill("#player", "2")
    view.locator(".players button").first.click()
    expect(view.locator("#asks")).to_have_text("Sheet 2: which scan counts?")
    expect(view.locator("#aside-count")).to_have_text("1")


def test_a_form_is_sent_once_by_two_clicks(visit: Visit) -> None:
    view = visit.sign_in(Role.ORGANIZER, "/people")
    view.locator("#add-name").fill("Вера")
    view.locator("#add button").evaluate(
        "button => { for (const wait of [0, 5, 40]) setTimeout(() => button.click(), wait); }"
    )
    # A PIN drawn by lot is shown this once; a second answer would say that the name is taken.
    expect(view.locator(".pin")).to_be_visible()
