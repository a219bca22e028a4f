"""What jurors sent to the chief, and the chief's rulings on it: once for all equal answers.

A disputed answer stays disputed until somebody who may decide rules on it. Who said what, where two read
without seeing each other, is `service.double_showing`'s to tell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from jury.boxes import BoxId, BoxVerdict, box_key
from jury.equal import grouped
from jury.ledger import Ruling, undoable
from jury.normalise import fold, joined
from jury.remarks import Remark, read_remark
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.changes import StandingsChanges
from scoring.model import Question, Theme, Verdict
from service import answers, double_showing, key_changes, rulings, sightings, verification
from service.answers import Answer
from service.double_showing import Note
from service.event import Event
from service.key_changes import AnswersChangedError, FormEntry
from service.store import tables


@dataclass(frozen=True, slots=True)
class Disputed:
    """One disputed answer: by whom, since when (UTC seconds), with which remark, and further notes."""

    answer: Answer
    by: str
    at: float
    remark: Remark
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class DisputedGroup:
    """Disputed answers that may be one and the same, and what was ruled on equal readings elsewhere.

    `elsewhere` has the answers to the same question with one of these very readings that are not
    disputed; those without a ruling too.
    """

    answers: tuple[Disputed, ...]
    elsewhere: tuple[Answer, ...] = ()

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets of the disputed answers."""
        return tuple(disputed.answer.sheet for disputed in self.answers)


