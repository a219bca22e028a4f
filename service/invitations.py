"""Invitations: a link that lets somebody in once.

A link opens a new account, or lets the owner of one choose a new PIN. An invitation is open, then used,
withdrawn or expired, and never open again. The transitions are made under the write lock, so of two who
follow one link at the same time one comes in. What the link says is a code of twelve characters that can be
typed from paper (59 bits); the database holds only its hash, so it is shown when it is made and never
again.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, ClassVar

from sqlalchemy import Row, insert, select, update

from otbor.errors import ConflictError, NotFoundError, OtborError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from reports.codes import ALPHABET, LENGTH, typed
from scoring.folding import clean, fold
from service import account_log, accounts
from service.account_log import COMMAND_LINE, Step
from service.accounts import PIN_DIGITS, Account, Role, TooManyAttemptsError
from service.attempts import Attempts
from service.event import Event
from service.store import tables

VALID_HOURS = 24.0
LONGEST_HOURS = 14 * 24.0
MOST_AT_ONCE = 200
LONGEST_PIN = 120

_attempts = Attempts(most=10)


class State(StrEnum):
    """What has become of an invitation."""

    OPEN = "open"
    USED = "used"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class InvitationOverError(OtborError):
    """The invitation was used, withdrawn, or has expired."""

    code: ClassVar[str] = "invitation_over"
    exit_status: ClassVar[int] = 7
    http_status: ClassVar[int] = 410


@dataclass(frozen=True, slots=True)
class Invitation:
    """One of them; `name` is empty if the invited choose it, `account` whose PIN it renews, if one's."""

    id: int
    role: Role
    name: str
    made_by: str
    created_at: float
    expires_at: float
    state: State
    used_at: float | None
    account: str


@dataclass(frozen=True, slots=True)
class Made:
    """An invitation just made, with the code of its link, which is known only now."""

    invitation: Invitation
    code: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """Who came in: the account, the token of a session, and the PIN if it was drawn by lot."""

    account: Account
    token: str
    drawn: str | None


def make(
    event: Event,
    role: Role,
    names: Sequence[str] = ("",),
    *,
    who: str,
    hours: float = VALID_HOURS,
) -> list[Made]:
    """Make invitations to a role, one for each name; an empty name is chosen by whoever comes.

    Args:
        event: Where.
        role: What they may do.
        names: For whom.
        who: Who invites.
        hours: How long each is valid.

    Raises:
        ConflictError: A name is taken, there twice or too long, or too many or too long a time is asked.
    """
    wanted = [clean(name) for name in names]
    _check_wanted(wanted, hours)
    with event.database.writing() as connection:
        taken = {fold(name) for name in connection.execute(select(tables.account.c.name)).scalars()}
        taken |= {fold(one.name) for one in listed(event) if one.state is State.OPEN and one.name}
        for name in filter(None, wanted):
            if fold(name) in taken:
                raise ConflictError(
                    _("“{name}” has an account or an invitation already.").format(name=name),
                    _("Choose another name, such as one with an initial."),
                )
            taken.add(fold(name))
        for name in wanted:
            account_log.record(connection, who, Step.INVITED, name, role=role)
        return [_insert(event, role, name, who, hours) for name in wanted]


def make_for(event: Event, name: str, *, who: str, hours: float = VALID_HOURS) -> Made:
    """Make a link by which somebody who has an account chooses a new PIN.

    Raises:
        NotFoundError: There is no such account.
        ConflictError: The time is too long.
    """
    account = accounts.find(event, name)
    _check_wanted([account.name], hours)
    with event.database.writing() as connection:
        account_log.record(connection, who, Step.INVITED, account.name, role=account.role)
        return _insert(event, account.role, account.name, who, hours, account.id)


def listed(event: Event, now: float | None = None) -> list[Invitation]:
    """All invitations ever made, the newest first."""
    now = time.time() if now is None else now
    query = _query().order_by(tables.invitation.c.id.desc())
    with event.database.reading() as connection:
        return [_invitation(row, now) for row in connection.execute(query)]


def withdraw(event: Event, invitation_id: int, *, who: str = COMMAND_LINE) -> Invitation:
    """Make an open invitation worthless. `who` does it, for the journal.

    Raises:
        NotFoundError: There is none of this id.
        InvitationOverError: It is not open any more.
    """
    table = tables.invitation
    now = time.time()
    with event.database.writing() as connection:
        row = connection.execute(_query().where(table.c.id == invitation_id)).first()
        if row is None:
            raise NotFoundError(
                _("There is no invitation {id}.").format(id=invitation_id),
                _("See which there are on the page of people."),
            )
        _require_open(_invitation(row, now))
        connection.execute(
            update(table).where(table.c.id == invitation_id).values(withdrawn_at=now)
        )
        row = connection.execute(_query().where(table.c.id == invitation_id)).one()
        gone = _invitation(row, now)
        name = gone.account or gone.name
        account_log.record(connection, who, Step.WITHDRAWN, name, role=gone.role)
    return gone


def find(event: Event, code: str, address: str = "") -> Invitation:
    """The open invitation that a link's code means. Looking does not use it up.

    Args:
        event: Where.
        code: As it stands in the link, or as typed: case, dashes and spaces do not count.
        address: From where; codes that do not exist are counted by it.

    Raises:
        NotFoundError: There is none.
        InvitationOverError: It was used, withdrawn, or has expired.
        TooManyAttemptsError: Ten wrong codes within a minute.
    """
    tried = (event.database.url, address)
    wait = _attempts.begin(tried)
    if wait:
        raise _too_many(wait)
    table = tables.invitation
    known = typed(code)
    hashed = accounts.digest(known)
    with event.database.reading() as connection:
        row = connection.execute(_query().where(table.c.token_hash == hashed)).first()
    if not known or row is None:
        raise NotFoundError(
            _("There is no such invitation."),
            _("Check the link letter by letter, or ask the organizer for another one."),
        )
    _attempts.forget(tried)
    found = _invitation(row, time.time())
    _require_open(found)
    return found


