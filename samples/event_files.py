"""The invented event of `samples/event`: its roster, key, regulation and what players write.

The files are those of any event, plus `answers.toml`, which only the generator of blanks reads.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.key import parse_key
from scoring.model import AnswerKey, Player, Regulation
from scoring.regulation import parse_regulation
from scoring.roster import parse_roster

EVENT_DIR = Path(__file__).with_name("event")


@dataclass(frozen=True, slots=True)
class Spellings:
    """What players write to one question beyond the key.

    Args:
        right: Further right spellings.
        slips: The right answer with a slip of the pen that a jury forgives.
        near: Looks like the right answer, but a jury rejects it.
        wrong: Wrong answers.
    """

    right: tuple[str, ...]
    slips: tuple[str, ...]
    near: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampleEvent:
    """The whole event; `spellings` is keyed by (theme, nominal)."""

    title: str
    date: str
    place: str
    organizer: str
    players: tuple[Player, ...]
    key: AnswerKey
    regulation: Regulation
    spellings: dict[tuple[int, int], Spellings]

    def player(self, number: int) -> Player:
        """The player with this number.

        Raises:
            KeyError: There is none.
        """
        for player in self.players:
            if player.number == number:
                return player
        raise KeyError(number)


def load_event(folder: Path = EVENT_DIR) -> SampleEvent:
    """Read the event from its folder."""
    about = _toml(folder / "event.toml")
    regulation = parse_regulation(_text(folder / "regulation.toml"), source="regulation.toml")
    return SampleEvent(
        title=about["title"],
        date=about["date"],
        place=about["place"],
        organizer=about["organizer"],
        players=tuple(parse_roster((folder / "players.csv").read_bytes(), source="players.csv")),
        key=parse_key(_text(folder / "key.toml"), source="key.toml", regulation=regulation),
        regulation=regulation,
        spellings=_spellings(_toml(folder / "answers.toml")),
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(_text(path))


def _spellings(data: dict[str, Any]) -> dict[tuple[int, int], Spellings]:
    return {
        (entry["theme"], entry["nominal"]): Spellings(
            *(tuple(entry[part]) for part in ("right", "slips", "near", "wrong"))
        )
        for entry in data["question"]
    }
