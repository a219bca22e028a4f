"""Guards the page of the final in a real browser: a stake corrected, confirmed, judged, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from final_event import before_the_final, scan_finals
from playwright.sync_api import Browser, expect
from web_browser import Visit, served, window

from service import final_entries, finals
from service.accounts import Role


@pytest.fixture
def final_visit(chromium: Browser, tmp_path: Path) -> Iterator[Visit]:
    """A window on an event whose final sheets have been scanned."""
    with before_the_final(tmp_path) as event:
        scan_finals(event, {1: ("20", "Волга"), 2: ("  45", "Кама")})
        with served(event) as site, window(chromium, site) as made:
            yield made


def test_from_the_first_stake_to_the_winner(final_visit: Visit) -> None:
    event = final_visit.site.event
    page = final_visit.sign_in(Role.CHIEF, "/final")
    first, second = page.locator(".stake").nth(0), page.locator(".stake").nth(1)
    # The doubtful one first: 45 of a sum of 30.
    expect(first.locator(".check")).to_have_text("too high")
    expect(page.locator("#confirm-sure")).to_have_text("Confirm the sure ones: 1")
    field = first.locator(".entry input")
    field.fill("30")
    expect(first.locator(".check")).to_have_text("allowed")
    field.press("Enter")
    expect(page.locator("#stakes-state")).to_have_text("not confirmed: 1 of 2")
    page.locator("#confirm-sure").click()
    expect(page.locator("#stakes-state")).to_have_text("all 2 confirmed")
    assert {n: s.stakes for n, s in final_entries.sheets(event).items()} == {1: (20,), 2: (30,)}
    expect(second.locator(".done")).to_be_visible()

    page.get_by_role("link", name="Judge the final answers").click()
    page.wait_for_url("**/wall/0/0")
    final_visit.ready()
    expect(page.locator("#written .tile")).to_have_count(2)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="To the final").first.click()
    page.wait_for_url("**/final")
    expect(page.locator("#outcome")).to_contain_text("Winner: Ёжиков Ёж (1).")
    assert finals.finals(event, "младшие")[0].result.winner == 1

    page.locator("#undo").click()
    expect(page.locator("#stakes-state")).to_have_text("not confirmed: 1 of 2")
    expect(page.locator("#outcome")).not_to_contain_text("Winner")
