"""A tie across the line that is open: who is tied, what may be chosen, and what each choice does."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scoring.cells import cells_of
from scoring.folding import fold as fold_name
from scoring.grouping import choice_of
from scoring.model import CategoryStandings, StandingRow, Status
from scoring.rules import CountBack, TiePolicy, TieRule
from scoring.ties import Groups, across, best_first, open_steps
from service.decision_effect import Now
from service.decision_log import Decision, Entry, fold


@dataclass(frozen=True, slots=True)
class CountedBack:
    """What one key of a count-back makes of the tied.

    `order` are their numbers, best first, equal ones together; `values` what is compared; `decides` is True
    if the line is clear then.
    """

    key: CountBack
    order: Groups
    values: dict[int, tuple[int, ...]]
    decides: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What letting all in, or none, comes to: the category as it would be."""

    policy: TiePolicy
    part: CategoryStandings


@dataclass(frozen=True, slots=True)
class OpenTie:
    """One tie that is open.

    `waiting` is the step that comes next: `undecided` if one of `steps` has to be chosen, which go behind
    `chosen`, the steps that were chosen before. `entry` is the decision by which they were, None if none.
    """

    part: CategoryStandings
    rows: tuple[StandingRow, ...]
    waiting: TiePolicy
    steps: tuple[TiePolicy, ...]
    chosen: TieRule | None
    entry: Entry | None
    outcomes: tuple[Outcome, ...]
    counted: tuple[CountedBack, ...]


def open_parts(now: Now) -> list[CategoryStandings]:
    """The categories in which a tie across the line is open."""
    return [part for part in now.standings.categories if part.cut.undecided]


def open_tie(now: Now, group: str) -> OpenTie:
    """The tie of one category.

    Raises:
        NotFoundError: There is none.
    """
    part = next(
        (part for part in open_parts(now) if fold_name(part.category) == fold_name(group)), None
    )
    if part is None:
        raise NotFoundError(
            _("No tie across the line is open in “{group}”.").format(group=group),
            _("See the decisions: it may have been decided already."),
        )
    rule = now.given.regulation.tie_rule
    chosen = choice_of(fold(now.standing), part.category)
    waiting = part.cut.waiting or TiePolicy.UNDECIDED
    # What is waited for comes first; only then is there anything to choose.
    steps = open_steps(rule, chosen) if waiting is TiePolicy.UNDECIDED else ()
    tied = set(part.cut.tied)
    return OpenTie(
        part=part,
        rows=tuple(row for row in part.rows if row.player.number in tied),
        waiting=waiting,
        steps=steps,
        chosen=chosen,
        entry=_entry(now, part.category),
        outcomes=tuple(
            _outcome(now, part, policy, chosen)
            for policy in (TiePolicy.ALL_IN, TiePolicy.NONE_IN)
            if policy in steps
        ),
        counted=_counted(now, part) if TiePolicy.COUNT_BACK in steps else (),
    )


def choice_data(policy: TiePolicy, group: str, chosen: TieRule | None) -> dict[str, object]:
    """The data of a decision that puts a step behind those that were chosen before."""
    return {
        "steps": [*(step.value for step in chosen.steps), policy.value]
        if chosen
        else [policy.value],
        "themes": chosen.themes if chosen else 0,
        "keys": [key.value for key in chosen.keys] if chosen else [],
        "group": group,
    }


def _entry(now: Now, group: str) -> Entry | None:
    """The newest choice for this very group, else for all."""
    for wanted in (fold_name(group), ""):
        for entry in reversed(now.standing):
            if entry.kind is Decision.TIE and fold_name(entry.data["group"]) == wanted:
                return entry
    return None


def _outcome(
    now: Now, part: CategoryStandings, policy: TiePolicy, chosen: TieRule | None
) -> Outcome:
    choice = Entry(0, 0.0, "", "", Decision.TIE, choice_data(policy, part.category, chosen))
    after = now.given.standings(fold([*now.standing, choice]))
    return Outcome(policy, next(new for new in after.categories if new.category == part.category))


def _counted(now: Now, part: CategoryStandings) -> tuple[CountedBack, ...]:
    tied = sorted(part.cut.tied)
    players = sorted(
        (row.player for row in part.rows if row.status is Status.TIED), key=lambda one: one.number
    )
    verdicts = now.given.verdicts
    cells = cells_of(
        players, verdicts[verdicts["player"].isin(tied)], now.given.regulation, fold(now.standing)
    )
    found = []
    for key in CountBack:
        values = {number: cells.measure(at, key) for at, number in enumerate(tied)}
        order = best_first(values)
        found.append(CountedBack(key, order, values, across(order, part.cut.left) is None))
    return tuple(found)
