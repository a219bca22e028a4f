"""Which boxes near the line are read a second time.

As soon as everything of a category is ruled on, its boxes near the line are opened. Which those are changes
with every ruling, so the journal keeps what was opened: what one person was asked to look at is not taken
from under their eyes, and a box once opened stays so until two have read it or the chief has decided it.
"""

from __future__ import annotations

from collections import defaultdict

from jury.boxes import BoxId
from jury.double import Scope
from scoring.grouping import group_members
from service import double_readings, effect, journal, rulings, sheets
from service.double_readings import Setting, setting
from service.event import Event
from service.journal import Kind


def open_new(event: Event, who: str) -> int:
    """Open what is near the line now in the categories that are all ruled on; returns how many boxes."""
    with event.database.reading():
        # Mostly there is nothing to open, and nobody has to wait until that is known.
        now = setting(event)
        if now.scope is not Scope.NEAR or not not_opened(event, now):
            return 0
    with event.database.writing() as connection:
        now = setting(event)
        fresh = not_opened(event, now) if now.scope is Scope.NEAR else set()
        if fresh:
            opened: defaultdict[str, list[str]] = defaultdict(list)
            for sheet, box in sorted(fresh):
                opened[sheet].append(box)
            payload = {"scope": now.scope.value, "opened": dict(opened)}
            journal.append(connection, who, Kind.DOUBLE_READING, payload)
    return len(fresh)


def not_opened(event: Event, now: Setting) -> set[BoxId]:
    """The boxes near the line that nobody has been asked to look at again."""
    ready = _ruled_sheets(event)
    if not ready:
        return set()
    near = effect.near_the_line(event)
    return {
        (sheet, box) for sheet, boxes in near.items() if sheet in ready for box in boxes
    } - now.opened


def waiting(event: Event) -> list[BoxId]:
    """The boxes that still wait for a second reading, in the order of the ledger's keys."""
    now = setting(event)
    if now.scope is Scope.NONE:
        return []
    known = double_readings.known(event, now=now)
    found = {
        where
        for where, box in known.boxes.items()
        if box.under and not box.settled and where[0] in known.pages
    }
    if now.scope is Scope.NEAR:
        found |= not_opened(event, now)
    return sorted(found)


def _ruled_sheets(event: Event) -> set[str]:
    """The sheets of the players in whose category every box is ruled on, disputed ones too."""
    ruled: defaultdict[str, int] = defaultdict(int)
    for sheet, _box in rulings.current(event):
        ruled[sheet] += 1
    regulation = event.regulation()
    boxes = regulation.themes * len(regulation.nominals)
    own = sheets.player_sheets(event)
    ready: set[str] = set()
    for _name, members in group_members(event.players(), regulation):
        group = {own[player.number] for player in members if player.number in own}
        if all(ruled[sheet] >= boxes for sheet in group):
            ready |= group
    return ready
