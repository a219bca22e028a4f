"""`otbor decide …`: removals, nominals, players, ties; each shows what it changes and can be taken back."""

import csv
import inspect
import io
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.errors import InputFileError, TableError
from otbor.i18n import gettext as _
from scoring.rules import CountBack, TiePolicy
from scoring.table import decode
from service import decision_effect, decisions
from service.cli.changes import print_decided, print_idle
from service.cli.options import (
    category_option,
    csv_option,
    dry_run_option,
    event_argument,
    json_option,
    name_of,
    nominal_option,
    player_argument,
    theme_option,
    who_option,
    why_option,
)
from service.cli.speech import Command, Group, out, print_json
from service.decision_wording import sentence
from service.decisions import Decision
from service.event import Event
from service.results import event_standings
from service.times import iso


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(cls=Group, no_args_is_help=True)
    app.add_typer(
        group,
        name="decide",
        help=_(
            "Decide what the verdicts do not say: removed questions, disqualified players, ties. Every "
            "decision shows who gains and who loses, and can be taken back."
        ),
    )
    theme_ = Annotated[int, theme_option()]
    nominal_ = Annotated[int, nominal_option()]
    number_ = Annotated[int, player_argument()]
    category_ = Annotated[str, category_option()]
    deciding = Deciding(group)

    @deciding("remove", _("Remove a question: its points are written off for all."))
    def remove(theme: theme_, nominal: nominal_) -> Decided:
        return Decision.REMOVE, {"theme": theme, "nominal": nominal}

    @deciding("nominal", _("Let a question be worth something else than printed."))
    def nominal_command(
        theme: theme_,
        nominal: nominal_,
        worth: Annotated[int, typer.Option("--worth", min=1, help=_("What it is worth."))],
    ) -> Decided:
        return Decision.NOMINAL, {"theme": theme, "nominal": nominal, "worth": worth}

    for name, kind, help_ in (
        ("disqualify", Decision.DISQUALIFY, _("Disqualify a player.")),
        (
            "out-of-competition",
            Decision.OUT_OF_COMPETITION,
            _("Let a player take part out of competition: with points, without a place."),
        ),
        ("exempt", Decision.EXEMPT, _("Let a player go on without the written round.")),
        (
            "decline",
            Decision.DECLINE,
            _("Note that a player does not take the place; the reserve moves up."),
        ),
        ("call", Decision.CALL, _("Give a free place to a player, where the host chooses.")),
    ):

        def of_player(number: number_, *, kind: Decision = kind) -> Decided:
            return kind, {"number": number}

        deciding(name, help_)(of_player)

    @deciding("penalty", _("Take points away from a player."))
    def penalty(
        number: number_,
        points: Annotated[int, typer.Option("--points", min=1, help=_("How many points."))],
    ) -> Decided:
        return Decision.PENALTY, {"number": number, "points": points}

    @deciding("late", _("Note that a player came when themes were over already."))
    def late(
        number: number_,
        themes: Annotated[
            int, typer.Option("--themes", min=1, help=_("How many themes were over."))
        ],
    ) -> Decided:
        return Decision.LATE, {"number": number, "themes": themes}

    @deciding("bring", _("Give a player the points that the round before carries over."))
    def bring(
        number: number_,
        points: Annotated[int, typer.Option("--points", help=_("How many points."))],
    ) -> Decided:
        return Decision.BRING, {"number": number, "points": points}

    @deciding("places", _("Announce how many go on, where the regulation leaves it open."))
    def places(
        places: Annotated[
            int, typer.Argument(metavar=_("N"), min=1, help=_("How many."), show_default=False)
        ],
        category: category_ = "",
        by_chief: Annotated[
            bool, typer.Option("--by-chief", help=_("The chief judge allows another number."))
        ] = False,
    ) -> Decided:
        return Decision.ANNOUNCE, {"places": places, "group": category, "by_chief": by_chief}

    @deciding(
        "tie",
        _(
            "Say how ties across the line are decided: all_in, none_in, shoot_out, count_back, lot; "
            "several one after another. Only where the regulation leaves it open."
        ),
    )
    def tie(
        steps: Annotated[
            list[TiePolicy],
            typer.Argument(metavar="|".join(TiePolicy), help=_("The steps."), show_default=False),
        ],
        category: category_ = "",
        themes: Annotated[
            int, typer.Option("--themes", min=0, help=_("Themes of a shoot-out."))
        ] = 0,
        by: Annotated[
            list[CountBack] | None,
            typer.Option(
                "--by",
                metavar="|".join(CountBack),
                help=_("What a count-back compares, in order."),
                show_default=False,
            ),
        ] = None,
    ) -> Decided:
        return Decision.TIE, {
            "steps": [step.value for step in steps],
            "themes": themes or (1 if TiePolicy.SHOOT_OUT in steps else 0),
            "keys": [key.value for key in by or ()],
            "group": category,
        }

    @deciding("shoot-out", _("Enter a shoot-out from a CSV of number, points."))
    def shoot_out(
        source: Annotated[Path, csv_option()],
    ) -> Decided:
        return Decision.SHOOT_OUT, {"scores": read_scores(source)}

    @deciding(
        "lot",
        _("Draw lots among the tied; the seed is recorded, so that anybody can check the draw."),
    )
    def lot(
        event: Event,
        category: category_ = "",
        seed: Annotated[
            str,
            typer.Option(
                "--seed",
                metavar=_("TEXT"),
                help=_("What was announced; else random."),
                show_default=False,
            ),
        ] = "",
    ) -> Decided:
        return Decision.LOT, decisions.lot_for(event_standings(event), category, seed)

    _listing(group)


