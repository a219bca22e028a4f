"""Finds and reads the sheet's QR code, also where a streak, a fold or grey print spoils it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from scanner.codes import SheetCode, decode
from scanner.contracts import Gray
from scanner.geometry import Blank
from scanner.rectify import Page
from scanner.registration import SMALLEST_SIDE, Points, reduced

MODULES = 21
MASKS = 8
_FINDER = 7
# The side of the image on which codes are searched when the page could not be registered.
_SEARCH_SIDE = 2400


def read_codes(page: Page, blank: Blank) -> set[SheetCode]:
    """The sheets that the two codes of a rectified page name; more than one means that they disagree.

    Each copy is read by itself first. If neither can be read, its modules are sampled at the places
    that the geometry gives, the parts of a code that are always the same are drawn anew, and the two
    copies are averaged.
    """
    found: set[SheetCode] = set()
    for rect in blank.codes:
        # The white around a code belongs to it; a page may lie a little off between the fiducials.
        found |= set(_ours(page.cut(rect.grown(blank.code_quiet))))
    if found:
        return found
    sampled = [_sample(page.cut(rect)) for rect in blank.codes]
    usable = [modules for modules in sampled if modules is not None]
    averaged = [np.mean(usable, axis=0)] if len(usable) > 1 else []
    for modules in [*usable, *averaged]:
        for mask in (None, *range(MASKS)):
            found = set(_ours(_redrawn(modules, mask), pure=True))
            if found:
                return found
    return set()


def find_codes(gray: Gray) -> list[tuple[SheetCode, Points]]:
    """Our codes anywhere on an image, with their four corners (top left first, clockwise), in pixels."""
    if min(gray.shape) < SMALLEST_SIDE:
        return []
    scale = min(1.0, _SEARCH_SIDE / max(gray.shape))
    small = reduced(gray, scale)
    found = []
    for barcode in _barcodes(small):
        code = decode(barcode.text)
        if code is not None:
            at = barcode.position
            quad = [at.top_left, at.top_right, at.bottom_right, at.bottom_left]
            corners = np.array([(point.x, point.y) for point in quad], dtype=np.float64) / scale
            found.append((code, corners))
    return found


def _barcodes(image: Gray, pure: bool = False) -> Any:
    return zxingcpp.read_barcodes(
        np.ascontiguousarray(image),
        formats=zxingcpp.BarcodeFormat.QRCode,  # type: ignore[arg-type]
        is_pure=pure,
    )


def _ours(image: Gray, pure: bool = False) -> Iterator[SheetCode]:
    """Codes of ours on an image; whatever else is read there does not count."""
    if min(image.shape) < MODULES:
        return
    for barcode in _barcodes(image, pure):
        code = decode(barcode.text)
        if code is not None:
            yield code


def _sample(image: Gray) -> NDArray[np.float64] | None:
    """The darkness of each module, 0 to 1, shape (21, 21); None if there is no contrast at all."""
    if min(image.shape) < MODULES * 3:
        return None
    # The middle half of every module, so that a shift of a quarter module does no harm.
    fine = cv2.resize(image, (MODULES * 4, MODULES * 4), interpolation=cv2.INTER_AREA)
    blocks = fine.reshape(MODULES, 4, MODULES, 4)[:, 1:3, :, 1:3].mean(axis=(1, 3))
    low, high = np.percentile(blocks, [10, 90])
    if high - low < 12:
        return None
    return np.clip((high - blocks) / (high - low), 0.0, 1.0)


def _redrawn(modules: NDArray[np.float64], mask: int | None) -> Gray:
    """An image of a code: data as sampled, finder and timing patterns as the standard has them.

    Args:
        modules: Darkness of each module.
        mask: Which of the eight mask patterns the code shall claim to have, at our level of error
            correction; None leaves what was sampled. A streak along the ninth column hides it.
    """
    bits = modules > 0.5
    finder = np.ones((_FINDER, _FINDER), dtype=bool)
    finder[1:-1, 1:-1] = False
    finder[2:-2, 2:-2] = True
    end = MODULES - _FINDER
    bits[:8, :8] = bits[:8, -8:] = bits[-8:, :8] = False
    bits[:_FINDER, :_FINDER] = bits[:_FINDER, end:] = bits[end:, :_FINDER] = finder
    timing = np.arange(8, MODULES - 8) % 2 == 0
    bits[6, 8 : MODULES - 8] = bits[8 : MODULES - 8, 6] = timing
    if mask is not None:
        form = _format_bits(mask)
        rows = [0, 1, 2, 3, 4, 5, 7, 8]
        # The first copy runs down the ninth column and back along the ninth row, the second stands at the
        # right end of that row and at the foot of that column; least significant bit first.
        bits[rows, 8] = form[:8]
        bits[8, [7, 5, 4, 3, 2, 1, 0]] = form[8:]
        bits[8, np.arange(MODULES - 1, MODULES - 9, -1)] = form[:8]
        bits[np.arange(MODULES - 7, MODULES), 8] = form[8:]
    bits[MODULES - 8, 8] = True  # the module that is always dark
    quiet = np.pad(~bits, 4, constant_values=True)
    return (np.kron(quiet, np.ones((6, 6), dtype=bool)) * 255).astype(np.uint8)


def _format_bits(mask: int) -> NDArray[np.bool_]:
    """The 15 bits by which a code says its error correction (Q) and mask, least significant first.

    ISO/IEC 18004, 7.9: five bits, ten of a BCH code with the generator 0x537, all against 0x5412.
    """
    data = 0b11 << 3 | mask
    rest = data << 10
    for shift in range(4, -1, -1):
        if rest >> (shift + 10) & 1:
            rest ^= 0x537 << shift
    word = (data << 10 | rest) ^ 0x5412
    return np.array([word >> bit & 1 for bit in range(15)], dtype=bool)
