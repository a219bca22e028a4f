"""A uniform pile for measuring speed and memory: one PDF of many like pages, made quickly.

A page of the sample takes half a second to make; a pile of 500 repeats a few distinct ones. Every page
holds its own copy of the pixels, so that a reader can't profit from the repetition.
"""

from __future__ import annotations

from pathlib import Path

from samples.effects import Mode
from samples.event_files import load_event
from samples.generate import SAMPLE_CODE
from samples.making import HandKind, MadePage, Workshop, making, pen_of
from samples.pack import FileSpec, pack
from samples.page import print_blanks
from samples.pdf import Coding, PdfWriter
from samples.plan_search import plan_sample
from scanner.geometry import Geometry, default

_CODINGS = {Mode.GREY: Coding.JPEG, Mode.COLOUR: Coding.JPEG, Mode.BILEVEL: Coding.G4}


def pile(
    out_pdf: Path,
    *,
    pages: int,
    dpi: int = 300,
    mode: Mode = Mode.GREY,
    distinct: int = 8,
    event_code: str = SAMPLE_CODE,
    geometry: Geometry | None = None,
    seed: int = 1,
    workers: int = 2,
) -> list[str]:
    """Write a PDF of filled and scanned sheets.

    Args:
        out_pdf: The file to write, replaced if it is there; about 1.3 MB a grey page at 300 dpi.
        pages: How many.
        dpi: Resolution of all pages.
        mode: Grey or colour (JPEG) or 1-bit (CCITT group 4).
        distinct: How many of them are different; the rest repeats these, code and all.
        event_code: The event's five characters in the QR codes.
        geometry: Of the blanks; the product's own if None.
        seed: The same seed gives the same bytes.
        workers: Processes.

    Returns:
        The sheet's name on every page, in order.

    Raises:
        KeyError: Photos are no PDF.
    """
    event = load_event()
    geometry = geometry or default()
    plan = plan_sample(event, seed, min(pages, distinct))
    workshop = Workshop(
        event=event,
        geometry=geometry,
        plan=plan,
        blanks=print_blanks(event, event_code, geometry, plan.sheets),
        seed=seed,
        hand=HandKind.FONTS,
        strokes=None,
    )
    spec = FileSpec(out_pdf.name, mode, (dpi,), (_CODINGS[mode],), 1.0)
    dark = [pen_of(seed, sheet.player).dark for sheet in plan.sheets]
    jobs = pack(dark, seed, extras=False, files=[spec])
    with making(workshop, jobs, workers) as made:
        done: list[MadePage] = list(made)
    names = []
    with PdfWriter(out_pdf) as writer:
        for index in range(pages):
            page = done[index % len(done)]
            writer.add(page.image)
            assert page.job.sheet is not None
            names.append(plan.sheets[page.job.sheet].sheet)
    return names
