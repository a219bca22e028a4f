"""Answers: one row a box of every sheet that counts, with reading, suggestion and ruling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import bindparam, select

from jury.boxes import FINAL_BOX, BoxId, box_key
from jury.progress import QuestionProgress
from jury.suggestion import NEUTRAL, Suggestion, suggest
from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from scanner.codes import parse_sheet_name
from scanner.contracts import Ink, Outcome
from scanner.geometry import SheetKind
from scoring.model import AnswerKey, Question, Verdict
from service import question_counts, rulings, sheets, verification
from service.event import Event
from service.store import tables

# A wall is opened again and again (to confirm it, by the next juror), with the same readings and key: on 300
# sheets comparing them anew is half of the time that a wall takes.
_suggest = lru_cache(maxsize=200_000)(suggest)
_sheet = lru_cache(maxsize=20_000)(parse_sheet_name)
NO_SUGGESTION = Suggestion(None, NEUTRAL)


@dataclass(frozen=True, slots=True)
class Answer:
    """One box of a sheet.

    `player` is None for a spare sheet that is nobody's yet; `text` and `confidence` are None where no
    reader was asked or it failed; `suggestion` is what the reading speaks for, `ruling` what the jury
    said, None if nothing.
    """

    sheet: str
    player: int | None
    theme: int
    row: int
    nominal: int
    box: str
    ink: Ink
    sure: bool
    text: str | None
    confidence: float | None
    suggestion: Suggestion
    ruling: Verdict | None
    page_id: int


def all_answers(
    event: Event,
    question: Question | None = None,
    ruled: Mapping[BoxId, Verdict] | None = None,
    *,
    suggesting: bool = True,
) -> list[Answer]:
    """The answers of all sheets that count, by sheet, theme and nominal; or those to one question.

    Final answers come only where the final question is asked for.

    Args:
        event: Where.
        question: Only this one.
        ruled: What is to be taken for ruled; what the ledger says, if None.
        suggesting: Work out what each reading speaks for: half of the time that this takes.
    """
    key = event.key()
    questions = verification.by_box(key)
    box = None if question is None else box_key(question.theme, question.row)
    if ruled is None:
        ruled = rulings.current(event, box)
    with event.database.reading() as connection:
        given = sheets.spare_players(connection)
    wanted = questions if box is None else {box: questions[box]} if box in questions else {}
    matches = verification.current(event.database, wanted) if suggesting else {}
    query = (
        select(tables.box, tables.page.c.sheet)
        .join(tables.page)
        .where(tables.page.c.outcome == Outcome.SHEET.value)
    )
    if box is not None:
        query = query.where(tables.box.c.key == box)
    found = []
    with event.database.reading() as connection:
        for row in connection.execute(query):
            asked = questions.get(row.key)
            kind, number = _sheet(row.sheet)
            if asked is None or (kind is SheetKind.FINAL) is not (box == FINAL_BOX):
                continue
            ink = Ink(row.ink)
            found.append(
                Answer(
                    sheet=row.sheet,
                    player=given.get(row.sheet) if kind is SheetKind.SPARE else number,
                    theme=asked.theme,
                    row=asked.row,
                    nominal=asked.nominal,
                    box=row.key,
                    ink=ink,
                    sure=row.sure,
                    text=row.text,
                    confidence=row.confidence,
                    suggestion=_suggest(
                        row.text or "",
                        row.confidence or 0.0,
                        ink,
                        asked,
                        matches.get((row.page_id, row.key), ()),
                    )
                    if suggesting
                    else NO_SUGGESTION,
                    ruling=ruled.get((row.sheet, row.key)),
                    page_id=row.page_id,
                )
            )
    return sorted(found, key=_order)


def _order(answer: Answer) -> tuple[bool, int, int, int]:
    kind, number = _sheet(answer.sheet)
    return (kind is not SheetKind.PERSONAL, number, answer.theme, answer.row)


def find_question(key: AnswerKey, theme: int, nominal: int) -> Question:
    """A question by theme and nominal.

    Raises:
        NotFoundError: There is none.
    """
    try:
        return key.question(theme, nominal)
    except KeyError as error:
        raise NotFoundError(
            _("There is no question {theme}–{nominal}.").format(theme=theme, nominal=nominal),
            _("Choose one from the list of questions."),
        ) from error


def progress_of_all(event: Event, without: Collection[str] = ()) -> list[QuestionProgress]:
    """How far every question of the written round is, in the order of the key.

    Args:
        event: Where.
        without: Sheets that do not count; see `service.kept_from`.
    """
    counts = question_counts.counts_of(event)
    if without:
        apart = question_counts.counts_on(event, without)
        counts = {box: count - apart.get(box, Counter()) for box, count in counts.items()}
    return [_progress(question, counts) for question in event.key().questions()]


def progress_of(event: Event, question: Question) -> QuestionProgress:
    """How far one question is, the final one too."""
    return _progress(question, question_counts.counts_of(event))


def _progress(question: Question, counts: question_counts.Counts) -> QuestionProgress:
    count = counts.get(box_key(question.theme, question.row), Counter())
    return QuestionProgress(
        theme=question.theme,
        nominal=question.nominal,
        written=count["written"],
        blank=count["blank"],
        ruled=count["ruled"],
        disputed=count["disputed"],
    )


# Made once: there are hundreds of pictures on every wall.
_PLACE = (
    select(tables.box.c.start, tables.box.c.size, tables.page.c.pack)
    .join(tables.page)
    .where(tables.page.c.sheet == bindparam("sheet"), tables.box.c.key == bindparam("box"))
)
_PICTURE = _PLACE.where(tables.page.c.id == bindparam("page"))
_COUNTING_PICTURE = _PLACE.where(tables.page.c.outcome == Outcome.SHEET.value)


def crop(event: Event, sheet: str, box: str, page_id: int | None = None) -> bytes:
    """The picture of one box, JPEG.

    Args:
        event: Where.
        sheet: The sheet's name.
        box: The box's key.
        page_id: Which scan of the sheet; the one that counts if None.

    Raises:
        NotFoundError: The sheet has no such box, or its pictures are gone.
    """
    asked = {"sheet": sheet, "box": box, "page": page_id}
    query = _COUNTING_PICTURE if page_id is None else _PICTURE
    with event.database.reading() as connection:
        row = connection.execute(query, asked).first()
    try:
        if row is not None:
            return event.blobs.get(row.pack, row.start, row.size)
    except FileNotFoundError:
        row = None
    raise NotFoundError(
        _("There is no picture of box {box} on sheet {sheet}.").format(box=box, sheet=sheet),
        _("Scan the sheet again."),
    )


def page_picture(event: Event, page_id: int) -> bytes:
    """The picture of a whole page, JPEG.

    Raises:
        NotFoundError: There is no such page.
    """
    with event.database.reading() as connection:
        row = connection.execute(
            select(tables.page.c.pack, tables.page.c.thumbnail_size).where(
                tables.page.c.id == page_id
            )
        ).first()
    if row is None or not row.thumbnail_size:
        raise NotFoundError(
            _("There is no picture of page {page}.").format(page=page_id),
            _("Scan the file again."),
        )
    return event.blobs.get(row.pack, 0, row.thumbnail_size)
