"""Starting the web application on an address, with accounts for those who have none yet."""

from __future__ import annotations

import gc
import logging
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from otbor.errors import ServeError
from otbor.i18n import gettext as _
from service import accounts
from service.event import Event
from service.grouping_ahead import keep_grouped
from service.watch import SECONDS, FolderWatch, open_folder

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005


def serve_event(
    event: Event, host: str, port: int, say: Callable[[str], None], watch: Path | None = None
) -> None:
    """Serve until interrupted.

    Args:
        event: What to serve.
        host: Address to listen on; `0.0.0.0` for the whole local network.
        port: Port.
        say: Told the addresses and, on the first start, the organizer's PIN.
        watch: A folder into which a scanner writes; its finished files are taken in.

    Raises:
        ServeError: The address or port cannot be used; nothing has been changed then.
        InputFileError: There is no such folder to watch.
    """
    folder = None if watch is None else open_folder(watch)
    listener = _listen(host, port)
    try:
        from service.web.app import create_app
        from service.web.server import Server

        if not accounts.accounts(event):
            name = _("organizer")
            pin = accounts.add_account(event, name, accounts.Role.ORGANIZER)
            say(
                _(
                    "First start: sign in as “{name}” with the PIN {pin}. It is shown only now."
                ).format(name=name, pin=pin)
            )
            say(_("More people: on the page “People”."))
        for address in addresses(host):
            say(
                _("Open http://{address}:{port}/ — stop with Ctrl+C.").format(
                    address=address, port=port
                )
            )
        app = create_app(event)
        _prepare_interpreter()
        left = app.state.inbox.resume()
        if left:
            say(_("Files that were not taken in before the last stop: {n}.").format(n=left))
        stopping = threading.Event()
        if folder is not None:
            say(_("Watching {path}.").format(path=folder))
            looking = FolderWatch(
                folder, lambda paths: app.state.inbox.add_watched(paths, folder.name), say
            )
            threading.Thread(target=_look, args=(looking, stopping), daemon=True).start()
        threading.Thread(target=keep_grouped, args=(event, stopping), daemon=True).start()
        try:
            Server(app).run(sockets=[listener])
        finally:
            stopping.set()
    finally:
        listener.close()


def _prepare_interpreter() -> None:
    """Let short requests wait neither for each other's turn nor for a look through all of memory.

    A thread that has asked the database gets its next turn only when another one gives its own up: after
    5 ms, at every statement, as Python is set. And a full look for garbage goes through all libraries that
    are loaded, with everybody waiting: 110 ms, once in some twenty confirmations; they are never garbage.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()


def _look(looking: FolderWatch, stopping: threading.Event) -> None:
    """Look into the folder until the server stops; nothing that goes wrong there ends the looking."""
    while not stopping.wait(SECONDS):
        try:
            looking.step()
        except Exception:
            log.exception("watching %s", looking.folder)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket: taken first, so that a port in use is told before anything is written."""
    try:
        family, kind, protocol, *_rest = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With the protocol named asyncio sets TCP_NODELAY on what it accepts. Without it a reply of two
        # writes (head, body) waits for the browser's delayed acknowledgement: 40 ms on every request.
        listener = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
        if hasattr(socket, "SO_REUSEADDR") and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        raise ServeError(
            _("Port {port} on {host} cannot be used: {error}.").format(
                port=port, host=host, error=error.strerror or error
            ),
            _("Another program (perhaps another otbor) has it. Choose one with “--port”."),
        ) from error
    return listener


def addresses(host: str) -> list[str]:
    """What to type into a browser; the last one is for other computers, if there is one."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    found = ["127.0.0.1"]
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        # No packet is sent: this only asks which of our addresses the local network would see.
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    except OSError:
        pass
    finally:
        probe.close()
    return found
