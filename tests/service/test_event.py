"""Guards against an event that is half made, overwritten, or loses what people entered."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_event import CODE, PLAYERS, make_event, page, pdf, scan, source, words
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from otbor.errors import EventError, InputFileError, OtborError, TableError
from service import journal
from service.event import MARKER, Event, Source
from service.store import database, tables


def test_an_event_is_what_its_files_say(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    assert event.info.title == "Проба"
    assert event.info.code == CODE
    assert [player.number for player in event.players()] == [1, 2, 3, 4, 5]
    assert event.players()[1].name == "Петров-Водкин Кузьма"
    assert event.key().question(3, 40).answer == "ответ 340"
    assert event.regulation().cut == 32


def test_an_event_can_be_made_in_the_folder_of_its_files(tmp_path: Path) -> None:
    folder = source(tmp_path / "mine")
    given = {path.name: path.read_bytes() for path in folder.iterdir()}
    Event.create(folder, Source.of_folder(folder)).close()
    assert {name: (folder / name).read_bytes() for name in given} == given
    assert Event(folder).info.code == CODE


@pytest.mark.parametrize("missing", ["players.csv", "key.toml"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = source(tmp_path / "mine")
    (folder / missing).unlink()
    with pytest.raises(InputFileError, match=missing):
        Source.of_folder(folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("players.csv", "number;name;category\n1;А;м\n1;Б;м\n"),
        ("key.toml", 'title = "Пусто"'),
        ("key.toml", "это не TOML ="),
        ("regulation.toml", "themes = 9\n"),
        ("event.toml", 'title = "Х"\nlanguage = "de"\n'),
        ("event.toml", 'title = "Х"\ncode = "слово"\n'),
        ("blanks.toml", "[paper]\nwidth = 210.0\n"),
    ],
)
def test_a_refused_file_leaves_no_event(tmp_path: Path, name: str, text: str) -> None:
    folder = source(tmp_path / "mine")
    (folder / name).write_text(text, encoding="utf-8")
    target = tmp_path / "event"
    with pytest.raises(OtborError) as refused:
        Event.create(target, Source.of_folder(folder))
    assert refused.value.hint
    assert not (target / MARKER).exists()


def test_an_event_is_never_made_over_another(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(1)]))
    with pytest.raises(EventError):
        Event.create(event.folder, Source.of_folder(tmp_path / "source"))
    assert len(Event(event.folder).players()) == 5


def test_a_folder_that_is_no_event_says_so(tmp_path: Path) -> None:
    with pytest.raises(EventError, match="not an event"):
        Event(tmp_path)


def test_an_update_keeps_the_old_one_in_the_journal(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    more = tmp_path / "more.csv"
    more.write_text(PLAYERS + "6;Поздняя Анна;старшие;\n", encoding="utf-8")
    assert event.update(players=more, who="desk") == ["roster"]
    assert [player.number for player in event.players()][-1] == 6
    with event.database.reading() as connection:
        kept = journal.entries(connection, journal.Kind.ROSTER)
    assert [len(entry.payload["players"]) for entry in kept] == [5, 6]
    assert kept[1].who == "desk"


def test_an_update_that_drops_a_player_with_a_sheet_is_refused(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "scan.pdf", [page(2, words((1, 10)))]))
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("number;name;category\n1;А;младшие\n", encoding="utf-8")
    with pytest.raises(EventError, match="2"):
        event.update(players=fewer)
    assert len(event.players()) == 5


def test_a_refused_update_changes_nothing(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    more = tmp_path / "more.csv"
    more.write_text(PLAYERS + "6;Поздняя Анна;старшие;\n", encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text('title = "нет тем"', encoding="utf-8")
    with pytest.raises(TableError):
        event.update(players=more, key=bad)
    assert len(event.players()) == 5


@pytest.mark.parametrize("table", [tables.journal, tables.ruling])
def test_the_logs_are_append_only(tmp_path: Path, table: object) -> None:
    event = make_event(tmp_path)
    event.print_spares(1)
    with event.database.writing() as connection:
        connection.execute(
            tables.ruling.insert().values(
                batch="b", at=1.0, who="w", sheet="1", box="t1r1", verdict="right"
            )
        )
    for statement in (delete(table), update(table).values(who="somebody else")):  # type: ignore[arg-type]
        with pytest.raises(DBAPIError, match="append-only"), event.database.writing() as connection:
            connection.execute(statement)


def test_the_newest_migration_is_the_one_that_is_expected() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(database.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == database.HEAD


def test_the_tables_are_those_of_the_migrations(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    event = make_event(tmp_path)
    with event.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []


def test_an_event_of_the_release_before_is_brought_up_to_date(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    scan(event, pdf(tmp_path / "a.pdf", [page(1, {(1, 10): "ответ 110"})]))
    with event.database.writing() as connection:
        for statement in (
            "DROP TABLE blind_ruling",
            "DROP TABLE invitation",
            "ALTER TABLE page DROP COLUMN manual",
            "ALTER TABLE page DROP COLUMN aside",
            "UPDATE alembic_version SET version_num = '0003'",
        ):
            connection.execute(text(statement))
    event.close()
    again = Event(event.folder)
    with again.database.reading() as connection:
        assert [tuple(row) for row in connection.execute(select(tables.page.c.aside))] == [(False,)]
    with pytest.raises(DBAPIError, match="append-only"), again.database.writing() as connection:
        connection.execute(
            tables.blind_ruling.insert().values(
                batch="b", at=1.0, who="w", sheet="1", box="t1r1", page_id=1, verdict="right"
            )
        )
        connection.execute(delete(tables.blind_ruling))


def test_an_unreachable_database_says_so_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event(tmp_path)
    url = "postgresql+psycopg://otbor:secret@127.0.0.1:1/none"
    (event.folder / MARKER).write_text(f'code = "{CODE}"\ndatabase = "{url}"\n')
    with pytest.raises(OtborError) as refused:
        Event(event.folder)
    assert refused.value.code == "engine"
    assert "secret" not in str(refused.value)
