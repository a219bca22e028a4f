"""Train the network that tells which part of a line is crossed out.

    python -m training.struck --data DIR --handwriting DIR --out FILE.onnx --minutes 12

Lines are made on the fly: plain text, text crossed out as a whole, and both beside or above each other, by
the hands of `training.lines`. The network gives a probability for every four pixels of width.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from scanner.readers.alphabet import spelled
from scanner.readers.line_image import HEIGHT, MARGIN, line_image
from scanner.readers.struck import VERSION
from training import distortion
from training.export import write
from training.letters import X_HEIGHT, Mask
from training.lines import Lines

STEP = 4
BUCKET = 64
BATCH_WIDTH = 12800
# Of all lines: crossed out as a whole, in part; the rest is plain.
ALL_SHARE, PART_SHARE = 0.33, 0.24
# Near the end of a crossed-out part nobody can say to which side a column belongs.
UNCLEAR = 10
RATE = 3e-3
IGNORED = -1.0

Stroke = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """`pixels` (HEIGHT, width) uint8, 255 ink; `struck` for every STEP pixels 1, 0, or IGNORED."""

    pixels: NDArray[np.uint8]
    struck: NDArray[np.float32]


class StruckLines:
    """Draws samples.

    Args:
        lines: Hands and words.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    def sample(self, rng: np.random.Generator) -> Sample:
        """One line."""
        while True:
            made = self._sample(rng)
            if made is not None:
                return made

    def _sample(self, rng: np.random.Generator) -> Sample | None:
        draw = rng.random()
        longest = int(rng.choice([4, 12, 20, 30]))
        first = self._text(rng, longest)
        if first is None:
            return None
        spans: list[tuple[float, float]] = []
        if draw < ALL_SHARE:
            mask = strike(first, rng)
            spans = [(0.0, 1.0)]
        elif draw < ALL_SHARE + PART_SHARE:
            second = self._text(rng, longest)
            if second is None:
                return None
            mask, spans = _together(strike(first, rng), second, rng)
        else:
            mask = underlined(first, rng) if rng.random() < 0.25 else first
        mask = distortion.with_pen(distortion.by_hand(mask, rng, self.lines.strength), rng)
        line = line_image(distortion.scanned(mask, rng))
        if line is None or line.shape[1] < 24:
            return None
        return Sample((line * 255).astype(np.uint8), _columns(line.shape[1], spans))

    def _text(self, rng: np.random.Generator, longest: int) -> Mask | None:
        text = spelled(self.lines.vocabulary.text(rng, longest))
        if not text:
            return None
        try:
            mask, _cased = self.lines.by_some_hand(text, rng)
        except ValueError:
            return None
        mask = distortion.trimmed(mask, margin=X_HEIGHT)
        return mask if (mask > 60).any() else None


