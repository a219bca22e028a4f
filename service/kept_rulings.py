"""What a juror had ruled on players before being kept from them: told to the organizer, who may take it back.

Nothing is taken back by itself: the organizer may know that it was right to let the juror rule.
"""

from __future__ import annotations

import secrets

from sqlalchemy import select

from jury import ledger
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from service import kept_from, rulings, times
from service.accounts import Account
from service.event import Event
from service.store.tables import ruling


def earlier(event: Event, account: Account) -> list[ledger.Ruling]:
    """The account's own rulings, still standing, on sheets that it must not see now."""
    hidden = kept_from.hidden_sheets(event, account)
    if not hidden:
        return []
    query = select(ruling.c.sheet, ruling.c.box).where(ruling.c.who == account.name).distinct()
    with event.database.reading() as connection:
        own = [(row.sheet, row.box) for row in connection.execute(query) if row.sheet in hidden]
        log = rulings.log_of(connection, own)
    return [entry for entry in ledger.current(log).values() if entry.by == account.name]


def take_back(event: Event, account: Account, *, who: str) -> int:
    """Take these rulings back, so that other jurors are asked; returns how many there were.

    It is one batch of `who`, which an undo brings back.
    """
    with event.database.writing() as connection, speaking(event.info.language):
        standing = earlier(event, account)
        why = _("{name} does not judge this player").format(name=account.name)
        entries = ledger.withdraw(
            standing, by=who, at=times.now(), batch=secrets.token_hex(8), why=why
        )
        rulings.append(connection, entries, "kept_from")
    return len(entries)
