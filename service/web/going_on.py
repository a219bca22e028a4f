"""Who goes on, with names: for those who may see results. And the organizer's word that all sheets are in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from reports.wording import points_text
from scoring.effect import GroupEffect
from scoring.model import Player
from scoring.reach import Fate
from service import effect
from service.accounts import Account, Right
from service.effect import EventEffect
from service.web import effect_view
from service.web.render import page
from service.web.sessions import EventHere, ResultsReader, having

router = APIRouter(include_in_schema=False)
LineKeeper = Annotated[Account, Depends(having(Right.LINE))]


@router.get("/effect")
def going_on(request: Request, event: EventHere, account: ResultsReader) -> Response:
    """Every category, and its players of whom it is not certain yet whether they go on."""
    now = effect.current(event)
    players = {player.number: player for player in event.players()}
    parts = [
        row | {"players": _players(now, group, players)}
        for row, group in zip(effect_view.group_rows(now), now.groups, strict=True)
    ]
    return page(
        request,
        "going_on.html",
        parts=parts,
        missing=sum(group.missing for group in now.groups),
        unsettled=now.unsettled,
        all_in=now.all_in,
        may_say=account.may(Right.LINE),
        contradicts=now.found is None,
    )


@router.post("/effect/sheets")
def say_all_in(
    event: EventHere, account: LineKeeper, all_in: Annotated[str, Form(alias="all")] = ""
) -> Response:
    """Record that all sheets are in, or that some may still come."""
    if effect.current(event).all_in != (all_in == "yes"):
        effect.say_all_in(event, all_in == "yes", who=account.name)
    return RedirectResponse("/effect", 303)


def _players(
    now: EventEffect, group: GroupEffect, players: dict[int, Player]
) -> list[dict[str, Any]]:
    """Those who are open or tied, the one who can have most first."""
    rows = [
        {
            "player": players[number],
            "low": points_text(low),
            "high": points_text(high),
            "tied": fate is Fate.TIED,
            "answers": now.waiting_of(number),
            "order": (-high, -low, number),
        }
        for number, low, high, fate in zip(
            group.numbers, group.low, group.high, group.fates, strict=True
        )
        if fate in (Fate.OPEN, Fate.TIED)
    ]
    return sorted(rows, key=lambda row: row["order"])
