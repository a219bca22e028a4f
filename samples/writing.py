"""Writes the pile's files page by page, and a copy of the event's own files beside."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from samples.event_files import EVENT_DIR
from samples.making import MadePage
from samples.pdf import PdfWriter
from samples.plan import Plan
from samples.tiff import TiffWriter
from samples.truth import write_players


def write_files(out: Path, pages: Iterable[MadePage]) -> tuple[list[Path], list[MadePage]]:
    """Write the pages into their files; returns the files and the pages without their pixels."""
    files: list[Path] = []
    made: list[MadePage] = []
    for name, group in groupby(pages, key=lambda page: page.job.file):
        path = out / name
        files.append(path)
        made += _write_file(path, group)
    return files, made


def _write_file(path: Path, pages: Iterable[MadePage]) -> Iterator[MadePage]:
    writers: dict[str, type[PdfWriter] | type[TiffWriter]] = {
        ".pdf": PdfWriter,
        ".tif": TiffWriter,
    }
    if path.suffix not in writers:
        for page in pages:
            path.write_bytes(page.image.data)
            yield _emptied(page)
        return
    with writers[path.suffix](path) as writer:
        for page in pages:
            writer.add(page.image)
            yield _emptied(page)


def _emptied(page: MadePage) -> MadePage:
    return replace(page, image=replace(page.image, data=b""))


def write_event(out: Path, plan: Plan) -> Path:
    """Write a copy of the event's files, with the roster as large as the sample."""
    folder = out / "event"
    folder.mkdir(exist_ok=True)
    for name in ("event.toml", "key.toml", "regulation.toml"):
        shutil.copyfile(EVENT_DIR / name, folder / name)
    write_players(folder / "players.csv", plan)
    return folder
