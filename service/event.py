"""An event: its folder, its database, its blobs, and what it is about.

EVENT/otbor.toml    marks the folder as an event; may name a database and a store of blobs
EVENT/otbor.db      the database, unless event.toml or OTBOR_DATABASE names another
EVENT/originals/    every file that was scanned, by SHA-256; EVENT/crops/ what was cut out of them
"""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from otbor.errors import EventError, InputFileError
from otbor.i18n import LANGUAGES
from otbor.i18n import gettext as _
from scanner import geometry as blank_geometry
from scanner.codes import ALPHABET, EVENT_LENGTH
from scanner.geometry import Geometry
from scoring.key import parse_key
from scoring.model import AnswerKey, Player, Regulation
from scoring.regulation import parse_regulation
from scoring.roster import parse_roster
from service import journal
from service.blobs import Blobs
from service.journal import Kind
from service.settings import settings
from service.store.database import Database

MARKER = "otbor.toml"
_HEADER = """\
# This folder is an event of Otbor. Move or copy it as a whole.
# `database` and `blobs` may name another place: database = "postgresql+psycopg://…", blobs = "s3://…"
"""


@dataclass(frozen=True, slots=True)
class EventInfo:
    """What an event is called; `code` is the five characters in its blanks' codes."""

    code: str
    title: str
    place: str = ""
    date: str = ""
    organizer: str = ""
    language: str = "ru"
    """Of what is printed for the players and posted, whatever the organizer's screen speaks."""
    theme_titles: bool = False
    """Whether blanks show the themes' titles; as a rule they are announced in the hall."""


@dataclass(frozen=True, slots=True)
class Source:
    """The files that an event is made from; None where the default serves."""

    players: Path
    key: Path
    regulation: Path | None = None
    about: Path | None = None
    blank: Path | None = None

    @classmethod
    def of_folder(cls, folder: Path) -> Source:
        """`players.csv`, `key.toml`, and if they are there `regulation.toml`, `event.toml`, `blanks.toml`.

        Raises:
            InputFileError: The folder or one of the two needed files is missing.
        """
        if not folder.is_dir():
            raise InputFileError(
                _("There is no folder {path}.").format(path=folder),
                _("Name a folder that holds players.csv and key.toml."),
            )
        for name in ("players.csv", "key.toml"):
            if not (folder / name).is_file():
                raise InputFileError(
                    _("The folder {path} lacks the file {name}.").format(path=folder, name=name),
                    _("Put it there: players.csv is the roster, key.toml the questions' answers."),
                )

        def optional(name: str) -> Path | None:
            path = folder / name
            return path if path.is_file() else None

        return cls(
            folder / "players.csv",
            folder / "key.toml",
            optional("regulation.toml"),
            optional("event.toml"),
            optional("blanks.toml"),
        )


