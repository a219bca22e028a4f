"""The standings as a page and as files, for those who may see names."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.csv_file import standings_csv
from reports.order import ordered, theme_sums
from reports.standings_pdf import standings_pdf
from reports.wording import (
    cut_caption,
    is_listed,
    places_text,
    points_text,
    present_text,
    provisional_text,
    status_text,
    tie_note,
)
from reports.workbook import standings_xlsx
from scoring.model import CategoryStandings, Regulation, StandingRow, Standings, Status
from service import results, second_looks
from service.publications import posted_names
from service.web.render import page
from service.web.sessions import EventHere, ResultsReader

router = APIRouter(include_in_schema=False)

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@router.get("/standings")
def standings(request: Request, event: EventHere, _account: ResultsReader) -> Response:
    """The standings as they are now, category by category."""
    now = results.event_standings(event)
    return page(
        request,
        "standings.html",
        standings=now,
        parts=[_part(now, part) for part in now.categories],
        problems=results.problems(event),
        second_looks=len(second_looks.waiting(event)),
        removed=", ".join(f"{theme}–{nominal}" for theme, nominal in now.removed),
    )


@router.get("/standings/{name}")
def download(name: str, event: EventHere, _account: ResultsReader) -> Response:
    """The standings as a file: `standings.pdf`, `.xlsx` or `.csv`."""
    kind = name.removeprefix("standings.")
    if kind not in ("pdf", "xlsx", "csv") or name == kind:
        raise NotFoundError(_("There is no such file."), _("Choose one on the page of standings."))
    now = results.event_standings(event)
    data, media = {
        # It is there to be posted, so that it calls the players as the last publication does.
        "pdf": lambda: (standings_pdf(now, names=posted_names(event)), "application/pdf"),
        "xlsx": lambda: (standings_xlsx(now), XLSX),
        "csv": lambda: (standings_csv(now), "text/csv; charset=utf-8"),
    }[kind]()
    word = pgettext("file name", "standings")
    file = f"{event.info.title} – {word}.{kind}"
    # Letters beyond ASCII need the second form; the first is for programs that do not know it.
    disposition = f"attachment; filename=\"{name}\"; filename*=UTF-8''{quote(file, safe='')}"
    return Response(data, media_type=media, headers={"Content-Disposition": disposition})


def _part(now: Standings, part: CategoryStandings) -> dict[str, object]:
    """One category, ready to be shown: who is sure, the line, who is tied, the rest, who has no place."""
    rows = ordered(part.rows)
    listed = [row for row in rows if is_listed(row)]
    sure = [row for row in listed if row.status is Status.IN]
    tied = [row for row in listed if row.status is Status.TIED]
    rest = [row for row in listed if row not in sure and row not in tied]
    apart = sorted((row for row in rows if not is_listed(row)), key=lambda row: row.status)
    return {
        "category": part.category,
        "present": present_text(part),
        "provisional": provisional_text(now, part) if now.unconfirmed else "",
        "tie": tie_note(part),
        "cut": cut_caption(part),
        "sure": [_row(row, now.regulation) for row in sure],
        "others": [_row(row, now.regulation) for row in (*tied, *rest, *apart)],
        "themes": list(range(1, now.regulation.themes + 1)),
    }


def _row(row: StandingRow, regulation: Regulation) -> dict[str, object]:
    """One line. An absent player has no score; 0 would be one."""
    said = row.status not in (Status.IN, Status.OUT)
    return {
        "place": places_text(row.places),
        "player": row.player,
        "absent": row.status is Status.ABSENT,
        "themes": [points_text(points) for points in theme_sums(row, regulation)],
        "rights": row.rights,
        "wrongs": row.wrongs,
        "score": points_text(row.score),
        "unconfirmed": row.unconfirmed,
        "status": row.status.value,
        "status_name": status_text(row.status) if said else "",
    }
