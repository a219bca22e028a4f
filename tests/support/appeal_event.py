"""A published event with verdicts to appeal against, and a clock that stands still.

Younger ones, one place: player 2 and 3 share it with 10 points, player 1 has −10: right on 1–10, wrong on
1–20. Of the older ones player 4 has 40: wrong on 1–10, as player 2 with the same words, right on 2–50.
"""

from __future__ import annotations

from pathlib import Path

from web_event import WRITTEN, filled_event, read_as

from jury.boxes import BoxVerdict
from scoring.model import Verdict
from service import publications, rulings
from service.event import Event

REGULATION = """name = "проба"
cut = 1

[appeals]
minutes = 30
most = 2
"""
RIGHT = {(1, 1, 10), (2, 1, 20), (3, 1, 10), (4, 2, 50)}
"""(player, theme, nominal)"""
HANDED_IN = 1_777_000_000.0
"""The clock's moment when a test begins, UTC seconds."""


def ruled_event(folder: Path, regulation: str = REGULATION) -> Event:
    """Every answer is ruled on, nothing is published."""
    event = filled_event(folder)
    rule_on_all(event, folder, regulation)
    return event


def rule_on_all(event: Event, folder: Path, regulation: str = REGULATION) -> None:
    """Put the regulation in force and rule on every answer of the filled event."""
    rules = folder / "regulation.toml"
    rules.write_text(regulation, encoding="utf-8")
    event.update(regulation=rules)
    read_as(event, "4", "t1r1", "Мимо!")
    given = []
    for player in range(1, 6):
        for theme in range(1, 9):
            for nominal in (10, 20, 30, 40, 50):
                verdict = Verdict.BLANK
                if (theme, nominal) in WRITTEN[player]:
                    right = (player, theme, nominal) in RIGHT
                    verdict = Verdict.RIGHT if right else Verdict.WRONG
                given.append(BoxVerdict(str(player), f"t{theme}r{nominal // 10}", verdict))
    rulings.enter(event, given, "juror", origin="file")


def publish(event: Event) -> publications.Publication:
    """Publish what is ruled."""
    return publications.publish(event, who="organizer")[0]
