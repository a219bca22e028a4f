"""`otbor regulation`: the regulations that come with the program, and what one of them says."""

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scoring.explain import explain
from scoring.model import Regulation
from scoring.regulation import parse_regulation
from scoring.table import decode
from service.cli.options import json_option
from service.cli.speech import Command, Group, out, print_json
from service.event import Event

DEFAULT = "festival"


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    as_json = Annotated[bool, json_option()]
    regulation = typer.Typer(
        cls=Group,
        no_args_is_help=True,
        help=_("Regulations: which there are, and what one says in plain sentences."),
        subcommand_metavar=_("COMMAND [ARGUMENTS]…"),
        options_metavar=_("[OPTIONS]"),
    )

    @regulation.command(
        "explain",
        cls=Command,
        help=_(
            "Say in plain sentences what a regulation lays down: an event's, a file's or one of ours."
        ),
    )
    def explain_(
        source: Annotated[
            str,
            typer.Argument(
                metavar=_("[EVENT|FILE|NAME]"),
                help=_("An event's folder, a TOML file, or a name from “otbor regulation list”."),
                show_default=False,
            ),
        ] = DEFAULT,
        json_: as_json = False,
    ) -> None:
        found = _regulation(source)
        sections = explain(found)
        if json_:
            print_json(
                {
                    "title": found.title,
                    "sections": [
                        {"title": section.title, "sentences": list(section.sentences)}
                        for section in sections
                    ],
                }
            )
            return
        if found.title:
            out.print(found.title, style="bold", markup=False)
        for section in sections:
            out.print()
            out.print(section.title, style="bold", markup=False)
            for sentence in section.sentences:
                out.print(f"  • {sentence}", markup=False, soft_wrap=True)

    @regulation.command("list", cls=Command, help=_("The regulations that come with the program."))
    def list_(json_: as_json = False) -> None:
        titles = {
            name: parse_regulation(text, source=name).title for name, text in shipped().items()
        }
        if json_:
            print_json([{"name": name, "title": title} for name, title in titles.items()])
            return
        width = max(map(len, titles))
        for name, title in titles.items():
            out.print(f"{name:<{width}}  {title}", markup=False, soft_wrap=True)

    @regulation.command(
        "show",
        cls=Command,
        help=_("Print a regulation as TOML, to begin one of your own with."),
    )
    def show(
        name: Annotated[
            str, typer.Argument(metavar=_("NAME"), help=_("The name."), show_default=False)
        ],
        json_: as_json = False,
    ) -> None:
        text = _shipped(name)
        if json_:
            print_json({"name": name, "toml": text})
        else:
            out.print(text, markup=False, soft_wrap=True, end="")

    app.add_typer(regulation, name="regulation")


def shipped() -> dict[str, str]:
    """The texts of the regulations that come with the program, by name, the default one first."""
    files = [
        entry
        for entry in resources.files("scoring.regulations").iterdir()
        if entry.name.endswith(".toml")
    ]
    texts = {entry.name.removesuffix(".toml"): entry.read_text("utf-8") for entry in files}
    return dict(sorted(texts.items(), key=lambda item: (item[0] != DEFAULT, item[0])))


def _shipped(name: str) -> str:
    texts = shipped()
    if name not in texts:
        raise NotFoundError(
            _("There is no regulation “{name}”.").format(name=name),
            _("Choose one of: {names}.").format(names=", ".join(texts)),
        )
    return texts[name]


def _regulation(source: str) -> Regulation:
    """The regulation of an event's folder, of a file, or one of ours."""
    path = Path(source)
    if path.is_dir():
        with Event(path) as opened:
            return opened.regulation()
    if path.is_file():
        return parse_regulation(_text(path), source=source)
    return parse_regulation(_shipped(source), source=source)


def _text(path: Path) -> str:
    return decode(path.read_bytes(), source=str(path))
