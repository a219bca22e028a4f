"""Among whom a line is drawn, and with which numbers."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cut import LineRules
from scoring.decisions import Decisions
from scoring.folding import fold
from scoring.model import Player, Regulation
from scoring.quotas import quota_of
from scoring.rules import Counted, Grouping, TieRule
from scoring.ties import steps_of


def group_name(player: Player, regulation: Regulation) -> str:
    """The category or site of a player; where all play together the name of the round."""
    return {
        Grouping.CATEGORY: player.category,
        Grouping.SITE: player.site,
        Grouping.ALL: regulation.name,
        Grouping.BOUT: regulation.name,
    }[regulation.cut_rule.each]


def group_members(
    roster: Sequence[Player], regulation: Regulation
) -> list[tuple[str, list[Player]]]:
    """The players by group: in the order of the regulation, then as the groups appear in the roster.

    Spellings of one name that differ in case or «ё» are one group, called as the regulation or the first
    player has it. Groups without players are left out.
    """
    order = group_order(regulation)
    members: dict[str, list[Player]] = {fold(name): [] for name in order}
    spelling = {fold(name): name for name in order}
    folded: dict[str, str] = {}
    for player in roster:
        name = group_name(player, regulation)
        key = folded.setdefault(name, fold(name))
        spelling.setdefault(key, name)
        members.setdefault(key, []).append(player)
    return [(spelling[key], group) for key, group in members.items() if group]


def group_order(regulation: Regulation) -> tuple[str, ...]:
    """The groups that the regulation itself names, in its order."""
    if regulation.cut_rule.each is Grouping.CATEGORY:
        return regulation.categories
    return tuple(name for name, _places in regulation.cut_rule.quotas)


def line_rules(
    regulation: Regulation, decisions: Decisions, group: str, *, registered: int, present: int
) -> LineRules:
    """The rules of one group's line, with its number of places.

    Args:
        regulation: The regulation.
        decisions: What was announced and chosen.
        group: The name of the group.
        registered: How many are on the roster.
        present: How many compete.

    Raises:
        ConflictError: The number of places is not known, or a decision contradicts the regulation.
    """
    rule = regulation.rule
    counted = registered if rule.counted is Counted.REGISTERED else present
    return LineRules(
        quota=quota_of(rule, group, counted, decisions.announced),
        sure=rule.sure,
        least_score=rule.least_score,
        ties=steps_of(regulation.tie_rule, choice_of(decisions, group)),
        prizes=regulation.prizes,
        reserve=regulation.reserve,
        reserve_call=regulation.reserve_call,
    )


def choice_of(decisions: Decisions, group: str) -> TieRule | None:
    """What was chosen for this very group, else what was chosen for all."""
    for wanted in (fold(group), ""):
        for choice in decisions.choices:
            if fold(choice.group) == wanted:
                return choice.rule
    return None
