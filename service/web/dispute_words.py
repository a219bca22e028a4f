"""The words that the browser's part of the disputes says, and those of the dialog for the key."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from service.web import words as wall_words

# What the page of disputes says in the words of the wall.
_SHARED = (
    *("right", "wrong", "disputed", "blank", "undecided", "question", "unseen", "unseen_refused"),
    *("unseen_refused_hint", "all_seen", "not_read", "like", "alt_read", "alt_unread"),
    *("nothing_to_undo", "reload", "no_connection", "fault", "sign_in", "sign_in_again", "close"),
    *("place_on_page", "try_again"),
)


def words() -> dict[str, str]:
    """Sentence by name, in the current language; `{}` placeholders are filled in the browser."""
    known = wall_words.words()
    return {
        **{name: known[name] for name in _SHARED},
        **key_words(),
        "waiting": _("Answers that wait for you: {n}, in groups: {groups}."),
        "to_wall": _("Open its wall"),
        "key_answer": _("Answer"),
        "key_accepted_word": _("Accepted"),
        "key_rejected_word": _("Not accepted"),
        "key_remark": _("Remark"),
        "suggested": _("suggested: {verdict}"),
        "rule_right": pgettext("ruling", "Right"),
        "rule_wrong": pgettext("ruling", "Wrong"),
        "rule_blank": pgettext("ruling", "Blank"),
        "rule_right_all": pgettext("ruling", "All right: {n}"),
        "rule_wrong_all": pgettext("ruling", "All wrong: {n}"),
        "rule_blank_all": pgettext("ruling", "All blank: {n}"),
        "to_key": _("to the key"),
        "read_as": _("read as “{text}”"),
        "disputed_by": _("disputed by {name}, {time}"),
        "proposed": _("for the key: “{form}”"),
        "elsewhere": _("Ruled on the same reading elsewhere: {counts}"),
        "exception": _("Not with its group: {verdict}. Change"),
        "no_exception": _("With its group. Take it out"),
        "ruled": _("{verdict}: {n} ruled on."),
        "undo": _("undo"),
        "ruling_back": _("Your last ruling is taken back; answers disputed again: {n}."),
        "form_back": _("“{form}” is out of the key again; rulings taken back: {n}."),
        "take_back": _("Take back"),
        "accepted_form": pgettext("form", "accepted"),
        "rejected_form": pgettext("form", "not accepted"),
        "final_question": pgettext("question", "Final question"),
    }


def key_words() -> dict[str, str]:
    """What the dialog for the key says, on the wall too."""
    return {
        "key_now": _("Accepted now: {forms}"),
        "key_rejected": _("Not accepted now: {forms}"),
        "key_group": _("rule on this group too ({verdict}), answers: {n}"),
        "key_contradicting": _("Equal answers that are ruled otherwise: {n}. Now: {verdict}"),
        "key_moved": _("“{form}” was among the answers not accepted and is taken from there."),
        "key_moved_back": _("“{form}” was among the accepted answers and is taken from there."),
        "key_suggested": _("Not ruled on yet, and suggested as right now: {n}."),
        "key_suggested_less": _("Not ruled on yet, and no longer suggested as right: {n}."),
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
