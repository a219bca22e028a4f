"""Rulings in the database: entering, taking back, and what holds now.

The rules of the ledger are `jury.ledger`'s; here they meet the table. Every function that changes
something does it in one transaction, so an acknowledged ruling is there after a crash and none is there
twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from sqlalchemy import Connection, func, select, tuple_

from jury import ledger
from jury.boxes import BoxId, BoxVerdict, box_key
from otbor.errors import InputFileError, NotFoundError, TableError
from otbor.i18n import gettext as _
from scanner.codes import parse_sheet_name
from scanner.geometry import SheetKind
from scoring.model import Verdict
from scoring.rulings import RulingLine, parse_rulings
from service import last_rulings, sheets, times
from service.event import Event
from service.last_rulings import CHUNK
from service.store.database import insert_rows
from service.store.tables import ruling

FROM_FILE = "file"
# A decision on an appeal is more than its rulings: `service.appeal_decisions` takes all of it back.
APPEAL = "appeal"
# The same holds for what the chief rules on disputes, maybe with a form for the key: see `service.disputes`.
# Before the key of the box.
CHIEF = "chief:"
OF_A_DECISION = (ruling.c.origin == APPEAL) | ruling.c.origin.startswith(CHIEF)
"""True of rulings that «undo» on a wall passes over."""


def current(event: Event, box: str | None = None) -> dict[BoxId, Verdict]:
    """What is ruled now, for every box that has a verdict; or only for this box of every sheet."""
    if box is not None:
        lasts = last_rulings.of_box(event, box)
        return {(sheet, box): last.verdict for sheet, last in lasts.items() if last.verdict}
    newest = select(func.max(ruling.c.id).label("id")).group_by(ruling.c.sheet, ruling.c.box)
    query = select(ruling.c.sheet, ruling.c.box, ruling.c.verdict).where(
        ruling.c.id.in_(newest), ruling.c.verdict.is_not(None)
    )
    with event.database.reading() as connection:
        return {(row.sheet, row.box): Verdict(row.verdict) for row in connection.execute(query)}


def disputes(event: Event, box: str | None = None) -> dict[BoxId, ledger.Ruling]:
    """The ruling by which every disputed box is disputed; or only for this box of every sheet.

    It names who sent it to the chief, when and with which remark, also where an undo brought it back.
    """
    if box is not None:
        lasts = last_rulings.of_box(event, box).values()
        return {last.line.box_id: last.meant for last in lasts if last.verdict is Verdict.DISPUTED}
    newest = select(func.max(ruling.c.id).label("id")).group_by(ruling.c.sheet, ruling.c.box)
    found = select(ruling).where(
        ruling.c.id.in_(newest), ruling.c.verdict == Verdict.DISPUTED.value
    )
    with event.database.reading() as connection:
        last = last_rulings.read(connection, found)
        restored = [entry.restores for entry in last if entry.restores is not None]
        meant: dict[int, ledger.Ruling] = {}
        for start in range(0, len(restored), CHUNK):
            some = select(ruling).where(ruling.c.id.in_(restored[start : start + CHUNK]))
            meant |= {entry.id: entry for entry in last_rulings.read(connection, some)}
    return {entry.box_id: meant.get(entry.restores or 0, entry) for entry in last}


def since(event: Event, known: int) -> list[tuple[int, str, str, str | None]]:
    """The rulings newer than the one of this number, oldest first: number, sheet, box, verdict's value.

    For the standings of thousands of sheets: what is known already is not read again.
    """
    query = select(ruling.c.id, ruling.c.sheet, ruling.c.box, ruling.c.verdict).where(
        ruling.c.id > known
    )
    with event.database.reading() as connection:
        rows = connection.execute(query.order_by(ruling.c.id)).all()
    return [(row.id, row.sheet, row.box, row.verdict) for row in rows]


def history(event: Event) -> list[ledger.Ruling]:
    """The whole ledger, oldest first."""
    with event.database.reading() as connection:
        return last_rulings.read(connection, select(ruling))


def enter(
    event: Event,
    verdicts: Sequence[BoxVerdict] | Callable[[], Sequence[BoxVerdict]],
    who: str,
    *,
    origin: str,
    why: str = "",
    only_changes: bool = False,
) -> tuple[str, int]:
    """Enter verdicts given together.

    Args:
        event: Where.
        verdicts: At most one a box; or a function that gives them and may refuse by raising. It is
            called while nobody else can change anything, so what it has looked at still holds when its
            verdicts are entered.
        who: The juror.
        origin: Where they come from: a wall's box key, or `file`.
        why: A reason.
        only_changes: Leave out verdicts that hold already, with the same reason.

    Returns:
        The batch, by which they can be taken back together, and how many were entered.
    """
    batch = secrets.token_hex(8)
    with event.database.writing() as connection:
        given = list(verdicts() if callable(verdicts) else verdicts)
        log = _last_lines(event, connection, [verdict.id for verdict in given])
        if only_changes:
            given = ledger.news(log, given)
        entries = ledger.enter(log, given, by=who, at=times.now(), batch=batch, why=why)
        append(connection, entries, origin)
    return batch, len(entries)


def undo_last(
    event: Event, who: str, origin: str | None = None, *, spared: Collection[str] = ()
) -> tuple[str, int] | None:
    """Take back a juror's last batch that still stands.

    Args:
        event: Where.
        who: The juror.
        origin: Only batches from there, such as one wall; any if None.
        spared: Sheets that are not touched; see `service.kept_from`.

    Returns:
        Where the batch came from and how many boxes changed; None if there is nothing to take back.
    """
    with event.database.writing() as connection:
        query = select(ruling.c.sheet, ruling.c.box).where(ruling.c.who == who).distinct()
        if origin is not None:
            query = query.where(ruling.c.origin == origin)
        own = [(row.sheet, row.box) for row in connection.execute(query)]
        log = log_of(connection, [box for box in own if box[0] not in spared])
        kept = select(ruling.c.batch).where(ruling.c.who == who, OF_A_DECISION)
        batch = ledger.undoable(log, who, set(connection.execute(kept.distinct()).scalars()))
        if batch is None:
            return None
        came_from = connection.execute(
            select(ruling.c.origin).where(ruling.c.batch == batch).limit(1)
        ).scalar_one()
        entries = ledger.undo(log, batch, by=who, at=times.now(), batch=secrets.token_hex(8))
        append(connection, entries, came_from)
    return str(came_from), len(entries)


def undo_batch(event: Event, batch: str, who: str, why: str = "") -> int:
    """Take a batch back where it still stands, whoever gave it; returns how many boxes changed."""
    with event.database.writing() as connection:
        query = select(ruling.c.sheet, ruling.c.box).where(ruling.c.batch == batch).distinct()
        log = log_of(connection, [(row.sheet, row.box) for row in connection.execute(query)])
        origin = connection.execute(
            select(ruling.c.origin).where(ruling.c.batch == batch).limit(1)
        ).scalar()
        entries = ledger.undo(
            log, batch, by=who, at=times.now(), batch=secrets.token_hex(8), why=why
        )
        append(connection, entries, origin or "")
    return len(entries)


def withdraw_sheet(connection: Connection, sheet: str, who: str) -> None:
    """Take back every ruling on a sheet, and every vote; for a scan that replaces another."""
    from service import double

    double.withdraw_sheet(connection, sheet, who)
    rows = connection.execute(select(ruling.c.box).where(ruling.c.sheet == sheet).distinct())
    log = log_of(connection, [(sheet, row.box) for row in rows])
    why, batch = "another scan counts", secrets.token_hex(8)
    entries = ledger.withdraw(log, by=who, at=times.now(), batch=batch, why=why)
    append(connection, entries, "scan")


def rule_from_file(event: Event, path: Path, who: str) -> tuple[int, int]:
    """Enter the rulings of a CSV of sheet, theme, nominal, verdict; all of them or none.

    Returns:
        How many lines the file has and how many of them said something new.

    Raises:
        InputFileError: The file cannot be read.
        TableError: A line says something that cannot be; it is named.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputFileError(
            _("The file {path} cannot be read: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Check the name and try again."),
        ) from error
    lines = parse_rulings(data, source=str(path))
    rows = {nominal: row for row, nominal in enumerate(event.regulation().nominals, start=1)}
    themes = event.regulation().themes
    known: dict[str, str] = {}
    verdicts: dict[BoxId, BoxVerdict] = {}
    for line in lines:
        sheet = known.get(line.sheet) or _sheet(event, line, path)
        known[line.sheet] = sheet
        if line.nominal not in rows or not 1 <= line.theme <= themes:
            raise TableError(
                _("{path}: there is no question {theme}–{nominal} (sheet {sheet}).").format(
                    path=path, theme=line.theme, nominal=line.nominal, sheet=line.sheet
                ),
                _("Themes run from 1 to {themes}, nominals are {nominals}.").format(
                    themes=themes, nominals=", ".join(str(nominal) for nominal in rows)
                ),
            )
        verdict = BoxVerdict(sheet, box_key(line.theme, rows[line.nominal]), line.verdict)
        if verdicts.get(verdict.id, verdict) != verdict:
            raise TableError(
                _("{path}: two verdicts on sheet {sheet}, question {theme}–{nominal}.").format(
                    path=path, sheet=line.sheet, theme=line.theme, nominal=line.nominal
                ),
                _("Leave one of the two lines; nothing was entered."),
            )
        verdicts[verdict.id] = verdict
    from service import double

    _batch, entered = double.enter(
        event, list(verdicts.values()), who, origin=FROM_FILE, why=path.name, decides=True
    )
    return len(lines), entered


