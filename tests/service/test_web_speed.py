"""Guards against what is kept to be quick and is out of date: an old key, old counts, a second connection."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from small_event import key_text
from sqlalchemy import event as database_events
from web_event import client, look, rule

from scoring.model import Verdict
from service import journal, question_counts, rulings, serving, sheets
from service.event import Event
from service.journal import Kind


def _new_key() -> str:
    return key_text().replace('answer = "ответ 110"', 'answer = "иначе"')


def test_a_key_that_another_process_put_in_force_is_used(event: Event, tmp_path: Path) -> None:
    assert event.key() is event.key()
    path = tmp_path / "key.toml"
    path.write_text(_new_key(), encoding="utf-8")
    with Event(event.folder) as other:
        other.update(key=path)
    assert event.key().question(1, 10).answer == "иначе"
    players = event.players()
    players.clear()
    assert len(event.players()) == 5


def test_a_key_that_was_rolled_back_is_forgotten(event: Event) -> None:
    with pytest.raises(RuntimeError), event.database.writing() as connection:
        journal.append(connection, "x", Kind.KEY, {"text": _new_key()})
        assert event.key().question(1, 10).answer == "иначе"
        raise RuntimeError
    with event.database.writing() as connection:  # gets the number of the one rolled back
        journal.append(connection, "x", Kind.KEY, {"text": key_text()})
    assert event.key().question(1, 10).answer == "ответ 110"


def test_a_confirmation_needs_one_connection(event: Event) -> None:
    """With a pool of some connections, a second one inside the write lock is one that never comes."""
    opened: list[Any] = []
    at_once: list[int] = []

    def taken(connection: Any, *_more: Any) -> None:
        opened.append(connection)
        at_once.append(len(opened))

    browser = client(event)
    wall = look(browser)
    database_events.listen(event.database.engine, "checkout", taken)
    database_events.listen(
        event.database.engine, "checkin", lambda connection, *_more: opened.remove(connection)
    )
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    assert browser.post("/api/wall/1/10/confirm", json=body).status_code == 200
    assert max(at_once) == 1
    assert opened == []


def test_a_block_of_changes_sees_its_own_and_is_rolled_back_whole(event: Event) -> None:
    with pytest.raises(RuntimeError), event.database.writing():
        rule(event, "x", ("1", "t1r1", Verdict.RIGHT))
        assert rulings.current(event) == {("1", "t1r1"): Verdict.RIGHT}
        raise RuntimeError
    assert rulings.current(event) == {}
    assert not event.database.in_change


def _afresh(event: Event) -> question_counts.Counts:
    with event.database.reading() as connection:
        return question_counts._counted(connection, None)


def test_counts_follow_rulings_undo_scans_and_rollbacks(event: Event) -> None:
    assert question_counts.counts_of(event) == _afresh(event)
    rule(event, "x", ("1", "t1r1", Verdict.RIGHT), ("2", "t3r2", Verdict.DISPUTED))
    first = question_counts.counts_of(event)
    assert first == _afresh(event)
    assert (first["t1r1"]["ruled"], first["t3r2"]["disputed"]) == (1, 1)
    rulings.undo_last(event, "x")
    assert question_counts.counts_of(event) == _afresh(event)
    with pytest.raises(RuntimeError), event.database.writing():
        rule(event, "x", ("1", "t1r1", Verdict.RIGHT))
        assert question_counts.counts_of(event)["t1r1"]["ruled"] == 1
        raise RuntimeError
    rule(event, "y", ("3", "t1r1", Verdict.DISPUTED))
    after = question_counts.counts_of(event)
    assert after == _afresh(event)
    assert (after["t1r1"]["ruled"], after["t1r1"]["disputed"]) == (0, 1)
    with event.database.writing() as connection:
        rulings.withdraw_sheet(connection, "3", "z")
        page = sheets.counting_pages(connection)["3"]
        connection.exec_driver_sql(f"UPDATE page SET outcome = 'empty' WHERE id = {page}")
    assert question_counts.counts_of(event) == _afresh(event)
    assert question_counts.counts_of(event)["t1r1"].total() == 4


def test_what_the_server_accepts_does_not_wait_for_acknowledgements() -> None:
    """asyncio sets TCP_NODELAY only if the socket names its protocol; else a reply takes 40 ms longer."""
    listener = serving._listen("127.0.0.1", 0)
    try:
        assert listener.proto == socket.IPPROTO_TCP
    finally:
        listener.close()
