"""Who moves, ready to be shown: those who cross the line first, then the others in groups with counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from otbor.i18n import ngettext, pgettext
from reports.changes import question_sentences
from reports.wording import cut_caption, is_listed, places_text, points_text, status_text
from scoring.changes import Change, StandingsChanges
from scoring.model import StandingRow, Standings, Status
from service.web.changes import row_of, signed

FOLDED = 24
"""A group of more players is folded, unless they cross the line."""

NOWHERE = "—"


@dataclass(frozen=True, slots=True)
class Mover:
    """One player: every pair is what it was and what it will be; `gain` is «+20».

    `status` names the look of the badge, `words` are those of both statuses.
    """

    number: int
    name: str
    category: str
    place: tuple[str, str]
    score: tuple[str, str]
    gain: str
    status: tuple[str, str]
    words: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Group:
    """Movers of one kind; `kind` decides its sign, `folded` is True where they are many."""

    kind: str
    title: str
    movers: tuple[Mover, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class LineChange:
    """What the line of a category says before and after."""

    category: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that is different; `headlines` are the groups' counts in a few words."""

    sentences: tuple[str, ...]
    lines: tuple[LineChange, ...]
    groups: tuple[Group, ...]
    many_categories: bool

    @property
    def count(self) -> int:
        """How many players it is about."""
        return sum(len(group.movers) for group in self.groups)

    @property
    def crossing(self) -> int:
        """How many of them cross the line."""
        return sum(len(group.movers) for group in self.groups if group.kind in ("in", "out"))

    def __bool__(self) -> bool:
        return bool(self.sentences or self.lines or self.groups)


def shown(before: Standings, after: Standings, changes: StandingsChanges) -> Shown:
    """The differences of two standings in the current language.

    What nobody sees in standings (a verdict for another with the same points) is left out.
    """
    parts: dict[str, list[Change]] = {kind: [] for kind, _title in _titles()}
    for change in changes.players:
        kind = _kind(change)
        if kind:
            parts[kind].append(change)
    groups = []
    for kind, title in _titles():
        movers = tuple(_mover(change) for change in sorted(parts[kind], key=_order))
        if movers:
            folded = len(movers) > FOLDED and kind not in ("in", "out")
            groups.append(Group(kind, title(len(movers)).format(n=len(movers)), movers, folded))
    return Shown(
        sentences=tuple(question_sentences(changes)),
        lines=_lines(before, after),
        groups=tuple(groups),
        many_categories=max(len(before.categories), len(after.categories)) > 1,
    )


def _titles() -> list[tuple[str, Callable[[int], str]]]:
    """The kinds of movers in the order in which they are shown, each with its heading for a count."""
    return [
        ("in", lambda n: ngettext("{n} player goes on now", "{n} players go on now", n)),
        (
            "out",
            lambda n: ngettext("{n} player does not go on now", "{n} players do not go on now", n),
        ),
        (
            "status",
            lambda n: ngettext(
                "{n} player with another status", "{n} players with another status", n
            ),
        ),
        ("more", lambda n: ngettext("{n} player gains points", "{n} players gain points", n)),
        ("fewer", lambda n: ngettext("{n} player loses points", "{n} players lose points", n)),
        ("up", lambda n: ngettext("{n} player moves up", "{n} players move up", n)),
        ("down", lambda n: ngettext("{n} player moves down", "{n} players move down", n)),
    ]


def _kind(change: Change) -> str:
    """Which group a change belongs to; empty if nothing of it is shown."""
    old, new = change.before, change.after
    if change.crosses_in:
        return "in"
    if change.crosses_out:
        return "out"
    if (old.status if old else None) is not (new.status if new else None):
        return "status"
    if change.points:
        return "more" if change.points > 0 else "fewer"
    if not change.moved:
        return ""
    return "up" if _where(new) < _where(old) else "down"


def _where(row: StandingRow | None) -> tuple[int, int]:
    return row.places if row is not None and row.places is not None else (10**9, 10**9)


def _order(change: Change) -> tuple[str, tuple[int, int], int]:
    return (change.category or change.old_category, _where(change.after), change.number)


def _mover(change: Change) -> Mover:
    pair = (change.before, change.after)
    return Mover(
        number=change.number,
        name=row_of(change).player.name,
        category=change.category or change.old_category,
        place=_pair(pair, _place),
        score=_pair(pair, _score),
        gain=signed(change.points),
        status=_pair(pair, lambda row: row.status.value),
        words=_pair(pair, lambda row: short_status(row.status)),
    )


def _pair(
    rows: tuple[StandingRow | None, StandingRow | None], say: Callable[[StandingRow], str]
) -> tuple[str, str]:
    old, new = (say(row) if row is not None else NOWHERE for row in rows)
    return old, new


def _place(row: StandingRow) -> str:
    return (places_text(row.places) if is_listed(row) else "") or NOWHERE


def _score(row: StandingRow) -> str:
    return NOWHERE if row.status is Status.ABSENT else points_text(row.score)


def short_status(status: Status) -> str:
    """A status in a word or two."""
    return pgettext("status", "tie at the line") if status is Status.TIED else status_text(status)


def _lines(before: Standings, after: Standings) -> tuple[LineChange, ...]:
    old = {part.category: cut_caption(part) for part in before.categories}
    new = {part.category: cut_caption(part) for part in after.categories}
    return tuple(
        LineChange(name, old.get(name, NOWHERE), new.get(name, NOWHERE))
        for name in dict.fromkeys([*new, *old])
        if old.get(name) != new.get(name)
    )
