"""The words that the browser's part of the final says, in the current language."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext


def words() -> dict[str, str]:
    """Sentence by name; the names are used in `static/final/`. `{}` placeholders are filled there."""
    return {
        "stakes_left": _("not confirmed: {n} of {all}"),
        "stakes_done": _("all {all} confirmed"),
        "stakes_none": _("No final sheet of this category has been scanned yet."),
        "stakes_unneeded": _("The final is not played; no stake is needed."),
        "without_sheet": _("Players of the final without a scanned final sheet: {n}."),
        "nothing": _("They handed in nothing"),
        "answers_left": _("not judged: {n} of {all}"),
        "answers_done": _("all {all} judged"),
        "answers_disputed": _("disputed: {n}"),
        "stake": _("Stake"),
        "confirm": _("Confirm"),
        "change": pgettext("stake, verb", "Change"),
        "confirmed": pgettext("stake", "confirmed"),
        "look_twice": _("look twice"),
        "not_read": _("not read"),
        "read": _("read: {text}"),
        "sum": _("sum {sum}, may stake {least}–{most}"),
        "sum_none": _("sum {sum}"),
        "picture": _("Picture of the stake, read as {text}"),
        "picture_unread": _("Picture of the stake, not read"),
        "chief_stake": _("The chief sets the stake"),
        "chief_set": pgettext("chief", "Set"),
        "chief_leave": _("Leave to the regulation"),
        "confirm_sure": _("Confirm the sure ones: {n}"),
        "recorded": _("Recorded: {n}."),
        "undone": _("Taken back: {n}."),
        "nothing_to_undo": _("There is nothing to undo."),
        "unseen": _("This stake has not been on your screen yet."),
        "unseen_hint": _("Look at the picture, then confirm."),
        "changed": _("Load again"),
        "not_playing": _("Does not play the final"),
        "place": pgettext("table", "Place"),
        "player": pgettext("table", "Player"),
        "before": pgettext("final", "sum"),
        "staked": pgettext("final", "stake"),
        "answer": pgettext("final", "answer"),
        "result": pgettext("final", "result"),
        "winner": pgettext("final", "winner"),
        "try_again": _("Try again"),
        "no_connection": _("The server does not answer."),
        "no_connection_hint": _("What you typed is kept here. Try again in a moment."),
        "sign_in": _("Sign in"),
        "sign_in_again": _("Your session has ended."),
        "sign_in_again_hint": _("Sign in and go on."),
        "close": _("Close"),
    }
