"""Guards the final on paper: no stake counts that nobody saw, none is lost, and who saw it is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from final_event import (
    FINAL_KEY,
    OLD,
    REGULATION,
    YOUNG,
    before_the_final,
    final_page,
    struck_out,
)
from PIL import ImageDraw, ImageFont
from small_event import DPI, FONT, key_text, page, pdf, scan
from sqlalchemy import select
from starlette.testclient import TestClient
from web_event import client, filled_event

from jury.boxes import BoxVerdict
from otbor.errors import TableError
from scanner.geometry import SheetKind, default
from scoring.model import Verdict
from scoring.rules import StakeFault
from service import (
    final_entries,
    final_stakes,
    finals,
    intake,
    kept_from,
    number_boxes,
    rulings,
    sheets,
)
from service.accounts import Role
from service.cli import app
from service.event import Event
from service.executors import SerialExecutor
from service.store import tables


@pytest.fixture
def event(scanned_final: Event) -> Event:
    return scanned_final


def _final(browser: TestClient, category: str = YOUNG) -> dict[str, Any]:
    answer = browser.get("/api/final", params={"category": category})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _line(data: dict[str, Any], number: int) -> dict[str, Any]:
    return next(line for line in data["stakes"] if line["number"] == number)


def _look(browser: TestClient, category: str = YOUNG) -> dict[str, Any]:
    data = _final(browser, category)
    pages = [line["page"] for line in data["stakes"]]
    assert browser.post("/api/final/seen", json={"pages": pages}).status_code == 200
    return data


def _enter(browser: TestClient, data: dict[str, Any], **texts: str) -> Any:
    """Enter stakes, given as n1="20"."""
    stakes = []
    for name, text in texts.items():
        line = _line(data, int(name[1:]))
        seen = {"page": line["page"], "entered": line["entered"]}
        stakes.append({"number": line["number"], "text": text, **seen})
    body = {"category": data["category"], "stakes": stakes}
    # Escaped, so that what no browser would send can be sent too.
    headers = {"Content-Type": "application/json"}
    return browser.post("/api/final/stakes", content=json.dumps(body), headers=headers)


def _judge(event: Event, **verdicts: Verdict) -> None:
    given = [BoxVerdict(f"F{name[1:]}", "answer", verdict) for name, verdict in verdicts.items()]
    rulings.enter(event, given, "jury", origin="answer")


def _after(event: Event, category: str = YOUNG) -> dict[int, int]:
    [part] = finals.finals(event, category)
    return {row.number: row.after for row in part.result.rows}


def test_stakes_are_read_and_checked_against_the_sums(event: Event) -> None:
    data = _final(client(event))
    one, two = _line(data, 1), _line(data, 2)
    assert (one["text"], one["check"]["state"], one["doubtful"]) == ("20", "good", False)
    assert (two["text"], two["check"]["state"], two["doubtful"]) == ("45", "chief", True)
    assert two["check"]["word"] == "too high"
    # The doubtful one first; 3 has handed in nothing.
    assert [line["number"] for line in data["stakes"]] == [2, 1]
    assert data["without_sheet"]["count"] == 1
    empty = _line(_final(client(event), OLD), 5)
    assert (empty["text"], empty["check"]["state"], empty["read"]["sure"]) == ("", "mended", True)
    assert "1" in empty["check"]["effect"]


def test_a_juror_sees_neither_names_nor_sums_and_the_chief_does(event: Event) -> None:
    shown = client(event).get("/api/final", params={"category": YOUNG}).text
    assert "Ёжиков" not in shown and '"result":null' in shown.replace(" ", "")
    chief = _final(client(event, Role.CHIEF))
    assert _line(chief, 1)["player"] == {"name": "Ёжиков Ёж", "sum": "50", "least": 1, "most": 50}
    assert chief["without_sheet"]["names"] == ["Иванов Иван (3)"]


@pytest.mark.parametrize("role", [Role.DESK, Role.SPECTATOR])
def test_who_does_not_judge_gets_nothing_of_the_final(event: Event, role: Role) -> None:
    browser = client(event, role)
    assert browser.get("/final").status_code == 403
    assert browser.get("/api/final", params={"category": YOUNG}).status_code == 403
    assert (
        browser.post("/api/final/stakes", json={"category": YOUNG, "stakes": []}).status_code == 403
    )
    assert browser.get("/final/final.pdf").status_code == 403


def test_a_juror_sets_no_stake_and_gets_no_protocol(event: Event) -> None:
    browser = client(event)
    body = {"category": YOUNG, "number": 2, "stake": 30}
    assert browser.post("/api/final/ruled", json=body).status_code == 403
    assert browser.get("/final/final.pdf").status_code == 403


def test_a_stake_that_was_not_on_the_screen_is_refused(event: Event) -> None:
    browser = client(event)
    answer = _enter(browser, _final(browser), n1="20")
    assert (answer.status_code, answer.json()["error"]) == (409, "unseen")
    assert final_entries.staked(event) == {}
    data = _look(browser)
    assert _enter(browser, data, n1="20").json()["entered"] == 1
    # What one juror saw, another one has not.
    answer = _enter(client(event, Role.CHIEF), _final(browser), n2="4")
    assert answer.json()["error"] == "unseen"


def test_two_jurors_at_once_do_not_overwrite_each_other(event: Event) -> None:
    first, second = client(event), client(event, Role.CHIEF)
    seen, late = _look(first), _look(second)
    assert _enter(first, seen, n1="20").status_code == 200
    answer = _enter(second, late, n1="26")
    assert (answer.status_code, answer.json()["error"]) == (409, "conflict")
    assert final_entries.sheets(event)[1].stakes == (20,)
    # Looked at again it may be corrected.
    assert _enter(second, _final(second), n1="26").status_code == 200
    assert final_entries.sheets(event)[1].stakes == (26,)


def test_another_scan_of_the_sheet_is_looked_at_anew(event: Event, tmp_path: Path) -> None:
    browser = client(event)
    data = _look(browser)
    scan(event, pdf(tmp_path / "again.pdf", [final_page(1, "30", "Волга")]), reader="handwriting")
    line = final_stakes.stake_wall(event, YOUNG).lines[-1]
    if line.page_id == _line(data, 1)["page"]:
        sheets.choose_page(event, "again.pdf#1")
    assert _enter(browser, data, n1="20").status_code == 409


@pytest.mark.parametrize(
    ("text", "fault", "counts"),
    [
        ("51", StakeFault.TOO_HIGH, None),
        ("0", StakeFault.TOO_LOW, None),
        ("?", StakeFault.UNREADABLE, None),
        ("", StakeFault.MISSING, 1),
        ("20/30", StakeFault.DOUBLED, None),
        ("50", None, 50),
    ],
)
def test_each_fault_goes_where_the_regulation_says(
    event: Event, text: str, fault: StakeFault | None, counts: int | None
) -> None:
    browser = client(event)
    assert _enter(browser, _look(browser), n1=text, n2="10").status_code == 200
    _judge(event, n1=Verdict.RIGHT, n2=Verdict.WRONG)
    [part] = finals.finals(event, YOUNG)
    row = next(row for row in part.result.rows if row.number == 1)
    assert (row.stake, row.fault) == (counts, fault)
    assert part.result.chief == (() if counts else (1,))
    assert part.result.winner == (1 if counts else None)
    line = _line(_final(client(event, Role.CHIEF)), 1)
    assert line["check"]["state"] == {None: "chief", 1: "mended", 50: "good"}[counts]


def test_the_chief_sets_a_stake_and_leaves_it_to_the_regulation_again(event: Event) -> None:
    chief = client(event, Role.CHIEF)
    assert _enter(chief, _look(chief), n1="20", n2="45").status_code == 200
    _judge(event, n1=Verdict.WRONG, n2=Verdict.RIGHT)
    body: dict[str, Any] = {"category": YOUNG, "number": 2, "stake": 31}
    refused = chief.post("/api/final/ruled", json=body)
    assert refused.status_code == 409 and "30" in refused.json()["message"]
    assert chief.post("/api/final/ruled", json=body | {"stake": 30}).status_code == 200
    assert _after(event) == {1: 30, 2: 60, 3: -10}
    assert chief.post("/api/final/ruled", json=body | {"stake": None}).status_code == 200
    assert finals.finals(event, YOUNG)[0].result.chief == (2,)


def test_a_chiefs_stake_above_a_sum_that_fell_later_asks_the_chief_anew(
    event: Event, tmp_path: Path
) -> None:
    chief = client(event, Role.CHIEF)
    _enter(chief, _look(chief), n1="20", n2="45")
    chief.post("/api/final/ruled", json={"category": YOUNG, "number": 2, "stake": 30})
    file = tmp_path / "more.csv"
    file.write_text("sheet;theme;nominal;verdict\n2;2;20;wrong\n", encoding="utf-8")
    rulings.rule_from_file(event, file, "jury")
    assert finals.finals(event, YOUNG)[0].result.chief == (2,)
    assert _line(_final(chief), 2)["check"]["state"] == "chief"


def test_the_last_stakes_are_taken_back_together_and_nothing_else(event: Event) -> None:
    juror, chief = client(event), client(event, Role.CHIEF)
    data = _look(juror)
    _enter(juror, data, n1="20", n2="4")
    chief.post("/api/final/ruled", json={"category": YOUNG, "number": 2, "stake": 30})
    undone = juror.post("/api/final/undo", params={"category": YOUNG})
    assert undone.json()["undone"] == 2
    assert final_entries.staked(event) == {}
    assert final_entries.sheets(event)[2].ruled == 30
    assert juror.post("/api/final/undo", params={"category": YOUNG}).json()["undone"] == 0
    # The journal keeps it all.
    assert [entry.back for entry in final_entries.entries(event)] == [True, True, False]


def test_a_scanned_stake_that_nobody_entered_is_not_a_missing_one(event: Event) -> None:
    _judge(event, n1=Verdict.RIGHT, n2=Verdict.RIGHT)
    [part] = finals.finals(event, YOUNG)
    assert part.waiting == (1, 2)
    assert (part.result.winner, part.result.places()) == (None, {})
    assert {row.number: (row.stake, row.after) for row in part.result.rows}[1] == (None, 50)


def test_who_handed_in_nothing_is_settled_until_a_sheet_comes(event: Event, tmp_path: Path) -> None:
    chief = client(event, Role.CHIEF)
    file = tmp_path / "more.csv"
    file.write_text("sheet;theme;nominal;verdict\n3;1;30;right\n", encoding="utf-8")
    rulings.rule_from_file(event, file, "jury")
    assert _final(chief)["without_sheet"]["unsettled"] == 1
    _enter(chief, _look(chief), n1="20", n2="10")
    _judge(event, n1=Verdict.RIGHT, n2=Verdict.WRONG)
    assert finals.finals(event, YOUNG)[0].result.open_verdicts == (3,)
    assert client(event).post("/api/final/nothing?category=" + YOUNG).status_code == 403
    assert chief.post("/api/final/nothing?category=" + YOUNG).json()["entered"] == 1
    # No stake counts as 1 here; what no answer means the regulation leaves to the chief.
    result = finals.finals(event, YOUNG)[0].result
    assert (result.open_verdicts, result.chief) == ((), (3,))
    scan(event, pdf(tmp_path / "late.pdf", [final_page(3, "5", "Волга")]), reader="handwriting")
    assert finals.finals(event, YOUNG)[0].waiting == (3,)


def test_final_answers_are_judged_on_the_usual_wall(event: Event) -> None:
    browser = client(event)
    answer = browser.get("/api/wall/0/0")
    assert answer.status_code == 200
    wall = answer.json()
    assert (wall["theme"], wall["box"], wall["key"]["answer"]) == (0, "answer", "Волга")
    assert [entry["sheet"] for entry in wall["written"]] == ["F1", "F4", "F2"]
    assert [entry["sheet"] for entry in wall["blanks"]] == ["F5"]
    assert wall["marks"]["boundary"] == 2
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"]}
    unseen = browser.post("/api/wall/0/0/confirm", json=body)
    assert unseen.json()["error"] == "unseen"
    pages = [entry["page"] for entry in (*wall["written"], *wall["blanks"])]
    browser.post("/api/wall/0/0/seen", json={"pages": pages})
    done = browser.post("/api/wall/0/0/confirm", json=body)
    assert done.status_code == 200 and done.json()["next"] is None
    assert {n: s.verdict for n, s in final_entries.sheets(event).items()} == {
        1: Verdict.RIGHT,
        2: Verdict.WRONG,
        4: Verdict.RIGHT,
        5: Verdict.BLANK,
    }
    assert browser.get(wall["written"][0]["crop"]).status_code == 200
    assert browser.get(wall["written"][0]["around"]).status_code == 200
    # The written round is not touched by it, nor counted with it.
    assert finals.finals(event, YOUNG)[0].result.rows[0].before == 50
    undone = browser.post("/api/undo", json={}).json()["undone"]
    assert (undone["theme"], undone["nominal"]) == (0, 0)
    assert final_entries.sheets(event) == {}


def test_a_juror_kept_from_a_player_sees_and_enters_no_stake_of_theirs(event: Event) -> None:
    data = _look(client(event, Role.CHIEF))
    kept_from.keep(event, "juror", players=[2], who="organizer")
    juror = client(event)
    assert [line["number"] for line in _final(juror)["stakes"]] == [1]
    assert _enter(juror, data, n2="10").status_code == 403
    assert juror.get(_line(data, 2)["crop"]).status_code == 403
    query = {"category": YOUNG, "number": 2, "text": "5"}
    assert juror.get("/api/final/check", params=query).status_code == 403
    assert juror.get("/api/wall/0/0").json()["written"][0]["sheet"] == "F1"


@pytest.mark.parametrize(
    ("lines", "word", "winner"),
    [
        (["1;2;50;wrong", "2;2;30;wrong"], "nobody has a positive sum", None),
        (["2;2;30;wrong"], "only one player has a positive sum", 1),
        (["1;2;50;right"], "cannot be caught up", 1),
    ],
)
def test_a_final_that_is_not_played_says_why_and_who_wins(
    event: Event, tmp_path: Path, lines: list[str], word: str, winner: int | None
) -> None:
    rules, file = tmp_path / "regulation.toml", tmp_path / "more.csv"
    rules.write_text(REGULATION + "single_wins = true\nlead_factor = 2\n", encoding="utf-8")
    event.update(regulation=rules)
    file.write_text("\n".join(["sheet;theme;nominal;verdict", *lines]), encoding="utf-8")
    rulings.rule_from_file(event, file, "jury")
    data = _final(client(event, Role.CHIEF))
    assert word in data["opening"]
    [part] = finals.finals(event, YOUNG)
    assert (part.result.winner, part.waiting) == (winner, ())
    assert ("Winner" in " ".join(data["result"]["lines"])) is (winner is not None)


def test_the_page_of_the_final_shows_its_steps(event: Event) -> None:
    page_of = client(event, Role.CHIEF).get("/final").text
    for word in ("Stakes", "Final answers", "Result", "/wall/0/0", "/final/final.pdf"):
        assert word in page_of
    assert client(event).get("/final", params={"category": "никто"}).status_code == 404
    chief = client(event, Role.CHIEF)
    for name, begins in (("final.pdf", b"%PDF"), ("final.csv", b"\xef\xbb\xbf")):
        paper = chief.get(f"/final/{name}", params={"category": YOUNG})
        assert (paper.status_code, paper.content.startswith(begins)) == (200, True)
    assert "старшие" not in paper.text
    assert chief.get("/final/final.docx").status_code == 404


def test_an_event_without_a_final_has_no_page_that_breaks(tmp_path: Path) -> None:
    with filled_event(tmp_path) as plain:
        browser = client(plain, Role.CHIEF)
        answer = browser.get("/final")
        assert answer.status_code == 200 and "no final stake" in answer.text
        assert 'href="/final"' not in browser.get("/").text
        assert browser.get("/api/final", params={"category": YOUNG}).status_code == 409
        assert browser.get("/wall/0/0").status_code == 404


@pytest.mark.parametrize("text", ["много", "-5", "1.5", "9" * 30, "1/x", "\ud800", "①"])
def test_a_stake_that_is_none_is_refused_and_nothing_entered(event: Event, text: str) -> None:
    browser = client(event)
    answer = _enter(browser, _look(browser), n2="10", n1=text)
    assert answer.status_code in (409, 422) and answer.json()["hint"]
    assert final_entries.staked(event) == {}


def test_a_stake_may_be_tried_without_being_recorded(event: Event) -> None:
    browser = client(event)
    query = {"category": YOUNG, "number": 1, "text": "51"}
    answer = browser.get("/api/final/check", params=query)
    assert answer.json()["state"] == "chief"
    assert final_entries.entries(event) == []


def test_a_struck_out_digit_is_never_a_sure_stake(tmp_path: Path) -> None:
    with before_the_final(tmp_path) as event:
        sheet = struck_out(final_page(1, "23", "Волга"), 0)
        scan(event, pdf(tmp_path / "f.pdf", [sheet]), reader="handwriting")
        line = final_stakes.stake_wall(event, YOUNG).lines[0]
        assert (line.reading.sure, line.doubtful) == (False, True)


def test_without_a_reader_the_stake_waits_to_be_typed(tmp_path: Path) -> None:
    with before_the_final(tmp_path) as event:
        scan(event, pdf(tmp_path / "f.pdf", [final_page(1, "20")]))
        line = final_stakes.stake_wall(event, YOUNG).lines[0]
        assert (line.reading.read, line.text, line.doubtful) == (False, "?", True)


def test_a_rebuild_reads_the_same_stakes(event: Event) -> None:
    before = [line.reading for line in final_stakes.stake_wall(event, YOUNG).lines]
    intake.rebuild(event, reader="handwriting", factory=SerialExecutor)
    after = [line.reading for line in final_stakes.stake_wall(event, YOUNG).lines]
    assert after == before and all(reading.read for reading in after)


def test_a_file_of_stakes_and_the_walls_verdicts_go_together(event: Event, tmp_path: Path) -> None:
    file = tmp_path / "stakes.csv"
    file.write_text("number;stake;verdict\n1;20;right\n2;10;wrong\n", encoding="utf-8")
    finals.enter(event, file, "jury")
    assert _after(event) == {1: 70, 2: 20, 3: -10}
    _judge(event, n1=Verdict.WRONG)
    assert _after(event)[1] == 30
    # A stake alone leaves the verdict as it is.
    file.write_text("number;stake;verdict\n1;5;\n", encoding="utf-8")
    finals.enter(event, file, "jury")
    assert _after(event)[1] == 45


def test_the_command_shows_what_was_read_and_writes_the_protocol(
    event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, paper = str(event.folder), tmp_path / "final.pdf"
    capsys.readouterr()
    assert app.run(["final", folder, "--json", "--protocol", str(paper)]) == 0
    rows = {
        r["number"]: r for c in json.loads(capsys.readouterr().out)["categories"] for r in c["rows"]
    }
    assert (rows[2]["read"]["value"], rows[2]["read"]["sure"]) == (45, True)
    assert rows[3]["read"] is None
    first = paper.read_bytes()
    assert first.startswith(b"%PDF")
    assert app.run(["final", folder, "--protocol", str(paper)]) == 0
    assert paper.read_bytes() == first
    table = tmp_path / "final.csv"
    assert app.run(["final", folder, "--protocol", str(table)]) == 0
    assert table.read_text("utf-8-sig").splitlines()[1].startswith("младшие;;;1;Ёжиков Ёж;50;")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[final]\nanswer = ""', 2),
        ('[final]\nanswer = "а"\nrejected = ["А"]', 3),
        ("[final]\nx=1", 2),
    ],
)
def test_a_final_question_that_cannot_be_is_refused_by_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    with before_the_final(tmp_path) as event:
        key = tmp_path / "bad.toml"
        key.write_text(key_text() + "\n" + text, encoding="utf-8")
        at = key_text().count("\n") + 1 + line
        with pytest.raises(TableError, match=rf"\b{at}\b"):
            event.update(key=key)


def test_a_spare_sheet_suggests_whose_it_is_among_those_without_a_sheet(tmp_path: Path) -> None:
    with before_the_final(tmp_path, REGULATION, FINAL_KEY) as event:
        event.print_spares(2)
        image = page(1, kind=SheetKind.SPARE)
        cell = default().blanks["personal"].fields[0].cells[1]
        middle = ((cell.x + cell.width / 2) * DPI / 25.4, (cell.y + cell.height / 2) * DPI / 25.4)
        font = ImageFont.truetype(str(FONT), 44)
        ImageDraw.Draw(image).text(middle, "4", fill=40, font=font, anchor="mm")
        scan(event, pdf(tmp_path / "s.pdf", [image, page(1)]), reader="handwriting")
        [spare] = [r for _f, r in intake.page_records(event) if r.sheet == "S1"]
        with event.database.reading() as connection:
            query = select(tables.page.c.id).where(tables.page.c.sheet == spare.sheet)
            page_id = int(connection.execute(query).scalar_one())
        assert number_boxes.suggest_number(event, page_id)[0] == 4
        assert 1 not in number_boxes.suggest_number(event, page_id)
