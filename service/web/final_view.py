"""The final for the browser: stakes without names for jurors, with names and sums for who may see results."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from otbor.i18n import pgettext
from reports.final_wording import fault_name, opening_name, outcome_lines, stake_text, verdict_sign
from reports.wording import places_text, points_text
from scanner.geometry import SheetKind
from scanner.recognition import CROP_MARGIN_MM
from scanner.rectify import PX_PER_MM
from scoring.model import Standings
from scoring.rules import StakeFault
from service import answers, final_stakes, finals, kept_from, number_boxes, sightings
from service.accounts import Account, Right
from service.event import Event
from service.final_entries import final_sheet
from service.final_stakes import Given, StakeLine, StakeWall
from service.results import event_standings
from service.web.wall_view import picture_versions


class StakeBody(BaseModel):
    """One stake as it was typed, with what was looked at: the page, and the line of the journal."""

    number: int
    text: str = Field(max_length=80)
    page: int
    entered: int = 0

    def given(self) -> Given:
        """As the service takes it."""
        return Given(self.number, self.text, self.page, self.entered)


class StakesBody(BaseModel):
    """Stakes that are entered together."""

    category: str
    stakes: list[StakeBody] = Field(max_length=5000)


class RuledBody(BaseModel):
    """The chief's word on one stake; None leaves it to the regulation again."""

    category: str
    number: int
    stake: int | None = Field(default=None, ge=0, le=10**9)
    why: str = Field(default="", max_length=1000)


class SeenBody(BaseModel):
    """Pages whose stake was in view for long enough."""

    pages: list[int] = Field(max_length=10_000)


def as_json(event: Event, category: str, account: Account) -> dict[str, Any]:
    """The final of one category as one account may see it."""
    standings = event_standings(event)
    wall = final_stakes.stake_wall(event, category, standings)
    hidden = kept_from.hidden_sheets(event, account)
    lines = [line for line in wall.lines if final_sheet(line.player.number) not in hidden]
    seen = sightings.seen_by(event, number_boxes.STAKE, account.name)
    versions = picture_versions(event)
    named = account.may(Right.RESULTS)
    return {
        "category": wall.category,
        "opening": opening_name(wall.opening),
        "crop": _crop_size(event),
        "stakes": [_line(line, versions, seen, named) for line in lines],
        "open": sum(not line.entered and line.allowed is not None for line in lines),
        "without_sheet": _without(wall, named),
        "answers": _answers(event),
        "result": _result(event, category, standings) if named else None,
    }


def _line(line: StakeLine, versions: dict[int, str], seen: set[int], named: bool) -> dict[str, Any]:
    sheet = final_sheet(line.player.number)
    version = versions.get(line.page_id, "0")
    return {
        "number": line.player.number,
        "page": line.page_id,
        "entered": line.entered,
        "seen": line.page_id in seen,
        "crop": f"/api/crop/{sheet}/{number_boxes.STAKE}?page={line.page_id}&v={version}",
        "text": line.text,
        "read": {
            "text": _shown(line),
            "sure": line.reading.sure,
            "read": line.reading.read,
        },
        "may_stake": line.allowed is not None,
        "doubtful": line.doubtful,
        "check": check(line),
        "ruled": line.sheet.ruled,
        "player": _who(line) if named else None,
    }


def _shown(line: StakeLine) -> str:
    """The reading cell by cell, without the empty cells around it."""
    return line.reading.text.strip("_").replace("_", " ")


def _who(line: StakeLine) -> dict[str, Any]:
    return {
        "name": line.player.name,
        "sum": points_text(line.points),
        "least": line.allowed[0] if line.allowed else None,
        "most": line.allowed[1] if line.allowed else None,
    }


def check(line: StakeLine) -> dict[str, Any]:
    """What is to be said of a stake, without name and sum."""
    if line.allowed is None:
        state, word = "out", pgettext("stake", "no right to stake")
    elif line.checked.fault is None:
        state, word = "good", pgettext("stake", "allowed")
    else:
        state = "chief" if line.checked.stake is None else "mended"
        zero = line.checked.fault is StakeFault.TOO_LOW and line.sheet.stakes == (0,)
        word = pgettext("stake", "zero") if zero else fault_name(line.checked.fault)
    return {"state": state, "word": word, "effect": final_stakes.remedy_text(line)}


def _crop_size(event: Event) -> dict[str, int]:
    fields = event.geometry.blank_of(SheetKind.FINAL).fields
    rect = next(field.rect for field in fields if field.key == number_boxes.STAKE)
    grown = rect.grown(CROP_MARGIN_MM)
    return {"width": round(grown.width * PX_PER_MM), "height": round(grown.height * PX_PER_MM)}


def _without(wall: StakeWall, named: bool) -> dict[str, Any]:
    names = [f"{player.name} ({player.number})" for player in wall.without_sheet]
    return {
        "count": len(names),
        "names": names if named else [],
        "unsettled": len(wall.unsettled),
    }


def _answers(event: Event) -> dict[str, int] | None:
    """How far the final answers are; None if the key holds no final question."""
    question = event.key().final
    if question is None:
        return None
    part = answers.progress_of(event, question)
    return {"total": part.total, "left": part.unruled, "disputed": part.disputed}


def _result(event: Event, category: str, standings: Standings) -> dict[str, Any]:
    [part] = finals.finals(event, category, standings)
    scanned = number_boxes.final_pages(event)
    places = part.result.places()
    rows = [
        {
            "place": places_text(places.get(row.number)),
            "number": row.number,
            "name": part.players[row.number].name,
            "before": points_text(row.before),
            "written": stake_text(sheet) or "–",
            "stake": "?" if row.stake is None else str(row.stake),
            "fault": fault_name(row.fault),
            "answer": verdict_sign(sheet.verdict if sheet else None),
            "change": "?" if row.change is None else _signed(row.change),
            "after": points_text(row.after),
            "winner": row.number == part.result.winner,
            # Of others the chief decides at the card of the stake.
            "chief": row.number in part.result.chief and row.number not in scanned,
        }
        for row in part.result.rows
        for sheet in [part.sheets.get(row.number)]
    ]
    return {"rows": rows, "lines": outcome_lines(part.result, part.players, part.waiting)}


def _signed(change: int) -> str:
    return f"+{change}" if change > 0 else points_text(change)
