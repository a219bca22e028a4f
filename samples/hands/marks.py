"""What players draw rather than write: dashes and crossings-out, with the pen they write with."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from samples.hands.contracts import PX_PER_MM, Mask
from samples.hands.ink_strokes import Path, draw, resampled, smoothed


class Strike(StrEnum):
    """How something is crossed out."""

    LINE = "line"
    DOUBLE = "double"
    ZIGZAG = "zigzag"
    SCRIBBLE = "scribble"
    CROSSES = "crosses"


STRIKE_SHARES = {
    Strike.LINE: 0.3,
    Strike.DOUBLE: 0.2,
    Strike.ZIGZAG: 0.2,
    Strike.SCRIBBLE: 0.2,
    Strike.CROSSES: 0.1,
}

_AMPLE = 1.2  # mm around the strokes, for the pen's width and the tremble


def dash(width: float, rng: np.random.Generator) -> Mask:
    """A dash 4 to 22 mm long, trembling a little.

    Args:
        width: The pen's, mm.
        rng: Decides the rest.
    """
    length = float(rng.uniform(4.0, 22.0))
    slope = rng.normal(0.0, 0.025)
    x = np.linspace(0.0, length, 12)
    y = slope * x + np.cumsum(rng.normal(0.0, 0.05, x.size)) + 0.05 * np.sin(x)
    return _on_mask([_line(x, y)], length, 2.4, 1.2, width, rng)


def strike_out(
    size: tuple[float, float], width: float, rng: np.random.Generator, style: Strike | None = None
) -> Mask:
    """A crossing-out over written ink.

    Args:
        size: Width and height of the ink, mm.
        width: The pen's, mm.
        rng: Decides the style and the course.
        style: If one is wanted.

    Returns:
        A mask whose middle belongs on the middle of the ink.
    """
    if style is None:
        styles = list(STRIKE_SHARES)
        style = styles[int(rng.choice(len(styles), p=list(STRIKE_SHARES.values())))]
    across, high = size[0] + 2.0, max(size[1], 2.0)
    return _on_mask(_course(style, across, high, rng), across, high, high / 2, width, rng)


def _course(style: Strike, across: float, high: float, rng: np.random.Generator) -> list[Path]:
    """Strokes from x = 0, around y = 0, mm."""
    if style in (Strike.LINE, Strike.DOUBLE):
        offsets = (0.0,) if style is Strike.LINE else (-0.16 * high, 0.16 * high)
        return [_sweep(across, offset, rng) for offset in offsets]
    if style is Strike.CROSSES:
        step, paths = max(2.6, 0.8 * high), []
        for left in np.arange(0.2, max(0.3, across - 0.6 * step), step):
            jitter = rng.normal(0.0, 0.25, 8)
            for sign in (1, -1):
                x = np.array([left, left + step]) + jitter[:2]
                y = sign * np.array([-0.42, 0.42]) * high + jitter[2:4]
                paths.append(_line(x, y))
        return paths
    # Teeth of a zigzag every few mm; a scribble is a zigzag so dense that little shows through.
    pitch = rng.uniform(1.3, 2.2) if style is Strike.ZIGZAG else rng.uniform(0.55, 0.85)
    reach = 0.42 * high
    teeth = max(4, round(across / pitch))
    x = np.linspace(0.2, across - 0.2, teeth) + rng.normal(0.0, 0.2 * pitch, teeth)
    y = np.where(np.arange(teeth) % 2, reach, -reach) * rng.uniform(0.75, 1.1, teeth)
    paths = [_line(x, y)]
    if style is Strike.SCRIBBLE and rng.random() < 0.6:
        paths.append(_line(x[::-1] + rng.normal(0.0, 0.3, teeth), -0.9 * y))
    return paths


def _sweep(across: float, offset: float, rng: np.random.Generator) -> Path:
    x = np.linspace(0.0, across, 10)
    y = offset + rng.normal(0.0, 0.012) * (x - across / 2) + np.cumsum(rng.normal(0.0, 0.06, 10))
    return _line(x, y - (y.mean() - offset))


def _line(x: Path, y: Path) -> Path:
    return smoothed(resampled(np.column_stack([x, y]), 0.15), 2.0)


def _on_mask(
    paths: list[Path],
    across: float,
    high: float,
    middle: float,
    width: float,
    rng: np.random.Generator,
) -> Mask:
    shape = (
        round((high + 2 * _AMPLE) * PX_PER_MM),
        round((across + 2 * _AMPLE) * PX_PER_MM),
    )
    mask = np.zeros(shape, dtype=np.uint8)
    draw(mask, [path + np.array([_AMPLE, _AMPLE + middle]) for path in paths], width, rng)
    return mask
