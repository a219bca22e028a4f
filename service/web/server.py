"""The server process: uvicorn, taught to end the streams of events when it stops."""

from __future__ import annotations

from socket import socket

import uvicorn
from anyio import to_thread
from fastapi import FastAPI

# For a browser that keeps a download open; streams of events end at once.
GRACE_SECONDS = 3


class Server(uvicorn.Server):
    """Serves an application made by `create_app`.

    uvicorn lets running requests end before it stops. A stream of events does not end by itself: without
    this, Ctrl+C would wait until every tablet has closed its page.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop; called by uvicorn on its event loop."""
        self._app.state.live.close()
        await super().shutdown(sockets)
        # After the page in flight; the rest of a scan waits for the next start.
        await to_thread.run_sync(self._app.state.inbox.close)
