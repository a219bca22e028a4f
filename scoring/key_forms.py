"""One form more or less in an answer key: what the jury decides while it looks at the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scoring.folding import clean, fold
from scoring.key import FREE_WORDS
from scoring.model import AnswerKey, Question

LONGEST = 100


@dataclass(frozen=True, slots=True)
class FormChange:
    """A form that was added to a question's accepted or not accepted ones.

    `moved` is how the other list spelt it, from which it was taken; empty if it was on none.
    """

    theme: int
    nominal: int
    form: str
    accepted: bool
    moved: str = ""


def with_form(
    key: AnswerKey, theme: int, nominal: int, form: str, *, accepted: bool
) -> tuple[AnswerKey, FormChange]:
    """Add a form to a question; one that the other list has is moved.

    Raises:
        NotFoundError: There is no such question.
        ConflictError: The form is empty, too long, no answer but a rule («по смыслу»), or there already.
    """
    question = _question(key, theme, nominal)
    form = clean(form)
    folded = fold(form)
    if not folded or len(form) > LONGEST:
        raise ConflictError(
            _("A form of the key has 1 to {most} characters.").format(most=LONGEST),
            _("Enter the answer as it is to be accepted, nothing else."),
        )
    if folded in FREE_WORDS:
        raise ConflictError(
            _("“{form}” is a rule for the jury, not an answer.").format(form=form),
            _("Enter the answer itself; such words belong into the key's remark."),
        )
    own, other = question.forms, question.rejected
    if not accepted:
        own, other = question.rejected, question.forms
    if folded in {fold(known) for known in own}:
        raise ConflictError(
            _("“{form}” is among the accepted answers already.").format(form=form)
            if accepted
            else _("“{form}” is among the answers not accepted already.").format(form=form),
            _("Case, ё, quotes and the kind of hyphen do not count."),
        )
    if not accepted and folded == fold(question.answer):
        raise ConflictError(
            _("“{form}” is the answer itself.").format(form=form),
            _("Change the key with “otbor update EVENT --key FILE” if it is wrong."),
        )
    moved = next((known for known in other if fold(known) == folded), "")
    change = FormChange(theme, nominal, form, accepted, moved)
    given, taken = ("accepted", "rejected") if accepted else ("rejected", "accepted")
    return _edited(key, change, add=(given, form), remove=(taken, moved)), change


def without_form(key: AnswerKey, change: FormChange) -> AnswerKey:
    """Take a form out again; one that was moved goes back to where it was.

    Raises:
        NotFoundError: The key has it no longer.
    """
    question = _question(key, change.theme, change.nominal)
    folded = fold(change.form)
    listed = question.accepted if change.accepted else question.rejected
    found = next((known for known in listed if fold(known) == folded), None)
    if found is None:
        raise NotFoundError(
            _("“{form}” is no longer in the key.").format(form=change.form),
            _("Another key has been put in force since; look at it."),
        )
    given, taken = ("accepted", "rejected") if change.accepted else ("rejected", "accepted")
    return _edited(key, change, add=(taken, change.moved), remove=(given, found))


def _question(key: AnswerKey, theme: int, nominal: int) -> Question:
    try:
        return key.question(theme, nominal)
    except KeyError as error:
        raise NotFoundError(
            _("There is no question {theme}–{nominal}.").format(theme=theme, nominal=nominal),
            _("Choose one from the list of questions."),
        ) from error


def _edited(
    key: AnswerKey, change: FormChange, *, add: tuple[str, str], remove: tuple[str, str]
) -> AnswerKey:
    """The key with one form on one list more and one on the other less; an empty form is none."""

    def edit(question: Question) -> Question:
        lists = {"accepted": question.accepted, "rejected": question.rejected}
        lists[remove[0]] = tuple(form for form in lists[remove[0]] if form != remove[1])
        if add[1]:
            lists[add[0]] = (*lists[add[0]], add[1])
        return replace(question, accepted=lists["accepted"], rejected=lists["rejected"])

    return _with_question(key, change, edit)


def _with_question(
    key: AnswerKey, change: FormChange, edit: Callable[[Question], Question]
) -> AnswerKey:
    if change.theme == 0 and key.final is not None:
        return replace(key, final=edit(key.final))
    return replace(
        key,
        themes=tuple(
            replace(
                theme,
                questions=tuple(
                    edit(question)
                    if (question.theme, question.nominal) == (change.theme, change.nominal)
                    else question
                    for question in theme.questions
                ),
            )
            for theme in key.themes
        ),
    )