class Event:
    """An open event."""

    def __init__(self, folder: Path) -> None:
        """Open the event in a folder.

        Raises:
            EventError: The folder is no event.
            EngineError: Its database cannot be reached.
        """
        self.folder = folder
        about = _marker(folder)
        if about is None or "code" not in about:
            raise EventError(
                _("The folder {path} is not an event.").format(path=folder),
                _("Make one with “otbor new {path}”, or name the folder of an event.").format(
                    path=folder
                ),
            )
        self._marker = about
        self._parses: dict[tuple[Kind, ...], tuple[tuple[int, ...], Any]] = {}
        self._newest: dict[tuple[Kind, ...], tuple[int, tuple[int, ...]]] = {}
        self.database = Database(_database_url(folder, about))
        self.blobs = Blobs(_blobs_url(folder, about))
        self.database.migrate()

    @classmethod
    def create(cls, folder: Path, source: Source, *, code: str = "", title: str = "") -> Event:
        """Make a new event from files; nothing is written if one of them is refused.

        Args:
            folder: Where; made if it is missing. It may hold the source files themselves.
            source: Roster, key and the rest.
            code: The five characters of the blanks' codes; drawn by lot if empty.
            title: Overrides the title in the source's event.toml.

        Raises:
            EventError: There is an event already.
            TableError: A file says something that cannot be.
        """
        about = _marker(folder)
        if about is not None and "code" in about:
            raise EventError(
                _("The folder {path} is an event already.").format(path=folder),
                _("Choose another folder, or go on with this event."),
            )
        facts = _toml(source.about) if source.about else {}
        code = code.upper() or str(facts.get("code", "")).upper()
        code = code or "".join(secrets.choice(ALPHABET) for _index in range(EVENT_LENGTH))
        if len(code) != EVENT_LENGTH or any(char not in ALPHABET for char in code):
            raise EventError(
                _("“{code}” cannot be an event's code.").format(code=code),
                _("A code has five characters out of {alphabet}.").format(alphabet=ALPHABET),
            )
        regulation_text = _text(source.regulation) if source.regulation else default_regulation()
        regulation = parse_regulation(regulation_text, source=str(source.regulation or ""))
        players = parse_roster(_bytes(source.players), source=str(source.players))
        key_text = _text(source.key)
        key = parse_key(key_text, source=str(source.key), regulation=regulation)
        geometry = blank_geometry.load(source.blank) if source.blank else blank_geometry.default()
        _check_geometry(geometry, regulation)
        info = EventInfo(
            code,
            title or str(facts.get("title", "")) or key.title or folder.name,
            str(facts.get("place", "")),
            str(facts.get("date", "")),
            str(facts.get("organizer", "")),
            _language(facts.get("language", "ru"), source.about),
            bool(facts.get("theme_titles", False)),
        )
        folder.mkdir(parents=True, exist_ok=True)
        kept: dict[str, Any] = {
            name: str(facts[name]) for name in ("database", "blobs") if name in facts
        }
        database = Database(_database_url(folder, kept))
        database.migrate()
        with database.writing() as connection:
            if journal.latest(connection, Kind.EVENT) is not None:
                raise EventError(
                    _("The database of {path} holds an event already.").format(path=folder),
                    _("Name an empty database: one event is one database."),
                )
            for kind, payload in (
                (Kind.EVENT, asdict(info)),
                (Kind.REGULATION, {"text": regulation_text}),
                (Kind.GEOMETRY, {"text": geometry.source}),
                (Kind.KEY, {"text": key_text}),
                (Kind.ROSTER, {"players": [asdict(player) for player in players]}),
            ):
                journal.append(connection, "otbor", kind, payload)
        database.close()
        # The marker comes last: a folder without it is no event, whatever was interrupted.
        lines = [f'code = "{code}"', *(f'{name} = "{value}"' for name, value in kept.items())]
        (folder / MARKER).write_text(_HEADER + "\n".join(lines) + "\n", encoding="utf-8")
        return cls(folder)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def __enter__(self) -> Event:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def newest(self, *kinds: Kind) -> tuple[int, ...]:
        """The numbers of the newest entries of some kinds, 0 where there is none.

        They are asked for only when the journal has grown: this is wanted many times for every wall.
        """
        with self.database.reading() as connection:
            length = self.database.asked_once(journal.length)
            known = self._newest.get(kinds)
            if known is not None and known[0] == length:
                return known[1]
            found = tuple(journal.newest(connection, kind) for kind in kinds)
            # Before anything that was asked, so that what comes in between is asked for the next time.
            if not self.database.in_change:
                self._newest[kinds] = (length, found)
            return found

    def _parsed(self, parse: Callable[[], Any], *kinds: Kind) -> Any:
        """What is made of the newest entries of some kinds; made anew only when one of them is newer.

        A wall asks for the key and the regulation several times, and another process may change them at
        any moment: the number of the newest entry is cheap to ask for, parsing is not.
        """
        version = self.newest(*kinds)
        known = self._parses.get(kinds)
        if known is not None and known[0] == version:
            return known[1]
        # If somebody is quicker with another entry, the newer text is kept under the older number: made
        # anew the next time, and never wrong.
        made = parse()
        # An entry that is not committed yet may be rolled back, and its number given to another one.
        if not self.database.in_change:
            self._parses[kinds] = (version, made)
        return made

    def _latest(self, kind: Kind) -> Any:
        with self.database.reading() as connection:
            payload = journal.latest(connection, kind)
        if payload is None:
            raise EventError(
                _("The event in {path} is incomplete: it has no {part}.").format(
                    path=self.folder, part=kind.value
                ),
                _("Restore the folder from a copy, or make the event anew."),
            )
        return payload

    @cached_property
    def info(self) -> EventInfo:
        """What the event is called."""
        return EventInfo(**self._latest(Kind.EVENT))

    @cached_property
    def geometry(self) -> Geometry:
        """The blanks that were printed for this event; fixed when it is made."""
        return blank_geometry.parse(self._latest(Kind.GEOMETRY)["text"])

    def regulation(self) -> Regulation:
        """The regulation in force."""
        found: Regulation = self._parsed(self._parse_regulation, Kind.REGULATION)
        return found

    def key(self) -> AnswerKey:
        """The answer key in force."""
        found: AnswerKey = self._parsed(self._parse_key, Kind.KEY, Kind.REGULATION)
        return found

    def key_version(self) -> int:
        """A number that grows whenever another key is put in force."""
        return self.newest(Kind.KEY)[0]

    def players(self) -> list[Player]:
        """The roster in force, by number."""
        return list(self._parsed(self._parse_players, Kind.ROSTER))

    def _parse_regulation(self) -> Regulation:
        return parse_regulation(self._latest(Kind.REGULATION)["text"], source=Kind.REGULATION)

    def _parse_key(self) -> AnswerKey:
        text = self._latest(Kind.KEY)["text"]
        return parse_key(text, source=Kind.KEY, regulation=self.regulation())

    def _parse_players(self) -> tuple[Player, ...]:
        rows = self._latest(Kind.ROSTER)["players"]
        return tuple(sorted((Player(**row) for row in rows), key=lambda player: player.number))

    def spares(self) -> int:
        """How many numbered spare sheets have been printed."""
        with self.database.reading() as connection:
            return max(
                (int(entry.payload["count"]) for entry in journal.entries(connection, Kind.SPARES)),
                default=0,
            )

    def print_spares(self, count: int, who: str = "otbor") -> None:
        """Record that spare sheets S1…S`count` exist; numbers once given stay valid."""
        if count > self.spares():
            with self.database.writing() as connection:
                journal.append(connection, who, Kind.SPARES, {"count": count})

    def update(
        self,
        *,
        players: Path | None = None,
        key: Path | None = None,
        regulation: Path | None = None,
        who: str = "otbor",
        why: str = "",
    ) -> list[str]:
        """Put a new roster, key or regulation in force; the old ones stay in the journal.

        Returns:
            What was changed, as names of journal kinds.

        Raises:
            TableError: A file says something that cannot be; nothing is changed then.
        """
        entries: list[tuple[Kind, Any]] = []
        rules = self.regulation()
        if regulation is not None:
            text = _text(regulation)
            rules = parse_regulation(text, source=str(regulation))
            _check_geometry(self.geometry, rules)
            entries.append((Kind.REGULATION, {"text": text}))
        if key is not None or regulation is not None:
            text = self._latest(Kind.KEY)["text"] if key is None else _text(key)
            parse_key(text, source=str(key or Kind.KEY), regulation=rules)
            if key is not None:
                entries.append((Kind.KEY, {"text": text}))
        if players is not None:
            roster = parse_roster(_bytes(players), source=str(players))
            self._keep_known(roster)
            entries.append((Kind.ROSTER, {"players": [asdict(player) for player in roster]}))
        with self.database.writing() as connection:
            for kind, payload in entries:
                journal.append(connection, who, kind, payload, why)
        return [kind.value for kind, _payload in entries]

    def _keep_known(self, roster: Sequence[Player]) -> None:
        """Refuse a roster that drops a player whose sheet or rulings the event already has."""
        from service.sheets import used_players

        gone = used_players(self) - {player.number for player in roster}
        if gone:
            numbers = ", ".join(str(number) for number in sorted(gone)[:10])
            raise EventError(
                _("The new roster lacks players whose sheets are here: {numbers}.").format(
                    numbers=numbers
                ),
                _("Add them to the file; a player who was a mistake can stay in it."),
            )


