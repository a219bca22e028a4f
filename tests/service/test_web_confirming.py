"""Guards against a ruling on what somebody else has changed between the looking and the lock, and against a
wall kept in memory that is no longer the event's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import islice
from threading import Barrier
from typing import Any

import pytest
from small_event import key_text, page, pdf, scan
from starlette.testclient import TestClient
from web_event import client, look, read_as, rule

from scanner.geometry import SheetKind
from scoring.model import Verdict
from service import accounts, claims, last_rulings, rulings, sheets, walls
from service.accounts import Role
from service.event import Event
from service.store import database

RIGHT, WRONG, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.DISPUTED


def _confirm(browser: TestClient, wall: dict[str, Any]) -> Any:
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    return browser.post("/api/wall/1/10/confirm", json=body)


def _other_key(event: Event) -> None:
    path = event.folder.parent / "key.toml"
    path.write_text(
        key_text().replace('answer = "ответ 110"', 'answer = "иначе"'), encoding="utf-8"
    )
    event.update(key=path)


def _late_sheet(event: Event) -> None:
    late = page(2, {(1, 10): "поздно"}, kind=SheetKind.SPARE)
    scan(event, pdf(event.folder.parent / "late.pdf", [late]))


def _before_the_lock(
    event: Event, patch: pytest.MonkeyPatch, what: Callable[[], object]
) -> list[object]:
    """Let something happen when a confirmation has been checked and is about to take the lock."""
    happened: list[object] = []
    locked = event.database.writing

    def writing() -> AbstractContextManager[Any]:
        if not happened:
            happened.append(what)
            what()
        return locked()

    patch.setattr(event.database, "writing", writing)
    return happened


@pytest.mark.parametrize(
    "what",
    [
        lambda event: rule(event, "somebody", ("1", "t1r1", WRONG)),
        lambda event: read_as(event, "3", "t1r1", "иначе прочитано"),
        _other_key,
        _late_sheet,
    ],
    ids=["ruling", "reading", "key", "sheet"],
)
def test_what_comes_between_looking_and_locking_is_not_ruled_over(
    event: Event,
    juror: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    what: Callable[[Event], object],
) -> None:
    event.print_spares(3)
    wall = look(juror)
    happened = _before_the_lock(event, monkeypatch, lambda: what(event))
    refused = _confirm(juror, wall)
    assert happened
    assert (refused.status_code, refused.json()["error"]) == (409, "wall_changed")
    assert {who.by for who in rulings.history(event)} <= {"somebody"}
    assert _confirm(juror, look(juror)).status_code == 200


def test_a_wall_that_is_taken_between_looking_and_locking_is_not_ruled_on(
    event: Event, juror: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = look(juror)
    chief = accounts.find(event, Role.CHIEF.value)
    _before_the_lock(event, monkeypatch, lambda: claims.claim(event, "t1r1", chief, take=True))
    refused = _confirm(juror, wall)
    assert (refused.status_code, refused.json()["error"]) == (409, "claimed")
    assert rulings.current(event) == {}


def test_a_ruling_on_another_question_stands_in_nobodys_way(
    event: Event, juror: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = look(juror)
    happened = _before_the_lock(
        event, monkeypatch, lambda: rule(event, "somebody", ("1", "t1r2", WRONG))
    )
    assert _confirm(juror, wall).status_code == 200
    assert happened
    assert len(rulings.current(event)) == 6


def test_of_two_who_confirm_in_one_moment_one_is_told_so(event: Event) -> None:
    browsers = [client(event), client(event, Role.CHIEF)]
    seen = [look(browser) for browser in browsers]
    seen[1]["marks"]["flipped"] = [seen[1]["written"][0]["sheet"]]
    start = Barrier(2)

    def confirm(browser: TestClient, wall: dict[str, Any]) -> int:
        start.wait()
        return int(_confirm(browser, wall).status_code)

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(confirm, browsers, seen)) == [200, 409]
    assert len(rulings.history(event)) == 5


def _afresh(event: Event) -> list[object]:
    walls._known.pop(event, None)
    last_rulings._known.pop(event, None)
    return _kept(event)


def _kept(event: Event) -> list[object]:
    told: list[object] = []
    for question in islice(event.key().questions(), 3):
        wall = walls.wall_of(event, question)
        without = walls.wall_of(event, question, {"1", "3"})
        told += [wall.wall, wall.paper.answers, wall.disputes, wall.seen, without.wall]
    return told


def test_the_kept_walls_are_those_of_the_event_whatever_comes(event: Event) -> None:
    event.print_spares(3)

    def rolled_back() -> None:
        with pytest.raises(RuntimeError), event.database.writing():
            rule(event, "x", ("2", "t1r1", DISPUTED))
            assert walls.wall_of(event, event.key().question(1, 10)).disputes
            raise RuntimeError

    steps: list[Callable[[], object]] = [
        lambda: rule(event, "x", ("1", "t1r1", RIGHT), ("2", "t1r1", DISPUTED)),
        lambda: rule(event, "y", ("2", "t1r1", WRONG)),
        lambda: rulings.undo_last(event, "y"),
        lambda: rulings.undo_last(event, "x"),
        rolled_back,
        lambda: rule(event, "z", ("3", "t1r2", RIGHT), ("2", "t1r2", DISPUTED)),
        lambda: _late_sheet(event),
        lambda: sheets.give_spare(event, "S2", 4),
        lambda: read_as(event, "4", "t1r1", "ответ 110"),
        lambda: _other_key(event),
    ]
    before = _kept(event)
    for step in steps:
        step()
        after = _kept(event)
        assert after == _afresh(event)
        assert after != before or step is rolled_back
        before = after


def test_more_rows_than_one_statement_takes_are_all_entered(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "MOST_VALUES", 23)
    given = [(str(number), "t1r1", RIGHT if number % 2 else WRONG) for number in range(1, 6)]
    rule(event, "x", *given)
    log = rulings.history(event)
    assert [(entry.sheet, entry.box, entry.verdict) for entry in log] == given


def test_a_connection_is_not_used_by_a_process_that_was_forked(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def own() -> object:
        with event.database.reading() as connection:
            return connection.connection.dbapi_connection

    before = own()
    assert own() is before
    monkeypatch.setattr(database.os, "getpid", lambda: -1)
    assert own() is not before
