"""The command `otbor`: language, commands, errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer
from typer._click.exceptions import ClickException

from otbor import __version__, i18n
from otbor.errors import OtborError
from otbor.i18n import gettext as _
from service.cli import (
    account_commands,
    appeal_commands,
    crop_commands,
    decide_commands,
    desk_commands,
    double_commands,
    effect_commands,
    event_commands,
    final_commands,
    jury_commands,
    key_commands,
    paper_commands,
    publish_commands,
    reading_commands,
    regulation_commands,
    result_commands,
)
from service.cli.speech import Group, err, print_error, print_usage_error, translate_typer

INTERRUPTED = 130


def build() -> typer.Typer:
    """The program with all help in the current language."""
    app = typer.Typer(
        cls=Group,
        name="otbor",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        subcommand_metavar=_("COMMAND [ARGUMENTS]…"),
        options_metavar=_("[OPTIONS]"),
        help=_(
            "Scores and ranks the written qualifier of «Своя игра»: prints blanks, reads scans, has "
            "the jury confirm every answer, ranks each category, draws the line and prints results."
        ),
        epilog=_("An event from start to end: new → blanks → scan → serve → standings → report."),
    )

    def version(value: bool) -> None:
        if value:
            sys.stdout.write(f"otbor {__version__}\n")
            raise typer.Exit

    def root(
        lang: str = typer.Option(
            "",
            "--lang",
            metavar="ru|en",
            help=_("Language; otherwise OTBOR_LANG, then the system's."),
        ),
        show_version: bool = typer.Option(
            False,
            "--version",
            help=_("Show the version and exit."),
            callback=version,
            is_eager=True,
        ),
    ) -> None:
        """Nothing to do: `main` has taken the language before the help was built."""

    app.callback(
        help=app.info.help,
        cls=Group,
        no_args_is_help=True,
        epilog=app.info.epilog,
        subcommand_metavar=app.info.subcommand_metavar,
        options_metavar=app.info.options_metavar,
    )(root)
    event_commands.register(app)
    paper_commands.register(app)
    desk_commands.register(app)
    jury_commands.register(app)
    double_commands.register(app)
    effect_commands.register(app)
    key_commands.register(app)
    decide_commands.register(app)
    result_commands.register(app)
    final_commands.register(app)
    publish_commands.register(app)
    appeal_commands.register(app)
    account_commands.register(app)
    reading_commands.register(app)
    crop_commands.register(app)
    regulation_commands.register(app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run the program; returns its exit status."""
    i18n.set_language(_language(arguments))
    translate_typer()
    as_json = "--json" in arguments
    try:
        status = build()(args=list(arguments), prog_name="otbor", standalone_mode=False)
    except OtborError as error:
        print_error(error, as_json)
        return error.exit_status
    except typer.Exit as exit_:
        return exit_.exit_code
    except (typer.Abort, KeyboardInterrupt):
        err.print(_("Stopped. What was done is kept; the same command goes on from there."))
        return INTERRUPTED
    except ClickException as error:
        print_usage_error(error)
        return error.exit_code
    except BrokenPipeError:
        # `otbor answers … | head`: the reader has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status if isinstance(status, int) else 0


def main() -> None:
    """The entry point of `otbor`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Windows consoles and LANG=C know no Cyrillic by themselves.
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(run(sys.argv[1:]))


def _language(arguments: Sequence[str]) -> str:
    for index, argument in enumerate(arguments):
        if argument == "--lang" and index + 1 < len(arguments):
            return arguments[index + 1]
        if argument.startswith("--lang="):
            return argument.partition("=")[2]
    return i18n.detect()
