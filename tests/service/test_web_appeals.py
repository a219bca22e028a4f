"""Guards the jury's page of appeals: a decision by the wrong person, on what was not shown or not seen."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from moved_clock import Clock
from standings_bytes import standings_bytes
from starlette.testclient import TestClient
from web_event import client, look

from jury.appeals import State
from scoring.model import Verdict
from service import accounts, appeal_log, appeals, decisions, kept_from, results, rulings
from service.accounts import Role
from service.appeal_log import Appeal
from service.cli import app
from service.decisions import Decision
from service.event import Event


@pytest.fixture
def clock(appeal_clock: Clock) -> Clock:
    return appeal_clock


@pytest.fixture
def event(posted_event: Event) -> Event:
    return posted_event


@pytest.fixture
def chief(event: Event) -> TestClient:
    """The chief, who has had the answers to 1–10 and 1–20 on the screen."""
    browser = client(event, Role.CHIEF)
    look(browser, "1/10")
    look(browser, "1/20")
    return browser


def _filed(
    event: Event, player: int = 1, theme: int = 1, nominal: int = 20, **more: object
) -> Appeal:
    return appeals.file(event, player, theme, nominal, "Это верно", who="desk", **more)  # type: ignore[arg-type]


def _fields(html: str) -> dict[str, list[str]]:
    """What the form of decision would send along."""
    form = html[html.index('id="decide"') :]
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form):
        found.setdefault(name, []).append(unescape(value))
    return found


def _decide(browser: TestClient, appeal: Appeal, do: str, why: str = "", query: str = "") -> object:
    html = browser.get(f"/appeals/{appeal.id}{query}").text
    data = {**_fields(html), "do": do, "why": why}
    return browser.post(f"/appeals/{appeal.id}/decide", data=data)


def _score(event: Event, number: int) -> int:
    return next(
        row.score
        for part in results.event_standings(event).categories
        for row in part.rows
        if row.player.number == number
    )


def test_the_chief_sees_the_effect_of_each_way_decides_and_undoes(
    event: Event, chief: TestClient
) -> None:
    before = standings_bytes(results.event_standings(event))
    appeal = _filed(event)
    html = chief.get(f"/appeals/{appeal.id}").text
    for said in ("accept: right", "+40", "3 → 1", "goes on now", "+20", "reject", "Это верно"):
        assert said in html
    assert standings_bytes(results.event_standings(event)) == before
    answer = _decide(chief, appeal, "right", "прочли ещё раз")
    assert answer.headers["location"] == f"/appeals?done={appeal.id}"  # type: ignore[attr-defined]
    assert _score(event, 1) == 30
    assert appeal_log.find(event, appeal.id).decided.who == "chief"  # type: ignore[union-attr]
    html = chief.get(f"/appeals?done={appeal.id}").text
    assert "accepted" in html
    assert f'action="/appeals/{appeal.id}/reopen"' in html
    assert "−40" in chief.get(f"/appeals/{appeal.id}").text  # what taking it back would change
    assert chief.post(f"/appeals/{appeal.id}/reopen").status_code == 303
    assert standings_bytes(results.event_standings(event)) == before


def test_rejecting_needs_a_reason_and_leaves_minus_nominal(event: Event, chief: TestClient) -> None:
    appeal = _filed(event)
    refused = _decide(chief, appeal, "reject", " ")
    assert refused.status_code == 409  # type: ignore[attr-defined]
    assert "needs a reason" in refused.text  # type: ignore[attr-defined]
    assert _decide(chief, appeal, "reject", "нет").status_code == 303  # type: ignore[attr-defined]
    assert (_score(event, 1), appeal_log.find(event, appeal.id).state) == (-10, State.REJECTED)


def test_equal_answers_are_marked_at_first_and_only_the_marked_change(
    event: Event, chief: TestClient
) -> None:
    appeal = _filed(event, 2, 1, 10)
    html = chief.get(f"/appeals/{appeal.id}").text
    assert re.search(r'name="also" value="4" checked', html)
    assert "2 verdicts change" in html
    alone = f"/appeals/{appeal.id}?chosen=true"
    assert not re.search(r'value="4" checked', chief.get(alone).text)
    assert _decide(chief, appeal, "right", query="?chosen=true").status_code == 303  # type: ignore[attr-defined]
    ruled = rulings.current(event)
    assert (ruled["2", "t1r1"], ruled["4", "t1r1"]) == (Verdict.RIGHT, Verdict.WRONG)
    chief.post(f"/appeals/{appeal.id}/reopen")
    assert _decide(chief, appeal, "right").status_code == 303  # type: ignore[attr-defined]
    assert rulings.current(event)["4", "t1r1"] is Verdict.RIGHT


def test_a_form_for_the_key_comes_with_the_verdict(event: Event, chief: TestClient) -> None:
    appeal = _filed(event)
    query = "?chosen=true&form=%D0%BC%D0%B8%D0%BC%D0%BE+%D0%BD%D0%B0%D1%81"
    assert _decide(chief, appeal, "right", query=query).status_code == 303  # type: ignore[attr-defined]
    assert "мимо нас" in event.key().question(1, 20).accepted
    chief.post(f"/appeals/{appeal.id}/reopen")
    assert "мимо нас" not in event.key().question(1, 20).accepted


def test_a_question_as_a_whole_is_removed_and_comes_back(event: Event, chief: TestClient) -> None:
    before = standings_bytes(results.event_standings(event))
    appeal = _filed(event, 3, 1, 10, whole=True)
    assert "remove the question" in chief.get(f"/appeals/{appeal.id}").text
    assert _decide(chief, appeal, "remove").status_code == 303  # type: ignore[attr-defined]
    assert results.event_standings(event).removed == ((1, 10),)
    chief.post(f"/appeals/{appeal.id}/reopen")
    assert standings_bytes(results.event_standings(event)) == before


def test_what_has_changed_since_it_was_shown_is_not_applied(
    event: Event, chief: TestClient
) -> None:
    appeal = _filed(event)
    fields = _fields(chief.get(f"/appeals/{appeal.id}").text)
    decisions.decide(event, Decision.PENALTY, {"number": 3, "points": 10}, who="organizer")
    data = {**fields, "do": "right", "why": "моя причина"}
    answer = chief.post(f"/appeals/{appeal.id}/decide", data=data)
    assert answer.status_code == 409
    assert "no longer what you were shown" in answer.text
    assert "моя причина" in answer.text
    assert _score(event, 1) == -10
    for forged in ("right:", "right:0", "nonsense"):
        data = {"do": "right", "shown": forged}
        assert chief.post(f"/appeals/{appeal.id}/decide", data=data).status_code == 409
    assert chief.post(f"/appeals/{appeal.id}/decide", data={"do": "x"}).status_code == 404
    assert _score(event, 1) == -10


def test_nobody_decides_on_a_picture_that_was_not_on_the_screen(event: Event) -> None:
    browser, appeal = client(event, Role.CHIEF), _filed(event)
    answer = _decide(browser, appeal, "right")
    assert answer.status_code == 409  # type: ignore[attr-defined]
    assert "has not been on your screen" in answer.text  # type: ignore[attr-defined]
    assert _score(event, 1) == -10
    look(browser, "1/20")
    assert _decide(browser, appeal, "right").status_code == 303  # type: ignore[attr-defined]


def test_who_is_kept_from_a_player_decides_nothing_of_theirs(
    event: Event, chief: TestClient
) -> None:
    appeal, other = _filed(event, 2, 1, 10), _filed(event, 4, 1, 10)
    kept_from.keep(event, "chief", players=[2], who="organizer")
    html = chief.get("/appeals").text
    assert "You do not judge this player" in html
    assert f'href="/appeals/{appeal.id}"' not in html
    assert chief.get(f"/appeals/{appeal.id}").status_code == 403
    data = {"do": "reject", "why": "нет"}
    assert chief.post(f"/appeals/{appeal.id}/decide", data=data).status_code == 403
    # Nor with somebody else's: the answer is neither shown nor judged alike.
    assert 'value="2"' not in chief.get(f"/appeals/{other.id}").text
    assert _decide(chief, other, "right", query="?chosen=true&also=2").status_code == 303  # type: ignore[attr-defined]
    assert rulings.current(event)["2", "t1r1"] is Verdict.WRONG
    assert appeal_log.find(event, appeal.id).state is State.OPEN


def test_the_desk_enters_and_withdraws_but_does_not_decide(event: Event) -> None:
    desk = client(event, Role.DESK)
    data = {"player": "1", "theme": "1", "nominal": "20", "text": "на бумаге"}
    assert desk.post("/appeals/new", data=data).status_code == 303
    [appeal] = appeal_log.appeals(event)
    assert (appeal.who, appeal.own) == ("desk", False)
    html = desk.get("/appeals").text
    assert "на бумаге" in html
    assert f'href="/appeals/{appeal.id}"' not in html
    assert "/api/crop/" not in html
    assert desk.get(f"/appeals/{appeal.id}").status_code == 403
    for do in ("right", "reject"):
        given = {"do": do, "why": "x"}
        assert desk.post(f"/appeals/{appeal.id}/decide", data=given).status_code == 403
    assert desk.post("/appeals/deadline", data={"minutes": "5"}).status_code == 403
    assert desk.post(f"/appeals/{appeal.id}/withdraw").status_code == 303
    assert appeal_log.find(event, appeal.id).state is State.WITHDRAWN


@pytest.mark.parametrize("role", [Role.JUROR, Role.SPECTATOR])
def test_others_see_no_appeals(event: Event, role: Role) -> None:
    appeal, browser = _filed(event), client(event, role)
    for path in ("/appeals", "/appeals/new", f"/appeals/{appeal.id}"):
        answer = browser.get(path)
        assert answer.status_code == 403
        assert "Это верно" not in answer.text
    assert browser.get("/api/waiting").json() == {}
    assert 'href="/appeals"' not in browser.get("/").text


@pytest.mark.parametrize(
    "given",
    [
        {"player": ""},
        {"player": "много"},
        {"player": "77"},
        {"player": "9" * 30},
        {"nominal": "15"},
        {"text": ""},
        {"text": "я" * 501},
    ],
)
def test_a_bad_entry_is_told_and_what_was_typed_is_kept(
    event: Event, given: dict[str, str]
) -> None:
    data = {"player": "1", "theme": "1", "nominal": "20", "text": "причина", **given}
    answer = client(event, Role.DESK).post("/appeals/new", data=data)
    assert answer.status_code in (404, 409)
    assert 'role="alert"' in answer.text
    assert data["text"] in answer.text
    assert appeal_log.appeals(event) == []


def test_late_is_said_by_who_decides_only(event: Event, clock: Clock) -> None:
    clock.wait(31)
    data = {"player": "1", "theme": "1", "nominal": "20", "text": "x", "late": "true"}
    assert client(event, Role.DESK).post("/appeals/new", data=data).status_code == 409
    assert client(event, Role.CHIEF).post("/appeals/new", data=data).status_code == 303
    assert appeal_log.appeals(event)[0].late


def test_the_time_is_shown_and_set(event: Event, clock: Clock, chief: TestClient) -> None:
    clock.wait(29)
    assert 'data-left="60"' in chief.get("/appeals").text
    assert chief.post("/appeals/deadline", data={"minutes": "20"}).status_code == 303
    assert 'data-left="1200"' in chief.get("/appeals").text
    for bad in ("", "-5", "много", "99999999999", "1.5"):
        assert chief.post("/appeals/deadline", data={"minutes": bad}).status_code == 409
    assert chief.post("/appeals/deadline", data={"minutes": "0"}).status_code == 303
    assert "time for appeals is over" in chief.get("/appeals").text


def test_the_menu_counts_what_waits(event: Event, chief: TestClient) -> None:
    assert chief.get("/api/waiting").json()["appeals"] == 0
    appeal = _filed(event)
    assert chief.get("/api/waiting").json()["appeals"] == 1
    assert 'data-waiting="appeals"' in chief.get("/").text
    _decide(chief, appeal, "reject", "нет")
    assert chief.get("/api/waiting").json()["appeals"] == 0
    assert client(event, None).get("/api/waiting").status_code == 401


def test_asking_what_waits_does_not_keep_a_session_alive(
    event: Event, chief: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page left open asks four times a minute; the tablet must still be signed out at night."""
    now = accounts.time.time()
    for hours in (6, 11.9):
        monkeypatch.setattr("service.accounts.time.time", lambda: now + hours * 3600)  # noqa: B023
        assert chief.get("/api/waiting").status_code == 200
    monkeypatch.setattr("service.accounts.time.time", lambda: now + 12.1 * 3600)
    assert chief.get("/api/waiting").status_code == 401


