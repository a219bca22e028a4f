"""The one family of errors that a user may see.

Every error has a stable code (for programs and for searching), an exit status for the command line, an
HTTP status for the web, a sentence that says what is wrong and one that says what to do next. Whatever
reaches a user without being an OtborError is a bug of ours.
"""

from __future__ import annotations

from typing import ClassVar


class OtborError(Exception):
    """Something the user can mend.

    Args:
        message: One sentence in the user's language: what is wrong, naming the file or value.
        hint: One sentence in the user's language: what to do next.
    """

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1
    http_status: ClassVar[int] = 400

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def as_dict(self) -> dict[str, str]:
        """The one shape in which errors leave the product (JSON of the command line and the web)."""
        return {"error": self.code, "message": self.message, "hint": self.hint}


class InputFileError(OtborError):
    """A file that was given is missing, unreadable or not what it should be."""

    code = "input_file"
    exit_status = 3


class TableError(InputFileError):
    """A roster, key, regulation or rulings file says something that cannot be."""

    code = "table"
    exit_status = 4


class GeometryError(InputFileError):
    """A description of a blank contradicts itself or lacks a field."""

    code = "geometry"
    exit_status = 4


class EventError(OtborError):
    """A folder is not an event, already is one, or lacks something."""

    code = "event"
    exit_status = 5
    http_status = 404


class NotFoundError(OtborError):
    """A sheet, player, question or page that does not exist in this event."""

    code = "not_found"
    exit_status = 6
    http_status = 404


class ConflictError(OtborError):
    """What was asked for contradicts what has been recorded."""

    code = "conflict"
    exit_status = 7
    http_status = 409


class EngineError(OtborError):
    """An outside program (Tesseract, a database, a cluster) is missing or failed."""

    code = "engine"
    exit_status = 8
    http_status = 503


class ServeError(OtborError):
    """The web application cannot start (a port in use, an address that is not ours)."""

    code = "serve"
    exit_status = 9
    http_status = 503


class AccessError(OtborError):
    """Not signed in, or signed in without the right to do this."""

    code = "access"
    exit_status = 10
    http_status = 403
