"""How many places a group has: a fixed quota, a formula, or what was announced before the start."""

from __future__ import annotations

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.decisions import Announced
from scoring.folding import fold
from scoring.rules import Announcing, CutRule


class NotAnnouncedError(ConflictError):
    """The organizer has to say how many go on; until then there is no line, and there are no standings."""


def usual_quota(rule: CutRule, group: str, counted: int) -> int | None:
    """What the regulation gives by itself; None if it leaves the number to the organizer.

    Args:
        rule: The rule of the cut.
        group: The category or site.
        counted: N of the formula.
    """
    quotas = {fold(name): places for name, places in rule.quotas}
    if fold(group) in quotas:
        return quotas[fold(group)]
    if rule.announcing is Announcing.REQUIRED:
        return None
    if rule.formula is not None:
        return max(rule.at_least, rule.formula.of(counted))
    return rule.places


def quota_of(
    rule: CutRule, group: str, counted: int, announcements: tuple[Announced, ...] = ()
) -> int:
    """How many places a group has, with what was announced.

    Raises:
        NotAnnouncedError: The number must be announced and was not.
        ConflictError: The one announced is not allowed.
    """
    usual = usual_quota(rule, group, counted)
    told = _announced(announcements, group)
    if told is None:
        if usual is None:
            raise NotAnnouncedError(
                _("The number of places for “{group}” has not been announced.").format(group=group),
                _("Announce it, or write it into the regulation under “quotas”."),
            )
        return usual
    if usual is None or told.places == usual:
        allowed = True
    else:
        allowed = rule.announcing is Announcing.BY_CHIEF and told.by_chief
    if not allowed:
        raise ConflictError(
            _("{places} places were announced for “{group}”, the regulation gives {usual}.").format(
                places=told.places, group=group, usual=usual
            ),
            _("Another number needs the leave of the chief judge, where the regulation allows it."),
        )
    if told.places < rule.at_least:
        raise ConflictError(
            _("{places} places were announced, but the regulation wants {least} at least.").format(
                places=told.places, least=rule.at_least
            ),
            _("Announce a larger number."),
        )
    return told.places


def _announced(announcements: tuple[Announced, ...], group: str) -> Announced | None:
    """What was said of this very group, else what was said of all."""
    for wanted in (fold(group), ""):
        for told in announcements:
            if fold(told.group) == wanted:
                return told
    return None