def _sheet(event: Event, line: RulingLine, path: Path) -> str:
    try:
        sheet = sheets.find(event, line.sheet)
        if parse_sheet_name(sheet)[0] is SheetKind.FINAL:
            raise NotFoundError(_("A final sheet has no themes."))
    except NotFoundError as error:
        raise TableError(
            f"{path}: {error.message}", _("Mend that line; nothing was entered.")
        ) from error
    return sheet


def _last_lines(
    event: Event, connection: Connection, boxes: Sequence[BoxId]
) -> list[ledger.Ruling]:
    """Of the entries on some boxes those by which it is known what holds now, if not all of them."""
    keys = {box for _sheet, box in boxes}
    if len(keys) != 1:
        return log_of(connection, boxes)
    lasts = last_rulings.of_box(event, keys.pop())
    known = [lasts[sheet] for sheet, _box in boxes if sheet in lasts]
    entries = {entry.id: entry for last in known for entry in (last.line, last.meant)}
    return [entries[id_] for id_ in sorted(entries)]


def log_of(connection: Connection, boxes: Sequence[BoxId]) -> list[ledger.Ruling]:
    """All entries on some boxes."""
    entries: list[ledger.Ruling] = []
    for start in range(0, len(boxes), CHUNK):
        part = boxes[start : start + CHUNK]
        query = select(ruling).where(tuple_(ruling.c.sheet, ruling.c.box).in_(part))
        entries += last_rulings.read(connection, query)
    return sorted(entries, key=lambda entry: entry.id)


def append(connection: Connection, entries: Iterable[ledger.Ruling], origin: str) -> None:
    """Append entries of `jury.ledger`; the database gives the ids."""
    rows = [
        {
            "batch": entry.batch,
            "at": entry.at.timestamp(),
            "who": entry.by,
            "sheet": entry.sheet,
            "box": entry.box,
            "verdict": entry.verdict.value if entry.verdict else None,
            "supersedes": entry.supersedes,
            "restores": entry.restores,
            "undoes": entry.undoes,
            "why": entry.why,
            "origin": origin,
        }
        for entry in entries
    ]
    insert_rows(connection, ruling, rows)
