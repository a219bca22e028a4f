"""Roles as words, and what each may do, for screens and slips."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from service.accounts import Role


def role_name(role: Role) -> str:
    """A role as a word."""
    return {
        Role.ORGANIZER: pgettext("role", "organizer"),
        Role.CHIEF: pgettext("role", "chief of the jury"),
        Role.JUROR: pgettext("role", "juror"),
        Role.DESK: pgettext("role", "desk"),
        Role.SPECTATOR: pgettext("role", "spectator"),
    }[role]


def role_about(role: Role) -> str:
    """What a role is for, in one sentence."""
    return {
        Role.ORGANIZER: _("Everything: people, paper, results, and all that the others do."),
        Role.CHIEF: _("Rules on answers, decides disputes and appeals, sees standings and names."),
        Role.JUROR: _("Rules on answers. Sees no names and no scores."),
        Role.DESK: _(
            "Looks after pages that need a person, takes appeals in. Sees whole pages with names."
        ),
        Role.SPECTATOR: _("Sees how far the work is, without names."),
    }[role]
