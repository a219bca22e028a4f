"""A small event with a tie across the line, ruled on without scans, and what its pages say."""

from __future__ import annotations

import atexit
import html
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from small_event import make_event
from web_event import PIN

from service import accounts, rulings
from service.accounts import Role
from service.event import Event

REGULATION = """name = "проба"
cut = 1
exempt = true
"""


def tied_event(folder: Path, regulation: str = REGULATION) -> Event:
    """Three young players and one place: 1 and 2 are tied for it with 30 points, 3 has 10; 4 is old."""
    made = make_event(folder)
    file = folder / "regulation.toml"
    file.write_text(regulation, encoding="utf-8")
    made.update(regulation=file)
    lines = ["sheet;theme;nominal;verdict"]
    for player, right in ((1, {(1, 30)}), (2, {(1, 10), (1, 20)}), (3, {(1, 10)}), (4, {(2, 50)})):
        for theme in range(1, 9):
            for nominal in (10, 20, 30, 40, 50):
                verdict = "right" if (theme, nominal) in right else "blank"
                lines.append(f"{player};{theme};{nominal};{verdict}")
    table = folder / "rulings.csv"
    table.write_text("\n".join(lines), encoding="utf-8")
    rulings.rule_from_file(made, table, "jury")
    for role in Role:
        accounts.add_account(made, role.value, role, PIN)
    return made


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="otbor-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with tied_event(folder):
        return folder / "event"


def tied_copy(folder: Path) -> Event:
    """The same by copying: making it takes longer than a test."""
    shutil.copytree(_template(), folder / "event")
    return Event(folder / "event")


def token(text: str) -> str:
    """The token of the effect that a page shows."""
    return re.findall(r'name="seen" value="([0-9a-f]{64})"', text)[0]


def words(text: str) -> str:
    """What a page says, without its marks."""
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split())
