"""From a registered page to its boxes.

The whole paper is warped once, coarsely, to learn the paper's brightness and where the frames really
lie (`scanner.frames`). Every box is then cut from the original pixels by a warp of its own, at PX_PER_MM
pixels a millimetre: nothing is interpolated twice, and the paper between the boxes costs nothing.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.geometry import Rect
from scanner.registration import Registration

# 254 dpi: a pen stroke of 0.5 mm is five pixels wide, a box of 82 × 9.2 mm is 820 × 92 pixels.
PX_PER_MM = 10
# The page as a whole: a frame's line of 0.22 mm is one pixel.
FLAT_PX_PER_MM = 5
# The paper's brightness: larger than the widest thing that is drawn, a box filled with ink from frame to
# frame (9.2 mm), and smaller than a shadow.
WHITE_KERNEL_MM = 13
# Shadows have edges: a wider blur of the brightness leaves a dark seam along them.
WHITE_BLUR_MM = 1.2
# A box whose frame bends by less than this between its ends is cut in one piece, mm.
STRAIGHT_MM = 0.06


@dataclass(frozen=True, slots=True)
class Drift:
    """By how much a box lies off its place, along its width.

    Args:
        x: Places from left to right, mm on the blank, ascending; at least one.
        by: How far the frame is off there, to the right and down; mm, shape (len(x), 2).
    """

    x: NDArray[np.float64]
    by: NDArray[np.float64]

    def at(self, x: float) -> tuple[float, float]:
        """To the right and down at a place, mm; beyond the ends as at the ends."""
        return (
            float(np.interp(x, self.x, self.by[:, 0])),
            float(np.interp(x, self.x, self.by[:, 1])),
        )

    def knots(self, left: float, right: float) -> list[float]:
        """Places between which the drift is linear, from `left` to `right`."""
        if self._straight():
            return [left, right]
        return [left, *(place for place in self.x.tolist() if left < place < right), right]

    def _straight(self) -> bool:
        share = (self.x - self.x[0]) / max(float(self.x[-1] - self.x[0]), 1e-9)
        line = self.by[0] + share[:, None] * (self.by[-1] - self.by[0])
        return bool(np.abs(self.by - line).max() < STRAIGHT_MM)


NO_DRIFT = Drift(np.zeros(1), np.zeros((1, 2)))


@dataclass(frozen=True, slots=True)
class Page:
    """A registered page.

    Args:
        image: As scanned, any turn.
        coarse: The same, averaged down to about FLAT_PX_PER_MM.
        registration: How the paper lies on the image.
        flat: The whole paper upright, FLAT_PX_PER_MM pixels a millimetre.
        white: The paper's own brightness, one pixel a millimetre; shadows and lamps are in it.
    """

    image: Gray
    coarse: Gray
    registration: Registration
    flat: Gray
    white: Gray

    def cut(self, rect: Rect, drift: Drift = NO_DRIFT) -> Gray:
        """A rectangle in mm, off by its drift, at PX_PER_MM; white where the image has nothing."""
        height = round(rect.height * PX_PER_MM)
        knots = drift.knots(rect.x, rect.right)
        edges = [round((place - rect.x) * PX_PER_MM) for place in knots]
        edges[-1] = round(rect.width * PX_PER_MM)
        strips = []
        for index, (first, last) in enumerate(itertools.pairwise(edges)):
            if last <= first:
                continue
            left, right = knots[index], knots[index + 1]
            start, end = drift.at(left), drift.at(right)
            across = (end[0] - start[0]) / (right - left)
            down = (end[1] - start[1]) / (right - left)
            # A pixel's centre lies half a pixel inside it, on the paper as on the image.
            x0 = rect.x + (first + 0.5) / PX_PER_MM
            y0 = rect.y + 0.5 / PX_PER_MM
            to_mm = np.array([[1 / PX_PER_MM, 0, x0], [0, 1 / PX_PER_MM, y0], [0, 0, 1]])
            moved = np.array(
                [
                    [1 + across, 0, start[0] - across * left],
                    [down, 1, start[1] - down * left],
                    [0, 0, 1],
                ]
            )
            matrix = self.registration.matrix @ moved @ to_mm
            strips.append(_warped(self.image, matrix, (last - first, height)))
        return strips[0] if len(strips) == 1 else np.hstack(strips)

    def brightness(self, rect: Rect) -> Gray:
        """The paper's own brightness on a rectangle, the shape of its `cut`."""
        rows, columns = self.white.shape
        first = (math.floor(rect.x) - 1, math.floor(rect.y) - 1)
        x = np.arange(first[0], math.ceil(rect.right) + 2).clip(0, columns - 1)
        y = np.arange(first[1], math.ceil(rect.bottom) + 2).clip(0, rows - 1)
        fine = cv2.resize(
            self.white[np.ix_(y, x)],
            None,
            fx=PX_PER_MM,
            fy=PX_PER_MM,
            interpolation=cv2.INTER_LINEAR,
        )
        left, top = (
            round((place - start) * PX_PER_MM)
            for place, start in zip((rect.x, rect.y), first, strict=True)
        )
        width, height = round(rect.width * PX_PER_MM), round(rect.height * PX_PER_MM)
        return fine[top : top + height, left : left + width]

    def darkness(self, rect: Rect, drift: Drift = NO_DRIFT) -> NDArray[np.float32]:
        """How dark each pixel of a rectangle is against the paper there: 0 white, 1 black."""
        return darkness_of(self.cut(rect, drift), self.brightness(rect))


def darkness_of(gray: Gray, white: Gray) -> NDArray[np.float32]:
    """How dark pixels are against the paper's brightness, same shape: 0 white, 1 black.

    A little below 0 where the paper is brighter than around: cut off there, noise could not be measured.
    """
    ratio = cv2.divide(gray, np.maximum(white, 1), dtype=cv2.CV_32F)
    return np.float32(1.0) - ratio


def rectify(gray: Gray, registration: Registration) -> Page:
    """Warp the paper out of an image."""
    paper = registration.blank.paper
    image, matrix = gray, registration.matrix
    while registration.dpi * max(image.shape) / max(gray.shape) > 2 * FLAT_PX_PER_MM * 25.4:
        # Averaged first: a coarse warp of fine pixels would skip lines.
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        matrix = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]]) @ matrix
    step = 1 / FLAT_PX_PER_MM
    to_mm = np.array([[step, 0, step / 2], [0, step, step / 2], [0, 0, 1]])
    size = (round(paper.width * FLAT_PX_PER_MM), round(paper.height * FLAT_PX_PER_MM))
    flat = _warped(image, matrix @ to_mm, size)
    return Page(gray, image, registration, flat, _paper_white(flat))


def _warped(image: Gray, matrix: NDArray[np.float64], size: tuple[int, int]) -> Gray:
    return cv2.warpPerspective(  # type: ignore[return-value]
        image,
        matrix,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(255,),
    )


def _paper_white(flat: Gray) -> Gray:
    """The brightness of the paper without what is on it.

    At one pixel a millimetre a stroke is thinner than its neighbourhood: a maximum followed by a minimum
    takes ink away and keeps shadows, whose edges it leaves where they are.
    """
    share = 1 / FLAT_PX_PER_MM
    small = cv2.resize(flat, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (WHITE_KERNEL_MM, WHITE_KERNEL_MM))
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel)
    return cv2.GaussianBlur(closed, (0, 0), WHITE_BLUR_MM)  # type: ignore[return-value]
