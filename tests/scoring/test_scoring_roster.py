"""Rosters come out of spreadsheets: no player, letter or number may get lost between Excel and the blank.

Guards against names garbled by a wrong encoding, namesakes merged, a player swallowed by an open quote,
a column shifted by a comma, and two people under one number.
"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otbor.errors import TableError
from otbor.i18n import speaking
from scoring.model import Player
from scoring.roster import parse_roster, possible_doubles

LETTERS = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя"
words = st.text(LETTERS, min_size=2, max_size=12)
names = st.builds("{} {}".format, words, words)
rosters = st.lists(
    st.builds(
        Player,
        number=st.integers(1, 9999),
        name=names,
        category=st.sampled_from(["Младшие", "Средние", "Старшие"]),
        school=st.sampled_from(["", "Лицей № 5", "Гимназия «Ёлка»; корпус 2, «А»"]),
        city=st.sampled_from(["", "Йошкар-Ола"]),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda player: player.number,
)


def table(players: list[Player], separator: str, newline: str = "\r\n") -> str:
    rows = [["Номер", "ФИО", "Категория", "Школа", "Город", "Телефон"]]
    rows += [[str(p.number), p.name, p.category, p.school, p.city, "1"] for p in players]
    quoted = [[f'"{cell}"' if separator in cell else cell for cell in row] for row in rows]
    return newline.join(separator.join(row) for row in quoted) + newline


def parse(text: str) -> list[Player]:
    return parse_roster(text.encode(), source="players.csv")


def refusal(text: str | bytes) -> TableError:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(TableError) as caught:
        parse_roster(data, source="players.csv")
    assert "players.csv" in caught.value.message
    assert caught.value.hint
    return caught.value


@given(
    rosters,
    st.sampled_from([";", ",", "\t"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251", "utf-32"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_every_encoding_separator_and_line_end_gives_the_same_players(
    players: list[Player], separator: str, encoding: str, newline: str
) -> None:
    data = table(players, separator, newline).encode(encoding)
    assert parse_roster(data, source="players.csv") == players


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_letters_are_kept_as_they_are(encoding: str) -> None:
    names_kept = ["Ёжиков Қанат", "О’Нил Шон", "Петров‑Водкин Кузьма", "Єгор Їжак"]
    text = "имя;категория\n" + "".join(f"{name};A\n" for name in names_kept)
    players = parse_roster(text.encode(encoding), source="players.csv")
    assert [player.name for player in players] == names_kept


def test_the_apostrophe_of_cp1251_is_kept() -> None:
    data = "имя;категория\nД’Артаньян Ёрик;A\n".encode("cp1251")
    assert parse_roster(data, source="players.csv")[0].name == "Д’Артаньян Ёрик"


def test_composed_unicode_and_single_spaces() -> None:
    decomposed = unicodedata.normalize("NFD", "Ёжиков  Йосиф")
    [player] = parse(f"имя;категория\n \u00a0{decomposed}\u200b ;\u202fA\n")
    assert player == Player(1, "Ёжиков Йосиф", "A")


def test_english_headings_any_order_further_columns() -> None:
    text = "City,Phone,Category,Name,Number\nОмск,+7,Junior,Ada Ko,7\n"
    assert parse(text) == [Player(7, "Ada Ko", "Junior", city="Омск")]


@pytest.mark.parametrize("heading", ["number", "№", "Номер", "НОМЕР ", "№ п/п", '"номер:"'])
@pytest.mark.parametrize("number", ["7", "№7", "№ 7", "007"])
def test_ways_to_write_a_number(heading: str, number: str) -> None:
    assert parse(f"{heading};имя;категория\n{number};Ян Ко;A\n")[0].number == 7


def test_without_numbers_the_file_gives_the_order() -> None:
    players = parse("имя;категория\nЯ Я;A\n;\nА А;B\n")
    assert [(player.number, player.name) for player in players] == [(1, "Я Я"), (2, "А А")]


def test_a_surname_in_its_own_column_is_not_lost() -> None:
    [player] = parse("Имя;Фамилия;Отчество;Категория\nИван;Петров;Ильич;A\n")
    assert player.name == "Петров Иван"


def test_excels_own_separator_line_is_passed_over() -> None:
    assert parse("sep=;\r\nимя;категория\r\nЯн Ко;A\r\n") == [Player(1, "Ян Ко", "A")]
    error = refusal("sep=;\r\nимя;категория\r\nЯн Ко;A\r\n;A\r\n")
    assert "line 4" in error.message


def test_one_category_written_in_several_ways_stays_one() -> None:
    players = parse("имя;категория\nА А;7-8 Класс\nБ Б;7–8 класс\nВ В;7 ‑ 8 класс\n")
    assert {player.category for player in players} == {"7-8 Класс"}


def test_namesakes_are_kept_and_flagged_once() -> None:
    players = parse(
        "номер;имя;категория\n9;Петров-Водкин Фёдор;A\n2;петров–водкин Федор;A\n"
        "3;Петров-Водкин Фёдор;B\n4;Петров Фёдор;A\n"
    )
    assert len(players) == 4
    assert [(a.number, b.number) for a, b in possible_doubles(players)] == [(2, 9)]


@given(rosters, st.randoms())
def test_doubles_do_not_depend_on_the_order(players: list[Player], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(players, len(players))
    assert possible_doubles(shuffled) == possible_doubles(players)


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("номер;имя;категория\n1;Ян Ко;A\n2;;A\n", 3, "name"),
        ("номер;имя;категория\n1;Ян Ко;A\n\n2;Ян Бо;\n", 4, "Ян Бо"),
        ("номер;имя;категория\n1;Ян Ко;A\n1;Ян Бо;A\n", 3, "line 2"),
        ("номер;имя;категория\n;Ян Ко;A\n", 2, "number"),
        ("номер;имя;категория\n0;Ян Ко;A\n", 2, "“0”"),
        ("номер;имя;категория\n10000;Ян Ко;A\n", 2, "“10000”"),
        ("номер;имя;категория\n-1;Ян Ко;A\n", 2, "“-1”"),
        ("номер;имя;категория\n1,5;Ян Ко;A\n", 2, "“1,5”"),
        ("номер;имя;категория\n٣;Ян Ко;A\n", 2, "“٣”"),
        ('номер;имя;категория\n1;"Ян\nКо";A\n2;Ян Бо\n', 4, "Ян Бо"),
        ('номер;имя;категория\n1;"Ян Ко;A\n2;Ян Бо;A\n', 2, "quotation"),
        ("number,name,category\n1,Ко, Ян,A\n", 2, "cells"),
        ("имя;школа\nЯн Ко;1\n", 1, "category"),
        ("номер;№;имя;категория\n1;2;Ян Ко;A\n", 1, "“№”"),
    ],
)
def test_errors_name_the_line(text: str, line: int, word: str) -> None:
    error = refusal(text)
    assert f"line {line}:" in error.message
    assert word in error.message


@pytest.mark.parametrize("data", ["", " \r\n", "\ufeff", "имя;категория\n", "имя;категория\n;\n"])
def test_nothing_in_the_file(data: str) -> None:
    assert "nothing" in refusal(data).message


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04\x14\x00\x06\x00", b"\x00\x01\x02\x00\x00", b"\xff\xfeA"]
)
def test_a_spreadsheet_or_picture_is_no_table(data: bytes) -> None:
    assert "text" in refusal(data).message


def test_damaged_utf8_is_not_taken_for_cp1251() -> None:
    data = "имя;категория\nЯн Ко;Младшие\nСемён Бо;Младшие\n".encode()
    broken = data.replace("Бо".encode(), b"\xd0")
    assert "line 3" in refusal(broken).message


def test_errors_speak_russian() -> None:
    with speaking("ru"):
        error = refusal("номер;имя\n1;Ян Ко\n")
        assert "нет столбца «категория»" in error.message
        assert error.hint == "В первой строке должны быть столбцы: имя, категория."


def test_sites_and_teams_are_read_too() -> None:
    text = "ФИО;Категория;Площадка;Команда\nЕжов Пётр;А;НГУ;Сова\nЖук Анна;А;;\n"
    first, second = parse_roster(text.encode(), source="players.csv")
    assert (first.site, first.team) == ("НГУ", "Сова")
    assert (second.site, second.team) == ("", "")
