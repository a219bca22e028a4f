"""The command line's own words in the user's language, and how it prints.

Typer's fixed words (“Usage”, “Options”, “Missing argument”) are English strings inside it. They are
replaced here, in one place: through subclasses where it has a door, by its module constants where not.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import typer
import typer.core
import typer.rich_utils
from rich.console import Console
from typer._click.exceptions import (
    BadParameter,
    ClickException,
    MissingParameter,
    NoSuchOption,
    UsageError,
)
from typer.core import TyperCommand, TyperGroup

from otbor.errors import OtborError
from otbor.i18n import gettext as _

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class _Words:
    """Usage line and help option in the user's language."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=_("Usage:") + " ")

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = _("Show this help and exit.")
        return option


class Command(_Words, TyperCommand):
    """A command."""


class Group(_Words, TyperGroup):
    """The whole program; commands stand in the order in which an event runs."""

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order they were registered."""
        return list(self.commands)


def translate_typer() -> None:
    """Put Typer's constants into the current language."""
    words = typer.rich_utils
    words.ARGUMENTS_PANEL_TITLE = _("Arguments")
    words.OPTIONS_PANEL_TITLE = _("Options")
    words.COMMANDS_PANEL_TITLE = _("Commands")
    words.ERRORS_PANEL_TITLE = _("Error")
    words.DEFAULT_STRING = _("[default: {}]")
    words.REQUIRED_LONG_STRING = _("[required]")
    typer.core._ = _


def print_json(data: Any) -> None:
    """Print data as JSON, Cyrillic as it is."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def print_error(error: OtborError, as_json: bool) -> None:
    """Say what is wrong and what to do next, on the error stream."""
    if as_json:
        sys.stderr.write(json.dumps(error.as_dict(), ensure_ascii=False) + "\n")
        return
    _print_sentence(error.message)
    if error.hint:
        err.print(error.hint, markup=False, soft_wrap=True)


def _print_sentence(sentence: str) -> None:
    err.print(_("Error:"), style="bold red", end=" ")
    err.print(sentence, markup=False, soft_wrap=True)


def usage_error(error: ClickException) -> str:
    """A wrong command line as a sentence."""
    if isinstance(error, MissingParameter):
        name = error.param.get_error_hint() if error.param else ""
        return _("{name} is missing.").format(name=name)
    if isinstance(error, NoSuchOption):
        return _("There is no option {name}.").format(name=error.option_name)
    if isinstance(error, BadParameter):
        name = error.param.get_error_hint() if error.param else ""
        return _("{name}: {message}").format(name=name, message=error.message)
    return error.format_message()


def print_usage_error(error: ClickException) -> None:
    """Say what is wrong with the command line and where help is."""
    _print_sentence(usage_error(error))
    if isinstance(error, UsageError) and error.ctx is not None:
        err.print(
            _("See “{command} --help”.").format(command=error.ctx.command_path),
            markup=False,
            soft_wrap=True,
        )
