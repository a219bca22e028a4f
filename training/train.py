"""Train the network on lines made on the fly.

    python -m training.train --data DIR --handwriting DIR --out DIR --minutes 45

The rate falls to nothing over the given minutes of processor time, so a paused run loses nothing. Every few
minutes a checkpoint with averaged weights goes to `OUT/network.pt`; `--start` goes on from one.
"""

from __future__ import annotations

import argparse
import copy
import math
import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from scanner.readers.alphabet import classes, folded, folded_classes, folding
from training.lines import Lines, Sample
from training.network import Reader

# Pixels of width in one batch: about 40 words.
BATCH_WIDTH = 6400
BUCKET = 64
CASED_SHARE = 0.3
RATE, LEAST_RATE, WARM_UP = 2.0e-3, 2e-5, 0.03
DECAY = 0.01
AVERAGE = 0.998


def batches(
    queue: multiprocessing.Queue,
    data: Path,
    handwriting: Path,
    crops: list[Path],
    seed: int,
    easy: int,
) -> None:
    """Fill a queue with batches: lines of like width together; the first `easy` lines are short."""
    os.nice(19)
    import cv2

    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    lines = Lines(data, handwriting, crops=crops)
    buckets: dict[int, list[Sample]] = {}
    made = 0
    while True:
        longest = 10 if made < easy else (45 if rng.random() < 0.5 else 18)
        sample = lines.sample(rng, longest)
        made += 1
        width = -(-sample.pixels.shape[1] // BUCKET) * BUCKET
        bucket = buckets.setdefault(width, [])
        bucket.append(sample)
        if len(bucket) * width >= BATCH_WIDTH:
            pixels = np.zeros((len(bucket), 1, bucket[0].pixels.shape[0], width), np.uint8)
            for row, item in enumerate(bucket):
                at = int(rng.integers(0, width - item.pixels.shape[1] + 1))
                pixels[row, 0, :, at : at + item.pixels.shape[1]] = item.pixels
            queue.put((pixels, [item.text for item in bucket], [item.cased for item in bucket]))
            buckets[width] = []


class Loss:
    """CTC over the folded classes for all lines, and over all classes where case was kept."""

    def __init__(self) -> None:
        self.folding = torch.from_numpy(folding())
        self.ctc = nn.CTCLoss(zero_infinity=True, reduction="none")

    def __call__(self, log_probs: Tensor, texts: list[str], cased: list[bool]) -> Tensor:
        """The mean loss a character."""
        steps = torch.full((len(texts),), log_probs.shape[1], dtype=torch.long)
        together = torch.log(log_probs.exp() @ self.folding + 1e-12)
        lengths = torch.tensor([len(text) for text in texts])
        spelling = torch.tensor([c for text in texts for c in folded_classes(folded(text))])
        loss = self.ctc(together.transpose(0, 1), spelling, steps, lengths) / lengths
        rows = [row for row, keeps in enumerate(cased) if keeps]
        total = loss.mean()
        if rows:
            spelling = torch.tensor([c for row in rows for c in classes(texts[row])])
            exact = self.ctc(log_probs[rows].transpose(0, 1), spelling, steps[rows], lengths[rows])
            total = total + CASED_SHARE * (exact / lengths[rows]).sum() / len(texts)
        return total


def train(arguments: argparse.Namespace) -> None:
    """Train until the minutes are over."""
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=24)
    maker = context.Process(
        target=batches,
        args=(
            queue,
            arguments.data,
            arguments.handwriting,
            arguments.crops,
            arguments.seed,
            arguments.easy,
        ),
        daemon=True,
    )
    maker.start()
    network = Reader()
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start))
    print(f"{sum(p.numel() for p in network.parameters()):,} weights", flush=True)
    network = network.to(memory_format=torch.channels_last)
    average = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    loss_of = Loss()
    clock = time.time if arguments.wall else time.process_time
    started, saved, step, lines, recent = clock(), time.time(), 0, 0, []
    while (spent := clock() - started) < 60 * arguments.minutes:
        share = spent / (60 * arguments.minutes)
        rate = arguments.rate * min(1.0, share / WARM_UP + 0.05)
        rate *= LEAST_RATE / RATE + (1 - LEAST_RATE / RATE) * 0.5 * (1 + math.cos(math.pi * share))
        for group in optimizer.param_groups:
            group["lr"] = rate
        pixels, texts, cased = queue.get()
        inputs = torch.from_numpy(pixels).float().div_(255).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bf16):
            log_probs = network(inputs)
        loss = loss_of(log_probs.float(), texts, cased)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimizer.step()
        step += 1
        lines += len(texts)
        recent.append(loss.item())
        keep = min(AVERAGE, step / (step + 10))
        with torch.no_grad():
            for ours, theirs in zip(
                average.state_dict().values(), network.state_dict().values(), strict=True
            ):
                if ours.dtype.is_floating_point:
                    ours.mul_(keep).add_(theirs, alpha=1 - keep)
                else:
                    ours.copy_(theirs)
        if step % 50 == 0:
            print(
                f"{spent / 60:5.1f} min  step {step}  lines {lines}  loss {np.mean(recent):.3f}"
                f"  queue {queue.qsize()}",
                flush=True,
            )
            recent = []
        if time.time() - saved > 60 * arguments.every:
            save(average, arguments.out)
            saved = time.time()
    save(average, arguments.out)
    maker.terminate()


def save(network: nn.Module, out: Path) -> None:
    """Write a checkpoint; a half-written one is never seen."""
    out.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), out / "network.tmp")
    (out / "network.tmp").replace(out / "network.pt")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument(
        "--crops", type=Path, nargs="*", action="extend", default=[], help="exported crops"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=45.0)
    parser.add_argument("--every", type=float, default=3.0, help="minutes between checkpoints")
    parser.add_argument("--start", type=Path, help="a checkpoint to go on from")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--easy", type=int, default=12_000, help="short lines at the start")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wall", action="store_true", help="minutes are wall time")
    parser.add_argument("--bf16", action="store_true")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
