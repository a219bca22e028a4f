"""Deciding an appeal: its effect is shown before, applied as a whole, and taken back as a whole.

Accepting gives new rulings (a batch in the ledger whose origin is `appeal`), and if the jury wants it a new
form in the key or the removal of the question. Rejecting changes nothing: a wrong answer keeps its −nominal.
Both are lines of the journal that name what belongs to them, so taking the decision back restores the
standings of before, byte for byte, unless somebody has ruled on the same answers since.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from jury.appeals import State, Step
from jury.boxes import BoxId, BoxVerdict
from jury.equal import alike
from jury.normalise import fold, joined
from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.contracts import Ink
from scoring.changes import StandingsChanges, compare
from scoring.decisions import Decisions
from scoring.model import Standings, Verdict
from service import answers, decisions, journal, key_changes, rulings, sheets, sightings, versions
from service.answers import Answer
from service.appeal_log import Appeal, AppealError, find, require_step
from service.decisions import Decision
from service.event import Event
from service.journal import Kind
from service.results import event_standings

# A verdict is a decision; «disputed» would send it to the chief, who is deciding here.
VERDICTS = (Verdict.RIGHT, Verdict.BLANK, Verdict.WRONG)


# Of the last choices: a page is looked at again, and what was shown is asked for again when it is applied.
_MOST_EFFECTS = 16
_effects: WeakKeyDictionary[Event, OrderedDict[object, Effect]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Choice:
    """How an appeal is accepted.

    Args:
        verdict: What the answers become.
        sheets: Further sheets whose answer to the same question gets the same verdict. For an appeal
            about the question as a whole these are all that there are.
        form: Added to the accepted answers of the key; empty for none.
        remove: Remove the question: its points are written off for all.
    """

    verdict: Verdict = Verdict.RIGHT
    sheets: tuple[str, ...] = ()
    form: str = ""
    remove: bool = False


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """An answer of somebody else to the same question; `equal` if its reading is, else it is only alike."""

    answer: Answer
    equal: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What accepting an appeal in one way would change; `shown` stands for all of it."""

    choice: Choice
    boxes: tuple[BoxId, ...]
    changes: StandingsChanges
    shown: str


def all_of(event: Event, appeal: Appeal) -> list[Answer]:
    """Everybody's answers to the question that an appeal is about, without suggestions."""
    question = answers.find_question(event.key(), appeal.theme, appeal.nominal)
    return answers.all_answers(event, question, suggesting=False)


def current_verdict(event: Event, appeal: Appeal) -> Verdict | None:
    """What the appealed answer is ruled now; None if it is not."""
    sheet = appeal.sheet or ""
    return rulings.current(event, appeal.box).get((sheet, appeal.box))


def others(
    event: Event, appeal: Appeal, form: str = "", found: list[Answer] | None = None
) -> list[OtherAnswer]:
    """The answers of others that say the same, or nearly the same, equal ones first.

    They are compared with the reading of the appealed answer, and with the form that is to be added: what
    the jury reads with its own eyes. `found` is what `all_of` gave, where it is known already.
    """
    found = all_of(event, appeal) if found is None else found
    own = next((a for a in found if a.sheet == appeal.sheet), None)
    wanted = [text for text in (own.text or "" if own else "", form) if fold(text)]
    folded = {joined(fold(text)) for text in wanted}
    listed = []
    for other in found:
        reading = other.text or ""
        # One about the question as a whole is about the own answer like all others.
        appealed = other is own and not appeal.whole
        if appealed or other.ink is not Ink.WRITTEN or not fold(reading):
            continue
        equal = joined(fold(reading)) in folded
        if equal or any(alike(reading, text) for text in wanted):
            listed.append(OtherAnswer(other, equal))
    return sorted(listed, key=lambda other: not other.equal)


