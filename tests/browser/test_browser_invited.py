"""Guards against a juror who stands in the hall with a slip and cannot come in."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from web_browser import Visit

from reports.codes import printed
from service import accounts, invitations, kept_from
from service.accounts import Role

pytestmark = pytest.mark.browser


def test_a_slip_leads_from_a_phone_to_the_first_wall(phone: Visit) -> None:
    event, page, address = phone.site.event, phone.page, phone.site.address
    code = printed(invitations.make(event, Role.JUROR, who="organizer")[0].code)
    page.goto(f"{address}/invited/{code}")
    expect(page.locator("h1")).to_have_text("Вас приглашают: член жюри")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(f"() => {wide}") == 0
    for control in page.locator("main input:not([type=hidden]), main button").all():
        box = control.bounding_box()
        assert box and box["height"] >= 43.5, control.get_attribute("name")
    page.fill("#name", "Анна Ёлкина")
    page.fill("#pin", "велосипед")
    page.fill("#again", "велосипет")
    page.locator("button.primary").tap()
    expect(page.locator("[role=alert]")).to_contain_text("не совпадают")
    expect(page.locator("#name")).to_have_value("Анна Ёлкина")
    page.fill("#pin", "велосипед")
    page.fill("#again", "велосипед")
    page.locator("button.primary").tap()
    page.wait_for_url(address + "/")
    kept_from.keep(event, "Анна Ёлкина", players=[1], who="organizer")
    page.locator("#go-on").tap()
    page.wait_for_url("**/wall/1/10")
    phone.ready()
    expect(page.locator("#left")).to_contain_text("не для вас: 1")
    assert page.locator('[data-sheet="1"]').count() == 0
    assert page.locator('[data-sheet="2"]').count() == 1
    # The slip in somebody else's hands opens nothing.
    page.goto(f"{address}/invited/{code}")
    expect(page.locator("h1")).to_contain_text("уже вошли")
    # Next day the person signs in by name and PIN.
    accounts.end_sessions(event, accounts.find(event, "Анна Ёлкина"))
    page.goto(address)
    page.fill("#name", "анна елкина")
    page.fill("#pin", "велосипед")
    page.press("#pin", "Enter")
    page.wait_for_url(address + "/")
    expect(page.locator("#go-on")).to_be_visible()
    # The browser notes the refusals that were asked for here, and may complain of nothing else.
    phone.complaints[:] = [text for text in phone.complaints if "Failed to load" not in text]
