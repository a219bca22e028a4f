"""Answers on sheets: written, scanned and cut as those of an event, in hands that training never saw.

A line alone is harder to read than most boxes of a clean scan, and easier than some; a probability that is
to be trusted on sheets is fitted on sheets. The blanks, pens, scanners and the cutting are the product's
own; hands and words are those of `training.lines`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from samples.cutting import cut
from samples.effects import Mode
from samples.event_files import SampleEvent, load_event
from samples.hands.contracts import PX_PER_MM, Line, Pen, trimmed
from samples.hands.pens import choose_pen
from samples.pack import PageJob, pack
from samples.page import Picture, fill_page, print_blanks, render
from samples.photo import photograph
from samples.plan import Kind, PlannedBox, PlannedSheet
from samples.scan import scan
from scanner.contracts import Gray
from scanner.geometry import Geometry, SheetKind, default
from scanner.readers.alphabet import spelled
from scoring.model import Verdict
from training import distortion
from training.letters import X_HEIGHT
from training.lines import Hand as LineHand
from training.lines import Lines

CODE = "CA11B"
X_HEIGHTS = (1.9, 2.9)
"""How high people make their small letters, mm."""
# Answers are mostly shorter than what a box can hold.
LONGEST, USUAL, USUAL_SHARE = 34, 18, 0.8
# Hands waver less on a sheet than training's lines.
STRENGTH = 0.7


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One person's hand on a sheet: one of training's hands with a pen and a size."""

    writer: LineHand
    otherwise: LineHand
    pen: Pen
    x_height: float

    def line(self, text: str, x_height: float, rng: np.random.Generator) -> Line:
        """Write a text; see `samples.hands.contracts.Hand`."""
        writer = self.writer if self.writer.writes(text) else self.otherwise
        mask = distortion.by_hand(writer.line(text, rng), rng, STRENGTH)
        scale = x_height * PX_PER_MM / X_HEIGHT
        grown = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        # Enlarged edges are as soft as a pen's again.
        sharp = np.clip((grown.astype(np.float32) - 128) * min(scale, 3.0) + 128, 0, 255)
        line = trimmed(sharp.astype(np.uint8), 0)
        return replace(line, baseline=round(0.72 * line.mask.shape[0]))


@dataclass(frozen=True, slots=True)
class Written:
    """A box as the scanner cuts it, and what stands in it."""

    image: Gray
    text: str


def written_boxes(lines: Lines, sheets: int, seed: int) -> Iterator[Written]:
    """Write, scan and cut sheets, every box filled.

    Args:
        lines: Words and hands; `held_out` for those that training never saw.
        sheets: How many.
        seed: The same seed gives the same boxes.
    """
    event, geometry = load_event(), default()
    rng = np.random.default_rng([seed, 1])
    plans = [_plan(event, number, lines, rng) for number in range(1, sheets + 1)]
    hands = [_hand(lines, rng) for _ in plans]
    blanks = print_blanks(event, CODE, geometry, plans)
    for job in pack([hand.pen.dark for hand in hands], seed, extras=False):
        if job.sheet is None:
            continue
        plan, hand = plans[job.sheet], hands[job.sheet]
        page = _scanned(event, geometry, blanks, job, plan, hand)
        yield from _written(page, geometry, plan)


def _plan(event: SampleEvent, number: int, lines: Lines, rng: np.random.Generator) -> PlannedSheet:
    boxes = []
    for question in event.key.questions():
        text = ""
        while not text:
            longest = USUAL if rng.random() < USUAL_SHARE else LONGEST
            text = spelled(lines.vocabulary.text(rng, longest))
        boxes.append(
            PlannedBox(
                question.theme, question.row, question.nominal, Kind.RIGHT, text, "", Verdict.RIGHT
            )
        )
    return PlannedSheet(SheetKind.PERSONAL, number, number, tuple(boxes))


def _hand(lines: Lines, rng: np.random.Generator) -> SheetHand:
    return SheetHand(
        lines.some_writer(rng), lines.fonts, choose_pen(rng), float(rng.uniform(*X_HEIGHTS))
    )


def _scanned(
    event: SampleEvent,
    geometry: Geometry,
    blanks: bytes,
    job: PageJob,
    plan: PlannedSheet,
    hand: SheetHand,
) -> Gray:
    effects = job.effects
    paper = geometry.blank_of(SheetKind.PERSONAL).paper
    assert job.sheet is not None
    coloured = effects.mode in (Mode.COLOUR, Mode.PHONE)
    picture = render(blanks, job.sheet, effects.dpi, coloured)
    player = event.players[plan.player % len(event.players)]
    fill_page(picture, geometry, plan, player, hand, (*job.stream, 2))
    rng = np.random.default_rng(job.stream)
    make = photograph if effects.mode is Mode.PHONE else scan
    return _as_stored(make(picture, paper, effects, rng).picture, effects.mode, effects.quality)


def _as_stored(picture: Picture, mode: Mode, quality: int) -> Gray:
    if mode is not Mode.BILEVEL:
        ok, data = cv2.imencode(
            ".jpg",
            picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2BGR),
            [cv2.IMWRITE_JPEG_QUALITY, quality],
        )
        assert ok
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
    return picture


def _written(page: Gray, geometry: Geometry, plan: PlannedSheet) -> Iterator[Written]:
    result, kept = cut(page, geometry, CODE)
    texts = {f"t{box.theme}r{box.row}": box.text for box in plan.boxes}
    for box in result.boxes:
        crop = kept.of(box)
        if crop is not None and box.key in texts:
            yield Written(crop, texts[box.key])
