"""`otbor key …`: forms that the jury adds to the answer key, with what they change, and taking them back."""

from pathlib import Path
from typing import Annotated, Any

import typer

from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from scoring.model import Verdict
from service import key_changes, sheets
from service.answers import Answer
from service.cli.changes import changes_data, print_changes
from service.cli.options import event_argument, json_option, name_of, who_option, why_option
from service.cli.speech import Command, Group, out, print_json
from service.event import Event
from service.key_changes import Effect, FormEntry
from service.times import iso


def register(app: typer.Typer) -> None:
    """Add the group of commands to the program."""
    group = typer.Typer(cls=Group, no_args_is_help=True)
    app.add_typer(
        group,
        name="key",
        help=_(
            "Add a form to the answer key while the jury works, see which answers it concerns, and "
            "take it back. A whole new key: otbor update EVENT --key FILE."
        ),
    )
    event_folder = Annotated[Path, event_argument()]
    as_json = Annotated[bool, json_option()]
    who_ = Annotated[str, who_option()]
    why_ = Annotated[str, why_option()]

    @group.command(
        "add-form",
        cls=Command,
        help=_(
            "Add an accepted answer to a question (--rejected: one that is not accepted). Says which "
            "equal answers are ruled otherwise; those named with --rule are ruled anew."
        ),
    )
    def add_form(
        event: event_folder,
        theme: Annotated[
            int, typer.Argument(metavar="1–8", help=_("The theme's number."), show_default=False)
        ],
        nominal: Annotated[
            int,
            typer.Argument(metavar="10–50", help=_("The nominal as printed."), show_default=False),
        ],
        form: Annotated[
            str,
            typer.Argument(metavar=_("FORM"), help=_("The answer's text."), show_default=False),
        ],
        rejected: Annotated[
            bool, typer.Option("--rejected", help=_("It is not to be accepted."))
        ] = False,
        rule: Annotated[
            list[str] | None,
            typer.Option(
                "--rule",
                metavar=_("SHEET"),
                help=_("Rule the answer on this sheet as the form says; may be given again."),
                show_default=False,
            ),
        ] = None,
        why: why_ = "",
        who: who_ = "",
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help=_("Only show what would change; change nothing."))
        ] = False,
        json_: as_json = False,
    ) -> None:
        accepted = not rejected
        meant = Verdict.RIGHT if accepted else Verdict.WRONG
        entry = None
        with Event(event) as opened:
            verdicts = {sheets.find(opened, name): meant for name in rule or ()}
            found = key_changes.effect(
                opened, theme, nominal, form, accepted=accepted, verdicts=verdicts, anew=()
            )
            if not dry_run:
                # Whoever names a sheet has its paper at hand; no screen can vouch for it.
                entry = key_changes.add_form(
                    opened,
                    theme,
                    nominal,
                    form,
                    accepted=accepted,
                    who=name_of(who),
                    why=why,
                    verdicts=verdicts,
                    must_see=False,
                )
        if json_:
            print_json(_effect_data(found, entry))
        else:
            _print_effect(found, entry, event, set(verdicts))

    @group.command("list", cls=Command, help=_("All forms that were added, those taken back too."))
    def list_(event: event_folder, json_: as_json = False) -> None:
        with Event(event) as opened:
            found = key_changes.entries(opened)
        if json_:
            print_json([_entry_data(entry) for entry in found])
            return
        for entry in found:
            out.print(_entry_line(entry), markup=False, soft_wrap=True)

    @group.command(
        "undo",
        cls=Command,
        help=_(
            "Take a form out of the key again, by its number in the list, and the rulings given with it."
        ),
    )
    def undo(
        event: event_folder,
        id_: Annotated[
            int,
            typer.Argument(
                metavar="ID",
                help=_("The form's number in “otbor key list”."),
                show_default=False,
            ),
        ],
        why: why_ = "",
        who: who_ = "",
        json_: as_json = False,
    ) -> None:
        with Event(event) as opened:
            entry, changes, _undone = key_changes.take_back(opened, id_, who=name_of(who), why=why)
        if json_:
            print_json({"taken_back": entry.id, "changes": changes_data(changes)})
            return
        out.print(_("“{form}” is taken back.").format(form=entry.change.form), markup=False)
        print_changes(changes)


def _print_effect(found: Effect, entry: FormEntry | None, event: Path, ruled: set[str]) -> None:
    change = found.change
    if change.moved:
        out.print(
            _("“{form}” was among the answers not accepted.").format(form=change.moved)
            if change.accepted
            else _("“{form}” was among the accepted answers.").format(form=change.moved),
            markup=False,
        )
    out.print(
        ngettext(
            "Not ruled on yet, and suggested otherwise now: {n} answer.",
            "Not ruled on yet, and suggested otherwise now: {n} answers.",
            len(found.suggested),
        ).format(n=len(found.suggested)),
        markup=False,
    )
    for words, answers in (
        (_("Equal answers that are ruled otherwise: {sheets}."), found.contradicting),
        (_("Equal answers that wait for the chief: {sheets}."), found.disputed),
    ):
        left = [answer for answer in answers if answer.sheet not in ruled]
        if left:
            named = ", ".join(f"{answer.sheet} ({answer.text or '—'})" for answer in left)
            out.print(words.format(sheets=named), markup=False, soft_wrap=True)
    print_changes(found.standings)
    if entry is None:
        out.print(_("Nothing was changed: this was a trial."), markup=False)
    else:
        out.print(
            _("“{form}” is in the key. Take it back: otbor key undo {path} {id}").format(
                form=change.form, path=event, id=entry.id
            ),
            markup=False,
            soft_wrap=True,
        )


def _effect_data(found: Effect, entry: FormEntry | None) -> dict[str, Any]:
    change = found.change
    return {
        "theme": change.theme,
        "nominal": change.nominal,
        "form": change.form,
        "accepted": change.accepted,
        "moved": change.moved or None,
        "id": entry.id if entry else None,
        "dry_run": entry is None,
        "suggested": [_answer_data(answer) for answer in found.suggested],
        "contradicting": [_answer_data(answer) for answer in found.contradicting],
        "disputed": [_answer_data(answer) for answer in found.disputed],
        "agreeing": found.agreeing,
        "changes": changes_data(found.standings),
    }


def _answer_data(answer: Answer) -> dict[str, Any]:
    return {
        "sheet": answer.sheet,
        "text": answer.text,
        "ruling": answer.ruling.value if answer.ruling else None,
    }


def _entry_data(entry: FormEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "at": iso(entry.at),
        "who": entry.who,
        "why": entry.why,
        "theme": entry.change.theme,
        "nominal": entry.change.nominal,
        "form": entry.change.form,
        "accepted": entry.change.accepted,
        "taken_back": entry.back,
    }


def _entry_line(entry: FormEntry) -> str:
    change = entry.change
    parts = (
        str(entry.id),
        f"{change.theme}–{change.nominal}",
        f"{'✓' if change.accepted else '✗'} {change.form}",
        entry.why,
        entry.who,
        _("taken back") if entry.back else "",
    )
    return "  ".join(part for part in parts if part)
