"""Guards against strangers who come in by a link, and against people who cannot come in by theirs."""

from __future__ import annotations

import logging
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from moved_clock import Clock
from starlette.testclient import TestClient
from web_event import PIN, client

from otbor.errors import ConflictError, NotFoundError
from reports.codes import LENGTH, printed
from service import accounts, invitation_links, invitations, people
from service.accounts import Role, TooManyAttemptsError
from service.attempts import Attempts
from service.event import Event
from service.invitations import InvitationOverError, State
from service.web.errors import logged_path
from service.web.server import Server

ADDRESS = "http://192.168.1.5:8300"
CHOSEN = "велосипед"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(accounts.time, "time", made)
    monkeypatch.setattr(invitations, "_attempts", Attempts(most=10, clock=made))
    return made


@pytest.fixture
def stranger(event: Event) -> TestClient:
    return client(event, None)


def _code(event: Event, role: Role = Role.JUROR, name: str = "") -> str:
    return invitations.make(event, role, [name], who="organizer")[0].code


def _come(
    browser: TestClient, code: str, name: str = "Анна", pin: str = CHOSEN, **more: str
) -> object:
    data = {"name": name, "pin": pin, "again": pin, **more}
    return browser.post(f"/invited/{code}", data=data)


def _names(event: Event) -> list[str]:
    return [account.name for account in accounts.accounts(event)]


def test_a_link_opens_an_account_and_signs_in(event: Event, stranger: TestClient) -> None:
    code = _code(event)
    shown = stranger.get(f"/invited/{printed(code)}")
    assert shown.status_code == 200
    assert "Проба" in shown.text and "juror" in shown.text
    reply = _come(stranger, printed(code))
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert stranger.get("/wall/1/10").status_code == 200
    assert stranger.get("/standings").status_code == 403
    account = accounts.find(event, "анна")
    assert account.role is Role.JUROR
    # The PIN is the person's own from now on.
    assert accounts.session(event, accounts.sign_in(event, "Анна", CHOSEN)) == account
    [used] = [one for one in invitations.listed(event) if one.state is State.USED]
    assert (used.account, used.made_by) == ("Анна", "organizer")


def test_looking_at_a_link_does_not_use_it_up(event: Event, stranger: TestClient) -> None:
    """Messengers open links to show a preview."""
    code = _code(event)
    for _look in range(12):
        assert stranger.get(f"/invited/{code}").status_code == 200
    assert _come(stranger, code).status_code == 303


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_link_works_once_and_says_so(event: Event, language: str) -> None:
    code = _code(event)
    assert _come(client(event, None), code).status_code == 303
    late = client(event, None)
    late.headers["accept-language"] = language
    for reply in (late.get(f"/invited/{code}"), _come(late, code, "Другая")):
        assert reply.status_code == 410
        assert ("уже вошли" if language == "ru" else "used already") in reply.text
    assert _names(event).count("Анна") == 1
    assert "Другая" not in _names(event)


def test_of_two_who_follow_one_link_at_once_one_comes_in(event: Event) -> None:
    code = _code(event)
    browsers = [client(event, None) for _one in range(4)]
    with ThreadPoolExecutor(4) as pool:
        replies = list(
            pool.map(lambda pair: _come(pair[1], code, f"Гость {pair[0]}"), enumerate(browsers))
        )
    assert sorted(reply.status_code for reply in replies) == [303, 410, 410, 410]
    assert sum(name.startswith("Гость") for name in _names(event)) == 1


def test_a_withdrawn_link_and_an_old_one_open_nothing(
    event: Event, stranger: TestClient, clock: Clock
) -> None:
    withdrawn = invitations.make(event, Role.CHIEF, who="organizer")[0]
    organizer = client(event, Role.ORGANIZER)
    gone = organizer.post(f"/people/invitations/{withdrawn.invitation.id}/withdraw")
    assert gone.status_code == 303
    refused = _come(stranger, withdrawn.code)
    assert refused.status_code == 410
    assert "withdrawn" in refused.text
    old = invitations.make(event, Role.CHIEF, who="organizer", hours=2)[0]
    clock.now += 2 * 3600 - 1
    assert stranger.get(f"/invited/{old.code}").status_code == 200
    clock.now += 1
    refused = _come(stranger, old.code)
    assert refused.status_code == 410
    assert "expired" in refused.text
    assert "Анна" not in _names(event)
    # What is over cannot be withdrawn.
    again = organizer.post(f"/people/invitations/{old.invitation.id}/withdraw")
    assert again.status_code in (303, 410)
    assert organizer.post("/people/invitations/999/withdraw").status_code == 404


