"""What became of an appeal, in words: for the player's page, the jury's and the command line."""

from __future__ import annotations

from jury.appeals import State
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from scoring.model import Verdict
from service.appeal_log import Appeal


def state_word(state: State) -> str:
    """What became of an appeal, as a word."""
    return {
        State.OPEN: pgettext("appeal", "waits for the jury"),
        State.ACCEPTED: pgettext("appeal", "accepted"),
        State.REJECTED: pgettext("appeal", "rejected"),
        State.WITHDRAWN: pgettext("appeal", "withdrawn"),
    }[state]


def outcome(appeal: Appeal) -> str:
    """What a decision means for the player, in a sentence; empty while there is none."""
    if appeal.decided is None:
        return ""
    if appeal.state is State.REJECTED:
        return _("The verdict and the points stay as they were.")
    if appeal.decided.removal is not None:
        return _("The question is removed: its points are written off for all.")
    if appeal.whole:
        return _("The jury judges this question anew; the next publication shows the results.")
    return {
        Verdict.RIGHT: _("The answer counts as right; the next publication shows the new score."),
        Verdict.WRONG: _("The answer counts as wrong; the next publication shows the new score."),
        Verdict.BLANK: _("The answer counts as empty; the next publication shows the new score."),
    }.get(appeal.decided.verdict or Verdict.RIGHT, "")
