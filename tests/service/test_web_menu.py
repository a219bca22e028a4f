"""The head of every page.

Guards against a part that nobody can reach from the menu, a part offered to somebody whom it then refuses, a
head so full that the event's title is gone, and pages that do not say where one is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from web_event import client, filled_event

from service.accounts import Role
from service.event import Event

FINAL = '[final]\nwho = "positive"\nleast = 1\nmost = "sum"\nmissing = 1\nnobody_positive = "no_winner"\n'
ROWS = {
    Role.ORGANIZER: (
        "/ /desk /disputes /standings",
        "/people /double /pages /effect /hall /final /decisions /publications /appeals",
    ),
    Role.CHIEF: (
        "/ /disputes /standings",
        "/double /effect /hall /final /decisions /appeals",
    ),
    Role.JUROR: ("/ /final", ""),
    Role.DESK: ("/ /desk /pages /appeals", ""),
    Role.SPECTATOR: ("/hall /", ""),
}
CURRENT = {
    "/": "/",
    "/wall/1/10": "/",
    "/decisions": "/decisions",
    "/decisions/new/remove": "/decisions",
    "/people/1": "/people",
    "/appeals/new": "/appeals",
    "/effect": "/effect",
    "/hall": "/hall",
}


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        rules = tmp_path / "regulation.toml"
        rules.write_text(FINAL, encoding="utf-8")
        made.update(regulation=rules)
        yield made


def _menu(browser: TestClient, path: str = "/") -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.text
    found = re.search(r'<nav aria-label="Parts">(.*?)</nav>', answer.text, re.DOTALL)
    assert found
    return found[1]


def _rows(menu: str) -> tuple[list[str], list[str]]:
    row, _, more = menu.partition("<details")
    return re.findall(r'href="([^"]+)"', row), re.findall(r'href="([^"]+)"', more)


@pytest.mark.parametrize("role", Role)
def test_each_role_finds_its_parts_in_the_order_of_the_day_and_each_of_them_opens(
    event: Event, role: Role
) -> None:
    browser = client(event, role)
    row, more = _rows(_menu(browser))
    assert (row, more) == tuple(part.split() for part in ROWS[role])
    assert [path for path in (*row, *more) if browser.get(path).status_code != 200] == []


def test_without_a_final_the_menu_has_none(event: Event, tmp_path: Path) -> None:
    rules = tmp_path / "plain.toml"
    rules.write_text("cut = 2\n", encoding="utf-8")
    event.update(regulation=rules)
    for role in Role:
        assert "/final" not in _menu(client(event, role))


@pytest.mark.parametrize(("path", "part"), CURRENT.items())
def test_a_page_marks_its_part_and_no_other(event: Event, path: str, part: str) -> None:
    menu = _menu(client(event, Role.ORGANIZER), path)
    kind = "page" if path == part else "true"
    assert re.findall(r'href="([^"]+)" aria-current="(\w+)"', menu) == [(part, kind)]
    # A part under the closed "More" is seen only by the mark on that.
    assert ('class="current"' in menu) == (part != "/")


def test_more_counts_what_waits_inside_it_and_the_row_each_its_own(event: Event) -> None:
    menu = _menu(client(event, Role.ORGANIZER))
    assert re.findall(r'data-waiting="([^"]*)"', menu) == ["desk", "disputes", "appeals", "appeals"]
    counts = client(event, Role.ORGANIZER).get("/api/waiting").json()
    assert set(counts) == {"desk", "disputes", "appeals"}
