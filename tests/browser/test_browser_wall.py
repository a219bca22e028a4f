"""Guards against a wall that looks right and records something else: keys, mouse, touch in real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from web_browser import PATIENCE_MS, Visit
from web_event import PIN, read_as, rule

from scoring.model import Verdict
from service import accounts, rulings
from service.accounts import Role
from service.event import Event
from service.web import keys

pytestmark = pytest.mark.browser

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED
WALL = "/wall/1/10"


def _ruled(event: Event, box: str = "t1r1") -> dict[str, Verdict]:
    return {sheet: v for (sheet, key), v in rulings.current(event).items() if key == box}


def _shown(page: Page) -> dict[str, str | None]:
    """What the wall shows for every sheet."""
    tiles = page.locator("li[data-sheet]").all()
    return {str(t.get_attribute("data-sheet")): t.get_attribute("data-verdict") for t in tiles}


def _keys(page: Page, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


def _tab_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus."""
    target = page.locator(selector)
    for _press in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


def _cursor(page: Page) -> str | None:
    return page.locator("li.cursor").get_attribute("data-sheet")


def test_a_whole_wall_by_keyboard_alone(visit: Visit) -> None:
    page, event = visit.page, visit.site.event
    page.goto(visit.site.address)
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type("juror")
    page.keyboard.press("Tab")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(visit.site.address + "/")
    _tab_to(page, "#go-on")
    page.keyboard.press("Enter")
    page.wait_for_url(visit.site.address + WALL)
    visit.ready()
    # The order of the jury: sheets 1 and 3 with the answer, 4 and 2 with others, then the blank 5.
    assert list(_shown(page)) == ["1", "3", "4", "2", "5"]
    assert _cursor(page) == "1"
    _keys(page, "ArrowRight", "ArrowRight", "b")  # the boundary after sheet 4
    _keys(page, "Home", "Space")  # sheet 1 is wrong all the same
    _keys(page, "ArrowRight", "d")  # sheet 3 to the chief
    _keys(page, "End", "Space", "w")  # something is written on sheet 5, and it is wrong
    expected = {"1": WRONG, "3": DISPUTED, "4": RIGHT, "2": WRONG, "5": WRONG}
    assert _shown(page) == expected
    assert rulings.current(event) == {}
    page.keyboard.press("Enter")
    page.wait_for_url(visit.site.address + "/wall/1/20")
    assert _ruled(event) == expected
    expect(page.locator("#notices")).to_contain_text("1–10 is confirmed")
    expect(page.locator("#left")).to_contain_text("195")
    # One undo takes the confirmation back and brings the marks again, the next ones go on from there.
    visit.ready()
    page.keyboard.press("Control+z")
    page.wait_for_url(visit.site.address + WALL)
    expect(page.locator("#notices")).to_contain_text("taken back")
    assert rulings.current(event) == {}
    assert _shown(page) == expected
    _keys(page, "Control+z", "Control+z", "Control+z")
    assert _shown(page) == expected | {"3": RIGHT, "5": BLANK}
    visit.ready()
    page.keyboard.press("Enter")
    page.wait_for_url(visit.site.address + "/wall/1/20")
    assert _ruled(event) == expected | {"3": RIGHT, "5": BLANK}


