"""Paper for tests: prints a blank, lays it on a scanner or photographs it, and knows where everything is.

Independent of the sample event's generator on purpose: what the scanner is measured with should not share
its mistakes. Frames: millimetres on the blank as in `scanner.geometry`; pixels with the centre of the top
left one at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from scanner.contracts import Gray
from scanner.geometry import Blank, Geometry, Rect, SheetKind, default

MM_PER_INCH = 25.4
EVENT = "AB12C"
NUMBER = 12

Points = NDArray[np.float64]
Matrix = NDArray[np.float64]
Field = NDArray[np.float32]


@dataclass(frozen=True)
class Bend:
    """A sheet that does not lie flat: a point seen at q of the flat paper shows q + d(q) of the print.

    Args:
        across: d's part to the right, mm, on a coarse grid over the paper.
        down: d's part downwards, the same.
        paper: The paper, mm.
    """

    across: Field
    down: Field
    paper: Rect

    def displacement(self, points: Points) -> Points:
        """d at points of the flat paper, shape (n, 2), mm."""
        rows, columns = self.across.shape
        x = np.clip(points[:, 0] / self.paper.width * columns - 0.5, 0, columns - 1.001)
        y = np.clip(points[:, 1] / self.paper.height * rows - 0.5, 0, rows - 1.001)
        left, top = x.astype(int), y.astype(int)
        right_share, low_share = x - left, y - top
        both = []
        for field in (self.across, self.down):
            upper = field[top, left] * (1 - right_share) + field[top, left + 1] * right_share
            row = top + 1
            lower = field[row, left] * (1 - right_share) + field[row, left + 1] * right_share
            both.append(upper * (1 - low_share) + lower * low_share)
        return np.stack(both, axis=1)

    def seen_at(self, printed: Points) -> Points:
        """Where on the flat paper points of the print are seen; mm."""
        seen = printed.copy()
        for _step in range(12):
            seen = printed - self.displacement(seen)
        return seen


@dataclass(frozen=True)
class Scan:
    """A picture of a sheet.

    Args:
        gray: The picture.
        matrix: 3×3: millimetres on the flat paper → pixels.
        bend: How the sheet is bent, if it is.
    """

    gray: Gray
    matrix: Matrix
    bend: Bend | None = None

    def at(self, points: object) -> Points:
        """The true pixels of points of the print, mm; shape (n, 2)."""
        array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        if self.bend is not None:
            array = self.bend.seen_at(array)
        return through(self.matrix, array)

    def with_gray(self, gray: NDArray[np.uint8]) -> Scan:
        """The same sheet with other pixels."""
        return replace(self, gray=gray)


def through(matrix: Matrix, points: Points) -> Points:
    """Points, shape (n, 2), through a homography."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


@cache
def blank_pdf(
    kind: SheetKind = SheetKind.PERSONAL, number: int = NUMBER, event: str = EVENT
) -> bytes:
    """The PDF of one sheet as the product prints it."""
    name = "" if kind is SheetKind.SPARE else "Ёлкина Маруся"
    sheet = SheetToPrint(kind, number, name, "5–6 классы", "школа № 3")
    about = BlankEvent(event, "Кубок первого снега", "Дом учёных", "отбор")
    return blanks_pdf(default(), about, [sheet])


@cache
def printed(
    kind: SheetKind = SheetKind.PERSONAL,
    dpi: float = 300,
    number: int = NUMBER,
    event: str = EVENT,
) -> Scan:
    """A sheet drawn at a resolution; read-only, since it is shared."""
    document = pdfium.PdfDocument(blank_pdf(kind, number, event))
    pixels = document[0].render(scale=dpi / 72, grayscale=True).to_numpy()
    gray = np.ascontiguousarray(pixels.reshape(pixels.shape[:2]))
    document.close()
    gray.setflags(write=False)
    return Scan(gray, drawn_matrix(gray, paper_of(kind)))


