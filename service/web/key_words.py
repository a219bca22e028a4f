"""The words of the dialog in which a form is added to the key, on the wall and among the disputes."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext


def key_words() -> dict[str, str]:
    """Sentence by name, in the current language; `{}` placeholders are filled in the browser."""
    return {
        "key_now": _("Accepted now: {forms}"),
        "key_rejected": _("Not accepted now: {forms}"),
        "key_group": _("rule on this group too ({verdict}), answers: {n}"),
        "key_contradicting": _("Equal answers that are ruled otherwise: {n}. Now: {verdict}"),
        "key_moved": _("“{form}” was among the answers not accepted and is taken from there."),
        "key_moved_back": _("“{form}” was among the accepted answers and is taken from there."),
        "key_suggested": _("Not ruled on yet, and suggested as right now: {n}."),
        "key_suggested_less": _("Not ruled on yet, and no longer suggested as right: {n}."),
        "key_disputed": _("Equal answers that stay among the disputes: {n}."),
        "key_add": _("Add to the key"),
        "key_add_rule": _("Add it and rule on {n}"),
        "key_added": _("“{form}” is in the key."),
        "key_added_ruled": _("“{form}” is in the key; ruled on with it: {n}."),
        "effect_none": _("Nobody's score or place changes."),
        "effect": _("Scores or places that change: {n}; players who cross the line: {crossing}."),
        "effect_name": pgettext("table", "Player"),
        "effect_points": _("Points"),
        "effect_place": pgettext("table", "Place"),
        "effect_status": _("Status"),
        "effect_more": _("and {n} more"),
    }
