"""`otbor final`: the final stake and answer."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.wording import points_text
from scoring.rules import StakeFault
from scoring.stakes import Opening
from service import finals
from service.cli.options import event_argument, json_option, name_of, who_option
from service.cli.speech import Command, out, print_json
from service.event import Event
from service.finals import Final


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "final",
        cls=Command,
        help=_(
            "The final stake and answer, where the regulation has them: enters stakes and verdicts from a "
            "CSV of number, stake, verdict, ruled; says what each stake counts, what the chief has to "
            "decide, and who wins."
        ),
    )
    def final(
        event: Annotated[Path, event_argument()],
        source: Annotated[
            Path | None,
            typer.Option("--from", metavar=_("FILE"), help=_("The CSV."), show_default=False),
        ] = None,
        crops: Annotated[
            Path | None,
            typer.Option(
                "--crops",
                metavar=_("FOLDER"),
                help=_(
                    "Write the pictures of the scanned stakes and answers, and a CSV to fill in."
                ),
                show_default=False,
            ),
        ] = None,
        category: Annotated[
            str,
            typer.Option(
                "--category", metavar=_("CATEGORY"), help=_("Which category."), show_default=False
            ),
        ] = "",
        who: Annotated[str, who_option()] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        with Event(event) as opened:
            files = finals.write_crops(opened, crops) if crops else []
            count = finals.enter(opened, source, name_of(who)) if source else 0
            found = finals.finals(opened, category)
        if json_:
            print_json(
                {
                    "entered": count,
                    "files": [str(path) for path in files],
                    "categories": [_data(part) for part in found],
                }
            )
            return
        for path in files:
            out.print(str(path), markup=False, soft_wrap=True)
        for part in found:
            _print(part)


def _data(part: Final) -> dict[str, Any]:
    result = part.result
    return {
        "category": part.category,
        "opening": result.opening.value,
        "winner": result.winner,
        "tied": list(result.tied),
        "chief": list(result.chief),
        "open_verdicts": list(result.open_verdicts),
        "waiting": list(part.waiting),
        "rows": [
            {
                "number": row.number,
                "name": part.players[row.number].name,
                "before": row.before,
                "stake": row.stake,
                "fault": row.fault.value if row.fault else None,
                "change": row.change,
                "after": row.after,
            }
            for row in result.rows
        ],
    }


def _print(part: Final) -> None:
    result = part.result
    table = Table(title=part.category, title_justify="left", box=None, pad_edge=False)
    for heading in (_("No."), _("Name"), _("Before"), _("Stake"), _("Change"), _("After"), ""):
        table.add_column(heading, justify="left" if heading in (_("Name"), "") else "right")
    for row in result.rows:
        table.add_row(
            str(row.number),
            part.players[row.number].name,
            points_text(row.before),
            "?" if row.stake is None else str(row.stake),
            "?" if row.change is None else points_text(row.change),
            points_text(row.after),
            fault_name(row.fault),
        )
    out.print(table)
    for line in _lines(part):
        out.print(line, markup=False)
    out.print()


def _lines(part: Final) -> list[str]:
    result = part.result

    def names(numbers: tuple[int, ...]) -> str:
        return ", ".join(f"{part.players[number].name} ({number})" for number in numbers)

    lines = []
    if result.opening is not Opening.PLAYED:
        lines.append(opening_name(result.opening))
    if part.waiting:
        lines.append(_("Scanned, but not entered: {names}.").format(names=names(part.waiting)))
    if result.chief:
        lines.append(_("For the chief: {names}.").format(names=names(result.chief)))
    if result.open_verdicts:
        lines.append(_("Not judged yet: {names}.").format(names=names(result.open_verdicts)))
    if result.tied:
        lines.append(_("Tied for the first place: {names}.").format(names=names(result.tied)))
    if result.winner is not None:
        lines.append(_("Winner: {name}.").format(name=names((result.winner,))))
    return lines


def opening_name(opening: Opening) -> str:
    """Why the final is not played."""
    return {
        Opening.PLAYED: "",
        Opening.NOBODY_POSITIVE: _("The final is not played: nobody has a positive sum."),
        Opening.SINGLE_POSITIVE: _("The final is not played: only one player has a positive sum."),
        Opening.CLEAR_LEAD: _("The final is not played: the leader cannot be caught up."),
    }[opening]


def fault_name(fault: StakeFault | None) -> str:
    """What is wrong with a stake, as words."""
    return {
        None: "",
        StakeFault.MISSING: pgettext("stake", "no stake"),
        StakeFault.TOO_LOW: pgettext("stake", "too low"),
        StakeFault.TOO_HIGH: pgettext("stake", "too high"),
        StakeFault.OFF_STEP: pgettext("stake", "not in the steps allowed"),
        StakeFault.UNREADABLE: pgettext("stake", "unreadable"),
        StakeFault.DOUBLED: pgettext("stake", "two stakes"),
    }[fault]
