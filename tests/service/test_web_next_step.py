"""Guards against a page from which a tired person cannot tell what is next, or which counts it otherwise."""

from __future__ import annotations

import re
from pathlib import Path

from appeal_event import rule_on_all
from small_event import page, pdf, scan, words
from spoiled import without_codes
from web_event import client, rule

from scanner.geometry import SheetKind
from scoring.model import Verdict
from service.accounts import Role
from service.event import Event


def _next(event: Event, role: Role) -> tuple[str, str] | None:
    """Address and words of the one button that leads on."""
    html = client(event, role).get("/").text
    found = re.search(r'id="go-on" href="([^"]+)">([^<]+)<', html)
    return (found[1], found[2]) if found else None


def test_after_the_last_wall_the_home_page_leads_on(event: Event, tmp_path: Path) -> None:
    assert _next(event, Role.CHIEF) == ("/wall/1/10", "Begin with 1–10")
    rule_on_all(event, tmp_path)
    rule(event, "juror", ("2", "t1r1", Verdict.DISPUTED))
    assert _next(event, Role.JUROR) is None
    for role in (Role.CHIEF, Role.ORGANIZER):
        assert _next(event, role) == ("/disputes", "Go on with the disputes")
    # Players 2 and 3 share the only place.
    rule(event, "chief", ("2", "t1r1", Verdict.WRONG))
    for role in (Role.CHIEF, Role.ORGANIZER):
        assert _next(event, role) == ("/decisions/ties", "Decide the tie…")
    rule(event, "chief", ("2", "t1r2", Verdict.WRONG))
    assert _next(event, Role.CHIEF) is None
    assert _next(event, Role.ORGANIZER) == ("/publications", "Go on with the publication")


def test_the_list_of_pages_and_the_desk_count_the_same_pages(event: Event, tmp_path: Path) -> None:
    # A blank whose code is lost, and a spare sheet that nobody has been given.
    spare = page(1, words((1, 10)), kind=SheetKind.SPARE)
    scan(event, pdf(tmp_path / "late.pdf", [without_codes(page(5, words((3, 30)))), spare]))
    desk = client(event, Role.DESK)
    waiting = desk.get("/api/waiting").json()["desk"]
    assert waiting == 2
    html = desk.get("/pages").text
    assert f"{waiting} pages need a person." in html
    assert html.count('href="/desk?page=') == waiting
    # Whoever is in the browser is not sent to the command line.
    assert "otbor assign" not in html


def test_a_tie_that_may_go_by_itself_says_so_before_anybody_decides_it(
    event: Event, tmp_path: Path
) -> None:
    rule_on_all(event, tmp_path)
    chief = client(event, Role.CHIEF)
    says = "1 answer of this category is not confirmed yet: the tie may go by itself."
    for address in ("/decisions", "/decisions/ties"):
        assert says not in chief.get(address).text
    rule(event, "juror", ("1", "t8r5", Verdict.DISPUTED))
    for address in ("/decisions", "/decisions/ties"):
        assert says in chief.get(address).text
