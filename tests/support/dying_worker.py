"""A worker that dies on one page; importable, since workers are spawned."""

from __future__ import annotations

import os

from scanner.contracts import PageResult
from service import page_work
from service.page_work import PageTask


def kill_on_second(task: PageTask) -> PageResult:
    """A decoder that crashes its process on the second page."""
    if task.index == 1:
        os._exit(9)
    return page_work.work(task)
