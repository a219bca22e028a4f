"""Guards against rulings nobody gave: a wall that changed, two jurors at once, a verdict lost or doubled."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from small_event import PLAYERS, key_text, page, pdf, scan
from starlette.testclient import TestClient
from web_event import client, look, read_as, rule

from scanner.geometry import default
from scoring.model import Verdict
from service import answers, rulings, sheets, walls
from service.accounts import Role
from service.event import Event
from service.web import pictures

RIGHT, WRONG, BLANK, DISPUTED = Verdict.RIGHT, Verdict.WRONG, Verdict.BLANK, Verdict.DISPUTED


def _wall(browser: TestClient, place: str = "1/10") -> dict[str, Any]:
    return look(browser, place)


def _confirm(browser: TestClient, wall: dict[str, Any], **marks: object) -> Any:
    body = {"fingerprint": wall["fingerprint"], "marks": wall["marks"] | marks}
    return browser.post(f"/api/wall/{wall['theme']}/{wall['nominal']}/confirm", json=body)


def _ruled(event: Event, box: str = "t1r1") -> dict[str, Verdict]:
    return {sheet: v for (sheet, key), v in rulings.current(event).items() if key == box}


def test_the_wall_is_in_the_jurys_order_with_the_key(event: Event, juror: TestClient) -> None:
    wall = _wall(juror)
    expected = walls.wall_of(event, event.key().question(1, 10)).wall
    assert [entry["sheet"] for entry in wall["written"]] == [e.sheet for e in expected.written]
    assert [entry["sheet"] for entry in wall["blanks"]] == ["5"]
    assert [entry["text"] for entry in wall["written"]][:2] == ["ответ 110", "ответ 110"]
    assert wall["marks"]["boundary"] == 2
    assert wall["written"][0]["suggestion"] == "right"
    assert wall["key"]["answer"] == "ответ 110"
    assert wall["key"]["rejected"] == ["мимо"]
    assert wall["left"] == 200


def test_no_name_of_a_player_is_on_a_wall(event: Event, juror: TestClient) -> None:
    for place in ("1/10", "2/50"):
        sent = json.dumps(_wall(juror, place), ensure_ascii=False)
        for player in event.players():
            assert player.name not in sent


def test_confirming_rules_on_every_box_of_the_question(event: Event, juror: TestClient) -> None:
    answer = _confirm(juror, _wall(juror))
    assert answer.json()["entered"] == 5
    assert answer.json()["left"] == 195
    assert answer.json()["next"] == {"theme": 1, "nominal": 20}
    assert _ruled(event) == {"1": RIGHT, "3": RIGHT, "2": WRONG, "4": WRONG, "5": BLANK}
    entries = rulings.history(event)
    assert {entry.by for entry in entries} == {"juror"}
    assert len({entry.batch for entry in entries}) == 1
    assert _ruled(event, "t1r2") == {}


def test_marks_become_verdicts(event: Event, juror: TestClient) -> None:
    answer = _confirm(
        juror,
        _wall(juror),
        boundary=3,
        flipped=["1"],
        disputed=["2"],
        emptied=["3"],
        written_blanks={"5": "right"},
    )
    assert answer.status_code == 200
    assert _ruled(event) == {"1": WRONG, "2": DISPUTED, "3": BLANK, "4": RIGHT, "5": RIGHT}
    again = _wall(juror)
    assert again["marks"]["disputed"] == ["2"]
    assert again["marks"]["emptied"] == ["3"]
    assert again["marks"]["written_blanks"] == {"5": "right"}
    repeated = _confirm(juror, again)
    assert repeated.json()["entered"] == 0
    assert len(rulings.history(event)) == 5


def test_nothing_is_scored_before_it_is_confirmed(event: Event, juror: TestClient) -> None:
    organizer = client(event, Role.ORGANIZER)
    assert "200 answers are not confirmed" in organizer.get("/standings").text
    _wall(juror)
    assert rulings.current(event) == {}


def _other_juror(event: Event, folder: Path) -> None:
    rule(event, "other", ("4", "t1r1", RIGHT))


def _new_key(event: Event, folder: Path) -> None:
    key = folder / "new.toml"
    key.write_text(key_text().replace("accepted = []", 'accepted = ["иначе"]', 1), "utf-8")
    event.update(key=key)


def _late_sheet(event: Event, folder: Path) -> None:
    roster = folder / "players.csv"
    roster.write_text(PLAYERS + "6;Новый Нил;старшие;\n", encoding="utf-8")
    event.update(players=roster)
    scan(event, pdf(folder / "late.pdf", [page(6, {(1, 10): "ответ 110"})]))


def _new_reading(event: Event, folder: Path) -> None:
    read_as(event, "4", "t1r1", "ответ 110")


def _other_scan(event: Event, folder: Path) -> None:
    scan(event, pdf(folder / "again.pdf", [page(4, {(1, 10): "иное", (3, 10): "ещё"})]))
    sheets.choose_page(event, "again.pdf#1")


@pytest.mark.parametrize("change", [_other_juror, _new_key, _late_sheet, _new_reading, _other_scan])
def test_a_wall_that_changed_is_not_confirmed(
    event: Event, juror: TestClient, tmp_path: Path, change: Any
) -> None:
    wall = _wall(juror)
    change(event, tmp_path)
    before = rulings.current(event)
    answer = _confirm(juror, wall)
    assert answer.status_code == 409
    assert answer.json()["error"] == "wall_changed"
    assert rulings.current(event) == before
    assert _confirm(juror, _wall(juror)).status_code == 200


def test_two_jurors_at_once_never_mix_their_verdicts(event: Event, juror: TestClient) -> None:
    """Both saw the same wall; who comes second must be told, whatever the order of their steps."""
    others = [juror, client(event, Role.CHIEF), client(event, Role.ORGANIZER)]
    wall, *_same = [_wall(other) for other in others]
    everything = [entry["sheet"] for entry in wall["written"]]
    marks: list[dict[str, object]] = [
        {"boundary": 4},
        {"boundary": 0},
        {"boundary": 0, "disputed": everything},
    ]
    with ThreadPoolExecutor(3) as pool:
        replies = list(
            pool.map(
                lambda pair: _confirm(pair[0], wall, **pair[1]), zip(others, marks, strict=True)
            )
        )
    assert sorted(reply.status_code for reply in replies) == [200, 409, 409]
    assert len({entry.batch for entry in rulings.history(event)}) == 1
    assert len(set(_ruled(event).values()) - {BLANK}) == 1


def test_undo_walks_back_through_the_jurors_own_work(event: Event, juror: TestClient) -> None:
    first = _wall(juror)
    _confirm(juror, first)
    _confirm(juror, _wall(juror, "1/20"))
    rule(event, "other", ("1", "t2r1", RIGHT))
    reply = juror.post("/api/undo", json={}).json()
    assert reply["undone"] == {"theme": 1, "nominal": 20, "changed": 5}
    assert reply["left"] == 194
    assert _ruled(event, "t1r2") == {}
    assert juror.post("/api/undo", json={}).json()["undone"]["nominal"] == 10
    assert juror.post("/api/undo", json={}).json()["undone"] is None
    assert rulings.current(event) == {("1", "t2r1"): RIGHT}
    # The juror's marks are found again by this.
    assert _wall(juror)["fingerprint"] == first["fingerprint"]


def test_undo_of_one_wall_leaves_the_others(event: Event, juror: TestClient) -> None:
    _confirm(juror, _wall(juror))
    _confirm(juror, _wall(juror, "1/20"))
    assert juror.post("/api/undo", json={"box": "t1r1"}).json()["undone"]["nominal"] == 10
    assert len(_ruled(event, "t1r2")) == 5


@pytest.mark.parametrize(
    "marks",
    [
        {"boundary": 5},
        {"flipped": ["77"]},
        {"disputed": ["5"]},
        {"written_blanks": {"5": None}},
        {"written_blanks": {"1": "right"}},
    ],
)
def test_marks_that_do_not_fit_are_refused(
    event: Event, juror: TestClient, marks: dict[str, object]
) -> None:
    answer = _confirm(juror, _wall(juror), **marks)
    assert answer.status_code == 409
    assert rulings.current(event) == {}


def test_the_next_question_is_the_next_with_work_left(event: Event, juror: TestClient) -> None:
    last = _wall(juror, "8/50")
    assert last["next"] == {"theme": 1, "nominal": 10}
    for question in event.key().questions():
        if (question.theme, question.nominal) not in ((1, 10), (3, 30)):
            _confirm(juror, _wall(juror, f"{question.theme}/{question.nominal}"))
    assert _wall(juror)["next"] == {"theme": 3, "nominal": 30}
    _confirm(juror, _wall(juror, "3/30"))
    done = _confirm(juror, _wall(juror), disputed=["1"])
    # A dispute is no work for a juror, but for the chief.
    assert done.json()["next"] is None
    assert done.json()["left"] == 0
    chief = client(event, Role.CHIEF)
    assert _wall(chief, "3/30")["next"] == {"theme": 1, "nominal": 10}


def test_progress_counts_every_box(event: Event, juror: TestClient) -> None:
    _confirm(juror, _wall(juror), disputed=["1"])
    counts = juror.get("/api/progress").json()
    assert (counts["left"], counts["disputed"], counts["total"]) == (195, 1, 200)
    first = counts["questions"][0]
    assert first == {
        "theme": 1,
        "nominal": 10,
        "written": 4,
        "blank": 1,
        "ruled": 4,
        "disputed": 1,
        "left": 0,
        "total": 5,
        "state": "disputed",
        "matters": 0,
        "effect": "",
    }
    assert {question["state"] for question in counts["questions"][1:]} == {"open"}


def test_crops_are_kept_by_their_address_alone(event: Event, juror: TestClient) -> None:
    entry = _wall(juror)["written"][0]
    answer = juror.get(entry["crop"])
    assert answer.content == answers.crop(event, entry["sheet"], "t1r1")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    bare = juror.get(f"/api/crop/{entry['sheet']}/t1r1")
    assert bare.headers["cache-control"] == "private, no-cache"


def test_another_scan_of_a_sheet_has_another_address(
    event: Event, juror: TestClient, tmp_path: Path
) -> None:
    def address() -> str:
        return next(e["crop"] for e in _wall(juror)["written"] if e["sheet"] == "4")

    before, picture = address(), juror.get(address()).content
    _other_scan(event, tmp_path)
    assert address() != before
    assert juror.get(address()).content != picture
    assert juror.get(before).content == picture


def test_the_size_of_a_crop_is_known_beforehand(juror: TestClient) -> None:
    wall = _wall(juror)
    data = juror.get(wall["written"][0]["crop"]).content
    height, width = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE).shape
    assert abs(wall["crop"]["width"] - width) <= 1
    assert abs(wall["crop"]["height"] - height) <= 1


def test_the_surroundings_of_a_box_never_show_the_name(juror: TestClient) -> None:
    blank = default().blanks["personal"]
    headings = min(rect.y for _theme, rect in blank.headings)
    for box in blank.boxes:
        window = pictures._window(blank, box)
        assert window.y > headings - 1
        assert window.y < box.rect.y and box.rect.bottom < window.bottom
    answer = juror.get(_wall(juror)["written"][0]["around"])
    assert answer.headers["content-type"] == "image/jpeg"
    assert (
        cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_GRAYSCALE).shape[1] > 800
    )
