"""Which sheet goes into which file, and what else lies in the pile that is no sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from samples.effects import Effects, Mode, choose_effects, choose_photo, choose_scanner
from samples.pdf import Coding
from scanner.contracts import Outcome

PACK_STREAM = 13
"""Keeps the random numbers of packing apart from those of plan and hands."""


class Content(StrEnum):
    """What lies on the glass."""

    SHEET = "sheet"
    RESCAN = "rescan"  # a sheet that is in another file too
    COVERED = "covered"  # a rescan with notes stuck over both codes
    EMPTY = "empty"
    FOREIGN = "foreign"

    @property
    def outcome(self) -> Outcome:
        """How the page must end."""
        return {
            Content.SHEET: Outcome.SHEET,
            Content.RESCAN: Outcome.DUPLICATE,
            Content.COVERED: Outcome.UNKNOWN,
            Content.EMPTY: Outcome.EMPTY,
            Content.FOREIGN: Outcome.FOREIGN,
        }[self]


@dataclass(frozen=True, slots=True)
class FileSpec:
    """One file of the pile.

    Args:
        name: Its name; `{}` is filled with a number where every page is a file of its own.
        mode: How its pages are digitized.
        dpi: At which resolution, page by page in turn.
        codings: How its pages are coded, in turn.
        share: Of all sheets.
        dusty: The scanner's glass is.
        dark_lid: What lies behind the paper is dark.
    """

    name: str
    mode: Mode
    dpi: tuple[int, ...]
    codings: tuple[Coding, ...]
    share: float
    dusty: bool = False
    dark_lid: bool = False

    @property
    def single(self) -> bool:
        """True if every page is a file of its own."""
        return "{}" in self.name


FILES = (
    FileSpec("scan-01-grey.pdf", Mode.GREY, (300,), (Coding.JPEG,), 0.40, dusty=True),
    FileSpec("scan-02-bw.pdf", Mode.BILEVEL, (200, 200, 300), (Coding.G4, Coding.FLATE), 0.17),
    FileSpec("scan-03-colour.pdf", Mode.COLOUR, (200,), (Coding.JPEG,), 0.14, dark_lid=True),
    FileSpec("сканы, часть 4.tif", Mode.BILEVEL, (300, 200), (Coding.G4,), 0.14),
    FileSpec("scan-05-grey.pdf", Mode.GREY, (150, 150, 200), (Coding.JPEG,), 0.08, dusty=True),
    FileSpec("IMG_{}.jpg", Mode.PHONE, (200,), (Coding.JPEG,), 0.07),
)


@dataclass(frozen=True, slots=True)
class PageJob:
    """One page to make: what is on it, what happens to it, and where it goes.

    `sheet` is an index into the plan's sheets, None where there is none; `page` counts from 1; `stream`
    are the random numbers of this page.
    """

    file: str
    page: int
    content: Content
    sheet: int | None
    effects: Effects
    coding: Coding
    stream: tuple[int, ...]


def pack(
    dark: Sequence[bool],
    seed: int,
    *,
    dpi: int | None = None,
    extras: bool = True,
    files: Sequence[FileSpec] = FILES,
) -> list[PageJob]:
    """Decide the pile.

    Args:
        dark: For every planned sheet, whether its ink survives a 1-bit scan; others are never put
            through one, since no scan with answers lost would be handed in.
        seed: The same seed gives the same pile.
        dpi: One resolution for all scanned pages instead of the files' own.
        extras: With the pages that are no sheets (an empty one, a foreign one, a rescan, one with
            covered codes).
        files: The files wanted.

    Returns:
        All pages, file by file, in the order in which they lie in it.
    """
    rng = np.random.default_rng([PACK_STREAM, seed])
    piles = _dealt(dark, files, rng)
    contents: list[list[tuple[Content, int | None]]] = [
        [(Content.SHEET, index) for index in pile] for pile in piles
    ]
    if extras:
        _add_extras(contents, files, rng)
    jobs: list[PageJob] = []
    for number, (spec, pages) in enumerate(zip(files, contents, strict=True)):
        scanner = choose_scanner(rng, spec.dusty, spec.dark_lid)
        for index, (content, sheet) in enumerate(pages):
            resolution = dpi or spec.dpi[index % len(spec.dpi)]
            if spec.mode is Mode.PHONE:
                effects = choose_photo(index, rng)
            else:
                effects = choose_effects(scanner, spec.mode, resolution, rng)
            name = spec.name.format(f"{2041 + 3 * index}") if spec.single else spec.name
            jobs.append(
                PageJob(
                    file=name,
                    page=1 if spec.single else index + 1,
                    content=content,
                    sheet=sheet,
                    effects=effects,
                    coding=spec.codings[index % len(spec.codings)],
                    stream=(PACK_STREAM, seed, number, index),
                )
            )
    return jobs


def _dealt(
    dark: Sequence[bool], files: Sequence[FileSpec], rng: np.random.Generator
) -> list[list[int]]:
    """Sheets into files, shuffled; pale ink only where it shows."""
    rooms = _rooms(len(dark), files)
    order = [int(index) for index in rng.permutation(len(dark))]
    piles: list[list[int]] = [[] for _ in files]
    for pale_turn in (True, False):
        for index in order:
            if dark[index] is pale_turn:
                continue
            fitting = [
                at
                for at, spec in enumerate(files)
                if len(piles[at]) < rooms[at] and (dark[index] or spec.mode is not Mode.BILEVEL)
            ]
            # Pale sheets may outnumber the places for them: then a pile grows.
            at = int(rng.choice(fitting)) if fitting else 0
            piles[at].append(index)
    for pile in piles:
        rng.shuffle(pile)
    return piles


def _rooms(sheets: int, files: Sequence[FileSpec]) -> list[int]:
    """How many sheets each file takes; while there are enough, none is left out."""
    least = 1 if sheets >= len(files) else 0
    rooms = [max(least, int(spec.share * sheets)) for spec in files]
    by_share = sorted(range(len(files)), key=lambda at: files[at].share, reverse=True)
    at = 0
    while sum(rooms) < sheets:
        rooms[by_share[at % len(files)]] += 1
        at += 1
    while sum(rooms) > sheets:
        fullest = max(range(len(files)), key=rooms.__getitem__)
        rooms[fullest] -= 1
    return rooms


def _add_extras(
    contents: list[list[tuple[Content, int | None]]],
    files: Sequence[FileSpec],
    rng: np.random.Generator,
) -> None:
    first = contents[0]
    scanned = [at for at, spec in enumerate(files) if spec.mode in (Mode.GREY, Mode.COLOUR)]
    later = scanned[1:] or scanned
    # The sheets of the first file are fine scans; their rescans in later files are coarser.
    chosen = [sheet for _, sheet in first[:2]] or [None, None]
    rescan, covered = chosen[0], chosen[-1]
    if rescan is not None:
        contents[later[-1]].append((Content.RESCAN, rescan))
        _insert(contents[later[0]], (Content.COVERED, covered), rng)
    _insert(first, (Content.EMPTY, None), rng)
    _insert(contents[later[0]], (Content.FOREIGN, None), rng)


def _insert(
    pages: list[tuple[Content, int | None]],
    page: tuple[Content, int | None],
    rng: np.random.Generator,
) -> None:
    pages.insert(int(rng.integers(0, len(pages) + 1)), page)
