"""Guards the way of an appeal as people go it: a phone in the corridor, then the chief's screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from appeal_event import publish, rule_on_all
from playwright.sync_api import expect
from web_browser import Site, Visit

from reports.codes import printed
from service import appeal_log, appeals, player_codes, results
from service.accounts import Role
from service.event import Event

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def published(site: Site, tmp_path: Path) -> None:
    """What is served: everything ruled on and published."""
    rule_on_all(site.event, tmp_path)
    publish(site.event)


def _score(event: Event, number: int) -> int:
    return next(
        row.score
        for part in results.event_standings(event).categories
        for row in part.rows
        if row.player.number == number
    )


def test_from_the_strip_of_the_blank_to_the_decision(phone: Visit, visit: Visit) -> None:
    event, address = phone.site.event, phone.site.address
    code = player_codes.codes(event)[2]
    page = phone.page
    page.goto(f"{address}/p")
    # As a child types it with a Russian keyboard.
    page.fill("#code", printed(code).replace("A", "А").replace("K", "К").replace("-", " "))
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/p/{code}")
    expect(page.locator("h1")).to_have_text("Петров-Водкин Кузьма")
    expect(page.locator(".countdown")).to_have_text(re.compile(r"осталось (30:00|29:\d\d)"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    targets = page.locator(".do a, main button, .top a").all()
    for target in targets[:8]:
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44, target.inner_text()
    page.locator('a[href$="/appeal/1/10"]').tap()
    picture = page.locator(".large img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 100
    page.fill("#text", "«Мимо» — тоже верно")
    expect(page.locator("#count")).to_have_text("19 из 500 знаков")
    page.locator("form button.primary").tap()
    page.wait_for_url(f"{address}/p/{code}#appeals")
    expect(page.locator(".filed .state")).to_have_text("ждёт решения жюри")
    [appeal] = appeal_log.appeals(event)

    screen = visit.sign_in(Role.CHIEF, "/appeals")
    expect(screen.locator('a [data-waiting="appeals"]')).to_have_text("1")
    screen.locator("a.button.primary", has_text="Decide").click()
    screen.wait_for_url(f"{address}/appeals/{appeal.id}")
    right = screen.locator(".way.right")
    expect(right).to_contain_text("2 verdicts change")
    # The equal answer of another player is taken out: the effect follows by itself, the reason stays.
    screen.fill("#why", "засчитать")
    screen.locator('input[type="checkbox"][value="4"]').uncheck()
    expect(right).not_to_contain_text("2 verdicts change")
    expect(right).to_contain_text("+20")
    expect(screen.locator("#why")).to_have_value("засчитать")
    # Everything in view long enough to count as seen.
    expect(screen.locator(".others li.seen")).to_be_visible()
    right.locator("button").click()
    screen.wait_for_url(f"{address}/appeals?done={appeal.id}")
    assert (_score(event, 2), _score(event, 4)) == (30, 40)
    page.reload()
    expect(page.locator(".filed .state")).to_have_text("принята")
    expect(page.locator(".filed .why")).to_contain_text("засчитать")
    screen.get_by_role("button", name="Undo").click()
    screen.wait_for_url(f"{address}/appeals/{appeal.id}")
    assert _score(event, 2) == 10


def test_the_time_runs_out_before_the_players_eyes(
    phone: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    event: Event = phone.site.event
    window = appeals.current_window(event)
    assert window is not None
    assert window.closes is not None
    now = window.closes - 1.5
    monkeypatch.setattr("service.appeals.clock", lambda: now)
    code = player_codes.codes(event)[1]
    phone.page.goto(f"{phone.site.address}/p/{code}")
    expect(phone.page.locator(".until")).to_have_text("Время апелляций истекло.")
    expect(phone.page.locator('a[href$="/appeal/1/20"]')).to_be_hidden()
