"""Readers by name, for a setting and the command line."""

from __future__ import annotations

from collections.abc import Callable

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scanner.contracts import Reader
from scanner.readers import handwriting
from scanner.readers.handwriting import HandwritingReader
from scanner.readers.second_opinion import SecondOpinionReader
from scanner.readers.tesseract import TesseractReader

_READERS: dict[str, Callable[[], Reader]] = {
    "both": SecondOpinionReader,
    "handwriting": HandwritingReader,
    "tesseract": TesseractReader,
}
NONE = "none"


def names() -> tuple[str, ...]:
    """Every reader that can be asked for; `none` leaves the boxes without readings."""
    return (*sorted(_READERS), NONE)


def usual() -> str:
    """The reader that is used where none is asked for: our own network, where it can run."""
    return HandwritingReader.name if handwriting.available() else TesseractReader.name


def make(name: str) -> Reader | None:
    """The reader of a name, None for `none`.

    Raises:
        NotFoundError: There is no such reader.
    """
    if name == NONE:
        return None
    if name not in _READERS:
        raise NotFoundError(
            _("There is no reader “{name}”.").format(name=name),
            _("Choose one of: {names}.").format(names=", ".join(names())),
        )
    return _READERS[name]()
