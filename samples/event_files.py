"""The invented event of `samples/event`: its roster, key, regulation and what players write.

The files are those of any event, plus `answers.toml`, which only the generator of blanks reads.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.model import AnswerKey, Player, Question, Regulation, Theme, TiePolicy

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
    return SampleEvent(
        title=about["title"],
        date=about["date"],
        place=about["place"],
        organizer=about["organizer"],
        players=_players(folder / "players.csv"),
        key=_key(_toml(folder / "key.toml")),
        regulation=_regulation(_toml(folder / "regulation.toml")),
        spellings=_spellings(_toml(folder / "answers.toml")),
    )


def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _players(path: Path) -> tuple[Player, ...]:
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Player(int(row["number"]), row["name"], row["category"], row["school"], row["city"])
            for row in csv.DictReader(file, delimiter=";")
        )


def _key(data: dict[str, Any]) -> AnswerKey:
    themes = []
    for number, theme in enumerate(data["theme"], start=1):
        questions = tuple(
            Question(
                theme=number,
                row=row,
                nominal=entry["nominal"],
                answer=entry["answer"],
                accepted=tuple(entry.get("accepted", ())),
                rejected=tuple(entry.get("rejected", ())),
                remark=entry.get("remark", ""),
                text=entry["text"],
            )
            for row, entry in enumerate(theme["question"], start=1)
        )
        themes.append(Theme(number, theme["title"], questions))
    return AnswerKey(data["title"], tuple(themes))


def _regulation(data: dict[str, Any]) -> Regulation:
    return Regulation(
        name=data["name"],
        themes=data["themes"],
        nominals=tuple(data["nominals"]),
        cut=data["cut"],
        tie_policy=TiePolicy(data["tie_policy"]),
        categories=tuple(data["categories"]),
    )


def _spellings(data: dict[str, Any]) -> dict[tuple[int, int], Spellings]:
    return {
        (entry["theme"], entry["nominal"]): Spellings(
            *(tuple(entry[part]) for part in ("right", "slips", "near", "wrong"))
        )
        for entry in data["question"]
    }
