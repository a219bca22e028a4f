"""Guards against a decision whose effect nobody saw, or another one than was shown, or one that stays."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from standings_bytes import standings_bytes
from starlette.testclient import TestClient
from tied_event import REGULATION, tied_copy, tied_event, token, words
from web_event import client, rule

from scoring.changes import compare
from scoring.model import Status, Verdict
from service import decisions, results
from service.accounts import Role
from service.cli import app
from service.decisions import Decision
from service.event import Event


@pytest.fixture
def event(tmp_path: Path) -> Iterator[Event]:
    with tied_copy(tmp_path) as made:
        yield made


@pytest.fixture
def browser(event: Event) -> TestClient:
    return client(event, Role.ORGANIZER)


def shown_movers(text: str) -> dict[int, list[str]]:
    """Number → the line of each mover on a page."""
    lines = re.findall(r"<li><span class=\"player\">.*?</li>", text, re.DOTALL)
    return {int(re.findall(r"№ (\d+)", line)[0]): [words(line)] for line in lines}


def young(event: Event) -> dict[int, Status]:
    part = results.event_standings(event).categories[0]
    return {row.player.number: row.status for row in part.rows}


CASES: list[tuple[Decision, dict[str, Any]]] = [
    (Decision.REMOVE, {"question": "1-10"}),
    (Decision.NOMINAL, {"question": "1-30", "worth": "50"}),
    (Decision.DISQUALIFY, {"number": "1"}),
    (Decision.OUT_OF_COMPETITION, {"number": "№ 2"}),
    (Decision.EXEMPT, {"number": "3"}),
    (Decision.DECLINE, {"number": "1"}),
    (Decision.PENALTY, {"number": "2", "points": "20"}),
    (Decision.LATE, {"number": "1", "themes": "1"}),
    (Decision.BRING, {"number": "2", "points": "20"}),
    (Decision.TIE, {"group": "младшие", "step": "all_in"}),
    (Decision.TIE, {"group": "младшие", "step": "count_back", "key": "most_rights"}),
]


@pytest.mark.parametrize(("kind", "fields"), CASES)
def test_what_is_shown_beforehand_is_what_is_then_applied_and_undone(
    event: Event, browser: TestClient, kind: Decision, fields: dict[str, str]
) -> None:
    before = standings_bytes(results.event_standings(event))
    address = f"/decisions/new/{kind.value}"
    seen = browser.get(address, params=fields)
    assert seen.status_code == 200, words(seen.text)
    assert decisions.entries(event) == []
    assert standings_bytes(results.event_standings(event)) == before
    old = results.event_standings(event)
    answer = browser.post(address, data={**fields, "seen": token(seen.text), "why": "так решено"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/decisions?done=new")
    [entry] = decisions.entries(event)
    assert (entry.kind, entry.who, entry.why) == (kind, "organizer", "так решено")
    new = results.event_standings(event)
    changes = compare(old, new)
    moved = {
        change.number
        for change in changes.players
        if change.points or change.moved or change.before.status is not change.after.status  # type: ignore[union-attr]
    }
    assert set(shown_movers(seen.text)) == moved != set()
    for change in changes.players:
        if change.number in moved and change.points:
            [line] = shown_movers(seen.text)[change.number]
            assert f"{change.before.score} becomes → {change.after.score}" in line  # type: ignore[union-attr]
    back = browser.get(f"/decisions/{entry.id}/back")
    answer = browser.post(
        f"/decisions/{entry.id}/back", data={"seen": token(back.text), "why": "ошибка"}
    )
    assert answer.status_code == 303
    assert standings_bytes(results.event_standings(event)) == before
    listed = words(browser.get("/decisions").text)
    assert "taken back" in listed
    assert "ошибка" in listed


def test_those_who_cross_the_line_come_first_with_their_status(browser: TestClient) -> None:
    text = browser.get("/decisions/new/remove", params={"question": "1-10"}).text
    assert "1 player goes on now" in words(text)
    assert 'class="mark in"' in text
    assert text.index('class="movers in"') < text.index('class="movers status"')
    assert "goes on" in shown_movers(text)[1][0]


@pytest.mark.parametrize("between", ["ruling", "decision"])
def test_a_state_that_changed_between_look_and_decision_decides_nothing(
    event: Event, browser: TestClient, between: str
) -> None:
    fields = {"number": "1"}
    seen = token(browser.get("/decisions/new/disqualify", params=fields).text)
    if between == "ruling":
        rule(event, "juror", ("3", "t1r5", Verdict.RIGHT))
    else:
        decisions.decide(event, Decision.PENALTY, {"number": 3, "points": 5}, who="chief")
    count = len(decisions.entries(event))
    answer = browser.post(
        "/decisions/new/disqualify", data={**fields, "seen": seen, "why": "списывал"}
    )
    assert answer.status_code == 409
    assert "nothing was decided" in words(answer.text)
    assert 'value="списывал"' in answer.text
    assert len(decisions.entries(event)) == count
    fresh = token(answer.text)
    assert fresh != seen
    answer = browser.post(
        "/decisions/new/disqualify", data={**fields, "seen": fresh, "why": "списывал"}
    )
    assert answer.status_code == 303


def test_a_click_too_many_takes_no_points_twice(event: Event, browser: TestClient) -> None:
    fields = {"number": "2", "points": "10"}
    seen = token(browser.get("/decisions/new/penalty", params=fields).text)
    data = {**fields, "seen": seen, "why": "подсказка"}
    assert browser.post("/decisions/new/penalty", data=data).status_code == 303
    assert browser.post("/decisions/new/penalty", data=data).status_code == 409
    assert len(decisions.entries(event)) == 1


@pytest.mark.parametrize("seen", ["", "0" * 64])
def test_nobody_decides_without_having_seen_the_effect(
    event: Event, browser: TestClient, seen: str
) -> None:
    data = {"number": "1", "why": "x", "seen": seen}
    assert browser.post("/decisions/new/disqualify", data=data).status_code == 409
    assert decisions.entries(event) == []


def test_no_decision_without_a_reason(event: Event, browser: TestClient) -> None:
    seen = token(browser.get("/decisions/new/disqualify", params={"number": "1"}).text)
    answer = browser.post(
        "/decisions/new/disqualify", data={"number": "1", "seen": seen, "why": "  "}
    )
    assert answer.status_code == 422
    assert decisions.entries(event) == []


@pytest.mark.parametrize(
    ("kind", "fields", "status"),
    [
        ("disqualify", {"number": "999"}, 404),
        ("disqualify", {"number": "никто-такой"}, 404),
        ("penalty", {"number": "1", "points": "много"}, 422),
        ("penalty", {"number": "1", "points": "99999999999999999999"}, 422),
        ("penalty", {"number": "1", "points": "-5"}, 422),
        ("remove", {"question": "9-10"}, 404),
        ("remove", {"question": "x"}, 422),
        ("nominal", {"question": "1-15", "worth": "5"}, 404),
        ("tie", {"step": "by_magic"}, 422),
        ("tie", {"step": ["all_in", "lot"]}, 409),
        ("tie", {"step": "all_in", "group": "нет такой"}, 404),
        ("call", {"number": "3"}, 409),
        ("announce", {"places": "2"}, 409),
        ("shoot_out", {"players": "1 2", "filled": "1", "p1": "5"}, 422),
        ("shoot_out", {"players": "1 два"}, 422),
        ("nonsense", {}, 404),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_decided(
    event: Event, browser: TestClient, kind: str, fields: dict[str, Any], status: int
) -> None:
    answer = browser.get(f"/decisions/new/{kind}", params=fields)
    assert answer.status_code == status, words(answer.text)
    assert 'name="seen"' not in answer.text
    assert decisions.entries(event) == []


@pytest.mark.parametrize("role", [Role.JUROR, Role.DESK, Role.SPECTATOR, None])
def test_others_come_to_no_page_of_decisions(event: Event, role: Role | None) -> None:
    decisions.decide(event, Decision.DISQUALIFY, {"number": 3}, who="organizer")
    [entry] = decisions.entries(event)
    before = standings_bytes(results.event_standings(event))
    asking = client(event, role)
    for path in (
        "/decisions",
        "/decisions/new/remove",
        "/decisions/ties",
        "/decisions/ties.pdf",
        f"/decisions/{entry.id}/back",
        "/api/players?q=1",
    ):
        expected = {403} if role else {303, 401}
        assert asking.get(path).status_code in expected, path
    for path in ("/decisions/new/remove", "/decisions/new/lot", f"/decisions/{entry.id}/back"):
        answer = asking.post(path, data={"question": "1-10", "why": "x", "seen": "y"})
        assert answer.status_code == (403 if role else 401), path
    assert len(decisions.entries(event)) == 1
    assert standings_bytes(results.event_standings(event)) == before


def test_the_chief_decides_on_questions_and_not_on_players(event: Event) -> None:
    decisions.decide(event, Decision.DISQUALIFY, {"number": 3}, who="organizer")
    [entry] = decisions.entries(event)
    chief = client(event, Role.CHIEF)
    page = chief.get("/decisions").text
    assert "/decisions/new/remove" in page
    assert "/decisions/new/disqualify" not in page
    assert f"/decisions/{entry.id}/back" not in page
    for path in ("/decisions/new/disqualify?number=1", f"/decisions/{entry.id}/back"):
        assert chief.get(path).status_code == 403
    answer = chief.post("/decisions/new/disqualify", data={"number": "1", "why": "x", "seen": "y"})
    assert answer.status_code == 403
    seen = token(chief.get("/decisions/new/remove", params={"question": "1-10"}).text)
    data = {"question": "1-10", "why": "два ответа", "seen": seen}
    assert chief.post("/decisions/new/remove", data=data).status_code == 303
    assert decisions.entries(event)[-1].who == "chief"


def test_a_request_of_another_site_decides_nothing(event: Event, browser: TestClient) -> None:
    seen = token(browser.get("/decisions/new/disqualify", params={"number": "1"}).text)
    answer = browser.post(
        "/decisions/new/disqualify",
        data={"number": "1", "why": "x", "seen": seen},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert answer.status_code == 403
    assert decisions.entries(event) == []


def test_html_in_a_reason_and_in_fields_stays_text(event: Event, browser: TestClient) -> None:
    evil = '"><script>alert(1)</script>'
    seen = token(browser.get("/decisions/new/disqualify", params={"number": "1"}).text)
    data = {"number": "1", "why": evil, "seen": seen}
    assert browser.post("/decisions/new/disqualify", data=data).status_code == 303
    for path in (
        "/decisions",
        f"/decisions/new/disqualify?number={evil}",
        f"/decisions/new/tie?group={evil}&step=all_in",
        f"/decisions/new/shoot_out?players=1&filled=1&p1={evil}",
        f"/decisions/ties?group={evil}",
    ):
        page = browser.get(path).text
        assert "<script>alert" not in page, path
    assert html.escape("<script>alert(1)</script>") in browser.get("/decisions").text


def test_a_name_typed_instead_of_a_number_offers_those_it_may_mean(browser: TestClient) -> None:
    page = browser.get("/decisions/new/penalty", params={"number": "иванов", "points": "5"}).text
    assert "2 players are found" in words(page)
    assert 'href="/decisions/new/penalty?points=5&amp;number=3"' in page
    found = browser.get("/api/players", params={"q": "ежиков"}).json()
    assert [one["number"] for one in found] == [1]


def test_what_the_regulation_does_not_know_is_not_offered(browser: TestClient) -> None:
    page = browser.get("/decisions").text
    assert "/decisions/new/call" not in page
    assert "The reserve moves up by itself." in page
    assert "/decisions/new/announce" not in page


# --- ties --------------------------------------------------------------------------------------


def _post(browser: TestClient, kind: str, fields: dict[str, str]) -> None:
    page = browser.get(f"/decisions/new/{kind}", params=fields)
    data = {**fields, "seen": token(page.text), "why": "решение жюри"}
    answer = browser.post(f"/decisions/new/{kind}", data=data)
    assert answer.status_code == 303, words(answer.text)


def test_the_page_of_a_tie_shows_the_tied_and_what_each_choice_does(browser: TestClient) -> None:
    page = browser.get("/decisions/ties").text
    said = words(page)
    assert "Ёжиков Ёж" in said
    assert "Петров-Водкин Кузьма" in said
    assert "Иванов Иван № 3" not in said
    for name in ("All in", "None in", "Shoot-out", "Count-back", "Lot"):
        assert f"<h3>{name}</h3>" in page
    assert "2 go on" in said
    assert "0 go on" in said
    assert "Петров-Водкин Кузьма — 2; Ёжиков Ёж — 1" in said  # right answers
    assert "decides it" in said
    assert "leaves a tie" in said


def test_a_shoot_out_goes_through_the_browser(event: Event, browser: TestClient) -> None:
    _post(browser, "tie", {"group": "младшие", "step": "shoot_out", "themes": "1"})
    page = browser.get("/decisions/ties").text
    assert "All in" not in page
    assert 'name="p1"' in page
    assert browser.get("/decisions/ties.pdf").content.startswith(b"%PDF")
    fields = {"players": "1,2", "filled": "1", "p1": "−10", "p2": "30"}
    assert "1 player goes on now" in words(
        browser.get("/decisions/new/shoot_out", params=fields).text
    )
    _post(browser, "shoot_out", fields)
    assert young(event) == {1: Status.OUT, 2: Status.IN, 3: Status.OUT}
    assert browser.get("/decisions/ties").status_code == 303


def test_one_who_does_not_come_to_the_shoot_out_is_below_all_who_do(
    event: Event, browser: TestClient
) -> None:
    _post(browser, "tie", {"group": "младшие", "step": "shoot_out"})
    _post(browser, "shoot_out", {"players": "1,2", "filled": "1", "p1": "-150", "a2": "1"})
    assert young(event)[1] is Status.IN


def test_a_shoot_out_that_no_longer_fits_is_named_everywhere(
    event: Event, browser: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    """A later ruling changes the scores, and what was played is passed over: not in silence."""
    _post(browser, "tie", {"group": "младшие", "step": "shoot_out"})
    _post(browser, "shoot_out", {"players": "1,2", "filled": "1", "p1": "10", "p2": "30"})
    assert "It decides nothing now" not in words(browser.get("/decisions").text)
    rule(event, "juror", ("3", "t1r2", Verdict.RIGHT))  # the third has 30 points too
    assert young(event)[3] is Status.TIED
    assert "It decides nothing now" in words(browser.get("/decisions").text)
    capsys.readouterr()
    for command in (["decide", "list"], ["standings"]):
        assert app.run(["--lang", "en", *command, str(event.folder)]) == 0
        assert "Passed over, for it fits no tie" in capsys.readouterr().err
    rule(event, "juror", ("3", "t1r2", Verdict.BLANK))
    assert "It decides nothing now" not in words(browser.get("/decisions").text)


def test_a_decision_that_leaves_a_shoot_out_without_its_tie_says_so_beforehand(
    browser: TestClient,
) -> None:
    _post(browser, "tie", {"group": "младшие", "step": "shoot_out"})
    _post(browser, "shoot_out", {"players": "1,2", "filled": "1", "p1": "10", "p2": "30"})
    page = words(browser.get("/decisions/new/remove", params={"question": "1-10"}).text)
    assert "This would decide nothing any more" in page
    stray = {"players": "3,4", "filled": "1", "p3": "1", "p4": "2"}
    assert "It would decide nothing." in words(
        browser.get("/decisions/new/shoot_out", params=stray).text
    )


def test_a_lot_is_seen_only_when_it_is_recorded(event: Event, browser: TestClient) -> None:
    _post(browser, "tie", {"group": "младшие", "step": "lot"})
    page = browser.get("/decisions/new/lot", params={"group": "младшие", "seed": "овация"})
    assert "goes on now" not in words(page.text)
    data = {"group": "младшие", "seed": "овация", "seen": token(page.text), "why": "жребий"}
    rule(event, "juror", ("3", "t1r2", Verdict.RIGHT))
    answer = browser.post("/decisions/new/lot", data=data)
    assert answer.status_code == 409  # a third one is tied now
    assert [entry.kind for entry in decisions.entries(event)] == [Decision.TIE]
    data["seen"] = token(answer.text)
    assert browser.post("/decisions/new/lot", data=data).status_code == 303
    lot = decisions.entries(event)[-1]
    assert (lot.kind, lot.data["seed"]) == (Decision.LOT, "овация")
    assert sorted(lot.data["order"]) == [1, 2, 3]
    assert young(event)[lot.data["order"][0]] is Status.IN
    assert browser.post("/decisions/new/lot", data=data).status_code == 409


def test_where_the_regulation_decides_ties_nothing_is_offered(tmp_path: Path) -> None:
    text = 'name = "проба"\ncut = 1\ntie_policy = ["shoot_out"]\nshoot_out_themes = 1\n'
    with tied_event(tmp_path, text) as event:
        page = client(event, Role.ORGANIZER).get("/decisions/ties").text
        assert "What may be chosen" not in page
        assert 'name="p1"' in page
        chosen = client(event, Role.ORGANIZER).get(
            "/decisions/new/tie", params={"step": "shoot_out", "group": "младшие"}
        )
        assert chosen.status_code == 409


def test_places_that_must_be_announced_can_be(tmp_path: Path) -> None:
    """Until then there are no standings, and that must not keep anybody from announcing."""
    text = 'name = "проба"\n[cut]\nplaces = "announced"\n'
    with tied_event(tmp_path, text) as event:
        browser = client(event, Role.ORGANIZER)
        assert "has not been announced" in words(browser.get("/decisions").text)
        _post(browser, "announce", {"places": "2"})
        assert young(event)[1] is Status.IN
        [entry] = decisions.entries(event)
        back = browser.get(f"/decisions/{entry.id}/back")
        assert "There are no standings then" in words(back.text)
        data = {"seen": token(back.text), "why": "ошибка"}
        assert browser.post(f"/decisions/{entry.id}/back", data=data).status_code == 303


def test_a_decision_that_the_regulation_no_longer_allows_can_be_taken_back(
    event: Event, browser: TestClient, tmp_path: Path
) -> None:
    before = standings_bytes(results.event_standings(event))
    decisions.decide(event, Decision.REMOVE, {"theme": 1, "nominal": 10}, who="chief")
    file = tmp_path / "strict.toml"
    file.write_text(REGULATION + "removal = false\n", encoding="utf-8")
    event.update(regulation=file)
    [entry] = decisions.entries(event)
    assert "There are no standings now" in words(browser.get("/decisions").text)
    data = {"seen": token(browser.get(f"/decisions/{entry.id}/back").text), "why": "регламент"}
    assert browser.post(f"/decisions/{entry.id}/back", data=data).status_code == 303
    file.write_text(REGULATION, encoding="utf-8")
    event.update(regulation=file)
    assert standings_bytes(results.event_standings(event)) == before
