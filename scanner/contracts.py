"""What the scanner promises: the outcome of a page, the ink of a box, and the `Reader` protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scanner.codes import SheetCode
from scanner.geometry import AnswerBox, Field

Gray = NDArray[np.uint8]
"""A grey image, shape (height, width), 0 black to 255 white."""


class Outcome(StrEnum):
    """How a page ends. Every page of every file ends as exactly one of these."""

    SHEET = "sheet"
    DUPLICATE = (
        "duplicate"  # a sheet that another page already holds; the service decides which counts
    )
    UNKNOWN = (
        "unknown"  # a blank of ours whose code cannot be read, or names no sheet of this event
    )
    FOREIGN = "foreign"  # no blank of ours, or another event's
    EMPTY = "empty"  # nothing on the page at all
    UNREADABLE = "unreadable"  # the file or page cannot be opened


class Reason(StrEnum):
    """Why a page did not end as a plain sheet; the service turns it into a sentence."""

    NONE = ""
    NO_CODE = "no_code"
    BAD_CODE = "bad_code"
    NO_SUCH_SHEET = "no_such_sheet"
    OTHER_EVENT = "other_event"
    NO_FIDUCIALS = "no_fiducials"
    NO_REGISTRATION = "no_registration"
    NO_INK = "no_ink"
    SAME_SHEET = "same_sheet"
    ENCRYPTED = "encrypted"
    BROKEN_FILE = "broken_file"
    BROKEN_PAGE = "broken_page"
    TOO_LARGE = "too_large"
    NOT_AN_IMAGE = "not_an_image"
    FAILED = "failed"


class Ink(StrEnum):
    """What is in a box. An answer must never become blank in silence: doubtful ink is `written`."""

    BLANK = "blank"
    DASH = "dash"
    CROSSED = "crossed"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of one crop.

    Args:
        text: The transcription, `""` if nothing was made out.
        confidence: 0 to 1, the reader's own.
        trace: What a `Verifier` needs to check the crop against texts later, without its image; empty
            from a reader that leaves none.
    """

    text: str
    confidence: float
    trace: bytes = b""


@runtime_checkable
class Reader(Protocol):
    """Reads crops of single boxes. Implementations live in `scanner.readers`.

    A reader is made in the process that uses it, is never pickled, and is used from one thread.
    """

    name: str

    def read(self, crops: Sequence[Gray]) -> list[Reading]:
        """Read a batch.

        Args:
            crops: Grey images of the inside of a box, printed frame removed, dark ink on white, at
                `PX_PER_MM` pixels a millimetre.

        Returns:
            One reading a crop, in the same order.

        Raises:
            EngineError: The engine is missing or failed; the page is then kept without readings.
        """
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """How well a crop fits a text.

    Args:
        ratio: Log-likelihood of the text against the best free reading, for each character of the text;
            about 0 where the crop says just this, the lower the less.
        probability: 0 to 1, that the crop says this; calibrated, see `scanner/models/MODEL_CARD.md`.
        inside: 0 to 1, that the crop says this with other words around it, or the surname of it alone; not
            calibrated, and 0 where a text fits the crop as a whole.
    """

    ratio: float
    probability: float
    inside: float = 0.0


class Verifier(Protocol):
    """Checks crops against texts, from the traces that a reader left."""

    def verify(self, traces: Sequence[bytes], texts: Sequence[Sequence[str]]) -> list[list[Match]]:
        """Check a batch.

        Args:
            traces: One a crop, as in `Reading.trace`.
            texts: For each crop the texts that it may say.

        Returns:
            For each crop one match a text, in the same order; an empty list for a trace that this verifier
            cannot read.
        """
        ...


@dataclass(frozen=True, slots=True)
class BoxResult:
    """One box of a page.

    `image` is the encoded crop (JPEG) with the surroundings a person needs; `darkness` the amount of ink
    inside the frame in mm², from which `ink` was told; `sure` is False where a person should look twice.
    """

    key: str
    ink: Ink
    sure: bool
    darkness: float
    image: bytes
    reading: Reading | None


@dataclass(frozen=True, slots=True)
class PageResult:
    """Everything that one page of a file gave.

    `sharpness` tells the better of two duplicates (variance of the Laplacian, larger is sharper);
    `residual` is the root mean square distance in mm between the fiducials' corners as found and as
    drawn; `dpi` the resolution at which the paper was scanned, measured on the paper itself.
    """

    outcome: Outcome
    reason: Reason = Reason.NONE
    detail: str = ""
    code: SheetCode | None = None
    blank: str = ""
    boxes: tuple[BoxResult, ...] = field(default=())
    residual: float = 0.0
    dpi: float = 0.0
    turned: float = 0.0
    sharpness: float = 0.0
    thumbnail: bytes = b""
    warnings: tuple[str, ...] = ()

    def with_warnings(self, more: tuple[str, ...]) -> PageResult:
        """The same with further warnings in front."""
        return replace(self, warnings=(*more, *self.warnings))


Box = AnswerBox | Field
