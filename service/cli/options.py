"""Arguments and options that several commands share."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

import typer

from otbor.errors import EngineError, NotFoundError
from otbor.i18n import LANGUAGES
from otbor.i18n import gettext as _
from reports.shown_names import Names
from reports.standings_layout import LayoutName
from scanner.readers import choice, handwriting, second_opinion, tesseract
from service.accounts import Role
from service.cli.speech import err


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


def why_option() -> Any:
    """Why something is entered."""
    return typer.Option("--why", metavar=_("TEXT"), help=_("The reason."), show_default=False)


def dry_run_option() -> Any:
    """Look at the effect only."""
    return typer.Option("--dry-run", help=_("Only show what would change; decide nothing."))


def category_option() -> Any:
    """For one category instead of all."""
    return typer.Option(
        "--category",
        metavar=_("CATEGORY"),
        help=_("Only for this category; else for all."),
        show_default=False,
    )


def one_category_option() -> Any:
    """The category that is meant."""
    return typer.Option(
        "--category", metavar=_("CATEGORY"), help=_("Which category."), show_default=False
    )


def player_argument() -> Any:
    """One player."""
    return typer.Argument(metavar=_("NUMBER"), help=_("The player's number."), show_default=False)


def page_argument() -> Any:
    """One page."""
    return typer.Argument(
        metavar=_("PAGE"), help=_("The page, such as scan.pdf#3."), show_default=False
    )


def theme_option() -> Any:
    """A question's theme."""
    return typer.Option("--theme", metavar="1–8", min=1, help=_("The theme's number."))


def nominal_option() -> Any:
    """A question's nominal."""
    return typer.Option("--nominal", metavar="10–50", help=_("The nominal as printed."))


def csv_option() -> Any:
    """The file that is entered."""
    return typer.Option("--from", metavar=_("FILE"), help=_("The CSV."), show_default=False)


def role_option() -> Any:
    """What somebody may do."""
    return typer.Option(metavar="|".join(Role), help=_("What they may do."))


def name_of(who: str) -> str:
    """The name given, or the login's."""
    if who:
        return who
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "otbor"


def reader_option() -> Any:
    """Who transcribes the boxes."""
    return typer.Option(
        "--reader",
        metavar="|".join(choice.names()),
        help=_("Who transcribes the boxes; else OTBOR_READER, then handwriting."),
        show_default=False,
    )


def reader_to_use(name: str, asked: bool) -> str:
    """The reader to use; where an engine cannot run, the next one is taken, and the command says so.

    Args:
        name: Of the reader; our own network's if empty.
        asked: True if the user named it: then what is missing is an error.
    """
    network, print_reader = handwriting.HandwritingReader.name, tesseract.TesseractReader.name
    name = name or network
    choice.make(name)
    both = name == second_opinion.SecondOpinionReader.name
    wanted = (network, print_reader) if both else (name,)
    if network in wanted:
        try:
            handwriting.check()
        except EngineError as error:
            if asked:
                raise
            _say(_("{message} Tesseract reads instead."), error)
            wanted = (print_reader,)
    if print_reader in wanted and not tesseract.available():
        missing = tesseract.missing()
        if asked:
            raise missing
        if network in wanted:
            _say(_("{message} Our network reads alone."), missing)
            return network
        _say(_("{message} The boxes are cut and kept without readings."), missing)
        return choice.NONE
    return name if len(wanted) > 1 else wanted[0]


def _say(sentence: str, error: EngineError) -> None:
    err.print(sentence.format(message=error.message), markup=False)


def language_option() -> Any:
    """In which language to print for the players."""
    return typer.Option(
        "--language",
        metavar="ru|en",
        help=_("Language of the printed words; else the event's own."),
        show_default=False,
        callback=_known_language,
    )


def layout_option() -> Any:
    """Further layouts of the standings."""
    return typer.Option(
        "--layout",
        metavar="|".join(name for name in LayoutName),
        help=_("The standings in another layout too; may be given again."),
        show_default=False,
        callback=_known_layouts,
    )


def names_option() -> Any:
    """How players are called where everybody can read it."""
    return typer.Option(
        "--names",
        metavar="|".join(name for name in Names),
        help=_("How what is posted calls the players; else as the last publication does."),
        show_default=False,
        callback=_known_names,
    )


def _known_layouts(given: list[str] | None) -> list[str] | None:
    for name in given or ():
        _choose(name, list(LayoutName), _("There is no layout “{name}”.").format(name=name))
    return given


def _known_names(given: str) -> str:
    if not given:
        return given
    problem = _("Names can't be shown as “{name}”.").format(name=given)
    return _choose(given, list(Names), problem)


def _choose(name: str, known: Sequence[str], problem: str) -> str:
    if name not in known:
        raise NotFoundError(problem, _("Choose one of: {names}.").format(names=", ".join(known)))
    return name


def _known_language(code: str) -> str:
    if code and code not in LANGUAGES:
        raise NotFoundError(
            _("There is no language “{code}”.").format(code=code),
            _("Choose one of: {names}.").format(names=", ".join(LANGUAGES)),
        )
    return code
