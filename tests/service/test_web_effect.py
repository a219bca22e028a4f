"""Guards against names or scores in the hall, names before jurors, and a page that lags behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effect_event import BOXES, confirm, narrow
from small_event import PLAYERS
from web_event import client, filled_event, look, rule

from scoring.model import Verdict
from service import claims, effect, publications
from service.accounts import Role, accounts
from service.event import Event
from service.web.live import Live

NAMES = [line.split(";")[1] for line in PLAYERS.splitlines()[1:]]
SCHOOLS = ["школа № 1", "школа № 3"]


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        narrow(made, tmp_path)
        yield made


def _nothing_of_players(text: str) -> None:
    for name in (*NAMES, *SCHOOLS):
        assert name not in text
    assert "1190" not in text


def test_the_hall_shows_counts_and_nobody(event: Event) -> None:
    confirm(event, *BOXES[1:], right="1")
    hall = client(event, Role.SPECTATOR).get("/hall")
    assert hall.status_code == 200
    assert "Decided: 1 go on." in hall.text
    assert "97</span> %" in hall.text
    _nothing_of_players(hall.text)
    assert 'id="posted" data-number="" hidden' in hall.text


def test_after_a_publication_the_hall_says_where_to_look_and_still_names_nobody(
    event: Event,
) -> None:
    confirm(event, *BOXES, right="1")
    browser = client(event, Role.SPECTATOR, base_url="http://10.1.2.3:8300")
    publications.publish(event, who="x")
    hall = browser.get("/hall").text
    assert "The results are posted: publication 1." in hall
    assert "http://10.1.2.3:8300/p</b>" in hall
    _nothing_of_players(hall)
    assert browser.get("/api/progress").json()["published"] == 1
    publications.withdraw(event, 1, who="x")
    assert browser.get("/api/progress").json()["published"] is None
    assert "publication 1." not in browser.get("/hall").text


@pytest.mark.parametrize(("role", "to"), [(Role.SPECTATOR, "/hall"), (Role.JUROR, "/")])
def test_a_spectator_lands_in_the_hall(event: Event, role: Role, to: str) -> None:
    browser = client(event, None)
    answer = browser.post("/sign-in", data={"name": role.value, "pin": "271828"})
    assert answer.headers["location"] == to
    asked = browser.post(
        "/sign-in", data={"name": role.value, "pin": "271828", "next": "/standings"}
    )
    assert asked.headers["location"] == "/standings"
    assert client(event, None).get("/hall").status_code == 303


def test_a_spectator_gets_nothing_of_a_player_anywhere(event: Event) -> None:
    confirm(event, *BOXES, right="1")
    publications.publish(event, who="x")
    browser = client(event, Role.SPECTATOR)
    described = client(event, Role.ORGANIZER).get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        if "get" not in methods or path == "/api/events":
            continue
        for known, value in (
            ("{theme}", "1"),
            ("{nominal}", "10"),
            ("{sheet}", "1"),
            ("{box}", "t1r1"),
            ("{page_id}", "1"),
        ):
            path = path.replace(known, value)
        answer = browser.get(path)
        assert answer.status_code in (200, 403, 404, 422), path
        _nothing_of_players(answer.text)
    counts = browser.get("/api/progress").json()
    assert set(counts["groups"][0]) == {
        "group", "state", "say", "ring", "share", "quota", "here", "missing",
        "in", "out", "tied", "open",
    }  # fmt: skip


def test_names_of_open_players_are_for_those_who_may_see_results(event: Event) -> None:
    confirm(event, *BOXES, right="1")
    rule(event, "x", ("1", "t1r1", Verdict.DISPUTED), ("5", "t1r1", Verdict.DISPUTED))
    assert "Ли Су" in client(event, Role.CHIEF).get("/effect").text
    for role in (Role.JUROR, Role.DESK, Role.SPECTATOR):
        refused = client(event, role).get("/effect")
        assert refused.status_code == 403
        _nothing_of_players(refused.text)


def test_only_who_keeps_the_line_says_that_all_sheets_are_in(event: Event) -> None:
    for role in (Role.CHIEF, Role.JUROR, Role.DESK, Role.SPECTATOR):
        assert client(event, role).post("/effect/sheets", data={"all": "yes"}).status_code == 403
    organizer = client(event, Role.ORGANIZER)
    forged = {"sec-fetch-site": "cross-site"}
    assert organizer.post("/effect/sheets", data={"all": "yes"}, headers=forged).status_code == 403
    assert not effect.current(event).all_in
    for _again in range(2):
        assert organizer.post("/effect/sheets", data={"all": "yes"}).status_code == 303
    assert effect.current(event).all_in
    assert "All sheets are in: you have said so." in organizer.get("/effect").text
    organizer.post("/effect/sheets", data={"all": "no"})
    assert not effect.current(event).all_in


def test_jurors_are_led_to_what_matters_and_apart(event: Event) -> None:
    confirm(event, *(box for box in BOXES if box[1] not in "37"), right="")
    # Open: themes 3 and 7. The questions for 10 and 20 matter less than half as much as those for 50.
    browser, boris = client(event), claims_of(event, Role.CHIEF)
    assert "Go on with 3–30" in browser.get("/").text
    assert look(browser, "3/50")["next"] == {"theme": 7, "nominal": 30}
    claims.claim(event, "t7r3", boris)
    assert look(browser, "3/50")["next"] == {"theme": 7, "nominal": 40}
    marks = {
        (question["theme"], question["nominal"]): question["effect"]
        for question in browser.get("/api/progress").json()["questions"]
    }
    assert {place for place, mark in marks.items() if mark == "first"} == {
        (theme, nominal) for theme in (3, 7) for nominal in (30, 40, 50)
    }


def claims_of(event: Event, role: Role) -> Any:
    return next(one for one in accounts(event) if one.role is role)


def test_what_cannot_change_anything_comes_last_and_says_so(event: Event) -> None:
    confirm(event, *BOXES[2:], right="1")
    rule(event, "x", *(("4", box, Verdict.RIGHT) for box in BOXES[2:]))
    counts = client(event).get("/api/progress").json()
    assert [question["effect"] for question in counts["questions"][:3]] == ["idle", "idle", ""]
    rule(event, "x", *(("5", box, Verdict.RIGHT) for box in BOXES[3:]))
    # 4 leads 5 by 30; two questions for 10 and 20 may take more than that.
    counts = client(event).get("/api/progress").json()
    assert [question["effect"] for question in counts["questions"][:2]] == ["", "first"]
    wall = look(client(event), "1/20")
    matters = {
        entry["sheet"] for part in ("written", "blanks") for entry in wall[part] if entry["matters"]
    }
    assert matters == {"4", "5"}


def test_a_decision_reaches_the_listeners(event: Event) -> None:
    confirm(event, *BOXES[1:], right="1")

    async def follow() -> None:
        stream = Live(event, interval=0.01).stream(lambda: True)

        async def states() -> list[str]:
            text = (await asyncio.wait_for(anext(stream), 20)).split("data: ")[1]
            return [group["state"] for group in json.loads(text)["groups"]]

        await anext(stream)  # the retry line
        assert await states() == ["decided", "open"]
        await asyncio.to_thread(confirm, event, BOXES[0], right="4")
        assert await states() == ["decided", "decided"]
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(follow())
