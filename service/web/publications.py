"""Publications in the browser: what would be posted now, publishing it, and everything posted before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import IO, Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from otbor.errors import OtborError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fingerprint import Match, fingerprint, short
from reports.shown_names import Names
from reports.standings_layout import LayoutName
from scoring.changes import compare
from scoring.model import Standings
from service import (
    answers,
    decision_effect,
    posted_files,
    publications,
    published_final,
    results,
    second_looks,
)
from service.event import Event
from service.publications import Publication, StaleDraftError
from service.times import moment
from service.web import movers
from service.web.decision_forms import reason
from service.web.errors import InputError
from service.web.render import page
from service.web.sessions import EventHere, Publisher
from service.web.typed import Form

router = APIRouter(include_in_schema=False)

LARGEST_PDF = 64 << 20
_CHUNK = 1 << 16


@router.get("/publications")
def overview(
    request: Request, event: EventHere, _account: Publisher, done: str = "", n: int = 0
) -> Response:
    """The draft as it is now, and all publications."""
    return _page(request, event, done=(done, n))


@router.post("/publications")
def publish(request: Request, event: EventHere, account: Publisher, typed: Form) -> Response:
    """Publish what was shown; if the standings are others by now, show them instead."""
    try:
        wanted = str(typed.get("names", Names.FULL.value))
        if wanted not in set(Names):
            raise InputError(_("There is no such way to call players."), _("Choose one."))
        made, _changes = publications.publish(
            event,
            who=account.name,
            why=" ".join(str(typed.get("why", "")).split())[:500],
            provisional=bool(typed.get("provisional")),
            tied=bool(typed.get("tied")),
            names=Names(wanted),
            seen=str(typed.get("seen", "")) or "nothing",
        )
    except OtborError as error:
        return _page(request, event, error, typed=dict(typed))
    return RedirectResponse(f"/publications?done=published&n={made.number}", 303)


@router.post("/publications/verify")
def verify(request: Request, event: EventHere, _account: Publisher, typed: Form) -> Response:
    """Say which publication an uploaded PDF shows."""
    file = typed.get("file")
    try:
        if not isinstance(file, UploadFile) or not file.size:
            raise InputError(_("No file was chosen."), _("Choose the PDF that was posted."))
        if file.size > LARGEST_PDF:
            raise InputError(
                _("The file is larger than {n} MB.").format(n=LARGEST_PDF >> 20),
                _("A list of ours is much smaller: check which file it is."),
            )
        checked = publications.check_pdf(event, file.file.read())
    except OtborError as error:
        return _page(request, event, error)
    said = publications.verdict_text(checked)
    return _page(request, event, checked=(checked.match is Match.SAME, file.filename or "", said))


@router.post("/publications/{number}/withdraw")
def withdraw(
    request: Request, number: int, event: EventHere, account: Publisher, typed: Form
) -> Response:
    """Withdraw a publication, with the reason."""
    try:
        publications.withdraw(event, number, who=account.name, why=reason(typed))
    except OtborError as error:
        return _page(request, event, error)
    return RedirectResponse(f"/publications?done=withdrawn&n={number}", 303)


@router.get("/publications/{number}/{name}")
def download(number: int, name: str, event: EventHere, _account: Publisher) -> Response:
    """One file of a publication."""
    word = f"{event.info.title} – {publication_word(number)} – {name}"
    headers = {
        "Content-Disposition": f'attachment; filename="{number}-{_plain(name)}"; '
        f"filename*=UTF-8''{quote(word, safe='')}"
    }
    if name in (posted_files.SITE, posted_files.SITE_WITH_PLAYERS):
        packed = posted_files.site_zip(
            event, number, with_players=name == posted_files.SITE_WITH_PLAYERS
        )
        return StreamingResponse(_parts(packed), media_type="application/zip", headers=headers)
    data = posted_files.posted_file(event, number, name)
    publication, _changes = posted_files.find(event, number)
    media = posted_files.media_types(publication)[name]
    return Response(data, media_type=media, headers=headers)


def publication_word(number: int) -> str:
    """What stands in a file's name."""
    return pgettext("file name", "publication {number}").format(number=number)


def _plain(name: str) -> str:
    """A name that a header may hold."""
    return "".join(char for char in name if char.isascii() and (char.isalnum() or char in "-._"))


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(_CHUNK):
            yield part


