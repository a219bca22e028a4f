"""The network: convolutions over the line, one recurrent layer, a class for every four pixels of width.

1.1 million weights. The convolutions do nearly all the work, so that a CPU core reads some hundred
crops a second; the recurrent layer carries context between neighbouring letters.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from scanner.readers.alphabet import CLASSES

WIDTH = 224
RECURRENT = 160


class Reader(nn.Module):
    """Lines (N, 1, 40, W) to log-probabilities (N, W / 4, CLASSES)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 32, 5, stride=2, padding=2, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
            *_conv(32, 48),
            nn.MaxPool2d(2),
            *_conv(48, 80),
            nn.MaxPool2d((2, 1)),
            *_conv(80, 144),
            nn.Conv2d(144, WIDTH, (5, 1), bias=False),
            nn.BatchNorm2d(WIDTH),
            nn.ReLU(inplace=True),
        )
        self.along = nn.Sequential(*(_Along(WIDTH, kernel) for kernel in (5, 7, 9, 9)))
        self.dropout = nn.Dropout(0.1)
        self.recurrent = nn.LSTM(WIDTH, RECURRENT, bidirectional=True, batch_first=True)
        self.classes = nn.Linear(2 * RECURRENT + WIDTH, CLASSES)

    def forward(self, lines: Tensor) -> Tensor:
        """Log-probabilities of the classes at every step."""
        features = self.stem(lines).squeeze(2)
        features = self.along(features).transpose(1, 2)
        features = self.dropout(features)
        context, _ = self.recurrent(features.float())
        scores = self.classes(torch.cat([context, features.float()], dim=2))
        return torch.log_softmax(scores, dim=2)


class _Along(nn.Module):
    """A depthwise convolution along the line and a mix of the channels."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(channels, channels, kernel, padding=kernel // 2, groups=channels, bias=False),
            nn.BatchNorm1d(channels),
            nn.Conv1d(channels, channels, 1, bias=False),
            nn.BatchNorm1d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


def _conv(before: int, after: int) -> list[nn.Module]:
    return [
        nn.Conv2d(before, after, 3, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    ]
