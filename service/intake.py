"""The scanning job: files → pages → sheets in the event.

A page is a row with a state; the work on it is idempotent, so a killed scan goes on where it was when
the same files are given again: pages done stay done, only those in flight are repeated.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, delete, insert, select, update

from otbor import i18n
from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from scanner.codes import SheetCode
from scanner.contracts import Outcome, PageResult, Reason
from scanner.geometry import SheetKind
from scanner.pages import PageError, count_pages
from scanner.readers import choice
from scoring.model import Question
from service import desk, page_store, page_work, sheets, verification
from service.blobs import sha256
from service.event import Event
from service.executors import PER_WORKER, in_order, make_executor
from service.page_work import PageTask
from service.settings import settings
from service.states import FileState, PageState
from service.store import tables

log = logging.getLogger(__name__)

# A file with at least one such page is the event's; any other leaves the event as it was.
_OURS = frozenset({Outcome.SHEET, Outcome.DUPLICATE})
_OURS_UNKNOWN = frozenset({Reason.NO_CODE, Reason.BAD_CODE, Reason.NO_REGISTRATION})


@dataclass(frozen=True, slots=True)
class PageRecord:
    """How one page ended. `number` counts from 1; 0 stands for a file that cannot be opened."""

    file: str
    number: int
    outcome: Outcome
    reason: Reason
    detail: str = ""
    sheet: str = ""
    duplicate_of: str = ""
    differs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kept: bool = True
    aside: bool = False

    @property
    def needs_person(self) -> bool:
        """True if somebody has to look at the page, and nobody has put it away."""
        if self.aside:
            return False
        if self.outcome is Outcome.DUPLICATE:
            return bool(self.differs)
        return self.outcome in (Outcome.UNKNOWN, Outcome.UNREADABLE, Outcome.FOREIGN)


@dataclass(slots=True)
class ScanReport:
    """What became of the files that were given."""

    pages: list[PageRecord] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def counts(self) -> dict[Outcome, int]:
        """Pages by outcome; they add up to all pages."""
        counter = Counter(page.outcome for page in self.pages)
        return {outcome: counter[outcome] for outcome in Outcome}

    @property
    def gained(self) -> bool:
        """True if anything of this event was among the files."""
        return bool(self.already) or any(page.kept for page in self.pages)


class Progress(Protocol):
    """Hears how far a scan is; the command line draws a bar from it."""

    def start(self, pages: int) -> None:
        """All files are counted."""

    def page(self, record: PageRecord) -> None:
        """A page is stored."""


class _Silent:
    def start(self, pages: int) -> None:
        pass

    def page(self, record: PageRecord) -> None:
        pass


def take_in(
    event: Event,
    paths: Sequence[Path],
    *,
    reader: str | None = None,
    progress: Progress | None = None,
    work: Callable[[PageTask], PageResult] = page_work.work,
    factory: Callable[[], Executor] | None = None,
    count: Callable[[Path], int] = count_pages,
    keep: Callable[[str], bool] = lambda _name: False,
) -> ScanReport:
    """Scan files into an event.

    Args:
        event: Where to.
        paths: Files, or folders of files; each may be taken in once, again changes nothing.
        reader: Name of a reader; the setting's if None.
        progress: Hears of every page.
        work: What a worker does; tests inject faults here.
        factory: Makes the executor; the setting's if None.
        count: Counts the pages of a file; the web application has it done in another process.
        keep: Whether a file of this name is kept even if nothing proves to be this event's: a person says
            so, who will mark the corners of its pages.

    Raises:
        InputFileError: One of the paths does not exist; nothing is taken in then.
    """
    started = time.monotonic()
    report = ScanReport()
    listener = progress or _Silent()
    files = [path for given in paths for path in _files(given)]
    # Before anything is entered: a cluster that cannot be reached leaves the event as it was.
    executors = _executors(factory)
    pending: dict[str, _Entry] = {}
    for path in files:
        entry = _enter(event, path, report, pending, count, keep)
        if entry is not None:
            pending[entry.sha] = entry
    waiting = list(pending.values())
    listener.start(sum(len(entry.pages) for entry in waiting) + len(report.pages))
    for record in report.pages:
        listener.page(record)
    for entry in _work_off(event, waiting, reader, listener, work, executors):
        report.pages += _finish(event, entry, keep)
    report.seconds = time.monotonic() - started
    return report


def rebuild(
    event: Event,
    *,
    reader: str | None = None,
    progress: Progress | None = None,
    factory: Callable[[], Executor] | None = None,
) -> int:
    """Read every page again from the originals; what people entered stays as it is.

    For a new reader, or when crops were lost. Returns how many pages were read.
    """
    listener = progress or _Silent()
    executors = _executors(factory)
    with event.database.writing() as connection:
        desk.recall(connection)
        files = connection.execute(
            select(tables.file)
            .where(tables.file.c.state == FileState.KEPT.value)
            .order_by(tables.file.c.id)
        ).all()
        kept = [row.id for row in files]
        pages = select(tables.page.c.id).where(tables.page.c.file_id.in_(kept))
        connection.execute(delete(tables.box).where(tables.box.c.page_id.in_(pages)))
        connection.execute(
            update(tables.page)
            .where(tables.page.c.file_id.in_(kept))
            .values(
                state=PageState.PENDING.value,
                outcome=None,
                sheet=None,
                duplicate_of=None,
                differs=[],
            )
        )
    pending = [_entry(event, row.name, row.sha256) for row in files]
    listener.start(sum(len(entry.pages) for entry in pending))
    held_back: dict[int, SheetCode] = {}
    for _entry_done in _work_off(
        event, pending, reader, listener, page_work.work, executors, held_back
    ):
        pass
    with event.database.writing() as connection:
        desk.replay(connection, held_back)
    return sum(len(entry.pages) for entry in pending)


def _executors(factory: Callable[[], Executor] | None) -> Callable[[], Executor]:
    """Gives an executor that is made now, and further ones should it break."""
    make = factory or (lambda: make_executor(settings()))
    ready = [make()]
    return lambda: ready.pop() if ready else make()


def _work_off(
    event: Event,
    pending: Sequence[_Entry],
    reader: str | None,
    listener: Progress,
    work: Callable[[PageTask], PageResult],
    executors: Callable[[], Executor],
    held_back: dict[int, SheetCode] | None = None,
) -> Iterator[_Entry]:
    """Work on all pages of some files and store the results; yields each file when it is done."""
    config = settings()
    by_page = {page: entry for entry in pending for page in entry.pages}
    questions = verification.by_box(event.key())
    for task, result in in_order(
        work,
        _tasks(event, pending, reader or config.reader or choice.usual()),
        executors,
        window=max(2, config.worker_count() * PER_WORKER),
        died=page_work.died,
    ):
        entry = by_page[task.page_id]
        _store(event, entry, task, result, questions, held_back)
        listener.page(_record(event, entry, task.page_id))
        entry.left -= 1
        if entry.left == 0:
            yield entry


@dataclass(slots=True)
class _Entry:
    """A file on its way in: its row and the pages still to do."""

    id: int
    name: str
    sha: str
    pages: list[int]
    indexes: dict[int, int]
    left: int
    said: dict[int, Any]


def _files(given: Path) -> list[Path]:
    if given.is_dir():
        return sorted(path for path in given.iterdir() if path.is_file() and path.name[0] != ".")
    if not given.is_file():
        raise InputFileError(
            _("There is no file {path}.").format(path=given),
            _("Check the name; nothing was taken in."),
        )
    return [given]


def _enter(
    event: Event,
    path: Path,
    report: ScanReport,
    pending: Mapping[str, _Entry],
    count: Callable[[Path], int],
    keep: Callable[[str], bool],
) -> _Entry | None:
    """Enter a file's row and pages; None if there is nothing to do for it or it cannot be opened."""
    try:
        digest = sha256(path)
    except OSError as error:
        report.pages.append(_refused(path, PageError(Reason.BROKEN_FILE, error.strerror or "")))
        return None
    with event.database.reading() as connection:
        known = connection.execute(
            select(tables.file).where(tables.file.c.sha256 == digest)
        ).first()
    if digest in pending or (known is not None and known.state == FileState.KEPT):
        report.already.append(path.name)
        return None
    if known is None:
        try:
            pages = count(path)
        except PageError as error:
            report.pages.append(_refused(path, error))
            return None
        event.blobs.put_file(f"originals/{digest}", path)
        with event.database.writing() as connection:
            _enter_rows(connection, path, digest, pages)
    entry = _entry(event, path.name, digest)
    if not entry.pages:
        # Interrupted after its last page: only the end is missing.
        report.pages += _finish(event, entry, keep)
        return None
    return entry


