"""From a registered page to its boxes: one perspective warp, then each box by its own printed frame.

The rectified page has PX_PER_MM pixels a millimetre, so that a length in the geometry is a length in
pixels. Paper that was crumpled or went skew through a feeder does not lie flat: the homography is right
at the fiducials and up to a millimetre off in between. Therefore every box is looked for once more by
the four lines of its frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.contracts import Gray
from scanner.geometry import Blank, Rect
from scanner.registration import Registration

# 254 dpi: a pen stroke of 0.5 mm is five pixels wide, a box of 82 × 9.2 mm is 820 × 92 pixels.
PX_PER_MM = 10
# How far from its place a frame's line is looked for.
SEARCH_MM = 1.2
# A frame's line must be this much darker than its surroundings to count, as a share of white.
LEAST_CONTRAST = 0.04


@dataclass(frozen=True, slots=True)
class Page:
    """A rectified page.

    Args:
        gray: Shape (height · PX_PER_MM, width · PX_PER_MM), upright.
        white: The paper's own brightness around every pixel, same shape; shadows and lamps are in it.
    """

    gray: Gray
    white: Gray

    def cut(self, rect: Rect, shift: tuple[float, float] = (0.0, 0.0)) -> Gray:
        """The pixels of a rectangle in mm, moved by `shift` mm; what lies off the paper is missing."""
        rows, columns = _window(rect, shift, self.gray.shape)
        return self.gray[rows, columns]

    def darkness(self, rect: Rect, shift: tuple[float, float] = (0.0, 0.0)) -> NDArray[np.float32]:
        """How dark each pixel of a rectangle is against the paper there: 0 white, 1 black."""
        rows, columns = _window(rect, shift, self.gray.shape)
        white = self.white[rows, columns].astype(np.float32)
        ratio = self.gray[rows, columns].astype(np.float32) / np.maximum(white, 1.0)
        return np.clip(1.0 - ratio, 0.0, 1.0)


def rectify(gray: Gray, registration: Registration) -> Page:
    """Warp the paper out of an image."""
    paper = registration.blank.paper
    size = (round(paper.width * PX_PER_MM), round(paper.height * PX_PER_MM))
    # A pixel's centre lies half a pixel inside it, on the paper as on the image.
    to_mm = np.array(
        [[1 / PX_PER_MM, 0, 0.5 / PX_PER_MM], [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM], [0, 0, 1]]
    )
    flat = cv2.warpPerspective(
        gray,
        registration.matrix @ to_mm,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=255,
    )
    return Page(flat, _paper_white(flat))  # type: ignore[arg-type]


def _paper_white(flat: NDArray[np.uint8]) -> Gray:
    """The brightness of the paper without what is on it.

    On a page reduced to 1 mm a pixel a stroke is thinner than a pixel's neighbourhood: a maximum over
    7 mm followed by a minimum takes ink away and keeps shadows; a blur makes it smooth.
    """
    small = cv2.resize(flat, None, fx=1 / PX_PER_MM, fy=1 / PX_PER_MM, interpolation=cv2.INTER_AREA)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (7, 7))
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel)
    smooth = cv2.GaussianBlur(closed, (0, 0), 2.5)
    return cv2.resize(smooth, flat.shape[::-1], interpolation=cv2.INTER_LINEAR)  # type: ignore[return-value]


def _window(rect: Rect, shift: tuple[float, float], shape: tuple[int, ...]) -> tuple[slice, slice]:
    x, y = rect.x + shift[0], rect.y + shift[1]
    top = min(max(round(y * PX_PER_MM), 0), shape[0])
    left = min(max(round(x * PX_PER_MM), 0), shape[1])
    bottom = min(max(round((y + rect.height) * PX_PER_MM), top), shape[0])
    right = min(max(round((x + rect.width) * PX_PER_MM), left), shape[1])
    return slice(top, bottom), slice(left, right)


def box_shifts(page: Page, blank: Blank) -> dict[str, tuple[float, float]]:
    """By how much each box lies off its place on the rectified page, in mm (right, down).

    A frame that cannot be seen (1-bit scans lose grey lines) or that contradicts its neighbours, since
    somebody wrote along the line, takes the median of the boxes around it.
    """
    rects = {box.key: box.rect for box in blank.boxes}
    rects |= {field.key: field.rect for field in blank.fields if not field.cells}
    found = {key: _frame_shift(page, rect) for key, rect in rects.items()}
    centres = {key: np.array([r.x + r.width / 2, r.y + r.height / 2]) for key, r in rects.items()}
    shifts: dict[str, tuple[float, float]] = {}
    for key in rects:
        pair: list[float] = []
        for axis in (0, 1):
            near = sorted(
                (float(np.abs(centres[other] - centres[key]).sum()), shift[axis])
                for other, shift in found.items()
                if shift[axis] is not None
            )[:7]
            values = [value for _, value in near if value is not None]
            middle = float(np.median(values)) if len(values) >= 3 else 0.0
            own = found[key][axis]
            # Paper bends smoothly: neighbours 10 mm apart differ by less than this.
            pair.append(own if own is not None and abs(own - middle) <= 0.35 else middle)
        shifts[key] = (pair[0], pair[1])
    for field in blank.fields:
        if field.cells:
            shifts[field.key] = (0.0, 0.0)
    return shifts


def _frame_shift(page: Page, rect: Rect) -> tuple[float | None, float | None]:
    """The frame's offset (right, down) in mm, None for a direction in which it cannot be seen."""
    wide = page.darkness(rect.grown(SEARCH_MM))
    reach = round(SEARCH_MM * PX_PER_MM)
    if wide.shape[0] < rect.height * PX_PER_MM or wide.shape[1] < rect.width * PX_PER_MM:
        return None, None
    # Darkness over 0.5 is letters and ink rather than the frame's thin line: cap it, so that a thick
    # stroke across the line does not weigh more than the line's whole length.
    capped = np.minimum(wide, 0.5)
    # A profile along the middle part of each side, so that the corners' other lines stay out of it.
    rows = capped[:, 2 * reach : -2 * reach].mean(axis=1)
    columns = capped[2 * reach : -2 * reach, :].mean(axis=0)
    across = _pair_offset(columns, round(rect.width * PX_PER_MM), reach)
    down = _pair_offset(rows, round(rect.height * PX_PER_MM), reach)
    return across, down


def _pair_offset(profile: NDArray[np.float32], distance: int, reach: int) -> float | None:
    """Where two lines `distance` pixels apart lie best; the answer in mm from their expected place.

    The pair is looked for together: a neighbouring box's line, 0.5 mm away, is on one side only.
    """
    smooth = np.convolve(profile, np.ones(3) / 3, mode="same")
    offsets = range(-reach, reach + 1)
    limit = len(smooth) - 1
    both = np.array(
        [
            min(
                smooth[min(max(reach + offset, 0), limit)],
                smooth[min(max(reach + distance + offset, 0), limit)],
            )
            for offset in offsets
        ]
    )
    best = int(both.argmax())
    if both[best] - float(np.median(smooth)) < LEAST_CONTRAST:
        return None
    # Between pixels: the weighted middle of the peak.
    low, high = max(best - 1, 0), min(best + 2, len(both))
    weights = np.maximum(both[low:high] - np.median(both), 1e-6)
    centre = float((np.arange(low, high) * weights).sum() / weights.sum())
    return (centre - reach) / PX_PER_MM