def _listing(group: typer.Typer) -> None:
    """The list of decisions, and taking one back."""
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]

    @group.command("list", cls=Command, help=_("All decisions, those taken back too."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = decisions.entries(opened)
            passed_over = decision_effect.now(opened).idle
            players = {player.number: player for player in opened.players()}
        if json_:
            print_json(
                [
                    {
                        "id": entry.id,
                        "at": iso(entry.at),
                        "who": entry.who,
                        "why": entry.why,
                        "decision": entry.kind.value,
                        "data": entry.data,
                        "taken_back": entry.back,
                        "idle": entry in passed_over,
                    }
                    for entry in found
                ]
            )
            return
        for entry in found:
            said = sentence(entry, players)
            back = _("taken back") if entry.back else ""
            words = (str(entry.id), entry.kind.value, said, entry.why, entry.who, back)
            out.print("  ".join(part for part in words if part), markup=False, soft_wrap=True)
        print_idle(passed_over, players)

    @group.command("undo", cls=Command, help=_("Take a decision back, by its number in the list."))
    def undo(
        event: event_folder,
        id_: Annotated[
            int,
            typer.Argument(
                metavar="ID",
                help=_("The decision's number in “otbor decide list”."),
                show_default=False,
            ),
        ],
        why: Annotated[str, why_option()] = "",
        who: Annotated[str, who_option()] = "",
        dry_run: Annotated[bool, dry_run_option()] = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            changes = decisions.take_back(opened, id_, who=name_of(who), why=why, dry_run=dry_run)
        print_decided(changes, {"taken_back": id_}, dry_run, json_)


Decided = tuple[Decision, dict[str, Any]]
"""What a command decides: the kind and its data."""


class Deciding:
    """Makes commands out of functions that only say what is decided.

    The event, the reason, the name, the trial and JSON are the same options of each; a function that has a
    parameter `event` gets the open event.
    """

    def __init__(self, group: typer.Typer) -> None:
        self._group = group

    def __call__(
        self, name: str, help_: str
    ) -> Callable[[Callable[..., Decided]], Callable[..., Decided]]:
        """A decorator that adds the function to the group under this name."""

        def add(decided: Callable[..., Decided]) -> Callable[..., Decided]:
            own = [
                parameter
                for parameter in inspect.signature(decided).parameters.values()
                if parameter.name != "event" and parameter.kind is not parameter.KEYWORD_ONLY
            ]
            wants_event = "event" in inspect.signature(decided).parameters

            def command(
                event: Path, why: str, who: str, dry_run: bool, json_: bool, **given: Any
            ) -> None:
                with Event(event) as opened:
                    kind, data = decided(**given, **({"event": opened} if wants_event else {}))
                    effect = decisions.preview(opened, kind, data)
                    changes = effect.changes
                    if not dry_run:
                        changes = decisions.decide(opened, kind, data, who=name_of(who), why=why)
                    players = {player.number: player for player in opened.players()}
                print_idle(effect.newly_idle, players)
                print_decided(changes, {"decision": kind.value, **data}, dry_run, json_)

            shared = _shared()
            parameters = [shared[0], *own, *shared[1:]]
            # Typer reads both: they say what the command takes, the function itself takes anything.
            command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
                [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
            )
            command.__annotations__ = {one.name: one.annotation for one in parameters}
            self._group.command(name, cls=Command, help=help_)(command)
            return decided

        return add


def _shared() -> list[inspect.Parameter]:
    """The parameters of every command that decides: the event first, the others last."""

    def shared(
        event: Annotated[Path, event_argument()],
        why: Annotated[str, why_option()] = "",
        who: Annotated[str, who_option()] = "",
        dry_run: Annotated[bool, dry_run_option()] = False,
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        """Only its parameters are of use."""

    return list(inspect.signature(shared).parameters.values())


def read_scores(path: Path) -> list[list[int | None]]:
    """Number and points of everybody in a shoot-out; empty points for one who did not come.

    Raises:
        InputFileError: The file cannot be read.
        TableError: A line is not two numbers.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputFileError(
            _("The file {path} cannot be read: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Check the name and try again."),
        ) from error
    text = decode(data, source=str(path))
    separator = ";" if ";" in text else "\t" if "\t" in text else ","
    scores: list[list[int | None]] = []
    for line, cells in enumerate(csv.reader(io.StringIO(text), delimiter=separator), start=1):
        if not any(cell.strip() for cell in cells):
            continue
        number = cells[0].strip()
        points = (cells[1] if len(cells) > 1 else "").strip().replace("−", "-")
        if line == 1 and not number.isdigit():
            continue  # headings
        if not number.isdigit() or (points and not points.lstrip("-").isdigit()):
            raise TableError(
                _("{path}, line {line}: two numbers are expected, player and points.").format(
                    path=path, line=line
                ),
                _("Mend that line; nothing was entered."),
            )
        scores.append([int(number), int(points) if points else None])
    if not scores:
        raise TableError(
            _("{path} holds no results.").format(path=path),
            _("One line a player: number and points."),
        )
    return scores
