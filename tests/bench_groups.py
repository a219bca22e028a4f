"""How well answers that say the same are put together: part of `make bench-jury`'s figures for each hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from jury.normalise import fold
from scanner.contracts import Ink
from service import walls
from service.event import Event

Texts = dict[tuple[str, int, int], str]
"""What really stands in a box: (sheet, theme, nominal) → text."""


def group_figures(event: Event, texts: Texts) -> dict[str, Any]:
    """Pairs of answers to one question, by whether they say the same and whether they were put together.

    Only answers that no form of the key explains are grouped; the others are known by their form.
    """
    pairs: Counter[str] = Counter()
    by_reading: Counter[str] = Counter()
    for question in event.key().questions():
        paper = walls.paper_of(event, question)
        wall, found = paper.wall, paper.answers
        unexplained = [
            (fold(texts[entry.sheet, question.theme, question.nominal]), entry)
            for entry in wall.written
            if entry.ink is Ink.WRITTEN
            and not (found[entry.id].suggestion.form and entry.probability >= 0.8)
        ]
        for (text, entry), (other_text, other) in combinations(unexplained, 2):
            if not text or not other_text:
                continue
            same = text == other_text
            together = bool(entry.says) and entry.says == other.says
            alike = bool(fold(entry.text)) and fold(entry.text) == fold(other.text)
            for counter, joined in ((pairs, together), (by_reading, alike)):
                counter["same" if same else "different"] += 1
                counter["split"] += same and not joined
                counter["merged"] += joined and not same
    return {"pairs": dict(pairs), "by_equal_readings_alone": dict(by_reading)}
