"""Where pages are worked on: processes of this machine, a Dask cluster, or (for tests) right here.

All three are `concurrent.futures.Executor`s. What is submitted must be picklable and is run in another
process, perhaps on another machine: a module-level function and a `PageTask` of plain values. pdfium and
OpenCV's detectors never cross; each process makes its own.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, TypeVar

from otbor.errors import EngineError
from otbor.i18n import gettext as _
from service.settings import Settings

Task = TypeVar("Task")
Result = TypeVar("Result")
# Enough in flight that no worker waits for the writer, few enough that memory stays flat.
PER_WORKER = 3


class SerialExecutor(Executor):
    """Runs each call at once, in this process: for tests and for looking into a fault."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it now; the future is done when this returns."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class DaskExecutor(Executor):
    """A Dask cluster behind the interface of the standard library.

    A killed worker's task is run again by the cluster itself; only one that kills worker after worker
    comes back as `BrokenExecutor`, as from a process pool.
    """

    def __init__(self, address: str) -> None:
        from distributed import Client

        self._client = Client(address, timeout=10, set_as_default=False)
        self._inner = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run on the cluster; function and arguments are pickled."""
        from distributed import KilledWorker

        outer: Future[Any] = Future()

        def done(inner: Future[Any]) -> None:
            if inner.cancelled():
                outer.cancel()
                return
            error = inner.exception()
            if isinstance(error, KilledWorker):
                outer.set_exception(BrokenExecutor(str(error)))
            elif error is not None:
                outer.set_exception(error)
            else:
                outer.set_result(inner.result())

        self._inner.submit(fn, *args, **kwargs).add_done_callback(done)
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; it goes on without us."""
        self._inner.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def make_executor(config: Settings, *, gently: bool = False) -> Executor:
    """The executor that the settings ask for.

    Args:
        config: The settings.
        gently: Processes of this machine give way to others: the jury's walls come first.

    Raises:
        EngineError: A Dask address is set, but nobody answers there or the package is missing.
    """
    if config.dask:
        try:
            return DaskExecutor(config.dask)
        except (ImportError, OSError, TimeoutError, ValueError) as error:
            raise EngineError(
                _("The Dask cluster at {address} cannot be used: {error}.").format(
                    address=config.dask, error=error
                ),
                _("Start its scheduler, or unset OTBOR_DASK to work on this machine."),
            ) from error
    # Spawned, not forked: a fork copies locks that another thread (the web server's) may hold.
    return ProcessPoolExecutor(
        max_workers=config.worker_count(),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=begin,
        initargs=(gently,),
    )


def begin(gently: bool) -> None:
    """In a new worker process: its priority, and its end if the process that made it is killed.

    A killed parent closes no queue, so its workers would wait for ever.
    """
    if gently and hasattr(os, "nice"):
        os.nice(10)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def in_order(
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    factory: Callable[[], Executor],
    *,
    window: int,
    died: Callable[[Task], Result],
) -> Iterator[tuple[Task, Result]]:
    """Work on tasks with `window` of them in flight; results come in the order of the tasks.

    A worker that dies (a crash in a decoder, the kernel short of memory) breaks a process pool and
    everything in flight with it. Then a new pool is made and each of those tasks runs alone, so that
    only the one that kills its worker is given up.

    Args:
        work: Module-level function, run in a worker.
        tasks: Picklable; drawn one by one as there is room.
        factory: Makes an executor; called again after a death.
        window: How many are in flight at most.
        died: Gives the result for a task whose worker died even when it ran alone.
    """
    source = iter(tasks)
    executor = factory()
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    try:
        exhausted = False
        while True:
            while not exhausted and len(waiting) < window:
                try:
                    task = next(source)
                except StopIteration:
                    exhausted = True
                    break
                waiting.append((task, _submit(executor, work, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            try:
                result = future.result()
            except BrokenExecutor:
                suspects = [task, *(other for other, _future in waiting)]
                waiting.clear()
                executor.shutdown(wait=False, cancel_futures=True)
                executor = factory()
                for suspect in suspects:
                    try:
                        result = executor.submit(work, suspect).result()
                    except BrokenExecutor:
                        result = died(suspect)
                        executor.shutdown(wait=False, cancel_futures=True)
                        executor = factory()
                    yield suspect, result
                continue
            yield task, result
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _submit(executor: Executor, work: Callable[[Task], Result], task: Task) -> Future[Result]:
    """Submit; a pool that is broken already gives a future that says so."""
    try:
        return executor.submit(work, task)
    except BrokenExecutor as error:
        future: Future[Result] = Future()
        future.set_exception(error)
        return future