def drawn_matrix(gray: Gray, paper: Rect) -> Matrix:
    """Millimetres → pixels of a drawn page: pdfium stretches a page to whole pixels."""
    across, down = gray.shape[1] / paper.width, gray.shape[0] / paper.height
    return np.array([[across, 0, -0.5], [0, down, -0.5], [0, 0, 1]])


def blank_of(kind: SheetKind, geometry: Geometry | None = None) -> Blank:
    """The blank on which a kind of sheet is printed."""
    return (geometry or default()).blank_of(kind)


def paper_of(kind: SheetKind) -> Rect:
    """The paper of a kind of sheet."""
    return blank_of(kind).paper


def crumpled(amplitude: float, seed: int, paper: Rect | None = None) -> Bend:
    """A smooth bend with hills about 5 cm across; no point moves by more than `amplitude` mm."""
    rng = np.random.default_rng([17, seed])
    sheet = paper or default().blanks["personal"].paper
    fields = []
    for _axis in range(2):
        coarse = rng.normal(size=(6, 4)).astype(np.float32)
        fields.append(cv2.resize(coarse, (105, 148), interpolation=cv2.INTER_CUBIC))
    length = np.hypot(*fields).max()
    across, down = (np.asarray(part * amplitude / length, np.float32) for part in fields)
    return Bend(across, down, sheet)