def _enter_rows(connection: Connection, path: Path, digest: str, count: int) -> None:
    known = select(tables.file.c.id).where(tables.file.c.sha256 == digest)
    if connection.execute(known).first() is not None:
        return  # another scan has entered the same file in the meantime
    file_id = connection.execute(
        insert(tables.file)
        .values(
            sha256=digest,
            name=path.name,
            size=path.stat().st_size,
            pages=count,
            state=FileState.TAKING.value,
            taken_at=time.time(),
        )
        .returning(tables.file.c.id)
    ).scalar_one()
    connection.execute(
        insert(tables.page),
        [
            {"file_id": file_id, "number": number, "state": PageState.PENDING.value}
            for number in range(1, count + 1)
        ],
    )


def _entry(event: Event, name: str, digest: str) -> _Entry:
    with event.database.reading() as connection:
        row = connection.execute(select(tables.file).where(tables.file.c.sha256 == digest)).one()
        pages = connection.execute(
            select(tables.page.c.id, tables.page.c.number, tables.page.c.manual)
            .where(tables.page.c.file_id == row.id, tables.page.c.state == PageState.PENDING.value)
            .order_by(tables.page.c.number)
        ).all()
    indexes = {page.id: page.number - 1 for page in pages}
    said = {page.id: page.manual for page in pages if page.manual}
    return _Entry(row.id, name, digest, list(indexes), indexes, len(pages), said)


