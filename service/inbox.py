"""Files on their way into the event while it is being served: dropped into the browser, or from a folder.

An upload lies in EVENT/incoming until it is taken in; then it is one of the originals and the copy goes. What
a stopped server has left there is taken in by the next one: the intake goes on where it was. Files are worked
on in one thread, all that wait at once; the reading itself is done by processes.
"""

from __future__ import annotations

import re
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from sqlalchemy import select

from otbor import i18n
from otbor.errors import OtborError
from otbor.i18n import gettext as _
from scanner.contracts import Outcome
from scoring.folding import clean
from service import executors, intake
from service.event import Event
from service.intake import PageRecord
from service.settings import settings
from service.small_work import SmallWork
from service.store import tables

FOLDER = "incoming"
# Ends the name of an upload's folder if the file is to be kept whatever is recognised.
KEEP = ".keep"
# Finished ones that are still shown.
KEPT_JOBS = 60
LONGEST_NAME = 120
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')


class JobState(StrEnum):
    """WAITING → RUNNING → DONE, or FAILED if the file could not be worked on at all."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True)
class Job:
    """One file on its way in.

    Args:
        id: Counts from 1, anew with every start.
        name: What the file is called.
        path: Where it lies.
        who: Who gave it.
        ours: The copy is ours and goes when it has been taken in; False for the scanner's files.
        language: Of the person, for messages.
        keep: A person says that it is of this event, whatever is recognised.
    """

    id: int
    name: str
    path: Path
    who: str
    ours: bool
    language: str
    keep: bool = False
    state: JobState = JobState.WAITING
    counts: Counter[Outcome] = field(default_factory=Counter)
    records: list[PageRecord] = field(default_factory=list)
    already: bool = False
    problem: str = ""

    @property
    def kept(self) -> bool:
        """False if nothing in the file was of this event."""
        return self.already or any(record.kept for record in self.records)


class _StoppingError(Exception):
    """The server stops; the pages that are left wait for the next one."""


class Inbox:
    """The queue of files of one event.

    Args:
        event: Where to.
        small: Counts the pages of files.
        factory: Makes the executor of the reading; processes of low priority if None.
        reader: Name of a reader; the setting's if None.
    """

    def __init__(
        self,
        event: Event,
        small: SmallWork,
        *,
        factory: Callable[[], Executor] | None = None,
        reader: str | None = None,
    ) -> None:
        self._event = event
        self._small = small
        self._factory = factory or (lambda: executors.make_executor(settings(), gently=True))
        self._reader = reader
        self._jobs: list[Job] = []
        self._count = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = False

    # --- what goes in ---------------------------------------------------------------------------

    def place(self) -> Path:
        """A new file to write an upload into; it is taken in only after `add_upload`."""
        folder = self._event.folder / FOLDER
        folder.mkdir(exist_ok=True)
        return folder / f"{secrets.token_hex(8)}.part"

    def add_upload(self, part: Path, name: str, who: str, *, keep: bool = False) -> Job:
        """Queue an upload that is complete; it survives a crash from here on."""
        folder = part.with_suffix(KEEP if keep else "")
        folder.mkdir()
        path = folder / self._free_name(fitting_name(name))
        part.replace(path)
        return self._add(path, who, ours=True, keep=keep)

    def add_watched(self, paths: Sequence[Path], who: str) -> None:
        """Queue files of a watched folder."""
        for path in paths:
            self._add(path, who, ours=False)

    def resume(self) -> int:
        """Queue what an earlier server has left, and drop uploads that were cut off; returns how many."""
        folder = self._event.folder / FOLDER
        left = 0
        for place in sorted(folder.iterdir()) if folder.is_dir() else ():
            if place.suffix == ".part":
                with suppress(OSError):
                    place.unlink()
                continue
            for path in sorted(place.iterdir()) if place.is_dir() else ():
                keep = place.suffix == KEEP
                self._add(path, _("before the restart"), ours=True, keep=keep)
                left += 1
        return left

    def _add(self, path: Path, who: str, *, ours: bool, keep: bool = False) -> Job:
        with self._changed:
            self._count += 1
            job = Job(self._count, path.name, path, who, ours, i18n.language(), keep)
            self._jobs.append(job)
            over = [job for job in self._jobs if job.state in (JobState.DONE, JobState.FAILED)]
            for old in over[: max(0, len(over) - KEPT_JOBS)]:
                self._jobs.remove(old)
            if self._thread is None and not self._stopping:
                self._thread = threading.Thread(target=self._run, name="inbox", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return job

    def _free_name(self, name: str) -> str:
        """The name with a number if another file has it: pages are named by their file's name.

        Phones call every photo `image.jpg`.
        """
        with self._event.database.reading() as connection:
            taken = set(connection.execute(select(tables.file.c.name)).scalars())
        with self._changed:
            taken |= {job.name for job in self._jobs}
        stem, ending = Path(name).stem, Path(name).suffix
        for number in range(1, len(taken) + 2):
            trial = name if number == 1 else f"{stem}-{number}{ending}"
            if trial not in taken:
                return trial
        return name

    # --- what comes out -------------------------------------------------------------------------

    def jobs(self) -> list[Job]:
        """Newest first."""
        with self._changed:
            return self._jobs[::-1]

    def busy(self) -> bool:
        """True while a file waits or is worked on."""
        with self._changed:
            return any(job.state in (JobState.WAITING, JobState.RUNNING) for job in self._jobs)

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do; False if that takes longer."""
        end = time.monotonic() + seconds
        with self._changed:
            while any(job.state in (JobState.WAITING, JobState.RUNNING) for job in self._jobs):
                if not self._changed.wait(max(0.0, end - time.monotonic())):
                    return False
        return True

    def close(self) -> None:
        """Stop after the pages in flight; what is left waits for the next start."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()
        self._small.close()

    # --- the thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._stopping and not self._waiting():
                    self._changed.wait()
                if self._stopping:
                    return
                batch = self._waiting()
                for job in batch:
                    job.state = JobState.RUNNING
            try:
                self._take(batch)
            except _StoppingError:
                return
            with self._changed:
                self._changed.notify_all()

    def _waiting(self) -> list[Job]:
        """The jobs to do next: results are told apart by the files' names, so none of them twice."""
        chosen: dict[str, Job] = {}
        for job in self._jobs:
            if job.state is JobState.WAITING:
                chosen.setdefault(job.name, job)
        return list(chosen.values())

    def _take(self, batch: list[Job]) -> None:
        i18n.set_language(batch[0].language)
        there = [job for job in batch if job.path.is_file()]
        by_name = {job.name: job for job in there}
        try:
            report = intake.take_in(
                self._event,
                [job.path for job in there],
                reader=self._reader,
                progress=_Following(by_name, lambda: self._stopping),
                factory=self._factory,
                count=self._small.count,
                keep=lambda name: by_name[name].keep,
            )
        except _StoppingError:
            raise
        except OtborError as error:
            for job in batch:
                self._end(job, JobState.FAILED, str(error))
            return
        except Exception as error:
            # A fault of ours must not end the queue; the upload stays and is tried again at the next start.
            intake.log.exception("taking in %s", [job.name for job in batch])
            for job in batch:
                self._end(job, JobState.FAILED, f"{type(error).__name__}: {error}", keep=True)
            return
        for job in there:
            job.records = [record for record in report.pages if record.file == job.name]
            job.counts = Counter(record.outcome for record in job.records)
            job.already = job.name in report.already
            self._end(job, JobState.DONE)
            if job.already and not job.ours:
                # At every start the watched folder is full of what has been taken in long ago.
                with self._changed:
                    self._jobs.remove(job)
        for job in batch:
            if job not in there:
                self._end(job, JobState.FAILED, _("The file is not there any more."))

    def _end(self, job: Job, state: JobState, problem: str = "", keep: bool = False) -> None:
        job.state, job.problem = state, problem
        if job.ours and not keep:
            shutil.rmtree(job.path.parent, ignore_errors=True)


class _Following:
    """Counts pages as they come."""

    def __init__(self, by_name: dict[str, Job], stopping: Callable[[], bool]) -> None:
        self._by_name = by_name
        self._stopping = stopping

    def start(self, pages: int) -> None:
        """All files are counted."""

    def page(self, record: PageRecord) -> None:
        """A page is stored."""
        job = self._by_name.get(record.file)
        if job is not None:
            job.counts[record.outcome] += 1
        if self._stopping():
            raise _StoppingError


def fitting_name(name: str) -> str:
    """A name that every file system takes, as near to the given one as possible."""
    last = name.replace("\\", "/").rpartition("/")[2]
    fit = _UNFIT.sub("_", clean(last)).strip(" .")
    stem, ending = Path(fit or "scan").stem, Path(fit or "scan").suffix
    return f"{stem[: LONGEST_NAME - len(ending[:12])]}{ending[:12]}"
