"""The final: its page, the data of its stakes, what is entered of them, and its papers."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext, speaking
from reports.final_protocol import final_csv, final_protocol_pdf
from reports.shown_names import Names, not_for_posting
from scoring.explain_stake import stake_sentences
from service import final_stakes, finals, kept_from, number_boxes, results, sightings
from service.accounts import Account, Right
from service.event import Event
from service.final_entries import final_sheet
from service.publications import posted_names
from service.settings import settings
from service.web import final_view, final_words
from service.web.final_view import RuledBody, SeenBody, StakesBody
from service.web.render import page
from service.web.sessions import EventHere, Juror, ResultsReader, having

router = APIRouter()
Chief = Annotated[Account, Depends(having(Right.DECIDE))]


@router.get("/final", include_in_schema=False)
def final_page(request: Request, event: EventHere, account: Juror, category: str = "") -> Response:
    """The final of one category: stakes, answers, result."""
    rule = event.regulation().final
    names = [part.category for part in results.event_standings(event).categories]
    chosen = category or (names[0] if names else "")
    if chosen not in names and names:
        raise NotFoundError(
            _("There is no category “{name}”.").format(name=chosen),
            _("Choose one of: {names}.").format(names=", ".join(names)),
        )
    return page(
        request,
        "final.html",
        categories=names,
        chosen=chosen,
        played=rule is not None,
        full_names=posted_names(event) is Names.FULL,
        sentences=stake_sentences(rule),
        question=event.key().final,
        shared={
            "event": event.info.code,
            "account": account.id,
            "category": chosen,
            "glance": settings().glance,
            "decides": account.may(Right.DECIDE),
            "words": final_words.words(),
        },
    )


@router.get("/final/{name}", include_in_schema=False)
def download(
    name: str, event: EventHere, _account: ResultsReader, category: str = "", full: bool = False
) -> Response:
    """The protocol of the final, `final.pdf` or `final.csv`; with full names for the jury's own file."""
    if name not in ("final.pdf", "final.csv"):
        raise NotFoundError(_("There is no such file."), _("Choose one on the page of the final."))
    names = Names.FULL if full else posted_names(event)
    found = finals.parts(finals.finals(event, category))
    with speaking(event.info.language):
        if name.endswith(".csv"):
            data, media = (
                final_csv([part.shown(names) for part in found]),
                "text/csv; charset=utf-8",
            )
        else:
            note = not_for_posting() if full else ""
            data = final_protocol_pdf(
                event.info.title, found, event.key().final, generated_note=note, names=names
            )
            media = "application/pdf"
        word = pgettext("file name", "final")
    file = quote(f"{event.info.title} – {word}.{name.rpartition('.')[2]}", safe="")
    disposition = f"attachment; filename=\"{name}\"; filename*=UTF-8''{file}"
    return Response(data, media_type=media, headers={"Content-Disposition": disposition})


@router.get("/api/final")
def final(event: EventHere, account: Juror, category: str) -> dict[str, Any]:
    """The final of a category as it is now."""
    with event.database.reading():
        return final_view.as_json(event, category, account)


@router.get("/api/final/check")
def check(
    event: EventHere, account: Juror, category: str, number: int, text: str
) -> dict[str, Any]:
    """What a stake would mean if it were entered; nothing is recorded."""
    kept_from.require(event, account, final_sheet(number))
    return final_view.check(final_stakes.tried(event, category, number, text))


@router.post("/api/final/seen")
def seen(body: SeenBody, event: EventHere, account: Juror) -> dict[str, Any]:
    """Record which stakes were in view; `new` is how many of them for the first time."""
    pages = set(body.pages) - kept_from.hidden_pages(event, account)
    return {"new": sightings.record(event, number_boxes.STAKE, pages, account.name)}


@router.post("/api/final/stakes")
def enter(body: StakesBody, event: EventHere, account: Juror) -> dict[str, Any]:
    """Enter stakes, all or none; refused with 409 if one has changed or was not seen."""
    for one in body.stakes:
        kept_from.require(event, account, final_sheet(one.number))
    given = [one.given() for one in body.stakes]
    entered = final_stakes.enter(event, body.category, given, account.name)
    return {"entered": entered, **_now(event, body.category, account)}


@router.post("/api/final/ruled")
def ruled(body: RuledBody, event: EventHere, account: Chief) -> dict[str, Any]:
    """The chief sets a stake, or leaves it to the regulation again."""
    final_stakes.rule_stake(
        event, body.category, body.number, body.stake, who=account.name, why=body.why
    )
    return {"entered": 1, **_now(event, body.category, account)}


@router.post("/api/final/nothing")
def nothing(event: EventHere, account: Chief, category: str) -> dict[str, Any]:
    """The players without a scanned sheet handed in nothing."""
    entered = final_stakes.nothing_handed_in(event, category, account.name)
    return {"entered": entered, **_now(event, category, account)}


@router.post("/api/final/undo")
def undo(event: EventHere, account: Juror, category: str) -> dict[str, Any]:
    """Take back what this account entered last of stakes; `undone` is how many players it was about."""
    taken = final_stakes.undo(event, account.name)
    return {"undone": len(taken), **_now(event, category, account)}


def _now(event: Event, category: str, account: Account) -> dict[str, Any]:
    with event.database.reading():
        return {"final": final_view.as_json(event, category, account)}
