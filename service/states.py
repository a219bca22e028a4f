"""The states of files and pages on their way in."""

from __future__ import annotations

from enum import StrEnum


class FileState(StrEnum):
    """TAKING until all pages are done; then KEPT, if the file holds paper of this event."""

    TAKING = "taking"
    KEPT = "kept"


class PageState(StrEnum):
    """PENDING until its result is stored."""

    PENDING = "pending"
    DONE = "done"
