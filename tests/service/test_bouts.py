"""Guards against a draw nobody can check later: what was drawn, by whom and from what is kept for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from small_event import make_event

from otbor.errors import ConflictError, NotFoundError
from scoring.seeding import Method
from service import bouts, rulings
from service.cli import app
from service.event import Event

REGULATION = """name = "проба"
cut = 3
"""


@pytest.fixture
def event(tmp_path: Path) -> Event:
    """Three young players and two old ones, all of whom go on; 1 and 2 are of one school."""
    made = make_event(tmp_path)
    regulation = tmp_path / "regulation.toml"
    regulation.write_text(REGULATION, encoding="utf-8")
    made.update(regulation=regulation)
    lines = ["sheet;theme;nominal;verdict"]
    for player in range(1, 6):
        for theme in range(1, 9):
            for nominal in (10, 20, 30, 40, 50):
                right = (theme, nominal) == (1, 10 * player)
                lines.append(f"{player};{theme};{nominal};{'right' if right else 'blank'}")
    file = tmp_path / "rulings.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    rulings.rule_from_file(made, file, "jury")
    return made


def _draw(event: Event, seed: str = "овация", category: str = "младшие") -> bouts.Draw:
    name, seeding, _players = bouts.seed_category(event, category, 2, Method.DRAWN, seed)
    return bouts.Draw.of(name, seeding)


def _texts(pdf: bytes) -> list[str]:
    return [str(page.get_textpage().get_text_bounded()) for page in pdfium.PdfDocument(pdf)]


def test_a_draw_is_recorded_as_it_was_made(event: Event) -> None:
    draw = _draw(event)
    assert bouts.recorded(event) == []
    bouts.record(event, draw, who="Анна", why="при всех")
    [kept] = bouts.recorded(event)
    assert (kept.who, kept.why, kept.in_force) == ("Анна", "при всех", True)
    assert kept.at > 0
    assert (kept.category, kept.method, kept.seed) == ("младшие", Method.DRAWN, "овация")
    assert (kept.bouts, kept.conflicts, kept.proven) == (draw.bouts, draw.conflicts, draw.proven)
    # Whoever has the seed gets the same bouts again.
    assert _draw(event, kept.seed).bouts == kept.bouts


def test_a_later_draw_counts_and_the_earlier_one_stays(event: Event) -> None:
    bouts.record(event, _draw(event), who="Анна")
    with pytest.raises(ConflictError, match="already"):
        bouts.record(event, _draw(event), who="Анна")
    bouts.record(event, _draw(event, "ещё раз"), who="Борис")
    assert [(draw.seed, draw.in_force) for draw in bouts.recorded(event)] == [
        ("овация", False),
        ("ещё раз", True),
    ]
    assert bouts.recorded_draw(event).who == "Борис"


def test_each_category_has_a_draw_of_its_own(event: Event) -> None:
    with pytest.raises(NotFoundError):
        bouts.recorded_draw(event)
    bouts.record(event, _draw(event), who="Анна")
    bouts.record(event, _draw(event, category="старшие"), who="Анна")
    assert all(draw.in_force for draw in bouts.recorded(event))
    assert bouts.recorded_draw(event, "старшие").category == "старшие"
    with pytest.raises(ConflictError, match="category"):
        bouts.recorded_draw(event)


def test_the_sheets_hold_the_draw_and_every_bout(event: Event) -> None:
    draw = _draw(event)
    first, *sheets = _texts(bouts.sheets_pdf(event, draw))
    assert len(sheets) == len(draw.bouts) == 2
    assert "овация" in first and "Ёжиков Ёж" in first
    names = {player.number: player.name for player in event.players()}
    for bout, sheet in zip(draw.bouts, sheets, strict=True):
        assert all(names[number] in sheet for number in bout)
        # No stage is laid down here: four themes of the written round's nominals.
        assert "Тема 4" in sheet and "Тема 5" not in sheet and "50" in sheet
    assert bouts.sheets_pdf(event, draw) == bouts.sheets_pdf(event, draw)
    assert "Theme 4" in _texts(bouts.sheets_pdf(event, draw, language="en"))[1]


def test_the_stage_of_the_regulation_is_on_the_sheets(event: Event, tmp_path: Path) -> None:
    rules = tmp_path / "with-stage.toml"
    rules.write_text(
        REGULATION
        + '[[stage]]\nname = "Четвертьфинал"\nbout_size = 4\n'
        + "[[stage.part]]\nthemes = 6\nnominals = [3, 6, 9]\n",
        encoding="utf-8",
    )
    event.update(regulation=rules)
    sheet = _texts(bouts.sheets_pdf(event, _draw(event)))[1]
    assert "Четвертьфинал" in sheet and "Тема 6" in sheet and "50" not in sheet


def test_a_player_who_is_gone_and_a_bout_too_large_are_said(event: Event) -> None:
    draw = _draw(event)
    strange = bouts.Draw("младшие", Method.SNAKE, "", ((1, 99),), (), True)
    with pytest.raises(ConflictError, match="99"):
        bouts.sheets_pdf(event, strange)
    crowd = bouts.Draw("младшие", Method.SNAKE, "", (tuple(range(1, 8)),), (), True)
    with pytest.raises(ConflictError, match="6"):
        bouts.sheets_pdf(event, crowd)
    assert bouts.sheets_pdf(event, draw)


def test_the_command_records_prints_and_shows(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTBOR_LANG", "en")
    event.close()
    folder, sheets, again = str(event.folder), tmp_path / "sheets.pdf", tmp_path / "again.pdf"

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = app.run(["bouts", folder, *arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    status, said, _err = run("--recorded")
    assert status == 0 and "No draw is recorded" in said
    status, said, _err = run(
        "--category", "младшие", "--size", "2", "--method", "drawn", "--seed", "овация",
        "--pdf", str(sheets), "--record", "--who", "Анна", "--json",
    )  # fmt: skip
    assert status == 0
    made = json.loads(said)
    assert len(_texts(sheets.read_bytes())) == 3
    status, said, _err = run("--recorded", "--json")
    [kept] = json.loads(said)
    assert {name: kept[name] for name in made} == made
    assert (kept["who"], kept["in_force"]) == ("Анна", True)
    status, said, _err = run("--recorded", "--pdf", str(again))
    assert status == 0 and "овация" in said and "Анна" in said
    assert again.read_bytes() == sheets.read_bytes()
    status, _out, complaint = run("--recorded", "--record")
    assert status != 0 and "--record" in complaint
    status, _out, complaint = run(
        "--category", "младшие", "--size", "2", "--pdf", str(tmp_path), "--record"
    )
    assert status != 0
    # What could not be printed was not recorded.
    assert len(json.loads(run("--recorded", "--json")[1])) == 1


SITES = """name = "проба"
tie_policy = "lot"
[cut]
each = "site"
places = 2
[[stage]]
name = "1/9 финала"
bout_size = 2
"""


def test_players_of_all_sites_are_seeded_together_in_bouts_of_the_regulation(
    event: Event,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A championship with two sites could seed each by itself only, and into bouts of four."""
    monkeypatch.setenv("OTBOR_LANG", "en")
    rules, players = tmp_path / "sites.toml", tmp_path / "roster.csv"
    rules.write_text(SITES, encoding="utf-8")
    roster = [f"{p.number};{p.name};{p.category};{p.school};" for p in event.players()]
    lines = [f"{line}{'НГУ' if at % 2 else 'ДДТ'}" for at, line in enumerate(roster)]
    head = "number;name;category;school;site"
    players.write_text("\n".join([head, *lines]), encoding="utf-8")
    event.update(regulation=rules, players=players)
    event.close()

    def run(*arguments: str) -> dict[str, object]:
        capsys.readouterr()
        assert app.run(["bouts", str(event.folder), *arguments, "--json"]) == 0
        return dict(json.loads(capsys.readouterr().out))

    drawn = run("--branches", "2", "--apart", "5", "--apart", "4")
    assert drawn["category"] == "1/9 финала"
    assert [len(bout) for bout in drawn["bouts"]] == [2, 2]  # type: ignore[attr-defined]
    assert (drawn["branches"], drawn["apart"]) == (2, [4, 5])
    assert not any({4, 5} <= set(bout) for bout in drawn["bouts"])  # type: ignore[attr-defined]
    sheets = tmp_path / "all.pdf"
    run("--branches", "2", "--apart", "5", "--apart", "4", "--pdf", str(sheets), "--record")
    capsys.readouterr()
    assert app.run(["bouts", str(event.folder), "--recorded", "--json"]) == 0
    [kept] = json.loads(capsys.readouterr().out)
    assert (kept["branches"], kept["apart"]) == (2, [4, 5])
    assert app.run(["bouts", str(event.folder), "--apart", "99"]) != 0
    assert "99" in capsys.readouterr().err


