"""One wall for the browser, and what the browser's marks on it mean.

On a wall every answer is to the same question, so a sheet's name identifies one. Names of players are not
among what is sent.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import BaseModel, Field
from sqlalchemy import select

from jury.boxes import FINAL_BOX, BoxId, BoxVerdict, box_key
from jury.normalise import fold
from jury.remarks import LONGEST_FORM, LONGEST_TEXT, Remark, read_remark
from jury.wall import Wall, WallEntry
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.geometry import SheetKind
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM
from scoring.model import AnswerKey, Question, Theme, Verdict
from service import answers, double_showing, effect, kept_from, page_store, rulings, sightings
from service.accounts import Account
from service.answers import Answer
from service.event import Event
from service.store import tables


class WallChangedError(ConflictError):
    """The wall is not the one that the juror was looking at."""

    code: ClassVar[str] = "wall_changed"


class RemarkBody(BaseModel):
    """What a juror says beside «disputed»; `form` is proposed for the key."""

    text: str = Field("", max_length=LONGEST_TEXT)
    form: str = Field("", max_length=LONGEST_FORM)


class MarksBody(BaseModel):
    """What a juror has set: `jury.wall.Marks`, with sheets in the place of boxes."""

    boundary: int = Field(ge=0)
    flipped: list[str] = []
    disputed: list[str] = []
    emptied: list[str] = []
    written_blanks: dict[str, Verdict | None] = {}
    remarks: dict[str, RemarkBody] = {}


class ConfirmBody(BaseModel):
    """A confirmation; `fingerprint` is that of the wall as the juror saw it."""

    fingerprint: str
    marks: MarksBody


class SeenBody(BaseModel):
    """Pages on which the box of the question was in view for long enough."""

    pages: list[int] = Field(max_length=10_000)


@dataclass(frozen=True, slots=True)
class OpenWall:
    """A wall as it is at one moment."""

    theme: Theme
    wall: Wall
    answers: dict[BoxId, Answer]
    disputes: dict[BoxId, str]
    """Why the disputed ones are disputed."""

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.wall.question

    @property
    def box(self) -> str:
        """The box of the question on every sheet."""
        return box_key(self.question.theme, self.question.row)

    def fingerprint(self) -> str:
        """Equal for two looks at a wall if a juror saw the same: key, scans, readings, order, rulings."""
        question = self.question
        seen = [
            [self.theme.title, question.text, question.answer, question.remark],
            [list(question.accepted), list(question.rejected)],
            *(self._seen(part) for part in (self.wall.written, self.wall.blanks)),
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]

    def _seen(self, entries: tuple[WallEntry, ...]) -> list[list[str | int | None]]:
        return [
            [
                *(entry.sheet, self.answers[entry.id].page_id, entry.ink, entry.text, entry.ruling),
                self.disputes.get(entry.id, ""),
            ]
            for entry in entries
        ]

    def verdicts(self, marks: MarksBody) -> list[BoxVerdict]:
        """What confirming the wall with these marks rules.

        Raises:
            ConflictError: The marks do not fit the wall.
        """

        def ids(sheets: list[str]) -> list[BoxId]:
            return [(sheet, self.box) for sheet in sheets]

        given = self.wall.rulings(
            marks.boundary,
            ids(marks.flipped),
            ids(marks.disputed),
            {(sheet, self.box): verdict for sheet, verdict in marks.written_blanks.items()},
            ids(marks.emptied),
        )
        remarks = {sheet: Remark(one.text, one.form).why for sheet, one in marks.remarks.items()}
        return [
            replace(verdict, why=remarks[verdict.sheet])
            if verdict.verdict is Verdict.DISPUTED and verdict.sheet in remarks
            else verdict
            for verdict in given
        ]


def open_wall(event: Event, theme: int, nominal: int, account: Account) -> OpenWall:
    """The wall of a question as it is now for one juror: without the sheets that they are kept from.

    Raises:
        NotFoundError: There is no such question.
    """
    key = event.key()
    question = answers.find_question(key, theme, nominal)
    hidden = kept_from.hidden_sheets(event, account)
    box = box_key(question.theme, question.row)
    own = double_showing.shown_to(event, account.name, box)
    wall, found = answers.wall_with_answers(event, question, hidden, own.ruled if own else None)
    why = (
        own.reasons if own else {at: each.why for at, each in rulings.disputes(event, box).items()}
    )
    reasons = {at: reason for at, reason in why.items() if at in found}
    return OpenWall(theme_of(key, question), wall, found, reasons)


def theme_of(key: AnswerKey, question: Question) -> Theme:
    """The theme of a question; the final one, which belongs to none, gets one of its own."""
    if question.theme:
        return key.themes[question.theme - 1]
    return Theme(0, _("Final question"), (question,))


def decide(
    event: Event, theme: int, nominal: int, body: ConfirmBody, account: Account
) -> list[BoxVerdict]:
    """The verdicts that a confirmation means, if the wall still is what the juror saw.

    A verdict that stands already and stays as it is was given by somebody who saw the answer.

    Raises:
        WallChangedError: It is not.
        UnseenError: The juror has not seen an answer whose verdict would be new.
    """
    opened = open_wall(event, theme, nominal, account)
    if opened.fingerprint() != body.fingerprint:
        raise WallChangedError(
            _("This question has changed since you opened it; nothing was recorded."),
            _("A sheet came in, or somebody else ruled on it. Load it again and confirm it then."),
        )
    verdicts = opened.verdicts(body.marks)
    new = [
        verdict.id for verdict in verdicts if opened.answers[verdict.id].ruling != verdict.verdict
    ]
    pages = [opened.answers[box].page_id for box in new]
    sightings.require(pages, sightings.seen_by(event, opened.box, account.name))
    return verdicts


def as_json(event: Event, opened: OpenWall, who: str) -> dict[str, Any]:
    """The wall for the browser of one juror."""
    seen = sightings.seen_by(event, opened.box, who)
    question, marks = opened.question, opened.wall.initial_marks()
    versions = picture_versions(event)
    decisive = effect.on_wall(event, opened.box)

    def sheets(boxes: frozenset[BoxId]) -> list[str]:
        return sorted(sheet for sheet, _box in boxes)

    def entry(shown: WallEntry) -> dict[str, Any]:
        answer = opened.answers[shown.id]
        version = versions.get(answer.page_id, "0")
        query = f"{shown.sheet}/{shown.box}?page={answer.page_id}&v={version}"
        suggestion = answer.suggestion
        # A form that differs from the reading in case or the like says nothing new.
        other = suggestion.form is not None and fold(suggestion.form) != fold(shown.text)
        return {
            "sheet": shown.sheet,
            "page": answer.page_id,
            "seen": answer.page_id in seen,
            "crop": f"/api/crop/{query}",
            "around": f"/api/around/{query}",
            "ink": shown.ink.value,
            "sure": shown.sure,
            # Of what this juror has said already it would tell that another one says otherwise.
            "matters": shown.sheet in decisive and shown.ruling in (None, Verdict.DISPUTED),
            "text": shown.text,
            "group": shown.says,
            "probability": round(shown.probability, 4),
            "suggestion": suggestion.verdict.value if suggestion.verdict else None,
            "form": suggestion.form if other else None,
            "ruling": shown.ruling.value if shown.ruling else None,
        }

    return {
        "theme": question.theme,
        "title": opened.theme.title,
        "nominal": question.nominal,
        "box": opened.box,
        "fingerprint": opened.fingerprint(),
        "key_version": event.key_version(),
        "key": {
            "text": question.text,
            "answer": question.answer,
            "accepted": list(question.accepted),
            "rejected": list(question.rejected),
            "remark": question.remark,
        },
        "crop": crop_size(event, question),
        "written": [entry(shown) for shown in opened.wall.written],
        "blanks": [entry(shown) for shown in opened.wall.blanks],
        "marks": {
            "boundary": marks.boundary,
            "flipped": sheets(marks.flipped),
            "disputed": sheets(marks.disputed),
            "emptied": sheets(marks.emptied),
            "written_blanks": {
                sheet: verdict.value if verdict else None
                for (sheet, _box), verdict in marks.written_blanks.items()
            },
            "remarks": {
                sheet: {"text": remark.text, "form": remark.form}
                for (sheet, _box), why in sorted(opened.disputes.items())
                for remark in [read_remark(why)]
            },
        },
    }


def crop_size(event: Event, question: Question) -> dict[str, int]:
    """Pixels of a crop, known before it is loaded: the page must not jump when pictures arrive."""
    if question.theme:
        blank = event.geometry.blank_of(SheetKind.PERSONAL)
        inside = blank.box(question.theme, question.row).rect
    else:
        fields = event.geometry.blank_of(SheetKind.FINAL).fields
        inside = next(field.rect for field in fields if field.key == FINAL_BOX)
    rect = inside.grown(CROP_MARGIN_MM)
    return {"width": round(rect.width * PX_PER_MM), "height": round(rect.height * PX_PER_MM)}


def picture_versions(event: Event) -> dict[int, str]:
    """For every page a mark that changes with its pictures.

    Browsers keep pictures for good, by their address. The same number of a page may stand for another
    picture in another event on the same port, or after the event was made anew. What a person says of how
    a page lies changes its pictures too.
    """
    pages = select(tables.page.c.id, tables.page.c.file_id, tables.page.c.manual)
    files = select(tables.file.c.id, tables.file.c.sha256, tables.file.c.taken_at)
    with event.database.reading() as connection:
        marks = {
            row.id: hashlib.sha256(f"{row.sha256}{row.taken_at}".encode()).hexdigest()[:10]
            for row in connection.execute(files)
        }
        return {
            row.id: marks[row.file_id] + page_store.mark(row.manual)
            for row in connection.execute(pages)
        }
