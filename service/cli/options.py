"""Arguments and options that several commands share."""

from __future__ import annotations

import getpass
from typing import Any

import typer

from otbor.errors import NotFoundError
from otbor.i18n import LANGUAGES
from otbor.i18n import gettext as _


def event_argument() -> Any:
    """The event's folder."""
    return typer.Argument(metavar=_("EVENT"), help=_("The event's folder."), show_default=False)


def json_option() -> Any:
    """Print data as JSON."""
    return typer.Option("--json", help=_("Print JSON, for programs."))


def who_option() -> Any:
    """Under whose name an entry is kept."""
    return typer.Option(
        "--who", metavar=_("NAME"), help=_("Under whose name this is kept; else the login's.")
    )


def name_of(who: str) -> str:
    """The name given, or the login's."""
    if who:
        return who
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "otbor"


def language_option() -> Any:
    """In which language to print for the players."""
    return typer.Option(
        "--language",
        metavar="ru|en",
        help=_("Language of the printed words; else the event's own."),
        show_default=False,
        callback=_known_language,
    )


def _known_language(code: str) -> str:
    if code and code not in LANGUAGES:
        raise NotFoundError(
            _("There is no language “{code}”.").format(code=code),
            _("Choose one of: {names}.").format(names=", ".join(LANGUAGES)),
        )
    return code
