"""Languages: message ids are the English sentences, Russian comes from the catalogues.

The catalogues are plain `.po` files, one per part of the product, in `otbor/locale/<language>/`. They are
read at start-up (some 20 ms for all of them), so nothing has to be compiled and an organizer can mend a
word with a text editor. The language is a context variable: the web application sets it for each
request, the command line once.
"""

from __future__ import annotations

import gettext as _gettext
import io
import locale
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = ("ru", "en")
LOCALE_DIR = Path(__file__).parent / "locale"

_current: ContextVar[str] = ContextVar("otbor_language", default="en")


@cache
def catalogue(language: str) -> _gettext.NullTranslations:
    """All catalogues of one language, merged; English is the message ids themselves."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    merged: _gettext.NullTranslations = _gettext.NullTranslations()
    for path in sorted((LOCALE_DIR / language).glob("*.po")):
        with path.open("rb") as file:
            messages = read_po(file, locale=language)
        compiled = io.BytesIO()
        write_mo(compiled, messages)
        compiled.seek(0)
        part = _gettext.GNUTranslations(compiled)
        part.add_fallback(merged)
        merged = part
    return merged


def gettext(message: str) -> str:
    """The sentence in the current language."""
    return catalogue(_current.get()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """The sentence in the current language, in the plural form that `number` asks for."""
    return catalogue(_current.get()).ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """The sentence in the current language, for a word whose translation depends on its place."""
    return catalogue(_current.get()).pgettext(context, message)


def language() -> str:
    """The current language, `ru` or `en`."""
    return _current.get()


def set_language(code: str) -> None:
    """Set the current language; anything unknown becomes English."""
    _current.set(code if code in LANGUAGES else "en")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Use a language inside a `with` block."""
    token = _current.set(code if code in LANGUAGES else "en")
    try:
        yield
    finally:
        _current.reset(token)


def detect(environment: Mapping[str, str] | None = None) -> str:
    """The user's language: OTBOR_LANG, then the locale of the system, then English."""
    env = os.environ if environment is None else environment
    for name in ("OTBOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(name, "")
        if value:
            return "ru" if value.lower().startswith("ru") else "en"
    # Windows sets none of these variables; the C library knows there.
    return "ru" if (locale.getlocale()[0] or "").lower().startswith("ru") else "en"
