"""What is left to do, and which question comes next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from jury.boxes import box_key
from jury.progress import QuestionProgress, first_by_effect
from service import answers, claims, double_counts, kept_from, publications
from service.accounts import Account, Right
from service.claims import Claim
from service.event import Event
from service.web import effect_view


def left(parts: Sequence[QuestionProgress]) -> int:
    """Boxes that nobody has ruled on."""
    return sum(part.unruled for part in parts)


def parts_for(
    event: Event, account: Account, parts: list[QuestionProgress]
) -> list[QuestionProgress]:
    """The questions with the boxes that are for one juror: `parts` less what they are kept from."""
    hidden = kept_from.hidden_sheets(event, account)
    decides = account.may(Right.DECIDE)
    twice = double_counts.progress_for(event, account.name, decides=decides, without=hidden)
    if twice is not None:
        return twice
    return answers.progress_of_all(event, hidden) if hidden else parts


def parts_shown(event: Event, account: Account | None) -> list[QuestionProgress]:
    """How far every question is, as somebody may know it; None stands for everybody who listens.

    Where two jurors read an answer, neither can tell from the counts what the other one ruled.
    """
    decides = account is not None and account.may(Right.DECIDE)
    who = account.name if account is not None and account.may(Right.RULE) else None
    twice = double_counts.progress_for(event, who, decides=decides)
    return answers.progress_of_all(event) if twice is None else twice


def waiting_for_another(parts: Sequence[QuestionProgress]) -> int | None:
    """Boxes that one juror has read and another one has to; None if nothing is read twice."""
    second = [part.second for part in parts if part.second is not None]
    return sum(second) if second else None


def next_question(
    parts: Sequence[QuestionProgress],
    account: Account,
    after: tuple[int, int] | None = None,
    *,
    taken: Collection[tuple[int, int]] = (),
    weights: Mapping[tuple[int, int], int] | None = None,
) -> QuestionProgress | None:
    """The question to go on with, None if there is nothing left for this person.

    Of those that matter most for who goes on the next one in the order of the key, round and round, so that
    two jurors who begin at different themes stay apart. Questions on which only disputes are left come last,
    and only for those who may decide them.

    Args:
        parts: All questions in the order of the key.
        account: For whom.
        after: Theme and nominal of the question just seen; from the first one if None.
        taken: Questions on which others are; they are passed over.
        weights: How much each question matters for who goes on.
    """
    places = [(part.theme, part.nominal) for part in parts]
    start = places.index(after) + 1 if after in places else 0
    turned = [*parts[start:], *parts[:start]]
    if after in places:
        turned.pop()  # the question just seen itself
    turned = [part for part in turned if (part.theme, part.nominal) not in taken]
    open_ = [part for part in turned if part.unruled]
    if not open_ and account.may(Right.DECIDE):
        open_ = [part for part in turned if part.disputed]
    return next(iter(first_by_effect(open_, weights or {})), None)


def present(event: Event) -> dict[tuple[int, int], Claim]:
    """Who is on which question, by theme and nominal."""
    found = claims.held(event)
    if not found:
        return {}
    return {
        (question.theme, question.nominal): found[box]
        for question in event.key().questions()
        if (box := box_key(question.theme, question.row)) in found
    }


def taken_by_others(event: Event, account: Account) -> set[tuple[int, int]]:
    """Questions on which somebody else is."""
    return {place for place, claim in present(event).items() if claim.account_id != account.id}


def summary(event: Event, account: Account | None = None) -> dict[str, Any]:
    """Counts of the whole event and of every question, for the browser of one person or of everybody.

    `personal` is there if they are not the same for all: who hears them asks for their own.
    """
    parts = parts_shown(event, account)
    second = waiting_for_another(parts)
    twice = {} if second is None else {"personal": True, "second": second}
    marks = effect_view.of_questions(event, parts)
    posted = publications.newest(event)
    return {
        **twice,
        **effect_view.as_json(event),
        "published": posted.number if posted else None,
        "left": left(parts),
        "disputed": sum(part.disputed for part in parts),
        "total": sum(part.total for part in parts),
        "key": event.key_version(),
        "questions": [question_counts(part) | marks[part.place] for part in parts],
        "present": {
            f"{theme}-{nominal}": {"id": claim.account_id, "name": claim.name}
            for (theme, nominal), claim in present(event).items()
        },
    }


def question_counts(part: QuestionProgress) -> dict[str, int | str]:
    """One question's counts; `state` is the word that decides how it looks."""
    second: dict[str, int | str] = {} if part.second is None else {"second": part.second}
    return second | {
        "theme": part.theme,
        "nominal": part.nominal,
        "written": part.written,
        "blank": part.blank,
        "ruled": part.ruled,
        "disputed": part.disputed,
        "left": part.unruled,
        "total": part.total,
        "state": state(part),
    }


def state(part: QuestionProgress) -> str:
    """`none` (no sheets), `open` (nothing ruled), `part`, `disputed` (only disputes left) or `done`."""
    if part.total == 0:
        return "none"
    if part.done:
        return "done"
    if part.unruled == part.total:
        return "open"
    return "part" if part.unruled else "disputed"


def place(part: QuestionProgress | None) -> dict[str, int] | None:
    """A question's place, for the browser to go to."""
    return None if part is None else {"theme": part.theme, "nominal": part.nominal}