def test_codes_cannot_be_tried_out(event: Event, clock: Clock) -> None:
    code = _code(event)
    for _attempt in range(10):
        with pytest.raises(NotFoundError):
            invitations.find(event, "k7qf3m2x9atb", "10.0.0.9")
    for tried in (code, "k7qf3m2x9atb"):
        with pytest.raises(TooManyAttemptsError) as caught:
            invitations.find(event, tried, "10.0.0.9")
        assert caught.value.wait == 60
    # Others in the hall are not locked out.
    assert invitations.find(event, code, "10.0.0.8").state is State.OPEN
    clock.now += 60
    assert invitations.find(event, code, "10.0.0.9").state is State.OPEN


def test_the_browser_is_told_to_wait(event: Event, stranger: TestClient, clock: Clock) -> None:
    for _attempt in range(10):
        assert stranger.get("/invited/K7QF-3M2X-9ATB").status_code == 404
    refused = stranger.post("/invited/K7QF-3M2X-9ATB", data={"pin": CHOSEN, "again": CHOSEN})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "60"


def test_one_name_cannot_be_tried_out_from_many_addresses(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "_matches", lambda _secret, _pin: False)  # the slow part
    monkeypatch.setattr(accounts, "_attempts_by_name", Attempts(most=60))
    tried = 0
    with pytest.raises(TooManyAttemptsError):
        for at in range(70):
            tried = at
            with pytest.raises(accounts.SignInError):
                accounts.sign_in(event, "juror", "000000", f"10.0.0.{at}")
    assert tried == 60


@pytest.mark.parametrize("text", ["", "x", "%00", "k7qf3m2x9at", "../people", "<script>"])
def test_nonsense_is_no_invitation(event: Event, stranger: TestClient, text: str) -> None:
    reply = stranger.get(f"/invited/{text}")
    assert reply.status_code in (303, 307, 404)
    assert "<script>" not in reply.text


def test_a_stolen_database_opens_no_invitation(event: Event) -> None:
    code = _code(event)
    event.close()
    with sqlite3.connect(event.folder / "otbor.db") as database:
        stored = "\n".join(database.iterdump()).lower()
    assert code not in stored
    assert printed(code).lower() not in stored
    assert accounts.digest(code) in stored


def test_the_code_reaches_no_log_and_no_cache(
    event: Event, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Server(client(event, None).app).config.access_log is False  # type: ignore[arg-type]
    code = printed(_code(event))
    browser = client(event, None, raise_server_exceptions=False)
    shown = browser.get(f"/invited/{code}")
    assert shown.headers["cache-control"] == "no-store"
    assert shown.headers["referrer-policy"] in ("same-origin", "no-referrer")

    def broken(*_arguments: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(invitations, "find", broken)
    with caplog.at_level(logging.DEBUG):
        assert browser.get(f"/invited/{code}").status_code == 500
    ours = [
        record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))
    ]
    assert any("RuntimeError" in (record.exc_text or "") for record in ours)
    said = "\n".join(f"{record.getMessage()} {record.exc_text}" for record in ours)
    assert code not in said
    assert "/invited/" in said
    assert logged_path("/wall/1/10") == "/wall/1/10"


@pytest.mark.parametrize(
    ("pin", "again", "said"),
    [
        ("12345", "12345", "at least 6"),
        ("", "", "at least 6"),
        ("велосипед", "велосипет", "not the same"),
        ("123456", "123456", "first that anybody"),
        ("000000", "000000", "first that anybody"),
        ("fedcba", "fedcba", "first that anybody"),
        ("x" * 121, "x" * 121, "at most 120"),
    ],
)
def test_a_poor_pin_is_refused_and_the_link_stays_good(
    event: Event, stranger: TestClient, pin: str, again: str, said: str
) -> None:
    code = _code(event)
    reply = _come(stranger, code, "Анна", pin, again=again)
    assert reply.status_code == 409
    assert said in reply.text
    assert 'value="Анна"' in reply.text  # the name need not be typed again
    assert pin not in reply.text or not pin
    assert "Анна" not in _names(event)
    assert _come(stranger, code).status_code == 303


