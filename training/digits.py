"""Train the network that reads one digit to a cell, and export it.

    python -m training.digits --data DIR --handwriting DIR --out digits.onnx --minutes 6

Digits come from the three hands that lines come from as well: real ones (all but the held-out tenth),
handwriting fonts, and strokes drawn for this purpose, which know the one with its flag and the crossed
seven. An eleventh class is whatever is no digit: letters that look like none, digits struck out, two digits
in one cell, scribbles.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import math
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scanner.readers.digits import NOTHING, SIDE, VERSION, cell_image
from training.cursive import CursiveHands
from training.distortion import by_hand, scanned, trimmed, with_pen
from training.export import write
from training.fonts import FOR_CALIBRATION, FOR_TRAINING
from training.letters import X_HEIGHT, Letters, Mask
from training.printed_hands import FontHands

# Letters that nobody takes for a digit.
LETTERS = "авежийклмнпрфхцшщыэюя"
SHARES = {"real": 0.40, "fonts": 0.24, "drawn": 0.24, "none": 0.12}
BATCH = 256
RATE = 3e-3
AVERAGE = 0.995


class DigitNetwork(nn.Module):
    """Cells (N, 1, SIDE, SIDE) to scores (N, 11): 58,000 weights."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_conv(1, 16),
            *_conv(16, 24),
            nn.MaxPool2d(2),
            *_conv(24, 32),
            *_conv(32, 48),
            nn.MaxPool2d(2),
            *_conv(48, 64),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 9, NOTHING + 1),
        )

    def forward(self, cells: Tensor) -> Tensor:
        """Scores of the classes."""
        return self.body(cells)


