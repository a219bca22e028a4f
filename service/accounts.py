"""Accounts and sessions of the web application: who may sign in, and as what.

A person signs in with a name and a PIN. What the browser gets is 32 random bytes; the database holds
only their SHA-256, so a stolen copy of it opens no session. Sessions live on the server and can be ended.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from threading import BoundedSemaphore
from typing import ClassVar
from weakref import WeakKeyDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from otbor.errors import ConflictError, NotFoundError, OtborError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from scoring.folding import clean, fold
from service import account_log
from service.account_log import COMMAND_LINE, Step
from service.attempts import Attempts
from service.event import Event
from service.store import tables

SESSION_SECONDS = 12 * 3600.0
"""A session ends after so long without use: one long day in the hall."""

EXTEND_SECONDS = 60.0
"""How stale an expiry may get before it is moved: a write every minute instead of every request."""

PIN_DIGITS = 6
LONGEST_NAME = 120
TOKEN_BYTES = 32


class Role(StrEnum):
    """What an account is for. Its rights are in `RIGHTS`."""

    ORGANIZER = "organizer"
    CHIEF = "chief"
    JUROR = "juror"
    DESK = "desk"
    SPECTATOR = "spectator"


class Right(StrEnum):
    """One thing that a role may do."""

    RULE = "rule"  # see walls and confirm them
    DECIDE = "decide"  # settle what jurors sent to the chief
    RESULTS = "results"  # see names, scores and places
    PAGES = "pages"  # see whole pages, with the names on them
    CHANGE = "change"  # see all decisions; decide on questions and enter shoot-outs
    LINE = "line"  # decide on players, places and ties
    PUBLISH = "publish"  # publish and withdraw
    APPEAL = "appeal"  # see appeals; file and withdraw them for players
    SETTINGS = "settings"  # how the jury works: what is read twice
    DESK = "desk"  # say what pages are, take files in
    PEOPLE = "people"  # accounts, invitations, who is kept from whom


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.ORGANIZER: frozenset(Right),
    Role.CHIEF: frozenset({Right.RULE, Right.DECIDE, Right.RESULTS, Right.CHANGE, Right.APPEAL}),
    Role.JUROR: frozenset({Right.RULE}),
    Role.DESK: frozenset({Right.PAGES, Right.DESK, Right.APPEAL}),
    Role.SPECTATOR: frozenset(),
}


class SignInError(OtborError):
    """Name and PIN do not belong together."""

    code: ClassVar[str] = "sign_in"
    exit_status: ClassVar[int] = 10
    http_status: ClassVar[int] = 401


class TooManyAttemptsError(OtborError):
    """Too many wrong PINs in a short time; `wait` is how many seconds to wait."""

    code: ClassVar[str] = "too_many_attempts"
    exit_status: ClassVar[int] = 10
    http_status: ClassVar[int] = 429

    def __init__(self, wait: int) -> None:
        self.wait = wait
        super().__init__(
            _("Too many attempts to sign in."),
            ngettext(
                "Wait {n} second and try again; the organizer can give you a new PIN.",
                "Wait {n} seconds and try again; the organizer can give you a new PIN.",
                wait,
            ).format(n=wait),
        )


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    id: int
    name: str
    role: Role

    def may(self, right: Right) -> bool:
        """True if the account's role has this right."""
        return right in RIGHTS[self.role]


# The second recommended setting of OWASP's password storage page (19 MiB, two passes, one lane): a sign-in
# costs some 30 ms, and a hall that signs in at once stays within the memory of a laptop.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_hashing = BoundedSemaphore(4)
_attempts = Attempts()
# A PIN of six digits must not be tried out from many addresses at once either. Far above what a hall does
# by mistake: who knows a name must not be able to lock its owner out by typing.
_attempts_by_name = Attempts(most=60)
# When each session was last heard of, by the hash of its token; in memory, so a question of who is here
# costs no write.
_uses: WeakKeyDictionary[Event, dict[str, float]] = WeakKeyDictionary()

