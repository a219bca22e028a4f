"""Guards against strangers in the jury: guessed PINs, stolen databases, sessions that never end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from moved_clock import Clock
from small_event import make_event
from web_event import PIN, client, filled_event

from otbor.errors import ConflictError, NotFoundError
from service import accounts
from service.accounts import Right, Role, SignInError, TooManyAttemptsError
from service.attempts import Attempts
from service.event import Event


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with make_event(tmp_path) as made:
        yield made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(accounts.time, "time", made)
    monkeypatch.setattr(accounts, "_attempts", Attempts(clock=made))
    return made


def test_the_pin_is_six_digits_and_opens_a_session(event: Event) -> None:
    pin = accounts.add_account(event, "Анна Ёлкина", Role.JUROR)
    assert len(pin) == 6 and pin.isdigit()
    token = accounts.sign_in(event, "  анна   елкина ", f" {pin} ")
    found = accounts.session(event, token)
    assert found is not None
    assert (found.name, found.role) == ("Анна Ёлкина", Role.JUROR)
    assert accounts.accounts(event) == [found]


def test_a_stolen_database_opens_no_session(event: Event) -> None:
    pin = accounts.add_account(event, "Анна", Role.JUROR)
    token = accounts.sign_in(event, "Анна", pin)
    event.close()
    with sqlite3.connect(event.folder / "otbor.db") as database:
        stored = "\n".join(database.iterdump())
    assert token not in stored
    assert f"'{pin}'" not in stored
    assert "$argon2id$" in stored


def test_names_that_look_the_same_are_one_account(event: Event) -> None:
    accounts.add_account(event, "Ёж", Role.JUROR)
    with pytest.raises(ConflictError):
        accounts.add_account(event, " еж ", Role.CHIEF)
    with pytest.raises(ConflictError):
        accounts.add_account(event, "   ", Role.CHIEF)
    with pytest.raises(ConflictError):
        accounts.add_account(event, "Уж", Role.CHIEF, "12345")


def test_an_unknown_name_costs_as_much_as_a_wrong_pin(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.add_account(event, "Анна", Role.JUROR)
    compared: list[str] = []
    real = accounts._matches

    def counting(secret: str, pin: str) -> bool:
        compared.append(secret[:30])
        return real(secret, pin)

    monkeypatch.setattr(accounts, "_matches", counting)
    errors = []
    for name in ("Анна", "Никто"):
        with pytest.raises(SignInError) as caught:
            accounts.sign_in(event, name, "000000")
        errors.append(caught.value.as_dict())
    assert errors[0] == errors[1]
    # The same parameters of the hash: the same time.
    assert len(compared) == 2
    assert compared[0] == compared[1]


def test_the_sixth_wrong_pin_within_a_minute_has_to_wait(event: Event, clock: Clock) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)
    for _attempt in range(5):
        with pytest.raises(SignInError):
            accounts.sign_in(event, "Анна", "000000", "10.0.0.5")
        clock.now += 1
    with pytest.raises(TooManyAttemptsError) as caught:
        accounts.sign_in(event, "анна", PIN, "10.0.0.5")
    assert caught.value.wait == 55
    # Elsewhere and under other names nobody is locked out.
    assert accounts.sign_in(event, "Анна", PIN, "10.0.0.6")
    with pytest.raises(SignInError):
        accounts.sign_in(event, "Борис", "000000", "10.0.0.5")
    clock.now += 55
    assert accounts.sign_in(event, "Анна", PIN, "10.0.0.5")


def test_attempts_at_the_same_time_do_not_slip_through(event: Event, clock: Clock) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)

    def attempt(number: int) -> str:
        try:
            accounts.sign_in(event, "Анна", f"{number:06}", "10.0.0.5")
        except SignInError:
            return "compared"
        except TooManyAttemptsError:
            return "refused"
        return "in"

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(attempt, range(16)))
    assert results.count("compared") == 5
    assert results.count("refused") == 11


def test_a_session_ends_after_twelve_hours_without_use(event: Event, clock: Clock) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)
    token = accounts.sign_in(event, "Анна", PIN)
    for _hours in range(3):
        clock.now += 11 * 3600
        assert accounts.session(event, token) is not None
    clock.now += 12 * 3600 + 1
    assert accounts.session(event, token) is None


def test_a_page_left_open_does_not_keep_a_session_alive(event: Event, clock: Clock) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)
    token = accounts.sign_in(event, "Анна", PIN)
    clock.now += 11 * 3600
    assert accounts.session(event, token, extend=False) is not None
    clock.now += 2 * 3600
    assert accounts.session(event, token) is None


def test_sessions_can_be_ended(event: Event) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)
    tokens = [accounts.sign_in(event, "Анна", PIN) for _device in range(3)]
    accounts.sign_out(event, tokens[0])
    assert accounts.session(event, tokens[0]) is None
    account = accounts.session(event, tokens[1])
    assert account is not None
    assert accounts.end_sessions(event, account) == 2
    assert accounts.session(event, tokens[2]) is None


def test_a_new_pin_ends_what_the_old_one_opened(event: Event) -> None:
    accounts.add_account(event, "Анна", Role.JUROR, PIN)
    token = accounts.sign_in(event, "Анна", PIN)
    new = accounts.change_pin(event, "анна")
    assert accounts.session(event, token) is None
    with pytest.raises(SignInError):
        accounts.sign_in(event, "Анна", PIN)
    assert accounts.sign_in(event, "Анна", new)
    with pytest.raises(NotFoundError):
        accounts.change_pin(event, "Никто")


def test_every_role_has_its_rights_written_down() -> None:
    assert set(accounts.RIGHTS) == set(Role)
    assert accounts.RIGHTS[Role.ORGANIZER] == set(Right)
    assert accounts.RIGHTS[Role.JUROR] == {Right.RULE}


def test_signing_in_and_out_in_the_browser(tmp_path: Path) -> None:
    with filled_event(tmp_path) as event:
        browser = client(event, None)
        refused = browser.post("/sign-in", data={"name": "juror", "pin": "000000"})
        assert refused.status_code == 401
        assert "do not belong together" in refused.text
        accepted = browser.post(
            "/sign-in", data={"name": "juror", "pin": PIN, "next": "/wall/1/20"}
        )
        assert (accepted.status_code, accepted.headers["location"]) == (303, "/wall/1/20")
        assert browser.get("/wall/1/20").status_code == 200
        token = browser.cookies["otbor_test1"]
        assert browser.post("/sign-out").headers["location"] == "/sign-in"
        assert browser.get("/").status_code == 303
        # The session is gone on the server, not only the cookie in the browser.
        browser.cookies.set("otbor_test1", token)
        assert browser.get("/api/progress").status_code == 401


def test_too_many_attempts_in_the_browser(tmp_path: Path, clock: Clock) -> None:
    with filled_event(tmp_path) as event:
        browser = client(event, None)
        for _attempt in range(5):
            browser.post("/sign-in", data={"name": "juror", "pin": "000000"})
        refused = browser.post("/sign-in", data={"name": "juror", "pin": PIN})
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "60"
        assert "Wait 60 seconds" in refused.text