def test_a_taken_name_is_refused_and_the_link_stays_good(
    event: Event, stranger: TestClient
) -> None:
    code = _code(event)
    assert "There is an account" in _come(stranger, code, "Juror").text
    assert _come(stranger, code, "  ").status_code == 409
    assert _come(stranger, code, "Juror 2").status_code == 303


def test_a_pin_is_drawn_on_request_and_shown_once(event: Event, stranger: TestClient) -> None:
    reply = stranger.post(f"/invited/{_code(event)}", data={"name": "Анна", "draw": "1"})
    assert reply.status_code == 200
    assert reply.headers["cache-control"] == "no-store"
    [pin] = re.findall(r'class="pin">(\d{6})<', reply.text)
    assert stranger.get("/").status_code == 200
    assert accounts.sign_in(event, "Анна", pin)


def test_a_name_that_the_organizer_gave_cannot_be_changed(
    event: Event, stranger: TestClient
) -> None:
    code = _code(event, Role.DESK, "Анна Ёлкина")
    assert "Анна Ёлкина" in stranger.get(f"/invited/{code}").text
    assert _come(stranger, code, "organizer 2").status_code == 303
    assert accounts.find(event, "Анна Ёлкина").role is Role.DESK
    assert "organizer 2" not in _names(event)


def test_html_in_a_name_stays_text(event: Event, stranger: TestClient) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    assert _come(stranger, _code(event), evil).status_code == 303
    organizer = client(event, Role.ORGANIZER)
    account = accounts.find(event, evil)
    pages = [
        organizer.get("/people"),
        organizer.get(f"/people/{account.id}?q={evil}"),
        organizer.post(f"/people/{account.id}/pin"),
        organizer.post(f"/people/{account.id}/link", data={"address": ADDRESS}),
        organizer.post("/people/invite", data={"names": f"{evil} 2", "address": ADDRESS}),
        organizer.post("/people/invite", data={"names": evil, "address": "<b>"}),
        organizer.get("/people"),
    ]
    for shown in pages:
        assert "<script>alert" not in shown.text
        assert "<img src=x" not in shown.text
    assert "&lt;script&gt;" in pages[0].text


def test_a_link_lets_somebody_choose_a_new_pin(event: Event, stranger: TestClient) -> None:
    account = accounts.find(event, "juror")
    token = accounts.sign_in(event, "juror", PIN)
    organizer = client(event, Role.ORGANIZER)
    made = organizer.post(f"/people/{account.id}/link", data={"address": ADDRESS})
    [code] = re.findall(r'name="code" value="(\w+)"', made.text)
    assert len(code) == LENGTH
    # Nothing has changed before the person comes.
    assert accounts.session(event, token) == account
    shown = stranger.get(f"/invited/{code}")
    assert "Choose a new PIN" in shown.text and "juror" in shown.text
    assert _come(stranger, code, "somebody else").status_code == 303
    assert stranger.get("/wall/1/10").status_code == 200
    assert accounts.session(event, token) is None
    assert accounts.sign_in(event, "juror", CHOSEN, "10.1.1.1")
    with pytest.raises(accounts.SignInError):
        accounts.sign_in(event, "juror", PIN, "10.1.1.2")
    assert "somebody else" not in _names(event)


def test_a_link_for_somebody_who_was_locked_out_since_opens_nothing(
    event: Event, stranger: TestClient
) -> None:
    code = invitations.make_for(event, "juror", who="organizer").code
    people.lock_out(event, "juror")
    assert _come(stranger, code).status_code == 404
    assert stranger.get("/").status_code == 303
    with pytest.raises(accounts.SignInError):
        accounts.sign_in(event, "juror", CHOSEN)


def test_another_site_cannot_sign_a_browser_in(event: Event, stranger: TestClient) -> None:
    code = _code(event)
    headers = {"sec-fetch-site": "cross-site"}
    data = {"name": "Анна", "pin": CHOSEN, "again": CHOSEN}
    assert stranger.post(f"/invited/{code}", data=data, headers=headers).status_code == 403
    assert "Анна" not in _names(event)
    assert invitations.find(event, code).state is State.OPEN