def _together(
    struck: Mask, plain: Mask, rng: np.random.Generator
) -> tuple[Mask, list[tuple[float, float]]]:
    """Crossed-out and plain text in one box; the spans of columns with nothing but crossed-out ink."""
    struck, plain = distortion.trimmed(struck, 2), distortion.trimmed(plain, 2)
    above = rng.random() < 0.2
    if above:
        scale = rng.uniform(0.5, 0.9)
        plain = cv2.resize(plain, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        start = int(rng.integers(0, max(1, struck.shape[1] // 2)))
        rows = struck.shape[0] + round(plain.shape[0] * rng.uniform(0.6, 1.0))
        canvas = np.zeros((rows, max(struck.shape[1], start + plain.shape[1])), np.uint8)
        under = canvas[rows - struck.shape[0] :, : struck.shape[1]]
        np.maximum(under, struck, out=under)
        over = canvas[: plain.shape[0], start : start + plain.shape[1]]
        np.maximum(over, plain, out=over)
        wide = canvas.shape[1]
        spans = [(0.0, start / wide), ((start + plain.shape[1]) / wide, struck.shape[1] / wide)]
        return canvas, [(a, b) for a, b in spans if b - a > 0.05]
    gap = round(rng.uniform(0.1, 1.6) * X_HEIGHT)
    pair = (struck, plain) if rng.random() < 0.8 else (plain, struck)
    rows = max(part.shape[0] for part in pair)
    canvas = np.zeros((rows, pair[0].shape[1] + gap + pair[1].shape[1]), np.uint8)
    at = 0
    for part in pair:
        top = int(rng.integers(0, rows - part.shape[0] + 1)) if rng.random() < 0.3 else 0
        top = top or (rows - part.shape[0]) // 2
        place = canvas[top : top + part.shape[0], at : at + part.shape[1]]
        np.maximum(place, part, out=place)
        at += part.shape[1] + gap
    wide = canvas.shape[1]
    if pair[0] is struck:
        return canvas, [(0.0, struck.shape[1] / wide)]
    return canvas, [((wide - struck.shape[1]) / wide, 1.0)]


def _columns(width: int, spans: list[tuple[float, float]]) -> NDArray[np.float32]:
    """The label of every step of a line image of this width."""
    centres = np.arange(width // STEP) * STEP + STEP / 2
    inside = width - 2 * MARGIN
    labels = np.zeros(len(centres), np.float32)
    for start, end in spans:
        left, right = MARGIN + start * inside, MARGIN + end * inside
        labels[(centres >= left) & (centres < right)] = 1.0
        for edge, outer in ((left, start <= 0.0), (right, end >= 1.0)):
            if not outer:
                labels[np.abs(centres - edge) < UNCLEAR] = IGNORED
    labels[(centres < MARGIN) | (centres > width - MARGIN)] = IGNORED
    return labels


def strike(mask: Mask, rng: np.random.Generator) -> Mask:
    """Cross a text out, in one of many ways."""
    left, right, middle, high = _extent(mask)
    over = rng.uniform(-0.02, 0.12) * (right - left) + rng.uniform(0.0, 0.5) * X_HEIGHT
    left, right = left - over * rng.uniform(0.2, 1.0), right + over * rng.uniform(0.2, 1.0)
    style = STYLES[int(rng.choice(len(STYLES), p=SHARES))]
    strokes = style(left, right, middle + rng.normal(0.0, 0.08) * high, high, rng)
    pen = max(1, round(_pen(mask) * rng.uniform(0.7, 1.3)))
    pad = X_HEIGHT
    out = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0,))
    for stroke in strokes:
        points = np.round((stroke + pad) * 8).astype(np.int32)
        cv2.polylines(out, [points], False, 255, pen, cv2.LINE_AA, 3)
    return out  # type: ignore[return-value]


def underlined(mask: Mask, rng: np.random.Generator) -> Mask:
    """Lines that cross nothing out: under the text, above it, or a tail that touches it."""
    left, right, middle, high = _extent(mask)
    pad = X_HEIGHT
    out = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(0,))
    lines = 1 if rng.random() < 0.8 else 2
    below = rng.random() < 0.85
    for number in range(lines):
        row = middle + (1 if below else -1) * high * (rng.uniform(0.62, 0.95) + 0.2 * number)
        for stroke in _lines(left, right, row, 0.2 * high, rng, count=1):
            points = np.round((stroke + pad) * 8).astype(np.int32)
            cv2.polylines(out, [points], False, 255, max(1, round(_pen(mask))), cv2.LINE_AA, 3)
    return out  # type: ignore[return-value]


def _extent(mask: Mask) -> tuple[float, float, float, float]:
    """First and last column, the middle row of the small letters, and the height of the writing."""
    ink = mask > 60
    columns = np.flatnonzero(ink.any(axis=0))
    share = ink.sum(axis=1).astype(np.float64)
    rows = np.arange(len(share))
    middle = float((share * rows).sum() / share.sum())
    spread = float(np.sqrt((share * (rows - middle) ** 2).sum() / share.sum()))
    return float(columns[0]), float(columns[-1]), middle, max(2.8 * spread, 8.0)


def _pen(mask: Mask) -> float:
    ink = (mask > 100).astype(np.uint8)
    inner = cv2.erode(ink, np.ones((3, 3), np.uint8), borderValue=0)
    edge = int(ink.sum()) - int(inner.sum())
    return float(np.clip(2.0 * float(ink.sum()) / max(edge, 1), 1.5, 7.0))


def _curve(x: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator) -> Stroke:
    wander = rng.normal(0.0, 0.5, len(x)).cumsum()
    return np.stack([x, y + wander - wander.mean()], axis=1)


def _lines(
    left: float,
    right: float,
    middle: float,
    high: float,
    rng: np.random.Generator,
    count: int | None = None,
) -> list[Stroke]:
    """One to four strokes along the text."""
    number = count or int(rng.choice([1, 1, 1, 2, 2, 3, 4]))
    strokes = []
    for at in np.linspace(-0.3, 0.3, number) if number > 1 else [rng.uniform(-0.22, 0.22)]:
        x = np.linspace(left, right, 14)
        slope = rng.normal(0.0, 0.025)
        wave = rng.uniform(0.0, 0.12) * high * np.sin(x / rng.uniform(12, 60) + rng.uniform(0, 6))
        y = middle + at * high + slope * (x - x.mean()) + wave
        if rng.random() < 0.3:
            x, y = x[::-1], y[::-1]
        strokes.append(_curve(x, y, rng))
    if number > 1 and rng.random() < 0.3:
        # Without lifting the pen.
        turned = [s if i % 2 == 0 else s[::-1] for i, s in enumerate(strokes)]
        strokes = [np.concatenate(turned)]
    return strokes


def _zigzag(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    pitch = rng.uniform(0.2, 1.1) * X_HEIGHT
    teeth = max(4, round((right - left) / pitch))
    x = np.linspace(left, right, teeth) + rng.normal(0.0, 0.2 * pitch, teeth)
    reach = rng.uniform(0.25, 0.6) * high
    y = middle + np.where(np.arange(teeth) % 2, reach, -reach) * rng.uniform(0.6, 1.2, teeth)
    return [_curve(x, y, rng)]


def _coil(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    turns = max(2.0, (right - left) / (rng.uniform(0.25, 0.9) * X_HEIGHT))
    t = np.linspace(0.0, 1.0, int(12 * turns) + 2)
    angle = 2 * np.pi * turns * t
    across = rng.uniform(0.3, 0.8) * X_HEIGHT
    x = left + (right - left) * t + across * np.cos(angle)
    y = middle + rng.uniform(0.25, 0.55) * high * np.sin(angle)
    return [_curve(x, y, rng)]


def _crosses(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    one = rng.random() < 0.3
    step = (right - left) if one else rng.uniform(0.8, 2.2) * X_HEIGHT
    strokes = []
    for start in np.arange(left, max(right - 0.4 * step, left + 1), step):
        for sign in (1, -1):
            x = np.linspace(start, start + step, 4) + rng.normal(0.0, 1.0, 4)
            y = middle + sign * np.linspace(-0.5, 0.5, 4) * high * rng.uniform(0.7, 1.2)
            strokes.append(_curve(x, y, rng))
    return strokes


def _hatch(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    pitch = rng.uniform(0.2, 0.8) * X_HEIGHT
    lean = rng.choice([-1.0, 1.0]) * rng.uniform(0.15, 0.9) * high
    reach = rng.uniform(0.4, 0.65) * high
    return [
        _curve(
            np.linspace(at - lean / 2, at + lean / 2, 4),
            middle + np.linspace(-reach, reach, 4) * rng.uniform(0.8, 1.1),
            rng,
        )
        for at in np.arange(left, right, pitch)
    ]


def _slash(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    sign = rng.choice([-1.0, 1.0])
    x = np.linspace(left, right, 10)
    y = middle + sign * np.linspace(-0.5, 0.5, 10) * high * rng.uniform(0.7, 1.3)
    return [_curve(x, y, rng)]


def _blackout(
    left: float, right: float, middle: float, high: float, rng: np.random.Generator
) -> list[Stroke]:
    count = max(12, round((right - left) / X_HEIGHT * rng.uniform(4, 12)))
    x = np.sort(rng.uniform(left, right, count)) + rng.normal(0.0, 0.8 * X_HEIGHT, count)
    y = middle + rng.uniform(-0.55, 0.55, count) * high
    return [_curve(np.clip(x, left, right), y, rng)]


STYLES: tuple[Callable[..., list[Stroke]], ...] = (
    _lines,
    _zigzag,
    _coil,
    _crosses,
    _hatch,
    _slash,
    _blackout,
)
SHARES = (0.36, 0.2, 0.12, 0.1, 0.08, 0.04, 0.1)


class Network(nn.Module):
    """Lines (N, 1, 40, W) to log-odds (N, W / 4) of being crossed out."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_conv(1, 12, 5, stride=2),
            *_conv(12, 24, 3, stride=2),
            *_conv(24, 32, 3, stride=(2, 1)),
            *_conv(32, 40, 3),
            nn.Conv2d(40, 48, (5, 1), bias=False),
            nn.BatchNorm2d(48),
            nn.ReLU(inplace=True),
        )
        self.along = nn.ModuleList(
            nn.Sequential(
                nn.Conv1d(48, 48, 9, padding=4 * d, dilation=d, groups=48, bias=False),
                nn.BatchNorm1d(48),
                nn.Conv1d(48, 48, 1, bias=False),
                nn.BatchNorm1d(48),
            )
            for d in (1, 2, 4)
        )
        self.out = nn.Conv1d(48, 1, 1)

    def forward(self, lines: Tensor) -> Tensor:
        """Log-odds at every step."""
        features = self.body(lines).squeeze(2)
        for part in self.along:
            features = torch.relu(features + part(features))
        return self.out(features).squeeze(1)


def _conv(before: int, after: int, side: int, stride: int | tuple[int, int] = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(before, after, side, stride=stride, padding=side // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    ]


def batches(queue: multiprocessing.Queue, data: Path, handwriting: Path, seed: int) -> None:
    """Fill a queue with batches of lines of like width."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    lines = StruckLines(Lines(data, handwriting))
    buckets: dict[int, list[Sample]] = {}
    while True:
        sample = lines.sample(rng)
        width = -(-sample.pixels.shape[1] // BUCKET) * BUCKET
        bucket = buckets.setdefault(width, [])
        bucket.append(sample)
        if len(bucket) * width >= BATCH_WIDTH:
            pixels = np.zeros((len(bucket), 1, HEIGHT, width), np.uint8)
            struck = np.full((len(bucket), width // STEP), IGNORED, np.float32)
            for row, item in enumerate(bucket):
                pixels[row, 0, :, : item.pixels.shape[1]] = item.pixels
                struck[row, : len(item.struck)] = item.struck
            queue.put((pixels, struck))
            buckets[width] = []


def train(arguments: argparse.Namespace) -> None:
    """Train until the minutes are over, then write the weights."""
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=24)
    maker = context.Process(
        target=batches,
        args=(queue, arguments.data, arguments.handwriting, arguments.seed),
        daemon=True,
    )
    maker.start()
    network = Network()
    print(f"{sum(p.numel() for p in network.parameters()):,} weights", flush=True)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    loss_of = nn.BCEWithLogitsLoss(reduction="none")
    started, step, lines, recent = time.monotonic(), 0, 0, []
    while (spent := time.monotonic() - started) < 60 * arguments.minutes:
        share = spent / (60 * arguments.minutes)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / 50 + 0.02) * (1 - 0.98 * share)
        pixels, struck = queue.get()
        labels = torch.from_numpy(struck)
        scores = network(torch.from_numpy(pixels).float().div_(255))
        known = labels >= 0
        loss = loss_of(scores, labels.clamp(min=0))[known].mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        step += 1
        lines += len(pixels)
        recent.append(loss.item())
        if step % 100 == 0:
            print(f"{spent / 60:5.1f} min  lines {lines}  loss {np.mean(recent):.4f}", flush=True)
            recent = []
    maker.terminate()
    write(
        network,
        arguments.out,
        example=torch.zeros(2, 1, HEIGHT, 128),
        names=("lines", "struck"),
        axes={"lines": {0: "count", 3: "width"}, "struck": {0: "count", 1: "steps"}},
        metadata={"version": VERSION},
        half=False,
    )


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=12.0)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
