"""`otbor account …`: who may sign in to the web pages, as what, and whom they do not judge."""

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from service import account_log, account_wording, accounts, kept_from, people
from service.accounts import Role
from service.cli.options import (
    event_argument,
    json_option,
    name_of,
    role_option,
    who_option,
    why_option,
)
from service.cli.speech import Command, Group, out, print_json
from service.event import Event
from service.kept_from import KeptFrom
from service.people import Person
from service.role_names import role_name
from service.times import iso, moment


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(cls=Group, no_args_is_help=True)
    app.add_typer(
        group,
        name="account",
        help=_(
            "Who may sign in to the web pages: accounts, roles, sessions, invitations, and whom a juror "
            "does not judge."
        ),
    )
    _register_accounts(group)
    _register_kept(group)
    # Prints paper, which the other commands need not load.
    from service.cli.invite_commands import register as register_invitations

    register_invitations(group)


def name_argument() -> Any:
    """The name of an account."""
    return typer.Argument(metavar=_("NAME"), help=_("The name."), show_default=False)


def _register_accounts(group: typer.Typer) -> None:
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    name_ = Annotated[str, name_argument()]

    @group.command(
        "add",
        cls=Command,
        help=_("Let a person sign in to the web application; prints the PIN once."),
    )
    def add(
        event: event_folder,
        name: name_,
        role: Annotated[Role, role_option()] = Role.JUROR,
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            pin = accounts.add_account(opened, name, role, who=name_of(""))
        _say_pin(name, pin, json_, role=role.value)

    @group.command("list", cls=Command, help=_("List everybody: role, here now, sessions."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = people.everybody(opened)
            kept = kept_from.lists(opened)
        if json_:
            print_json([_data(person, kept.get(person.account.name)) for person in found])
        else:
            out.print(_table(found, kept))

    @group.command(
        "role",
        cls=Command,
        help=_("Give a person another role; it holds at once, without signing in anew."),
    )
    def role(
        event: event_folder,
        name: name_,
        role: Annotated[
            Role,
            typer.Argument(metavar="|".join(Role), help=_("What they may do."), show_default=False),
        ],
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            account = people.change_role(opened, name, role, who=name_of(""))
        if json_:
            print_json({"name": account.name, "role": role.value})
        else:
            said = _("{name}: {role}.").format(name=account.name, role=role_name(role))
            out.print(said, markup=False)

    @group.command("pin", cls=Command, help=_("Give a person another PIN and end their sessions."))
    def pin(event: event_folder, name: name_, json_: as_json = False) -> None:
        with Event(event) as opened:
            given = accounts.change_pin(opened, name, who=name_of(""))
        _say_pin(name, given, json_)

    @group.command(
        "lock", cls=Command, help=_("Lock a person out: their sessions end, their rulings stay.")
    )
    def lock(event: event_folder, name: name_, json_: as_json = False) -> None:
        with Event(event) as opened:
            ended = people.lock_out(opened, name, who=name_of(""))
        said = _("“{name}” is locked out.").format(name=name)
        _say_ended(name, ended, json_, said)

    @group.command("unlock", cls=Command, help=_("Let a person back in, with the PIN of before."))
    def unlock(event: event_folder, name: name_, json_: as_json = False) -> None:
        with Event(event) as opened:
            account = people.let_back(opened, name, who=name_of(""))
        if json_:
            print_json({"name": account.name, "role": account.role.value})
        else:
            out.print(_("“{name}” may sign in again.").format(name=account.name), markup=False)

    @group.command(
        "end-sessions", cls=Command, help=_("Sign a person out everywhere; they may come back.")
    )
    def end_sessions(event: event_folder, name: name_, json_: as_json = False) -> None:
        with Event(event) as opened:
            ended = accounts.end_sessions(opened, accounts.find(opened, name), who=name_of(""))
        _say_ended(name, ended, json_)

    @group.command(
        "log",
        cls=Command,
        help=_("What was done with accounts: who, when and with whom, the newest first."),
    )
    def log(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            lines = account_log.done(opened)
        if json_:
            print_json([_line(line) for line in lines])
            return
        for line in lines:
            said = f"{moment(line.at)}  {line.who}: {account_wording.sentence(line)}"
            out.print(said, markup=False)


def _line(line: account_log.Done) -> dict[str, Any]:
    said = asdict(line) | {"at": iso(line.at)}
    return {name: value for name, value in said.items() if value or name == "account"}


def _register_kept(group: typer.Typer) -> None:
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    name_ = Annotated[str, name_argument()]
    who_ = Annotated[str, who_option()]
    why_ = Annotated[str, why_option()]
    players_ = Annotated[
        list[int] | None,
        typer.Option(
            "--player",
            metavar=_("NUMBER"),
            help=_("A player's number; may be given again."),
            show_default=False,
        ),
    ]
    schools_ = Annotated[
        list[str] | None,
        typer.Option(
            "--school",
            metavar=_("SCHOOL"),
            help=_("Everybody of this school, as the roster writes it; may be given again."),
            show_default=False,
        ),
    ]

    def changing(command: str, change: Callable[..., KeptFrom], help_: str) -> None:
        @group.command(command, cls=Command, help=help_)
        def of_players(
            event: event_folder,
            name: name_,
            player: players_ = None,
            school: schools_ = None,
            why: why_ = "",
            who: who_ = "",
            json_: as_json = False,
        ) -> None:
            with Event(event) as opened:
                kept = change(
                    opened,
                    name,
                    players=player or [],
                    schools=school or [],
                    who=name_of(who),
                    why=why,
                )
                _say_kept(opened, kept, json_)

    changing(
        "keep-from",
        kept_from.keep,
        _("Keep a juror from judging players: own pupils, relatives."),
    )
    changing("let-judge", kept_from.let, _("Let a juror judge players again."))


def _say_pin(name: str, pin: str, as_json: bool, **more: str) -> None:
    if as_json:
        print_json({"name": name, **more, "pin": pin})
        return
    out.print(
        _("“{name}” signs in with the PIN {pin}. It is shown only now.").format(name=name, pin=pin),
        markup=False,
    )


def _say_ended(name: str, ended: int, as_json: bool, said: str = "") -> None:
    if as_json:
        print_json({"name": name, "ended": ended})
        return
    sessions = ngettext("{n} session ended.", "{n} sessions ended.", ended).format(n=ended)
    out.print(f"{said} {sessions}".strip(), markup=False)


def _say_kept(event: Event, kept: KeptFrom, as_json: bool) -> None:
    covered = kept_from.players_of(event, kept)
    if as_json:
        numbers = [player.number for player in covered]
        print_json({**_kept_data(kept), "covers": numbers})
        return
    if not kept:
        out.print(_("“{name}” judges everybody.").format(name=kept.account), markup=False)
        return
    out.print(
        ngettext(
            "“{name}” does not judge {n} player:",
            "“{name}” does not judge {n} players:",
            len(covered),
        ).format(name=kept.account, n=len(covered)),
        markup=False,
    )
    for player in covered:
        parts = filter(None, (str(player.number), player.name, player.school))
        out.print("  " + ", ".join(parts), markup=False)


def _table(found: list[Person], kept: dict[str, KeptFrom]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in (
        _("Name"),
        pgettext("table", "Role"),
        pgettext("table", "Here"),
        pgettext("table", "Sessions"),
        pgettext("table", "Does not judge"),
    ):
        table.add_column(title)
    now = time.time()
    for person in found:
        if not person.active:
            here = _("locked out")
        elif person.here:
            here = _("here now")
        else:
            here = moment(person.last_seen, now) if person.last_seen else "—"
        own = kept.get(person.account.name)
        judged = [*(str(number) for number in own.players), *own.schools] if own else []
        table.add_row(
            person.account.name,
            role_name(person.account.role),
            here,
            str(len(person.sessions) or ""),
            ", ".join(judged),
        )
    return table


def _data(person: Person, kept: KeptFrom | None) -> dict[str, Any]:
    return {
        "name": person.account.name,
        "role": person.account.role.value,
        "active": person.active,
        "here": person.here,
        "last_seen": None if person.last_seen is None else iso(person.last_seen),
        "sessions": [{"since": iso(one.since), "used": iso(one.used)} for one in person.sessions],
        "kept_from": _kept_data(kept) if kept else None,
    }


def _kept_data(kept: KeptFrom) -> dict[str, Any]:
    return {"account": kept.account, "players": list(kept.players), "schools": list(kept.schools)}