def test_invitations_for_names_that_are_taken_are_not_made(event: Event) -> None:
    invitations.make(event, Role.JUROR, ["Борис"], who="o")
    for names in (["Вера", "Борис"], ["Juror"], ["Вера", "вера"], ["x" * 121], [""] * 201):
        with pytest.raises(ConflictError):
            invitations.make(event, Role.JUROR, names, who="o")
    for hours in (0, -1, 1000):
        with pytest.raises(ConflictError):
            invitations.make(event, Role.JUROR, ["Глеб"], who="o", hours=hours)
    assert [one.name for one in invitations.listed(event)] == ["Борис"]
    # A withdrawn invitation frees the name.
    invitations.withdraw(event, invitations.listed(event)[0].id)
    with pytest.raises(InvitationOverError):
        invitations.withdraw(event, invitations.listed(event)[0].id)
    assert invitations.make(event, Role.JUROR, ["Борис"], who="o")


def test_the_page_shows_links_once_and_prints_slips(event: Event, tmp_path: Path) -> None:
    organizer = client(event, Role.ORGANIZER)
    made = organizer.post(
        "/people/invite",
        data={
            "role": "juror",
            "names": "Анна\n\n Борис ",
            "address": "192.168.1.5:8300/",
            "wifi": "сеть",
        },
    )
    assert made.status_code == 200
    assert made.headers["cache-control"] == "no-store"
    codes = re.findall(r'name="code" value="(\w+)"', made.text)
    assert len(codes) == 2
    for code in codes:
        assert f"<wbr><b>{printed(code)}</b>" in made.text
    assert "work on this computer only" not in made.text
    assert made.text.count('<svg class="qr"') == 2
    listed = organizer.get("/people").text
    assert "Борис" in listed
    assert not any(printed(code) in listed or code in listed for code in codes)
    slips = organizer.post("/people/slips", data={"code": codes, "address": ADDRESS, "wifi": "x"})
    assert slips.headers["content-type"] == "application/pdf"
    assert slips.content.startswith(b"%PDF")
    assert slips.headers["cache-control"] == "no-store"
    unknown = organizer.post("/people/slips", data={"code": ["k7qf3m2x9atb"], "address": ADDRESS})
    assert unknown.status_code == 404
    assert organizer.post("/people/slips", data={"address": ADDRESS}).status_code == 422


@pytest.mark.parametrize(
    ("host", "proposed", "warned"),
    [
        ("192.168.1.5:8300", "http://192.168.1.5:8300", False),
        ("otbor.school", "http://otbor.school", False),
        ("127.0.0.1:8300", ":8300", True),
        ("localhost:8300", ":8300", True),
        ("[::1]:8300", ":8300", True),
    ],
)
def test_links_begin_with_an_address_that_others_can_reach(
    event: Event, host: str, proposed: str, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "service.web.people_pages.addresses", lambda _host: ["127.0.0.1", "10.9.8.7"]
    )
    browser = client(event, Role.ORGANIZER, base_url=f"http://{host}")
    html = browser.get("/people").text
    [shown] = re.findall(r'id="invite-address" name="address" value="([^"]+)"', html)
    assert shown.endswith(proposed)
    assert ("leads every other device to itself" in html) is warned
    if warned:
        assert shown == "http://10.9.8.7:8300"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ftp://x",
        "http://",
        "http://x/y",
        "http://a b",
        "http://u:p@x",
        "javascript:x",
        "http://x?y=1",
    ],
)
def test_a_wrong_address_makes_no_invitations(event: Event, address: str) -> None:
    organizer = client(event, Role.ORGANIZER)
    reply = organizer.post("/people/invite", data={"address": address, "names": "Анна"})
    assert reply.status_code == 409
    assert "is not an address" in reply.text
    assert "Анна</textarea>" in reply.text
    assert invitations.listed(event) == []


def test_links_to_this_computer_alone_are_marked(event: Event) -> None:
    organizer = client(event, Role.ORGANIZER)
    made = organizer.post("/people/invite", data={"address": "http://127.0.0.1:8300"})
    assert "work on this computer only" in made.text


def test_the_printed_link_is_the_one_that_opens(event: Event, stranger: TestClient) -> None:
    link = invitation_links.link(ADDRESS, _code(event))
    assert link.startswith(f"{ADDRESS}/invited/")
    path = link.removeprefix(ADDRESS)
    assert stranger.get(path).status_code == 200
    assert stranger.get(path.lower()).status_code == 200
