"""Double reading: two jurors rule on a box, neither seeing the other, and the chief settles differences.

The organizer sets what is read twice: nothing, the answers near the line, or everything. A verdict on such
a box is a vote in the table `blind_ruling`; when two people's votes are there, what they come to is entered
in the ledger in the same transaction, under both names: their verdict where they agree, «disputed» where
they differ. Who may see what is `jury.double`'s; where readings come from, `service.double_readings`'s.

Near the line the first reading is a ruling like any other. Once everything of a category is ruled on, its
boxes near the line are opened for a second look; the journal keeps which, so that a box once opened stays so.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, ClassVar

from sqlalchemy import Connection, Row, func, select

from jury import ledger
from jury.boxes import BoxId, BoxVerdict
from jury.double import DoubleBox, Reading, Scope, State, votes_that_stand
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from scoring.model import Verdict
from service import double_readings, journal, rulings, second_looks, times
from service.double_readings import Known, Setting, setting
from service.double_settling import settle
from service.event import Event
from service.journal import Kind
from service.store.database import insert_rows
from service.store.tables import blind_ruling, ruling


class DecidedError(ConflictError):
    """A juror's verdict on what the chief has decided."""

    code: ClassVar[str] = "decided"


def scope_of(event: Event) -> Scope:
    """What is read twice now."""
    return setting(event).scope


def set_scope(event: Event, scope: Scope, *, who: str, why: str = "") -> int:
    """Say what is read twice from now on.

    Rulings that were made before are their authors' first readings. Where only one person has voted and no
    second reading is asked for any more, the vote becomes that person's ruling. Set to «near» again, it opens
    what has come near the line meanwhile.

    Returns:
        How many votes became rulings.

    Raises:
        ConflictError: It is so already.
    """
    with event.database.writing() as connection:
        now = setting(event)
        if now.scope is scope is Scope.NEAR and second_looks.open_new(event, who):
            return 0
        if now.scope is scope:
            raise ConflictError(
                _("Double reading is set so already."), _("Nothing was changed; go on.")
            )
        single = {} if scope is Scope.ALL else _only_votes(event, now)
        # First the setting: what is ruled after it counts as one person's ruling, not as a decision.
        journal.append(connection, who, Kind.DOUBLE_READING, {"scope": scope.value}, why)
        _promote(event, connection, single)
        second_looks.open_new(event, who)
    return len(single)


def only_votes(event: Event) -> int:
    """How many boxes have one vote and no ruling: so many votes become rulings if double reading ends."""
    return len(_only_votes(event, setting(event)))


def _only_votes(event: Event, now: Setting) -> dict[BoxId, Reading]:
    found: dict[BoxId, Reading] = {}
    if now.scope is Scope.NONE:
        return found
    for where, box in double_readings.known(event, now=now).boxes.items():
        if box.state is State.ONE and box.ruling is None:
            found[where] = next(iter(box.readings.values()))
    return found


def _promote(event: Event, connection: Connection, single: dict[BoxId, Reading]) -> None:
    with speaking(event.info.language):
        why = _("the only reading when double reading ended")
    by_person: defaultdict[str, list[BoxVerdict]] = defaultdict(list)
    for (sheet, box), reading in single.items():
        kept = reading.why if reading.verdict is Verdict.DISPUTED else why
        by_person[reading.by].append(BoxVerdict(sheet, box, reading.verdict, kept))
    for person, given in by_person.items():
        log = rulings.log_of(connection, [verdict.id for verdict in given])
        entries = ledger.enter(log, given, by=person, at=times.now(), batch=secrets.token_hex(8))
        for box in sorted({entry.box for entry in entries}):
            rulings.append(connection, [entry for entry in entries if entry.box == box], box)


