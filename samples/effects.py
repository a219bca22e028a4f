"""What happens to a page between the printer and the file, as numbers drawn from the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np


class Mode(StrEnum):
    """How a page is digitized."""

    GREY = "grey"
    COLOUR = "colour"
    BILEVEL = "1-bit"
    PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Streak:
    """A line of dust along the feed: where across the page (0 to 1), pixels wide, how dark 0 to 1."""

    at: float
    width: int
    strength: float


@dataclass(frozen=True, slots=True)
class Effects:
    """All that is done to one page.

    Args:
        mode: How it is digitized.
        dpi: Resolution on the paper; of a photo roughly.
        printed: Scale of the print on its paper («fit to page» prints smaller).
        scale: Of the feeder, across and down.
        skew: Degrees, clockwise.
        shift: Of the page on the glass, mm, across and down.
        turn: 0, 90, 180 or 270 degrees, clockwise.
        blur: Sigma, pixels.
        noise: Sigma, grey levels.
        texture: Of the paper, sigma in grey levels.
        light: Unevenness, share of full white.
        crumple: How far points of the paper leave their place, mm; 0 for a flat sheet.
        creases: Number of folds one can see.
        streaks: Lines of dust.
        white: Level of bare paper.
        lid: Level of what lies behind the paper.
        threshold: Level under which a 1-bit scan is black.
        quality: Of the JPEG.
        shadow: How much light a shadow over part of a photo takes; 0 for none.
        orientation: EXIF value of a photo.
    """

    mode: Mode
    dpi: int
    printed: float = 1.0
    scale: tuple[float, float] = (1.0, 1.0)
    skew: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    turn: int = 0
    blur: float = 0.0
    noise: float = 0.0
    texture: float = 0.0
    light: float = 0.0
    crumple: float = 0.0
    creases: int = 0
    streaks: tuple[Streak, ...] = ()
    white: int = 250
    lid: int = 252
    threshold: int = 128
    quality: int = 85
    shadow: float = 0.0
    orientation: int = 1


@dataclass(frozen=True, slots=True)
class Scanner:
    """One device and its habits: all pages of a file come through the same one."""

    streaks: tuple[Streak, ...]
    lid: int
    noise: float
    threshold: int


def choose_scanner(rng: np.random.Generator, dusty: bool, dark_lid: bool) -> Scanner:
    """A device for one file."""
    count = int(rng.integers(1, 3)) if dusty else 0
    streaks = tuple(
        Streak(
            float(rng.uniform(0.05, 0.95)), int(rng.integers(1, 3)), float(rng.uniform(0.12, 0.4))
        )
        for _ in range(count)
    )
    lid = int(rng.integers(38, 70)) if dark_lid else int(rng.integers(247, 256))
    return Scanner(streaks, lid, float(rng.uniform(1.5, 3.5)), int(rng.integers(138, 166)))


def choose_effects(scanner: Scanner, mode: Mode, dpi: int, rng: np.random.Generator) -> Effects:
    """What one page of a file goes through.

    The ranges are those of shared reports about real scans: the feeder skews by up to 3° and changes
    the size by up to 3 %, «fit to page» prints at 94–97 %, pages come in upside down or sideways.
    """
    skew = float(np.clip(rng.normal(0.0, 0.9), -3.0, 3.0))
    if rng.random() < 0.08:
        skew = float(rng.choice((-1, 1)) * rng.uniform(2.0, 3.0))
    printed = float(rng.uniform(0.945, 0.97)) if rng.random() < 0.12 else 1.0
    feed = float(np.clip(rng.normal(1.0, 0.008), 0.98, 1.03)) if printed == 1.0 else 1.0
    # A skewed page must not be shifted off the glass as well.
    loose = 2.0 * (1 - abs(skew) / 3.2)
    crumpled = rng.random() < 0.1
    effects = Effects(
        mode=mode,
        dpi=dpi,
        printed=printed,
        scale=(feed, feed * float(rng.uniform(0.995, 1.005))),
        skew=skew,
        shift=(float(rng.uniform(-loose, loose)), float(rng.uniform(-loose, loose))),
        turn=int(rng.choice((0, 90, 180, 270), p=(0.86, 0.03, 0.08, 0.03))),
        blur=float(rng.uniform(0.35, 0.8)) * dpi / 250,
        noise=scanner.noise * float(rng.uniform(0.8, 1.3)),
        texture=float(rng.uniform(0.8, 2.4)),
        light=float(rng.uniform(0.01, 0.07)),
        crumple=float(rng.uniform(0.15, 0.4)) if crumpled else 0.0,
        creases=int(rng.integers(1, 4)) if crumpled else 0,
        # Dust comes and goes during a pile.
        streaks=scanner.streaks if rng.random() < 0.5 else (),
        white=int(rng.integers(240, 255)),
        lid=scanner.lid,
        threshold=scanner.threshold + int(rng.integers(-6, 7)),
        quality=int(rng.integers(78, 91)),
    )
    if mode is Mode.BILEVEL:
        # A fold's shading becomes a black blot in a 1-bit scan, which nobody would keep.
        effects = replace(effects, creases=0, light=effects.light * 0.6)
    return effects


def choose_photo(index: int, rng: np.random.Generator) -> Effects:
    """What a phone does to the page, photo by photo: every second one has a shadow across it."""
    return Effects(
        mode=Mode.PHONE,
        dpi=int(rng.integers(190, 216)),
        skew=float(rng.normal(0.0, 1.6)),
        blur=float(rng.uniform(0.5, 0.9)),
        noise=float(rng.uniform(2.0, 4.0)),
        texture=float(rng.uniform(1.0, 2.5)),
        light=float(rng.uniform(0.08, 0.2)),
        crumple=float(rng.uniform(0.05, 0.3)),
        creases=int(rng.integers(0, 2)),
        white=int(rng.integers(222, 245)),
        quality=int(rng.integers(76, 85)),
        shadow=float(rng.uniform(0.25, 0.45)) if index % 2 == 0 else 0.0,
        orientation=(1, 6, 1, 3)[index % 4],
    )
