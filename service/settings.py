"""Settings from the environment; every one has a default that suits one laptop.

An event's own `otbor.toml` may name its database and its blobs; the environment wins over it.
"""

from __future__ import annotations

import os
from functools import cache

from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an organizer may set, as `OTBOR_<NAME>`."""

    model_config = SettingsConfigDict(env_prefix="OTBOR_", extra="ignore")

    database: str = ""
    """A database URL; empty: `otbor.db` in the event's folder."""
    blobs: str = ""
    """Where originals and crops lie, a folder's URL or `s3://…`; empty: the event's folder."""
    dask: str = ""
    """Address of a Dask scheduler; empty: processes on this machine."""
    workers: int = 0
    """How many pages are worked on at once; 0: one a core."""
    reader: str = ""
    """Which reader transcribes the boxes; `none` for no reading at all; empty: handwriting."""
    upload: int = 300
    """The largest file that may be dropped into the browser, MB."""
    glance: int = 300
    """How long a picture must be in a juror's view to count as seen, ms."""

    def worker_count(self) -> int:
        """How many worker processes to start."""
        return self.workers or os.cpu_count() or 1


@cache
def settings() -> Settings:
    """The settings of this process."""
    return Settings()
