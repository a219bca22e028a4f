"""Guards the promise that PostgreSQL and Dask need configuration alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_event import make_event, page, pdf, scan, source, words
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from otbor.errors import EngineError, EventError
from scanner.contracts import Outcome
from service import answers, intake, results, rulings
from service.event import Event, Source
from service.executors import DaskExecutor, make_executor
from service.settings import Settings

POSTGRES = os.environ.get("OTBOR_TEST_POSTGRES", "")


@pytest.fixture(scope="module")
def dask_address() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_pages_are_worked_on_by_a_cluster(tmp_path: Path, dask_address: str) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1, words((1, 10))), page(2)])
    report = scan(event, file, factory=lambda: DaskExecutor(dask_address))
    assert [entry.outcome for entry in report.pages] == [Outcome.SHEET] * 2
    assert sum(answer.ink == "written" for answer in answers.all_answers(event)) == 1


def test_a_cluster_that_is_not_there_leaves_the_event_as_it_was(tmp_path: Path) -> None:
    event = make_event(tmp_path)
    file = pdf(tmp_path / "scan.pdf", [page(1)])

    def unreachable() -> None:
        raise EngineError("nobody answers", "start it")

    with pytest.raises(EngineError):
        scan(event, file, factory=unreachable)
    assert intake.page_records(event) == []
    assert not list((event.folder).glob("originals/*"))


def test_a_wrong_cluster_address_says_what_to_do() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(EngineError) as refused:
        make_executor(Settings(dask="nonsense://nowhere"))
    assert "OTBOR_DASK" in refused.value.hint


@pytest.fixture
def postgres() -> Iterator[str]:
    if not POSTGRES:
        pytest.skip("no PostgreSQL: set OTBOR_TEST_POSTGRES to the URL of an empty database")
    engine = create_engine(POSTGRES)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    yield POSTGRES
    engine.dispose()


def test_an_event_lives_in_postgresql(tmp_path: Path, postgres: str) -> None:
    files = source(tmp_path / "source")
    about = files / "event.toml"
    about.write_text(about.read_text() + f'database = "{postgres}"\n')
    event = Event.create(tmp_path / "event", Source.of_folder(files))
    scan(event, pdf(tmp_path / "scan.pdf", [page(1, words((1, 10)))]))
    lines = tmp_path / "r.csv"
    lines.write_text("sheet;theme;nominal;verdict\n1;1;10;right\n1;2;10;wrong\n")
    rulings.rule_from_file(event, lines, "jury")
    rulings.undo_last(event, "jury")
    rulings.rule_from_file(event, lines, "jury")
    first = results.event_standings(event).categories[0].rows[0]
    assert (first.player.number, first.rights, first.wrongs) == (1, 1, 1)
    with (
        pytest.raises(DBAPIError, match="append-only"),
        event.database.writing() as connection,
    ):
        connection.execute(text("DELETE FROM ruling"))
    with pytest.raises(EventError, match="already"):
        Event.create(tmp_path / "other", Source.of_folder(files))
    event.close()
