"""The files of a publication, made from the standings that it kept: the same bytes whenever asked for."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from typing import IO

from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from reports.changes import PublishedChanges
from reports.csv_file import standings_csv
from reports.final_protocol import final_csv, final_protocol_pdf
from reports.fingerprint import fingerprint
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from reports.wording import publication_text
from reports.workbook import standings_xlsx
from scoring.changes import compare
from service.event import Event
from service.player_codes import codes
from service.publications import Publication, publications
from service.published_final import PublishedFinal
from service.reporting import site_files
from service.results import event_standings

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SITE, SITE_WITH_PLAYERS = "site.zip", "site-players.zip"

_FINAL = {"final.pdf": "application/pdf", "final.csv": "text/csv; charset=utf-8"}

# The oldest day that a zip can name; any fixed one keeps the bytes the same.
_DAY = (1980, 1, 1, 0, 0, 0)
_IN_MEMORY = 8 << 20


def media_types(publication: Publication) -> dict[str, str]:
    """All files of a publication as they are offered, but the pages with every player's own."""
    pdfs = [f"standings-{layout}.pdf" for layout in LayoutName if layout is not LayoutName.PORTRAIT]
    return {
        "standings.pdf": "application/pdf",
        **dict.fromkeys(pdfs, "application/pdf"),
        "standings.xlsx": XLSX,
        "standings.csv": "text/csv; charset=utf-8",
        **(_FINAL if publication.final is not None else {}),
        SITE: "application/zip",
    }


def find(event: Event, number: int) -> tuple[Publication, PublishedChanges | None]:
    """A publication, and what it changed.

    Raises:
        NotFoundError: There is none of this number.
    """
    every = publications(event)
    at = next((at for at, one in enumerate(every) if one.number == number), None)
    if at is None:
        raise NotFoundError(
            _("There is no publication {number}.").format(number=number),
            _("See “otbor publications”."),
        )
    if at == 0:
        return every[0], None
    before = every[at - 1]
    return every[at], PublishedChanges(
        before.number, compare(before.standings, every[at].standings)
    )


def posted_file(event: Event, number: int, name: str) -> bytes:
    """A list as a file, as `media_types` names them, in the event's language.

    Raises:
        NotFoundError: There is no such publication or file.
    """
    publication, changes = find(event, number)
    standings, names = publication.standings, publication.names
    final = publication.final or PublishedFinal("", ())

    def pdf(layout: LayoutName) -> Callable[[], bytes]:
        return lambda: standings_pdf(
            standings,
            layout=layout,
            generated_note=publication_text(number),
            changes=changes if layout is LayoutName.PORTRAIT else None,
            names=names,
        )

    makers: dict[str, Callable[[], bytes]] = {
        "standings.pdf": pdf(LayoutName.PORTRAIT),
        **{f"standings-{layout}.pdf": pdf(layout) for layout in LayoutName},
        "standings.xlsx": lambda: standings_xlsx(standings, names=names),
        "standings.csv": lambda: standings_csv(standings, names=names),
        "final.pdf": lambda: final_protocol_pdf(
            final.title,
            final.parts,
            final.question,
            generated_note=publication_text(number),
            names=names,
        ),
        "final.csv": lambda: final_csv([part.shown(names) for part in final.parts]),
    }
    if name not in makers or name not in media_types(publication):
        raise NotFoundError(_("There is no such file."), _("Choose one from the list."))
    with speaking(event.info.language):
        return makers[name]()


def has_own_pages(event: Event, publication: Publication) -> bool:
    """True if every player's own page can be posted: verdicts and pictures are those of today."""
    return (
        not publication.withdrawn
        and publication.number == len(publications(event))
        and fingerprint(event_standings(event)) == publication.fingerprint
    )


def site_zip(event: Event, number: int, *, with_players: bool = False) -> IO[bytes]:
    """The posted pages of a publication in one file, open at its beginning; whoever gets it closes it.

    Args:
        event: Whose.
        number: The publication's.
        with_players: Every player's own page too; thousands of them are long in the making.

    Raises:
        NotFoundError: There is no such publication, or it has no own pages any more.
    """
    publication, changes = find(event, number)
    if with_players and not has_own_pages(event, publication):
        raise NotFoundError(
            _("The players' own pages are made only for the newest publication, while it holds."),
            _("Take the list alone, or publish again."),
        )
    known = codes(event) if with_players else {}
    # In memory while it is small, on the disk when it is not.
    file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    with speaking(event.info.language), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        pages = site_files(event, publication.standings, number, changes, publication.names, known)
        for name, data in pages:
            packed.writestr(zipfile.ZipInfo(name, _DAY), data, zipfile.ZIP_DEFLATED)
    file.seek(0)
    return file