def test_the_draw_names_the_reserves_and_claims_no_more_than_is_proven(
    event: Event, tmp_path: Path
) -> None:
    """The host at the door has this paper; a split without the snake may well have fewer pairs."""
    rules = tmp_path / "reserve.toml"
    rules.write_text(REGULATION.replace("3", "2") + "reserve = 1\n", encoding="utf-8")
    event.update(regulation=rules)
    name, seeding, _players = bouts.seed_category(event, "младшие", 2, Method.SNAKE, "")
    draw = _texts(bouts.sheets_pdf(event, bouts.Draw.of(name, seeding), language="en"))[0]
    reserve = {player.number: player.name for player in event.players()}[1]
    assert "Reserves, in this order" in draw
    assert reserve in draw.split("Reserves")[1]
    mates = bouts.Draw(name, Method.SNAKE, "", ((1, 2),), ((1, 2),), True)
    assert "No split by the snake has fewer." in _texts(
        bouts.sheets_pdf(event, mates, language="en")
    )[0].replace("\r\n", " ")
    drawn = bouts.Draw(name, Method.DRAWN, "7", ((1, 2),), ((1, 2),), True)
    assert "No split has fewer." in _texts(bouts.sheets_pdf(event, drawn, language="en"))[
        0
    ].replace("\r\n", " ")