def test_the_command_line_goes_the_same_way(
    event: Event, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    monkeypatch.setenv("COLUMNS", "200")
    folder = str(event.folder)
    before = standings_bytes(results.event_standings(event))

    def run(*arguments: str, status: int = 0) -> object:
        capsys.readouterr()
        assert app.run(["appeal", arguments[0], folder, *arguments[1:], "--json"]) == status
        said = capsys.readouterr()
        return json.loads(said.out or said.err)

    place = ("--theme", "1", "--nominal", "10", "--text", "верно", "--who", "desk")
    filed = run("file", "2", *place)
    number = str(filed["id"])  # type: ignore[index]
    assert run("file", "2", *place, status=7)["error"] == "appeal"  # type: ignore[index]
    trial = run("accept", number, "--equal", "--form", "мимо нас", "--dry-run")
    assert {one["number"]: one["points"] for one in trial["changes"]["players"]}[4] == 20  # type: ignore[index]
    assert standings_bytes(results.event_standings(event)) == before
    done = run("accept", number, "--equal", "--form", "мимо нас", "--who", "chief")
    assert done["changes"] == trial["changes"]  # type: ignore[index]
    assert _score(event, 4) == 60
    trial = run("undo", number, "--dry-run")
    assert trial["changes"]["players"]  # type: ignore[index]
    run("undo", number)
    assert standings_bytes(results.event_standings(event)) == before
    assert run("reject", number, status=7)["error"] == "appeal"  # type: ignore[index]
    assert run("reject", number, "--why", "нет")["state"] == "rejected"  # type: ignore[index]
    listed = run("list")
    assert listed["open"] is True  # type: ignore[index]
    assert [one["state"] for one in listed["appeals"]] == ["rejected"]  # type: ignore[index]
    run("deadline", "0")
    assert run("list")["open"] is False  # type: ignore[index]
    assert run("file", "1", "--theme", "1", "--nominal", "20", "--text", "x", status=7)
    late = run("file", "1", "--theme", "1", "--nominal", "20", "--text", "x", "--late")
    assert run("withdraw", str(late["id"]))["state"] == "withdrawn"  # type: ignore[index]
    assert run("accept", "999999", status=6)["error"] == "not_found"  # type: ignore[index]
    capsys.readouterr()
    assert app.run(["appeal", "list", folder]) == 0
    assert "rejected" in capsys.readouterr().out


def test_every_role_that_decides_may_also_see(event: Event) -> None:
    """A right to decide without the right to see would be a page that leads nowhere."""
    for role, rights in accounts.RIGHTS.items():
        if accounts.Right.CHANGE in rights:
            assert {accounts.Right.APPEAL, accounts.Right.RULE, accounts.Right.RESULTS} <= rights, (
                role
            )
