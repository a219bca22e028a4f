"""Blobs: originals by SHA-256 and packs of crops, in a folder or a bucket.

Originals are never changed or deleted once they are the event's. Only the copy of a file in which
nothing proves to be the event's is dropped again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, from_url

from otbor.errors import EngineError
from otbor.i18n import gettext as _

CHUNK = 1 << 20


class Blobs:
    """A store of bytes by key.

    Args:
        url: `file:///…` or any URL that obstore knows, such as `s3://bucket/prefix`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlparse(url)
        self._folder = Path(unquote(parts.path)) if parts.scheme == "file" else None
        try:
            self._store: Any = (
                LocalStore(self._folder, mkdir=True) if self._folder is not None else from_url(url)
            )
        except (BaseError, ValueError) as error:
            raise EngineError(
                _("The store {url} cannot be used: {error}.").format(url=url, error=error),
                _("Check OTBOR_BLOBS or “blobs” in otbor.toml."),
            ) from error

    def put(self, key: str, data: bytes) -> None:
        """Store bytes, replacing what lies there."""
        obstore.put(self._store, key, data)

    def put_file(self, key: str, path: Path) -> None:
        """Store a file without holding it in memory."""
        with path.open("rb") as file:
            obstore.put(self._store, key, file)

    def drop(self, key: str) -> None:
        """Remove what never became the event's; what cannot be removed stays, and does no harm."""
        with suppress(OSError, BaseError):  # Windows keeps a file that a worker still has open
            obstore.delete(self._store, key)

    def exists(self, key: str) -> bool:
        """True if there is such a blob."""
        try:
            obstore.head(self._store, key)
        except (FileNotFoundError, BaseError):
            return False
        return True

    def get(self, key: str, start: int = 0, size: int | None = None) -> bytes:
        """The bytes of a blob, or `size` of them from `start`.

        Raises:
            FileNotFoundError: There is no such blob.
        """
        if self._folder is not None:
            with (self._folder / key).open("rb") as file:
                file.seek(start)
                return file.read() if size is None else file.read(size)
        if size is None:
            return bytes(obstore.get(self._store, key).bytes())
        return bytes(obstore.get_range(self._store, key, start=start, length=size))

    def local(self, key: str, cache: Path) -> Path:
        """A path on this machine with the blob's content, fetched into `cache` if it lies elsewhere."""
        if self._folder is not None:
            return self._folder / key
        target = cache / key.replace("/", "_")
        if not target.exists():
            cache.mkdir(parents=True, exist_ok=True)
            part = target.with_suffix(".part")
            with part.open("wb") as file:
                for chunk in obstore.get(self._store, key).stream(min_chunk_size=CHUNK):
                    file.write(chunk)
            part.replace(target)
        return target


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
