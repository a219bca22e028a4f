"""The words that the browser's part of the disputes says, in the current language."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from service.web import words as wall_words
from service.web.key_words import key_words

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
        "rule_right_all": pgettext("ruling", "Right: {n}"),
        "rule_wrong_all": pgettext("ruling", "Wrong: {n}"),
        "rule_blank_all": pgettext("ruling", "Blank: {n}"),
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
