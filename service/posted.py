"""What is posted of one player: the newest publication's verdicts, key and sheet, not those in flux.

A publication keeps the standings. What belongs to them (which verdicts, which key, whose which sheet was)
is read from the ledger and the journal as they were at that moment: both only ever grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import Connection, select

from jury.boxes import box_key
from scanner.codes import sheet_name
from scanner.contracts import Outcome
from scanner.geometry import SheetKind
from scoring.key import parse_key
from scoring.model import (
    AnswerKey,
    CategoryStandings,
    Question,
    StandingRow,
    Status,
    Verdict,
)
from service import journal, publications, sheets
from service.event import Event
from service.journal import Kind
from service.publications import Publication
from service.store.tables import box, page, ruling

_parse = lru_cache(maxsize=16)(parse_key)


@dataclass(frozen=True, slots=True)
class PostedAnswer:
    """One box as it is posted.

    `verdict` and `points` are None where the publication was provisional and nobody had confirmed it;
    `page_id` is the scan whose picture may be shown, None if there is none.
    """

    question: Question
    box: str
    verdict: Verdict | None
    points: int | None
    removed: bool
    reading: str
    page_id: int | None


@dataclass(frozen=True, slots=True)
class PostedPlayer:
    """One player in a publication; `sheet` is the one that counted then, None if there was none."""

    publication: Publication
    part: CategoryStandings
    row: StandingRow
    sheet: str | None
    key: AnswerKey
    answers: tuple[PostedAnswer, ...]

    @property
    def played(self) -> bool:
        """True if there are answers to show."""
        return self.row.status is not Status.ABSENT and not self.row.exempt

    def answer(self, theme: int, nominal: int) -> PostedAnswer | None:
        """The answer to a question; None if there is no such question."""
        return next(
            (
                answer
                for answer in self.answers
                if (answer.question.theme, answer.question.nominal) == (theme, nominal)
            ),
            None,
        )


def posted_player(event: Event, number: int) -> PostedPlayer | None:
    """What the newest publication says of a player.

    None before the first publication, after it has been withdrawn, and for a player who is not in it.

    The pictures are those of the scan that counts today; they are left out where the sheet is another
    player's today, because it had been given to the wrong one.
    """
    with event.database.reading() as connection:
        publication = publications.newest(event)
        if publication is None:
            return None
        found = next(
            (
                (part, row)
                for part in publication.standings.categories
                for row in part.rows
                if row.player.number == number
            ),
            None,
        )
        if found is None:
            return None
        part, row = found
        sheet = _sheet(connection, publication, number)
        key = _key(connection, publication)
        # A spare that is somebody else's today shows that one's answers.
        own = sheet is not None and _owner(connection, sheet) == number
        pictures = _boxes(connection, sheet) if sheet is not None and own else {}
        verdicts = _verdicts(connection, publication, sheet) if sheet is not None else {}
        answers = _answers(publication, row, key, verdicts, pictures)
    return PostedPlayer(publication, part, row, sheet, key, answers)


def _answers(
    publication: Publication,
    row: StandingRow,
    key: AnswerKey,
    verdicts: Mapping[str, Verdict],
    pictures: Mapping[str, tuple[str, int]],
) -> tuple[PostedAnswer, ...]:
    nominals = publication.standings.regulation.nominals
    answers = []
    for at, points in enumerate(row.cells):
        theme, index = divmod(at, len(nominals))
        name = box_key(theme + 1, index + 1)
        place = (theme + 1, nominals[index])
        reading, page_id = pictures.get(name, ("", None))
        try:
            question = key.question(*place)
        except KeyError:  # a key with gaps: shown without what is accepted
            question = Question(place[0], index + 1, place[1], "")
        answers.append(
            PostedAnswer(
                question=question,
                box=name,
                verdict=None if points is None else verdicts.get(name),
                points=points,
                removed=place in publication.standings.removed,
                reading=reading,
                page_id=page_id,
            )
        )
    return tuple(answers)


def _key(connection: Connection, publication: Publication) -> AnswerKey:
    """The key in force when it was published."""
    text = ""
    for entry in journal.entries(connection, Kind.KEY):
        if entry.id < publication.entry:
            text = entry.payload["text"]
    return _parse(text, source=Kind.KEY, regulation=publication.standings.regulation)


def _sheet(connection: Connection, publication: Publication, number: int) -> str | None:
    """The sheet that counted for a player then: a spare given to them, else the personal one."""
    given: dict[str, int | None] = {}
    for entry in journal.entries(connection, Kind.ASSIGN_PLAYER):
        if entry.id < publication.entry:
            given[entry.payload["sheet"]] = entry.payload["player"]
    spares = [sheet for sheet, player in given.items() if player == number]
    for sheet in [*spares, sheet_name(SheetKind.PERSONAL, number)]:
        scanned = select(page.c.id).where(
            page.c.sheet == sheet,
            page.c.outcome.in_([Outcome.SHEET.value, Outcome.DUPLICATE.value]),
            page.c.done_at <= publication.at,
        )
        if connection.execute(scanned.limit(1)).first() is not None:
            return sheet
        if _verdicts(connection, publication, sheet):
            return sheet
    return None


def _owner(connection: Connection, sheet: str) -> int | None:
    """Whose a sheet is now."""
    given = sheets.spare_players(connection)
    if sheet in given:
        return given[sheet]
    return None if sheet.startswith("S") else int(sheet)


def _verdicts(connection: Connection, publication: Publication, sheet: str) -> dict[str, Verdict]:
    """Box → verdict as the publication counted it."""
    query = select(ruling.c.box, ruling.c.verdict).where(ruling.c.sheet == sheet)
    if publication.ruling is not None:
        query = query.where(ruling.c.id <= publication.ruling)
    else:
        query = query.where(ruling.c.at <= publication.at)
    rows = connection.execute(query.order_by(ruling.c.id))
    newest = {row.box: row.verdict for row in rows}
    return {name: Verdict(verdict) for name, verdict in newest.items() if verdict is not None}


def _boxes(connection: Connection, sheet: str) -> dict[str, tuple[str, int]]:
    """Box → reading, and the page whose picture is shown."""
    query = (
        select(box.c.key, box.c.text, box.c.page_id)
        .join(page)
        .where(page.c.sheet == sheet, page.c.outcome == Outcome.SHEET.value)
    )
    return {row.key: (row.text or "", row.page_id) for row in connection.execute(query)}
