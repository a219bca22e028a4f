"""What was done with accounts, in sentences."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from service.account_log import Done, Step
from service.accounts import Role
from service.role_names import role_name


def sentence(line: Done) -> str:
    """What was done, in the current language."""
    role = role_name(Role(line.role)) if line.role else ""
    before = role_name(Role(line.before)) if line.before else ""
    name = line.account or _("somebody")
    if line.step is Step.CREATED and line.invited_by:
        said = _("{name} came in by an invitation of {by}: {role}")
    else:
        said = {
            Step.CREATED: _("{name} was added: {role}"),
            Step.ROLE: _("{name} is {role} now, was {before}"),
            Step.PIN: _("{name} has a new PIN"),
            Step.LOCKED: _("{name} was locked out"),
            Step.BACK: _("{name} may sign in again"),
            Step.SESSIONS_ENDED: ngettext(
                "{n} session of {name} was ended", "{n} sessions of {name} were ended", line.count
            ),
            Step.INVITED: _("{name} was invited: {role}"),
            Step.WITHDRAWN: _("An invitation of {name} was withdrawn: {role}"),
        }[line.step]
    return said.format(name=name, role=role, before=before, by=line.invited_by, n=line.count)
