"""The data of the wall and of the home page, for the browser and for programs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import StreamingResponse

from jury.boxes import box_key
from service import (
    accounts,
    answers,
    claims,
    double,
    effect,
    kept_from,
    sightings,
    verification,
)
from service.accounts import Account
from service.event import Event
from service.web import confirming, effect_view, wall_view, work
from service.web.live import Live
from service.web.sessions import EventHere, Juror, SignedIn, token_of
from service.web.wall_view import ConfirmBody, SeenBody

router = APIRouter(prefix="/api")


class UndoBody(BaseModel):
    """What to take back: the last confirmation, or (`box` given) the last one on that wall."""

    box: str | None = None


class ClaimBody(BaseModel):
    """`take`: from whoever holds the wall."""

    take: bool = False


@router.get("/progress")
def progress(event: EventHere, account: SignedIn) -> dict[str, Any]:
    """Counts of the whole event and of every question."""
    return work.summary(event, account)


@router.get("/wall/{theme}/{nominal}")
def wall(theme: int, nominal: int, event: EventHere, account: Juror) -> dict[str, Any]:
    """The wall of a question, in the order in which it is to be shown."""
    # One connection for all of it, and one moment.
    with event.database.reading():
        opened = wall_view.open_wall(event, theme, nominal, account)
        return {
            **wall_view.as_json(event, opened, account.name),
            "kept": kept_from.hidden_count(event, account, opened.box),
            **_standing(event, account, theme, nominal),
        }


@router.post("/wall/{theme}/{nominal}/confirm")
def confirm(
    theme: int, nominal: int, body: ConfirmBody, event: EventHere, account: Juror
) -> dict[str, Any]:
    """Rule on every answer of a wall; refused with 409 if it has changed or was not all seen."""
    batch, entered = confirming.confirm(event, theme, nominal, body, account)
    with event.database.reading():
        standing = _standing(event, account, theme, nominal)
    return {"batch": batch, "entered": entered, **standing}


@router.post("/wall/{theme}/{nominal}/seen")
def seen(
    theme: int, nominal: int, body: SeenBody, event: EventHere, account: Juror
) -> dict[str, Any]:
    """Record which answers were in view; `new` is how many of them for the first time."""
    question = answers.find_question(event.key(), theme, nominal)
    box = box_key(question.theme, question.row)
    pages = set(body.pages) - kept_from.hidden_pages(event, account)
    return {"new": sightings.record(event, box, pages, account.name)}


@router.post("/wall/{theme}/{nominal}/claim")
def claim(
    theme: int, nominal: int, body: ClaimBody, event: EventHere, account: Juror
) -> dict[str, Any]:
    """Be the one who rules on a wall, for two minutes from now; `mine` is false if another one is."""
    question = answers.find_question(event.key(), theme, nominal)
    box = box_key(question.theme, question.row)
    holder = claims.claim(event, box, account, take=body.take)
    return {"mine": holder.account_id == account.id, "name": holder.name}


@router.post("/wall/{theme}/{nominal}/release")
def release(theme: int, nominal: int, event: EventHere, account: Juror) -> dict[str, Any]:
    """Leave a wall to others."""
    question = answers.find_question(event.key(), theme, nominal)
    claims.release(event, box_key(question.theme, question.row), account)
    return {}


@router.post("/undo")
def undo(body: UndoBody, event: EventHere, account: Juror) -> dict[str, Any]:
    """Take back the juror's last confirmation that still stands; `undone` is null if there is none."""
    with event.database.writing():
        hidden = kept_from.hidden_sheets(event, account)
        taken = double.undo_last(event, account.name, body.box, spared=hidden)
        if taken is not None:
            # Raising takes the undo back too.
            claims.require(event, taken[0], account)
    if taken is None:
        return {"undone": None, "left": work.left(work.parts_shown(event, account))}
    origin, changed = taken
    places = {box: (q.theme, q.nominal) for box, q in verification.by_box(event.key()).items()}
    theme, nominal = places.get(origin, (None, None))
    return {
        "undone": {"theme": theme, "nominal": nominal, "changed": changed},
        "left": work.left(work.parts_shown(event, account)),
    }


@router.get("/events", response_class=StreamingResponse)
async def events(request: Request, event: EventHere, _account: SignedIn) -> StreamingResponse:
    """Server-sent events: `progress` with the data of `/api/progress` whenever it changes."""
    live: Live = request.app.state.live
    token = token_of(request)
    return StreamingResponse(
        live.stream(lambda: accounts.session(event, token, extend=False) is not None),
        media_type="text/event-stream",
        # Proxies must not collect events before passing them on.
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _standing(event: Event, account: Account, theme: int, nominal: int) -> dict[str, Any]:
    """How far the event is, and where this juror goes on from a question."""
    parts = work.parts_shown(event, account)
    own = work.parts_for(event, account, parts)
    here = next((part for part in parts if (part.theme, part.nominal) == (theme, nominal)), None)
    if here is None:
        here = answers.progress_of(event, answers.find_question(event.key(), theme, nominal))
    following = None
    # After the final question one goes back to the final, not on to the written round.
    if theme:
        taken = work.taken_by_others(event, account)
        weights = effect_view.weights(event, effect.latest(event))
        following = work.next_question(own, account, (theme, nominal), taken=taken, weights=weights)
    return {
        "left": work.left(parts),
        "progress": work.question_counts(here),
        "next": work.place(following),
    }