@dataclass(frozen=True, slots=True)
class DisputedQuestion:
    """A question with its disputed answers; `theme` is None for the final question."""

    theme: Theme | None
    question: Question
    groups: tuple[DisputedGroup, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """A verdict of the chief on a sheet, and the page on which they saw the answer."""

    verdict: Verdict
    page_id: int


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back: how many rulings on which question, and a form, if one went with them."""

    theme: int
    nominal: int
    changed: int
    form: FormEntry | None = field(default=None)
    standings: StandingsChanges | None = field(default=None)


def questions(event: Event, hidden: Collection[str] = ()) -> list[DisputedQuestion]:
    """Every question with disputed answers, in the order of the key.

    Args:
        event: Whose.
        hidden: Sheets that the person must not see.
    """
    with event.database.reading():
        waiting: dict[str, dict[BoxId, Ruling]] = {}
        for place, ruling in rulings.disputes(event).items():
            if place[0] not in hidden:
                waiting.setdefault(place[1], {})[place] = ruling
        key = event.key()
        asked = [*key.questions(), *([key.final] if key.final else [])]
        found = [
            _question(event, question, waiting[box], hidden)
            for question in asked
            if (box := box_key(question.theme, question.row)) in waiting
        ]
        return [question for question in found if question.groups]


def places(event: Event, hidden: Collection[str] = ()) -> list[Question]:
    """The questions that have disputed answers, in the order of the key, without looking at the answers."""
    with event.database.reading():
        boxes = {box for sheet, box in rulings.disputes(event) if sheet not in hidden}
        asked = verification.by_box(event.key())
    return [question for box, question in asked.items() if box in boxes]


def question(
    event: Event, theme: int, nominal: int, hidden: Collection[str] = ()
) -> DisputedQuestion:
    """One question; without groups if nothing of it is disputed.

    Raises:
        NotFoundError: There is none.
    """
    with event.database.reading():
        asked = answers.find_question(event.key(), theme, nominal)
        waiting = {
            box: ruling
            for box, ruling in rulings.disputes(event, box_key(asked.theme, asked.row)).items()
            if box[0] not in hidden
        }
        return _question(event, asked, waiting, hidden)


def _question(
    event: Event, asked: Question, waiting: Mapping[BoxId, Ruling], hidden: Collection[str]
) -> DisputedQuestion:
    theme = event.key().themes[asked.theme - 1] if asked.theme else None
    if not waiting:
        return DisputedQuestion(theme, asked, ())
    every = {
        (answer.sheet, answer.box): answer
        for answer in answers.all_answers(event, asked)
        if answer.sheet not in hidden
    }
    # A ruling may stand on a sheet whose scan does not count (any more): there is nothing to look at.
    shown = [box for box in every if box in waiting]
    notes = double_showing.notes(event, shown)
    readings = {box: joined(fold(answer.text or "")) for box, answer in every.items()}
    groups = []
    for boxes in grouped({box: every[box].text or "" for box in shown}):
        read = {readings[box] for box in boxes} - {""}
        elsewhere = [
            answer for box, answer in every.items() if box not in waiting and readings[box] in read
        ]
        groups.append(
            DisputedGroup(
                tuple(_disputed(every[box], waiting[box], notes.get(box, ())) for box in boxes),
                tuple(elsewhere),
            )
        )
    return DisputedQuestion(theme, asked, tuple(groups))


def _disputed(answer: Answer, ruling: Ruling, notes: Sequence[Note]) -> Disputed:
    return Disputed(answer, ruling.by, ruling.at.timestamp(), read_remark(ruling.why), tuple(notes))


def rule(
    event: Event,
    theme: int,
    nominal: int,
    given: Mapping[str, Given],
    *,
    who: str,
    why: str = "",
    hidden: Collection[str] = (),
) -> tuple[str, int]:
    """Rule on disputed answers to one question together.

    Args:
        event: Where.
        theme: Of the question.
        nominal: Of the question.
        given: By sheet.
        who: The chief.
        why: A remark.
        hidden: Sheets that the chief must not see.

    Returns:
        The batch, and how many rulings it has.

    Raises:
        AnswersChangedError: One of them is no longer disputed, or another scan of its sheet counts now.
        UnseenError: One of them has not been on the chief's screen.
        ConflictError: «Disputed» is no ruling of the chief.
    """
    asked = answers.find_question(event.key(), theme, nominal)
    box = box_key(asked.theme, asked.row)
    if not given or any(one.verdict is Verdict.DISPUTED for one in given.values()):
        raise ConflictError(
            _("Nothing was ruled: every answer is still disputed."),
            _("Say right, wrong or blank for at least one of them."),
        )

    def decided() -> list[BoxVerdict]:
        # Nobody else can change anything here: what is found now holds when it is recorded.
        found = {answer.sheet: answer for answer in answers.all_answers(event, asked)}
        for sheet, one in given.items():
            answer = found.get(sheet)
            if (
                answer is None
                or sheet in hidden
                or answer.ruling is not Verdict.DISPUTED
                or answer.page_id != one.page_id
            ):
                raise AnswersChangedError(
                    _(
                        "The answer on sheet {sheet} has changed meanwhile; nothing was recorded."
                    ).format(sheet=sheet),
                    _("Somebody has ruled on it, or another scan of it counts now. Look again."),
                )
        pages = [one.page_id for one in given.values()]
        sightings.require(event, box, who, pages)
        return [BoxVerdict(sheet, box, one.verdict) for sheet, one in given.items()]

    return rulings.enter(event, decided, who, origin=rulings.CHIEF + box, why=why)


def undo_last(event: Event, who: str, hidden: Collection[str] = ()) -> Undone | None:
    """Take back the last thing that somebody ruled or added to the key here; None if there is nothing.

    Pressing «undo» again and again walks back through it.
    """
    with event.database.writing() as connection:
        own = [entry for entry in key_changes.entries(event) if not entry.back and entry.who == who]
        form = own[-1] if own else None
        last = _last_batch(connection, who, hidden)
        if form is not None and (last is None or form.at >= last.at.timestamp()):
            # The form first: rulings that were given with it go with it.
            asked = answers.find_question(event.key(), form.change.theme, form.change.nominal)
            _entry, changes, changed = key_changes.take_back(event, form.id, who=who)
            return Undone(asked.theme, asked.nominal, changed, form, changes)
        if last is None:
            return None
        asked = verification.by_box(event.key())[last.box]
        return Undone(asked.theme, asked.nominal, rulings.undo_batch(event, last.batch, who))


def _last_batch(connection: Connection, who: str, hidden: Collection[str]) -> Ruling | None:
    """The first ruling of what somebody ruled last here and that still stands."""
    table = tables.ruling
    mine = (table.c.who == who) & table.c.origin.startswith(rulings.CHIEF)
    boxes = connection.execute(select(table.c.sheet, table.c.box).where(mine).distinct())
    log = rulings.log_of(connection, [tuple(row) for row in boxes if row.sheet not in hidden])
    given = set(connection.execute(select(table.c.batch).where(mine).distinct()).scalars())
    other = {entry.batch for entry in log if entry.batch not in given}
    batch = undoable(log, who, other)
    return next((entry for entry in log if entry.batch == batch), None)
