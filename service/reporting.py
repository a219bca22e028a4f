"""Writing the results of an event into files to post and to hand on."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from otbor.errors import ConflictError, InputFileError
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from reports.changes import PublishedChanges
from reports.codes import printed
from reports.csv_file import standings_csv
from reports.diplomas_pdf import diplomas_pdf
from reports.fingerprint import fingerprint
from reports.formula_escape import escape_formula
from reports.invitations_pdf import invitations_pdf
from reports.player_pdf import player_pages_pdf
from reports.protocol_pdf import protocol_pdf
from reports.rating import rating_csv, rating_xlsx
from reports.shootout_pdf import shootout_pdf
from reports.shown_names import Names, not_for_posting
from reports.site import own_page, site
from reports.standings_layout import LayoutName
from reports.standings_pdf import standings_pdf
from reports.statistics_pdf import statistics_pdf
from reports.wording import publication_text
from reports.workbook import standings_xlsx
from scoring.changes import compare
from scoring.model import Standings
from service.event import Event
from service.output import write, writing
from service.own_pages import own_pages
from service.player_codes import codes
from service.publications import posted_names, publications
from service.results import event_standings
from service.web_address import web_address


@dataclass(frozen=True)
class Choice:
    """What to write beside the usual four files.

    Args:
        layouts: Further layouts of the standings, a file each.
        players: A page for each player.
        statistics: Question statistics.
        ties: Sheets for the shoot-outs.
        diplomas: A diploma for everybody who took part.
        picture: What stands behind the diplomas' words, a file; None for a plain border.
        invitations: Who goes on, to be signed.
        rating: The table for rating sites.
        site: The folder of the posted pages; None for none.
        names: How what is posted (standings, protocol, posted pages) calls the players; None: as the
            newest publication does. Diplomas, invitations and the sheets of a shoot-out have the full names.
        jury: The protocol once more, with the full names, for the jury's own file.
        link: Where the posted pages are found, printed as a QR code; empty for none.
        appeals: The service's address: the players' posted pages lead to their pages there, where appeals
            are filed; empty where it cannot be reached.
    """

    layouts: tuple[LayoutName, ...] = ()
    players: bool = False
    statistics: bool = False
    ties: bool = False
    diplomas: bool = False
    picture: Path | None = None
    invitations: bool = False
    rating: bool = False
    site: Path | None = None
    names: Names | None = None
    link: str = ""
    appeals: str = ""
    jury: bool = False


USUAL = Choice()


def everything(
    site: Path, names: Names | None = None, link: str = "", picture: Path | None = None
) -> Choice:
    """All there is."""
    layouts = tuple(name for name in LayoutName if name is not LayoutName.PORTRAIT)
    return Choice(
        layouts, True, True, True, True, picture, True, True, site, names, link, jury=True
    )


def write_reports(
    event: Event, out: Path, language: str = "", choice: Choice = USUAL
) -> list[Path]:
    """Write standings and protocol as PDF, the standings as XLSX and CSV, and what else is chosen.

    Args:
        event: Whose.
        out: The folder.
        language: Of the printed words; the event's own if empty.
        choice: What else.

    Returns:
        The files in the order in which they were written; of the posted pages only the first.

    Raises:
        InputFileError: A file cannot be written, or the diplomas' picture cannot be read.
        ConflictError: The posted pages would lie among the event's own files, or the address for appeals
            is none.
    """
    if choice.site is not None:
        _refuse_to_post_the_event(event, choice.site)
    if choice.appeals:
        # Refused before anything is written.
        _check_appeals(choice)
    picture = _picture(choice.picture) if choice.diplomas else b""
    result = event_standings(event)
    number, changes = _publication(event, result)
    names = choice.names or posted_names(event)
    choice = replace(choice, names=names)
    with speaking(language or event.info.language):
        files = {
            "standings.pdf": standings_pdf(
                result,
                link=choice.link,
                generated_note=publication_text(number) if number else "",
                changes=changes,
                names=names,
            ),
            "protocol.pdf": protocol_pdf(result, names=names),
            "standings.xlsx": standings_xlsx(result, names=names),
            "standings.csv": standings_csv(result, names=names),
            **_further(event, result, choice, number),
        }
        written = [write(out / name, data) for name, data in files.items()]
        if choice.players:
            written.append(_write_players(event, result, out, choice))
        if choice.diplomas:
            written.append(_write_diplomas(event, result, out, picture))
        if choice.site is not None:
            written += _write_site(event, result, choice.site, choice, number, changes)
    return written


def _publication(event: Event, result: Standings) -> tuple[int, PublishedChanges | None]:
    """The number under which exactly these standings are published, and what it changed; 0 if none."""
    published = publications(event)
    if not published or published[-1].withdrawn:
        return 0, None
    last = published[-1]
    if last.fingerprint != fingerprint(result):
        return 0, None
    if len(published) == 1:
        return last.number, None
    before = published[-2]
    return last.number, PublishedChanges(before.number, compare(before.standings, result))


def _further(event: Event, result: Standings, choice: Choice, number: int) -> dict[str, bytes]:
    """The files that are small enough to be made in memory."""
    note = publication_text(number) if number else ""
    files = {
        f"standings-{layout}.pdf": standings_pdf(
            result,
            layout=layout,
            link=choice.link,
            generated_note=note,
            names=choice.names or Names.FULL,
        )
        for layout in choice.layouts
        if layout is not LayoutName.PORTRAIT
    }
    if choice.statistics:
        files["statistics.pdf"] = statistics_pdf(result, key=event.key())
    if choice.jury:
        files["protocol-jury.pdf"] = protocol_pdf(result, generated_note=not_for_posting())
    if choice.ties:
        files["ties.pdf"] = shootout_pdf(result, generated_note=not_for_posting())
    if choice.invitations:
        files["invitations.pdf"] = invitations_pdf(result, generated_note=not_for_posting())
    if choice.rating:
        for at, part in enumerate(result.categories, start=1):
            files[f"rating-{at}.csv"] = rating_csv(result, part)
        files["rating.xlsx"] = rating_xlsx(result)
    return files


def _write_players(event: Event, result: Standings, out: Path, choice: Choice) -> Path:
    # A code is of use only where there are pages that it opens.
    known = codes(event) if choice.site is not None or choice.link else {}
    path = out / "players.pdf"
    with writing(path) as file:
        player_pages_pdf(
            result, own_pages(event, result, known), key=event.key(), link=choice.link, file=file
        )
    return path


def _write_diplomas(event: Event, result: Standings, out: Path, picture: bytes) -> Path:
    path = out / "diplomas.pdf"
    info = event.info
    with writing(path) as file:
        diplomas_pdf(result, picture=picture, date=info.date, organizer=info.organizer, file=file)
    return path


def _write_site(
    event: Event,
    result: Standings,
    folder: Path,
    choice: Choice,
    number: int,
    changes: PublishedChanges | None,
) -> list[Path]:
    known = codes(event)
    appeal = f"{web_address(choice.appeals)}/p" if choice.appeals else ""
    names = choice.names or Names.FULL
    for name, data in site_files(event, result, number, changes, names, known, appeal):
        write(folder / name, data)
    return [folder / "index.html", _write_codes(event, known)]


def site_files(
    event: Event,
    result: Standings,
    number: int,
    changes: PublishedChanges | None,
    names: Names,
    known: Mapping[int, str],
    appeal: str = "",
) -> Iterator[tuple[str, bytes]]:
    """The posted pages one by one: path in their folder, and bytes; each path once.

    Args:
        event: Whose.
        result: The standings.
        number: The publication's, 0 for none.
        changes: What is different from the one before.
        names: How the players are called.
        known: Player → code of the own page; empty leaves those pages out.
        appeal: Where an appeal is entered; empty for nowhere.
    """
    about = {"number": number, "date": event.info.date, "names": names}
    yield from site(
        result,
        with_codes=bool(known),
        changes=changes,
        **about,  # type: ignore[arg-type]
    ).items()
    if not known:
        return
    key = event.key()
    written: set[str] = set()
    for own in own_pages(event, result, known):
        page = own_page(result, own.code, own, key=key, appeal=appeal, **about)  # type: ignore[arg-type]
        for name, data in page.items():
            if name not in written:  # the folder's index is the same for all
                yield name, data
        written |= page.keys()


def _write_codes(event: Event, known: dict[int, str]) -> Path:
    """Who has which code, for the organizer: among the event's files, never among those posted."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    writer.writerow(["number", "name", "category", "code", "page"])
    for player in event.players():
        code = known[player.number]
        writer.writerow(
            [
                player.number,
                escape_formula(player.name),
                escape_formula(player.category),
                printed(code),
                f"p/{code}.html",
            ]
        )
    return write(event.folder / "player-codes.csv", file.getvalue().encode("utf-8-sig"))


def _check_appeals(choice: Choice) -> None:
    web_address(choice.appeals)
    if choice.site is None:
        raise ConflictError(
            _("An address for appeals is of use only on the posted pages."),
            _("Add --site FOLDER, or leave --appeals out."),
        )


def _refuse_to_post_the_event(event: Event, folder: Path) -> None:
    if event.folder.resolve().is_relative_to(folder.resolve()):
        raise ConflictError(
            _("The folder {path} holds the event itself: it must not be posted.").format(
                path=folder
            ),
            _("Choose a folder of its own for the posted pages."),
        )


def _picture(path: Path | None) -> bytes:
    if path is None:
        return b""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(
            _("The picture {path} cannot be read: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Name a JPEG or PNG file."),
        ) from error
