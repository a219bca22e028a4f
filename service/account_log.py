"""What was done with accounts: lines of the journal that say who, when, with whom, and never a secret.

An account as it is now is a row that is changed in place (`service.accounts`); a PIN, a token or a link is
kept nowhere but as a hash. These lines change nothing and are read only by people.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from service import journal
from service.event import Event
from service.journal import Kind

COMMAND_LINE = "otbor"
"""Who did it, where nobody says."""


class Step(StrEnum):
    """What was done."""

    CREATED = "created"
    ROLE = "role"
    PIN = "pin"
    LOCKED = "locked"
    BACK = "back"
    SESSIONS_ENDED = "sessions_ended"
    INVITED = "invited"
    WITHDRAWN = "withdrawn"  # an invitation


@dataclass(frozen=True, slots=True)
class Done:
    """One line.

    `account` is the person it was done with, empty for an invitation without a name. `role` is the role
    that they have then, `before` the one that a change took away (`accounts.Role`); `count` is how many
    sessions were ended; `invited_by` who had made the invitation by which somebody came in.
    """

    at: float
    who: str
    step: Step
    account: str
    role: str = ""
    before: str = ""
    count: int = 0
    invited_by: str = ""


def record(
    connection: Connection,
    who: str,
    step: Step,
    account: str,
    *,
    role: str = "",
    before: str = "",
    count: int = 0,
    invited_by: str = "",
) -> None:
    """Add a line, in the same transaction as what it says; arguments as in `Done`."""
    said = {
        "step": step.value,
        "account": account,
        "role": str(role),
        "before": str(before),
        "count": count,
        "invited_by": invited_by,
    }
    payload = {name: value for name, value in said.items() if value or name == "account"}
    journal.append(connection, who, Kind.ACCOUNT, payload)


def done(event: Event) -> list[Done]:
    """All that was ever done, the newest first."""
    with event.database.reading() as connection:
        lines = journal.entries(connection, Kind.ACCOUNT)
    return [
        Done(
            at=line.at,
            who=line.who,
            step=Step(line.payload["step"]),
            account=line.payload["account"],
            role=line.payload.get("role", ""),
            before=line.payload.get("before", ""),
            count=line.payload.get("count", 0),
            invited_by=line.payload.get("invited_by", ""),
        )
        for line in reversed(lines)
    ]
