"""The screen in the hall: how far the jury is, in large print, without a name or a score."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from service import effect, publications
from service.accounts import Account, Role
from service.serving import addresses
from service.web import effect_view, work
from service.web.qr_picture import qr_svg
from service.web.render import page
from service.web.sessions import EventHere, SignedIn
from service.web_address import only_here

router = APIRouter(include_in_schema=False)


def landing(account: Account, address: str) -> str:
    """Where somebody who signs in goes on: to where they wanted to, a spectator else to this screen."""
    return "/hall" if account.role is Role.SPECTATOR and address == "/" else address


@router.get("/hall")
def hall(request: Request, event: EventHere, account: SignedIn) -> Response:
    """The page; it follows the counts by itself."""
    parts = work.parts_shown(event, None)
    posted = publications.newest(event)
    counts: dict[tuple[int, int], dict[str, Any]] = {
        part.place: work.question_counts(part) for part in parts
    }
    own = f"{_address(request)}/p"
    return page(
        request,
        "hall.html",
        rows=[
            {"theme": theme, "cells": [counts[theme.number, q.nominal] for q in theme.questions]}
            for theme in event.key().themes
        ],
        nominals=event.regulation().nominals,
        left=work.left(parts),
        total=sum(part.total for part in parts),
        groups=effect_view.group_rows(effect.current(event)),
        effect_words=effect_view.words(),
        published=posted.number if posted else None,
        own=own,
        qr=qr_svg(own),
    )


def _address(request: Request) -> str:
    """Where players' own devices find these pages: not at the address that leads each to itself."""
    now = f"{request.url.scheme}://{request.url.netloc}"
    if not only_here(now):
        return now
    port = f":{request.url.port}" if request.url.port else ""
    others = [host for host in addresses("0.0.0.0") if not only_here(f"http://{host}")]
    return f"{request.url.scheme}://{others[-1]}{port}" if others else now
