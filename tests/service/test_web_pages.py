"""Guards against pages in the wrong language, keys that do nothing, results that cannot be fetched."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
import re
from pathlib import Path

import openpyxl
import pytest
from small_event import make_event
from web_event import client, rule

from otbor.i18n import speaking
from scoring.model import Player, Status, Verdict
from service import accounts, results
from service.accounts import Role
from service.event import Event
from service.web import keys, language
from service.web.app import STATIC
from service.web.live import Live
from service.web.words import words


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("en-GB", "en"),
        ("de,en;q=0.5,ru;q=0.9", "ru"),
        ("de", "en"),
        ("*;q=x, ru", "ru"),
    ],
)
def test_the_browser_chooses_the_language(accepted: str, code: str) -> None:
    assert language.choose("", "", accepted) == code
    assert language.choose("", "ru", accepted) == "ru"
    assert language.choose("en", "ru", accepted) == "en"
    assert language.choose("<x>", "xx", accepted) == code


@pytest.mark.parametrize(("code", "word"), [("ru", "Вопросы"), ("en", "Questions")])
def test_pages_and_data_speak_the_chosen_language(event: Event, code: str, word: str) -> None:
    """Pages are made in threads, server-sent events on the loop: both must know the language."""
    browser = client(event)
    html = browser.get("/", headers={"accept-language": code}).text
    assert f'<html lang="{code}">' in html
    assert word in html
    missing = browser.get("/api/wall/9/10", headers={"accept-language": code}).json()["message"]
    assert ("Нет" in missing or "нет" in missing) is (code == "ru")


def test_the_switch_is_remembered(event: Event) -> None:
    browser = client(event)
    assert "Русский" in browser.get("/wall/1/10").text
    assert 'lang="ru"' in browser.get("/wall/1/10?lang=ru").text
    assert '<html lang="ru">' in browser.get("/").text
    assert '<html lang="en">' in browser.get("/?lang=en").text


def test_the_home_page_leads_to_every_question(event: Event) -> None:
    rule(event, "x", ("1", "t1r1", Verdict.RIGHT))
    html = client(event).get("/").text
    for question in event.key().questions():
        assert f'href="/wall/{question.theme}/{question.nominal}"' in html
    assert "199 of 200 boxes are left" in html
    assert "Go on with 1–10" in html
    assert html.count('data-state="part"') == 2  # the cell, and the legend
    assert "/standings" not in html


def test_an_event_without_sheets_says_what_to_do(tmp_path: Path) -> None:
    with make_event(tmp_path) as event:
        for role in (Role.ORGANIZER, Role.JUROR):
            accounts.add_account(event, role.value, role, "271828")
        browser = client(event, Role.ORGANIZER)
        assert "otbor scan" in browser.get("/").text
        assert "otbor scan" in browser.get("/pages").text
        wall = browser.get("/api/wall/1/10").json()
        assert wall["written"] == wall["blanks"] == []
        assert browser.get("/standings").status_code == 200


def test_standings_show_places_and_lead_to_files(event: Event) -> None:
    rule(event, "x", ("1", "t1r1", Verdict.RIGHT), ("2", "t1r1", Verdict.WRONG))
    browser = client(event, Role.CHIEF)
    html = browser.get("/standings").text
    assert "Ёжиков Ёж" in html
    assert "−10" in html
    assert "198 answers are not confirmed yet" in html
    assert "/pages" not in html
    pdf = browser.get("/standings/standings.pdf")
    assert pdf.headers["content-type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF")
    assert "filename*=UTF-8''" in pdf.headers["content-disposition"]
    book = openpyxl.load_workbook(io.BytesIO(browser.get("/standings/standings.xlsx").content))
    assert "младшие" in book.sheetnames
    csv = browser.get("/standings/standings.csv")
    assert csv.content.decode("utf-8-sig").startswith("Category;")
    assert browser.get("/standings/standings.exe").status_code == 404
    assert browser.get("/standings/pdf").status_code == 404


def test_every_status_has_its_words_on_the_page(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = results.event_standings(event)
    part = now.categories[0]
    rows = tuple(
        dataclasses.replace(
            part.rows[0], player=Player(100 + at, f"Игрок {status}", ""), status=status
        )
        for at, status in enumerate(Status)
    )
    shown = dataclasses.replace(
        now, categories=(dataclasses.replace(part, rows=rows),), removed=((2, 30),)
    )
    monkeypatch.setattr(results, "event_standings", lambda _event: shown)
    html = client(event, Role.CHIEF).get("/standings").text
    for status in Status:
        assert html.count(f"Игрок {status}<") == 1
    assert html.index("Игрок in<") < html.index('class="cut"') < html.index("Игрок tied<")
    assert "disqualified" in html
    assert "2–30" in html


def test_pages_tell_how_each_one_ended(event: Event) -> None:
    browser = client(event, Role.ORGANIZER)
    html = browser.get("/pages").text
    assert html.count('class="thumb"') == 6
    assert "An empty page." in html
    assert browser.get("/pages?show=empty").text.count('class="thumb"') == 1
    assert browser.get("/pages?show=person").text.count('class="thumb"') == 0
    assert browser.get("/pages?show=%3Cscript%3E&part=-3").text.count('class="thumb"') == 6
    picture = re.findall(r'src="(/api/page/[^"]+)"', html)[0].replace("&amp;", "&")
    small = browser.get(picture)
    assert small.headers["content-type"] == "image/jpeg"
    assert len(small.content) < len(browser.get(picture.replace("small=true", "")).content)


def test_every_key_has_its_function_and_every_function_its_key() -> None:
    script = (STATIC / "wall" / "actions.js").read_text(encoding="utf-8")
    table = script.split("ACTIONS = {")[1].split("};")[0]
    functions = set(re.findall(r"^ {2}(\w+):", table, re.MULTILINE))
    bindings = [binding for group in keys.groups() for binding in group.bindings]
    assert functions == {binding.action for binding in bindings}
    all_keys = [key for binding in bindings for key in binding.keys]
    assert len(all_keys) == len(set(all_keys))


@pytest.mark.parametrize("code", ["ru", "en"])
def test_the_help_shows_every_key(event: Event, code: str) -> None:
    html = client(event).get("/wall/1/10", headers={"accept-language": code}).text
    with speaking(code):
        for group in keys.groups():
            assert group.title in html
            for binding in group.bindings:
                assert f'data-action-help="{binding.action}"' in html
                assert binding.meaning in html.replace("&#34;", '"')
                for key in binding.keys:
                    assert f"<kbd>{keys.shown(key)}</kbd>" in html
        shared = json.loads(re.findall(r'id="shared">(.*?)</script>', html, re.DOTALL)[0])
        assert shared["keys"] == keys.as_json()
        assert shared["words"] == words()


def test_the_scripts_use_just_the_words_there_are() -> None:
    # The dialog of the key is opened on the wall too, and takes its words from there.
    files = [*(STATIC / "wall").glob("*.js"), *(STATIC / "key").glob("*.js")]
    scripts = "".join(file.read_text(encoding="utf-8") for file in files)
    used = set(re.findall(r'say\(\s*"(\w+)"', scripts))
    # Chosen by a verdict, by what is in a box, or by whether anything was new.
    used |= {"right", "wrong", "disputed", "blank", "undecided", "confirmed", "unchanged"}
    used |= {"ink_blank", "ink_dash", "ink_crossed", "undone_elsewhere", "all_done", "no_next"}
    used |= {"no_sheets", "no_answers", "claimed_hint", "claimed_hint_chief"}
    there = set(words())
    assert used <= there
    # Others are chosen by a condition: they stand in the scripts as they are called.
    assert [word for word in sorted(there - used) if f'"{word}"' not in scripts] == []


def test_changes_reach_the_listeners_and_nobody_else_is_asked(event: Event) -> None:
    async def follow() -> None:
        live = Live(event, interval=0.01)
        assert not live.watching
        first, second = live.stream(lambda: True), live.stream(lambda: True)
        assert (await _next(first)).startswith("retry:")
        assert (await _next(second)).startswith("retry:")
        for stream in (first, second):
            assert json.loads((await _next(stream)).split("data: ")[1])["left"] == 200
        await asyncio.to_thread(rule, event, "x", ("1", "t1r1", Verdict.RIGHT))
        for stream in (first, second):
            assert json.loads((await _next(stream)).split("data: ")[1])["left"] == 199
        await first.aclose()  # type: ignore[attr-defined]
        assert live.watching
        await second.aclose()  # type: ignore[attr-defined]
        assert not live.watching

    asyncio.run(follow())


async def _next(stream: object) -> str:
    return await asyncio.wait_for(anext(stream), 20)  # type: ignore[call-overload,no-any-return]


def test_an_ended_session_ends_its_stream(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.web.live.HEARTBEAT_SECONDS", 0.01)

    async def follow() -> list[str]:
        stream = Live(event).stream(lambda: False)
        return [part async for part in stream]

    parts = asyncio.run(asyncio.wait_for(follow(), 20))
    assert parts[-1].startswith("event: signed-out")


def test_a_server_that_stops_ends_its_streams(event: Event) -> None:
    async def follow() -> list[str]:
        live = Live(event, interval=0.01)
        stream = live.stream(lambda: True)
        parts = [await _next(stream), await _next(stream)]
        live.close()
        return [*parts, *[part async for part in stream]]

    assert len(asyncio.run(asyncio.wait_for(follow(), 20))) == 2
