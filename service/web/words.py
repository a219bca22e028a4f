"""The words that the browser's part of the wall says, in the current language."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext


def words() -> dict[str, str]:
    """Sentence by name; the names are used in `static/wall/`. `{}` placeholders are filled there."""
    return {
        "right": pgettext("verdict", "right"),
        "wrong": pgettext("verdict", "wrong"),
        "disputed": pgettext("verdict", "disputed"),
        "blank": pgettext("verdict", "blank"),
        "undecided": pgettext("verdict", "not said yet"),
        "ink_blank": pgettext("ink", "blank"),
        "ink_dash": pgettext("ink", "dash"),
        "ink_crossed": pgettext("ink", "crossed out"),
        "look_twice": _("look twice"),
        "question": _("Theme {theme}. {title}"),
        "document_title": _("{theme}–{nominal} · {title}"),
        "left": _("left: {n}"),
        "counts": _("✓ {right} · ✗ {wrong} · ? {disputed} · ∅ {blank}"),
        "blanks": _("Blank: {n}"),
        "blanks_note": _("Look whether something is written here after all; a click says so."),
        "no_answers": _("Nobody has answered this question."),
        "no_sheets": _("No sheets have been scanned yet."),
        "new": _("new"),
        "not_read": _("not read"),
        "like": _("like “{form}”"),
        "alt_read": _("handwritten answer, read as “{text}”"),
        "alt_unread": _("handwritten answer, not read"),
        "alt_blank": _("box without an answer: {ink}"),
        "label_answer": _("Answer {at} of {all}: {verdict}"),
        "label_verdict": _("{verdict}; change"),
        "label_blank": _("Box without an answer: {ink}. Something is written here"),
        "try_again": _("Try again"),
        "confirmed": _("{theme}–{nominal} is confirmed."),
        "unchanged": _("{theme}–{nominal}: nothing new to record."),
        "all_done": _("Every question is ruled on."),
        "all_done_hint": _("Nothing is left for you. You can look at any question again."),
        "to_questions": _("To the questions"),
        "needs_verdict": _("An answer that you marked as written has no verdict yet."),
        "needs_verdict_hint": _("Say whether it is right or wrong, or mark it as blank again."),
        "undone": _("What you confirmed on {theme}–{nominal} is taken back."),
        "undone_elsewhere": _("Your last rulings from a file are taken back."),
        "nothing_to_undo": _("There is nothing to undo."),
        "no_next": _("No other question has work left."),
        "no_equal": _("No other answer has the same reading."),
        "changed_elsewhere": _("This question has changed since you opened it."),
        "changed_elsewhere_hint": _("Load it again before you confirm; your marks are kept."),
        "reload": _("Load again"),
        "kept_marks": _("Your marks on this question have been kept."),
        "lost_marks": _("Your marks that still fit have been kept; look at them again."),
        "no_connection": _("The server does not answer."),
        "no_connection_hint": _("Your marks are kept here. Try again in a moment."),
        "fault": _("Something went wrong on this page."),
        "fault_hint": _("Your marks are kept here. Load the page again."),
        "sign_in_again": _("Your session has ended."),
        "sign_in_again_hint": _("Your marks are kept. Sign in and go on."),
        "sign_in": _("Sign in"),
        "place_on_page": _("Its place on the page"),
    }
