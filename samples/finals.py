"""The final of one category, written and scanned: stakes digit by digit, answers to the final question.

Apart from the pile of the written round and with random numbers of its own, so that not a byte there changes.
Most stakes are allowed; one is above the sum, one is missing, one begins with a digit that is crossed out,
one sheet is never handed in.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from otbor.i18n import speaking
from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from samples.coding import jpeg
from samples.effects import Mode, choose_effects, choose_scanner
from samples.fill import OVER, write_free
from samples.hands.marks import Strike, strike_out
from samples.making import Workshop, hand_of
from samples.page import Picture, put_ink, render
from samples.pdf import PdfWriter
from samples.scan import scan
from scanner.geometry import Field, Geometry, SheetKind
from scoring.model import Player, Question, Verdict

FILE, TABLE = "scan-07-final.pdf", "finals.csv"
DPI = 200
FINAL_STREAM = 14
# What players wrote who did not know it.
WRONG = ("Ока", "Москва", "Дон", "Енисей", "Кама")


@dataclass(frozen=True, slots=True)
class PlannedFinal:
    """One final sheet: what stands in the stake's cells, which of them is crossed out, the answer.

    `cells` has a space for an empty cell; `stake` is what is staked, None if nothing is written.
    """

    player: Player
    cells: str
    struck: int | None
    stake: int | None
    answer: str
    verdict: Verdict


def plan_finals(
    players: Sequence[Player],
    scores: dict[int, int],
    question: Question,
    seed: int,
    cells: int,
) -> list[PlannedFinal]:
    """Decide who stakes what and answers how; the last of the positive ones hands in nothing.

    Args:
        players: Of the category.
        scores: Their true sums.
        question: The final question.
        seed: The same seed gives the same plan.
        cells: How many digits the blank has room for.
    """
    rng = np.random.default_rng([FINAL_STREAM, seed])
    present = sorted((p for p in players if p.number in scores), key=lambda p: p.number)
    staking = [player.number for player in present if scores[player.number] > 0]
    too_high, missing, struck, absent = (
        staking[index] if len(staking) > 4 + index else 0 for index in range(4)
    )
    planned = []
    for player in present:
        number, most = player.number, scores[player.number]
        share = float(rng.choice((0.1, 0.3, 0.5, 1.0)))
        stake = max(1, round(share * max(most, 10) / 10) * 10 if share < 1 else max(most, 1))
        stake = min(stake, max(most, 1))
        right = bool(rng.random() < 0.55)
        forms = question.forms if right else WRONG
        answer = str(forms[int(rng.integers(len(forms)))])
        empty = bool(rng.random() < 0.08)
        late = rng.random() < 0.3
        if number == absent:
            continue
        if number == too_high:
            stake = most + 40
        text = "" if number == missing else str(stake)
        crossed = None
        if number == struck and len(text) < cells:
            text, crossed = f"{(int(text[0]) + 4) % 10}{text}", 0
        text = text.rjust(cells) if late and crossed is None else text.ljust(cells)
        verdict = Verdict.BLANK if empty else (Verdict.RIGHT if right else Verdict.WRONG)
        planned.append(
            PlannedFinal(
                player,
                text,
                crossed,
                None if number == missing else stake,
                "" if empty else answer,
                verdict,
            )
        )
    return planned


def write_finals(
    out: Path, workshop: Workshop, about: BlankEvent, planned: Sequence[PlannedFinal]
) -> Path:
    """Print, fill and scan the sheets into `FILE`, with the truth in `TABLE`; returns the scans."""
    sheets = [
        SheetToPrint(SheetKind.FINAL, one.player.number, one.player.name, one.player.category)
        for one in planned
    ]
    with speaking("ru"):
        blanks = blanks_pdf(workshop.geometry, about, sheets)
    paper = workshop.geometry.blank_of(SheetKind.FINAL).paper
    scanner = choose_scanner(np.random.default_rng([FINAL_STREAM, workshop.seed, 1]), False, False)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    with PdfWriter(out / FILE) as writer:
        for index, one in enumerate(planned):
            rng = np.random.default_rng([FINAL_STREAM, workshop.seed, 2, index])
            effects = choose_effects(scanner, Mode.GREY, DPI, rng)
            picture = render(blanks, index, DPI, False)
            _fill(picture, workshop, one, rng)
            made = scan(picture, paper, effects, rng)
            writer.add(jpeg(made.picture, effects.dpi, effects.quality))
    cv2.setNumThreads(threads)
    with (out / TABLE).open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file, delimiter=";", lineterminator="\r\n")
        table.writerow(("number", "stake", "verdict"))
        for one in planned:
            stake = "" if one.stake is None else one.stake
            table.writerow((one.player.number, stake, one.verdict.value))
    return out / FILE


def _fill(
    picture: Picture, workshop: Workshop, one: PlannedFinal, rng: np.random.Generator
) -> None:
    fields = _fields(workshop.geometry)
    paper = workshop.geometry.blank_of(SheetKind.FINAL).paper
    hand = hand_of(workshop, one.player.number)
    for index, (cell, char) in enumerate(zip(fields["stake"].cells, one.cells, strict=True)):
        if char == " ":
            continue
        opacity = write_free(hand, char, (cell.width, cell.height), rng)
        if index == one.struck:
            cross = strike_out((9.0, 9.0), hand.pen.width, rng, Strike.SCRIBBLE)
            height = min(cross.shape[0], opacity.shape[0] - 24)
            width = min(cross.shape[1], opacity.shape[1] - 24)
            top, left = (opacity.shape[0] - height) // 2, (opacity.shape[1] - width) // 2
            place = opacity[top : top + height, left : left + width]
            np.maximum(place, cross[:height, :width], out=place)
        put_ink(picture, paper, opacity, cell.grown(OVER), hand.pen.colour)
    rect = fields["answer"].rect
    if one.answer:
        opacity = write_free(hand, one.answer, (rect.width, rect.height), rng)
        put_ink(picture, paper, opacity, rect.grown(OVER), hand.pen.colour)


def _fields(geometry: Geometry) -> dict[str, Field]:
    return {field.key: field for field in geometry.blank_of(SheetKind.FINAL).fields}
