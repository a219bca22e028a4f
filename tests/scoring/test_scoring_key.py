"""The key and the regulation decide what every answer is worth; a slip in them costs every player.

Guards against a nominal doubled or left out, a misspelled field lost in silence, a form both accepted
and rejected, and free words («по смыслу») compared with answers.
"""

from __future__ import annotations

from typing import Any

import pytest

from otbor.errors import TableError
from otbor.i18n import speaking
from scoring.key import parse_key
from scoring.model import AnswerKey, Regulation, TiePolicy
from scoring.regulation import parse_regulation

SMALL = Regulation(themes=2, nominals=(10, 20))


def toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def key_text(**changes: dict[str, Any] | None) -> str:
    """A key for SMALL; `t2n10={...}` changes the fields of one question, None leaves it out."""
    text = 'title = "Отбор"\n'
    for theme in (1, 2):
        text += f'\n[[theme]]\ntitle = "Тема {theme}"\n'
        for nominal in (20, 10):
            fields: dict[str, Any] = {"nominal": nominal, "answer": f"ответ {theme}-{nominal}"}
            change = changes.get(f"t{theme}n{nominal}", {})
            if change is None:
                continue
            text += "[[theme.question]]\n"
            text += "".join(
                f"{name} = {toml(value)}\n" for name, value in (fields | change).items()
            )
    return text


def parse(text: str, regulation: Regulation = SMALL) -> AnswerKey:
    return parse_key(text, source="key.toml", regulation=regulation)


def refusal(text: str) -> TableError:
    with pytest.raises(TableError) as caught:
        parse(text)
    assert caught.value.message.startswith("key.toml")
    assert caught.value.hint
    return caught.value


def test_a_key_in_the_order_of_the_regulation() -> None:
    key = parse(key_text(t1n10={"text": "Кто?", "accepted": ["Б", "В"], "rejected": ["Г"]}))
    assert key.title == "Отбор"
    assert [(q.theme, q.row, q.nominal) for q in key.questions()] == [
        (1, 1, 10),
        (1, 2, 20),
        (2, 1, 10),
        (2, 2, 20),
    ]
    question = key.question(1, 10)
    assert question.forms == ("ответ 1-10", "Б", "В")
    assert (question.text, question.rejected, question.remark) == ("Кто?", ("Г",), "")


def test_a_number_without_quotes_is_an_answer() -> None:
    assert parse(key_text(t1n10={"answer": 1812})).question(1, 10).answer == "1812"


@pytest.mark.parametrize("words", ["по смыслу", "Точный ответ", "по  упоминанию"])
def test_free_words_are_a_remark_and_never_a_form(words: str) -> None:
    question = parse(key_text(t1n10={"accepted": ["Б", words], "remark": "строго"})).question(1, 10)
    assert question.forms == ("ответ 1-10", "Б")
    assert question.remark.casefold() == "строго; " + " ".join(words.casefold().split())


@pytest.mark.parametrize(
    ("changes", "place", "word"),
    [
        ({"t2n10": None}, "theme 2", "10"),
        ({"t2n10": {"nominal": 20}}, "theme 2, 20 points", "twice"),
        ({"t2n10": {"nominal": 30}}, "theme 2, question 2", "30"),
        ({"t1n20": {"answer": " "}}, "theme 1, 20 points", "empty"),
        ({"t1n20": {"answer": "«»"}}, "theme 1, 20 points", "empty"),
        ({"t1n20": {"answer": True}}, "theme 1, 20 points", "answer"),
        ({"t1n20": {"accepted": "Б"}}, "theme 1, 20 points", "accepted"),
        ({"t1n20": {"accepted": ["Б", ""]}}, "theme 1, 20 points", "accepted"),
        ({"t1n20": {"rejected": ["Ответ 1–20"]}}, "theme 1, 20 points", "both"),
        ({"t1n20": {"accepted": ["Ёж"], "rejected": ["еж"]}}, "theme 1, 20 points", "“еж”"),
        ({"t1n20": {"acepted": ["Б"]}}, "theme 1, question 1", "acepted"),
    ],
)
def test_errors_name_theme_and_nominal(changes: dict[str, Any], place: str, word: str) -> None:
    message = refusal(key_text(**changes)).message
    assert message.startswith(f"key.toml, {place}:")
    assert word in message


def test_a_theme_too_few_or_without_title() -> None:
    with pytest.raises(TableError, match=r"number of themes is 2, .* 8"):
        parse(key_text(), Regulation())
    assert "theme 2: the title" in refusal(key_text().replace('"Тема 2"', '""')).message


def test_broken_toml_names_the_line_in_both_languages() -> None:
    assert "key.toml, line 2:" in refusal('title = "Отбор"\nанкета = "нет').message
    with speaking("ru"):
        assert "key.toml, строка 2:" in refusal('title = "Отбор"\nанкета = "нет').message


def test_a_regulation_in_full_and_by_default() -> None:
    text = """
    name = "Фестиваль"
    themes = 6
    nominals = [1, 2, 3]
    cut = 8
    tie_policy = "undecided"
    categories = ["Младшие", "Старшие"]
    """
    assert parse_regulation(text, source="r.toml") == Regulation(
        "Фестиваль", 6, (1, 2, 3), 8, TiePolicy.UNDECIDED, ("Младшие", "Старшие")
    )
    assert parse_regulation("", source="r.toml") == Regulation()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("themes = 0", "themes"),
        ('themes = "8"', "themes"),
        ("cut = true", "cut"),
        ("cut = 32.0", "cut"),
        ("nominals = []", "nominals"),
        ("nominals = [10, -10]", "nominals"),
        ("nominals = [10, 20, 10]", "“10” twice"),
        ("nominals = 10", "nominals"),
        ('tie_policy = "all_inn"', "all_inn"),
        ('categories = ["7-8 класс", "7–8 Класс"]', "7-8 класс"),
        ('categories = ["A", " "]', "categories"),
        ("cuts = 16", "cuts"),
    ],
)
def test_a_contradiction_in_the_regulation_names_line_and_field(line: str, word: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_regulation(f'name = "Х"\n\n{line}\n', source="r.toml")
    assert caught.value.message.startswith("r.toml, line 3:")
    assert word in caught.value.message
    assert caught.value.hint
