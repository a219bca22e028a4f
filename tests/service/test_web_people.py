"""Guards against an organizer who cannot tell or change who is in, and against locking everybody out."""

from __future__ import annotations

import re

import pytest
from moved_clock import Clock
from starlette.testclient import TestClient
from web_event import PIN, client, look

from otbor.errors import ConflictError, NotFoundError
from service import accounts, claims, people
from service.accounts import Role
from service.event import Event


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(accounts.time, "time", made)
    return made


def _id(event: Event, name: str) -> int:
    return accounts.find(event, name, locked=True).id


def _person(event: Event, name: str) -> people.Person:
    return people.person(event, _id(event, name))


def _at(event: Event, name: str, action: str = "") -> str:
    return f"/people/{_id(event, name)}" + (f"/{action}" if action else "")


def test_the_page_names_everybody_with_role_and_presence(
    event: Event, organizer: TestClient
) -> None:
    juror = client(event)
    assert juror.post("/api/wall/1/10/claim", json={}).json()["mine"]
    html = organizer.get("/people").text
    entries = dict(
        re.findall(r'class="person-name" href="[^"]+">(\w+)<(.*?)</li>', html, re.DOTALL)
    )
    assert set(entries) == set(Role)
    assert "here now · on 1–10" in entries["juror"]
    assert "1 session" in entries["juror"]
    assert "has not been here yet" in entries["chief"]
    assert "here now: 2" in html
    assert "5 people may sign in" in html


def test_presence_comes_and_goes(event: Event, clock: Clock) -> None:
    token = accounts.sign_in(event, "juror", PIN)
    assert _person(event, "juror").here
    clock.now += people.HERE_SECONDS + 1
    away = _person(event, "juror")
    assert (away.here, away.last_seen) == (False, clock.now - people.HERE_SECONDS - 1)
    # A page that only listens is heard of too, and does not keep the session alive by it.
    accounts.session(event, token, extend=False)
    assert _person(event, "juror").here
    clock.now += accounts.SESSION_SECONDS
    assert _person(event, "juror").sessions == ()


def test_who_worked_is_known_after_the_session(event: Event) -> None:
    juror = client(event)
    look(juror)
    juror.post("/sign-out")
    shown = _person(event, "juror")
    assert (shown.here, shown.sessions) == (False, ())
    assert shown.last_seen is not None


def test_an_account_is_added_and_its_pin_shown_once(event: Event, organizer: TestClient) -> None:
    made = organizer.post("/people/add", data={"name": "Анна", "role": "desk"})
    [pin] = re.findall(r'class="pin">(\d{6})<', made.text)
    assert made.headers["cache-control"] == "no-store"
    assert accounts.session(event, accounts.sign_in(event, "Анна", pin)) == accounts.find(
        event, "анна"
    )
    assert pin not in organizer.get("/people").text
    chosen = organizer.post("/people/add", data={"name": "Борис", "pin": " мой пароль "})
    assert "мой пароль" in chosen.text
    assert accounts.sign_in(event, "Борис", "мой пароль")
    for name, pin, said in (
        ("анна", "", "already"),
        ("", "", "needs a name"),
        ("Вера", "1", "at least"),
    ):
        refused = organizer.post("/people/add", data={"name": name, "pin": pin})
        assert refused.status_code == 409
        assert said in refused.text
    assert organizer.post("/people/add", data={"name": "Вера", "role": "king"}).status_code == 422


def test_another_role_holds_at_once(event: Event, organizer: TestClient) -> None:
    juror = client(event)
    assert juror.post("/api/wall/1/10/claim", json={}).json()["mine"]
    assert juror.get("/pages").status_code == 403
    assert organizer.post(_at(event, "juror", "role"), data={"role": "desk"}).status_code == 303
    assert juror.get("/pages").status_code == 200
    assert juror.get("/api/wall/1/10").status_code == 403
    # A wall is not held by somebody who judges no more.
    assert claims.held(event) == {}


