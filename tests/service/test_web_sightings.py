"""Guards against a score for an answer that no person has looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from small_event import PLAYERS, page, pdf, scan
from starlette.testclient import TestClient
from web_event import client, look, rule

from scoring.model import Verdict
from service import rulings, sheets, sightings
from service.accounts import Role
from service.event import Event


def _wall(browser: TestClient, place: str = "1/10") -> dict[str, Any]:
    return dict(browser.get(f"/api/wall/{place}").json())


def _confirm(browser: TestClient, wall: dict[str, Any], **marks: object) -> Any:
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{wall['theme']}/{wall['nominal']}/confirm", json=body)


def _report(browser: TestClient, pages: list[int], place: str = "1/10") -> Any:
    return browser.post(f"/api/wall/{place}/seen", json={"pages": pages})


def _pages(wall: dict[str, Any], *sheets_: str) -> list[int]:
    entries = (*wall["written"], *wall["blanks"])
    return [entry["page"] for entry in entries if not sheets_ or entry["sheet"] in sheets_]


def test_an_unseen_answer_is_not_ruled_on_and_the_blank_ones_count(event: Event) -> None:
    juror = client(event)
    wall = _wall(juror)
    refused = _confirm(juror, wall)
    assert refused.status_code == 409
    assert refused.json()["error"] == "unseen"
    assert refused.json()["message"].startswith("5 answers have not")
    _report(juror, _pages(wall, "1", "2", "3", "4"))
    assert _confirm(juror, wall).json()["message"].startswith("1 answer has not")
    assert rulings.history(event) == []
    _report(juror, _pages(wall, "5"))
    assert _confirm(juror, wall).json()["entered"] == 5


def test_what_was_seen_is_known_when_the_wall_is_opened_again(event: Event) -> None:
    juror, chief = client(event), client(event, Role.CHIEF)
    wall = _wall(juror)
    assert _report(juror, _pages(wall, "1")).json() == {"new": 1}
    assert _report(juror, _pages(wall, "1")).json() == {"new": 0}
    again = _wall(juror)
    assert [e["sheet"] for e in (*again["written"], *again["blanks"]) if e["seen"]] == ["1"]
    assert again["fingerprint"] == wall["fingerprint"]
    # What one person saw, another one has not seen.
    assert not any(e["seen"] for e in _wall(chief)["written"])
    # Nor has anybody seen other questions.
    assert not any(e["seen"] for e in _wall(juror, "1/20")["written"])


def test_a_verdict_that_stands_need_not_be_seen_by_the_next_one(event: Event) -> None:
    juror, chief = client(event), client(event, Role.CHIEF)
    _confirm(juror, look(juror), disputed=["2"])
    wall = _wall(chief)
    assert _confirm(chief, wall, disputed=[]).status_code == 409
    _report(chief, _pages(wall, "2"))
    assert _confirm(chief, wall, disputed=[]).json()["entered"] == 1


def test_another_scan_of_a_sheet_is_seen_anew(event: Event, tmp_path: Path) -> None:
    juror = client(event)
    look(juror)
    scan(event, pdf(tmp_path / "again.pdf", [page(4, {(1, 10): "иное", (3, 10): "ещё"})]))
    sheets.choose_page(event, "again.pdf#1")
    wall = _wall(juror)
    assert _confirm(juror, wall).json()["message"].startswith("1 answer has not")
    _report(juror, _pages(wall, "4"))
    assert _confirm(juror, wall).status_code == 200


def test_a_late_sheet_is_seen_before_it_is_ruled_on(event: Event, tmp_path: Path) -> None:
    juror = client(event)
    _confirm(juror, look(juror))
    roster = tmp_path / "players.csv"
    roster.write_text(PLAYERS + "6;Новый Нил;старшие;\n", encoding="utf-8")
    event.update(players=roster)
    scan(event, pdf(tmp_path / "late.pdf", [page(6, {(1, 10): "ответ 110"})]))
    wall = _wall(juror)
    assert _confirm(juror, wall).status_code == 409
    _report(juror, _pages(wall, "6"))
    assert _confirm(juror, wall).json()["entered"] == 1


def test_made_up_pages_are_passed_over(event: Event) -> None:
    juror = client(event)
    assert _report(juror, [10**6, -1]).json() == {"new": 0}
    empty = len(_wall(juror)["written"]) + 2  # the empty page of the scan has no boxes
    assert _report(juror, [empty]).json() == {"new": 0}
    assert juror.post("/api/wall/1/10/seen", json={"pages": ["x"]}).status_code == 422
    assert juror.post("/api/wall/9/10/seen", json={"pages": []}).status_code == 404
    assert (
        client(event, Role.DESK).post("/api/wall/1/10/seen", json={"pages": [1]}).status_code == 403
    )


def test_the_log_tells_who_saw_and_who_ruled(event: Event) -> None:
    juror, chief = client(event), client(event, Role.CHIEF)
    _confirm(juror, look(juror))
    look(chief)
    page_id = _pages(_wall(juror), "1")[0]
    assert [seen.who for seen in sightings.witnesses(event, page_id, "t1r1")] == ["juror", "chief"]
    assert {entry.by for entry in rulings.history(event)} == {"juror"}


def test_paper_that_was_ruled_on_elsewhere_needs_no_screen(event: Event) -> None:
    """`otbor rule --from FILE`: the organizer marked the paper itself."""
    rule(event, "organizer", ("1", "t1r1", Verdict.RIGHT))
    assert rulings.current(event) == {("1", "t1r1"): Verdict.RIGHT}