def _page(
    request: Request,
    event: Event,
    error: OtborError | None = None,
    *,
    done: tuple[str, int] = ("", 0),
    checked: tuple[bool, str, str] | None = None,
    typed: dict[str, Any] | None = None,
) -> Response:
    every = publications.publications(event)
    now = decision_effect.now(event)
    stale = isinstance(error, StaleDraftError)
    last = every[-1] if every else None
    return page(
        request,
        "publications.html",
        status=error.http_status if error is not None else 200,
        error=None if stale else error,
        stale=stale,
        done=done,
        checked=checked,
        typed=typed or {},
        draft=None if now.problem else _draft(event, now.standings, last),
        problem=now.problem,
        ties=[part for part in now.standings.categories if part.cut.undecided],
        prizes=sum(len(part.cut.shared_prizes) for part in now.standings.categories),
        idle=len(now.idle),
        looks=len(second_looks.waiting(event)),
        problems=results.problems(event),
        names=[(way.value, names_word(way)) for way in Names],
        usual=(typed or {}).get("names") or publications.posted_names(event).value,
        every=[_shown(event, one, now.standings) for one in reversed(every)],
    )


def names_word(names: Names) -> str:
    """How players are called, as a choice."""
    return {
        Names.FULL: _("full names"),
        Names.INITIALS: _("surname and initials"),
        Names.NUMBER: _("numbers only, without schools"),
    }[names]


def _draft(event: Event, standings: Standings, last: Publication | None) -> dict[str, Any]:
    """What would be published now, and what it would change."""
    progress = answers.progress_of_all(event)
    whole = fingerprint(standings)
    final = published_final.current(event, standings)
    marks = (whole, final.fingerprint if final else "")
    return {
        "unconfirmed": standings.unconfirmed,
        "left": sum(part.unruled for part in progress),
        "disputed": sum(part.disputed for part in progress),
        "categories": [
            {
                "category": part.category,
                "open": sum(row.unconfirmed for row in part.rows),
                "tied": part.cut.undecided,
                "present": sum(row.places is not None for row in part.rows),
            }
            for part in standings.categories
        ],
        "token": whole,
        "form": short(whole),
        "same": bool(last and last.marks == marks and not last.withdrawn),
        "final": final is not None,
        "since": last.number if last else 0,
        "changes": movers.shown(last.standings, standings, compare(last.standings, standings))
        if last
        else None,
    }


def _shown(event: Event, publication: Publication, now: Standings) -> dict[str, Any]:
    newest = not publication.withdrawn and fingerprint(now) == publication.fingerprint
    files = [(name, file_word(name)) for name in posted_files.media_types(publication)]
    if newest and posted_files.has_own_pages(event, publication):
        files.append((posted_files.SITE_WITH_PLAYERS, file_word(posted_files.SITE_WITH_PLAYERS)))
    return {
        "number": publication.number,
        "at": moment(publication.at, time.time()),
        "who": publication.who,
        "why": publication.why,
        "form": publications.printed_form(publication),
        "withdrawn": publication.withdrawn,
        "back": _withdrawal(publication),
        "names": names_word(publication.names),
        "provisional": publication.standings.unconfirmed,
        "files": files,
    }


def _withdrawal(publication: Publication) -> dict[str, str] | None:
    found = publication.withdrawal
    if found is None:
        return None
    return {"at": moment(found.at, time.time()), "who": found.who, "why": found.why}


def file_word(name: str) -> str:
    """What a file of a publication is."""
    return {
        "standings.pdf": _("PDF, A4"),
        f"standings-{LayoutName.LANDSCAPE}.pdf": _("PDF, landscape"),
        f"standings-{LayoutName.COLUMNS}.pdf": _("PDF, several columns"),
        f"standings-{LayoutName.LARGE}.pdf": _("PDF, large print"),
        "standings.xlsx": "XLSX",
        "standings.csv": "CSV",
        "final.pdf": _("The final (PDF)"),
        "final.csv": _("The final (CSV)"),
        posted_files.SITE: _("Pages to post (zip)"),
        posted_files.SITE_WITH_PLAYERS: _("Pages with every player's own (zip)"),
    }.get(name, name)
