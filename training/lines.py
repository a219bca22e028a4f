"""Training lines without end: a text, a hand, what pen and scanner do to it, and the network's input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scanner.readers.alphabet import spelled
from scanner.readers.line_image import line_image
from training import distortion, fonts
from training.cursive import CursiveHands
from training.letters import Letters, Mask
from training.own_crops import OwnCrops
from training.printed_hands import FontHands
from training.vocabulary import Vocabulary

# A line is usable if the network has at least this many steps a character (CTC needs one, two for twins).
STEPS_PER_SYMBOL = 1.25
PIXELS_PER_STEP = 4
# Of all lines: drawn cursive, composed of real letters; the rest is written in fonts.
CURSIVE_SHARE, LETTERS_SHARE = 0.36, 0.28
# Of all lines where a jury's crops are given.
OWN_SHARE = 0.15


class Hand(Protocol):
    """Writes lines."""

    def writes(self, text: str) -> bool:
        """True if every character can be written."""

    def line(self, text: str, rng: np.random.Generator) -> Mask:
        """Write a text; raises ValueError for one it cannot write."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One line: `pixels` (HEIGHT, width) uint8, 255 ink; `cased` is False where case was not kept."""

    pixels: NDArray[np.uint8]
    text: str
    cased: bool


class Lines:
    """Draws samples.

    Args:
        data: Folder with `fonts/` and `words.tsv`.
        handwriting: Folder with the real letters (`comnist_letters_64.npz`, `mnist_digits_28.npz`).
        held_out: True for hands that training never sees.
        strength: How far hands are distorted.
        crops: Folders of `otbor crops export`; a share of the lines is taken from them.
    """

    def __init__(
        self,
        data: Path,
        handwriting: Path,
        held_out: bool = False,
        strength: float = 1.0,
        crops: Sequence[Path] = (),
    ) -> None:
        self.vocabulary = Vocabulary(data / "words.tsv")
        self.letters = Letters(
            handwriting / "comnist_letters_64.npz",
            handwriting / "mnist_digits_28.npz",
            held_out,
        )
        names = fonts.FOR_CALIBRATION if held_out else fonts.FOR_TRAINING
        self.fonts = FontHands(data / "fonts", list(names))
        self.cursive = CursiveHands()
        self.strength = strength
        self.held_out = held_out
        self.own = OwnCrops(crops)

    def sample(self, rng: np.random.Generator, longest: int = 45) -> Sample:
        """One line of at most `longest` characters."""
        while True:
            sample = self._sample(rng, longest)
            if sample is not None:
                return sample

    def by_some_hand(self, text: str, rng: np.random.Generator) -> tuple[Mask, bool]:
        """The bare ink of a text in some hand, and whether its case was kept.

        Raises:
            ValueError: The hand cannot write it.
        """
        kind = rng.random()
        if kind < CURSIVE_SHARE and self.cursive.writes(text):
            return self.cursive.line(text, rng), True
        if kind < CURSIVE_SHARE + LETTERS_SHARE and self.letters.writes(text):
            return self.letters.line(text, rng), False
        return self.fonts.line(text, rng), True

    def some_writer(self, rng: np.random.Generator) -> Hand:
        """A hand for a whole sheet, in the same shares as for lines."""
        kind = rng.random()
        if kind < CURSIVE_SHARE:
            return self.cursive
        return self.letters if kind < CURSIVE_SHARE + LETTERS_SHARE else self.fonts

    def written(self, text: str, rng: np.random.Generator) -> Sample | None:
        """A given text by some hand; None if it came out unusable."""
        try:
            mask, cased = self.by_some_hand(text, rng)
        except ValueError:
            return None
        mask = distortion.with_pen(distortion.by_hand(mask, rng, self.strength), rng)
        line = line_image(distortion.scanned(mask, rng))
        if line is None or line.shape[1] / PIXELS_PER_STEP < STEPS_PER_SYMBOL * len(text) + 2:
            return None
        return Sample((line * 255).astype(np.uint8), text, cased)

    def _sample(self, rng: np.random.Generator, longest: int) -> Sample | None:
        if self.own.known and rng.random() < OWN_SHARE:
            return self._own(rng, longest)
        text = spelled(self.vocabulary.text(rng, longest))
        return self.written(text, rng) if text else None

    def _own(self, rng: np.random.Generator, longest: int) -> Sample | None:
        drawn = self.own.draw(rng, longest)
        line = line_image(drawn[0]) if drawn is not None else None
        if drawn is None or line is None:
            return None
        if line.shape[1] / PIXELS_PER_STEP < STEPS_PER_SYMBOL * len(drawn[1]) + 2:
            return None
        # The key's spelling says nothing of the case that a player wrote.
        return Sample((line * 255).astype(np.uint8), drawn[1], False)
