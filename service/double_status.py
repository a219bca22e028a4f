"""How far double reading is, for those who set it: counts alone, no verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jury.double import Scope, State
from otbor.i18n import gettext as _
from service import answers, double_readings, second_looks
from service.double_readings import setting
from service.event import Event


@dataclass(frozen=True, slots=True)
class Status:
    """Boxes that two people read, by how far they are; together they are `total`.

    `decided` are those on which the chief has ruled. `by_person` tells how many boxes each person has read.
    `only_votes` are the boxes with one vote and no ruling, `not_opened` those near the line that nobody has
    been asked to look at again.
    """

    scope: Scope
    total: int = 0
    none: int = 0
    one: int = 0
    agreed: int = 0
    differ: int = 0
    decided: int = 0
    only_votes: int = 0
    not_opened: int = 0
    by_person: Mapping[str, int] = field(default_factory=dict)

    @property
    def waiting(self) -> int:
        """Boxes that somebody still has to read."""
        return self.none + self.one + self.not_opened

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "scope": self.scope.value,
            "total": self.total,
            "none": self.none,
            "one": self.one,
            "agreed": self.agreed,
            "differ": self.differ,
            "decided": self.decided,
            "only_votes": self.only_votes,
            "not_opened": self.not_opened,
            "by_person": dict(self.by_person),
        }


def status(event: Event) -> Status:
    """How far it is now."""
    with event.database.reading():
        now = setting(event)
        if now.scope is Scope.NONE:
            return Status(Scope.NONE)
        known = double_readings.known(event, now=now)
        counts: Counter[State | str] = Counter()
        readers: Counter[str] = Counter()
        only_votes = 0
        for where, box in known.boxes.items():
            if not box.under or where[0] not in known.pages:
                continue
            counts["decided" if box.decided else box.state] += 1
            readers.update(list(box.readings))
            only_votes += box.state is State.ONE and box.ruling is None
        touched = sum(counts.values()) - counts[State.NONE]
        total = touched
        if now.scope is Scope.ALL:
            total = sum(part.total for part in answers.progress_of_all(event))
        closed = second_looks.not_opened(event, now) if now.scope is Scope.NEAR else ()
    return Status(
        scope=now.scope,
        total=total,
        none=total - touched,
        one=counts[State.ONE],
        agreed=counts[State.AGREED],
        differ=counts[State.DIFFER],
        decided=counts["decided"],
        only_votes=only_votes,
        not_opened=len(closed),
        by_person=dict(sorted(readers.items())),
    )


def scope_name(scope: Scope) -> str:
    """A scope as words."""
    return {
        Scope.NONE: _("nothing is read twice"),
        Scope.NEAR: _("answers near the line are read twice"),
        Scope.ALL: _("every answer is read twice"),
    }[scope]


def scope_about(scope: Scope) -> str:
    """What a scope means for the work."""
    return {
        Scope.NONE: _("One juror rules on an answer."),
        Scope.NEAR: _(
            "One juror rules on an answer. Once a category is all ruled on, the answers by which alone "
            "somebody would cross the line are opened again for another juror."
        ),
        Scope.ALL: _(
            "Two jurors rule on every answer; it counts when they agree. This is twice the work."
        ),
    }[scope]
