"""Changes as server-sent events: one watcher an application, only while somebody listens.

The database may be changed by other processes too (a scan, the command line), so it is asked every two
seconds whether anything is newer; only then is anything counted.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable

from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError

from otbor.errors import OtborError
from service import claims, second_looks, versions
from service.event import Event
from service.web import work

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 2.0
HEARTBEAT_SECONDS = 15.0
RETRY_MS = 4000

Version = tuple[object, ...]


class Live:
    """Tells listeners of the counts whenever they change.

    All methods run on the application's event loop.
    """

    def __init__(self, event: Event, interval: float = INTERVAL_SECONDS) -> None:
        self._event = event
        self._interval = interval
        self._listeners: set[asyncio.Queue[str | None]] = set()
        self._watcher: asyncio.Task[None] | None = None
        self._known: tuple[Version, str] | None = None

    @property
    def watching(self) -> bool:
        """True while the database is being watched."""
        return self._watcher is not None

    async def stream(self, still_allowed: Callable[[], bool]) -> AsyncIterator[str]:
        """The text of an event stream, without end.

        Args:
            still_allowed: Asked in a thread at every heartbeat; False ends the stream.
        """
        queue: asyncio.Queue[str | None] = asyncio.Queue(maxsize=1)
        self._listeners.add(queue)
        if self._watcher is None:
            self._watcher = asyncio.create_task(self._watch())
        elif self._known is not None:
            queue.put_nowait(self._known[1])
        try:
            yield f"retry: {RETRY_MS}\n\n"
            while True:
                try:
                    data = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                    if data is None:
                        return
                    yield f"event: progress\ndata: {data}\n\n"
                except TimeoutError:
                    if not await to_thread.run_sync(still_allowed):
                        yield "event: signed-out\ndata: {}\n\n"
                        return
                    # A comment: without it nobody would notice that the browser is gone.
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(queue)
            if not self._listeners and self._watcher is not None:
                self._watcher.cancel()
                self._watcher = None
                self._known = None

    async def _watch(self) -> None:
        while True:
            try:
                version = await to_thread.run_sync(_version, self._event)
                if self._known is None or self._known[0] != version:
                    await to_thread.run_sync(second_looks.open_new, self._event, "otbor")
                    counts = await to_thread.run_sync(work.summary, self._event)
                    self._known = (version, json.dumps(counts))
                    self._tell(self._known[1])
            except (OtborError, SQLAlchemyError) as error:
                # A database that is away for a moment; the next look may find it again.
                log.warning("watching for changes: %s", error)
            await asyncio.sleep(self._interval)

    def close(self) -> None:
        """End every stream; the server stops."""
        self._tell(None)

    def _tell(self, data: str | None) -> None:
        for queue in self._listeners:
            if queue.full():
                queue.get_nowait()  # only the newest counts
            queue.put_nowait(data)


def _version(event: Event) -> Version:
    """Something else whenever the counts or who is present have changed."""
    with event.database.reading():
        # A claim that runs out leaves no trace but that it is missing here.
        present = [(claim.box, claim.account_id) for claim in claims.held(event).values()]
        return (versions.current(event), *present)
