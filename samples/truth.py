"""Writes the truth beside the pile: what stands in every box, how every page must end, every score.

All tables are UTF-8 CSV with semicolons and a header.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from samples.effects import Effects
from samples.making import MadePage
from samples.plan import Plan
from scanner.contracts import Outcome
from scanner.geometry import SheetKind

TRUTH, PAGES, PLACES = "truth.csv", "pages.csv", "pages.json"
SCORES, RULINGS, SPARES = "scores.csv", "rulings.csv", "spares.csv"


@dataclass(frozen=True, slots=True)
class PageTruth:
    """How one page of one file must end; `page` counts from 1, `sheet` is empty where there is none."""

    file: str
    page: int
    outcome: Outcome
    sheet: str
    effects: Effects


def page_truth(page: MadePage, plan: Plan) -> PageTruth:
    """The truth of a page just made."""
    job = page.job
    sheet = "" if job.sheet is None else plan.sheets[job.sheet].sheet
    return PageTruth(job.file, job.page, job.content.outcome, sheet, job.effects)


def write_plan(folder: Path, plan: Plan) -> None:
    """Write what follows from the plan alone: boxes, scores, rulings, spare sheets.

    `rulings.csv` is what `otbor rule --from` takes. Absent players have no score.
    """
    boxes = [(sheet, box) for sheet in plan.sheets for box in sheet.boxes]
    _table(
        folder / TRUTH,
        ("sheet", "player", "theme", "nominal", "kind", "text", "verdict", "struck"),
        (
            (s.sheet, s.player, b.theme, b.nominal, b.kind, b.text, b.verdict, b.struck)
            for s, b in boxes
        ),
    )
    _table(
        folder / RULINGS,
        ("sheet", "theme", "nominal", "verdict"),
        ((s.sheet, b.theme, b.nominal, b.verdict) for s, b in boxes),
    )
    _table(folder / SCORES, ("player", "score"), sorted(plan.scores.items()))
    _table(
        folder / SPARES,
        ("sheet", "player"),
        ((s.sheet, s.player) for s in plan.sheets if s.kind is SheetKind.SPARE),
    )


def write_pages(folder: Path, pages: Sequence[MadePage], plan: Plan) -> None:
    """Write how every page must end and where its paper lies.

    In `pages.json`, `matrix` leads from mm on the blank to pixels of the stored picture (a photo before
    its EXIF turn), the top left pixel's centre being (0, 0); `corners` are those of the paper.
    """
    truths = [page_truth(page, plan) for page in pages]
    _table(folder / PAGES, _PAGE_COLUMNS, (_page_row(truth) for truth in truths))
    places = [
        {
            "file": truth.file,
            "page": truth.page,
            "sheet": truth.sheet,
            "width": page.image.width,
            "height": page.image.height,
            "matrix": page.matrix,
            "corners": page.corners,
        }
        for truth, page in zip(truths, pages, strict=True)
    ]
    text = "[\n" + ",\n".join(json.dumps(place, ensure_ascii=False) for place in places) + "\n]\n"
    (folder / PLACES).write_text(text, encoding="utf-8")


def write_players(path: Path, plan: Plan) -> None:
    """Write the roster, grown if the sample is larger than the event."""
    _table(
        path,
        ("number", "name", "category", "school", "city"),
        ((p.number, p.name, p.category, p.school, p.city) for p in plan.players),
    )


_PAGE_COLUMNS = (
    *("file", "page", "outcome", "sheet", "dpi", "mode", "printed", "scale_x", "scale_y", "skew"),
    *("turn", "blur", "noise", "light", "crumple", "creases", "streaks", "threshold", "quality"),
    *("shadow", "orientation"),
)


def _page_row(truth: PageTruth) -> tuple[object, ...]:
    e = truth.effects
    place = (truth.file, truth.page, truth.outcome, truth.sheet, e.dpi, e.mode)
    shape = (f"{e.printed:.4f}", f"{e.scale[0]:.4f}", f"{e.scale[1]:.4f}", f"{e.skew:.3f}", e.turn)
    look = (f"{e.blur:.2f}", f"{e.noise:.2f}", f"{e.light:.3f}", f"{e.crumple:.2f}", e.creases)
    rest = (len(e.streaks), e.threshold, e.quality, f"{e.shadow:.2f}", e.orientation)
    return (*place, *shape, *look, *rest)


def _table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