def test_two_presses_of_enter_do_not_confirm_a_wall_nobody_saw(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    _keys(page, "Enter", "Enter", "Enter", "Enter")
    page.wait_for_url("**/wall/1/20")
    _keys(page, "Enter")
    visit.ready()
    assert len(_ruled(visit.site.event)) == 5
    assert len(rulings.current(visit.site.event)) == 5


def test_verdicts_by_letter_and_digit(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    for key, verdict in [
        ("w", "wrong"),
        ("r", "right"),
        ("2", "wrong"),
        ("1", "right"),
        ("3", "disputed"),
        ("d", "right"),
        ("0", "blank"),
        ("0", "right"),
        ("Space", "wrong"),
        ("Space", "right"),
    ]:
        page.keyboard.press(key)
        assert _shown(page)["1"] == verdict, key
    _keys(page, "w", "e")
    assert _shown(page)["3"] == "wrong"  # the same reading
    assert _shown(page)["4"] == "wrong"
    _keys(page, "Home", "[")
    assert page.locator("#written > li").first.get_attribute("class") == "boundary"


def test_an_exception_stays_when_the_boundary_passes_it(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    _keys(page, "w", "End", "ArrowLeft", "b")
    assert _shown(page) == {"1": "wrong", "3": "right", "4": "right", "2": "right", "5": "blank"}
    _keys(page, "Home", "[", "End", "ArrowLeft", "]")
    assert _shown(page)["1"] == "wrong"


def test_moving_looking_and_help(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    _keys(page, "ArrowRight")
    assert _cursor(page) == "3"
    _keys(page, "ArrowDown", "ArrowDown", "ArrowDown")
    assert _cursor(page) == "5"
    _keys(page, "Home", "z")
    expect(page.locator("#lens")).to_be_visible()
    _keys(page, "Escape")
    expect(page.locator("#lens")).to_be_hidden()
    _keys(page, "x")
    picture = page.locator("#around-picture")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 800
    _keys(page, "Enter")  # belongs to the dialog, confirms nothing
    expect(page.locator("#around")).to_be_hidden()
    _keys(page, "?")
    shown = page.locator("#help [data-action-help]").count()
    assert shown == sum(len(group.bindings) for group in keys.groups())
    _keys(page, "Escape", "+")
    expect(page.locator("#answers")).to_have_attribute("data-size", "3")
    _keys(page, "n")
    page.wait_for_url("**/wall/1/20")
    page.go_back()
    page.wait_for_url("**" + WALL)
    visit.ready()
    assert rulings.current(visit.site.event) == {}


def test_keys_mean_the_same_under_a_russian_layout(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    named = """async ([key, code, shift, ctrl]) => {
      const { keyName } = await import("/static/wall/keyboard.js");
      const init = { key, code, shiftKey: shift, ctrlKey: ctrl };
      return keyName(new KeyboardEvent("keydown", init));
    }"""
    for key, code, shift, ctrl, name in [
        ("к", "KeyR", False, False, "r"),
        ("К", "KeyR", True, False, "r"),
        ("R", "KeyR", True, False, "r"),
        ("ъ", "BracketRight", False, False, "]"),
        ("х", "BracketLeft", False, False, "["),
        ("я", "KeyZ", False, True, "Ctrl+z"),
        ("?", "Digit7", True, False, "?"),
        (",", "Slash", True, False, "?"),
        (" ", "Space", False, False, "Space"),
        ("=", "Equal", False, False, "+"),
        ("3", "Numpad3", False, False, "3"),
        ("ArrowUp", "ArrowUp", False, False, "ArrowUp"),
    ]:
        assert page.evaluate(named, [key, code, shift, ctrl]) == name
    press = """([key, code]) => document.activeElement.dispatchEvent(
      new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }))"""
    page.evaluate(press, ["ц", "KeyW"])
    assert _shown(page)["1"] == "wrong"


def test_the_same_by_mouse(visit: Visit) -> None:
    page, event = visit.sign_in(path=WALL), visit.site.event
    page.click('[data-sheet="1"] .sign')
    assert _shown(page)["1"] == "wrong"
    page.click('[data-sheet="4"] .crop')
    page.click('[data-action="boundary_after"]')
    assert _shown(page)["4"] == "right"
    page.click('[data-sheet="5"] .crop')
    assert _shown(page)["5"] == "undecided"
    page.click("#confirm")
    expect(page.locator("#notices")).to_contain_text("has no verdict yet")
    assert rulings.current(event) == {}
    page.click('[data-action="mark_blank"]')
    page.click('[data-sheet="2"] .crop')
    page.click('[data-action="mark_disputed"]')
    page.click('[data-action="undo"]')
    assert _shown(page) == {"1": "wrong", "3": "right", "4": "right", "2": "wrong", "5": "blank"}
    page.click("#confirm")
    page.wait_for_url("**/wall/1/20")
    assert _ruled(event) == {"1": WRONG, "3": RIGHT, "4": RIGHT, "2": WRONG, "5": BLANK}


def test_one_click_with_shift_or_ctrl_does_what_is_done_most(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    sheets = [
        str(t.get_attribute("data-sheet")) for t in page.locator("#written li[data-sheet]").all()
    ]
    page.locator(f"#written li[data-sheet='{sheets[2]}'] .crop").click(modifiers=["Control"])
    assert [_shown(page)[sheet] for sheet in sheets] == ["right", "right", "right", "wrong"]
    page.locator(f"#written li[data-sheet='{sheets[1]}'] .crop").click(modifiers=["Shift"])
    assert [_shown(page)[sheet] for sheet in sheets] == ["right", "blank", "right", "wrong"]
    _keys(page, "Control+z", "Control+z")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert BLANK not in {_ruled(visit.site.event)[sheet] for sheet in sheets}


def test_the_boundary_can_be_dragged(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    grip = page.locator(".boundary").bounding_box()
    tile = page.locator('[data-sheet="2"]').bounding_box()
    assert grip and tile
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(tile["x"] + 10, tile["y"] + 20, steps=4)
    expect(page.locator('[data-sheet="2"]')).to_have_class(re.compile("drop-before"))
    page.mouse.up()
    assert _shown(page) == {"1": "right", "3": "right", "4": "right", "2": "wrong", "5": "blank"}


def _other_juror(event: Event) -> None:
    rule(event, "other", ("2", "t1r1", RIGHT))


def test_a_wall_that_changed_is_loaded_again_with_its_marks(visit: Visit) -> None:
    page, event = visit.sign_in(path=WALL), visit.site.event
    _keys(page, "w")
    _other_juror(event)
    # Either the page has heard of it already, or the server refuses; both offer the same way on.
    page.keyboard.press("Enter")
    notice = page.locator("#notices")
    expect(notice).to_contain_text("has changed since you opened it")
    assert _ruled(event) == {"2": RIGHT}
    notice.get_by_role("button", name="Load again").click()
    visit.ready()
    assert _shown(page)["1"] == "wrong"
    assert _shown(page)["2"] == "right"
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert _ruled(event)["1"] is WRONG


def test_a_change_by_others_is_told_while_one_looks(visit: Visit) -> None:
    page = visit.sign_in(path=WALL)
    expect(page.locator("#left")).to_contain_text("200")
    _other_juror(visit.site.event)
    expect(page.locator("#notices")).to_contain_text("has changed since you opened it")
    expect(page.locator("#left")).to_contain_text("199")
    expect(page.locator("#confirm")).to_be_disabled()


def test_the_home_page_follows_the_work(visit: Visit) -> None:
    page = visit.sign_in(Role.ORGANIZER)
    cell = page.locator('[data-question="1-10"]')
    expect(cell).to_have_attribute("data-state", "open")
    rule(visit.site.event, "other", *((sheet, "t1r1", RIGHT) for sheet in "12345"))
    expect(cell).to_have_attribute("data-state", "done")
    expect(page.locator("#summary")).to_contain_text("195 of 200")


def test_a_session_that_ends_in_mid_wall_loses_no_marks(visit: Visit) -> None:
    page, event = visit.sign_in(path=WALL), visit.site.event
    _keys(page, "w", "ArrowRight", "d")
    for account in accounts.accounts(event):
        accounts.end_sessions(event, account)
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("Your session has ended")
    page.click("#notices a")
    page.fill("#name", "juror")
    page.fill("#pin", PIN)
    page.press("#pin", "Enter")
    page.wait_for_url("**" + WALL)
    visit.ready()
    expect(page.locator("#notices")).to_contain_text("have been kept")
    assert _shown(page)["1"] == "wrong"
    assert _shown(page)["3"] == "disputed"
    assert _cursor(page) == "3"
    assert rulings.current(event) == {}
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall/1/20")
    assert _ruled(event)["1"] is WRONG
    assert _ruled(event)["3"] is DISPUTED


def test_a_lost_connection_loses_no_marks(visit: Visit) -> None:
    page, event = visit.sign_in(path=WALL), visit.site.event
    _keys(page, "w")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("does not answer")
    assert _shown(page)["1"] == "wrong"
    page.context.set_offline(False)
    visit.ready()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_url("**/wall/1/20")
    assert _ruled(event)["1"] is WRONG


def test_what_a_player_wrote_is_never_taken_for_html(visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)><b>"
    read_as(visit.site.event, "1", "t1r1", evil)
    page = visit.sign_in(path=WALL)
    expect(page.locator('[data-sheet="1"] .reading')).to_have_text(evil)
    assert page.locator('[data-sheet="1"] img').count() == 1


def test_the_last_question_says_that_all_is_done(visit: Visit) -> None:
    event = visit.site.event
    for question in event.key().questions():
        box = f"t{question.theme}r{question.row}"
        if box != "t1r1":
            rule(event, "other", *((sheet, box, BLANK) for sheet in "12345"))
    page = visit.sign_in(path=WALL)
    page.keyboard.press("Enter")
    expect(page.locator("#notices")).to_contain_text("Every question is ruled on")
    page.click("#notices a")
    page.wait_for_url(visit.site.address + "/")
    expect(page.locator("#summary")).to_contain_text("All 200 boxes")


def test_a_phone_shows_everything_and_is_pressed_with_a_finger(phone: Visit) -> None:
    page, event = phone.sign_in(Role.ORGANIZER), phone.site.event
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in ("/", "/standings", "/pages", WALL):
        page.goto(phone.site.address + path)
        assert page.locator("html").get_attribute("lang") == "ru"
        assert page.evaluate(f"() => {wide}") == 0, path
    phone.ready()
    for button in page.locator(".bar button:visible, .tile .sign, .steps a").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 43.5, button.get_attribute("class")
    page.locator('[data-sheet="1"] .sign').tap()
    assert _shown(page)["1"] == "wrong"
    page.locator('[data-sheet="3"] .crop').tap()
    page.locator('[data-action="mark_disputed"]').tap()
    while page.locator("#unseen").is_visible():
        page.locator("#unseen").tap()
        visible_now = page.locator("#unseen").text_content()
        expect(page.locator("#unseen")).not_to_have_text(str(visible_now))
    page.locator("#confirm").tap()
    page.wait_for_url("**/wall/1/20", timeout=PATIENCE_MS)
    assert _ruled(event) == {"1": WRONG, "3": DISPUTED, "4": WRONG, "2": WRONG, "5": BLANK}


@pytest.mark.parametrize("path", ["/", WALL, "/standings", "/pages", "/sign-in"])
def test_every_picture_and_control_has_a_name(visit: Visit, path: str) -> None:
    page = visit.sign_in(Role.ORGANIZER)
    page.goto(visit.site.address + path)
    if path == WALL:
        visit.ready()
    missing = page.evaluate(
        """() => [...document.querySelectorAll("img, button, a, input:not([type=hidden])")]
          .filter((one) => one.checkVisibility())
          .filter((one) => one.matches("img") ? !one.alt
            : !(one.ariaLabel || one.labels?.length || one.textContent.trim()
                || one.querySelector("img[alt]")))
          .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert missing == []
