"""The final stake on paper: what was handed in, checked against the sums, and how the final ended.

The rules are the regulation's (`scoring.stakes`). What people enter, one line a player, is kept in the
journal; the newest line of a player counts. The sums are those of the standings at this moment, so a later
ruling on the written round shows at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jury.boxes import FINAL_BOX, BoxVerdict
from otbor.errors import ConflictError, InputFileError, NotFoundError, TableError
from otbor.i18n import gettext as _
from reports.final_protocol import FinalPart
from scoring.model import Player, Regulation, Standings, Status
from scoring.rules import FinalStake
from scoring.rulings import WORDS
from scoring.stakes import (
    FinalResult,
    Opening,
    StakeSheet,
    check_stake,
    limits,
    play_final,
)
from scoring.table import Line, read_table, refused
from scoring.ties import Evidence
from service import answers, final_entries, number_boxes, rulings
from service.decisions import in_force
from service.event import Event
from service.output import write
from service.results import event_standings

COLUMNS = {
    "number": ("number", "номер", "№", "игрок"),
    "stake": ("stake", "ставка"),
    "verdict": ("verdict", "вердикт", "решение"),
    "ruled": ("ruled", "ставка судьи", "решение о ставке"),
}
UNREADABLE = "?"
_VERDICTS = {word: verdict for verdict, words in WORDS.items() for word in words}
_PLAYING = frozenset({Status.IN, Status.OUT, Status.TIED, Status.RESERVE})


@dataclass(frozen=True, slots=True)
class Final:
    """The final of one category.

    `sheets` is what is entered of its players, by number. `waiting` are the numbers of players whose final
    sheet was scanned, but of whom no stake is entered.
    """

    category: str
    players: dict[int, Player]
    result: FinalResult
    waiting: tuple[int, ...]
    sheets: dict[int, StakeSheet]


def rule_of(regulation: Regulation) -> FinalStake:
    """The regulation's rule on the final stake.

    Raises:
        ConflictError: It has none.
    """
    if regulation.final is None:
        raise ConflictError(
            _("The regulation of this event has no final stake."),
            _("Add a table [final] to it: “otbor regulation show chat” has one to begin with."),
        )
    return regulation.final


def parse_stakes(data: bytes, source: str) -> list[StakeSheet]:
    """Read stakes from CSV of number, stake, verdict and, where the chief decided, ruled.

    A stake is a number; empty if nothing is in the boxes; `?` if nobody can read it; two numbers with a
    slash between if two were written. A verdict may be empty while the answer is not judged.

    Raises:
        TableError: A line says something else, or a player is there twice; the line is named.
    """
    lines = read_table(data, source=source, columns=COLUMNS, required=("number", "stake"))
    found: dict[int, StakeSheet] = {}
    for line in lines:
        sheet = _sheet(line, source)
        if sheet.number in found:
            raise refused(
                source,
                line.number,
                _("player {number} is there twice").format(number=sheet.number),
                _("Leave one of the two lines; nothing was entered."),
            )
        found[sheet.number] = sheet
    return list(found.values())


def _sheet(line: Line, source: str) -> StakeSheet:
    cells = {name: line.cells.get(name, "").strip() for name in COLUMNS}
    stakes = [] if cells["stake"] == UNREADABLE else re.split(r"[/\s]+", cells["stake"])
    numbers = [cells["number"], *(part for part in stakes if part), cells["ruled"] or "0"]
    if not all(number.isascii() and number.isdigit() for number in numbers):
        raise refused(
            source,
            line.number,
            _("a number is expected"),
            _("Write the stake as a number, leave it empty, or write ? if nobody can read it."),
        )
    verdict = _VERDICTS.get(cells["verdict"].casefold()) if cells["verdict"] else None
    if cells["verdict"] and verdict is None:
        raise refused(
            source,
            line.number,
            _("“{cell}” is no verdict").format(cell=cells["verdict"]),
            _("Write “right” or +, “wrong” or -, “blank” or 0, “disputed” or ?."),
        )
    return StakeSheet(
        number=int(cells["number"]),
        stakes=tuple(int(part) for part in stakes if part),
        unreadable=cells["stake"] == UNREADABLE,
        verdict=verdict,
        ruled=int(cells["ruled"]) if cells["ruled"] else None,
    )


def enter(event: Event, path: Path, who: str) -> int:
    """Enter a file of stakes, all lines or none; returns how many.

    Raises:
        InputFileError: The file cannot be read.
        TableError: A line says something that cannot be.
        NotFoundError: It names somebody who is not in the final.
        ConflictError: The regulation has no final stake, or the chief's stake is not allowed.
    """
    rule_of(event.regulation())
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputFileError(
            _("The file {path} cannot be read: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Check the name and try again."),
        ) from error
    given = parse_stakes(data, str(path))
    standings = event_standings(event)
    playing = {
        number for part in standings.categories for number in sums_of(standings, part.category)
    }
    strangers = sorted(sheet.number for sheet in given if sheet.number not in playing)
    if strangers:
        raise NotFoundError(
            _("Not in the final: {numbers}.").format(numbers=", ".join(map(str, strangers))),
            _("Only players whose answer sheet is here play it. Nothing was entered."),
        )
    with event.database.writing() as connection:
        now = final_entries.sheets(event) | {sheet.number: sheet for sheet in given}
        for part in standings.categories:
            play(event, standings, part.category, list(now.values()))
        lines = [(sheet.number, final_entries.said_of(sheet)) for sheet in given]
        final_entries.append(connection, who, lines, why=path.name)
        rulings.enter(
            event,
            [
                BoxVerdict(final_entries.final_sheet(sheet.number), FINAL_BOX, sheet.verdict)
                for sheet in given
                if sheet.verdict is not None
            ],
            who,
            origin=rulings.FROM_FILE,
            why=path.name,
            only_changes=True,
        )
    return len(given)


def finals(event: Event, category: str = "", standings: Standings | None = None) -> list[Final]:
    """How the final stands in every category, or in one.

    Args:
        event: Whose.
        category: Which; all if empty.
        standings: As they are now, if they are known already.

    Raises:
        ConflictError: The regulation has no final stake.
        NotFoundError: There is no such category.
    """
    rule = rule_of(event.regulation())
    standings = standings or event_standings(event)
    names = [part.category for part in standings.categories]
    if category and category not in names:
        raise NotFoundError(
            _("There is no category “{name}”.").format(name=category),
            _("Choose one of: {names}.").format(names=", ".join(names)),
        )
    entered = final_entries.sheets(event)
    given, known = list(entered.values()), final_entries.staked(event)
    scanned = set(number_boxes.final_pages(event))
    found = []
    for part in standings.categories:
        if category in ("", part.category):
            players = {row.player.number: row.player for row in part.rows}
            waiting = tuple(sorted((scanned - known.keys()) & players.keys()))
            sums = sums_of(standings, part.category)
            allowed = [as_allowed(s, sums[s.number], rule) for s in given if s.number in sums]
            result = play(event, standings, part.category, allowed)
            if result.opening is not Opening.PLAYED:
                waiting = ()
            waiting = tuple(n for n in waiting if n in sums and limits(sums[n], rule))
            if waiting:
                result = _left_open(result, waiting)
            own = {sheet.number: sheet for sheet in allowed}
            found.append(Final(part.category, players, result, waiting, own))
    return found


def _left_open(result: FinalResult, waiting: Sequence[int]) -> FinalResult:
    """The final while stakes that were handed in are not entered yet: they are no missing stakes."""
    rows = tuple(
        replace(row, stake=None, fault=None, change=None, after=row.before)
        if row.number in waiting
        else row
        for row in result.rows
    )
    return replace(
        result,
        rows=tuple(sorted(rows, key=lambda row: (-row.after, row.number))),
        winner=None,
        tied=(),
        waiting=None,
        chief=tuple(number for number in result.chief if number not in waiting),
        open_verdicts=tuple(n for n in result.open_verdicts if n not in waiting),
        groups=(),
    )


def parts(found: Sequence[Final]) -> list[FinalPart]:
    """The finals as they are printed."""
    return [
        FinalPart(part.category, part.players, part.result, part.sheets, part.waiting)
        for part in found
    ]


def play(event: Event, standings: Standings, category: str, given: list[StakeSheet]) -> FinalResult:
    """The final of a category with these sheets; those of others are left out.

    Raises:
        ConflictError: The regulation has no final stake, or a stake set by the chief is not allowed.
    """
    sums = sums_of(standings, category)
    decisions = in_force(event)
    return play_final(
        sums,
        [sheet for sheet in given if sheet.number in sums],
        rule_of(event.regulation()),
        standings.regulation.ties,
        Evidence(_no_measure, list(decisions.shoot_outs), list(decisions.lots)),
    )


def as_allowed(sheet: StakeSheet, points: int, rule: FinalStake) -> StakeSheet:
    """The sheet without a chief's stake that is above the sum by now: the chief is asked anew.

    When it was set it was allowed; a later ruling on the written round has changed the sum.
    """
    try:
        check_stake(sheet, points, rule)
    except ConflictError:
        return replace(sheet, ruled=None)
    return sheet


def _no_measure(_number: int, _key: object) -> tuple[int, ...]:
    """A count-back of the written round says nothing of a final that was staked."""
    return ()


def sums_of(standings: Standings, category: str) -> dict[int, int]:
    """The sums of those in a category who are in the final, by number."""
    return {
        row.player.number: row.score
        for part in standings.categories
        if part.category == category
        for row in part.rows
        if row.status in _PLAYING
    }


def write_crops(event: Event, folder: Path) -> list[Path]:
    """Write the pictures of every scanned stake and final answer, and a table to fill in beside them."""
    pages = sorted(number_boxes.final_pages(event))
    files = [
        write(folder / f"{sheet}-{box}.jpg", answers.crop(event, sheet, box))
        for sheet in map(final_entries.final_sheet, pages)
        for box in (number_boxes.STAKE, FINAL_BOX)
    ]
    lines = ["number;stake;verdict;ruled", *(f"{number};;;" for number in pages)]
    table = "\r\n".join(lines) + "\r\n"
    if not pages:
        raise TableError(
            _("No final sheet has been scanned."),
            _("Scan them with “otbor scan”, or fill in a table of number, stake, verdict by hand."),
        )
    return [*files, write(folder / "final.csv", table.encode("utf-8-sig"))]