def test_who_is_locked_out_is_out_at_once_and_can_come_back(
    event: Event, organizer: TestClient
) -> None:
    juror = client(event)
    juror.post("/api/wall/1/10/claim", json={})
    assert organizer.post(_at(event, "juror", "lock")).status_code == 303
    assert juror.get("/api/wall/1/10").status_code == 401
    assert claims.held(event) == {}
    with pytest.raises(accounts.SignInError):
        accounts.sign_in(event, "juror", PIN)
    assert "locked out" in organizer.get("/people").text
    # The name stays taken: rulings stand under it.
    with pytest.raises(ConflictError):
        accounts.add_account(event, "Juror", Role.JUROR)
    assert "Let back in" in organizer.get(_at(event, "juror")).text
    organizer.post(_at(event, "juror", "unlock"))
    assert juror.get("/api/wall/1/10").status_code == 401
    assert accounts.sign_in(event, "juror", PIN, "10.0.0.2")


def test_the_last_organizer_cannot_be_lost(event: Event, organizer: TestClient) -> None:
    for lose in (
        lambda: people.lock_out(event, "organizer"),
        lambda: people.change_role(event, "organizer", Role.JUROR),
    ):
        with pytest.raises(ConflictError):
            lose()
    own = _at(event, "organizer")
    assert organizer.post(f"{own}/lock").status_code == 409
    assert organizer.post(f"{own}/role", data={"role": "juror"}).status_code == 409
    assert "Lock out" not in organizer.get(own).text
    accounts.add_account(event, "second", Role.ORGANIZER, PIN)
    people.change_role(event, "organizer", Role.JUROR)
    assert organizer.get("/people").status_code == 403
    with pytest.raises(ConflictError):
        people.lock_out(event, "second")


def test_one_session_ends_and_the_others_stay(event: Event, organizer: TestClient) -> None:
    tablet, phone = client(event), client(event)
    base = _at(event, "juror")
    ids = [session.id for session in _person(event, "juror").sessions]
    assert len(ids) == 2
    token = tablet.cookies["otbor_test1"]
    gone = people.session_id(token)
    assert organizer.post(f"{base}/end", data={"session": gone}).status_code == 303
    assert tablet.get("/api/progress").status_code == 401
    assert phone.get("/api/progress").status_code == 200
    # The hash that names a session opens nothing.
    tablet.cookies.set("otbor_test1", gone)
    assert tablet.get("/api/progress").status_code == 401
    assert organizer.post(f"{base}/end", data={"session": gone}).status_code == 404
    # Somebody else's session cannot be ended under this name.
    own = people.session_id(organizer.cookies["otbor_test1"])
    assert organizer.post(f"{base}/end", data={"session": own}).status_code == 404
    assert organizer.post(f"{base}/end").status_code == 303
    assert phone.get("/api/progress").status_code == 401


def test_the_own_session_is_marked(event: Event, organizer: TestClient) -> None:
    client(event, Role.ORGANIZER)
    html = organizer.get(_at(event, "organizer")).text
    assert html.count("this browser") == 1


def test_a_new_pin_ends_all_sessions(event: Event, organizer: TestClient) -> None:
    juror = client(event)
    given = organizer.post(_at(event, "juror", "pin"))
    [pin] = re.findall(r'class="pin">(\d{6})<', given.text)
    assert juror.get("/api/progress").status_code == 401
    assert accounts.sign_in(event, "juror", pin)
    assert organizer.post(_at(event, "juror", "pin"), data={"pin": "1"}).status_code == 409


def test_nobody_is_found_under_an_unknown_number(event: Event, organizer: TestClient) -> None:
    assert organizer.get("/people/999").status_code == 404
    assert organizer.get("/people/x").status_code == 422
    with pytest.raises(NotFoundError):
        people.lock_out(event, "nobody")


def test_the_list_by_itself_is_brought_up_to_date_and_keeps_no_session_alive(
    event: Event, organizer: TestClient, clock: Clock
) -> None:
    watching = client(event, Role.ORGANIZER)
    client(event)
    quiet = {"x-otbor-unattended": "1"}
    shown = watching.get("/people/list", headers=quiet).text
    assert "here now: 2" in shown
    assert "<html" not in shown and "<form" not in shown
    clock.now += accounts.SESSION_SECONDS - 10
    assert watching.get("/people/list", headers=quiet).status_code == 200
    clock.now += 20
    assert watching.get("/people/list", headers=quiet).status_code == 303
