"""What a regulation says of appeals, out of its table `[appeals]`."""

from __future__ import annotations

from otbor.i18n import gettext as _
from scoring.fields import Fields
from scoring.rules import USUAL_APPEALS, AppealRule

LONGEST_MINUTES = 14 * 24 * 60
"""Two weeks: a larger number was meant in seconds, or is a slip of the keys."""


def read_appeals(fields: Fields | None) -> AppealRule:
    """The rule of appeals; the usual one where the table is missing.

    Raises:
        TableError: A field is unknown, of the wrong kind, or contradicts another.
    """
    if fields is None:
        return USUAL_APPEALS
    fields.known_only("allowed", "minutes", "most")
    allowed = fields.yes("allowed", USUAL_APPEALS.allowed)
    for name in ("minutes", "most"):
        if not allowed and name in fields.data:
            raise fields.refused(
                _("“{field}” is given, but appeals are not allowed").format(field=name),
                _("Remove it, or set “allowed” to true."),
                name,
            )
    minutes = fields.integer("minutes", 1) if "minutes" in fields.data else None
    if minutes is not None and minutes > LONGEST_MINUTES:
        raise fields.refused(
            _("{n} minutes for appeals are more than two weeks").format(n=minutes),
            _("Give minutes after publication, such as 30."),
            "minutes",
        )
    return AppealRule(allowed, minutes, fields.integer("most", USUAL_APPEALS.most))
