"""Guards the desk as people use it: a number typed, corners pointed at, with the real page between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from small_event import page, pdf, scan, words
from spoiled import marks, without_codes, without_marks
from web_browser import Visit

from service import answers
from service.accounts import Role
from service.event import Event
from service.settings import settings

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def without_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OTBOR_READER", "none")
    settings.cache_clear()
    yield
    settings.cache_clear()


def _written(event: Event, sheet: str) -> set[tuple[int, int]]:
    return {
        (a.theme, a.nominal)
        for a in answers.all_answers(event)
        if a.ink == "written" and a.sheet == sheet
    }


def _point(view: Page, place: tuple[float, float]) -> None:
    picture = view.locator(".frame img")
    box = picture.bounding_box()
    assert box is not None
    picture.click(
        position={"x": place[0] * box["width"], "y": place[1] * box["height"]}, force=True
    )


def test_a_page_is_named_and_another_one_marked_by_keyboard_and_mouse(
    visit: Visit, tmp_path: Path
) -> None:
    event = visit.site.event
    # The pages of 5 and 2 were lost and are scanned anew, without code and upside down without marks.
    upside_down = without_marks(page(2, words((4, 40)))).transpose(Image.Transpose.ROTATE_180)
    late = [without_codes(page(5, words((3, 30)))), upside_down]
    scan(event, pdf(tmp_path / "late.pdf", late))
    view = visit.sign_in(Role.DESK, "/desk")
    expect(view.locator("#lead")).to_have_text("Pages that need a person: 2")
    expect(view.locator("#player")).to_be_focused()
    view.keyboard.type("ли су")
    expect(view.locator(".players .chosen")).to_contain_text("Ли Су")
    view.keyboard.press("Enter")
    # The next page opens by itself.
    expect(view.locator("#asks")).to_contain_text("where are the corners?")
    picture = view.locator(".frame img")
    expect(picture).to_have_js_property("complete", True)
    view.get_by_role("button", name="Turn right").click()
    view.get_by_role("button", name="Turn right").click()
    expect(picture).to_have_attribute("src", re.compile("turn=180"))
    expect(picture).to_have_js_property("complete", True)
    for place in (marks(off_mm=2)[index] for index in (2, 0, 3, 1)):
        _point(view, place)
    expect(view.get_by_text("Points: 4 of 4")).to_be_visible()
    view.get_by_role("button", name="Read again").click()
    expect(view.locator("#toast")).to_have_text("The page is read.", timeout=60_000)
    # Both sheets are here already with other answers: a person is asked which scan counts.
    for sheet, differing, written in (("5", 1, {(3, 30)}), ("2", 3, {(4, 40)})):
        expect(view.locator("#asks")).to_have_text(f"Sheet {sheet}: which scan counts?")
        expect(view.locator(".pair.differs")).to_have_count(differing)
        view.get_by_role("button", name="This one counts").click()
        expect(view.get_by_role("heading", name=f"Sheet {sheet}:")).to_have_count(0)
        assert _written(event, sheet) == written
    expect(view.locator("#lead")).to_have_text("No page needs a person.")
    expect(view.locator("#done-count")).to_have_text("4")


def test_files_are_chosen_on_a_phone_and_taken_in(phone: Visit, tmp_path: Path) -> None:
    picture = tmp_path / "image.png"
    without_codes(page(5, words((3, 30)))).save(picture)
    view = phone.sign_in(Role.DESK, "/desk")
    view.set_input_files("#files", picture)
    item = view.locator(".item")
    expect(item).to_be_visible(timeout=120_000)
    expect(view.locator("#jobs")).to_contain_text("бланк без кода: 1")
    item.tap()
    view.fill("#player", "5")
    view.locator(".players button").first.tap()
    expect(view.locator("#toast")).to_contain_text("Готово")
    assert view.evaluate("document.documentElement.scrollWidth") <= 390