def effect(event: Event, appeal: Appeal, choice: Choice, before: Standings | None = None) -> Effect:
    """What accepting would change; nothing is changed.

    Args:
        event: Where.
        appeal: Which.
        choice: How it is accepted.
        before: The standings as they are, where they are known already.

    Raises:
        NotFoundError: A sheet has no answer to the question.
        AppealError: The choice cannot be meant.
        ConflictError: The key cannot take the form, or the question is removed already.
    """
    with event.database.reading():
        asked = (versions.current(event), appeal.id, choice)
        known = _effects.setdefault(event, OrderedDict())
        if (found := known.get(asked)) is not None:
            return found
        boxes = _boxes(event, appeal, choice)
        now = decisions.in_force(event)
        before = event_standings(event, now) if before is None else before
        changes = compare(before, _standings(event, appeal, choice, boxes, now))
        if choice.form:
            # Refused here already, if the key cannot take it.
            key_changes.effect(
                event, appeal.theme, appeal.nominal, choice.form, accepted=True, verdicts={}
            )
    found = Effect(choice, boxes, changes, _fingerprint(appeal, choice, boxes, before, changes))
    # What is not committed may be rolled back, and its numbers given to other rulings.
    if not event.database.in_change:
        known[asked] = found
        while len(known) > _MOST_EFFECTS:
            known.popitem(last=False)
    return found


def _standings(
    event: Event,
    appeal: Appeal,
    choice: Choice,
    boxes: tuple[BoxId, ...],
    now: Decisions,
) -> Standings:
    if choice.remove:
        if appeal.question in now.removed:
            raise AppealError(
                _("This question is removed already."), _("Reject the appeal, with the reason.")
            )
        now = replace(now, removed=now.removed | {appeal.question})
    try:
        return event_standings(event, now, dict.fromkeys(boxes, choice.verdict))
    except ValueError as error:
        raise AppealError(
            _("There is no question {theme}–{nominal}.").format(
                theme=appeal.theme, nominal=appeal.nominal
            ),
            _("The regulation has changed; reject the appeal, with the reason."),
        ) from error


def _boxes(event: Event, appeal: Appeal, choice: Choice) -> tuple[BoxId, ...]:
    """The boxes that would get the verdict: those that do not have it yet."""
    if choice.verdict not in VERDICTS:
        raise AppealError(
            _("An appeal cannot make an answer disputed."),
            _("Choose right, blank or wrong, or reject it."),
        )
    own = [] if appeal.whole or appeal.sheet is None else [appeal.sheet]
    wanted = list(dict.fromkeys([*own, *choice.sheets]))
    ruled = rulings.current(event, appeal.box)
    with event.database.reading() as connection:
        known = sheets.counting_pages(connection)
    for sheet in wanted:
        if sheet not in known and (sheet, appeal.box) not in ruled:
            raise NotFoundError(
                _("There is no answer to this question on sheet {sheet}.").format(sheet=sheet),
                _("Open the appeal again and look which answers there are."),
            )
    boxes = tuple(
        (sheet, appeal.box)
        for sheet in wanted
        if ruled.get((sheet, appeal.box)) is not choice.verdict
    )
    if not boxes and not choice.form and not choice.remove:
        raise AppealError(
            _("Accepting it like this changes no verdict."),
            _("Choose another verdict, a form for the key or the removal; or reject the appeal."),
        )
    return boxes


def accept(
    event: Event,
    appeal_id: int,
    choice: Choice,
    *,
    who: str,
    why: str = "",
    shown: str | None = None,
    must_see: bool = False,
) -> StandingsChanges:
    """Accept an appeal; returns what it changed in the standings.

    Args:
        event: Where.
        appeal_id: Which.
        choice: How.
        who: Who decides.
        why: The reason.
        shown: Of the `Effect` that the person was shown; None if nobody looked.
        must_see: The person must have had the pictures of these answers on the screen.

    Raises:
        NotFoundError: There is no such appeal, or no such answer.
        AppealError: It is not open, or the choice cannot be meant.
        UnseenError: An answer whose verdict would change has not been on the screen.
        ConflictError: The effect is no longer the one that was shown, or the key cannot take the form.
    """
    with event.database.writing() as connection:
        appeal = find(event, appeal_id)
        require_step(appeal, Step.ACCEPT)
        found = effect(event, appeal, choice)
        if shown is not None and shown != found.shown:
            raise ConflictError(
                _("What this changes is no longer what you were shown; nothing was recorded."),
                _("Somebody has ruled or decided meanwhile. Look at the effect again."),
            )
        if must_see:
            _require_seen(event, appeal, found, who)
        payload: dict[str, Any] = {
            "step": Step.ACCEPT.value,
            "appeal": appeal_id,
            "verdict": None if appeal.whole and not found.boxes else choice.verdict.value,
            "sheets": [sheet for sheet, _box in found.boxes],
        }
        if found.boxes:
            given = [BoxVerdict(sheet, box, choice.verdict) for sheet, box in found.boxes]
            payload["batch"], _count = rulings.enter(
                event, given, who, origin=rulings.APPEAL, why=why
            )
        if choice.form:
            entry = key_changes.add_form(
                event, appeal.theme, appeal.nominal, choice.form, accepted=True, who=who, why=why
            )
            payload |= {"form": entry.change.form, "form_entry": entry.id}
        if choice.remove:
            data = {"theme": appeal.theme, "nominal": appeal.nominal}
            decisions.decide(event, Decision.REMOVE, data, who=who, why=why)
            payload["removal"] = decisions.entries(event)[-1].id
        journal.append(connection, who, Kind.APPEAL_DECISION, payload, why)
    return found.changes


