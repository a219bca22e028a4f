"""Work on single pages for the web application, in a process of its own.

pdfium is not thread-safe, and a damaged file may kill the process that opens it: that must never be the one
that serves the jury.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from otbor.errors import EngineError
from otbor.i18n import gettext as _
from scanner.contracts import Reason
from scanner.page_image import PageError
from scanner.pages import count_pages
from service import executors

Result = TypeVar("Result")


class SmallWork:
    """Runs module-level functions of plain arguments, one after another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run it and wait; what it raises is raised here.

        Raises:
            EngineError: It killed its process.
        """
        with self._lock:
            if self._pool is None:
                # Spawned: a fork would copy locks that other threads of the server hold.
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(
                    1, mp_context=context, initializer=executors.begin, initargs=(True,)
                )
            pool = self._pool
        try:
            return pool.submit(work, *arguments).result()
        except BrokenExecutor as error:
            with self._lock:
                if self._pool is pool:
                    self._pool = None
            pool.shutdown(wait=False, cancel_futures=True)
            raise EngineError(
                _("Opening this page stopped the program that reads pages."),
                _("Scan the sheet again, or set the page aside."),
            ) from error

    def count(self, path: Path) -> int:
        """How many pages a file has; see `scanner.pages.count_pages`."""
        try:
            return self.run(count_pages, path)
        except EngineError as error:
            raise PageError(Reason.BROKEN_FILE, "worker") from error

    def close(self) -> None:
        """End the process."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)
