"""Forms that the jury adds to the key while it looks at the answers, and takes back.

The journal keeps the whole key at every change, and the newest counts; beside the text stands which form
was added, and which rulings were given with it. Suggestions follow by themselves: whatever was checked
against another key is checked anew. Rulings follow only where a person says so, having seen the pictures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection

from jury.boxes import BoxVerdict, box_key
from jury.equal import says
from jury.suggestion import suggest
from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.contracts import Ink
from scoring.changes import StandingsChanges, compare
from scoring.key_forms import FormChange, with_form, without_form
from scoring.key_text import key_text
from scoring.model import Question, Verdict
from service import answers, journal, rulings, sightings, verification
from service.answers import Answer
from service.event import Event
from service.journal import Kind
from service.results import event_standings


class AnswersChangedError(ConflictError):
    """The answers or the key are not those that the person was looking at."""

    code: ClassVar[str] = "wall_changed"


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A form in the journal; `batch` are the rulings given with it, `back` if it was taken back."""

    id: int
    at: float
    who: str
    why: str
    change: FormChange
    batch: str
    back: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What a form would change.

    Args:
        change: The form.
        suggested: Answers without a ruling for which «right» is newly suggested; for a form that is not
            accepted, those for which it no longer is.
        contradicting: Equal answers that are ruled the other way.
        disputed: Equal answers that wait for the chief.
        agreeing: How many equal answers are ruled as the form says.
        state: What this was worked out from; given back to `add_form`, it vouches that it still holds.
        standings: What the verdicts given with the form change.
    """

    change: FormChange
    suggested: tuple[Answer, ...]
    contradicting: tuple[Answer, ...]
    disputed: tuple[Answer, ...]
    agreeing: int
    state: str
    standings: StandingsChanges


def entries(event: Event) -> list[FormEntry]:
    """Every form that was ever added, oldest first."""
    with event.database.reading() as connection:
        return _entries(connection)


def _entries(connection: Connection) -> list[FormEntry]:
    lines = journal.entries(connection, Kind.KEY)
    back = {line.payload["takes_back"] for line in lines if "takes_back" in line.payload}
    return [
        FormEntry(
            line.id,
            line.at,
            line.who,
            line.why,
            FormChange(**line.payload["form"]),
            line.payload["batch"],
            line.id in back,
        )
        for line in lines
        if "form" in line.payload
    ]


def effect(
    event: Event,
    theme: int,
    nominal: int,
    form: str,
    *,
    accepted: bool,
    verdicts: Mapping[str, Verdict] | None = None,
    anew: Collection[str] | None = None,
    hidden: Collection[str] = (),
) -> Effect:
    """What adding a form would change; nothing is changed.

    Args:
        event: Where.
        theme: Of the question.
        nominal: Of the question.
        form: The accepted or rejected form.
        accepted: Which of the two.
        verdicts: By sheet, what else would be ruled with it.
        anew: The sheets whose contradicting answers would be ruled as the form says; all of them if None.
        hidden: Sheets that the person must not see.

    Raises:
        NotFoundError: There is no such question, or no such answer to it.
        ConflictError: The key cannot take the form.
    """
    with event.database.reading():
        key, change = with_form(event.key(), theme, nominal, form, accepted=accepted)
        found = _answers(event, event.key().question(theme, nominal), hidden)
        equal, suggested = _compared(event, found, key.question(theme, nominal), change)
        meant = Verdict.RIGHT if accepted else Verdict.WRONG
        against = {Verdict.RIGHT, Verdict.WRONG} - {meant}
        contradicting = [answer for answer in equal if answer.ruling in against]
        chosen = [a.sheet for a in contradicting if anew is None or a.sheet in anew]
        given = _given(found, {**dict.fromkeys(chosen, meant), **(verdicts or {})})
        instead = {(answer.sheet, answer.box): verdict for answer, verdict in given}
        return Effect(
            change,
            tuple(suggested),
            tuple(contradicting),
            tuple(answer for answer in equal if answer.ruling is Verdict.DISPUTED),
            sum(answer.ruling is meant for answer in equal),
            _state(event, found),
            compare(event_standings(event), event_standings(event, instead=instead)),
        )


def _answers(event: Event, question: Question, hidden: Collection[str]) -> list[Answer]:
    found = answers.all_answers(event, question)
    return [answer for answer in found if answer.sheet not in hidden]


def _compared(
    event: Event, found: list[Answer], question: Question, change: FormChange
) -> tuple[list[Answer], list[Answer]]:
    """The answers that are this form, and those whose suggestion turns with it."""
    box = box_key(question.theme, question.row)
    old = event.key().question(change.theme, change.nominal)
    rejected = not change.accepted
    fits = verification.fits(event.database, box, change.form, rejected=rejected)
    known = verification.current(event.database, {box: old})
    equal, turned = [], []
    for answer in found:
        if answer.ink is not Ink.WRITTEN:
            continue
        reading, fit = answer.text or "", fits.get(answer.page_id)
        if says(reading, change.form, fit, rejected=rejected):
            equal.append(answer)
        if answer.ruling is not None:
            continue
        matches = [
            match
            for match in known.get((answer.page_id, box), ())
            if not (match.form == change.moved and match.rejected is change.accepted)
        ]
        confidence = answer.confidence or 0.0
        if fit is not None:
            matches.append(fit)
        then = suggest(reading, confidence, answer.ink, question, matches).verdict
        before = answer.suggestion.verdict
        right = (then, before) if change.accepted else (before, then)
        if right[0] is Verdict.RIGHT and right[1] is not Verdict.RIGHT:
            turned.append(answer)
    return equal, turned


def _given(found: list[Answer], verdicts: Mapping[str, Verdict]) -> list[tuple[Answer, Verdict]]:
    """The answers on some sheets with their verdicts.

    Raises:
        NotFoundError: A sheet has no such answer.
        ConflictError: Nobody has ruled on it yet: that is done on the wall. Or «disputed» is given.
    """
    by_sheet = {answer.sheet: answer for answer in found}
    given: list[tuple[Answer, Verdict]] = []
    for sheet, verdict in verdicts.items():
        answer = by_sheet.get(sheet)
        if answer is None:
            raise NotFoundError(
                _("There is no answer to this question on sheet {sheet}.").format(sheet=sheet),
                _("Open the question again and look which sheets it has."),
            )
        if answer.ruling is None:
            raise ConflictError(
                _("The answer on sheet {sheet} has not been ruled on yet.").format(sheet=sheet),
                _("Rule on it on the wall of its question."),
            )
        if verdict is Verdict.DISPUTED:
            raise ConflictError(
                _("The answer on sheet {sheet} would be disputed.").format(sheet=sheet),
                _("With a form an answer is ruled right, wrong or blank."),
            )
        given.append((answer, verdict))
    return given


def _state(event: Event, found: list[Answer]) -> str:
    """Equal for two moments if key, answers and rulings were the same."""
    seen: list[Any] = [event.key_version()]
    seen += [[answer.sheet, answer.page_id, answer.ruling, answer.text] for answer in found]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]


def add_form(
    event: Event,
    theme: int,
    nominal: int,
    form: str,
    *,
    accepted: bool,
    who: str,
    why: str = "",
    verdicts: Mapping[str, Verdict] | None = None,
    state: str | None = None,
    must_see: bool = True,
    hidden: Collection[str] = (),
) -> FormEntry:
    """Add a form to the key, and rule with it on answers that have a ruling already.

    All of it is done, or nothing.

    Args:
        event: Where.
        theme: Of the question.
        nominal: Of the question.
        form: The accepted or rejected form.
        accepted: Which of the two.
        who: Who decides.
        why: A remark.
        verdicts: By sheet, what is ruled with it; nothing if None.
        state: Of the `Effect` that the person looked at; None if nobody looked.
        must_see: The person must have had the pictures of these answers on the screen.
        hidden: Sheets that the person must not see.

    Raises:
        NotFoundError: There is no such question, or no such answer to it.
        ConflictError: The key cannot take the form.
        AnswersChangedError: It has changed since `state`.
        UnseenError: An answer among `verdicts` has not been on the screen.
    """
    with event.database.writing() as connection:
        question = answers.find_question(event.key(), theme, nominal)
        box = box_key(question.theme, question.row)
        found = _answers(event, question, hidden)
        if state is not None and state != _state(event, found):
            raise AnswersChangedError(
                _("This question has changed since you looked at it; nothing was recorded."),
                _("Look once more what the form changes, then add it."),
            )
        key, change = with_form(event.key(), theme, nominal, form, accepted=accepted)
        given = _given(found, verdicts or {})
        batch = ""
        if given:
            if must_see:
                pages = [answer.page_id for answer, verdict in given if answer.ruling != verdict]
                sightings.require(event, box, who, pages)
            batch, _entered = rulings.enter(
                event,
                [BoxVerdict(answer.sheet, box, verdict) for answer, verdict in given],
                who,
                origin=rulings.CHIEF + box,
                why=why,
                only_changes=True,
            )
        payload = {"text": key_text(key), "form": asdict(change), "batch": batch}
        journal.append(connection, who, Kind.KEY, payload, why)
        return _entries(connection)[-1]


def take_back(
    event: Event, entry_id: int, *, who: str, why: str = ""
) -> tuple[FormEntry, StandingsChanges, int]:
    """Take a form out of the key again, and the rulings that were given with it.

    Without another change of the key in between, the key is that of before, character by character.
    Answers on which somebody has ruled since keep that ruling.

    Returns:
        The form, what it changes in the standings, and how many rulings were taken back.

    Raises:
        NotFoundError: No such form was added, it was taken back, or the key has it no longer.
    """
    with event.database.writing() as connection:
        standing = {entry.id: entry for entry in _entries(connection) if not entry.back}
        entry = standing.get(entry_id)
        if entry is None:
            raise NotFoundError(
                _("No form with the number {id} is in the key.").format(id=entry_id),
                _("See the forms that were added: otbor key list EVENT."),
            )
        before = event_standings(event)
        *_older, last_but_one, last = journal.entries(connection, Kind.KEY)
        if last.id == entry_id:
            text = last_but_one.payload["text"]
        else:
            text = key_text(without_form(event.key(), entry.change))
        payload = {"text": text, "takes_back": entry_id}
        journal.append(connection, who, Kind.KEY, payload, why)
        undone = rulings.undo_batch(event, entry.batch, who, why) if entry.batch else 0
        return entry, compare(before, event_standings(event)), undone