def _refused(path: Path, error: PageError) -> PageRecord:
    return PageRecord(path.name, 0, Outcome.UNREADABLE, error.reason, error.detail, kept=False)


def _tasks(event: Event, entries: Iterable[_Entry], reader: str) -> Iterator[PageTask]:
    for entry in entries:
        for page_id in entry.pages:
            yield PageTask(
                page_id=page_id,
                blobs=event.blobs.url,
                key=f"originals/{entry.sha}",
                index=entry.indexes[page_id],
                event=event.info.code,
                geometry=event.geometry.source,
                reader=reader,
                language=i18n.language(),
                hint=page_store.hint_of(entry.said.get(page_id)),
            )


def _store(
    event: Event,
    entry: _Entry,
    task: PageTask,
    result: PageResult,
    questions: Mapping[str, Question],
    held_back: dict[int, SheetCode] | None,
) -> None:
    """Store one page's result; a page that is done already is left alone.

    Pages that a person spoke of are not settled but kept in `held_back`, if that is given.
    """
    key = page_store.pack_key(entry.sha, task.index + 1, page_store.manual_of(task.hint))
    page_store.put_pictures(event.blobs, key, result)
    traces = page_store.traces_of(task.page_id, result, questions)
    with event.database.writing() as connection:
        row = connection.execute(
            select(tables.page.c.state).where(tables.page.c.id == task.page_id)
        ).one()
        if row.state == PageState.DONE:
            return
        page_store.write(connection, task.page_id, result, key, traces)
        if result.outcome is not Outcome.SHEET or result.code is None:
            return
        if held_back is not None and task.page_id in desk.spoken_of(connection):
            held_back[task.page_id] = result.code
            connection.execute(
                update(tables.page)
                .where(tables.page.c.id == task.page_id)
                .values(outcome=Outcome.UNKNOWN.value)
            )
            return
        _place(event, connection, task.page_id, result.code.kind, result.code.number)


def _place(
    event: Event, connection: Connection, page_id: int, kind: SheetKind, number: int
) -> None:
    """Decide what a readable sheet is: a new one, a duplicate, or one that does not exist."""
    if not sheets.exists(event, kind, number):
        connection.execute(
            update(tables.page)
            .where(tables.page.c.id == page_id)
            .values(outcome=Outcome.UNKNOWN.value, reason=Reason.NO_SUCH_SHEET.value)
        )
        return
    sheets.settle(connection, page_id)


def _record(event: Event, entry: _Entry, page_id: int) -> PageRecord:
    with event.database.reading() as connection:
        row = connection.execute(select(tables.page).where(tables.page.c.id == page_id)).one()
    return record_of(row, entry.name)


def record_of(row: Any, file: str, duplicate_of: str = "") -> PageRecord:
    """A page's row as a record."""
    return PageRecord(
        file,
        row.number,
        Outcome(row.outcome),
        Reason(row.reason),
        row.detail,
        row.sheet or "",
        duplicate_of,
        tuple(row.differs),
        tuple(row.warnings),
        aside=row.aside,
    )


def _finish(event: Event, entry: _Entry, keep: Callable[[str], bool]) -> list[PageRecord]:
    """All pages of a file are done: keep it if it is ours, else leave the event as it was."""
    records = [record for record in page_records(event) if record[0] == entry.id]
    pages = [record for _file, record in records]
    ours = keep(entry.name) or any(
        page.outcome in _OURS or (page.outcome is Outcome.UNKNOWN and page.reason in _OURS_UNKNOWN)
        for page in pages
    )
    if ours:
        with event.database.writing() as connection:
            connection.execute(
                update(tables.file)
                .where(tables.file.c.id == entry.id)
                .values(state=FileState.KEPT.value)
            )
        return pages
    with event.database.writing() as connection:
        connection.execute(delete(tables.file).where(tables.file.c.id == entry.id))
    event.blobs.drop(f"originals/{entry.sha}")
    for page in pages:
        event.blobs.drop(f"crops/{entry.sha}/{page.number:05d}.pack")
    return [_not_kept(page) for page in pages]


def _not_kept(page: PageRecord) -> PageRecord:
    return replace(page, kept=False)


def page_records(event: Event) -> list[tuple[int, PageRecord]]:
    """Every page of every file that the event holds, with its file's id, in the order taken in."""
    with event.database.reading() as connection:
        rows = connection.execute(
            select(tables.page, tables.file.c.name)
            .join(tables.file)
            .where(tables.page.c.state == PageState.DONE.value)
            .order_by(tables.page.c.file_id, tables.page.c.number)
        ).all()
    names = {row.id: f"{row.name}#{row.number}" for row in rows}
    return [
        (row.file_id, record_of(row, row.name, names.get(row.duplicate_of, ""))) for row in rows
    ]