def enter(
    event: Event,
    verdicts: Sequence[BoxVerdict] | Callable[[], Sequence[BoxVerdict]],
    who: str,
    *,
    origin: str,
    why: str = "",
    decides: bool = False,
) -> tuple[str, int]:
    """Enter what one person says of some boxes: a vote where two people read, else a ruling.

    Verdicts that the person sees already say nothing new and are left out.

    Args:
        event: Where.
        verdicts: As `rulings.enter` takes them.
        who: The person.
        origin: A wall's box key, or `file`.
        why: A reason.
        decides: The person may change what the chief has decided.

    Returns:
        The batch, by which they can be taken back together, and how many were entered.

    Raises:
        DecidedError: The chief has decided one of the boxes, otherwise than is said here.
    """
    with event.database.writing() as connection:
        now = setting(event)
        if now.scope is Scope.NONE:
            return rulings.enter(event, verdicts, who, origin=origin, why=why, only_changes=True)
        given = list(verdicts() if callable(verdicts) else verdicts)
        keys = {verdict.box for verdict in given}
        key = keys.pop() if len(keys) == 1 else None
        known = double_readings.known(event, key, now)
        votes, alone = [], []
        for verdict in given:
            box = known.of(verdict.id, now.scope)
            if box.decided:
                _check_decided(box, verdict, decides)
                alone.append(verdict)
            elif not box.under or _still_first(box, who, now.scope):
                alone.append(verdict)
            elif _is_new(box, verdict, who):
                votes.append(verdict)
        batch, entered = rulings.enter(event, alone, who, origin=origin, why=why, only_changes=True)
        _append_votes(connection, known, votes, who, batch, why)
        if votes:
            touched = {verdict.id for verdict in votes}
            settle(event, connection, touched, key, who=who, batch=batch, origin=origin)
    if not event.database.in_change:
        second_looks.open_new(event, who)
    return batch, entered + len(votes)


def _check_decided(box: DoubleBox, verdict: BoxVerdict, decides: bool) -> None:
    if verdict.verdict is not box.ruling and not decides:
        raise DecidedError(
            _("The chief has decided the answer on sheet {sheet}; nothing was recorded.").format(
                sheet=verdict.sheet
            ),
            _("Leave it as it was; if you think otherwise, tell the chief."),
        )


def _still_first(box: DoubleBox, who: str, scope: Scope) -> bool:
    """Near the line the first reader may mend a ruling as long as nobody has looked a second time."""
    own = box.readings.get(who)
    return scope is Scope.NEAR and own is not None and not own.is_vote and len(box.readings) == 1


def _is_new(box: DoubleBox, verdict: BoxVerdict, who: str) -> bool:
    if box.shown(who) is not verdict.verdict:
        return True
    own = box.readings.get(who)
    return own is not None and verdict.why not in (None, own.why)


def _append_votes(
    connection: Connection,
    known: Known,
    votes: Iterable[BoxVerdict],
    who: str,
    batch: str,
    why: str,
) -> None:
    _write(
        connection,
        [
            {
                "batch": batch,
                "who": who,
                "sheet": vote.sheet,
                "box": vote.box,
                "page_id": known.pages.get(vote.sheet, 0),
                "verdict": vote.verdict.value,
                "why": why if vote.why is None else vote.why,
            }
            for vote in votes
        ],
    )


def _write(connection: Connection, rows: list[dict[str, Any]]) -> None:
    at = time.time()
    insert_rows(connection, blind_ruling, [row | {"at": at} for row in rows])


def withdraw_sheet(connection: Connection, sheet: str, who: str) -> None:
    """Take back every vote on a sheet; another picture of it counts now."""
    query = select(blind_ruling).where(blind_ruling.c.sheet == sheet).order_by(blind_ruling.c.id)
    standing: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in connection.execute(query):
        stack = standing[row.who, row.box]
        if row.verdict is not None:
            stack.append(row)
        elif stack:
            stack.pop()
    batch = secrets.token_hex(8)
    _write(
        connection,
        [
            {
                "batch": batch,
                "who": row.who,
                "sheet": sheet,
                "box": row.box,
                "page_id": row.page_id,
                "verdict": None,
                "why": "another scan counts",
            }
            for stack in standing.values()
            for row in reversed(stack)
        ],
    )


