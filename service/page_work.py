"""What a worker process does with one page. Idempotent: nothing is written but the answer."""

from __future__ import annotations

import atexit
import logging
import os
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2

from otbor import i18n
from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scanner import geometry
from scanner.contracts import Outcome, PageResult, Reader, Reason
from scanner.pages import PageError, PageSource
from scanner.placing import Hint
from scanner.readers import choice, network, struck
from scanner.readers.digits import DigitReader
from scanner.readers.struck import StrikeFinder
from scanner.recognition import recognise
from service.blobs import Blobs

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PageTask:
    """One page to work on; plain values only, since it travels to other processes and machines.

    Args:
        page_id: The page's row.
        blobs: URL of the store; on a cluster every worker must reach it.
        key: The file's blob.
        index: The page in the file, from 0.
        event: The event's five characters.
        geometry: The blanks, as TOML text.
        reader: The reader's name.
        language: In which language a message of an engine is written.
        hint: What a person said of how the page lies.
    """

    page_id: int
    blobs: str
    key: str
    index: int
    event: str
    geometry: str
    reader: str
    language: str
    hint: Hint | None = None


def work(task: PageTask) -> PageResult:
    """Decode and recognise one page. Never raises: whatever happens becomes an outcome."""
    i18n.set_language(task.language)
    _prepare()
    try:
        path = _blobs(task.blobs).local(task.key, _cache_folder())
        page = _source().page(path, task.index)
        result = recognise(
            page.gray,
            geometry.parse_cached(task.geometry),
            task.event,
            _reader(task.reader),
            _digits(task.reader),
            _strikes(task.reader),
            task.hint,
        )
    except PageError as error:
        return PageResult(Outcome.UNREADABLE, error.reason, error.detail)
    except MemoryError:
        return PageResult(Outcome.UNREADABLE, Reason.TOO_LARGE)
    except Exception as error:
        # A fault of ours on one page must not stop the other 299; the page goes to a person.
        log.exception("page %s of %s", task.index + 1, task.key)
        return PageResult(Outcome.UNREADABLE, Reason.FAILED, f"{type(error).__name__}: {error}")
    return result.with_warnings(page.warnings)


def picture(task: PageTask, side: int) -> bytes:
    """The page as it was scanned, turned as a person said, its long side at most `side` pixels; JPEG.

    Raises:
        NotFoundError: It cannot be opened.
    """
    i18n.set_language(task.language)
    try:
        path = _blobs(task.blobs).local(task.key, _cache_folder())
        gray = _source().page(path, task.index).gray
    except (PageError, OSError) as error:
        raise NotFoundError(
            _("This page cannot be opened, so there is no picture of it."),
            _("Scan the sheet again, or set the page aside."),
        ) from error
    turns = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
    if task.hint is not None and task.hint.turn:
        gray = cv2.rotate(gray, turns[task.hint.turn])  # type: ignore[assignment]
    share = min(1.0, side / max(gray.shape))
    small = cv2.resize(gray, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes()


def died(_task: PageTask) -> PageResult:
    """The result for a page that kills its worker."""
    return PageResult(Outcome.UNREADABLE, Reason.FAILED, "worker")


@cache
def _prepare() -> None:
    """Once a process: one thread each, since there is a process for every core."""
    cv2.setNumThreads(1)
    os.environ["OMP_THREAD_LIMIT"] = "1"


@cache
def _source() -> PageSource:
    source = PageSource()
    atexit.register(source.close)
    return source


@cache
def _blobs(url: str) -> Blobs:
    return Blobs(url)


@cache
def _reader(name: str) -> Reader | None:
    return choice.make(name)


@cache
def _digits(name: str) -> DigitReader | None:
    """Digit cells have one reader; where nothing is to be read at all, they are not read either."""
    return None if name == choice.NONE else DigitReader()


@cache
def _strikes(name: str) -> StrikeFinder | None:
    """What is crossed out is found by a network too; without its weights it counts as written."""
    return StrikeFinder() if name != choice.NONE and network.available(struck.MODEL) else None


@cache
def _cache_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="otbor-"))