def _language(code: Any, path: Path | None) -> str:
    if code not in LANGUAGES:
        raise InputFileError(
            _("The file {path} asks for the language “{code}”.").format(path=path, code=code),
            _("Choose one of: {names}.").format(names=", ".join(LANGUAGES)),
        )
    return str(code)


def default_regulation() -> str:
    """The festival's written round: 8 themes of 10–50, the 32 best of each category go on."""
    return (resources.files("scoring.regulations") / "festival.toml").read_text(encoding="utf-8")


def _marker(folder: Path) -> dict[str, Any] | None:
    path = folder / MARKER
    return _toml(path) if path.is_file() else None


def _database_url(folder: Path, about: dict[str, Any]) -> str:
    url = settings().database or str(about.get("database", ""))
    return url or f"sqlite:///{(folder / 'otbor.db').resolve()}"


def _blobs_url(folder: Path, about: dict[str, Any]) -> str:
    return settings().blobs or str(about.get("blobs", "")) or folder.resolve().as_uri()


def _check_geometry(geometry: Geometry, regulation: Regulation) -> None:
    """A blank must have a box for every question and no other."""
    boxes = {(box.theme, box.row) for box in geometry.blanks["personal"].boxes}
    rows = range(1, len(regulation.nominals) + 1)
    asked = {(theme, row) for theme in range(1, regulation.themes + 1) for row in rows}
    if boxes != asked:
        raise EventError(
            _(
                "The blank has {boxes} boxes, but the regulation asks {themes} themes of "
                "{rows} questions."
            ).format(boxes=len(boxes), themes=regulation.themes, rows=len(regulation.nominals)),
            _("Change “themes” and “nominals” in the regulation, or give a blank that fits."),
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputFileError(
            _("The file {path} cannot be read: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Check the name and try again."),
        ) from error


def _text(path: Path) -> str:
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputFileError(
            _("The file {path} is not UTF-8 text.").format(path=path),
            _("Save it as UTF-8 and try again."),
        ) from error


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(
            _("The file {path} is not valid TOML: {error}.").format(path=path, error=error),
            _("Mend that line and try again."),
        ) from error
