"""The log of appeals: what was filed and what became of it, folded out of the journal.

What may follow what is `jury.appeals`'s. Here an appeal is a line of the journal, named by that line's
number, and every step on it is another line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sqlalchemy import Connection

from jury.appeals import State, Step, after
from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scoring.model import Verdict
from service import journal
from service.event import Event
from service.journal import Entry, Kind

FILE, DEADLINE = "file", "deadline"
"""Lines of the journal that are no step on an appeal: a new one, and until when they are taken."""


class AppealError(ConflictError):
    """An appeal that cannot be filed or decided like this."""

    code: ClassVar[str] = "appeal"


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision on an appeal, while it stands.

    `verdict` is what the answer became, None for a question as a whole; `sheets` are those whose verdict
    was changed with it. `batch`, `removal` and `form` name what has to be taken back: rulings, a decision, a
    change of the key.
    """

    at: float
    who: str
    why: str
    verdict: Verdict | None = None
    sheets: tuple[str, ...] = ()
    batch: str = ""
    removal: int | None = None
    form: str = ""
    form_entry: int | None = None


@dataclass(frozen=True, slots=True)
class Appeal:
    """An appeal. `whole`: about the question, not about one verdict; `own`: filed by the player's code.

    `verdict` is what was posted when it was filed.
    """

    id: int
    at: float
    who: str
    player: int
    publication: int
    theme: int
    nominal: int
    box: str
    whole: bool
    own: bool
    late: bool
    text: str
    sheet: str | None = None
    verdict: Verdict | None = None
    state: State = State.OPEN
    decided: Decided | None = None
    steps: tuple[tuple[float, str, Step, str], ...] = ()
    """Everything that was done with it: when, who, what, why."""

    @property
    def question(self) -> tuple[int, int]:
        """Theme and nominal."""
        return (self.theme, self.nominal)


def appeals(event: Event) -> list[Appeal]:
    """All appeals ever filed, the oldest first."""
    with event.database.reading() as connection:
        return _read(connection)


def _read(connection: Connection) -> list[Appeal]:
    lines = journal.entries(connection, Kind.APPEAL, Kind.APPEAL_DECISION)
    return list(_fold(lines).values())


def of_player(event: Event, player: int) -> list[Appeal]:
    """The appeals of one player, the oldest first."""
    return [appeal for appeal in appeals(event) if appeal.player == player]


def open_count(event: Event) -> int:
    """How many wait for a decision."""
    return sum(appeal.state is State.OPEN for appeal in appeals(event))


def find(event: Event, appeal_id: int) -> Appeal:
    """One appeal.

    Raises:
        NotFoundError: There is none of this number.
    """
    found = next((appeal for appeal in appeals(event) if appeal.id == appeal_id), None)
    if found is None:
        raise NotFoundError(
            _("There is no appeal {id}.").format(id=appeal_id),
            _("See the appeals: otbor appeal list EVENT."),
        )
    return found


def _fold(entries: Iterable[Entry]) -> dict[int, Appeal]:
    found: dict[int, Appeal] = {}
    for entry in entries:
        payload = entry.payload
        if payload["step"] == FILE:
            found[entry.id] = Appeal(
                entry.id,
                entry.at,
                entry.who,
                player=payload["player"],
                publication=payload["publication"],
                theme=payload["theme"],
                nominal=payload["nominal"],
                box=payload["box"],
                whole=payload["whole"],
                own=payload["own"],
                late=payload["late"],
                text=payload["text"],
                sheet=payload["sheet"],
                verdict=Verdict(payload["verdict"]) if payload["verdict"] else None,
            )
        elif payload["step"] != DEADLINE:
            old, step = found[payload["appeal"]], Step(payload["step"])
            state = after(old.state, step)
            assert state is not None, "only possible steps are written"
            found[old.id] = replace(
                old,
                state=state,
                decided=_decided(entry) if step in (Step.ACCEPT, Step.REJECT) else None,
                steps=(*old.steps, (entry.at, entry.who, step, entry.why)),
            )
    return found


def _decided(entry: Entry) -> Decided:
    payload: dict[str, Any] = entry.payload
    return Decided(
        entry.at,
        entry.who,
        entry.why,
        verdict=Verdict(payload["verdict"]) if payload.get("verdict") else None,
        sheets=tuple(payload.get("sheets", ())),
        batch=payload.get("batch", ""),
        removal=payload.get("removal"),
        form=payload.get("form", ""),
        form_entry=payload.get("form_entry"),
    )


def require_step(appeal: Appeal, step: Step) -> None:
    """Refuse a step that is not possible in the appeal's state.

    Raises:
        AppealError: It is not.
    """
    if after(appeal.state, step) is not None:
        return
    message = {
        State.OPEN: _("Appeal {id} is not decided yet."),
        State.ACCEPTED: _("Appeal {id} has been accepted already."),
        State.REJECTED: _("Appeal {id} has been rejected already."),
        State.WITHDRAWN: _("Appeal {id} has been withdrawn."),
    }[appeal.state]
    hint = {
        State.OPEN: _("Accept or reject it."),
        State.ACCEPTED: _("To decide it otherwise, take the decision back first."),
        State.REJECTED: _("To decide it otherwise, take the decision back first."),
        State.WITHDRAWN: _("The player can file it again while appeals are taken."),
    }[appeal.state]
    raise AppealError(message.format(id=appeal.id), hint)
