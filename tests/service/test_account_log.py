"""Guards against an account that somebody opened, changed or locked and nobody can say who; and against a
PIN in the journal, which is kept for ever.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from web_event import client

from service import account_log, accounts, intake, invitations, people, results
from service.account_log import Step
from service.accounts import Role
from service.cli import app
from service.event import Event
from service.executors import SerialExecutor
from service.store import tables

SECRET = "4815162342"


def _done(event: Event) -> list[tuple[str, Step, str]]:
    return [(line.who, line.step, line.account) for line in account_log.done(event)]


def _person(event: Event, name: str) -> int:
    return accounts.find(event, name, locked=True).id


def test_all_that_is_done_with_an_account_is_there_with_who_did_it(
    event: Event, organizer: TestClient
) -> None:
    before = len(_done(event))
    organizer.post("/people/add", data={"name": "Анна", "role": "juror", "pin": SECRET})
    address = f"/people/{_person(event, 'Анна')}"
    client(event, Role.JUROR).post("/sign-in", data={"name": "Анна", "pin": SECRET})
    organizer.post(f"{address}/role", data={"role": "chief"})
    organizer.post(f"{address}/role", data={"role": "chief"})  # as it is
    organizer.post(f"{address}/end")
    organizer.post(f"{address}/pin", data={"pin": SECRET + "1"})
    organizer.post(f"{address}/lock")
    organizer.post(f"{address}/unlock")
    steps = [Step.CREATED, Step.ROLE, Step.SESSIONS_ENDED, Step.PIN, Step.LOCKED, Step.BACK]
    new = _done(event)[: len(_done(event)) - before]
    assert new == [("organizer", step, "Анна") for step in reversed(steps)]
    changed = account_log.done(event)[4]
    assert (changed.before, changed.role) == (Role.JUROR, Role.CHIEF)
    page = organizer.get("/people").text
    assert "Анна is chief of the jury now, was juror" in page and "Анна was locked out" in page


def test_who_comes_in_by_an_invitation_says_who_had_invited(event: Event) -> None:
    [made] = invitations.make(event, Role.DESK, ["Борис"], who="organizer")
    invitations.accept(event, made.code, "", SECRET)
    [gone] = invitations.make(event, Role.JUROR, who="organizer")
    invitations.withdraw(event, gone.invitation.id, who="organizer")
    renewed = invitations.make_for(event, "Борис", who="organizer")
    invitations.accept(event, renewed.code, "", SECRET + "2")
    assert _done(event)[:6] == [
        ("Борис", Step.PIN, "Борис"),
        ("organizer", Step.INVITED, "Борис"),
        ("organizer", Step.WITHDRAWN, ""),
        ("organizer", Step.INVITED, ""),
        ("Борис", Step.CREATED, "Борис"),
        ("organizer", Step.INVITED, "Борис"),
    ]
    assert account_log.done(event)[4].invited_by == "organizer"


def test_no_secret_gets_into_the_journal(event: Event) -> None:
    pins = [accounts.add_account(event, "Вера", Role.JUROR), accounts.change_pin(event, "Вера")]
    [made] = invitations.make(event, Role.JUROR, who="organizer")
    token = accounts.sign_in(event, "Вера", pins[1])
    people.end_session(event, accounts.find(event, "Вера"), people.session_id(token))
    with event.database.reading() as connection:
        lines = connection.execute(select(tables.journal).where(tables.journal.c.kind == "account"))
        said = "\n".join(str(row) for row in lines)
        hashes = connection.execute(select(tables.account.c.secret_hash)).scalars().all()
    assert "Вера" in said
    for secret in (*pins, made.code, token, people.session_id(token), *hashes):
        assert secret not in said


def test_what_is_refused_leaves_no_line(event: Event) -> None:
    before = _done(event)
    with pytest.raises(Exception, match="already"):
        accounts.add_account(event, "juror", Role.JUROR)
    with pytest.raises(Exception, match="only organizer"):
        people.lock_out(event, "organizer")
    with pytest.raises(Exception, match="ended already"):
        people.end_session(event, accounts.find(event, "juror"), "none")
    assert _done(event) == before


def test_a_rebuild_and_the_standings_take_no_notice(event: Event) -> None:
    before = results.event_standings(event)
    people.change_role(event, "juror", Role.CHIEF)
    lines = _done(event)
    intake.rebuild(event, reader="none", factory=SerialExecutor)
    assert _done(event) == lines
    assert results.event_standings(event) == before


def test_the_command_line_shows_it_and_leaves_its_own_lines(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.setattr("getpass.getuser", lambda: "petrov")
    folder = str(event.folder)
    assert app.run(["account", "lock", folder, "juror"]) == 0
    capsys.readouterr()
    assert app.run(["account", "log", folder, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert (first["who"], first["step"], first["account"]) == ("petrov", "locked", "juror")
    assert app.run(["account", "log", folder]) == 0
    assert "petrov: juror was locked out" in capsys.readouterr().out.splitlines()[0]