def undo_last(
    event: Event, who: str, origin: str | None = None, *, spared: Collection[str] = ()
) -> tuple[str, int] | None:
    """Take back what a person confirmed last, votes and rulings; as `rulings.undo_last`.

    What two readings had come to is taken back with the vote, whoever of the two takes theirs back: the
    other one's vote stays and waits for a second one again.
    """
    with event.database.writing() as connection:
        now = setting(event)
        if now.scope is Scope.NONE:
            return rulings.undo_last(event, who, origin, spared=spared)
        for undone in _batches(connection, who):
            keys = _keys(connection, undone)
            key = keys.pop() if len(keys) == 1 else None
            if origin is not None and key != origin:
                continue
            known = double_readings.known(event, key, now)
            own = {
                where: box
                for where, box in known.boxes.items()
                if where[0] not in spared and _is_from(box, who, undone)
            }
            if own:
                changed = _undo(event, connection, known, own, who, undone)
                return key or rulings.FROM_FILE, changed
    return None


def _batches(connection: Connection, who: str) -> list[str]:
    """Everything that a person gave together, the latest first."""
    latest: dict[str, float] = {}
    for table in (ruling, blind_ruling):
        query = (
            select(table.c.batch, func.max(table.c.at).label("at"))
            .where(table.c.who == who, table.c.verdict.is_not(None))
            .group_by(table.c.batch)
        )
        if table is ruling:
            query = query.where(~rulings.OF_A_DECISION)
        for row in connection.execute(query):
            latest[row.batch] = max(row.at, latest.get(row.batch, row.at))
    return sorted(latest, key=lambda batch: (latest[batch], batch), reverse=True)


def _keys(connection: Connection, batch: str) -> set[str]:
    found: set[str] = set()
    for table in (ruling, blind_ruling):
        query = select(table.c.box).where(table.c.batch == batch).distinct()
        found |= {row.box for row in connection.execute(query)}
    return found


def _is_from(box: DoubleBox, who: str, batch: str) -> bool:
    """True if what a person says of a box now is from a batch, and no decision has come over it."""
    if box.decided:
        return box.base is not None and (box.base.by, box.base.batch) == (who, batch)
    own = box.readings.get(who)
    return own is not None and own.batch == batch


def _undo(
    event: Event,
    connection: Connection,
    known: Known,
    own: dict[BoxId, DoubleBox],
    who: str,
    undone: str,
) -> int:
    """Take back a batch on some boxes; returns on how many of them."""
    batch = secrets.token_hex(8)
    rows, votes, alone = list[dict[str, Any]](), [], []
    for where, box in own.items():
        joint = known.meant.get(where) is not known.base.get(where)
        if box.decided or (not box.readings[who].is_vote and not joint):
            alone.append(where)
            continue
        votes.append(where)
        stack = votes_that_stand(known.votes.get(where, ()), who)
        # A ruling made before two were asked lies under all votes: they go with it.
        pages = [stack[-1].page_id] if box.readings[who].is_vote else [0] * (len(stack) + 1)
        rows += [
            {
                "batch": batch,
                "who": who,
                "sheet": where[0],
                "box": where[1],
                "page_id": page,
                "verdict": None,
                "why": "",
            }
            for page in pages
        ]
    log = rulings.log_of(connection, alone)
    entries = ledger.undo(log, undone, by=who, at=times.now(), batch=batch)
    _write(connection, rows)
    origins = {where[1] for where in own}
    origin = origins.pop() if len(origins) == 1 else rulings.FROM_FILE
    rulings.append(connection, entries, origin)
    if votes:
        key = origin if origin != rulings.FROM_FILE else None
        settle(event, connection, votes, key, who=who, batch=batch, origin=origin)
    return len(own)
