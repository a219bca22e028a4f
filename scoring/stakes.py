"""The final question for a stake, on paper: who plays, what a stake counts, who wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.model import TieStep, Verdict
from scoring.rules import (
    FinalStake,
    NoAnswer,
    NobodyPositive,
    Remedy,
    StakeFault,
    TiePolicy,
    TieRule,
)
from scoring.ties import Evidence, across, by_score, settle


@dataclass(frozen=True, slots=True)
class StakeSheet:
    """What one player handed in.

    `stakes` are the numbers in the digit boxes: one as a rule, none, or two where somebody wrote two.
    `unreadable`: something stands there that nobody can read. `verdict` is the jury's on the answer.
    `ruled` is the stake that the chief set, who then has the last word.
    """

    number: int
    stakes: tuple[int, ...] = ()
    unreadable: bool = False
    verdict: Verdict | None = None
    ruled: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedStake:
    """A stake as it counts: None while the chief has to decide, 0 if the player does not play."""

    stake: int | None
    fault: StakeFault | None = None


class Opening(StrEnum):
    """Whether the final is played, and why not."""

    PLAYED = "played"
    NOBODY_POSITIVE = "nobody_positive"
    SINGLE_POSITIVE = "single_positive"
    CLEAR_LEAD = "clear_lead"


@dataclass(frozen=True, slots=True)
class FinalRow:
    """One player of the final: sum before, stake as it counts, what it brought, sum after.

    `stake` is None while the chief has to decide it; `change` None while that or the verdict is open.
    """

    number: int
    before: int
    stake: int | None
    fault: StakeFault | None
    change: int | None
    after: int


@dataclass(frozen=True, slots=True)
class FinalResult:
    """How the final ended: rows best first, equal ones by number.

    `winner` is None while `chief` or `open_verdicts` is not empty, while a tie for the first place is
    `waiting` for its next step, or if the regulation knows no winner (`opening` says so). `groups` are
    the players best first, equal ones together, once nothing is open any more.
    """

    opening: Opening
    rows: tuple[FinalRow, ...]
    winner: int | None
    tied: tuple[int, ...] = ()
    waiting: TiePolicy | None = None
    steps: tuple[TieStep, ...] = ()
    chief: tuple[int, ...] = ()
    open_verdicts: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()

    def places(self) -> dict[int, tuple[int, int]]:
        """The place of every player, both ends of a shared one; empty while something is open."""
        found, first = {}, 1
        for group in self.groups:
            last = first + len(group) - 1
            found.update(dict.fromkeys(group, (first, last)))
            first = last + 1
        return found


def opening(sums: Mapping[int, int], rule: FinalStake) -> Opening:
    """Whether the final is played.

    Args:
        sums: By number, before the final.
        rule: The regulation's rule.
    """
    positive = sorted((points for points in sums.values() if points > 0), reverse=True)
    if not positive and not rule.everyone:
        return Opening.NOBODY_POSITIVE
    if len(positive) == 1 and rule.single_wins:
        return Opening.SINGLE_POSITIVE
    if rule.lead_factor and len(positive) > 1 and positive[0] > rule.lead_factor * positive[1]:
        return Opening.CLEAR_LEAD
    return Opening.PLAYED


def limits(points: int, rule: FinalStake) -> tuple[int, int] | None:
    """The least and the most that a player with this sum may stake; None if the player may not stake."""
    most = rule.most if rule.everyone else points
    if rule.most is not None and most is not None:
        most = min(most, rule.most)
    most = (most or 0) // rule.step * rule.step
    return (rule.least, most) if most >= rule.least else None


def check_stake(sheet: StakeSheet, points: int, rule: FinalStake) -> CheckedStake:
    """What a stake counts as, checked against the player's sum at that moment.

    Args:
        sheet: What was handed in, with the chief's word if there is one.
        points: The player's sum before the final.
        rule: The regulation's rule.

    Raises:
        ConflictError: The chief's own stake is none that the regulation allows.
    """
    allowed = limits(points, rule)
    if allowed is None:
        return CheckedStake(0)
    fault = _fault(sheet, allowed, rule)
    if sheet.ruled is not None:
        if _numbers_fault(sheet.ruled, allowed, rule) and sheet.ruled != 0:
            raise ConflictError(
                _(
                    "Player {number} cannot stake {stake}: from {least} to {most} are allowed."
                ).format(number=sheet.number, stake=sheet.ruled, least=allowed[0], most=allowed[1]),
                _("Set a stake within the limits, or 0 if the player does not play."),
            )
        return CheckedStake(sheet.ruled, fault)
    if fault is None:
        return CheckedStake(sheet.stakes[0])
    mending = rule.mending(fault)
    return CheckedStake(
        {
            Remedy.CHIEF: None,
            Remedy.COUNT: min(mending.stake, allowed[1]),
            Remedy.LEAST: allowed[0],
            Remedy.MOST: allowed[1],
            Remedy.NOT_PLAYING: 0,
        }[mending.remedy],
        fault,
    )


def _fault(sheet: StakeSheet, allowed: tuple[int, int], rule: FinalStake) -> StakeFault | None:
    if sheet.unreadable:
        return StakeFault.UNREADABLE
    if not sheet.stakes:
        return StakeFault.MISSING
    if len(set(sheet.stakes)) > 1:
        return StakeFault.DOUBLED
    return _numbers_fault(sheet.stakes[0], allowed, rule)


def _numbers_fault(stake: int, allowed: tuple[int, int], rule: FinalStake) -> StakeFault | None:
    if stake < allowed[0]:
        return StakeFault.TOO_LOW
    if stake > allowed[1]:
        return StakeFault.TOO_HIGH
    return StakeFault.OFF_STEP if stake % rule.step else None


def play_final(
    sums: Mapping[int, int],
    sheets: Sequence[StakeSheet],
    rule: FinalStake,
    ties: TieRule,
    evidence: Evidence,
) -> FinalResult:
    """The final with all stakes and verdicts.

    Players without a sheet count as having handed in nothing. The sums of those who may not stake stand.

    Args:
        sums: By number, before the final, of all who are in the round.
        sheets: What was handed in, in any order, one a player.
        rule: The regulation's rule.
        ties: How a tie for the first place is decided.
        evidence: Shoot-outs and lots; what is used is taken out of it.

    Raises:
        ValueError: Two sheets of one player, or a sheet of somebody who is not in the round.
        ConflictError: The chief set a stake that the regulation does not allow.
    """
    by_number = {sheet.number: sheet for sheet in sheets}
    if len(by_number) != len(sheets) or not by_number.keys() <= sums.keys():
        raise ValueError("two sheets of one player, or a sheet of somebody else")
    start = opening(sums, rule)
    if start is not Opening.PLAYED:
        rows = tuple(
            FinalRow(number, sums[number], 0, None, 0, sums[number]) for number in _order(sums)
        )
        if start is Opening.NOBODY_POSITIVE and rule.nobody_positive is NobodyPositive.NO_WINNER:
            places = by_score({row.number: row.after for row in rows})
            return FinalResult(start, rows, None, groups=tuple(places))
        return _with_winner(start, rows, ties, evidence)
    rows = tuple(
        _row(by_number.get(number, StakeSheet(number)), points, rule)
        for number, points in sums.items()
    )
    chief = {row.number for row in rows if row.stake is None}
    for row in rows:
        verdict = by_number.get(row.number, StakeSheet(row.number)).verdict
        unsaid = row.change is None and verdict in (Verdict.BLANK, Verdict.DISPUTED)
        if unsaid and row.stake is not None:
            chief.add(row.number)
    waiting = tuple(
        sorted(row.number for row in rows if row.change is None and row.number not in chief)
    )
    ordered = tuple(sorted(rows, key=lambda row: (-row.after, row.number)))
    if chief or waiting:
        return FinalResult(start, ordered, None, chief=tuple(sorted(chief)), open_verdicts=waiting)
    return _with_winner(start, ordered, ties, evidence)


def _order(sums: Mapping[int, int]) -> list[int]:
    return sorted(sums, key=lambda number: (-sums[number], number))


def _row(sheet: StakeSheet, points: int, rule: FinalStake) -> FinalRow:
    checked = check_stake(sheet, points, rule)
    change = _change(checked.stake, sheet.verdict, rule)
    return FinalRow(
        sheet.number, points, checked.stake, checked.fault, change, points + (change or 0)
    )


def _change(stake: int | None, verdict: Verdict | None, rule: FinalStake) -> int | None:
    if stake is None:
        return None
    if stake == 0:
        return 0
    if verdict is Verdict.RIGHT:
        return stake
    if verdict is Verdict.WRONG:
        return -stake
    if verdict is Verdict.BLANK:
        return {NoAnswer.WRONG: -stake, NoAnswer.NOTHING: 0, NoAnswer.CHIEF: None}[rule.no_answer]
    return None


def _with_winner(
    start: Opening, rows: tuple[FinalRow, ...], ties: TieRule, evidence: Evidence
) -> FinalResult:
    settled = settle(by_score({row.number: row.after for row in rows}), 1, ties, evidence)
    at = across(settled.groups, 1)
    tied = () if at is None else settled.groups[at]
    winner = settled.groups[0][0] if settled.groups and not tied else None
    place = {number: i for i, group in enumerate(settled.groups) for number in group}
    ordered = tuple(sorted(rows, key=lambda row: (place[row.number], row.number)))
    return FinalResult(
        start, ordered, winner, tied, settled.waiting, settled.steps, groups=tuple(settled.groups)
    )
