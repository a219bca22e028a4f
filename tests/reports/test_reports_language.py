"""Guards against a sentence on paper that was never translated."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import reports
from otbor.i18n import LOCALE_DIR

KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with (LOCALE_DIR / "ru" / "reports.po").open("rb") as file:
        return read_po(file, locale="ru")


def _extracted() -> set[tuple[str, str | None]]:
    folder = Path(reports.__file__).parent
    found = extract_from_dir(folder, keywords=KEYWORDS)
    return {
        (message if isinstance(message, str) else message[0], context)
        for _file, _line, message, _comments, context in found
    }


def test_every_message_has_its_russian() -> None:
    """In whichever catalogue: some sentences are said on paper and on the screen."""
    everywhere = {}
    for path in (LOCALE_DIR / "ru").glob("*.po"):
        with path.open("rb") as file:
            everywhere |= {(m.id, m.context): m for m in read_po(file, locale="ru") if m.id}
    singular = {
        (key if isinstance(key, str) else key[0], c): m for (key, c), m in everywhere.items()
    }
    messages = _extracted()
    assert len(messages) > 40
    for text, context in messages:
        message = singular.get((text, context))
        assert message is not None, text
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms), text
        assert not message.fuzzy


def test_the_catalogue_holds_nothing_that_is_no_longer_said(catalogue: Catalog) -> None:
    said = _extracted()
    for message in catalogue:
        if message.id:
            text = message.id if isinstance(message.id, str) else message.id[0]
            assert (text, message.context) in said


def test_placeholders_are_the_same_in_both_languages(catalogue: Catalog) -> None:
    for message in catalogue:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        names = _placeholders(texts[-1])
        assert all(_placeholders(form) == names for form in forms), message.id


def _placeholders(text: str) -> set[str]:
    return {part.split("}")[0] for part in text.split("{")[1:]}
