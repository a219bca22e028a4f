"""The words of the final: why it is not played, what is wrong with a stake, how it ended."""

from __future__ import annotations

from collections.abc import Mapping

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from scoring.model import Player, TiePolicy, Verdict
from scoring.rules import StakeFault
from scoring.stakes import FinalResult, Opening, StakeSheet


def opening_name(opening: Opening) -> str:
    """Why the final is not played; empty if it is."""
    return {
        Opening.PLAYED: "",
        Opening.NOBODY_POSITIVE: _("The final is not played: nobody has a positive sum."),
        Opening.SINGLE_POSITIVE: _("The final is not played: only one player has a positive sum."),
        Opening.CLEAR_LEAD: _("The final is not played: the leader cannot be caught up."),
    }[opening]


def fault_name(fault: StakeFault | None) -> str:
    """What is wrong with a stake, as words."""
    return {
        None: "",
        StakeFault.MISSING: pgettext("stake", "no stake"),
        StakeFault.TOO_LOW: pgettext("stake", "too low"),
        StakeFault.TOO_HIGH: pgettext("stake", "too high"),
        StakeFault.OFF_STEP: pgettext("stake", "not in the steps allowed"),
        StakeFault.UNREADABLE: pgettext("stake", "unreadable"),
        StakeFault.DOUBLED: pgettext("stake", "two stakes"),
    }[fault]


def stake_text(sheet: StakeSheet | None) -> str:
    """What stands in the stake boxes: a number, two with a slash between, `?`, or nothing."""
    if sheet is None:
        return ""
    return "?" if sheet.unreadable else "/".join(map(str, sheet.stakes))


def verdict_sign(verdict: Verdict | None) -> str:
    """The jury's word on the answer as one sign; empty while nothing is said."""
    return {
        None: "",
        Verdict.RIGHT: "+",
        Verdict.WRONG: "−",
        Verdict.BLANK: "0",
        Verdict.DISPUTED: "?",
    }[verdict]


MOST_NAMED = 8
"""So many of those who are still open are named in a sentence."""


def outcome_lines(
    result: FinalResult, players: Mapping[int, Player], waiting: tuple[int, ...] = ()
) -> list[str]:
    """How the final stands, in sentences: what is open, who is tied, who has won.

    Args:
        result: The final.
        players: Who is in it, by number.
        waiting: Those whose stake is scanned, but not entered.
    """

    def names(numbers: tuple[int, ...]) -> str:
        return ", ".join(f"{players[number].name} ({number})" for number in numbers)

    def first(numbers: tuple[int, ...]) -> str:
        """At the beginning all of them are still open: a wall of names says nothing."""
        if len(numbers) <= MOST_NAMED:
            return names(numbers)
        more = len(numbers) - MOST_NAMED
        return _("{names} and {n} more").format(names=names(numbers[:MOST_NAMED]), n=more)

    lines = []
    if result.opening is not Opening.PLAYED:
        lines.append(opening_name(result.opening))
    if waiting:
        lines.append(_("Scanned, but not entered: {names}.").format(names=first(waiting)))
    if result.chief:
        lines.append(_("For the chief: {names}.").format(names=names(result.chief)))
    if result.open_verdicts:
        lines.append(_("Not judged yet: {names}.").format(names=first(result.open_verdicts)))
    if result.tied:
        lines.append(_("Tied for the first place: {names}.").format(names=names(result.tied)))
        lines.append(_next_step(result.waiting))
    if result.winner is not None:
        lines.append(_("Winner: {name}.").format(name=names((result.winner,))))
    elif not (waiting or result.chief or result.open_verdicts or result.tied):
        lines.append(_("By the regulation there is no winner."))
    return lines


def _next_step(waiting: TiePolicy | None) -> str:
    return {
        TiePolicy.SHOOT_OUT: _("A shoot-out decides: enter its result with “otbor decide”."),
        TiePolicy.LOT: _("The lot decides: draw it with “otbor decide”."),
        TiePolicy.ALL_IN: _("By the regulation they share the first place."),
    }.get(waiting or TiePolicy.ALL_IN, _("How the tie is decided is still to be chosen."))
