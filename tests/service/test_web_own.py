"""Guards the players' own pages: others' data, results before their time, codes that can be guessed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from appeal_event import publish, ruled_event
from moved_clock import Clock
from small_event import PLAYERS, key_text
from sqlalchemy import update
from starlette.testclient import TestClient
from web_event import client

from jury.appeals import State
from jury.boxes import BoxVerdict
from otbor.errors import ConflictError
from reports import codes
from reports.codes import printed
from reports.shown_names import Names
from scoring.model import Verdict
from service import (
    accounts,
    appeal_decisions,
    appeal_log,
    appeals,
    player_codes,
    publications,
    reporting,
    rulings,
    sheets,
)
from service.attempts import Attempts
from service.event import Event
from service.reporting import Choice
from service.store.tables import page
from service.web import own

NAMES = dict(line.split(";")[:2] for line in PLAYERS.splitlines()[1:])


@pytest.fixture
def clock(appeal_clock: Clock) -> Clock:
    return appeal_clock


@pytest.fixture(autouse=True)
def guesses(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which wrong codes are counted; every test begins with none."""
    made = Clock(0.0)
    monkeypatch.setattr(player_codes, "_guesses", Attempts(20, 300.0, made))
    monkeypatch.setattr(own, "_filings", Attempts(30, 3600.0, made))
    return made


@pytest.fixture
def event(posted_event: Event) -> Event:
    return posted_event


@pytest.fixture
def phone(event: Event) -> TestClient:
    return client(event, None)


def _code(event: Event, number: int = 1) -> str:
    return player_codes.codes(event)[number]


def test_a_player_sees_the_own_answers_as_posted_and_nobody_elses(
    event: Event, phone: TestClient
) -> None:
    html = phone.get(f"/p/{_code(event)}").text
    for said in (NAMES["1"], "−10", "place 3", "ответ 120", "20 points short", "publication 1"):
        assert said in html
    assert not [name for number, name in NAMES.items() if number != "1" and name in html]
    pictures = re.findall(r'src="(/p/[^"]+)"', html)
    assert len(pictures) == 40
    found = phone.get(pictures[0])
    assert found.headers["content-type"] == "image/jpeg"
    assert found.content[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    ("names", "said"),
    [(Names.INITIALS, "Ёжиков\u00a0Ё."), (Names.NUMBER, "<h1>№ 1</h1>")],
)
def test_a_name_is_said_as_the_publication_says_it(
    event: Event, phone: TestClient, names: Names, said: str
) -> None:
    publications.publish(event, who="organizer", names=names)
    html = phone.get(f"/p/{_code(event)}").text
    assert said in html
    assert NAMES["1"] not in html


