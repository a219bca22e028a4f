"""Guards appeals and removals: every decision shows its effect; undoing it restores every byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tied_event import tied_event

from otbor.errors import ConflictError, NotFoundError, TableError
from reports.standings_pdf import standings_pdf
from scoring.model import Status
from scoring.seeding import Method
from service import decisions, publications, results, rulings
from service.bouts import seed_category
from service.cli import app
from service.cli.decide_commands import read_scores
from service.decisions import Decision
from service.event import Event
from service.publications import Match

REGULATION = """name = "проба"
cut = 1
"""


@pytest.fixture
def event(tmp_path: Path) -> Event:
    return tied_event(tmp_path, REGULATION)


def _young(event: Event) -> dict[int, tuple[int, Status]]:
    part = results.event_standings(event).categories[0]
    return {row.player.number: (row.score, row.status) for row in part.rows}


def test_a_tie_across_the_line_is_undecided_until_somebody_decides(event: Event) -> None:
    assert _young(event)[1] == (30, Status.TIED)
    assert _young(event)[2] == (30, Status.TIED)


def test_a_removed_question_is_written_off_and_its_return_restores_every_byte(event: Event) -> None:
    before = standings_pdf(results.event_standings(event))
    changes = decisions.decide(
        event, Decision.REMOVE, {"theme": 1, "nominal": 10}, who="chief", why="два верных ответа"
    )
    assert {change.number: change.points for change in changes.players if change.points} == {
        2: -10,
        3: -10,
    }
    assert {change.number for change in changes.players if change.crosses_in} == {1}
    assert _young(event)[1] == (30, Status.IN)
    assert standings_pdf(results.event_standings(event)) != before
    [entry] = decisions.entries(event)
    decisions.take_back(event, entry.id, who="chief")
    assert standings_pdf(results.event_standings(event)) == before
    assert [entry.back for entry in decisions.entries(event)] == [True]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Decision.DISQUALIFY, {"number": 1}),
        (Decision.OUT_OF_COMPETITION, {"number": 1}),
        (Decision.PENALTY, {"number": 1, "points": 20}),
        (Decision.LATE, {"number": 1, "themes": 1}),
        (Decision.BRING, {"number": 1, "points": -20}),
        (Decision.NOMINAL, {"theme": 1, "nominal": 30, "worth": 5}),
    ],
)
def test_every_decision_can_be_undone_byte_for_byte(
    event: Event, kind: Decision, data: dict[str, int]
) -> None:
    before = standings_pdf(results.event_standings(event))
    changes = decisions.decide(event, kind, data, who="chief")
    assert {change.number for change in changes.players} >= {1, 2}
    assert _young(event)[2][1] is Status.IN
    decisions.take_back(event, decisions.entries(event)[-1].id, who="chief")
    assert standings_pdf(results.event_standings(event)) == before


def test_a_trial_decides_nothing(event: Event) -> None:
    before = results.event_standings(event)
    changes = decisions.decide(event, Decision.DISQUALIFY, {"number": 1}, who="chief", dry_run=True)
    assert changes
    assert results.event_standings(event) == before
    assert decisions.entries(event) == []


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Decision.DISQUALIFY, {"number": 999}),
        (Decision.REMOVE, {"theme": 9, "nominal": 10}),
        (Decision.NOMINAL, {"theme": 1, "nominal": 15, "worth": 5}),
    ],
)
def test_a_decision_on_nothing_is_refused(
    event: Event, kind: Decision, data: dict[str, int]
) -> None:
    with pytest.raises(NotFoundError):
        decisions.decide(event, kind, data, who="chief")
    assert decisions.entries(event) == []


def test_what_a_late_player_missed_and_what_is_brought_in_are_counted(
    event: Event, tmp_path: Path
) -> None:
    """Regulations name both, and nothing but a program of one's own could say them."""
    rules = tmp_path / "late.toml"
    rules.write_text(REGULATION + "[answers]\nmissing = -5\n", encoding="utf-8")
    event.update(regulation=rules)
    before, _status = _young(event)[1]
    decisions.decide(event, Decision.LATE, {"number": 1, "themes": 2}, who="chief")
    part = results.event_standings(event).categories[0]
    won = next(row.cells for row in part.rows if row.player.number == 1)
    assert won[:10] == (-5,) * 10
    decisions.decide(event, Decision.LATE, {"number": 1, "themes": 1}, who="chief")
    late, _status = _young(event)[1]
    decisions.decide(event, Decision.BRING, {"number": 1, "points": 15}, who="chief")
    decisions.decide(event, Decision.BRING, {"number": 1, "points": 40}, who="chief")
    assert _young(event)[1][0] == late + 40  # The newest holds, they are not added up.
    with pytest.raises(NotFoundError, match="8"):
        decisions.decide(event, Decision.LATE, {"number": 1, "themes": 9}, who="chief")
    for entry in decisions.entries(event):
        decisions.take_back(event, entry.id, who="chief")
    assert _young(event)[1][0] == before


