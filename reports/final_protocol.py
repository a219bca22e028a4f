"""The protocol of the final: sum, stake, verdict and result of every player, to be signed.

A4 upright, every category on pages of its own, with a line that says what each sign means and how the final
ended. The same final gives the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.final_wording import fault_name, outcome_lines, stake_text, verdict_sign
from reports.fingerprint import keywords, seal, short
from reports.fitting import fit, paragraph
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.formula_escape import escape_formula
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper
from reports.shown_names import Names, shown_player
from reports.sign_off import SIGN_OFF_MM, sign_off
from reports.wording import places_text, points_text
from scoring.model import Player, Question
from scoring.stakes import FinalResult, FinalRow, StakeSheet

LEFT, RIGHT = 13.0, 197.0
HEAD_MM = 9.0
PLACE, NUMBER, NAME = LEFT + 11.0, LEFT + 22.0, LEFT + 25.0
BEFORE, WRITTEN, STAKE, VERDICT, CHANGE, AFTER = 128.0, 143.0, 157.0, 169.0, 183.0, RIGHT
MOST_ROOM = 13.5


@dataclass(frozen=True, slots=True)
class FinalPart:
    """The final of one category.

    Args:
        category: Its name.
        players: Everybody in it, by number.
        result: How it ended, or stands.
        sheets: What is entered of the players, by number; some may be missing.
        waiting: Players whose stake is scanned, but not entered.
    """

    category: str
    players: Mapping[int, Player]
    result: FinalResult
    sheets: Mapping[int, StakeSheet]
    waiting: tuple[int, ...] = ()

    def shown(self, names: Names) -> FinalPart:
        """The same with the players called so."""
        players = {number: shown_player(who, names) for number, who in self.players.items()}
        return replace(self, players=players)

    @property
    def open(self) -> bool:
        """True while a stake or a verdict is not settled."""
        return bool(self.waiting or self.result.chief or self.result.open_verdicts)


def final_fingerprint(title: str, parts: Sequence[FinalPart]) -> str:
    """The whole fingerprint of finals, 64 hexadecimal digits: another one for any other stake or result.

    Categories by name, rows by number; the fields are named one by one, as in `reports.fingerprint`.
    """
    data = {
        "title": title,
        "finals": [
            {
                "category": part.category,
                "winner": part.result.winner,
                "tied": sorted(part.result.tied),
                "rows": [
                    {
                        "number": row.number,
                        "name": part.players[row.number].name,
                        "before": row.before,
                        "written": list(sheet.stakes) if sheet else [],
                        "stake": row.stake,
                        "verdict": sheet.verdict.value if sheet and sheet.verdict else None,
                        "after": row.after,
                    }
                    for row in sorted(part.result.rows, key=lambda row: row.number)
                    for sheet in [part.sheets.get(row.number)]
                ],
            }
            for part in sorted(parts, key=lambda part: part.category)
        ],
    }
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def final_protocol_pdf(
    title: str,
    parts: Sequence[FinalPart],
    question: Question | None = None,
    *,
    generated_note: str = "",
    names: Names = Names.FULL,
) -> bytes:
    """Print the protocol in the current language, with the fingerprint of the finals as they truly are.

    Args:
        title: The event's.
        parts: One a category.
        question: The final question, printed with its answer; None leaves it out.
        generated_note: Printed small at the foot of every page.
        names: How the players are called.
    """
    whole = final_fingerprint(title, parts)
    paper = Paper(title=printable(title), keywords=keywords(whole))
    for index, part in enumerate(part.shown(names) for part in parts):
        if index:
            paper.next_page()
        count = len(part.result.rows)
        frame = PageFrame(
            title,
            part.category,
            LEFT,
            RIGHT,
            subtitle=_("protocol of the final"),
            about=ngettext("{n} player", "{n} players", count).format(n=count),
            note=generated_note,
            fingerprint=_("fingerprint {code}").format(code=short(whole)),
            banner=_("Preliminary: not everything is decided yet") if part.open else "",
            legend=_(
                "+ right · {minus} wrong · 0 no answer · ? for the chief · * set by the chief"
            ).format(minus="−"),
        )
        _category(paper, frame, part, question, f"final-{index}")
    if not parts:
        paper.text(LEFT, 48, pgettext("standings", "There are no players yet."), 12)
    return seal(paper.finish())


def _category(
    paper: Paper, frame: PageFrame, part: FinalPart, question: Question | None, key: str
) -> None:
    places = part.result.places()
    blocks = [_row(part, row, places.get(row.number)) for row in part.result.rows]
    blocks += [_sentence(line, BOLD if at == 0 else REGULAR) for at, line in _notes(part, question)]
    blocks.append(Block(SIGN_OFF_MM, lambda paper, y: sign_off(paper, y, LEFT, RIGHT)))
    top = frame.top + HEAD_MM
    pages = paginate(blocks, frame.bottom(paper) - top)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            paper.next_page()
        else:
            paper.bookmark(printable(part.category), key)
        frame.draw(paper, number, len(pages))
        _head(paper, frame.top)
        draw_blocks(paper, page, top, LEFT, RIGHT)


def _notes(part: FinalPart, question: Question | None) -> list[tuple[int, str]]:
    """The sentences below the table: 0 for one in bold, 1 for a plain one."""
    notes = [(0, line) for line in outcome_lines(part.result, part.players, part.waiting)]
    if question is not None:
        if question.text:
            notes.append((1, _("Question: {text}").format(text=question.text)))
        notes.append((1, _("Answer: {text}").format(text=question.answer)))
    return notes


def _row(part: FinalPart, row: FinalRow, place: tuple[int, int] | None) -> Block:
    player, sheet = part.players[row.number], part.sheets.get(row.number)
    name = fit(player.name, BOLD, 11, (BEFORE - MOST_ROOM - NAME) * MM, least=8.5, lines=3)
    fault = fault_name(row.fault)
    about = fit(fault, REGULAR, 8, (BEFORE - NAME) * MM, least=6, lines=1)
    first = 1.8 + name.size * CAP_HEIGHT / MM
    last = first + (len(name.lines) - 1) * name.size * LEADING / MM
    height = last + (5.0 if fault else 2.2)
    won = part.result.winner == row.number
    written = stake_text(sheet) or "–"
    if sheet is not None and sheet.ruled is not None:
        written += "*"
    cells = (
        (BEFORE, points_text(row.before), REGULAR),
        (WRITTEN, written, REGULAR),
        (STAKE, "?" if row.stake is None else str(row.stake), REGULAR),
        (VERDICT, verdict_sign(sheet.verdict if sheet else None), REGULAR),
        (CHANGE, "?" if row.change is None else _signed(row.change), REGULAR),
        (AFTER, points_text(row.after), BOLD),
    )

    def draw(paper: Paper, y: float) -> None:
        baseline = y + first
        if won:
            paper.fill([(LEFT, y + 0.2, RIGHT - LEFT, height - 0.3)], grey=0.9)
        where = fit(places_text(place), BOLD if won else REGULAR, 11, 10 * MM, least=7, lines=1)
        paper.fitted(PLACE, baseline, where, BOLD if won else REGULAR, align="right")
        paper.text(NUMBER, baseline, str(row.number), 9, align="right", grey=0.3)
        paper.fitted(NAME, baseline, name, BOLD)
        if fault:
            paper.fitted(NAME, y + last + 3.5, about, grey=0.2)
        for x, text, font in cells:
            words = fit(text, font, 11, MOST_ROOM * MM, least=6, lines=1)
            paper.fitted(x, baseline, words, font, align="right")
        paper.line(LEFT, y + height, RIGHT, y + height, 0.1, grey=0.5)

    return Block(height, draw)


def _sentence(text: str, font: str) -> Block:
    lines = paragraph(text, font, 10.5, (RIGHT - LEFT) * MM)
    step = 10.5 * LEADING / MM

    def draw(paper: Paper, y: float) -> None:
        for index, line in enumerate(lines):
            paper.text(LEFT, y + 6.0 + index * step, line, 10.5, font)

    return Block(3.0 + len(lines) * step, draw)


def _head(paper: Paper, y: float) -> None:
    for x, text, align in (
        (PLACE, pgettext("standings", "place"), "right"),
        (NUMBER, "№", "right"),
        (NAME, pgettext("standings", "player"), "left"),
        (BEFORE, pgettext("final", "sum"), "right"),
        (WRITTEN, pgettext("final", "written"), "right"),
        (STAKE, pgettext("final", "stake"), "right"),
        (VERDICT, pgettext("final", "answer"), "right"),
        (CHANGE, "±", "right"),
        (AFTER, pgettext("final", "result"), "right"),
    ):
        words = fit(text, REGULAR, 8.5, MOST_ROOM * MM, least=5, lines=1)
        paper.fitted(x, y + 5.4, words, align=align)
    paper.line(LEFT, y + HEAD_MM - 1.4, RIGHT, y + HEAD_MM - 1.4, 0.5)


def _signed(change: int) -> str:
    return f"+{change}" if change > 0 else points_text(change)


def final_csv(parts: Sequence[FinalPart]) -> bytes:
    """The final of all categories as one table that Russian Excel opens by a double click."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    titles = (
        pgettext("spreadsheet", "Category"),
        pgettext("spreadsheet", "Place from"),
        pgettext("spreadsheet", "Place to"),
        "№",
        pgettext("spreadsheet", "Player"),
        pgettext("spreadsheet", "Sum before"),
        pgettext("spreadsheet", "Stake as written"),
        pgettext("spreadsheet", "Stake"),
        pgettext("spreadsheet", "Remark on the stake"),
        pgettext("spreadsheet", "Verdict"),
        pgettext("spreadsheet", "Change"),
        pgettext("spreadsheet", "Sum after"),
    )
    writer.writerow([escape_formula(title) for title in titles])
    for part in parts:
        places = part.result.places()
        for row in part.result.rows:
            sheet = part.sheets.get(row.number)
            place = places.get(row.number, ("", ""))
            verdict = sheet.verdict.value if sheet and sheet.verdict else ""
            texts = [part.category, part.players[row.number].name, stake_text(sheet)]
            category, name, written = map(escape_formula, texts)
            numbers = ["" if n is None else n for n in (row.stake, row.change)]
            writer.writerow(
                [
                    *(category, *place, row.number, name, row.before, written, numbers[0]),
                    *(fault_name(row.fault), verdict, numbers[1], row.after),
                ]
            )
    return file.getvalue().encode("utf-8-sig")