@pytest.mark.parametrize("path", ["", "/crop/t1r1", "/appeal/1/20"])
def test_nothing_is_kept_by_browsers_or_search_engines(
    event: Event, phone: TestClient, path: str
) -> None:
    answer = phone.get(f"/p/{_code(event)}{path}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert "noindex" in answer.headers["x-robots-tag"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_before_publication_nothing_is_told(tmp_path: Path, clock: Clock) -> None:
    with ruled_event(tmp_path) as event:
        phone, code = client(event, None), _code(event)
        answer = phone.get(f"/p/{code}")
        assert answer.status_code == 200
        assert "There are no results yet" in answer.text
        assert NAMES["1"] not in answer.text
        assert "ответ" not in answer.text
        assert phone.get(f"/p/{code}/crop/t1r1").status_code == 404
        assert phone.get(f"/p/{code}/appeal/1/20").status_code == 404
        assert phone.post(f"/p/{code}/appeal/1/20", data={"text": "x"}).status_code == 404


def test_after_a_withdrawal_nothing_is_told(event: Event, phone: TestClient) -> None:
    code = _code(event)
    publications.withdraw(event, 1, who="organizer")
    html = phone.get(f"/p/{code}").text
    assert "have been taken back" in html
    assert NAMES["1"] not in html
    assert "ответ" not in html
    assert phone.get(f"/p/{code}/crop/t1r1").status_code == 404
    assert phone.post(f"/p/{code}/appeal/1/20", data={"text": "x"}).status_code == 404
    assert appeal_log.appeals(event) == []
    publish(event)
    assert "publication 2" in phone.get(f"/p/{code}").text


def test_what_is_ruled_after_the_publication_is_not_shown(event: Event, phone: TestClient) -> None:
    before = phone.get(f"/p/{_code(event)}").text
    given = [BoxVerdict("1", "t1r1", Verdict.WRONG), BoxVerdict("1", "t2r1", Verdict.RIGHT)]
    rulings.enter(event, given, "chief", origin="file")
    assert phone.get(f"/p/{_code(event)}").text == before


def test_a_sheet_that_was_given_to_the_wrong_player_is_no_longer_shown(
    event: Event, tmp_path: Path, phone: TestClient
) -> None:
    """The spare was posted as player 5's; it is player 3's, whose answers player 5 must not see."""
    event.print_spares(1)
    sheets.give_spare(event, "S1", 5)
    rulings.enter(event, [BoxVerdict("S1", "t1r1", Verdict.RIGHT)], "chief", origin="file")
    publications.publish(event, who="organizer", provisional=True)
    with event.database.writing() as connection:
        connection.execute(update(page).where(page.c.sheet == "4").values(sheet="S1"))
    code = _code(event, 5)
    assert phone.get(f"/p/{code}/crop/t1r1").status_code == 200
    sheets.give_spare(event, "S1", 3)
    html = phone.get(f"/p/{code}").text
    assert "+10" in html  # as posted
    assert "/crop/" not in html
    assert "Мимо!" not in html
    assert phone.get(f"/p/{code}/crop/t1r1").status_code == 404


@pytest.mark.parametrize("change", [str.upper, printed, lambda code: f"  {printed(code)} "])
def test_a_code_may_be_typed_as_it_comes(event: Event, phone: TestClient, change: object) -> None:
    code = _code(event)
    typed = change(code)  # type: ignore[operator]
    answer = phone.post("/p", data={"code": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/p/{code}")
    linked = phone.get("/p", params={"code": typed})
    assert linked.headers["location"] == f"/p/{code}"
    assert phone.get(f"/p/{typed.strip()}").status_code in (200, 303)


def test_a_wrong_code_is_told_kindly_and_shows_nothing(event: Event, phone: TestClient) -> None:
    assert phone.get("/p").status_code == 200
    answer = phone.post("/p", data={"code": "<b>abc</b>"})
    assert answer.status_code == 404
    assert "opens no page" in answer.text
    assert "<b>abc" not in answer.text
    answer = phone.get("/p/222222222222")
    assert answer.status_code == 404
    assert 'href="/p"' in answer.text
    assert 'href="/"' not in answer.text


def test_codes_cannot_be_tried_out(event: Event, phone: TestClient, guesses: Clock) -> None:
    for at in range(20):
        path = f"/p/22222222222{at % 10}" if at % 2 else "/p/222222222222/crop/t1r1"
        assert phone.get(path).status_code == 404
    answer = phone.get("/p/333333333333")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) == 300
    # A right one too: else guessing would go on.
    assert phone.get(f"/p/{_code(event)}").status_code == 429
    assert phone.post("/p", data={"code": _code(event)}).status_code == 429
    guesses.wait(5)
    assert phone.get(f"/p/{_code(event)}").status_code == 200


def test_a_whole_class_behind_one_address_is_let_in(event: Event, phone: TestClient) -> None:
    for _at in range(30):
        assert phone.get(f"/p/{_code(event)}").status_code == 200


def test_filing_and_withdrawing(event: Event, phone: TestClient) -> None:
    code = _code(event)
    form = phone.get(f"/p/{code}/appeal/1/20").text
    assert "ответ 120" in form
    answer = phone.post(f"/p/{code}/appeal/1/20", data={"text": "Это\nверно", "about": "answer"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/p/{code}#appeals")
    [appeal] = appeal_log.appeals(event)
    assert (appeal.player, appeal.sheet, appeal.box) == (1, "1", "t1r2")
    assert (appeal.text, appeal.own, appeal.whole) == ("Это\nверно", True, False)
    html = phone.get(f"/p/{code}").text
    assert "waits for the jury" in html
    again = phone.post(f"/p/{code}/appeal/1/20", data={"text": "и ещё"})
    assert again.status_code == 409
    assert "already" in again.text
    assert "и ещё" in again.text  # what was typed is not lost
    other = _code(event, 2)
    assert phone.post(f"/p/{other}/withdraw/{appeal.id}").status_code == 404
    assert appeal_log.find(event, appeal.id).state is State.OPEN
    assert phone.post(f"/p/{code}/withdraw/{appeal.id}").status_code == 303
    assert appeal_log.find(event, appeal.id).state is State.WITHDRAWN


def test_filing_and_withdrawing_without_end_is_stopped(event: Event, phone: TestClient) -> None:
    code = _code(event)
    answers = [
        phone.post(f"/p/{code}/appeal/1/20", data={"text": ""}).status_code for _at in range(31)
    ]
    assert answers == [409] * 30 + [429]
    other = phone.post(f"/p/{_code(event, 2)}/appeal/1/10", data={"text": "верно"})
    assert other.status_code == 303


def test_a_decision_is_read_on_the_page(event: Event, phone: TestClient) -> None:
    code = _code(event)
    phone.post(f"/p/{code}/appeal/1/20", data={"text": "верно"})
    [appeal] = appeal_log.appeals(event)
    appeal_decisions.reject(event, appeal.id, who="chief", why="не тот город")
    html = phone.get(f"/p/{code}").text
    assert "rejected" in html
    assert "не тот город" in html
    assert "stay as they were" in html
    assert "chief" not in html
    assert "−10" in html
    appeal_decisions.reopen(event, appeal.id, who="chief")
    appeal_decisions.accept(event, appeal.id, appeal_decisions.Choice(), who="chief")
    html = phone.get(f"/p/{code}").text
    assert "counts as right" in html
    assert "−10" in html  # what is posted, until the next publication
    publish(event)
    assert "30 points" in phone.get(f"/p/{code}").text


def test_too_late_is_refused_and_the_form_is_gone(
    event: Event, phone: TestClient, clock: Clock
) -> None:
    code = _code(event)
    assert 'data-left="1800"' in phone.get(f"/p/{code}").text
    clock.wait(31)
    html = phone.get(f"/p/{code}").text
    assert "time for appeals is over" in html
    assert "/appeal/1/20" not in html
    answer = phone.post(f"/p/{code}/appeal/1/20", data={"text": "верно"})
    assert answer.status_code == 409
    assert "<form" not in answer.text
    assert appeal_log.appeals(event) == []


def test_html_in_an_appeal_stays_text(event: Event, phone: TestClient) -> None:
    evil = "</textarea><script>alert(1)</script>"
    code = _code(event)
    phone.post(f"/p/{code}/appeal/1/20", data={"text": evil})
    refused = phone.post(f"/p/{code}/appeal/1/20", data={"text": evil})
    [appeal] = appeal_log.appeals(event)
    appeal_decisions.reject(event, appeal.id, who="chief", why=evil)
    pages = [refused.text, phone.get(f"/p/{code}").text]
    chief = client(event, accounts.Role.CHIEF)
    pages += [chief.get(path).text for path in ("/appeals", f"/appeals/{appeal.id}")]
    for html in pages:
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert" in html


def test_another_site_cannot_file_for_a_player(event: Event, phone: TestClient) -> None:
    answer = phone.post(
        f"/p/{_code(event)}/appeal/1/20",
        data={"text": "x"},
        headers={"sec-fetch-site": "cross-site"},
    )
    assert answer.status_code == 403
    assert appeal_log.appeals(event) == []


@pytest.mark.parametrize("place", ["9/10", "1/15", "0/10"])
def test_no_such_question(event: Event, phone: TestClient, place: str) -> None:
    assert phone.get(f"/p/{_code(event)}/appeal/{place}").status_code == 404
    data = {"text": "x"}
    assert phone.post(f"/p/{_code(event)}/appeal/{place}", data=data).status_code == 404


def test_the_page_speaks_russian(event: Event, phone: TestClient) -> None:
    html = phone.get(f"/p/{_code(event)}", headers={"accept-language": "ru"}).text
    assert "до черты 20 очков" in html
    assert "Обжаловать" in html
    assert 'lang="ru"' in html


def test_a_new_key_does_not_change_what_is_posted(
    event: Event, phone: TestClient, tmp_path: Path
) -> None:
    key = tmp_path / "key.toml"
    key.write_text(key_text().replace("ответ 120", "совсем другое"), encoding="utf-8")
    event.update(key=key)
    html = phone.get(f"/p/{_code(event)}").text
    assert "ответ 120" in html
    assert "совсем другое" not in html


def test_an_open_appeal_of_one_whose_results_were_taken_back_is_still_there(
    event: Event, phone: TestClient
) -> None:
    appeals.file(event, 1, 1, 20, "верно", who="player 1", own=True)
    publications.withdraw(event, 1, who="organizer")
    html = phone.get(f"/p/{_code(event)}").text
    assert "верно" in html
    assert "Withdraw the appeal" in html


def test_the_posted_pages_lead_here(event: Event, phone: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    choice = Choice(site=folder, appeals="otbor.example:8300/")
    reporting.write_reports(event, tmp_path / "out", "en", choice)
    code = _code(event)
    html = (folder / "p" / f"{code}.html").read_text(encoding="utf-8")
    [link] = re.findall(r'href="(http[^"]+)"', html)
    assert link == f"http://otbor.example:8300/p?code={code}"
    assert phone.get(link.removeprefix("http://otbor.example:8300")).headers["location"] == (
        f"/p/{code}"
    )


@pytest.mark.parametrize("address", ["javascript:alert(1)", "ftp://x", "http://x/y?z", "two words"])
def test_an_address_for_appeals_that_is_none_is_refused_before_anything_is_written(
    event: Event, tmp_path: Path, address: str
) -> None:
    for choice in (
        Choice(site=tmp_path / "site", appeals=address),
        Choice(appeals="http://a.example"),
    ):
        with pytest.raises(ConflictError):
            reporting.write_reports(event, tmp_path / "out", "en", choice)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("К7QF–3М2Х-9АТВ", "k7qf3m2x9atb"),  # Cyrillic К, М, Х, А, Т, В
        ("k7qf 3m2x 9atb", "k7qf3m2x9atb"),
        ("Ｋ７ＱＦ３Ｍ２Ｘ９ＡＴＢ", "k7qf3m2x9atb"),
        ("k7qf_3m2x.9atb", "k7qf3m2x9atb"),
        ("k7qf3m2x9at0", ""),
        ("k7qf3m2x9at", ""),
        ("", ""),
    ],
)
def test_letters_of_a_russian_keyboard_are_taken_for_what_they_look_like(
    typed: str, meant: str
) -> None:
    assert codes.typed(typed) == meant
