"""Printing the blanks of an event into files."""

from __future__ import annotations

from pathlib import Path

from otbor.i18n import speaking
from reports.blank_strip import strip_line
from reports.blanks import BlankEvent, SheetToPrint, blanks_pdf
from scanner.geometry import SheetKind
from service.event import Event
from service.output import write
from service.player_codes import codes

DEFAULT_SPARES = 20


def blank_event(event: Event) -> BlankEvent:
    """What the blanks say of the event."""
    info = event.info
    themes = event.key().themes
    titles = tuple(theme.title for theme in themes) if info.theme_titles else ()
    return BlankEvent(
        code=info.code,
        title=info.title,
        place=info.place,
        date=info.date,
        nominals=event.regulation().nominals,
        theme_titles=titles,
    )


def print_blanks(
    event: Event,
    out: Path,
    spares: int = DEFAULT_SPARES,
    language: str = "",
    *,
    own_codes: bool = True,
) -> list[Path]:
    """Write the personal, the spare and the final blanks as three PDFs.

    Args:
        event: Whose.
        out: The folder.
        spares: How many spare blanks; numbers once printed stay valid, so the event remembers them.
        language: Of the printed words; the event's own if empty.
        own_codes: Whether each personal blank has a strip with the player's own code.

    Raises:
        GeometryError: The event's blank has no room for the codes.
        EventError: The codes cannot be made.
    """
    about = blank_event(event)
    players = event.players()
    own_code = codes(event) if own_codes else {}
    if own_codes:
        strip_line(event.geometry.blank_of(SheetKind.PERSONAL))
    event.print_spares(spares)
    piles = {
        "blanks-personal.pdf": [
            SheetToPrint(
                SheetKind.PERSONAL,
                player.number,
                player.name,
                player.category,
                player.school,
                own_code.get(player.number, ""),
            )
            for player in players
        ],
        "blanks-spare.pdf": [
            SheetToPrint(SheetKind.SPARE, number) for number in range(1, event.spares() + 1)
        ],
        "blanks-final.pdf": [
            SheetToPrint(
                SheetKind.FINAL, player.number, player.name, player.category, player.school
            )
            for player in players
        ],
    }
    with speaking(language or event.info.language):
        pdfs = {
            name: blanks_pdf(event.geometry, about, pile) for name, pile in piles.items() if pile
        }
    return [write(out / name, pdf) for name, pdf in pdfs.items()]
