"""Guards against posted pages that leak a child's page, run somebody's name as markup, or need the web."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_sheets import key, own_page

from otbor.i18n import speaking
from reports.codes import player_code
from reports.fingerprint import fingerprint, short
from reports.markup import element, group
from reports.shown_names import Names, shown_about, shown_name
from reports.site import ONE_PAGE, site
from scoring.model import CategoryStandings, Player, Standings, Status

Make = Callable[..., CategoryStandings]
MakeAll = Callable[..., Standings]

SECRET = b"a secret of the tests"


class _Page(HTMLParser):
    """What a page holds: its words, its elements in order, and everything it points at."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(data.decode("utf-8"))
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]
        if tag not in ("meta", "link", "input", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def _own(event: Standings) -> dict[str, object]:
    return {
        player_code(SECRET, row.player.number): own_page(row)
        for part in event.categories
        for row in part.rows[:6]
    }


@pytest.fixture(scope="module")
def event(category: Make, standings: MakeAll) -> Standings:
    return standings(
        category("Младшая", 45, tied=5, left=3, absent=2),
        category("Старшая", 20, first_number=201),
    )


@pytest.fixture(scope="module")
def posted(event: Standings) -> dict[str, bytes]:
    with speaking("ru"):
        return site(event, number=2, date="1 мая", players=_own(event), key=key())  # type: ignore[arg-type]


def test_everybody_stands_on_the_first_page(event: Standings, posted: dict[str, bytes]) -> None:
    page = _Page(posted["index.html"])
    assert "Публикация № 2 · 1 мая" in page.text
    assert short(fingerprint(event)) in page.text
    assert "29 выходят наверняка, 3 места под вопросом" in page.text
    assert "Осталось 3 места: кому они достанутся, решает жюри." in page.text
    assert page.tags.count("table") == 2
    for part in event.categories:
        for row in part.rows:
            assert row.player.name in page.text


def test_every_link_is_relative_and_leads_somewhere(posted: dict[str, bytes]) -> None:
    for name, data in posted.items():
        if not name.endswith(".html"):
            continue
        for link in _Page(data).links:
            if link.startswith(("#", "data:image/jpeg;base64,")):
                continue
            assert not re.match(r"[a-z]+:|/", link), link
            parts: list[str] = []
            for part in (PurePosixPath(name).parent / link).parts:
                if part == "..":
                    parts.pop()
                else:
                    parts.append(part)
            assert "/".join(parts) in posted


def test_nothing_is_fetched_from_elsewhere(posted: dict[str, bytes]) -> None:
    for data in posted.values():
        assert not re.search(rb"https?://|//[a-z0-9-]+\.[a-z]|@import|url\(", data)


def test_no_page_tells_the_codes(event: Standings, posted: dict[str, bytes]) -> None:
    codes = list(_own(event))
    for name, data in posted.items():
        text = data.decode("utf-8").lower()
        for code in codes:
            assert code not in text or name == f"p/{code}.html"
        if name.endswith(".html"):
            assert 'content="noindex, nofollow, noarchive"' in text
    # A web host must have nothing to list.
    assert "p/index.html" in posted


def test_an_own_page_shows_own_answers(event: Standings, posted: dict[str, bytes]) -> None:
    part = event.categories[0]
    for row in part.rows[:6]:
        page = _Page(posted[f"p/{player_code(SECRET, row.player.number)}.html"])
        answers = re.findall(r"ответ (\d+)-", page.text)
        assert set(answers) == {str(row.player.number)}
        assert len(answers) == sum(bool(points) for points in row.cells)
        assert page.text.count("Верно ") == 40 and page.text.count("Иначе & так") == 40
        assert row.player.name in page.text and "Проходной балл 250" in page.text
        assert page.tags.count("img") == 40


@pytest.mark.parametrize("names", list(Names))
def test_names_are_as_the_organizer_sets(names: Names, category: Make, standings: MakeAll) -> None:
    part = category("Младшая", 40, tied=4, left=2, absent=3)
    rows = tuple(
        dataclasses.replace(
            row,
            player=Player(
                row.player.number, "Тайнов Секретий Скрытович", part.category, "Школа 99"
            ),
        )
        for row in part.rows
    )
    event = standings(dataclasses.replace(part, rows=rows))
    files = site(event, number=1, date="", names=names, players=_own(event))  # type: ignore[arg-type]
    everything = b"".join(files.values()).decode("utf-8").replace("\u00a0", " ")
    assert ("Секретий" in everything) is (names is Names.FULL)
    assert ("Тайнов С. С." in everything) is (names is Names.INITIALS)
    assert ("Тайнов" in everything) is (names is not Names.NUMBER)
    assert ("Школа 99" in everything) is (names is not Names.NUMBER)
    assert "№ 7" in everything


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Петров-Водкин Кузьма", "Петров-Водкин\u00a0К."),
        ("Ли", "Ли"),
        ("ёжиков ёж", "ёжиков\u00a0Ё."),
        ("О’Коннор Мэри  Энн", "О’Коннор\u00a0М.\u00a0Э."),
        ("  ", "№ 7"),
        ("Иванов (мл.) Иван", "Иванов\u00a0И."),
    ],
)
def test_initials(name: str, shown: str) -> None:
    player = Player(7, name, "А", "Школа", "Город")
    assert shown_name(player, Names.INITIALS) == shown
    assert shown_about(player, Names.INITIALS) == "Школа, Город"


EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>&amp;\'"'


def test_a_name_is_never_markup(category: Make, standings: MakeAll) -> None:
    part = category(EVIL, 40, tied=4, left=2, absent=1)
    rows = tuple(
        dataclasses.replace(row, player=Player(row.player.number, EVIL, EVIL, EVIL, EVIL))
        for row in part.rows
    )
    event = dataclasses.replace(
        standings(dataclasses.replace(part, category=EVIL, rows=rows)), title=EVIL
    )
    row = event.categories[0].rows[0]
    own = own_page(row, crops=False)
    answers = tuple(dataclasses.replace(answer, reading=EVIL) for answer in own.answers)
    players = {"abcdefgh2345": dataclasses.replace(own, answers=answers)}
    for name, data in site(event, number=1, date=EVIL, players=players).items():
        if name.endswith(".html"):
            page = _Page(data)
            assert page.tags.count("script") == 1 and "img" not in page.tags
            assert not re.search(rb"<[^>]* onerror", data)
            assert EVIL in page.text


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None)
def test_any_text_comes_back_as_it_was(text: str, value: str) -> None:
    made = element("p", text, element("b", value), attributes={"title": value})
    found: dict[str, str | None] = {}

    class Reader(HTMLParser):
        words = ""

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.update(attrs)

        def handle_data(self, data: str) -> None:
            self.words += data

    reader = Reader()
    reader.feed(group([made]).text)
    reader.close()
    clean = (text + value).encode("utf-8", "replace").decode()
    assert reader.words == clean
    assert found["title"] == value.encode("utf-8", "replace").decode()


def test_three_hundred_players_are_light(category: Make, standings: MakeAll) -> None:
    with speaking("ru"):
        files = site(standings(category("Большая", 300, tied=4, left=2)), number=1, date="сегодня")
    assert set(files) == {"index.html", "style.css", "page.js"}
    assert sum(len(data) for data in files.values()) < 200_000


def test_a_crowd_has_a_page_a_category(category: Make, standings: MakeAll) -> None:
    event = standings(
        category("Большая", ONE_PAGE), category("Малая", 3, first_number=2000, absent=1)
    )
    files = site(event, number=1, date="")
    assert {"index.html", "category-1.html", "category-2.html"} < set(files)
    assert "table" not in _Page(files["index.html"]).tags
    assert {"category-1.html", "category-2.html"} < set(_Page(files["index.html"]).links)
    assert _Page(files["category-1.html"]).text.count("School") == 0
    assert all(
        row.player.name in _Page(files["category-2.html"]).text for row in event.categories[1].rows
    )


def test_results_that_may_change_say_so(category: Make, standings: MakeAll) -> None:
    event = standings(category("А", 5, unconfirmed=2), category("Б", 3, first_number=50))
    with speaking("ru"):
        files = site(event, number=0, date="", players=_own(event))  # type: ignore[arg-type]
    for name, data in files.items():
        if name.endswith(".html"):
            text = _Page(data).text
            assert "Предварительно: не подтверждено 6 ответов" in text
            assert "Черновик, ещё не опубликовано" in text
    row = event.categories[0].rows[0]
    own = _Page(files[f"p/{player_code(SECRET, row.player.number)}.html"])
    assert "Не подтверждены 2 ответа" in own.text and own.text.count("?") == 2


def test_decided_statuses_have_their_words(category: Make, standings: MakeAll) -> None:
    part = category("А", 40)
    rows = list(part.rows)
    for at, status in enumerate(status for status in Status if status.value not in ("in", "tied")):
        rows[-1 - at] = dataclasses.replace(rows[-1 - at], status=status, places=None)
    with speaking("ru"):
        text = _Page(
            site(standings(dataclasses.replace(part, rows=tuple(rows))), number=1, date="")[
                "index.html"
            ]
        ).text
    for word in ("неявка", "вне зачёта", "дисквалификация", "отказ", "в запасе"):
        assert word in text


def test_an_appeal_is_entered_where_the_service_is(event: Standings) -> None:
    players = dict(list(_own(event).items())[:1])
    files = site(
        event, number=1, date="", players=players, appeal="https://otbor.local:8000/appeal"
    )  # type: ignore[arg-type]
    code = next(iter(players))
    assert f"https://otbor.local:8000/appeal?code={code}" in _Page(files[f"p/{code}.html"]).links
    with pytest.raises(ValueError, match="http"):
        site(event, number=1, date="", appeal="javascript:alert(1)")


@pytest.mark.parametrize("code", ["../index", "", "Короткий", "a/b"])
def test_a_code_that_is_no_file_name_is_refused(code: str, event: Standings) -> None:
    own = own_page(event.categories[0].rows[0])
    with pytest.raises(ValueError, match="code"):
        site(event, number=1, date="", players={code: own})


def test_the_pages_are_reproducible_and_english(event: Standings, posted: dict[str, bytes]) -> None:
    with speaking("ru"):
        again = site(event, number=2, date="1 мая", players=_own(event), key=key())  # type: ignore[arg-type]
    assert again == posted
    with speaking("en"):
        files = site(event, number=2, date="May 1", players=_own(event))  # type: ignore[arg-type]
    assert b'<html lang="en">' in files["index.html"]
    words = " ".join(_Page(data).text for name, data in files.items() if name.endswith(".html"))
    for word in ("место", "очки", "Публикация", "Тема", "верно", "Поиск"):
        assert word not in words
