"""Everybody who may sign in, as the organizer sees them: role, here now, sessions; and what changes that.

An account is never deleted: its name stands beside rulings. It is locked out, and let back in.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, select, update

from jury.boxes import box_key
from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from service import account_log, accounts, claims
from service.account_log import COMMAND_LINE, Step
from service.accounts import Account, Right, Role
from service.event import Event
from service.store import tables

HERE_SECONDS = 150.0
"""Who was heard of within so long is here now; an open page is heard of every 15 to 30 seconds."""

SHOWN_DIGITS = 16
"""How much of the hash of a session's token names it. Nobody gets from there to the token."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser that is signed in; `id` names it, times are UTC seconds."""

    id: str
    since: float
    used: float


@dataclass(frozen=True, slots=True)
class Person:
    """An account with what is known of it; `place` is the theme and nominal they work on."""

    account: Account
    active: bool
    created_at: float
    sessions: tuple[Session, ...]
    last_seen: float | None
    place: tuple[int, int] | None
    here: bool


def everybody(event: Event, now: float | None = None) -> list[Person]:
    """All accounts, those locked out too, in the order in which they were added."""
    now = time.time() if now is None else now
    with event.database.reading() as connection:
        rows = connection.execute(select(tables.account).order_by(tables.account.c.id)).all()
        sessions = _sessions(event, connection, now)
        worked = _worked(connection)
        places = _places(event, now)
    found = []
    for row in rows:
        account = Account(row.id, row.name, Role(row.role))
        own = tuple(sessions.get(row.id, ()))
        seen = [session.used for session in own]
        if row.name in worked:
            seen.append(worked[row.name])
        recent = any(session.used > now - HERE_SECONDS for session in own)
        place = places.get(row.id)
        found.append(
            Person(
                account=account,
                active=row.active,
                created_at=row.created_at,
                sessions=own,
                last_seen=max(seen, default=None),
                place=place,
                here=bool(row.active and own and (recent or place)),
            )
        )
    return found


def person(event: Event, account_id: int) -> Person:
    """One of them.

    Raises:
        NotFoundError: There is no such account.
    """
    for found in everybody(event):
        if found.account.id == account_id:
            return found
    raise NotFoundError(
        _("There is no such account."), _("Go back to the list of people and choose one.")
    )


def change_role(event: Event, name: str, role: Role, *, who: str = COMMAND_LINE) -> Account:
    """Give an account another role; it holds from the person's next step, without signing in anew.

    Raises:
        NotFoundError: There is no such account.
        ConflictError: It is the last organizer.
    """
    with event.database.writing() as connection:
        account = accounts.find(event, name, locked=True)
        if account.role is Role.ORGANIZER and role is not Role.ORGANIZER:
            _keep_an_organizer(connection, account)
        connection.execute(
            update(tables.account).where(tables.account.c.id == account.id).values(role=role.value)
        )
        changed = Account(account.id, account.name, role)
        if role is not account.role:
            account_log.record(
                connection, who, Step.ROLE, account.name, role=role, before=account.role
            )
        if not changed.may(Right.RULE):
            _leave_walls(connection, account)
    return changed


def lock_out(event: Event, name: str, *, who: str = COMMAND_LINE) -> int:
    """End all sessions of an account and let it sign in no more; returns how many sessions there were.

    Raises:
        NotFoundError: There is no such account.
        ConflictError: It is the last organizer.
    """
    with event.database.writing() as connection:
        account = accounts.find(event, name, locked=True)
        if account.role is Role.ORGANIZER:
            _keep_an_organizer(connection, account)
        connection.execute(
            update(tables.account).where(tables.account.c.id == account.id).values(active=False)
        )
        _leave_walls(connection, account)
        account_log.record(connection, who, Step.LOCKED, account.name)
        return accounts.drop_sessions(connection, account)


def let_back(event: Event, name: str, *, who: str = COMMAND_LINE) -> Account:
    """Let an account that was locked out sign in again, with the PIN that it had.

    Raises:
        NotFoundError: There is no such account.
    """
    with event.database.writing() as connection:
        account = accounts.find(event, name, locked=True)
        connection.execute(
            update(tables.account).where(tables.account.c.id == account.id).values(active=True)
        )
        account_log.record(connection, who, Step.BACK, account.name)
    return account


def end_session(
    event: Event, account: Account, session_id: str, *, who: str = COMMAND_LINE
) -> None:
    """End one session of an account.

    Raises:
        NotFoundError: It has none of this id, or no longer.
    """
    table = tables.session
    with event.database.writing() as connection:
        rows = connection.execute(
            select(table.c.token_hash).where(table.c.account_id == account.id)
        ).scalars()
        for digest in rows:
            if digest[:SHOWN_DIGITS] == session_id:
                connection.execute(delete(table).where(table.c.token_hash == digest))
                account_log.record(connection, who, Step.SESSIONS_ENDED, account.name, count=1)
                return
    raise NotFoundError(
        _("This session has ended already."), _("Load the page again to see which there are.")
    )


def session_id(token: str) -> str:
    """The id of the session that a token opens."""
    return accounts.digest(token)[:SHOWN_DIGITS]


def _sessions(event: Event, connection: Connection, now: float) -> dict[int, list[Session]]:
    """The open sessions of every account, the one used last first."""
    heard = accounts.uses(event)
    table = tables.session
    found: defaultdict[int, list[Session]] = defaultdict(list)
    for row in connection.execute(select(table).where(table.c.expires_at > now)):
        # What this process heard is exact; the database tells to the minute, and of other processes too.
        used = max(row.expires_at - accounts.SESSION_SECONDS, heard.get(row.token_hash, 0.0))
        found[row.account_id].append(Session(row.token_hash[:SHOWN_DIGITS], row.created_at, used))
    for own in found.values():
        own.sort(key=lambda session: (-session.used, session.id))
    return found


def _worked(connection: Connection) -> dict[str, float]:
    """When somebody last ruled or looked at an answer, by name: known after their sessions are gone."""
    found: dict[str, float] = {}
    for table in (tables.ruling, tables.blind_ruling, tables.sighting):
        query = select(table.c.who, func.max(table.c.at).label("at")).group_by(table.c.who)
        for row in connection.execute(query):
            found[row.who] = max(found.get(row.who, 0.0), row.at)
    return found


def _places(event: Event, now: float) -> dict[int, tuple[int, int]]:
    """Account → the question it is on."""
    held = claims.held(event, now)
    places = {box_key(q.theme, q.row): (q.theme, q.nominal) for q in event.key().questions()}
    return {claim.account_id: places[box] for box, claim in held.items() if box in places}


def _keep_an_organizer(connection: Connection, account: Account) -> None:
    table = tables.account
    others = connection.execute(
        select(table.c.id).where(
            table.c.role == Role.ORGANIZER.value, table.c.active, table.c.id != account.id
        )
    ).first()
    if others is None:
        raise ConflictError(
            _("“{name}” is the only organizer.").format(name=account.name),
            _("First make somebody else an organizer."),
        )


def _leave_walls(connection: Connection, account: Account) -> None:
    connection.execute(delete(tables.claim).where(tables.claim.c.account_id == account.id))
