"""Writing the results of an event into files to post and to hand on."""

from __future__ import annotations

from pathlib import Path

from reports.csv_file import standings_csv
from reports.protocol_pdf import protocol_pdf
from reports.standings_pdf import standings_pdf
from reports.workbook import standings_xlsx
from service.event import Event
from service.output import write
from service.results import event_standings


def write_reports(event: Event, out: Path) -> list[Path]:
    """Write standings and protocol as PDF, and the standings as XLSX and CSV."""
    result = event_standings(event)
    return [
        write(out / "standings.pdf", standings_pdf(result)),
        write(out / "protocol.pdf", protocol_pdf(result)),
        write(out / "standings.xlsx", standings_xlsx(result)),
        write(out / "standings.csv", standings_csv(result)),
    ]
