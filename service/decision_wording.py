"""Decisions as sentences for people: what each kind is called, and what an entry says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.wording import points_text
from scoring.explain import count_back_words
from scoring.model import Player
from scoring.rules import CountBack, TiePolicy
from service.decision_log import Decision, Entry


def kind_name(kind: Decision) -> str:
    """What can be done, as a heading."""
    return {
        Decision.REMOVE: _("Remove a question"),
        Decision.NOMINAL: _("Change a nominal"),
        Decision.DISQUALIFY: _("Disqualify a player"),
        Decision.OUT_OF_COMPETITION: _("Out of competition"),
        Decision.EXEMPT: _("Exempt a player"),
        Decision.DECLINE: _("A player declines"),
        Decision.CALL: _("Call a player"),
        Decision.PENALTY: _("Take points away"),
        Decision.LATE: _("A player came late"),
        Decision.BRING: _("Points of the round before"),
        Decision.ANNOUNCE: _("Number of places"),
        Decision.TIE: _("How a tie is decided"),
        Decision.SHOOT_OUT: _("Result of a shoot-out"),
        Decision.LOT: _("Draw lots"),
    }[kind]


def kind_about(kind: Decision) -> str:
    """What it means, in a sentence."""
    return {
        Decision.REMOVE: _("Its points are written off for all."),
        Decision.NOMINAL: _("A question is worth something else than printed."),
        Decision.DISQUALIFY: _("The player has no place; the next ones move up."),
        Decision.OUT_OF_COMPETITION: _("With points, without a place."),
        Decision.EXEMPT: _("Goes on without the written round."),
        Decision.DECLINE: _("Does not take the place; the reserve moves up."),
        Decision.CALL: _("Gets a place that somebody has declined."),
        Decision.PENALTY: _("A penalty, in points."),
        Decision.LATE: _("The themes that were over count as the regulation says."),
        Decision.BRING: _("Counted beside the answers of this round."),
        Decision.ANNOUNCE: _("How many go on, where the regulation leaves it open."),
        Decision.TIE: _("All in, none in, shoot-out, count-back or lot."),
        Decision.SHOOT_OUT: _("The points of everybody who played it."),
        Decision.LOT: _("Among the tied, with a seed that is recorded."),
    }[kind]


def policy_name(policy: TiePolicy) -> str:
    """A step of deciding a tie, as a few words."""
    return {
        TiePolicy.UNDECIDED: pgettext("tie", "undecided"),
        TiePolicy.ALL_IN: pgettext("tie", "all in"),
        TiePolicy.NONE_IN: pgettext("tie", "none in"),
        TiePolicy.SHOOT_OUT: pgettext("tie", "shoot-out"),
        TiePolicy.COUNT_BACK: pgettext("tie", "count-back"),
        TiePolicy.LOT: pgettext("tie", "lot"),
    }[policy]


def sentence(entry: Entry, players: Mapping[int, Player]) -> str:
    """What an entry decides.

    Args:
        entry: The decision.
        players: The roster, by number.
    """
    return _sentence(entry.kind, entry.data, players)


def _sentence(kind: Decision, data: Mapping[str, Any], players: Mapping[int, Player]) -> str:
    if kind is Decision.REMOVE:
        return _("Question {theme}–{nominal} is removed.").format(**data)
    if kind is Decision.NOMINAL:
        return _("Question {theme}–{nominal} is worth {worth}.").format(**data)
    if kind is Decision.ANNOUNCE:
        return _announced(data)
    if kind is Decision.TIE:
        return _tie(data)
    if kind is Decision.SHOOT_OUT:
        scores = ", ".join(
            f"{player_words(number, players)}: {_points(points)}"
            for number, points in data["scores"]
        )
        return _("Shoot-out. {scores}.").format(scores=scores)
    if kind is Decision.LOT:
        order = ", ".join(player_words(number, players) for number in data["order"])
        if data["seed"]:
            return _("Lot with the seed “{seed}”. In this order: {order}.").format(
                seed=data["seed"], order=order
            )
        return _("Lot. In this order: {order}.").format(order=order)
    who = player_words(data["number"], players)
    if kind is Decision.PENALTY:
        return ngettext(
            "{who}: {n} point taken away.", "{who}: {n} points taken away.", data["points"]
        ).format(who=who, n=data["points"])
    if kind is Decision.LATE:
        return ngettext(
            "{who}: {n} theme was over before this player came.",
            "{who}: {n} themes were over before this player came.",
            data["themes"],
        ).format(who=who, n=data["themes"])
    if kind is Decision.BRING:
        return _("{who}: {points} from the round before.").format(
            who=who, points=points_text(data["points"])
        )
    return {
        Decision.DISQUALIFY: _("{who}: disqualified."),
        Decision.OUT_OF_COMPETITION: _("{who}: out of competition."),
        Decision.EXEMPT: _("{who}: goes on without the written round."),
        Decision.DECLINE: _("{who}: declines the place."),
        Decision.CALL: _("{who}: called to a free place."),
    }[kind].format(who=who)


def player_words(number: int, players: Mapping[int, Player]) -> str:
    """A player with the number."""
    player = players.get(number)
    return f"№ {number} {player.name}" if player else f"№ {number}"


def steps_words(data: Mapping[str, Any]) -> str:
    """The steps of a tie, one after another."""
    said = []
    for step in (TiePolicy(step) for step in data["steps"]):
        words = policy_name(step)
        if step is TiePolicy.SHOOT_OUT:
            words = ngettext(
                "shoot-out of {n} theme", "shoot-out of {n} themes", data["themes"]
            ).format(n=data["themes"])
        elif step is TiePolicy.COUNT_BACK:
            keys = "; ".join(count_back_words(CountBack(key)) for key in data["keys"])
            words = f"{words} ({keys})"
        said.append(words)
    return " → ".join(said)


def _tie(data: Mapping[str, Any]) -> str:
    steps = steps_words(data)
    if data["group"]:
        return _("A tie across the line in “{group}”: {steps}.").format(
            group=data["group"], steps=steps
        )
    return _("A tie across the line: {steps}.").format(steps=steps)


def _announced(data: Mapping[str, Any]) -> str:
    places = ngettext("{n} place", "{n} places", data["places"]).format(n=data["places"])
    said = (
        _("“{group}”: {places}.").format(group=data["group"], places=places)
        if data["group"]
        else _("In every category: {places}.").format(places=places)
    )
    return said + " " + _("The chief judge allows it.") if data["by_chief"] else said


def _points(points: int | None) -> str:
    return pgettext("shoot-out", "did not come") if points is None else points_text(points)
