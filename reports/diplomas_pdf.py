"""Diplomas: one A4 page on its side for each player, with the organizer's picture behind."""

from __future__ import annotations

from typing import BinaryIO

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.fitting import fit
from reports.fonts import BOLD, ITALIC, MM, REGULAR, printable
from reports.order import ordered
from reports.paper import Paper
from reports.pictures import Picture
from reports.wording import places_text
from scoring.model import CategoryStandings, StandingRow, Standings, Status

WIDTH, HEIGHT = 297.0, 210.0
CENTRE = WIDTH / 2
ROOM = 215.0
"""Width of the texts, mm: a picture's border has 41 mm at either side."""


def diplomas_pdf(
    standings: Standings,
    *,
    picture: bytes = b"",
    prizes: int = 3,
    date: str = "",
    organizer: str = "",
    file: BinaryIO | None = None,
) -> bytes:
    """Print a diploma for everybody who took part, by category and place.

    Players who share a place share its words («1–2 место»); from place `prizes` + 1 on, and out of
    competition, it is «for taking part». The disqualified and the absent get none. The same input gives
    the same bytes; the picture is stored once.

    Args:
        standings: Who took part; the order of the rows does not matter.
        picture: JPEG or PNG that fills the page; without one there is a plain border.
        prizes: How many places are named.
        date: Printed at the foot, as it shall be read.
        organizer: Printed over the line for the signature.
        file: Where the PDF goes; None returns it.

    Raises:
        InputFileError: The picture cannot be read.
    """
    background = Picture(picture) if picture else None
    paper = Paper(WIDTH, HEIGHT, printable(standings.title), file=file)
    drawn = 0
    for part in standings.categories:
        for row in ordered(part.rows):
            if row.status.value in ("absent", "disqualified") or row.exempt:
                continue
            if drawn:
                paper.next_page()
            drawn += 1
            _background(paper, background)
            _words(paper, standings, part, row, prizes)
            _foot(paper, date, organizer)
    if not drawn:
        paper.text(20, 48, pgettext("standings", "There are no players yet."), 12)
    return paper.finish()


def _background(paper: Paper, picture: Picture | None) -> None:
    if picture is None:
        paper.frame(10, 10, WIDTH - 20, HEIGHT - 20, 1.2, grey=0.25)
        paper.frame(12.4, 12.4, WIDTH - 24.8, HEIGHT - 24.8, 0.35, grey=0.25)
        return
    width, height = picture.size
    # It covers the page whatever its shape is: what is too wide or too high lies outside.
    scale = max(WIDTH / width, HEIGHT / height)
    x, y = (WIDTH - width * scale) / 2, (HEIGHT - height * scale) / 2
    paper.picture(picture, x, y, width * scale, height * scale)


def _words(
    paper: Paper, standings: Standings, part: CategoryStandings, row: StandingRow, prizes: int
) -> None:
    winner = row.places is not None and row.places[0] <= prizes and row.status is not Status.TIED

    def centred(y: float, text: str, font: str, size: float, least: float, lines: int = 1) -> float:
        words = fit(text, font, size, ROOM * MM, least=least, lines=lines)
        return paper.fitted(CENTRE, y, words, font, align="center")

    centred(40.0, standings.title, REGULAR, 15, 9)
    title = pgettext("diploma", "Diploma") if winner else pgettext("diploma", "Certificate")
    centred(62.0, title, BOLD, 46, 30)
    centred(76.0, pgettext("diploma", "is awarded to"), ITALIC, 15, 10)
    name = fit(row.player.name, BOLD, 42, ROOM * MM, least=24, lines=2)
    if len(name.lines) > 1 and len(row.player.name) > 40:
        name = fit(row.player.name, BOLD, 28, ROOM * MM, least=20, lines=3)
    block = (len(name.lines) - 1) * name.size * 1.18 / MM
    last = paper.fitted(CENTRE, 103.0 - block / 2, name, BOLD, align="center")
    about = ", ".join(text for text in (row.player.school, row.player.city) if text)
    # The full name of a school is long, and an ellipsis has no place on a diploma.
    centred(last + 11.0, about, REGULAR, 14, 10, lines=3)
    if winner:
        place = pgettext("diploma", "Place {places}").format(places=places_text(row.places))
        centred(142.0, place, BOLD, 28, 16)
    else:
        centred(141.0, pgettext("diploma", "for taking part"), BOLD, 24, 14)
    category = pgettext("diploma", "category: {category}").format(category=part.category)
    centred(152.0, category, REGULAR, 14, 8)


def _foot(paper: Paper, date: str, organizer: str) -> None:
    left, right, y = 41.0, WIDTH - 41.0, 179.0
    paper.line(left, y, left + 62.0, y, 0.3)
    paper.line(right - 62.0, y, right, y, 0.3)
    signer = organizer or pgettext("diploma", "Organizing committee")
    paper.fitted(left + 31, y + 5.0, fit(signer, REGULAR, 10.5, 62 * MM, least=7), align="center")
    day = fit(date, REGULAR, 12, 60 * MM, least=8, lines=1)
    paper.fitted(right - 31, y - 2.0, day, align="center")
    caption = fit(_("Date"), REGULAR, 10.5, 60 * MM, lines=1)
    paper.fitted(right - 31, y + 5.0, caption, align="center")
