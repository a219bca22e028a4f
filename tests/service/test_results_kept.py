"""Guards against standings that are kept to be quick and say what held before the last change.

At 3,000 players an appeal's page once took nine tenths of a second at each look, and the data of the final a
fifth: they ranked everybody anew, the appeal three times.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from appeal_event import REGULATION
from small_event import PLAYERS, page, pdf, scan
from standings_bytes import standings_bytes
from web_event import client, rule

from jury.boxes import box_key
from scoring.model import Standings, Verdict
from service import appeals, decisions, results, rulings, sheets
from service.accounts import Role
from service.decisions import Decision
from service.event import Event

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED


@pytest.fixture
def event(posted_event: Event) -> Event:
    return posted_event


def _afresh(event: Event) -> bytes:
    """The standings as a process makes them that has just been started."""
    with Event(event.folder) as other:
        return standings_bytes(results.event_standings(other))


def _kept(event: Event) -> bytes:
    return standings_bytes(results.event_standings(event))


def test_every_change_is_in_the_standings_at_once(event: Event, tmp_path: Path) -> None:
    seen = [_kept(event)]

    def changed() -> None:
        assert _kept(event) == _afresh(event)
        assert _kept(event) not in seen
        seen.append(_kept(event))

    rule(event, "juror", ("1", "t1r2", RIGHT))
    changed()
    rule(event, "juror", ("2", "t1r1", DISPUTED))
    changed()
    decisions.decide(event, Decision.REMOVE, {"theme": 1, "nominal": 10}, who="chief", why="")
    changed()
    rules = tmp_path / "new.toml"
    rules.write_text(REGULATION.replace("cut = 1", "cut = 2"), encoding="utf-8")
    event.update(regulation=rules)
    changed()
    roster = tmp_path / "players.csv"
    roster.write_text(PLAYERS + "9;Новенький;старшие;\n", encoding="utf-8")
    event.update(players=roster)
    changed()
    scan(event, pdf(tmp_path / "late.pdf", [page(9)]))
    changed()
    with Event(event.folder) as other:
        rule(other, "juror", ("9", "t2r1", RIGHT))
    changed()


def test_what_is_rolled_back_is_not_kept(event: Event) -> None:
    before = _kept(event)
    with pytest.raises(RuntimeError), event.database.writing():
        rule(event, "juror", ("1", "t1r2", RIGHT))
        assert _kept(event) != before
        raise RuntimeError
    assert _kept(event) == before
    # The same numbers in the ledger, another verdict.
    rule(event, "juror", ("1", "t1r2", BLANK))
    assert _kept(event) == _afresh(event)


@pytest.mark.parametrize("verdict", [RIGHT, WRONG, BLANK, DISPUTED])
def test_as_if_ruled_is_as_when_it_is_ruled(event: Event, verdict: Verdict) -> None:
    """Also on a box that nobody has ruled on, and on a sheet that is nobody's."""
    rulings.undo_last(event, "juror")
    rule(event, "juror", ("1", "t1r1", RIGHT), ("2", "t1r1", WRONG))
    boxes = [("1", "t1r1"), ("2", box_key(2, 3)), ("3", "t8r5"), ("S1", "t1r1")]
    assert "S1" not in sheets.player_sheets(event).values()
    tried = results.event_standings(event, instead=dict.fromkeys(boxes, verdict))
    rule(event, "juror", *((sheet, box, verdict) for sheet, box in boxes if sheet != "S1"))
    assert standings_bytes(tried) == _afresh(event)


def test_a_second_look_ranks_nobody_anew(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    appeal = appeals.file(event, 1, 1, 20, "Это верно", who="desk")
    ranked = []

    def standings(*args: object) -> Standings:
        ranked.append(args)
        return made(*args)  # type: ignore[arg-type]

    made = results.standings
    monkeypatch.setattr(results, "standings", standings)
    browser = client(event, Role.CHIEF)
    pages = ("/final", f"/appeals/{appeal.id}", f"/appeals/{appeal.id}?chosen=1&form=мимо")
    first = [browser.get(address).text for address in pages]
    # Once as it is, and once for each way to accept.
    assert 1 < len(ranked) < 8
    ranked.clear()
    assert [browser.get(address).text for address in pages] == first
    assert ranked == []
    rule(event, "juror", ("3", "t1r1", WRONG))
    browser.get(pages[1])
    assert ranked
