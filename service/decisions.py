"""Deciding: removals, disqualifications, ties, each with its effect, and taking them back."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, ClassVar

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scoring.changes import StandingsChanges
from scoring.folding import fold as fold_name
from scoring.grouping import group_members
from scoring.lots import draw_order
from scoring.model import Standings
from scoring.rules import CountBack, TiePolicy
from scoring.ties import check_steps
from service import journal
from service.decision_effect import Effect, effect_of, moment
from service.decision_log import Decision, Entry, entries, entries_in, fold, in_force
from service.event import Event
from service.journal import Kind
from service.results import Inputs, inputs

__all__ = [
    "Decision",
    "Effect",
    "Entry",
    "StaleEffectError",
    "decide",
    "entries",
    "fold",
    "in_force",
    "lot_for",
    "preview",
    "preview_back",
    "take_back",
]


LARGEST = 1_000_000


class StaleEffectError(ConflictError):
    """The effect is no longer the one that was shown."""

    code: ClassVar[str] = "stale_effect"


def preview(event: Event, kind: Decision, data: dict[str, Any]) -> Effect:
    """What a decision would change, and nothing else.

    Raises:
        NotFoundError: It names a player or question that does not exist.
        ConflictError: The regulation does not allow it, or it holds already.
    """
    return _now(event, _making(kind, data))[0]


def preview_back(event: Event, entry_id: int) -> Effect:
    """What taking a decision back would change, and nothing else.

    Raises:
        NotFoundError: There is no such decision, or it has been taken back already.
    """
    return _now(event, _unmaking(entry_id))[0]


def decide(
    event: Event,
    kind: Decision,
    data: dict[str, Any],
    *,
    who: str,
    why: str = "",
    dry_run: bool = False,
    seen: str = "",
) -> StandingsChanges:
    """Make a decision; returns what it changes in the standings.

    Args:
        event: Where.
        kind: What about.
        data: Its fields, as `fold` reads them.
        who: Who decided.
        why: The reason.
        dry_run: Only say what would change.
        seen: The token of the effect that was shown; if it is another one by now, nothing is decided.

    Raises:
        NotFoundError: It names a player or question that does not exist.
        ConflictError: The regulation does not allow it, or it holds already.
        StaleEffectError: The effect is not the one that was shown.
    """
    if dry_run:
        return preview(event, kind, data).changes
    payload = {"decision": kind.value, "data": data}
    return _apply(event, _making(kind, data), Kind.DECISION, payload, who, why, seen).changes


def take_back(
    event: Event,
    entry_id: int,
    *,
    who: str,
    why: str = "",
    dry_run: bool = False,
    seen: str = "",
) -> StandingsChanges:
    """Take a decision back; the standings are those without it, byte for byte.

    Raises:
        NotFoundError: There is no such decision, or it has been taken back already.
        StaleEffectError: The effect is not the one that was shown (`seen`).
    """
    if dry_run:
        return preview_back(event, entry_id).changes
    payload = {"id": entry_id}
    return _apply(event, _unmaking(entry_id), Kind.DECISION_BACK, payload, who, why, seen).changes


_Change = Callable[[list[Entry], Inputs], list[Entry]]
"""Out of the decisions in force those that shall be; refuses by raising."""


def _making(kind: Decision, data: dict[str, Any]) -> _Change:
    def then(standing: list[Entry], inputs: Inputs) -> list[Entry]:
        if any(entry.kind is kind and entry.data == data for entry in standing) and kind not in (
            Decision.PENALTY,
            Decision.SHOOT_OUT,
        ):
            raise ConflictError(
                _("This has been decided already."),
                _("See the decisions: otbor decide list EVENT."),
            )
        _check(kind, data, inputs)
        return [*standing, Entry(0, 0.0, "", "", kind, data)]

    return then


def _unmaking(entry_id: int) -> _Change:
    def then(standing: list[Entry], _inputs: Inputs) -> list[Entry]:
        if all(entry.id != entry_id for entry in standing):
            raise NotFoundError(
                _("There is no decision {id} in force.").format(id=entry_id),
                _("See the decisions: otbor decide list EVENT."),
            )
        return [entry for entry in standing if entry.id != entry_id]

    return then


def _check(kind: Decision, data: dict[str, Any], inputs: Inputs) -> None:
    """Refuse what would be passed over in silence: a group that there is not, steps without a sense."""
    if kind is Decision.TIE:
        steps = tuple(TiePolicy(step) for step in data["steps"])
        check_steps(steps, data["themes"], tuple(CountBack(key) for key in data["keys"]))
        twice = set(steps) & set(inputs.regulation.tie_rule.steps)
        if twice:
            raise ConflictError(
                _("The regulation itself has this step: {steps}.").format(
                    steps=", ".join(sorted(twice))
                ),
                _("Choose only what comes after the regulation's own steps."),
            )
    if kind is Decision.LATE and data["themes"] > inputs.regulation.themes:
        raise NotFoundError(
            _("There are only {n} themes.").format(n=inputs.regulation.themes),
            _("Say how many themes were over when the player came."),
        )
    if max(abs(data.get(name, 0)) for name in ("worth", "points", "places")) > LARGEST:
        raise ConflictError(_("This number is too large."), _("Check how it is typed."))
    group = data.get("group", "")
    groups = [name for name, _players in group_members(inputs.players, inputs.regulation)]
    if group and fold_name(group) not in {fold_name(name) for name in groups}:
        raise NotFoundError(
            _("There is no category “{name}”.").format(name=group),
            _("Choose one of: {names}.").format(names=", ".join(groups)),
        )


def _now(event: Event, change: _Change) -> tuple[Effect, tuple[int, ...]]:
    """The effect as it is at this moment, and which moment that is."""
    with event.database.reading() as connection:
        at = moment(connection)
        standing = [entry for entry in entries_in(connection) if not entry.back]
        found = inputs(event)
        then = change(standing, found)
    effect = effect_of(found, standing, then)
    new = [entry for entry in then if entry.id == 0]
    if any(entry.kind is Decision.LOT for entry in new) and not effect.changes:
        raise ConflictError(
            _("A lot decides nothing here: ties are not decided by lot."),
            _("First choose it: otbor decide tie EVENT lot."),
        )
    return effect, at


def _apply(
    event: Event,
    change: _Change,
    kind: Kind,
    payload: dict[str, Any],
    who: str,
    why: str,
    seen: str,
) -> Effect:
    """Work the effect out, and enter the line if nothing has changed meanwhile.

    The work is done before the lock is taken: while thousands of players are ranked, jurors go on ruling.
    """
    effect, at = _now(event, change)
    with event.database.writing() as connection:
        if moment(connection) != at:
            effect, _at = _now(event, change)
        if seen and seen != effect.token:
            raise StaleEffectError(
                _("The effect is no longer the one that you were shown."),
                _("Look at it as it is now, and decide again."),
            )
        journal.append(connection, who, kind, payload, why)
    return effect


def lot_for(standings: Standings, group: str, seed: str = "") -> dict[str, Any]:
    """Draw lots among those who are tied across the line of a group.

    Args:
        standings: As they are now.
        group: The category (or site); may be empty if only one group is tied.
        seed: The recorded seed; drawn if empty.

    Raises:
        ConflictError: Nobody is tied there, or more than one group is and none is named.
    """
    tied = {part.category: part.cut.tied for part in standings.categories if part.cut.tied}
    if group:
        tied = {name: numbers for name, numbers in tied.items() if name == group}
    if len(tied) != 1:
        raise ConflictError(
            _("There is no tie across the line to draw lots for.")
            if not tied
            else _("More than one category has a tie across the line."),
            _("See “otbor standings”, and name the category with --category."),
        )
    [numbers] = tied.values()
    seed = seed or secrets.token_hex(8)
    return {"order": list(draw_order(numbers, seed)), "seed": seed}
