"""The bars that show how far a long command is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from otbor.i18n import gettext as _
from service.cli.speech import err
from service.intake import PageRecord


class ScanBar:
    """Pages done, pages a minute, and pages that need a person; drawn on the error stream."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[waiting]}"),
            console=err,
            transient=True,
            # Into a file or a pipe a bar is only noise.
            disable=not err.is_terminal,
        )
        self._task = self._bar.add_task(_("Pages"), total=None, rate="", waiting="")
        self._waiting = 0

    def __enter__(self) -> ScanBar:
        self._bar.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._bar.stop()

    def start(self, pages: int) -> None:
        """All files are counted."""
        self._bar.update(self._task, total=pages)

    def page(self, record: PageRecord) -> None:
        """A page is stored."""
        self._waiting += record.needs_person
        speed = self._bar.tasks[0].speed
        self._bar.update(
            self._task,
            advance=1,
            rate=_("{rate:.0f} a minute").format(rate=speed * 60) if speed else "",
            waiting=_("for a person: {count}").format(count=self._waiting) if self._waiting else "",
        )


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar of things done out of all; gives the function that is told both numbers."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
