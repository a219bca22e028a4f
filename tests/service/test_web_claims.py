"""Guards against two people ruling on one wall at once, and against a wall that nobody can get at."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from web_event import PIN, client, filled_event, look

from otbor.errors import AccessError
from service import accounts, claims, rulings
from service.accounts import Account, Role
from service.event import Event
from service.web.live import Live

WALL = "/api/wall/1/10"


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with filled_event(tmp_path) as made:
        for name in ("anna", "boris"):
            accounts.add_account(made, name, Role.JUROR, PIN)
        yield made


def _account(event: Event, name: str) -> Account:
    return next(account for account in accounts.accounts(event) if account.name == name)


def _named(event: Event, name: str) -> TestClient:
    browser = client(event, None)
    assert browser.post("/sign-in", data={"name": name, "pin": PIN}).status_code == 303
    return browser


def _claim(browser: TestClient, *, take: bool = False, place: str = WALL) -> Any:
    return browser.post(f"{place}/claim", json={"take": take})


def _confirm(browser: TestClient, wall: dict[str, Any]) -> Any:
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    return browser.post(f"{WALL}/confirm", json=body)


def test_a_wall_has_one_holder_until_the_claim_runs_out(event: Event) -> None:
    anna, boris = _account(event, "anna"), _account(event, "boris")
    assert claims.claim(event, "t1r1", anna, now=1000.0).name == "anna"
    end = 1000.0 + claims.LEASE_SECONDS
    assert claims.claim(event, "t1r1", boris, now=end - 1).name == "anna"
    assert claims.held(event, end - 1)["t1r1"].expires_at == end  # asking does not lengthen it
    assert claims.claim(event, "t1r1", anna, now=end - 1).expires_at > end  # a heartbeat does
    later = end - 1 + claims.LEASE_SECONDS
    assert claims.held(event, later) == {}
    assert claims.claim(event, "t1r1", boris, now=later).name == "boris"
    # Who comes back after that finds it taken.
    assert claims.claim(event, "t1r1", anna, now=later + 1).name == "boris"


def test_only_those_who_decide_can_take_a_wall_at_once(event: Event) -> None:
    anna, boris, chief = (_account(event, name) for name in ("anna", "boris", "chief"))
    claims.claim(event, "t1r1", anna)
    with pytest.raises(AccessError):
        claims.claim(event, "t1r1", boris, take=True)
    assert claims.claim(event, "t1r1", chief, take=True).name == "chief"
    claims.release(event, "t1r1", anna)  # too late: it is not hers any more
    assert claims.held(event)["t1r1"].name == "chief"
    claims.release(event, "t1r1", chief)
    assert claims.held(event) == {}


def test_whoever_comes_second_looks_and_cannot_rule(event: Event) -> None:
    anna, boris = _named(event, "anna"), _named(event, "boris")
    assert _claim(anna).json() == {"mine": True, "name": "anna"}
    assert _claim(boris).json() == {"mine": False, "name": "anna"}
    wall = look(boris)
    refused = _confirm(boris, wall)
    assert refused.status_code == 409
    assert refused.json()["error"] == "claimed"
    assert "anna" in refused.json()["message"]
    assert rulings.history(event) == []
    assert _claim(boris, take=True).status_code == 403
    assert _confirm(anna, look(anna)).json()["entered"] == 5
    # A confirmed wall is free.
    assert _claim(boris).json()["mine"]


def test_two_who_open_a_wall_in_one_moment(event: Event) -> None:
    browsers = [_named(event, name) for name in ("anna", "boris", "juror", "chief")]
    with ThreadPoolExecutor(4) as pool:
        replies = [reply.json() for reply in pool.map(_claim, browsers)]
    assert sum(reply["mine"] for reply in replies) == 1
    assert len({reply["name"] for reply in replies}) == 1


def test_a_wall_that_was_taken_over_is_lost_to_its_juror(event: Event) -> None:
    anna, chief = _named(event, "anna"), client(event, Role.CHIEF)
    _claim(anna)
    wall = look(anna)
    assert _claim(chief, take=True).json()["mine"]
    assert _confirm(anna, wall).json()["error"] == "claimed"
    assert _confirm(chief, look(chief)).json()["entered"] == 5


def test_nobody_takes_back_rulings_under_anothers_hands(event: Event) -> None:
    anna, boris = _named(event, "anna"), _named(event, "boris")
    _confirm(anna, look(anna))
    _claim(boris)
    refused = anna.post("/api/undo", json={})
    assert refused.status_code == 409
    assert refused.json()["error"] == "claimed"
    assert len(rulings.current(event)) == 5
    boris.post(f"{WALL}/release")
    assert anna.post("/api/undo", json={}).json()["undone"]["changed"] == 5


def test_the_next_question_is_one_where_nobody_is(event: Event) -> None:
    anna, boris = _named(event, "anna"), _named(event, "boris")
    _claim(anna, place="/api/wall/1/20")
    assert boris.get(WALL).json()["next"] == {"theme": 1, "nominal": 30}
    assert anna.get(WALL).json()["next"] == {"theme": 1, "nominal": 20}
    _claim(anna, place="/api/wall/1/10")
    assert "Begin with 1–30" in boris.get("/").text


def test_everybody_sees_who_is_where(event: Event) -> None:
    anna, watcher = _named(event, "anna"), client(event, Role.SPECTATOR)
    assert watcher.get("/api/progress").json()["present"] == {}
    _claim(anna, place="/api/wall/3/40")
    present = watcher.get("/api/progress").json()["present"]
    assert present == {"3-40": {"id": _account(event, "anna").id, "name": "anna"}}
    assert ">anna</span>" in watcher.get("/").text


def test_coming_and_going_reaches_the_listeners(event: Event) -> None:
    anna = _account(event, "anna")

    async def follow() -> None:
        stream = Live(event, interval=0.01).stream(lambda: True)

        async def told() -> Any:
            return json.loads((await asyncio.wait_for(anext(stream), 20)).split("data: ")[1])

        await anext(stream)  # the retry line
        assert (await told())["present"] == {}
        await asyncio.to_thread(claims.claim, event, "t2r3", anna)
        assert (await told())["present"] == {"2-30": {"id": anna.id, "name": "anna"}}
        await asyncio.to_thread(claims.release, event, "t2r3", anna)
        assert (await told())["present"] == {}
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(follow())


def test_claims_are_for_jurors_and_for_questions(event: Event) -> None:
    assert _claim(client(event, Role.DESK)).status_code == 403
    assert client(event, Role.DESK).post(f"{WALL}/release").status_code == 403
    assert _claim(_named(event, "anna"), place="/api/wall/9/10").status_code == 404
    forged = _named(event, "anna").post(
        f"{WALL}/claim", json={}, headers={"sec-fetch-site": "cross-site"}
    )
    assert forged.status_code == 403
    assert claims.held(event) == {}
