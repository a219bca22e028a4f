"""Guards against a time for appeals that nobody meant, and one that the regulation says and nobody reads."""

from __future__ import annotations

import pytest

from otbor.errors import TableError
from otbor.i18n import speaking
from scoring.explain import explain
from scoring.regulation import parse_regulation
from scoring.rules import AppealRule


def _rule(text: str) -> AppealRule:
    return parse_regulation(text, source="r.toml").appeals


def _said(text: str) -> str:
    return " ".join(explain(parse_regulation(text, source="r.toml"))[0].sentences)


def test_what_the_file_says_is_read() -> None:
    assert _rule("") == AppealRule(allowed=True, minutes=None, most=10)
    assert _rule("[appeals]\nminutes = 30\nmost = 3\n") == AppealRule(minutes=30, most=3)
    assert _rule("[appeals]\nallowed = false\n") == AppealRule(allowed=False)


@pytest.mark.parametrize(
    ("table", "line", "words"),
    [
        ("minutes = 0", 3, "minutes"),
        ("minutes = -5", 3, "minutes"),
        ("minutes = 2.5", 3, "minutes"),
        ('minutes = "half an hour"', 3, "minutes"),
        ("minutes = true", 3, "minutes"),
        ("minutes = 30000", 3, "two weeks"),
        ("most = 0", 3, "most"),
        ("minute = 30", 3, "unknown"),
        ("allowed = 0", 3, "allowed"),
        ("allowed = false\nminutes = 30", 4, "not allowed"),
        ("allowed = false\nmost = 1", 4, "not allowed"),
    ],
)
def test_nonsense_is_refused_with_its_line_and_reason(table: str, line: int, words: str) -> None:
    with pytest.raises(TableError) as refused:
        _rule(f"cut = 3\n[appeals]\n{table}\n")
    assert f"r.toml, line {line}:" in refused.value.message
    assert words in refused.value.message
    assert refused.value.hint


def test_the_plain_words_say_what_holds() -> None:
    assert "within 30 minutes after publication" in _said("[appeals]\nminutes = 30\n")
    assert "within 1 minute after" in _said("[appeals]\nminutes = 1\n")
    assert "until the next publication" in _said("")
    assert "up to 10 appeals" in _said("")
    assert "no appeals" in _said("[appeals]\nallowed = false\n")
    with speaking("ru"):
        assert "в течение 30 минут после публикации" in _said("[appeals]\nminutes = 30\n")
        assert "в течение 21 минуты после" in _said("[appeals]\nminutes = 21\n")
