"""An event grown to many sheets without scanning them: rows and pictures of one scanned sheet, many times.

What the jury's part costs depends on how much there is, not on what the pictures show. Readings and matches
are invented with a fixed seed: a third of the boxes blank, of the others half right, the rest of forty wrong
words.
"""

from __future__ import annotations

import random
from pathlib import Path

from small_event import key_text, page, pdf, scan
from sqlalchemy import insert, select, update

from scanner.contracts import Ink
from scoring.model import Question
from service import verification
from service.accounts import Role, add_account
from service.event import Event, Source
from service.store import tables

PIN = "271828"
TRACE_BYTES = 2000
SHARE_BLANK = 1 / 3
SHARE_RIGHT = 0.5


def grown_event(folder: Path, sheets: int, jurors: int) -> Event:
    """An event with this many read sheets and the accounts `juror 1`, `juror 2` and so on."""
    files = folder / "source"
    files.mkdir(parents=True)
    roster = ["number;name;category;school"]
    roster += [f"{n};Игрок {n};младшие;школа № {n % 40}" for n in range(1, sheets + 1)]
    (files / "players.csv").write_text("\n".join(roster) + "\n", encoding="utf-8")
    (files / "key.toml").write_text(key_text(), encoding="utf-8")
    event = Event.create(folder / "event", Source.of_folder(files), code="TEST1")
    boxes = {(theme, nominal): "слово" for theme in range(1, 9) for nominal in range(10, 60, 10)}
    scan(event, pdf(folder / "one.pdf", [page(1, boxes)]))
    _grow(event, sheets)
    for number in range(1, jurors + 1):
        add_account(event, f"juror {number}", Role.JUROR, PIN)
    return event


def _grow(event: Event, sheets: int) -> None:
    chance = random.Random(1)
    questions = verification.by_box(event.key())
    with event.database.writing() as connection:
        first = dict(connection.execute(select(tables.page)).mappings().one())
        boxes = [dict(row) for row in connection.execute(select(tables.box)).mappings()]
        connection.execute(update(tables.box).values(text="ответ", confidence=0.8))
        pages = [
            first | {"id": first["id"] + n, "number": 1 + n, "sheet": str(1 + n)}
            for n in range(1, sheets)
        ]
        connection.execute(insert(tables.page), pages)
        grown, traces = [], []
        for made in pages:
            for box in boxes:
                question = questions[box["key"]]
                row = box | {"page_id": made["id"], "confidence": 0.8, "sure": True}
                if chance.random() < SHARE_BLANK:
                    row |= {"ink": Ink.BLANK.value, "text": None, "confidence": None}
                else:
                    right = chance.random() < SHARE_RIGHT
                    word = question.answer if right else f"слово {chance.randrange(40)}"
                    row |= {"ink": Ink.WRITTEN.value, "text": word}
                    traces.append(_trace(made["id"], question, right, chance))
                grown.append(row)
        connection.execute(insert(tables.box), grown)
        connection.execute(insert(tables.trace), traces)


def _trace(
    page_id: int, question: Question, right: bool, chance: random.Random
) -> dict[str, object]:
    likely = chance.uniform(0.4, 1.0) if right else chance.uniform(0.0, 0.6)
    found = [[form, False, -1.0, likely, 0.1] for form in question.forms]
    found += [[form, True, -4.0, 0.01, 0.0] for form in question.rejected]
    return {
        "page_id": page_id,
        "key": f"t{question.theme}r{question.row}",
        "made_for": verification.digest(question),
        "matches": found,
        "data": chance.randbytes(TRACE_BYTES),
    }
