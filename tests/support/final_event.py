"""A small event before its final: sums, final sheets written in a font, and scanned with the usual reader."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import fontpkg_caveat
from PIL import Image, ImageDraw, ImageFont
from small_event import DPI, key_text, make_event, page, pdf, scan

from scanner.geometry import SheetKind, default
from service import accounts, rulings
from service.accounts import Role
from service.event import Event

PIN = "271828"
FONT = next(Path(fontpkg_caveat.__file__).parent.rglob("*.ttf"))
REGULATION = """name = "с финалом"
[final]
who = "positive"
least = 1
most = "sum"
missing = 1
nobody_positive = "no_winner"
"""
FINAL_KEY = """
[final]
text = "Какая река течёт через Казань?"
answer = "Волга"
accepted = ["Итиль"]
rejected = ["Кама"]
"""
# The young ones before the final: 1 has 50 points, 2 has 30, 3 has −10; of the old ones 4 has 40, 5 has 20.
SUMS = ("1;1;50;right", "2;1;30;right", "3;1;10;wrong", "4;1;40;right", "5;1;20;right")
YOUNG, OLD = "младшие", "старшие"
# Stake and answer by the player's number; 3 has no final sheet.
SHEETS = {1: ("20", "Волга"), 2: ("  45", "Кама"), 4: ("17", "Волга"), 5: ("", "")}


def before_the_final(folder: Path, regulation: str = REGULATION, key: str = FINAL_KEY) -> Event:
    """The event with all sums, no final sheet scanned yet, and one account of each role."""
    made = make_event(folder)
    rules, answers = folder / "regulation.toml", folder / "final-key.toml"
    rules.write_text(regulation, encoding="utf-8")
    answers.write_text(key_text() + key, encoding="utf-8")
    made.update(regulation=rules, key=answers)
    file = folder / "rulings.csv"
    file.write_text("\n".join(["sheet;theme;nominal;verdict", *SUMS]), encoding="utf-8")
    rulings.rule_from_file(made, file, "jury")
    for role in Role:
        accounts.add_account(made, role.value, role, PIN)
    return made


def final_page(number: int, stake: str = "", answer: str = "", fill: int = 50) -> Image.Image:
    """A scanned final sheet; `stake` goes digit by digit into the cells, a space leaves one empty."""
    image = page(number, kind=SheetKind.FINAL)
    draw = ImageDraw.Draw(image)
    per_mm = DPI / 25.4
    fields = {field.key: field for field in default().blanks["final"].fields}
    digits = ImageFont.truetype(str(FONT), round(10 * per_mm))
    for char, cell in zip(stake, fields["stake"].cells, strict=False):
        middle = ((cell.x + cell.width / 2) * per_mm, (cell.y + cell.height / 2) * per_mm)
        if char != " ":
            draw.text(middle, char, fill=fill, font=digits, anchor="mm")
    rect = fields["answer"].rect
    at = ((rect.x + 8) * per_mm, (rect.y + rect.height / 2) * per_mm)
    draw.text(at, answer, fill=fill, font=ImageFont.truetype(str(FONT), 60), anchor="lm")
    return image


def struck_out(image: Image.Image, cell: int) -> Image.Image:
    """The same with a digit of the stake crossed out."""
    rect = default().blanks["final"].fields[0].cells[cell]
    draw, per_mm = ImageDraw.Draw(image), DPI / 25.4
    for y0, y1 in ((2.5, 11.5), (11.5, 2.5)):
        line = [
            ((rect.x + 1.5) * per_mm, (rect.y + y0) * per_mm),
            ((rect.right - 1.5) * per_mm, (rect.y + y1) * per_mm),
        ]
        draw.line(line, fill=50, width=4)
    return image


def scan_finals(
    event: Event,
    sheets: Mapping[int, tuple[str, str]],
    *,
    name: str = "final.pdf",
    **options: object,
) -> None:
    """Scan final sheets, each a stake and an answer, with the network."""
    pages = [final_page(number, *texts) for number, texts in sheets.items()]
    options.setdefault("reader", "handwriting")
    scan(event, pdf(event.folder / name, pages), **options)