# Made once, since it is asked with every picture.
_SESSION = (
    select(tables.account, tables.session.c.expires_at)
    .join(tables.session)
    .where(
        tables.session.c.token_hash == bindparam("hashed"),
        tables.session.c.expires_at > bindparam("now"),
        tables.account.c.active,
    )
)


@cache
def _nobody() -> str:
    """What the PIN of an unknown name is compared with, so that it takes as long as a known one."""
    return _hasher.hash(secrets.token_hex(8))


def accounts(event: Event) -> list[Account]:
    """Everybody who may sign in, in the order in which they were added."""
    query = select(tables.account).where(tables.account.c.active).order_by(tables.account.c.id)
    with event.database.reading() as connection:
        return [_account(row) for row in connection.execute(query)]


def add_account(
    event: Event,
    name: str,
    role: Role,
    pin: str | None = None,
    *,
    who: str = COMMAND_LINE,
    invited_by: str = "",
) -> str:
    """Let somebody sign in.

    Args:
        event: Where.
        name: What they sign in as; case, spaces and «ё» do not count when it is typed.
        role: What they may do.
        pin: Six digits or a longer password; drawn by lot if None.
        who: Who adds them, for the journal.
        invited_by: Who made the invitation by which they come in themselves.

    Returns:
        The PIN. It is kept nowhere: show it now.

    Raises:
        ConflictError: The name is taken or empty, or the PIN too short.
    """
    name = clean(name)
    if not 0 < len(name) <= LONGEST_NAME:
        raise ConflictError(
            _("An account needs a name of at most {most} letters.").format(most=LONGEST_NAME),
            _("Give the person's name, such as “Anna Petrova”."),
        )
    pin = _new_pin(pin)
    secret = _hasher.hash(pin)
    with event.database.writing() as connection:
        taken = connection.execute(select(tables.account.c.name)).scalars()
        if fold(name) in {fold(other) for other in taken}:
            raise ConflictError(
                _("There is an account “{name}” already.").format(name=name),
                _("Choose another name, such as one with an initial."),
            )
        connection.execute(
            insert(tables.account).values(
                name=name,
                role=Role(role).value,
                secret_hash=secret,
                active=True,
                created_at=time.time(),
            )
        )
        account_log.record(
            connection, who, Step.CREATED, name, role=Role(role), invited_by=invited_by
        )
    return pin


def change_pin(event: Event, name: str, pin: str | None = None, *, who: str = COMMAND_LINE) -> str:
    """Give an account another PIN and end its sessions; returns the PIN. `who` does it, for the journal.

    Raises:
        NotFoundError: There is no such account.
        ConflictError: The PIN is too short.
    """
    account = find(event, name)
    pin = _new_pin(pin)
    secret = _hasher.hash(pin)
    with event.database.writing() as connection:
        connection.execute(
            update(tables.account)
            .where(tables.account.c.id == account.id)
            .values(secret_hash=secret)
        )
        connection.execute(delete(tables.session).where(tables.session.c.account_id == account.id))
        account_log.record(connection, who, Step.PIN, account.name)
    return pin


def find(event: Event, name: str, *, locked: bool = False) -> Account:
    """The account that a typed name means.

    Args:
        event: Where.
        name: As typed.
        locked: Take one that is locked out too.

    Raises:
        NotFoundError: There is none.
    """
    row = _find(event, name, locked=locked)
    if row is None:
        raise NotFoundError(
            _("There is no account “{name}”.").format(name=name),
            _("Check the name, or add the account."),
        )
    return _account(row)


