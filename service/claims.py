"""Which juror is on which wall, so that two people never rule on one at once.

A wall is free or held by one account. The transitions, each in one transaction under the write lock:

claim    free → held, held by oneself → held for longer; what somebody else holds stays theirs
take     held by somebody else → held; only for those who may decide (chief, organizer)
release  held by oneself → free
expire   held → free, by time alone: whoever closed the lid or lost the network blocks nobody for long
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import bindparam, delete, insert, select

from otbor.errors import AccessError, ConflictError
from otbor.i18n import gettext as _
from service.accounts import Account, Right
from service.event import Event
from service.store import tables

LEASE_SECONDS = 120.0
"""How long a claim lasts after the page last said that its juror is there; it says so every 30 s."""


# Made once: making a statement takes longer than asking these few rows.
_HELD = (
    select(tables.claim, tables.account.c.name)
    .join(tables.account)
    .where(tables.claim.c.expires_at > bindparam("now"), tables.account.c.active)
    .order_by(tables.claim.c.box)
)
_OF_SOMEBODY_ELSE = _HELD.where(
    tables.claim.c.box == bindparam("box"), tables.claim.c.account_id != bindparam("account")
)


class ClaimedError(ConflictError):
    """Somebody else is on this wall."""

    code: ClassVar[str] = "claimed"


@dataclass(frozen=True, slots=True)
class Claim:
    """Who holds a wall, named by its box, until when (UTC seconds)."""

    box: str
    account_id: int
    name: str
    expires_at: float


def held(event: Event, now: float | None = None) -> dict[str, Claim]:
    """All walls that somebody holds, by box."""
    asked = {"now": time.time() if now is None else now}
    with event.database.reading() as connection:
        return {
            row.box: Claim(row.box, row.account_id, row.name, row.expires_at)
            for row in connection.execute(_HELD, asked)
        }


def claim(
    event: Event, box: str, account: Account, *, take: bool = False, now: float | None = None
) -> Claim:
    """Hold a wall, or hold it for longer.

    Two jurors who open a free wall in one moment both come here; the write lock lets one of them first,
    and the other one is told who that was.

    Args:
        event: Where.
        box: The wall.
        account: For whom.
        take: Take it from somebody else.
        now: UTC seconds; tests put their own here.

    Returns:
        Who holds it now, which may be somebody else.

    Raises:
        AccessError: `take` without the right to decide.
    """
    if take and not account.may(Right.DECIDE):
        raise AccessError(
            _("Only the chief or the organizer can take a question from somebody."),
            _("Go on with another question; this one is free two minutes after they leave."),
        )
    now = time.time() if now is None else now
    with event.database.writing() as connection:
        found = held(event, now).get(box)
        if found is not None and found.account_id != account.id and not take:
            return found
        made = Claim(box, account.id, account.name, now + LEASE_SECONDS)
        connection.execute(delete(tables.claim).where(tables.claim.c.box == box))
        connection.execute(
            insert(tables.claim).values(box=box, account_id=account.id, expires_at=made.expires_at)
        )
    return made


def release(event: Event, box: str, account: Account) -> None:
    """Leave a wall; what somebody else holds stays theirs, though one left it late."""
    table = tables.claim
    with event.database.writing() as connection:
        connection.execute(
            delete(table).where(table.c.box == box, table.c.account_id == account.id)
        )


def require(event: Event, box: str, account: Account) -> None:
    """Refuse a ruling on a wall that somebody else holds; to be called under the write lock.

    A wall that nobody holds may be ruled on: the juror's own claim may just have run out.

    Raises:
        ClaimedError: Somebody else holds it.
    """
    with event.database.reading() as connection:
        asked = {"box": box, "now": time.time(), "account": account.id}
        found = connection.execute(_OF_SOMEBODY_ELSE, asked).first()
    if found is not None:
        raise ClaimedError(
            _("{name} is on this question now; nothing was recorded.").format(name=found.name),
            _("Go on with another one, or wait until they have left it."),
        )
