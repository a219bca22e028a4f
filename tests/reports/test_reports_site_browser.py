"""Guards against posted pages that work in a test of strings and not on a phone.

They are opened from the disk, as from a USB stick, in Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from own_sheets import key, own_page
from playwright.sync_api import Browser, Page, expect, sync_playwright

from otbor.i18n import speaking
from reports.codes import player_code, printed
from reports.site import site
from scoring.model import CategoryStandings, Standings

pytestmark = pytest.mark.browser

SECRET = b"a secret of the tests"
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), ""
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and CI must run the browser tests")
        pytest.skip("Chromium is not installed (on Debian: apt-get install chromium)")
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def event(
    category: Callable[..., CategoryStandings], standings: Callable[..., Standings]
) -> Standings:
    long = "Очень длинная категория: четвёртый — шестой класс и все, кто младше"
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2),
        category(long, 6, first_number=201, long_names=True, unconfirmed=2),
    )


@pytest.fixture(scope="module")
def stick(event: Standings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of posted pages."""
    folder = tmp_path_factory.mktemp("stick")
    rows = [event.categories[0].rows[0], event.categories[1].rows[0]]
    players = {player_code(SECRET, row.player.number): own_page(row) for row in rows}
    with speaking("ru"):
        files = site(event, number=1, date="1 мая", players=players, key=key())
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page; whatever the browser complains of, or fetches from elsewhere, fails the test."""
    contexts, troubles = [], []

    def open_(path: Path, width: int = 390, *, script: bool = True, dark: bool = False) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            java_script_enabled=script,
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("requestfailed", lambda request: troubles.append(request.url))
        page.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:")) or troubles.append(request.url)
            ),
        )
        page.goto(path.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not troubles


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_the_screen(
    width: int, dark: bool, visit: Callable[..., Page], stick: Path, event: Standings
) -> None:
    pages = [stick / "index.html", *sorted((stick / "p").glob("*.html"))]
    assert len(pages) == 4
    for path in pages:
        page = visit(path, width, dark=dark)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        ground, text = page.evaluate(
            "(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))"
        )
        assert (_light(ground) < _light(text)) is dark


def _light(colour: str) -> int:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


def _names(page: Page) -> list[str]:
    return page.locator(".standings tbody tr:not(.cut):visible td b").all_inner_texts()


def test_the_search_finds_name_number_and_school(
    visit: Callable[..., Page], stick: Path, event: Standings
) -> None:
    page = visit(stick / "index.html")
    rows = event.categories[0].rows
    row = rows[6]
    search = page.get_by_label("Поиск")
    search.fill(row.player.name.upper().replace("Ё", "Е"))
    found = [other.player.name for other in rows if other.player.name == row.player.name]
    assert _names(page) == found
    search.fill("7")
    # A number as a whole: player 7 and school 7, not 17.
    wanted = [
        other.player.name
        for other in rows
        if other.places
        and re.search(r"(?<!\d)7(?!\d)", f"{other.player.number} {other.player.school}")
    ]
    assert sorted(_names(page)) == sorted(wanted)
    search.fill("школа № 12")
    expect(page.locator("#found")).to_have_text(re.compile("Найдено: [1-9]"))
    search.fill("нет такого")
    expect(page.locator("#found")).to_have_text("Никого не нашлось")
    expect(page.locator("section:visible")).to_have_count(0)
    search.fill("")
    assert len(_names(page)) == 45 + 6


def test_columns_sort_and_the_line_is_hidden_meanwhile(
    visit: Callable[..., Page], stick: Path, event: Standings
) -> None:
    page = visit(stick / "index.html", 1280)
    usual = _names(page)
    table = page.locator(".standings").first
    table.get_by_role("button", name="участник").click()
    names = table.locator("tbody tr:not(.cut) td b").all_inner_texts()
    assert names == sorted(names, key=lambda name: name.lower().replace("ё", "е"))
    expect(table.locator(".cut")).to_be_hidden()
    table.get_by_role("button", name="очки").click()
    table.get_by_role("button", name="очки").click()
    scores = [
        int(text.replace("−", "-"))
        for text in table.locator("tbody tr:not(.cut) td.score").all_inner_texts()
    ]
    assert scores == sorted(scores) and len(scores) == 45
    table.get_by_role("button", name="место").click()
    expect(table.locator(".cut")).to_be_visible()
    assert _names(page) == usual


def test_the_code_from_the_blank_opens_the_own_page(
    visit: Callable[..., Page], stick: Path, event: Standings
) -> None:
    page = visit(stick / "index.html")
    row = event.categories[0].rows[0]
    code = player_code(SECRET, row.player.number)
    page.get_by_label("Моя страница").fill("K7QF")
    page.get_by_role("button", name="Открыть").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Моя страница").fill(f" {printed(code)} ")
    page.get_by_role("button", name="Открыть").click()
    expect(page.get_by_role("heading", name=row.player.name)).to_be_visible()
    assert page.url.endswith(f"/p/{code}.html")
    wide = page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert wide is True
    page.get_by_role("link", name="Все результаты").click()
    expect(page.get_by_role("heading", name="Младшая")).to_be_visible()


def test_all_results_are_there_without_the_script(
    visit: Callable[..., Page], stick: Path, event: Standings
) -> None:
    page = visit(stick / "index.html", script=False)
    assert len(_names(page)) == 45 + 6
    expect(page.get_by_label("Поиск")).to_be_hidden()
    expect(page.get_by_text("29 выходят наверняка")).to_be_visible()
