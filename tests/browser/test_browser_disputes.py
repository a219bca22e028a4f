"""Guards the way of a doubt in real Chromium: from a juror's remark to the chief's ruling and the key."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from web_browser import Site, Visit
from web_event import read_as, rule

from scoring.model import Verdict
from service import key_changes, rulings
from service.accounts import Role
from service.web import dispute_keys

pytestmark = pytest.mark.browser

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
REMARK = "<b>лишнее</b> & «слово»"


def _ruled(site: Site) -> dict[str, Verdict]:
    return {s: v for (s, box), v in rulings.current(site.event).items() if box == "t1r1"}


@pytest.fixture
def equal(site: Site) -> Site:
    """Sheets 2 and 4 read the same."""
    read_as(site.event, "2", "t1r1", "что-то")
    return site


def test_a_doubt_goes_to_the_chief_and_into_the_key(
    equal: Site, visit: Visit, second_visit: Visit
) -> None:
    chief = second_visit.sign_in(Role.CHIEF, "/disputes")
    expect(chief.locator("#nothing")).to_be_visible()

    # A juror flips one answer; the same verdict is offered for the equal one.
    page = visit.sign_in(path="/wall/1/10")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")  # before the blank: the last written answer
    sheet = page.locator("li.cursor").get_attribute("data-sheet")
    assert sheet in {"2", "4"}
    page.keyboard.press("c")
    page.locator("#remark [data-phrase]").first.click()
    page.locator("#remark-text").fill(REMARK)
    page.locator("#remark-form").fill("что-то там")
    page.keyboard.press("Enter")
    note = page.locator(f'li[data-sheet="{sheet}"] .note')
    expect(note).to_have_text(f"✎ {REMARK} · + что-то там")
    expect(page.locator("#notices")).to_contain_text("marked otherwise: 1")
    page.keyboard.press("ArrowRight")  # who goes on has declined
    expect(page.locator("#notices .notice")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("e")
    expect(page.locator('li[data-verdict="disputed"]')).to_have_count(2)

    # Without the network nothing is lost, and the remark is still there after a reload.
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator("#notices .bad")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    visit.ready()
    expect(note).to_contain_text("лишнее")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert [_ruled(equal)[one] for one in "24"] == [DISPUTED, DISPUTED]

    # It arrives on the chief's page by itself, equal answers together, the words as they were typed.
    card = chief.locator("article.group")
    expect(card).to_have_count(1)
    expect(card.locator("li.shot")).to_have_count(2)
    expect(card.locator(".remark").first).to_have_text(REMARK)
    expect(chief.locator("#unseen")).to_be_hidden()
    # The reading is mended, what changes is shown, then all of it is done in one step.
    chief.keyboard.press("k")
    expect(chief.locator("#to-key-text")).to_have_value("что-то там")
    chief.locator("#to-key-text").fill("что-то")
    expect(chief.locator("#to-key-table")).to_contain_text("Петров-Водкин")
    chief.locator("#to-key-add").click()
    expect(chief.locator("#notices")).to_contain_text("is in the key")
    assert [_ruled(equal)[one] for one in "24"] == [RIGHT, RIGHT]
    assert equal.event.key().question(1, 10).accepted == ("что-то",)
    expect(chief.locator("#added li")).to_have_count(1)
    chief.keyboard.press("Control+z")
    expect(card.locator("li.shot")).to_have_count(2)
    assert equal.event.key().question(1, 10).accepted == ()
    # One of the two is taken out of the group; the other one is ruled on by one key.
    chief.keyboard.press("ArrowRight")
    chief.keyboard.press("Space")
    chief.keyboard.press("Space")  # wrong
    chief.keyboard.press("r")
    expect(chief.locator("#nothing")).to_be_visible()
    assert sorted(_ruled(equal)[one] for one in "24") == [RIGHT, WRONG]


def test_an_open_wall_tells_of_a_changed_key_while_one_looks(equal: Site, visit: Visit) -> None:
    page = visit.sign_in(path="/wall/1/10")
    key_changes.add_form(equal.event, 1, 10, "что-то", accepted=True, who="chief")
    expect(page.locator("#notices .warn")).to_contain_text("changed since you opened it")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#notices button", has_text="Load again").click()
    expect(page.locator("#key-accepted")).to_have_text("что-то")
    visit.ready()


def test_the_chiefs_page_on_a_phone_by_finger(equal: Site, phone: Visit) -> None:
    rule(equal.event, "juror", *((sheet, "t1r1", DISPUTED) for sheet in "24"))
    page = phone.sign_in(Role.CHIEF, "/disputes")
    card = page.locator("article.group")
    expect(card).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for selector in (".rule", "li.shot .sign", ".bar-tools button", "[data-act=to_key]"):
        for box in [one.bounding_box() for one in page.locator(selector).all()]:
            assert box is not None
            assert min(box["width"], box["height"]) >= 44, (selector, box)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("img, button, a, input")]
          .filter((one) => one.checkVisibility())
          .filter((one) => one.matches("img") ? !one.alt
            : !(one.ariaLabel || one.labels?.length || one.textContent.trim()
                || one.querySelector("img[alt]")))
          .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert unnamed == []
    card.locator("li.shot").last.scroll_into_view_if_needed()
    expect(page.locator("#unseen")).to_be_hidden()
    card.locator(".rule.wrong").tap()
    expect(page.locator("#nothing")).to_be_visible()
    assert [_ruled(equal)[one] for one in "24"] == [WRONG, WRONG]
    page.locator("#notices button", has_text="отменить").tap()
    expect(card.locator("li.shot")).to_have_count(2)
    assert [_ruled(equal)[one] for one in "24"] == [DISPUTED, DISPUTED]


def test_every_key_of_the_chiefs_page_does_what_its_help_says(equal: Site, visit: Visit) -> None:
    page = visit.sign_in(Role.CHIEF, "/disputes")
    page.keyboard.press("?")
    shown = {
        str(row.get_attribute("data-action-help"))
        for row in page.locator("[data-action-help]").all()
    }
    assert shown == {b.action for group in dispute_keys.groups() for b in group.bindings}
    source = (page.request.get(f"{equal.address}/static/disputes/main.js")).text()
    for action in shown:
        assert f"      {action}: ()" in source, action
