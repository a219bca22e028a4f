"""Which decisions a regulation allows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.decisions import Decisions
from scoring.model import CategoryStandings, Regulation, Status
from scoring.rules import ReserveCall


def check_decisions(decisions: Decisions, regulation: Regulation, numbers: Collection[int]) -> None:
    """Refuse decisions that the regulation does not know or that contradict each other.

    Args:
        decisions: All decisions in force.
        regulation: The regulation.
        numbers: The numbers of the roster.

    Raises:
        ValueError: A player who is not on the roster, a penalty or nominal that is no such number.
        ConflictError: The regulation does not allow it.
    """
    _check_numbers(decisions, numbers)
    if decisions.removed and not regulation.removal:
        raise ConflictError(
            _("This regulation does not let a question be removed."),
            _("Return the question, or change “removal” in the regulation."),
        )
    if decisions.exempt and not regulation.exempt:
        raise ConflictError(
            _("This regulation exempts nobody from the written round."),
            _("Take the exemption back, or change “exempt” in the regulation."),
        )
    if decisions.called and regulation.reserve_call is ReserveCall.SCORE:
        raise ConflictError(
            _("In this regulation the reserve list says who gets a free place."),
            _("Take the call back: the next on the list moves up by itself."),
        )
    both = sorted(decisions.exempt & decisions.out_of_competition)
    if both:
        raise ConflictError(
            _("Exempt and out of competition at once: {numbers}.").format(
                numbers=", ".join(map(str, both))
            ),
            _("Take one of the two back."),
        )


def check_calls(decisions: Decisions, parts: Sequence[CategoryStandings]) -> None:
    """Refuse calls for which no place is free.

    The host may call a player of any group for one of any other, exempt players included.

    Args:
        decisions: All decisions in force.
        parts: The groups with all statuses.

    Raises:
        ConflictError: More are called than declined, or somebody who does not compete.
    """
    if not decisions.called:
        return
    rows = [row for part in parts for row in part.rows]
    free = sum(row.status is Status.DECLINED for row in rows)
    competing = {row.player.number for row in rows if row.places is not None}
    hint = _("Call as many as declined, from those who are below the line.")
    if not decisions.called <= competing:
        raise ConflictError(
            _("Players without a place cannot be called: {numbers}.").format(
                numbers=", ".join(map(str, sorted(decisions.called - competing)))
            ),
            hint,
        )
    if len(decisions.called) > free:
        raise ConflictError(
            _("{called} are called, but {free} places are free.").format(
                called=len(decisions.called), free=free
            ),
            hint,
        )


def _check_numbers(decisions: Decisions, numbers: Collection[int]) -> None:
    named = {
        *decisions.disqualified,
        *decisions.out_of_competition,
        *decisions.exempt,
        *decisions.declined,
        *decisions.called,
        *(number for number, _theme in decisions.missing),
        *(given.number for given in chain(decisions.brought, decisions.penalties)),
    }
    if not named <= set(numbers):
        raise ValueError(f"not on the roster: {sorted(named - set(numbers))}")
    if any(penalty.points < 0 for penalty in decisions.penalties):
        raise ValueError("a penalty takes points away")
    if any(change.worth < 1 for change in decisions.nominals):
        raise ValueError("a nominal is at least 1")
    boxes = [(change.theme, change.nominal) for change in decisions.nominals]
    if len(set(boxes)) != len(boxes):
        raise ValueError("two new nominals for one question")
    brought = [given.number for given in decisions.brought]
    if len(set(brought)) != len(brought):
        raise ValueError("two carried-over sums for one player")