def accept(event: Event, code: str, name: str, pin: str | None, address: str = "") -> Accepted:
    """Come in by an invitation: open the account (or renew its PIN) and a session.

    Args:
        event: Where.
        code: The link's code.
        name: What the person wants to be called; without meaning if the invitation says it.
        pin: What they chose; None draws one by lot.
        address: From where.

    Raises:
        NotFoundError: There is no such invitation, or its account is locked out.
        InvitationOverError: It is not open any more.
        ConflictError: The name is taken or empty, or the PIN too short or too simple.
        TooManyAttemptsError: Too many wrong codes.
    """
    if pin is not None:
        check_pin(pin)
    with event.database.writing() as connection:
        found = find(event, code, address)
        if found.account:
            account = accounts.find(event, found.account)
            given = accounts.change_pin(event, account.name, pin, who=account.name)
        else:
            called = clean(found.name or name)
            given = accounts.add_account(
                event, called, found.role, pin, who=called, invited_by=found.made_by
            )
            account = accounts.find(event, found.name or name)
        connection.execute(
            update(tables.invitation)
            .where(tables.invitation.c.id == found.id)
            .values(used_at=time.time(), account_id=account.id)
        )
        token = accounts.open_session(event, account)
    return Accepted(account, token, given if pin is None else None)


def check_pin(pin: str) -> None:
    """Refuse a PIN that is too short, too long, or the first that anybody would try.

    Raises:
        ConflictError: It is.
    """
    text = pin.strip()
    if len(text) > LONGEST_PIN:
        raise ConflictError(
            _("A PIN has at most {most} characters.").format(most=LONGEST_PIN),
            _("Choose a shorter one."),
        )
    if len(text) < PIN_DIGITS:
        raise ConflictError(
            _("A PIN has at least {digits} characters.").format(digits=PIN_DIGITS),
            _("Choose another one, of digits or letters, or have one drawn by lot."),
        )
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    if len(steps) == 1 and steps <= {-1, 0, 1}:
        raise ConflictError(
            _("This PIN is among the first that anybody would try."),
            _("Choose another one, of digits or letters, or have one drawn by lot."),
        )


def _check_wanted(names: list[str], hours: float) -> None:
    if not 0 < len(names) <= MOST_AT_ONCE:
        raise ConflictError(
            _("Invite 1 to {most} people at once.").format(most=MOST_AT_ONCE),
            _("Make the others in a second step."),
        )
    if not 0 < hours <= LONGEST_HOURS:
        raise ConflictError(
            _("An invitation is valid for 1 to {most} hours.").format(most=round(LONGEST_HOURS)),
            _("Choose a shorter time; a new invitation takes a moment."),
        )
    if any(len(name) > accounts.LONGEST_NAME for name in names):
        raise ConflictError(
            _("An account needs a name of at most {most} letters.").format(
                most=accounts.LONGEST_NAME
            ),
            _("Give the person's name, such as “Anna Petrova”."),
        )


def _insert(
    event: Event, role: Role, name: str, who: str, hours: float, account_id: int | None = None
) -> Made:
    code = "".join(secrets.choice(ALPHABET) for _at in range(LENGTH))
    now = time.time()
    with event.database.writing() as connection:
        made = connection.execute(
            insert(tables.invitation).values(
                token_hash=accounts.digest(code),
                role=role.value,
                name=name,
                made_by=who,
                created_at=now,
                expires_at=now + hours * 3600,
                account_id=account_id,
            )
        )
        [id_] = made.inserted_primary_key or (0,)
        row = connection.execute(_query().where(tables.invitation.c.id == id_)).one()
    return Made(_invitation(row, now), code)


def _query() -> Any:
    invitation, account = tables.invitation, tables.account
    return select(invitation, account.c.name.label("account_name")).outerjoin(account)


def _invitation(row: Row, now: float) -> Invitation:
    state = State.OPEN
    if row.used_at is not None:
        state = State.USED
    elif row.withdrawn_at is not None:
        state = State.WITHDRAWN
    elif row.expires_at <= now:
        state = State.EXPIRED
    return Invitation(
        id=row.id,
        role=Role(row.role),
        name=row.name,
        made_by=row.made_by,
        created_at=row.created_at,
        expires_at=row.expires_at,
        state=state,
        used_at=row.used_at,
        account=row.account_name or "",
    )


def _require_open(invitation: Invitation) -> None:
    if invitation.state is State.OPEN:
        return
    said = {
        State.USED: _("This invitation has been used already."),
        State.WITHDRAWN: _("This invitation has been withdrawn."),
        State.EXPIRED: _("This invitation has expired."),
    }
    hint = _("Ask the organizer for another one.")
    if invitation.state is State.USED:
        hint = _(
            "If it was you, sign in with your name and PIN; else ask the organizer for another one."
        )
    raise InvitationOverError(said[invitation.state], hint)


def _too_many(wait: int) -> TooManyAttemptsError:
    error = TooManyAttemptsError(wait)
    error.message = _("Too many wrong links.")
    error.hint = ngettext(
        "Wait {n} second, then check the link letter by letter.",
        "Wait {n} seconds, then check the link letter by letter.",
        wait,
    ).format(n=wait)
    return error
