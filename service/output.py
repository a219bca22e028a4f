"""Writing files for people: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from otbor.errors import InputFileError
from otbor.i18n import gettext as _


def write(path: Path, data: bytes) -> Path:
    """Write a file, replacing an older one only when the new one is complete.

    Raises:
        InputFileError: The folder cannot be made or written to, or the file is open elsewhere.
    """
    with writing(path) as file:
        file.write(data)
    return path


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """The same for a file that is written bit by bit; after an error the older one is still there.

    Raises:
        InputFileError: As for `write`.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise InputFileError(
            _("The file {path} cannot be written: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Close it if it is open in another program, or choose another folder with “--out”."),
        ) from error
    finally:
        # What could not be made need not be removed, and its error must not take the place of the first.
        with suppress(OSError):
            part.unlink(missing_ok=True)
