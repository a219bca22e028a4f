"""`otbor appeal …`: appeals of players, filed, decided with their effect shown, and taken back."""

from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.i18n import gettext as _
from scoring.model import Verdict
from service import appeal_decisions, appeal_log, appeals, sheets, times
from service.appeal_decisions import Choice
from service.appeal_log import Appeal
from service.appeal_wording import outcome, state_word
from service.cli.changes import print_decided
from service.cli.options import (
    dry_run_option,
    event_argument,
    json_option,
    name_of,
    nominal_option,
    player_argument,
    theme_option,
    who_option,
)
from service.cli.speech import Command, Group, out, print_json
from service.event import Event


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(cls=Group, no_args_is_help=True)
    app.add_typer(
        group,
        name="appeal",
        help=_(
            "Appeals of players against what is posted: file, accept or reject them. Every decision "
            "shows who gains and who loses, and can be taken back."
        ),
    )
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    why_ = Annotated[
        str,
        typer.Option(
            "--why",
            metavar=_("TEXT"),
            help=_("The reason; the player reads it."),
            show_default=False,
        ),
    ]
    id_ = Annotated[
        int,
        typer.Argument(
            metavar="ID", help=_("The appeal's number in “otbor appeal list”."), show_default=False
        ),
    ]
    dry_ = Annotated[bool, dry_run_option()]

    @group.command("list", cls=Command, help=_("All appeals, and until when they are taken."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = appeal_log.appeals(opened)
            window = appeals.current_window(opened)
        now = appeals.clock()
        if json_:
            print_json(
                {
                    "open": window is not None and window.is_open(now),
                    "closes": times.iso(window.closes) if window and window.closes else None,
                    "appeals": [_data(appeal) for appeal in found],
                }
            )
            return
        for appeal in found:
            out.print(_line(appeal, now), markup=False, soft_wrap=True)
        if window is None:
            out.print(_("No appeals are taken now: nothing is posted, or there are none at all."))
        elif not window.is_open(now):
            out.print(_("The time for appeals is over."))
        elif window.closes is None:
            out.print(_("Appeals are taken until the next publication."))
        else:
            closes = times.moment(window.closes, now)
            out.print(_("Appeals are taken until {time}.").format(time=closes), markup=False)

    @group.command("file", cls=Command, help=_("File an appeal that a player has handed in."))
    def file(
        event: event_folder,
        player: Annotated[int, player_argument()],
        theme: Annotated[int, theme_option()],
        nominal: Annotated[int, nominal_option()],
        text: Annotated[
            str,
            typer.Option(
                "--text", metavar=_("TEXT"), help=_("What the player says."), show_default=False
            ),
        ],
        question: Annotated[
            bool, typer.Option("--question", help=_("About the question as a whole."))
        ] = False,
        late: Annotated[
            bool, typer.Option("--late", help=_("Handed in in time, though it is over now."))
        ] = False,
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            filed = appeals.file(
                opened,
                player,
                theme,
                nominal,
                text,
                who=name_of(who),
                whole=question,
                late=late,
            )
        _say(filed, json_)

    @group.command("accept", cls=Command, help=_("Accept an appeal."))
    def accept(
        event: event_folder,
        appeal: id_,
        verdict: Annotated[
            Verdict,
            typer.Option(
                "--verdict", metavar="right|blank|wrong", help=_("What the answer becomes.")
            ),
        ] = Verdict.RIGHT,
        also: Annotated[
            list[str] | None,
            typer.Option(
                "--also",
                metavar=_("SHEET"),
                help=_("A sheet whose answer is judged alike; may be given again."),
                show_default=False,
            ),
        ] = None,
        equal: Annotated[
            bool, typer.Option("--equal", help=_("All equal answers are judged alike."))
        ] = False,
        form: Annotated[
            str,
            typer.Option(
                "--form",
                metavar=_("TEXT"),
                help=_("Added to the accepted answers of the key."),
                show_default=False,
            ),
        ] = "",
        remove: Annotated[bool, typer.Option("--remove", help=_("Remove the question."))] = False,
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            found = appeal_log.find(opened, appeal)
            names = [sheets.find(opened, name) for name in also or ()]
            if equal:
                names += [
                    other.answer.sheet
                    for other in appeal_decisions.others(opened, found, form)
                    if other.equal
                ]
            choice = Choice(verdict, tuple(dict.fromkeys(names)), form, remove)
            if dry_run:
                appeal_log.require_step(found, appeal_decisions.Step.ACCEPT)
                changes = appeal_decisions.effect(opened, found, choice).changes
            else:
                changes = appeal_decisions.accept(opened, appeal, choice, who=name_of(who), why=why)
        print_decided(changes, {"accepted": appeal}, dry_run, json_)

    @group.command(
        "reject", cls=Command, help=_("Reject an appeal: the verdict and the points stay.")
    )
    def reject(
        event: event_folder,
        appeal: id_,
        why: why_ = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            found = appeal_decisions.reject(opened, appeal, who=name_of(who), why=why)
        _say(found, json_)

    @group.command(
        "undo", cls=Command, help=_("Take the decision on an appeal back; it is open again.")
    )
    def undo(
        event: event_folder,
        appeal: id_,
        why: why_ = "",
        who: who_ = "",
        dry_run: dry_ = False,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            changes = appeal_decisions.reopen(
                opened, appeal, who=name_of(who), why=why, dry_run=dry_run
            )
        print_decided(changes, {"reopened": appeal}, dry_run, json_)

    @group.command(
        "withdraw", cls=Command, help=_("Withdraw an open appeal because the player says so.")
    )
    def withdraw(
        event: event_folder, appeal: id_, why: why_ = "", who: who_ = "", json_: as_json = False
    ) -> None:
        with Event(event) as opened:
            found = appeals.withdraw(opened, appeal, who=name_of(who), why=why)
        _say(found, json_)

    @group.command(
        "deadline", cls=Command, help=_("Let appeals end so many minutes from now; 0: at once.")
    )
    def deadline(
        event: event_folder,
        minutes: Annotated[
            int,
            typer.Argument(metavar=_("MINUTES"), help=_("From now."), show_default=False),
        ],
        why: why_ = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            window = appeals.set_deadline(opened, minutes, who=name_of(who), why=why)
        assert window.closes is not None, "a deadline was just set"
        if json_:
            print_json({"publication": window.publication, "closes": times.iso(window.closes)})
            return
        closes = times.moment(window.closes, appeals.clock())
        out.print(_("Appeals are taken until {time}.").format(time=closes), markup=False)


def _data(appeal: Appeal) -> dict[str, Any]:
    decided = appeal.decided
    return {
        "id": appeal.id,
        "at": times.iso(appeal.at),
        "who": appeal.who,
        "player": appeal.player,
        "publication": appeal.publication,
        "theme": appeal.theme,
        "nominal": appeal.nominal,
        "sheet": appeal.sheet,
        "question": appeal.whole,
        "by_player": appeal.own,
        "late": appeal.late,
        "text": appeal.text,
        "state": appeal.state.value,
        "decision": None
        if decided is None
        else {
            "at": times.iso(decided.at),
            "who": decided.who,
            "why": decided.why,
            "verdict": decided.verdict.value if decided.verdict else None,
            "sheets": list(decided.sheets),
            "form": decided.form,
            "removed": decided.removal is not None,
        },
    }


def _line(appeal: Appeal, now: float) -> str:
    place = f"{appeal.theme}–{appeal.nominal}"
    if appeal.whole:
        place = f"{place} ({_('the question as a whole')})"
    reason = appeal.decided.why if appeal.decided else ""
    parts = (
        str(appeal.id),
        times.moment(appeal.at, now),
        f"№ {appeal.player}",
        place,
        state_word(appeal.state),
        " ".join(appeal.text.split()),
        f"— {reason}" if reason else "",
    )
    return "  ".join(part for part in parts if part)


def _say(appeal: Appeal, as_json: bool) -> None:
    if as_json:
        print_json(_data(appeal))
        return
    out.print(_line(appeal, appeals.clock()), markup=False, soft_wrap=True)
    if outcome(appeal):
        out.print(outcome(appeal), markup=False)
