"""Writing the results of an event into files to post and to hand on."""

from __future__ import annotations

from pathlib import Path

from otbor.i18n import speaking
from reports.csv_file import standings_csv
from reports.protocol_pdf import protocol_pdf
from reports.standings_pdf import standings_pdf
from reports.workbook import standings_xlsx
from service.event import Event
from service.output import write
from service.results import event_standings


def write_reports(event: Event, out: Path, language: str = "") -> list[Path]:
    """Write standings and protocol as PDF, and the standings as XLSX and CSV.

    Args:
        event: Whose.
        out: The folder.
        language: Of the printed words; the event's own if empty.
    """
    result = event_standings(event)
    with speaking(language or event.info.language):
        files = {
            "standings.pdf": standings_pdf(result),
            "protocol.pdf": protocol_pdf(result),
            "standings.xlsx": standings_xlsx(result),
            "standings.csv": standings_csv(result),
        }
    return [write(out / name, data) for name, data in files.items()]