def _conv(before: int, after: int) -> list[nn.Module]:
    return [
        nn.Conv2d(before, after, 3, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    ]


class Cells:
    """Makes cells as the network sees them, never the same twice.

    Args:
        data: Folder with `fonts/`.
        handwriting: Folder with the real letters and digits.
        held_out: With the real ones and the fonts that training never sees.
    """

    def __init__(self, data: Path, handwriting: Path, held_out: bool = False) -> None:
        self.real = Letters(
            handwriting / "comnist_letters_64.npz", handwriting / "mnist_digits_28.npz", held_out
        )
        names = FOR_CALIBRATION if held_out else FOR_TRAINING
        self.fonts = FontHands(data / "fonts", list(names))
        self.drawn = CursiveHands()

    def cell(self, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """A cell and its class."""
        while True:
            kind = str(rng.choice(list(SHARES), p=list(SHARES.values())))
            mask, label = self._mask(kind, rng)
            mask = _turned(by_hand(trimmed(mask), rng, strength=float(rng.uniform(0.3, 1.1))), rng)
            if kind == "none" and rng.random() < 0.35:
                mask = _struck(mask, rng)
            image = cell_image(scanned(with_pen(mask, rng), rng))
            if not isinstance(image, int):
                return image, label

    def _mask(self, kind: str, rng: np.random.Generator) -> tuple[Mask, int]:
        digit = int(rng.integers(10))
        if kind == "none":
            return self._none(rng), NOTHING
        hand = {"real": self.real, "fonts": self.fonts, "drawn": self.drawn}[kind]
        mask = hand.line(str(digit), rng)
        # Half of all people here cross their sevens; these sources hardly do.
        return (_barred(mask, rng) if digit == 7 and rng.random() < 0.45 else mask), digit

    def _none(self, rng: np.random.Generator) -> Mask:
        """Something that is no digit, or a digit that is struck out afterwards."""
        hand = (self.real, self.fonts, self.drawn)[int(rng.integers(3))]
        way = rng.random()
        if way < 0.35:
            return hand.line(str(rng.choice(list(LETTERS))), rng)
        if way < 0.55:
            return hand.line(f"{int(rng.integers(2, 10))}{int(rng.integers(2, 10))}", rng)
        if way < 0.7:
            return _scribble(rng)
        return _struck(trimmed(hand.line(str(int(rng.integers(10))), rng)), rng)


def _barred(mask: Mask, rng: np.random.Generator) -> Mask:
    """A seven with a bar through its stem."""
    mask = trimmed(mask, margin=X_HEIGHT // 3)
    height, width = mask.shape
    row = height * rng.uniform(0.42, 0.62)
    stem = np.flatnonzero(mask[round(row)] > 60)
    middle = float(stem.mean()) if len(stem) else width / 2
    half = width * rng.uniform(0.18, 0.36)
    slope = rng.normal(-0.05, 0.12) * half
    start = (round(middle - half), round(row - slope))
    end = (round(middle + half), round(row + slope))
    cv2.line(mask, start, end, 255, int(rng.integers(2, 5)), cv2.LINE_AA)
    return mask


def _scribble(rng: np.random.Generator) -> Mask:
    points = np.cumsum(rng.normal(0.0, 12.0, (int(rng.integers(9, 26)), 2)), axis=0)
    points = points - points.min(axis=0) + 8
    canvas = np.zeros((int(points[:, 1].max()) + 9, int(points[:, 0].max()) + 9), np.uint8)
    pen = int(rng.integers(2, 5))
    cv2.polylines(canvas, [np.round(points).astype(np.int32)], False, 255, pen, cv2.LINE_AA)
    return canvas


def _struck(mask: Mask, rng: np.random.Generator) -> Mask:
    """Struck out by two or more lines: one line alone may be the bar of a seven."""
    mask = trimmed(mask, margin=X_HEIGHT // 4)
    height, width = mask.shape
    way = rng.random()
    pen = int(rng.integers(2, 5))
    if way < 0.4:
        cross = [((0, 0), (width, height)), ((width, 0), (0, height))]
    elif way < 0.7:
        rows = rng.uniform(0.25, 0.75, int(rng.integers(2, 5))) * height
        cross = [
            ((0, round(row)), (width, round(row + rng.normal(0, height * 0.15)))) for row in rows
        ]
    else:
        places = np.linspace(0.0, 1.0, int(rng.integers(6, 12)))
        points = [
            (round(place * width), round(height * (0.2 if index % 2 else 0.8)))
            for index, place in enumerate(places)
        ]
        cross = list(itertools.pairwise(points))
    for start, end in cross:
        shake = rng.normal(0.0, 2.0, 4).round().astype(int).tolist()
        cv2.line(
            mask,
            (start[0] + shake[0], start[1] + shake[1]),
            (end[0] + shake[2], end[1] + shake[3]),
            255,
            pen,
            cv2.LINE_AA,
        )
    return mask


def _turned(mask: Mask, rng: np.random.Generator) -> Mask:
    angle = float(np.clip(rng.normal(0.0, 6.0), -15.0, 15.0))
    padded = trimmed(mask, margin=max(mask.shape) // 4)
    height, width = padded.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    return cv2.warpAffine(padded, matrix, (width, height))  # type: ignore[return-value]


def train(cells: Cells, minutes: float, count: int, seed: int) -> DigitNetwork:
    """Train on `count` cells for some minutes of processor time; they are bent anew at each look."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    made = [cells.cell(rng) for _ in range(count)]
    images = torch.from_numpy(np.stack([image for image, _ in made]))[:, None]
    labels = torch.tensor([label for _, label in made])
    print(f"{count} cells after {time.process_time():.0f} s", flush=True)
    network = DigitNetwork()
    averaged = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.02)
    started, steps = time.process_time(), 0
    while (share := (time.process_time() - started) / (60 * minutes)) < 1:
        rate = RATE * min(1.0, share / 0.05) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-5
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = torch.from_numpy(rng.integers(0, count, BATCH))
        scores = network(_bent(images[chosen], rng))
        loss = functional.cross_entropy(scores, labels[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
        keep = min(AVERAGE, steps / (steps + 10))
        with torch.no_grad():
            for mine, theirs in zip(
                averaged.state_dict().values(), network.state_dict().values(), strict=True
            ):
                if mine.dtype.is_floating_point:
                    mine.mul_(keep).add_(theirs, alpha=1 - keep)
        if steps % 200 == 0:
            print(f"step {steps}, loss {loss.item():.3f}, {share:.0%}", flush=True)
    return averaged


def calibrate(network: DigitNetwork, cells: Cells, count: int = 4000, seed: int = 2) -> float:
    """Make the scores as sure as they are right: the last layer is divided by one number.

    Args:
        network: Changed in place.
        cells: Held out from training.
        count: How many of them.
        seed: Of the cells.

    Returns:
        The number (the temperature).
    """
    rng = np.random.default_rng(seed)
    made = [cells.cell(rng) for _ in range(count)]
    images = torch.from_numpy(np.stack([image for image, _ in made]))[:, None]
    labels = torch.tensor([label for _, label in made])
    with torch.no_grad():
        scores = network.eval()(images)
        losses = {
            heat: functional.cross_entropy(scores / heat, labels).item()
            for heat in np.geomspace(0.25, 4.0, 80).tolist()
        }
        best = min(losses, key=losses.__getitem__)
        last = network.body[-1]
        last.weight /= best
        last.bias /= best
    return best


def _bent(images: Tensor, rng: np.random.Generator) -> Tensor:
    """A little larger, smaller, slanted, moved, paler."""
    count = len(images)
    matrices = np.tile(np.eye(2, 3, dtype=np.float32), (count, 1, 1))
    matrices[:, :, :2] += rng.normal(0.0, 0.06, (count, 2, 2))
    matrices[:, :, 2] += rng.normal(0.0, 0.05, (count, 2))
    grid = functional.affine_grid(
        torch.from_numpy(matrices), [count, 1, SIDE, SIDE], align_corners=False
    )
    moved = functional.grid_sample(images, grid, align_corners=False)
    gain = torch.from_numpy(rng.uniform(0.75, 1.25, (count, 1, 1, 1)).astype(np.float32))
    return (moved * gain).clamp(0, 1)


def main() -> None:
    """Train and export."""
    parser = argparse.ArgumentParser(description="Train the digit network.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--cells", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    os.nice(15)
    cv2.setNumThreads(1)
    cells = Cells(arguments.data, arguments.handwriting)
    network = train(cells, arguments.minutes, arguments.cells, arguments.seed)
    held_out = Cells(arguments.data, arguments.handwriting, held_out=True)
    print(f"temperature {calibrate(network, held_out):.2f}", flush=True)
    write(
        network,
        arguments.out,
        example=torch.zeros(2, 1, SIDE, SIDE),
        names=("cells", "scores"),
        axes={"cells": {0: "count"}, "scores": {0: "count"}},
        metadata={"digits": VERSION},
    )


if __name__ == "__main__":
    main()
