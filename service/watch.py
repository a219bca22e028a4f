"""A watched folder: files are handed on as the scanner finishes them.

The folder is the scanner's: nothing in it is ever moved, renamed or deleted. A file is finished when two
looks find it with the same size and time, and its own format says that its end is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from otbor.errors import InputFileError
from otbor.i18n import gettext as _
from scanner.whole_file import is_whole

SECONDS = 2.0
"""How long between two looks."""

# After so many looks at a file that stays cut short a person is told.
PATIENCE = 15
# What scanners, browsers and office programs call files that are not finished, and their own litter.
_PASSING = (
    ".part",
    ".partial",
    ".tmp",
    ".temp",
    ".crdownload",
    ".download",
    ".lock",
    ".ini",
    ".db",
)

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds."""


@dataclass(slots=True)
class _Seen:
    """What is known of one file: how it looked last, for how many looks, and how it was dealt with."""

    stamp: Stamp
    looks: int = 1
    handed: bool = False
    told: bool = False


@dataclass(slots=True)
class FolderWatch:
    """Looks at a folder and what lies below it, one `step` after another.

    Args:
        folder: Which.
        take: Given the finished files of one step, in the order of their names.
        tell: Given a sentence for the person, once a file and state of it.
    """

    folder: Path
    take: Callable[[list[Path]], None]
    tell: Callable[[str], None] = lambda _line: None
    _seen: dict[Path, _Seen] = field(default_factory=dict)
    _away: bool = False

    def step(self) -> list[Path]:
        """Look once; returns what was handed on."""
        found = self._files()
        if found is None:
            return []
        for gone in self._seen.keys() - found.keys():
            del self._seen[gone]
        ready = [path for path, stamp in sorted(found.items()) if self._ready(path, stamp)]
        if ready:
            self.take(ready)
        return ready

    def waiting(self) -> int:
        """How many files lie there unfinished."""
        return sum(1 for seen in self._seen.values() if not seen.handed)

    def _files(self) -> dict[Path, Stamp] | None:
        """Every file with its stamp; None if the folder is away, as a network folder may be."""
        found: dict[Path, Stamp] = {}
        problem: OSError | None = None

        def failed(error: OSError) -> None:
            nonlocal problem
            if Path(error.filename or "") == self.folder:
                problem = error

        for place, folders, names in os.walk(self.folder, onerror=failed):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in names:
                path = Path(place) / name
                if name.startswith((".", "~$")) or path.suffix.lower() in _PASSING:
                    continue
                try:
                    about = path.stat()
                except OSError:
                    continue  # renamed between the two calls
                found[path] = (about.st_size, about.st_mtime_ns)
        if problem is not None:
            if not self._away:
                self.tell(
                    _("The watched folder {path} cannot be read: {error}.").format(
                        path=self.folder, error=problem.strerror or problem
                    )
                )
            self._away = True
            return None
        self._away = False
        return found

    def _ready(self, path: Path, stamp: Stamp) -> bool:
        """True once for each finished state of a file."""
        seen = self._seen.get(path)
        if seen is None or seen.stamp != stamp:
            self._seen[path] = _Seen(stamp)
            return False
        if seen.handed:
            return False
        seen.looks += 1
        try:
            whole = is_whole(path)
            now = path.stat()
        except OSError:
            whole, now = False, None
        if now is not None and (now.st_size, now.st_mtime_ns) != stamp:
            return False
        if whole:
            seen.handed = True
            return True
        if seen.looks >= PATIENCE and not seen.told:
            seen.told = True
            self.tell(
                _(
                    "{file} is cut short, or still being written. It is taken in as soon as it is complete."
                ).format(file=path.name)
            )
        return False


def open_folder(folder: Path) -> Path:
    """The folder to watch.

    Raises:
        InputFileError: There is none.
    """
    if not folder.is_dir():
        raise InputFileError(
            _("There is no folder {path}.").format(path=folder),
            _("Name the folder into which the scanner writes."),
        )
    return folder.resolve()
