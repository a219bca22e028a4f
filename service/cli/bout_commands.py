"""`otbor bouts`: those who go on, put into the bouts of the next stage."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.model import Player
from scoring.seeding import Method
from service.bouts import (
    Draw,
    record,
    recorded,
    recorded_draw,
    seed_category,
    sheets_pdf,
    usual_size,
)
from service.cli.options import (
    event_argument,
    json_option,
    language_option,
    name_of,
    one_category_option,
    who_option,
    why_option,
)
from service.cli.speech import Command, out, print_json
from service.event import Event
from service.output import write
from service.times import iso


def register(app: typer.Typer) -> None:
    """Add the command to the program."""

    @app.command(
        "bouts",
        cls=Command,
        help=_(
            "Put those who go on into bouts, by the snake or drawn, school-mates and team-mates kept "
            "apart as far as possible; the seed is printed."
        ),
    )
    def bouts(
        event: Annotated[Path, event_argument()],
        category: Annotated[str, one_category_option()] = "",
        size: Annotated[
            int | None,
            typer.Option(
                "--size",
                min=2,
                help=_("Players in a bout; else as the regulation says, or 4."),
                show_default=False,
            ),
        ] = None,
        method: Annotated[
            Method, typer.Option("--method", metavar="|".join(Method), help=_("How."))
        ] = Method.SNAKE,
        seed: Annotated[
            str,
            typer.Option(
                "--seed", metavar=_("TEXT"), help=_("Of a draw; else random."), show_default=False
            ),
        ] = "",
        branches: Annotated[
            int,
            typer.Option(
                "--branches",
                min=1,
                help=_(
                    "Into so many branches of the grid the bouts fall; mates are spread over them."
                ),
                show_default=False,
            ),
        ] = 1,
        apart: Annotated[
            list[int] | None,
            typer.Option(
                "--apart",
                metavar=_("NUMBER"),
                help=_("A player who is kept apart from the others named so; may be given again."),
                show_default=False,
            ),
        ] = None,
        pdf: Annotated[
            Path | None,
            typer.Option(
                "--pdf",
                metavar=_("FILE"),
                help=_("Write the draw and a sheet for the host of every bout into a PDF."),
                show_default=False,
            ),
        ] = None,
        record_: Annotated[
            bool,
            typer.Option(
                "--record", help=_("Keep the draw in the journal: it is the one that counts.")
            ),
        ] = False,
        recorded_: Annotated[
            bool,
            typer.Option(
                "--recorded", help=_("Draw nothing: show what was recorded, or print its sheets.")
            ),
        ] = False,
        language: Annotated[str, language_option()] = "",
        why: Annotated[str, why_option()] = "",
        who: Annotated[str, who_option()] = "",
        json_: Annotated[bool, json_option()] = False,
    ) -> None:
        if record_ and recorded_:
            raise ConflictError(
                _("A draw is either recorded or shown."), _("Leave out --record or --recorded.")
            )
        if method is Method.DRAWN and not seed:
            seed = secrets.token_hex(8)
        with Event(event) as opened:
            if recorded_:
                draws = recorded(opened, category)
                # A PDF holds one draw; without one, nothing recorded is an answer too.
                chosen = recorded_draw(opened, category) if pdf else None
                players = {player.number: player for player in opened.players()}
            else:
                kept = sorted(set(apart or ()))
                name, seeding, players = seed_category(
                    opened,
                    category,
                    size or usual_size(opened.regulation()),
                    method,
                    seed,
                    branches=branches,
                    apart=kept,
                )
                chosen = Draw.of(name, seeding, branches=branches, apart=kept)
                draws = [chosen]
            # The sheets first: what can't be printed is not recorded.
            if pdf is not None and chosen is not None:
                write(pdf, sheets_pdf(opened, chosen, language=language))
            if record_ and chosen is not None:
                record(opened, chosen, who=name_of(who), why=why)
        if json_:
            print_json([_with_record(draw) for draw in draws] if recorded_ else _data(draws[0]))
            return
        for draw in draws:
            if recorded_:
                out.print(_headline(draw), style="bold", markup=False)
            _print(draw, players)
        if recorded_ and not draws:
            out.print(_("No draw is recorded."), markup=False)
        if record_:
            out.print(_("The draw is recorded."), markup=False)
        if pdf is not None:
            out.print(str(pdf), markup=False, soft_wrap=True)


def _data(draw: Draw) -> dict[str, Any]:
    return {
        "category": draw.category,
        "method": draw.method.value,
        "seed": draw.seed,
        "bouts": [list(bout) for bout in draw.bouts],
        "conflicts": [list(pair) for pair in draw.conflicts],
        "proven": draw.proven,
        "branches": draw.branches,
        "apart": list(draw.apart),
    }


def _with_record(draw: Draw) -> dict[str, Any]:
    return {
        **_data(draw),
        "id": draw.id,
        "at": iso(draw.at),
        "who": draw.who,
        "why": draw.why,
        "in_force": draw.in_force,
    }


def _headline(draw: Draw) -> str:
    state = "" if draw.in_force else _("replaced by a later draw")
    parts = (draw.category, iso(draw.at), draw.who, draw.why, state)
    return " · ".join(part for part in parts if part)


def _print(draw: Draw, players: Mapping[int, Player]) -> None:
    for index, bout in enumerate(draw.bouts, start=1):
        out.print(_("Bout {number}").format(number=index), style="bold")
        for number in bout:
            player = players.get(number)
            words = [player.name, player.school] if player else [_("not in the roster any more")]
            out.print(f"  {number:>4}  {', '.join(word for word in words if word)}", markup=False)
    out.print(
        _("Pairs of mates in one bout: {count}; {proof}.").format(
            count=len(draw.conflicts),
            proof=_proof(draw),
        ),
        markup=False,
    )
    if draw.seed:
        out.print(_("Seed: {seed}").format(seed=draw.seed), markup=False)


def _proof(draw: Draw) -> str:
    if not draw.proven:
        return _("perhaps not the fewest")
    # The snake takes one player of each strength into a bout: a freer split may have fewer.
    if draw.conflicts and draw.method is Method.SNAKE:
        return _("no split by the snake has fewer")
    return _("no split has fewer")
