"""What a regulation says of appeals, in plain sentences."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from scoring.rules import AppealRule


def appeal_sentences(rule: AppealRule) -> list[str]:
    """Whether a verdict can be appealed against, until when, and how often."""
    if not rule.allowed:
        return [_("The jury's verdicts are final: there are no appeals.")]
    until = _(
        "An appeal against a verdict can be filed until the next publication, or until the organizer "
        "ends it."
    )
    if rule.minutes is not None:
        until = ngettext(
            "An appeal against a verdict can be filed within {n} minute after publication.",
            "An appeal against a verdict can be filed within {n} minutes after publication.",
            rule.minutes,
        ).format(n=rule.minutes)
    most = ngettext(
        "A player may file {n} appeal on each publication.",
        "A player may file up to {n} appeals on each publication.",
        rule.most,
    ).format(n=rule.most)
    return [until, most, _("A rejected appeal changes neither the verdict nor the points.")]