def sign_in(event: Event, name: str, pin: str, address: str = "") -> str:
    """Open a session.

    An unknown name takes as long as a wrong PIN and gives the same answer.

    Args:
        event: Where.
        name: As typed.
        pin: As typed; spaces around it do not count.
        address: From where; failures are counted by name and address.

    Returns:
        The session's token, for a cookie.

    Raises:
        SignInError: The two do not belong together.
        TooManyAttemptsError: Five failures within a minute.
    """
    names = (event.database.url, fold(name)[:LONGEST_NAME], address)
    # Counted before it is known to have failed: attempts at the same time must not slip through.
    wait = _attempts.begin(names) or _attempts_by_name.begin(names[:2])
    if wait:
        raise TooManyAttemptsError(wait)
    row = _find(event, name)
    if not _matches(row.secret_hash if row else _nobody(), pin.strip()) or row is None:
        raise SignInError(
            _("This name and PIN do not belong together."),
            _("Check both; the organizer can give you a new PIN."),
        )
    _attempts.forget(names)
    _attempts_by_name.forget(names[:2])
    return open_session(event, _account(row))


def open_session(event: Event, account: Account) -> str:
    """Open a session for somebody whose right to it has been checked; returns its token."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    now = time.time()
    with event.database.writing() as connection:
        connection.execute(delete(tables.session).where(tables.session.c.expires_at <= now))
        connection.execute(
            insert(tables.session).values(
                token_hash=digest(token),
                account_id=account.id,
                created_at=now,
                expires_at=now + SESSION_SECONDS,
            )
        )
    return token


def uses(event: Event) -> dict[str, float]:
    """When this process last heard of each session, by the hash of its token, UTC seconds."""
    return dict(_uses.get(event, {}))


def session(event: Event, token: str, *, extend: bool = True) -> Account | None:
    """Whose session a token opens, None if it is unknown, ended or expired.

    Args:
        event: Where.
        token: From the cookie.
        extend: Keep the session alive by this use; False for what a page does without its person.
    """
    if not token:
        return None
    hashed, now = digest(token), time.time()
    with event.database.reading() as connection:
        row = connection.execute(_SESSION, {"hashed": hashed, "now": now}).first()
    if row is None:
        return None
    _uses.setdefault(event, {})[hashed] = now
    if extend and row.expires_at < now + SESSION_SECONDS - EXTEND_SECONDS:
        with event.database.writing() as connection:
            connection.execute(
                update(tables.session)
                .where(tables.session.c.token_hash == hashed)
                .values(expires_at=now + SESSION_SECONDS)
            )
    return _account(row)


def sign_out(event: Event, token: str) -> None:
    """End one session; an unknown token changes nothing."""
    with event.database.writing() as connection:
        connection.execute(
            delete(tables.session).where(tables.session.c.token_hash == digest(token))
        )


def end_sessions(event: Event, account: Account, *, who: str = COMMAND_LINE) -> int:
    """End all sessions of an account, on every device; returns how many there were."""
    with event.database.writing() as connection:
        ended = drop_sessions(connection, account)
        if ended:
            account_log.record(connection, who, Step.SESSIONS_ENDED, account.name, count=ended)
    return ended


def drop_sessions(connection: Connection, account: Account) -> int:
    """The same within a change that says itself what was done."""
    table = tables.session
    return connection.execute(delete(table).where(table.c.account_id == account.id)).rowcount


def _find(event: Event, name: str, *, locked: bool = False) -> Row | None:
    """The active account that a typed name means; with `locked` one that is not active too."""
    query = select(tables.account).order_by(tables.account.c.id)
    if not locked:
        query = query.where(tables.account.c.active)
    with event.database.reading() as connection:
        rows = connection.execute(query).all()
    return next((row for row in rows if fold(row.name) == fold(name)), None)


def _account(row: Row) -> Account:
    return Account(row.id, row.name, Role(row.role))


def _new_pin(pin: str | None) -> str:
    if pin is None:
        return "".join(secrets.choice("0123456789") for _index in range(PIN_DIGITS))
    if len(pin.strip()) < PIN_DIGITS:
        raise ConflictError(
            _("A PIN has at least {digits} characters.").format(digits=PIN_DIGITS),
            _("Choose a longer one, or leave it out to have one drawn by lot."),
        )
    return pin.strip()


def _matches(secret: str, pin: str) -> bool:
    with _hashing:
        try:
            return _hasher.verify(secret, pin)
        except (VerificationError, InvalidHashError):
            return False


def digest(token: str) -> str:
    """What the database holds of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
