"""Guards against half a translation: every sentence that users see exists in Russian, with its fields."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from otbor import i18n

ROOT = Path(__file__).parents[1]
PARTS = ("otbor", "scanner", "scoring", "jury", "reports", "service", "samples")
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def _used() -> Catalog:
    catalogue = Catalog()
    for part in PARTS:
        found = extract_from_dir(
            ROOT / part,
            method_map=[("**.py", "python"), ("**.html", "jinja2")],
            keywords=KEYWORDS,  # type: ignore[arg-type]
        )
        for name, line, message, _comments, context in found:
            catalogue.add(message, locations=[(f"{part}/{name}", line)], context=context)
    return catalogue


def _russian() -> dict[tuple[str, str | None], tuple[str, ...]]:
    words: dict[tuple[str, str | None], tuple[str, ...]] = {}
    for path in (i18n.LOCALE_DIR / "ru").glob("*.po"):
        for message in read_po(io.BytesIO(path.read_bytes()), locale="ru"):
            if message.id:
                singular = message.id if isinstance(message.id, str) else message.id[0]
                strings = (
                    message.string if isinstance(message.string, tuple | list) else [message.string]
                )
                words[singular, message.context] = tuple(strings)
    return words


def _fields(text: str) -> set[str]:
    return set(re.findall(r"\{([a-z_]*)[^}]*\}", text))


def test_no_sentence_has_two_translations() -> None:
    """Which one is shown would depend on the order of files: a button once said something else for it."""
    first: dict[tuple[str, str | None], tuple[str, ...] | str] = {}
    twice = []
    for path in sorted((i18n.LOCALE_DIR / "ru").glob("*.po")):
        for message in read_po(io.BytesIO(path.read_bytes()), locale="ru"):
            if message.id:
                singular = message.id if isinstance(message.id, str) else message.id[0]
                if first.setdefault((singular, message.context), message.string) != message.string:
                    twice.append(f"{path.name}: {singular}")
    assert twice == []


def test_every_sentence_exists_in_russian_with_the_same_fields() -> None:
    russian = _russian()
    problems = []
    for message in _used():
        if not message.id:
            continue
        singular = message.id if isinstance(message.id, str) else message.id[0]
        strings = russian.get((singular, message.context))
        where = message.locations[0] if message.locations else ""
        if not strings or not all(strings):
            problems.append(f"{where}: no Russian for {singular!r}")
        elif any(_fields(text) != _fields(singular) for text in strings):
            problems.append(f"{where}: other fields in the Russian of {singular!r}")
    assert not problems, "\n".join(problems)


def test_plurals_have_three_forms() -> None:
    assert i18n.catalogue("ru").ngettext("{count} x", "{count} xs", 1)
    for message in _used():
        if isinstance(message.id, tuple):
            assert len(_russian()[message.id[0], message.context]) == 3, message.id


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "OTBOR_LANG": "en"}, "en"),
        ({"LC_ALL": "ru_RU", "LANG": "en_US"}, "ru"),
    ],
)
def test_the_language_is_the_users(environment: dict[str, str], language: str) -> None:
    assert i18n.detect(environment) == language
