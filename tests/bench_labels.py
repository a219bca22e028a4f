"""How often a text of `otbor crops export` is what was written: part of `make bench-jury`, for each hand."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from scanner.readers.alphabet import folded
from scoring.model import Verdict
from service import answers
from service.crop_labels import Won, labels
from service.event import Event
from tests.bench_groups import Texts


def label_figures(event: Event, texts: Texts) -> dict[str, Any]:
    """For each way a text is won: how many there are, and how many of them are wrong.

    Compared as training does: case does not count, ё is е, a Latin letter is its Cyrillic twin. `letters`
    counts those that are wrong in a letter or digit, not in a gap or a full stop alone.
    """
    ruled = [
        answer
        for answer in answers.all_answers(event)
        if answer.ruling not in (None, Verdict.DISPUTED)
    ]
    found: dict[str, Counter[str]] = {won.value: Counter() for won in (Won.READ, Won.FITS)}
    for answer, label in zip(ruled, labels(event, ruled), strict=True):
        if label.won is Won.NOT:
            continue
        written = folded(texts[answer.sheet, answer.theme, answer.nominal])
        counts = found[label.won.value]
        counts["texts"] += 1
        counts["wrong"] += folded(label.text) != written
        counts["letters"] += _signs(folded(label.text)) != _signs(written)
    return {"pictures": len(ruled), **{won: dict(counts) for won, counts in found.items()}}


def _signs(text: str) -> str:
    return re.sub(r"[\W_]", "", text)
