"""Makes one page of the pile, in a worker process: print, ink, scan, code."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from samples.coding import flate, group4, jpeg
from samples.effects import Mode
from samples.event_files import SampleEvent
from samples.foreign import notice_pdf
from samples.hands.contracts import Hand, Pen
from samples.hands.fonts import choose_font_hand
from samples.hands.pens import choose_pen
from samples.hands.strokes import choose_stroke_hand
from samples.pack import Content, PageJob
from samples.page import MM_PER_INCH, Picture, fill_page, pasted_over, render
from samples.pdf import CodedImage, Coding
from samples.photo import photograph
from samples.plan import Plan
from samples.scan import Scan, scan
from scanner.geometry import Geometry, SheetKind

HAND_STREAM = 12
"""Keeps the random numbers of hands apart from those of plan and pile."""


class HandKind(StrEnum):
    """What players write with in this sample."""

    FONTS = "fonts"
    REAL = "real"
    MIXED = "mixed"  # odd numbers write with real letters


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything that the makers of pages share; it travels to every worker process once.

    `blanks` is the PDF of the printed sheets in the order of the plan, `strokes` the recordings of real
    writers if they write.
    """

    event: SampleEvent
    geometry: Geometry
    plan: Plan
    blanks: bytes
    seed: int
    hand: HandKind
    strokes: Path | None


@dataclass(frozen=True, slots=True)
class MadePage:
    """A finished page: its coded pixels and its true place (see `Scan`)."""

    job: PageJob
    image: CodedImage
    matrix: tuple[tuple[float, ...], ...]
    corners: tuple[tuple[float, ...], ...]


_workshop: Workshop | None = None


def open_workshop(workshop: Workshop) -> None:
    """Initialize a worker process (or this one)."""
    global _workshop
    _workshop = workshop
    # One process a core; threads inside would only fight for it.
    cv2.setNumThreads(1)


@contextmanager
def making(
    workshop: Workshop, jobs: Sequence[PageJob], workers: int
) -> Iterator[Iterable[MadePage]]:
    """Make pages, in the order of the jobs; one worker works in this process."""
    if workers <= 1:
        threads = cv2.getNumThreads()
        try:
            open_workshop(workshop)
            yield map(make_page, jobs)
        finally:
            cv2.setNumThreads(threads)
        return
    # Spawned, not forked: a fork of a process in which OpenCV has run can wait for a lock for ever.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=open_workshop, initargs=(workshop,)
    ) as pool:
        yield pool.map(make_page, jobs)


def make_page(job: PageJob) -> MadePage:
    """Make a page in an initialized process.

    Raises:
        RuntimeError: `open_workshop` was not called in this process.
    """
    if _workshop is None:
        raise RuntimeError("open_workshop first")
    page = scan_page(_workshop, job)
    return MadePage(
        job=job,
        image=_coded(page.picture, job),
        matrix=tuple(tuple(float(v) for v in row) for row in page.matrix),
        corners=tuple(tuple(float(v) for v in point) for point in page.corners),
    )


def scan_page(workshop: Workshop, job: PageJob) -> Scan:
    """The page as a picture, not yet coded."""
    rng = np.random.default_rng(job.stream)
    paper = workshop.geometry.blank_of(SheetKind.PERSONAL).paper
    picture = _on_paper(workshop, job)
    if job.effects.mode is Mode.PHONE:
        return photograph(picture, paper, job.effects, rng)
    return scan(picture, paper, job.effects, rng)


def pen_of(seed: int, player: int) -> Pen:
    """The pen of a player."""
    return choose_pen(np.random.default_rng([HAND_STREAM, seed, player]))


def hand_of(workshop: Workshop, player: int) -> Hand:
    """The hand of a player; the same on every sheet they write.

    Raises:
        InputFileError: Real writers are wanted and their recordings are missing.
    """
    pen = pen_of(workshop.seed, player)
    rng = np.random.default_rng([HAND_STREAM, workshop.seed, player, 1])
    real = workshop.hand is HandKind.REAL or (workshop.hand is HandKind.MIXED and player % 2 == 1)
    if real and workshop.strokes is not None:
        return choose_stroke_hand(workshop.strokes, player, pen, rng)
    return choose_font_hand(pen, rng)


def _on_paper(workshop: Workshop, job: PageJob) -> Picture:
    """What lies on the glass, at the scan's resolution."""
    coloured = job.effects.mode in (Mode.COLOUR, Mode.PHONE)
    dpi = job.effects.dpi
    if job.content is Content.FOREIGN:
        return render(notice_pdf(), 0, dpi, coloured)
    if job.sheet is None:
        paper = workshop.geometry.blank_of(SheetKind.PERSONAL).paper
        size = (round(paper.height * dpi / MM_PER_INCH), round(paper.width * dpi / MM_PER_INCH))
        return np.full((*size, 3) if coloured else size, 255, dtype=np.uint8)
    sheet = workshop.plan.sheets[job.sheet]
    picture = render(workshop.blanks, job.sheet, dpi, coloured)
    player = next(p for p in workshop.plan.players if p.number == sheet.player)
    fill_page(
        picture,
        workshop.geometry,
        sheet,
        player,
        hand_of(workshop, sheet.player),
        (HAND_STREAM, workshop.seed, sheet.player, 2),
    )
    if job.content is Content.COVERED:
        blank = workshop.geometry.blank_of(sheet.kind)
        pasted_over(picture, blank.paper, blank.codes, job.stream)
    return picture


def _coded(picture: Picture, job: PageJob) -> CodedImage:
    effects = job.effects
    if job.coding is Coding.G4:
        return group4(picture, effects.dpi)
    if job.coding is Coding.FLATE:
        return flate(picture, effects.dpi)
    return jpeg(picture, effects.dpi, effects.quality, effects.orientation)