def test_the_same_decision_twice_is_refused(event: Event) -> None:
    decisions.decide(event, Decision.DISQUALIFY, {"number": 1}, who="chief")
    with pytest.raises(ConflictError):
        decisions.decide(event, Decision.DISQUALIFY, {"number": 1}, who="chief")


def test_a_shoot_out_decides_the_tie(event: Event, tmp_path: Path) -> None:
    choice = {"steps": ["shoot_out"], "themes": 1, "keys": [], "group": ""}
    decisions.decide(event, Decision.TIE, choice, who="chief")
    assert _young(event)[1][1] is Status.TIED
    file = tmp_path / "shoot.csv"
    file.write_text("номер;очки\n1;−10\n2;30\n", encoding="utf-8")
    decisions.decide(event, Decision.SHOOT_OUT, {"scores": read_scores(file)}, who="chief")
    assert _young(event) == {1: (30, Status.OUT), 2: (30, Status.IN), 3: (10, Status.OUT)}


def test_a_lot_is_recorded_with_its_seed_and_can_be_checked(event: Event) -> None:
    standings = results.event_standings(event)
    first = decisions.lot_for(standings, "младшие", "овация")
    assert first == decisions.lot_for(standings, "", "овация")
    assert sorted(first["order"]) == [1, 2]
    with pytest.raises(ConflictError):  # nobody has said that ties are decided by lot
        decisions.decide(event, Decision.LOT, first, who="chief")
    choice = {"steps": ["lot"], "themes": 0, "keys": [], "group": ""}
    decisions.decide(event, Decision.TIE, choice, who="chief")
    decisions.decide(event, Decision.LOT, first, who="chief")
    winner = first["order"][0]
    assert _young(event)[winner][1] is Status.IN
    assert decisions.entries(event)[-1].data["seed"] == "овация"


@pytest.mark.parametrize("text", ["1;много\n", "номер;очки\n", "x;1\n1;2\ny;3\n"])
def test_a_bad_shoot_out_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "shoot.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TableError):
        read_scores(file)


# --- publications ------------------------------------------------------------------------------


def test_publications_are_numbered_and_say_what_changed(event: Event) -> None:
    first, changes = publications.publish(event, who="organizer")
    assert (first.number, changes) == (1, None)
    with pytest.raises(ConflictError, match="Nothing has changed"):
        publications.publish(event, who="organizer")
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    second, changes = publications.publish(event, who="organizer")
    assert second.number == 2
    assert changes is not None
    assert {change.number for change in changes.crossing} == {2}
    assert publications.publications(event)[0].standings == first.standings


