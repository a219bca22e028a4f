"""One wall for the browser, and what the browser's marks on it mean.

On a wall every answer is to the same question, so a sheet's name identifies one. Names of players are not
among what is sent.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel, Field
from sqlalchemy import Connection, select

from jury.boxes import FINAL_BOX, BoxId, BoxVerdict, box_key
from jury.normalise import fold
from jury.remarks import LONGEST_FORM, LONGEST_TEXT, Remark, read_remark
from jury.wall import Wall, WallEntry
from otbor.i18n import gettext as _
from scanner.geometry import SheetKind
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM
from scoring.model import AnswerKey, Question, Theme, Verdict
from service import (
    answers,
    double_showing,
    effect,
    kept_from,
    page_store,
    sightings,
    versions,
    walls,
)
from service.accounts import Account
from service.answers import Answer
from service.event import Event
from service.store import tables
from service.walls import Paper, RuledWall


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
    ruled: RuledWall

    @property
    def wall(self) -> Wall:
        """The answers in their order, with what is ruled on them."""
        return self.ruled.wall

    @property
    def question(self) -> Question:
        """What was asked."""
        return self.wall.question

    @property
    def box(self) -> str:
        """The box of the question on every sheet."""
        return box_key(self.question.theme, self.question.row)

    def page_of(self, box: BoxId) -> int:
        """The page on which a box of the wall is."""
        return self.ruled.paper.answers[box].page_id

    def fingerprint(self) -> str:
        """Equal for two looks at a wall if a juror saw the same: key, scans, readings, order, rulings."""
        question = self.question
        seen = [
            [self.theme.title, question.text, question.answer, question.remark],
            [list(question.accepted), list(question.rejected)],
            self.ruled.seen,
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:32]

    def verdicts(self, marks: MarksBody) -> list[BoxVerdict]:
        """What confirming the wall with these marks rules.

        Raises:
            ConflictError: The marks do not fit the wall.
        """

        def ids(sheets: list[str]) -> set[BoxId]:
            return {(sheet, self.box) for sheet in sheets}

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
    if own is None:
        ruled = walls.wall_of(event, question, hidden)
    else:
        ruled = walls.lay_over(walls.paper_of(event, question, hidden), own.ruled, own.reasons)
    return OpenWall(theme_of(key, question), ruled)


def theme_of(key: AnswerKey, question: Question) -> Theme:
    """The theme of a question; the final one, which belongs to none, gets one of its own."""
    if question.theme:
        return key.themes[question.theme - 1]
    return Theme(0, _("Final question"), (question,))


def as_json(event: Event, opened: OpenWall, who: str) -> dict[str, Any]:
    """The wall for the browser of one juror."""
    seen = sightings.seen_by(event, opened.box, who)
    question, marks = opened.question, opened.wall.initial_marks()
    paper = _paper_as_json(event, opened.ruled.paper)
    decisive = effect.on_wall(event, opened.box)

    def sheets(boxes: frozenset[BoxId]) -> list[str]:
        return sorted(sheet for sheet, _box in boxes)

    def entry(shown: WallEntry) -> dict[str, Any]:
        kept = paper[shown.id]
        return {
            **kept,
            "seen": kept["page"] in seen,
            # Of what this juror has said already it would tell that another one says otherwise.
            "matters": shown.sheet in decisive and shown.ruling in (None, Verdict.DISPUTED),
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
                for (sheet, _box), why in sorted(opened.ruled.disputes.items())
                for remark in [read_remark(why)]
            },
        },
    }


_Parts = Mapping[BoxId, dict[str, Any]]
_papers: WeakKeyDictionary[Paper, tuple[Mapping[int, str], _Parts]] = WeakKeyDictionary()


def _paper_as_json(event: Event, paper: Paper) -> _Parts:
    """What a browser is told of every answer whatever is ruled; kept as long as the paper is."""
    pictures = picture_versions(event)
    known = _papers.get(paper)
    if known is not None and known[0] is pictures:
        return known[1]
    made = {
        entry.id: _answer_as_json(entry, paper.answers[entry.id], pictures)
        for part in (paper.wall.written, paper.wall.blanks)
        for entry in part
    }
    _papers[paper] = (pictures, made)
    return made


def _answer_as_json(
    shown: WallEntry, answer: Answer, pictures: Mapping[int, str]
) -> dict[str, Any]:
    version = pictures.get(answer.page_id, "0")
    query = f"{shown.sheet}/{shown.box}?page={answer.page_id}&v={version}"
    suggestion = answer.suggestion
    # A form that differs from the reading in case or the like says nothing new.
    other = suggestion.form is not None and fold(suggestion.form) != fold(shown.text)
    return {
        "sheet": shown.sheet,
        "page": answer.page_id,
        "crop": f"/api/crop/{query}",
        "around": f"/api/around/{query}",
        "ink": shown.ink.value,
        "sure": shown.sure,
        "text": shown.text,
        "group": shown.says,
        "probability": round(shown.probability, 4),
        "suggestion": suggestion.verdict.value if suggestion.verdict else None,
        "form": suggestion.form if other else None,
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


_pictures: WeakKeyDictionary[Event, tuple[Any, dict[int, str]]] = WeakKeyDictionary()


def picture_versions(event: Event) -> dict[int, str]:
    """For every page a mark that changes with its pictures; the same object as long as nothing changes.

    Browsers keep pictures for good, by their address. The same number of a page may stand for another
    picture in another event on the same port, or after the event was made anew. What a person says of how
    a page lies changes its pictures too.
    """
    with event.database.reading() as connection:
        version = versions.paper(event)
        known = _pictures.get(event)
        if known is not None and known[0] == version:
            return known[1]
        made = _picture_versions(connection)
    if not event.database.in_change:
        _pictures[event] = (version, made)
    return made


def _picture_versions(connection: Connection) -> dict[int, str]:
    pages = select(tables.page.c.id, tables.page.c.file_id, tables.page.c.manual)
    files = select(tables.file.c.id, tables.file.c.sha256, tables.file.c.taken_at)
    marks = {
        row.id: hashlib.sha256(f"{row.sha256}{row.taken_at}".encode()).hexdigest()[:10]
        for row in connection.execute(files)
    }
    return {
        row.id: marks[row.file_id] + page_store.mark(row.manual)
        for row in connection.execute(pages)
    }
