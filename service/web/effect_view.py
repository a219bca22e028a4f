"""What browsers are told of the effect: counts of every category, marks of every question; no names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jury.boxes import box_key
from jury.progress import QuestionProgress, first_by_effect
from otbor.i18n import gettext as _
from scoring.effect import GroupEffect, State
from scoring.reach import Fate
from service import effect
from service.effect import EventEffect
from service.event import Event

Place = tuple[int, int]

# How a state looks: the ring of `marks.html` with a tick, a question mark, in part, or dashed.
_RINGS = {State.DECIDED: "done", State.TIE: "disputed", State.OPEN: "part"}


def words() -> dict[str, str]:
    """Sentence by name, in the current language; `{}` are fields of a group."""
    return {
        "open": _("surely in: {in} · open: {open} · surely out: {out}."),
        "decided": _("Decided: {in} go on."),
        "decided_here": _("Decided by the sheets that are here: {in} go on."),
        "tie": _("Decided but for a tie: {in} go on, {tied} share the last places."),
        "tie_here": _(
            "Decided by the sheets that are here, but for a tie: {in} go on, {tied} share the last places."
        ),
        "room": _("Places: {quota}, sheets: {here}; so far everybody goes on."),
        "missing": _("No sheet yet: {missing}."),
        "unknown": _("The number of places has not been announced."),
        "empty": _("No sheets yet."),
        "everybody": _("All players"),
    }


def weights(event: Event, now: EventEffect | None = None) -> dict[Place, int]:
    """How much each question matters for who goes on, by theme and nominal; for the order of work.

    Args:
        event: Whose.
        now: By this effect; by that of this moment if None.
    """
    return _by_place(event, (now or effect.current(event)).weights())


def of_questions(event: Event, parts: Sequence[QuestionProgress]) -> dict[Place, dict[str, Any]]:
    """For each question how many open answers matter, and its mark.

    The mark is `first` for what is to be ruled on first, `idle` where nothing can change who goes on any
    more, whoever still brings a sheet, and empty elsewhere: also if it would be the same everywhere.
    """
    now = effect.current(event)
    by_weight = _by_place(event, now.weights())
    counts = _by_place(event, now.answers())
    left = [part for part in parts if part.unruled]
    first = {part.place for part in first_by_effect(left, by_weight) if by_weight.get(part.place)}
    if len(first) == len(left):
        first = set()
    stays = now.found is not None and all(
        group.final or group.state is State.OPEN for group in now.groups
    )
    marks: dict[Place, dict[str, Any]] = {}
    for part in parts:
        idle = stays and part.unruled and not by_weight.get(part.place)
        mark = "first" if part.place in first else "idle" if idle else ""
        # Answers on which two jurors differ are open too, but that is not for everybody to count.
        matters = min(counts.get(part.place, 0), part.unruled + part.disputed)
        marks[part.place] = {"effect": mark, "matters": matters}
    return marks


def _by_place(event: Event, by_box: Mapping[str, int]) -> dict[Place, int]:
    return {
        (question.theme, question.nominal): by_box[box]
        for question in event.key().questions()
        if (box := box_key(question.theme, question.row)) in by_box
    }


def as_json(event: Event) -> dict[str, Any]:
    """The categories, and how many pages could still change them."""
    now = effect.current(event)
    return {"groups": [_group(group) for group in now.groups], "unsettled": now.unsettled}


def group_rows(now: EventEffect) -> list[dict[str, Any]]:
    """The categories with what is said of each, ready to be shown."""
    sentences = words()
    rows = [_group(group) for group in now.groups]
    for row in rows:
        row["name"] = row["group"] or sentences["everybody"]
        row["sentence"] = " ".join(sentences[name].format(**row) for name in row["say"])
    return rows


def _group(group: GroupEffect) -> dict[str, Any]:
    """One category; `say` names the sentences that say how far it is."""
    certain = group.count(Fate.IN) + group.count(Fate.OUT)
    return {
        "group": group.group,
        "state": group.state.value,
        "say": _sentences(group),
        "ring": "none" if _room(group) else _RINGS.get(group.state, "none"),
        "share": round(100 * certain / group.here) if group.here else 0,
        "quota": group.quota or 0,
        "here": group.here,
        "missing": group.missing,
        "in": group.count(Fate.IN),
        "out": group.count(Fate.OUT),
        "tied": group.count(Fate.TIED),
        "open": group.here - certain,
    }


def _room(group: GroupEffect) -> bool:
    """There are more places than sheets: that everybody goes on is no news."""
    inside = group.count(Fate.IN)
    return (
        group.state is State.DECIDED
        and not group.final
        and inside == group.here
        and inside < (group.quota or 0)
    )


def _sentences(group: GroupEffect) -> list[str]:
    if group.state in (State.UNKNOWN, State.EMPTY):
        return [group.state.value]
    missing = ["missing"] if group.missing else []
    if group.state is State.OPEN:
        return ["open", *missing]
    if group.final:
        return [group.state.value]
    return ["room" if _room(group) else f"{group.state.value}_here", *missing]