def test_withdrawing_and_publishing_again_gives_the_next_number(event: Event) -> None:
    publications.publish(event, who="organizer")
    publications.withdraw(event, 1, who="organizer", why="рано")
    again, changes = publications.publish(event, who="organizer")
    assert again.number == 2
    assert not changes
    assert [entry.withdrawn for entry in publications.publications(event)] == [True, False]
    with pytest.raises(ConflictError):
        publications.withdraw(event, 1, who="organizer")
    with pytest.raises(NotFoundError):
        publications.withdraw(event, 7, who="organizer")


def test_unconfirmed_answers_are_not_published_by_accident(event: Event, tmp_path: Path) -> None:
    lines = tmp_path / "one.csv"
    lines.write_text("sheet;theme;nominal;verdict\n5;1;10;right\n")
    rulings.rule_from_file(event, lines, "jury")
    with pytest.raises(ConflictError, match="39"):
        publications.publish(event, who="organizer")
    entry, _changes = publications.publish(event, who="organizer", provisional=True)
    assert entry.standings.unconfirmed == 39


def test_a_posted_pdf_tells_which_publication_it_is(event: Event) -> None:
    publications.publish(event, who="organizer")
    old = standings_pdf(results.event_standings(event))
    decisions.decide(event, Decision.PENALTY, {"number": 1, "points": 10}, who="chief")
    unpublished = standings_pdf(results.event_standings(event))
    checked = publications.check_pdf(event, old)
    assert checked.match is Match.SAME
    assert checked.publication is not None
    assert checked.publication.number == 1
    assert publications.check_pdf(event, unpublished).publication is None
    assert publications.check_pdf(event, unpublished).match is Match.SAME
    edited = old.replace(b"/Creator", b"/Creatox", 1)
    assert edited != old
    assert publications.check_pdf(event, edited).match is Match.EDITED
    assert publications.check_pdf(event, b"no PDF").match is Match.NO_PDF


def test_bouts_wait_for_the_tie(event: Event) -> None:
    with pytest.raises(ConflictError, match="tie"):
        seed_category(event, "младшие", 4, Method.SNAKE, "")
    choice = {"steps": ["all_in"], "themes": 0, "keys": [], "group": ""}
    decisions.decide(event, Decision.TIE, choice, who="chief")
    name, seeding, players = seed_category(event, "младшие", 4, Method.SNAKE, "")
    assert name == "младшие"
    assert seeding.bouts == ((1, 2),)
    assert set(players) == {1, 2}
    with pytest.raises(ConflictError, match="category"):
        seed_category(event, "", 4, Method.SNAKE, "")


def test_what_the_next_stage_begins_with_is_told_and_can_be_entered(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Regulations carry points over; the program knew how many and told nobody."""
    monkeypatch.setenv("OTBOR_LANG", "en")
    stage = '[[stage]]\nname = "Второй раунд"\ncarry_over = "{}"\n'
    rules = tmp_path / "stage.toml"
    folder = str(event.folder)

    def told(carry_over: str, *arguments: str) -> tuple[int, str, str]:
        text = REGULATION.replace("cut = 1", "cut = 3") + stage.format(carry_over)
        rules.write_text(text, encoding="utf-8")
        event.update(regulation=rules)
        capsys.readouterr()
        status = app.run(["standings", folder, "--next", *arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    scores = {number: score for number, (score, _status) in _young(event).items()}
    status, out, _err = told("own", "--json")
    assert status == 0
    brought = {each["number"]: each["points"] for each in json.loads(out)["players"]}
    assert {number: brought[number] for number in scores} == scores
    _status, out, _err = told("difference", "--json")
    brought = {each["number"]: each["points"] for each in json.loads(out)["players"]}
    least = min(scores.values())
    assert {n: brought[n] for n in scores} == {n: score - least for n, score in scores.items()}
    status, out, _err = told("own")
    assert status == 0 and "Второй раунд" in out and "Brings" in out
    rules.write_text(REGULATION, encoding="utf-8")
    event.update(regulation=rules)
    assert app.run(["standings", folder, "--next"]) != 0
    assert "no stage after this round" in capsys.readouterr().err