def scanned(
    page: Scan,
    *,
    paper: Rect | None = None,
    dpi: float | None = None,
    glass: tuple[float, float] | None = None,
    skew: float = 0.0,
    scale: float | tuple[float, float] = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
    turn: int = 0,
    noise: float = 0.0,
    blur: float = 0.0,
    white: float = 1.0,
    light: Field | None = None,
    lid: int = 255,
    one_bit: bool = False,
    threshold: int = 128,
    jpeg: int | None = None,
    bend: Bend | None = None,
    seed: int = 0,
) -> Scan:
    """Lay a sheet on the glass.

    Args:
        page: The sheet as printed and filled in; best drawn at the scan's own resolution.
        paper: Its size, mm; A4 by default.
        dpi: Of the scan; that of the page by default.
        glass: Size of the scan, mm; that of the paper by default.
        skew: Degrees, clockwise.
        scale: Of the print, about the middle of the paper; one for both axes or one each.
        shift: mm to the right and down.
        turn: 0, 90, 180 or 270 degrees clockwise, of the whole scan.
        noise: Standard deviation, grey levels.
        blur: Standard deviation of the optics, pixels.
        white: Brightness of the paper, 0 to 1.
        light: A factor over the scan, any shape; stretched to the scan.
        lid: Grey of what is beside the paper.
        one_bit: Black and white only, cut at `threshold`.
        threshold: Grey level.
        jpeg: Quality of compression in between, if any.
        bend: How the sheet is bent.
        seed: Of the noise.
    """
    sheet = paper or default().blanks["personal"].paper
    per_mm = (dpi / MM_PER_INCH) if dpi else float(page.matrix[0, 0])
    width, height = glass or (sheet.width, sheet.height)
    size = (round(width * per_mm), round(height * per_mm))
    factors = scale if isinstance(scale, tuple) else (scale, scale)
    laid = _laid(sheet, factors, skew, shift, (width, height))
    matrix = np.array([[per_mm, 0, -0.5], [0, per_mm, -0.5], [0, 0, 1]]) @ laid
    gray = np.full(size[::-1], lid, np.uint8)
    if bend is None:
        to_scan = matrix @ np.linalg.inv(page.matrix)
        cv2.warpAffine(
            page.gray,
            to_scan[:2],
            size,
            dst=gray,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
    else:
        gray = bent(page, matrix, bend, size, gray)
    gray = lit(gray, white, light)
    gray = digitized(gray, noise, blur, one_bit, threshold, jpeg, seed)
    return turned(Scan(gray, matrix, bend), turn)


def bent(
    page: Scan, matrix: Matrix, bend: Bend, size: tuple[int, int], background: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """A bent sheet seen through a homography, over a background; `size` is width, height."""
    # The bend is smooth: every eighth pixel is enough, the rest lies between.
    step = 8
    columns = np.arange(0, size[0] + step, step, dtype=np.float64)
    rows = np.arange(0, size[1] + step, step, dtype=np.float64)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    flat = through(np.linalg.inv(matrix), grid)
    source = through(page.matrix, flat + bend.displacement(flat))
    maps = []
    for axis in (0, 1):
        coarse = source[:, axis].reshape(len(rows), len(columns)).astype(np.float32)
        x = (np.arange(size[0], dtype=np.float32) / step)[None].repeat(size[1], axis=0)
        y = (np.arange(size[1], dtype=np.float32) / step)[:, None].repeat(size[0], axis=1)
        maps.append(cv2.remap(coarse, x, y, cv2.INTER_LINEAR))
    out = background.copy()
    cv2.remap(
        page.gray, maps[0], maps[1], cv2.INTER_LINEAR, dst=out, borderMode=cv2.BORDER_TRANSPARENT
    )
    return out


def photographed(
    page: Scan,
    *,
    paper: Rect | None = None,
    dpi: float = 200,
    lean: float = 0.05,
    table: int = 70,
    skew: float = 0.0,
    light: Field | None = None,
    noise: float = 3.0,
    blur: float = 0.8,
    jpeg: int | None = 85,
    bend: Bend | None = None,
    turn: int = 0,
    seed: int = 0,
) -> Scan:
    """Photograph a sheet with a phone: perspective, a table behind.

    Args:
        page: The sheet.
        paper: Its size, mm; A4 by default.
        dpi: About how many pixels an inch of paper gets.
        lean: How far the corners leave a rectangle, share of the width.
        table: Grey of the table.
        skew: Degrees, clockwise.
        light: A factor over the picture, any shape.
        noise: Standard deviation, grey levels.
        blur: Of the lens, pixels.
        jpeg: Quality.
        bend: How the sheet is bent.
        turn: Of the whole picture, degrees clockwise.
        seed: Of perspective and noise.
    """
    sheet = paper or default().blanks["personal"].paper
    rng = np.random.default_rng([5, seed])
    per_mm = dpi / MM_PER_INCH
    wide, high = sheet.width * per_mm, sheet.height * per_mm
    size = (round(wide * 1.25), round(high * 1.25))
    angle = np.radians(skew)
    turning = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = (np.array(sheet.corners()) - [sheet.width / 2, sheet.height / 2]) * per_mm
    corners = corners @ turning.T + np.array(size) / 2
    corners += rng.uniform(-lean, lean, (4, 2)) * wide
    matrix = cv2.getPerspectiveTransform(
        np.array(sheet.corners(), np.float32), corners.astype(np.float32)
    ).astype(np.float64)
    gray = np.full(size[::-1], table, np.uint8)
    if bend is None:
        cv2.warpPerspective(
            page.gray,
            matrix @ np.linalg.inv(page.matrix),
            size,
            dst=gray,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
    else:
        gray = bent(page, matrix, bend, size, gray)
    gray = lit(gray, 0.92, light)
    gray = digitized(gray, noise, blur, False, 128, jpeg, seed)
    return turned(Scan(gray, matrix, bend), turn)


def lit(gray: NDArray[np.uint8], white: float, light: Field | None) -> NDArray[np.uint8]:
    """The picture under a light."""
    if light is None and white == 1.0:
        return gray
    factor = np.float32(white)
    if light is not None:
        stretched = cv2.resize(light, gray.shape[::-1], interpolation=cv2.INTER_LINEAR)
        return np.clip(gray * (stretched * factor), 0, 255).astype(np.uint8)
    return cv2.convertScaleAbs(gray, alpha=white)


def digitized(
    gray: NDArray[np.uint8],
    noise: float,
    blur: float,
    one_bit: bool,
    threshold: int,
    jpeg: int | None,
    seed: int,
) -> NDArray[np.uint8]:
    """What optics, sensor and compression do, in this order."""
    if blur > 0.2:
        gray = cv2.GaussianBlur(gray, (0, 0), blur)
    if noise > 0:
        gray = cv2.add(gray, _noise(gray.shape, noise, seed), dtype=cv2.CV_8U)
    if one_bit:
        return np.where(gray < threshold, np.uint8(0), np.uint8(255))
    if jpeg is not None:
        _, data = cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, jpeg])
        gray = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    return np.asarray(gray, dtype=np.uint8)


def turned(scan: Scan, turn: int) -> Scan:
    """The scan turned by 0, 90, 180 or 270 degrees clockwise."""
    height, width = scan.gray.shape
    turns = {
        90: (cv2.ROTATE_90_CLOCKWISE, [[0, -1, height - 1], [1, 0, 0], [0, 0, 1]]),
        180: (cv2.ROTATE_180, [[-1, 0, width - 1], [0, -1, height - 1], [0, 0, 1]]),
        270: (cv2.ROTATE_90_COUNTERCLOCKWISE, [[0, 1, 0], [-1, 0, width - 1], [0, 0, 1]]),
    }
    if turn == 0:
        return scan
    code, rows = turns[turn]
    matrix = np.array(rows, dtype=np.float64) @ scan.matrix
    return Scan(np.asarray(cv2.rotate(scan.gray, code), np.uint8), matrix, scan.bend)


def covered(scan: Scan, rect: Rect, grey: int = 255) -> Scan:
    """The scan with a rectangle of the paper painted over: a fiducial or code destroyed."""
    gray = scan.gray.copy()
    corners = np.round(scan.at(rect.corners()) * 8).astype(np.int32)
    cv2.fillConvexPoly(gray, corners, (grey,), shift=3)
    return scan.with_gray(gray)


def half_shadow(depth: float, angle: float = 35.0, softness: float = 0.03) -> Field:
    """The shadow of a hand over half the picture, as a factor; angle in degrees."""
    y, x = np.mgrid[0:200, 0:140].astype(np.float32)
    radians = np.radians(angle)
    along = (x / 140 - 0.5) * np.cos(radians) + (y / 200 - 0.5) * np.sin(radians)
    return np.asarray(1 - depth / (1 + np.exp(-along / softness)), dtype=np.float32)


def _laid(
    paper: Rect,
    scale: tuple[float, float],
    skew: float,
    shift: tuple[float, float],
    glass: tuple[float, float],
) -> Matrix:
    angle = np.radians(skew)
    cos, sin = np.cos(angle), np.sin(angle)
    to_middle = np.array([[1, 0, -paper.width / 2], [0, 1, -paper.height / 2], [0, 0, 1]])
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    back = np.array([[1, 0, glass[0] / 2 + shift[0]], [0, 1, glass[1] / 2 + shift[1]], [0, 0, 1]])
    return np.asarray(back @ turn @ np.diag([*scale, 1.0]) @ to_middle)


def _noise(shape: tuple[int, ...], sigma: float, seed: int) -> NDArray[np.int16]:
    """Noise of single pixels; a tile of it repeated, since the scanner looks at no two tiles at once."""
    start = np.random.default_rng([3, seed]).integers(0, _TILE, 2)
    rows = (np.arange(shape[0]) + start[0]) % _TILE
    columns = (np.arange(shape[1]) + start[1]) % _TILE
    tile = np.round(_noise_tile() * sigma).astype(np.int16)
    return np.ascontiguousarray(tile[rows][:, columns])


_TILE = 1021


@cache
def _noise_tile() -> NDArray[np.float32]:
    return np.random.default_rng(29).standard_normal((_TILE, _TILE), dtype=np.float32)
