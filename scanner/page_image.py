"""One decoded page, the error of one that cannot be decoded, and what both kinds of files share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2

from scanner.contracts import Gray, Reason

# 600 dpi A4 has 35 million pixels. More than this is no scan of a blank but a bomb or a poster.
LARGEST_PIXELS = 150_000_000
# Longer pages are halved until they are no longer: 600 dpi gives nothing over 300 but time.
LONGEST_SIDE = 5000


class PageError(Exception):
    """A page or file that cannot be opened; becomes the outcome `unreadable`."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class PageImage:
    """One decoded page.

    Args:
        gray: Shape (height, width), dark ink on white paper; turned as the file says, not as the paper is.
        warnings: Codes of what a person should know, such as `jbig2`.
    """

    gray: Gray
    warnings: tuple[str, ...] = ()


def whole_jpeg(data: bytes) -> None:
    """Refuse a JPEG that ends in its middle: what is missing would be read as empty boxes."""
    if b"\xff\xd9" not in data[-1024:]:
        raise PageError(Reason.BROKEN_PAGE, "JPEG")


def as_gray(pixels: Any) -> Gray:
    """What a decoder gave; raises PageError if that is nothing."""
    if pixels is None:
        raise PageError(Reason.BROKEN_PAGE)
    return pixels


def bounded(gray: Gray) -> Gray:
    """The page, halved until it is no longer than LONGEST_SIDE."""
    while max(gray.shape) > LONGEST_SIDE:
        gray = as_gray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return gray
