"""Groups the answers of every wall before a juror opens it, and again when sheets have come in."""

from __future__ import annotations

import gc
import logging
import threading

from service import versions, walls
from service.event import Event
from service.journal import Kind

log = logging.getLogger(__name__)

LOOK_SECONDS = 3.0
REST_SECONDS = 0.25


def keep_grouped(event: Event, stopping: threading.Event) -> None:
    """Look every few seconds until the server stops; nothing that goes wrong there ends the looking."""
    known: object = None
    while not stopping.wait(LOOK_SECONDS):
        try:
            now = _version(event)
            if now != known:
                _group_all(event, stopping)
                known = now
                # The walls stay: no look for garbage has to go through them.
                gc.collect()
                gc.freeze()
        except Exception:
            log.exception("grouping answers")


def _version(event: Event) -> tuple[object, ...]:
    """Something else whenever a wall may have other answers or another key."""
    with event.database.reading():
        return (*versions.paper(event), *event.newest(Kind.KEY))


def _group_all(event: Event, stopping: threading.Event) -> None:
    for question in event.key().questions():
        # With a rest before each wall: jurors who are at work come first.
        if stopping.wait(REST_SECONDS):
            return
        walls.paper_of(event, question)
