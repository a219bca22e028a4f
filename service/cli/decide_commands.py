"""`otbor decide …`: removals, nominals, players, ties; each shows what it changes and can be taken back."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.errors import InputFileError, TableError
from otbor.i18n import gettext as _
from scoring.changes import StandingsChanges
from scoring.rules import CountBack, TiePolicy
from scoring.table import decode
from service import decisions
from service.cli.changes import changes_data, print_changes
from service.cli.options import event_argument, json_option, name_of, who_option
from service.cli.speech import Command, Group, out, print_json
from service.decisions import Decision
from service.event import Event
from service.results import event_standings


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
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    why_ = Annotated[
        str, typer.Option("--why", metavar=_("TEXT"), help=_("The reason."), show_default=False)
    ]
    dry_ = Annotated[
        bool, typer.Option("--dry-run", help=_("Only show what would change; decide nothing."))
    ]
    category_ = Annotated[
        str,
        typer.Option(
            "--category",
            metavar=_("CATEGORY"),
            help=_("Only for this category; else for all."),
            show_default=False,
        ),
    ]
    theme_ = Annotated[
        int, typer.Option("--theme", metavar="1–8", min=1, help=_("The theme's number."))
    ]
    nominal_ = Annotated[
        int, typer.Option("--nominal", metavar="10–50", help=_("The nominal as printed."))
    ]
    number_ = Annotated[
        int,
        typer.Argument(metavar=_("NUMBER"), help=_("The player's number."), show_default=False),
    ]

    def decide(
        event: Path,
        kind: Decision,
        data: dict[str, Any],
        who: str,
        why: str,
        dry: bool,
        json_: bool,
    ) -> None:
        with Event(event) as opened:
            changes = decisions.decide(opened, kind, data, who=name_of(who), why=why, dry_run=dry)
        _report(changes, {"decision": kind.value, **data}, dry, json_)

    @group.command(
        "remove", cls=Command, help=_("Remove a question: its points are written off for all.")
    )
    def remove(
        event: event_folder,
        theme: theme_,
        nominal: nominal_,
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {"theme": theme, "nominal": nominal}
        decide(event, Decision.REMOVE, data, who, why, dry_run, json_)

    @group.command(
        "nominal", cls=Command, help=_("Let a question be worth something else than printed.")
    )
    def nominal_command(
        event: event_folder,
        theme: theme_,
        nominal: nominal_,
        worth: Annotated[int, typer.Option("--worth", min=1, help=_("What it is worth."))],
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {"theme": theme, "nominal": nominal, "worth": worth}
        decide(event, Decision.NOMINAL, data, who, why, dry_run, json_)

    def player_command(name: str, kind: Decision, help_: str) -> None:
        @group.command(name, cls=Command, help=help_)
        def command(
            event: event_folder,
            number: number_,
            why: why_ = "",
            who: who_ = "",
            dry_run: dry_ = False,
            json_: as_json = False,
        ) -> None:
            decide(event, kind, {"number": number}, who, why, dry_run, json_)

    player_command("disqualify", Decision.DISQUALIFY, _("Disqualify a player."))
    player_command(
        "out-of-competition",
        Decision.OUT_OF_COMPETITION,
        _("Let a player take part out of competition: with points, without a place."),
    )
    player_command("exempt", Decision.EXEMPT, _("Let a player go on without the written round."))
    player_command(
        "decline",
        Decision.DECLINE,
        _("Note that a player does not take the place; the reserve moves up."),
    )
    player_command(
        "call", Decision.CALL, _("Give a free place to a player, where the host chooses.")
    )

    @group.command("penalty", cls=Command, help=_("Take points away from a player."))
    def penalty(
        event: event_folder,
        number: number_,
        points: Annotated[int, typer.Option("--points", min=1, help=_("How many points."))],
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {"number": number, "points": points}
        decide(event, Decision.PENALTY, data, who, why, dry_run, json_)

    @group.command(
        "places",
        cls=Command,
        help=_("Announce how many go on, where the regulation leaves it open."),
    )
    def places(
        event: event_folder,
        places_: Annotated[
            int, typer.Argument(metavar=_("N"), min=1, help=_("How many."), show_default=False)
        ],
        category: category_ = "",
        by_chief: Annotated[
            bool, typer.Option("--by-chief", help=_("The chief judge allows another number."))
        ] = False,
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {"places": places_, "group": category, "by_chief": by_chief}
        decide(event, Decision.ANNOUNCE, data, who, why, dry_run, json_)

    @group.command(
        "tie",
        cls=Command,
        help=_(
            "Say how ties across the line are decided: all_in, none_in, shoot_out, count_back, lot; "
            "several one after another. Only where the regulation leaves it open."
        ),
    )
    def tie(
        event: event_folder,
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
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {
            "steps": [step.value for step in steps],
            "themes": themes or (1 if TiePolicy.SHOOT_OUT in steps else 0),
            "keys": [key.value for key in by or ()],
            "group": category,
        }
        decide(event, Decision.TIE, data, who, why, dry_run, json_)

    @group.command(
        "shoot-out", cls=Command, help=_("Enter a shoot-out from a CSV of number, points.")
    )
    def shoot_out(
        event: event_folder,
        source: Annotated[
            Path, typer.Option("--from", metavar=_("FILE"), help=_("The CSV."), show_default=False)
        ],
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        data = {"scores": read_scores(source)}
        decide(event, Decision.SHOOT_OUT, data, who, why, dry_run, json_)

    @group.command(
        "lot",
        cls=Command,
        help=_(
            "Draw lots among the tied; the seed is recorded, so that anybody can check the draw."
        ),
    )
    def lot(
        event: event_folder,
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
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            data = decisions.lot_for(event_standings(opened), category, seed)
        decide(event, Decision.LOT, data, who, why, dry_run, json_)

    @group.command("list", cls=Command, help=_("All decisions, those taken back too."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = decisions.entries(opened)
        if json_:
            print_json(
                [
                    {
                        "id": entry.id,
                        "at": datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="seconds"),
                        "who": entry.who,
                        "why": entry.why,
                        "decision": entry.kind.value,
                        "data": entry.data,
                        "taken_back": entry.back,
                    }
                    for entry in found
                ]
            )
            return
        for entry in found:
            words = " ".join(f"{name}={value}" for name, value in entry.data.items() if value != "")
            back = _("taken back") if entry.back else ""
            out.print(
                "  ".join(
                    part
                    for part in (str(entry.id), entry.kind.value, words, entry.why, entry.who, back)
                    if part
                ),
                markup=False,
                soft_wrap=True,
            )

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
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            changes = decisions.take_back(opened, id_, who=name_of(who), why=why, dry_run=dry_run)
        _report(changes, {"taken_back": id_}, dry_run, json_)


def _report(
    changes: StandingsChanges, decided: dict[str, Any], dry_run: bool, as_json: bool
) -> None:
    if as_json:
        print_json({**decided, "dry_run": dry_run, "changes": changes_data(changes)})
        return
    print_changes(changes)
    out.print(
        _("Nothing was decided: this was a trial.") if dry_run else _("Decided."), markup=False
    )


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