def _require_seen(event: Event, appeal: Appeal, found: Effect, who: str) -> None:
    """Refuse verdicts on pictures that the person has not seen; what was never scanned has none."""
    with event.database.reading() as connection:
        pages = sheets.counting_pages(connection)
    wanted = [pages[sheet] for sheet, _box in found.boxes if sheet in pages]
    sightings.require(event, appeal.box, who, wanted)


def reject(event: Event, appeal_id: int, *, who: str, why: str) -> Appeal:
    """Reject an appeal: verdict and points stay as they are.

    Raises:
        NotFoundError: There is no such appeal.
        AppealError: It is not open, or no reason is given.
    """
    if not why.strip():
        raise AppealError(
            _("A rejection needs a reason: the player reads it."), _("Write why the verdict stays.")
        )
    with event.database.writing() as connection:
        require_step(find(event, appeal_id), Step.REJECT)
        payload = {"step": Step.REJECT.value, "appeal": appeal_id}
        journal.append(connection, who, Kind.APPEAL_DECISION, payload, why)
        return find(event, appeal_id)


def reopen(
    event: Event, appeal_id: int, *, who: str, why: str = "", dry_run: bool = False
) -> StandingsChanges:
    """Take the decision on an appeal back, with all that belongs to it; the appeal is open again.

    Answers on which somebody has ruled since keep that ruling; a form or a removal that was taken back
    on its own stays so.

    Raises:
        NotFoundError: There is no such appeal.
        AppealError: It is not decided.
    """
    try:
        with event.database.writing() as connection:
            appeal = find(event, appeal_id)
            require_step(appeal, Step.REOPEN)
            before = event_standings(event)
            if appeal.state is State.ACCEPTED:
                _take_back(event, appeal, who, why)
            payload = {"step": Step.REOPEN.value, "appeal": appeal_id}
            journal.append(connection, who, Kind.APPEAL_DECISION, payload, why)
            changes = compare(before, event_standings(event))
            if dry_run:
                raise _Trial
    except _Trial:
        pass
    return changes


class _Trial(Exception):
    """Takes a trial back."""


def _take_back(event: Event, appeal: Appeal, who: str, why: str) -> None:
    decided = appeal.decided
    assert decided is not None, "an accepted appeal has a decision"
    if decided.removal is not None and any(
        entry.id == decided.removal and not entry.back for entry in decisions.entries(event)
    ):
        decisions.take_back(event, decided.removal, who=who, why=why)
    if decided.form_entry is not None and any(
        entry.id == decided.form_entry and not entry.back for entry in key_changes.entries(event)
    ):
        key_changes.take_back(event, decided.form_entry, who=who, why=why)
    if decided.batch:
        rulings.undo_batch(event, decided.batch, who, why)


def still_ruled(event: Event, appeal: Appeal) -> Collection[BoxId]:
    """Of the answers that an accepted appeal changed, those on which somebody has ruled otherwise since."""
    if appeal.decided is None or not appeal.decided.batch:
        return ()
    ruled = rulings.current(event, appeal.box)
    boxes = [(sheet, appeal.box) for sheet in appeal.decided.sheets]
    return [box for box in boxes if ruled.get(box) is not appeal.decided.verdict]


def _fingerprint(
    appeal: Appeal,
    choice: Choice,
    boxes: tuple[BoxId, ...],
    before: Standings,
    changes: StandingsChanges,
) -> str:
    """Equal for two moments if the same choice would change the same."""
    seen = [
        appeal.id,
        [choice.verdict.value, list(choice.sheets), choice.form, choice.remove],
        [list(box) for box in boxes],
        [[change.number, repr(change.before), repr(change.after)] for change in changes.players],
        [[part.category, repr(part.cut)] for part in before.categories],
    ]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]
