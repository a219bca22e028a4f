"""Connections to an event's database, SQLite or PostgreSQL by URL."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, create_engine, event, insert, text
from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError

from otbor.errors import EngineError
from otbor.i18n import gettext as _

MIGRATIONS = Path(__file__).parent / "migrations"
# The newest revision in `migrations/versions`; a test holds it to that.
HEAD = "0004"
# Any number, the same for every process that writes to an event.
WRITER_LOCK = 74_072
# Connections to a SQLite file that stay open between uses; more are opened when more threads ask at once.
KEPT_OPEN = 8
# SQLite takes at most 32,766 values in one statement.
MOST_VALUES = 32_000

Found = TypeVar("Found")


class Database:
    """One event's database.

    Use `reading()` for queries and `writing()` for changes; both give a connection in a transaction that
    ends with the block. Inside a `writing()` block both give that block's connection to the same thread:
    who holds the write lock must not wait for a second connection, which those who wait for the lock may
    all have, and what is looked at is what the changes will stand on. Likewise a `reading()` block inside
    another one: all of it sees one moment.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite")
        self._own = threading.local()
        # SQLite lets those who wait for its lock sleep and try again, up to 100 ms at a time and in no
        # order; threads of one process queue here instead.
        self._queue: AbstractContextManager[Any] = (
            threading.Lock() if self.is_sqlite else nullcontext()
        )
        self._is_wal = False
        options: dict[str, Any] = {}
        if self.is_sqlite:
            # Kept open: when the last connection is closed, SQLite writes its whole log into the file and
            # deletes it, which takes as long as ten rulings; and a new one reads the tables' texts again.
            options = {
                "pool_size": KEPT_OPEN,
                "max_overflow": -1,
                "pool_use_lifo": True,
                "connect_args": {"timeout": 30, "check_same_thread": False},
            }
        try:
            self.engine = create_engine(url, **options)
        except Exception as error:  # a wrong URL raises many kinds
            raise _unreachable(url, error) from error
        if self.is_sqlite:
            event.listen(self.engine, "connect", self._prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            event.listen(self.engine, "checkout", _refuse_inherited)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for queries."""
        outer = self._writing or getattr(self._own, "reading", None)
        if outer is not None:
            yield outer
            return
        try:
            connection = self.engine.connect()
        except OperationalError as error:
            raise _unreachable(self.url, error) from error
        with connection:
            self._own.reading = connection
            self._own.found = {}
            try:
                yield connection
            finally:
                self._own.reading = None
                self._own.found = {}

    def asked_once(self, ask: Callable[[Connection], Found]) -> Found:
        """What a function finds out of the database; in a `reading()` block, which sees one moment, once.

        Inside a `writing()` block it is asked every time: it may be asked of what was changed just now.
        """
        with self.reading() as connection:
            if self.in_change:
                return ask(connection)
            found: dict[Any, Any] = self._own.found
            if ask not in found:
                found[ask] = ask(connection)
            answer: Found = found[ask]
            return answer

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection for changes: all of them are kept, or none if the block raises.

        There is one writer at a time: on SQLite by taking the write lock at once (`BEGIN IMMEDIATE`), on
        PostgreSQL by an advisory lock. Two writers wait for each other instead of failing half-way. A block
        inside another one is part of it.
        """
        if self._writing is not None:
            yield self._writing
            return
        with self._queue, self._begun() as connection:
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK})
            self._own.connection = connection
            try:
                yield connection
            finally:
                self._own.connection = None

    @contextmanager
    def _begun(self) -> Iterator[Connection]:
        try:
            connection = self.engine.connect()
        except OperationalError as error:
            raise _unreachable(self.url, error) from error
        with connection.execution_options(writing=True), connection.begin():
            yield connection

    @property
    def in_change(self) -> bool:
        """True if this thread is inside a `writing()` block."""
        return self._writing is not None

    @property
    def _writing(self) -> Connection | None:
        """The connection of the block of changes that this thread is in."""
        return getattr(self._own, "connection", None)

    def revision(self) -> str:
        """The database's revision, empty if it has no tables yet."""
        try:
            with self.reading() as connection:
                return str(
                    connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
                )
        except DBAPIError:
            return ""

    def migrate(self) -> None:
        """Bring the tables to the newest revision; does nothing if they are."""
        if self.revision() == HEAD:
            return
        # Alembic takes a fifth of a second to import: only when there is something to do.
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _prepare_sqlite(self, connection: Any, record: Any) -> None:
        record.info["process"] = os.getpid()
        # SQLAlchemy's own BEGIN is sent by `_begin_sqlite`; the driver must not send another.
        connection.isolation_level = None
        cursor = connection.cursor()
        if not self._is_wal:
            # The file remembers it; asking for it costs a third of a short query.
            cursor.execute("PRAGMA journal_mode=WAL")
            self._is_wal = True
        # With WAL a power cut loses no committed ruling only if every commit is synced.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA busy_timeout=30000")
        cursor.close()

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of plain values, on SQLite in one statement.

    With a statement for each row, the driver lets other threads run after each of them. Under the write lock
    hundreds of rows would wait for every one of these turns, and all other writers with them.

    Args:
        connection: One from `Database.writing()`.
        table: Where to.
        rows: All with the same columns; strings, numbers and None.
    """
    if not rows:
        return
    if connection.dialect.name != "sqlite":
        connection.execute(insert(table), list(rows))
        return
    names = list(rows[0])
    marks = f"({', '.join('?' * len(names))})"
    at_once = MOST_VALUES // len(names)
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        values = ", ".join([marks] * len(some))
        connection.exec_driver_sql(
            f"INSERT INTO {table.name} ({', '.join(names)}) VALUES {values}",
            tuple(row[name] for row in some for name in names),
        )


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _refuse_inherited(_connection: Any, record: Any, proxy: Any) -> None:
    """A connection must not be used in a process that was forked from the one that opened it."""
    if record.info["process"] != os.getpid():
        record.dbapi_connection = proxy.dbapi_connection = None
        raise DisconnectionError("opened by another process")


def _unreachable(url: str, error: Exception) -> EngineError:
    shown = url.split("@")[-1]  # never a password
    return EngineError(
        _("The database {url} cannot be used: {error}.").format(
            url=shown, error=str(error).splitlines()[0]
        ),
        _("Check OTBOR_DATABASE or “database” in otbor.toml, and that the server is running."),
    )
