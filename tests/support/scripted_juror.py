"""A juror who knows the truth and works the real page in Chromium with as few actions as a good one needs.

An action is a key press or a click. Turning the wheel to look on is counted apart: nobody can rule on what
they have not looked at, with any tool.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Response

PATIENCE_MS = 60_000
# From so many equal readings on, one is changed and the key for «all equal ones» pressed.
WORTH_A_GROUP = 3


@dataclass(slots=True)
class Effort:
    """What the juror did: key presses and clicks by purpose, turns of the wheel, seconds, bytes, answers."""

    actions: Counter[str] = field(default_factory=Counter)
    scrolls: int = 0
    seconds: float = 0.0
    written: int = 0
    blanks: int = 0
    walls: int = 0
    data_bytes: int = 0
    picture_bytes: int = 0
    opening_ms: list[float] = field(default_factory=list)
    ruling_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a wall is set right: where the boundary goes (None: it stays), and what differs from its side."""

    boundary: int | None
    changes: tuple[tuple[str, str], ...]
    groups: tuple[str, ...]
    cost: int


def plan(wall: Mapping[str, Any], truth: Mapping[str, str]) -> Plan:
    """The cheapest way from what a wall opens with to the truth.

    Args:
        wall: What `/api/wall/…` gives.
        truth: Sheet → `right`, `wrong` or `blank`.
    """
    written = wall["written"]
    start = wall["marks"]["boundary"]
    options = [
        _with_boundary(written, truth, start if at is None else at, at)
        for at in (None, *range(len(written) + 1))
    ]
    return min(options, key=lambda option: option.cost)


def _with_boundary(
    written: list[dict[str, Any]], truth: Mapping[str, str], boundary: int, moved: int | None
) -> Plan:
    wanted: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for index, entry in enumerate(written):
        side = "right" if index < boundary else "wrong"
        verdict = truth[entry["sheet"]]
        # Answers that nobody could read are equal to nothing.
        group = entry["group"] or f"alone {entry['sheet']}"
        wanted[group].append((entry["sheet"], verdict, verdict != side))
    changes: list[tuple[str, str]] = []
    groups: list[str] = []
    # A click with Ctrl; at the upper end of the wall two keys.
    cost = 0 if moved is None else 1 if moved else 2
    for members in wanted.values():
        off = [(sheet, verdict) for sheet, verdict, differs in members if differs]
        alike = len({verdict for _, verdict, _ in members}) == 1
        if alike and len(off) >= WORTH_A_GROUP:
            changes.append(off[0])
            groups.append(off[0][0])
            cost += 2
        else:
            changes += off
            cost += len(off)
    return Plan(moved, tuple(changes), tuple(groups), cost)


class ScriptedJuror:
    """One juror in one window.

    Args:
        page: Signed in, anywhere.
        address: The server's.
        truth: (theme, nominal) → sheet → verdict.
    """

    def __init__(
        self, page: Page, address: str, truth: Mapping[tuple[int, int], Mapping[str, str]]
    ) -> None:
        self.page, self.address, self.truth = page, address, truth
        self.effort = Effort()
        self._wall: dict[str, Any] = {}
        page.set_default_timeout(PATIENCE_MS)
        page.on("response", self._count)

    def work(self, walls: int) -> Effort:
        """Rule on so many walls, each as the page offers it; returns what it took."""
        begin = time.monotonic()
        first = min(self.truth)
        with self.page.expect_response(lambda answer: self._is_wall(answer)) as opened:
            self.page.goto(f"{self.address}/wall/{first[0]}/{first[1]}")
        for number in range(walls):
            self._wall = opened.value.json()
            self.effort.opening_ms.append(opened.value.request.timing["responseEnd"])
            self._look()
            self._set_right()
            last = number == walls - 1
            if last:
                self._confirm()
            else:
                with self.page.expect_response(lambda answer: self._is_wall(answer)) as opened:
                    self._confirm()
        self.effort.seconds = time.monotonic() - begin
        return self.effort

    def _is_wall(self, answer: Response) -> bool:
        parts = answer.url.removeprefix(self.address).split("/")
        return parts[1:3] == ["api", "wall"] and len(parts) == 5

    def _count(self, answer: Response) -> None:
        path = answer.url.removeprefix(self.address)
        size = int(answer.headers.get("content-length", 0))
        if path.startswith("/api/crop/"):
            self.effort.picture_bytes += size
        elif self._is_wall(answer):
            self.effort.data_bytes += size

    def _look(self) -> None:
        """Turn the wheel until nothing is unseen."""
        self.page.wait_for_function("() => !document.querySelector('#confirm').disabled")
        wall = self._wall
        self.effort.walls += 1
        self.effort.written += len(wall["written"])
        self.effort.blanks += len(wall["blanks"])
        in_view_seen = """() => {
            const top = document.querySelector('#key').offsetHeight;
            const bottom = innerHeight - document.querySelector('.bar').offsetHeight;
            return [...document.querySelectorAll('li[data-sheet]')].every((tile) => {
                const box = tile.querySelector('img').getBoundingClientRect();
                return box.top < top || box.bottom > bottom || tile.classList.contains('seen');
            });
        }"""
        turn = """() => {
            const key = document.querySelector('#key').offsetHeight;
            const bar = document.querySelector('.bar').offsetHeight;
            const before = scrollY;
            scrollBy(0, Math.round((innerHeight - key - bar) * 0.75));
            return scrollY > before;
        }"""
        self.page.evaluate("scrollTo(0, 0)")
        self.page.wait_for_function(in_view_seen)
        while self.page.evaluate(turn):
            self.effort.scrolls += 1
            self.page.wait_for_function(in_view_seen)
        self.page.wait_for_function("() => document.querySelector('#unseen').hidden")

    def _set_right(self) -> None:
        wall = self._wall
        truth = self.truth[wall["theme"], wall["nominal"]]
        done = plan(wall, truth)
        if done.boundary is not None:
            self._move_boundary(done.boundary)
        for sheet, verdict in done.changes:
            tile = f"#written li[data-sheet='{sheet}']"
            if verdict == "blank":
                self._click(f"{tile} .crop", "blank", shift=True)
            else:
                self._click(f"{tile} .sign", "exception")
            if sheet in done.groups:
                self._press("e", "equal ones")
        for entry in wall["blanks"]:
            verdict = truth[entry["sheet"]]
            if verdict != "blank":
                self._click(
                    f"#blanks li[data-sheet='{entry['sheet']}'] .crop", "found in the strip"
                )
                self._press("r" if verdict == "right" else "w", "found in the strip")

    def _move_boundary(self, boundary: int) -> None:
        tiles = self._wall["written"]
        if boundary == 0:
            self._press("Home", "boundary")
            self._press("[", "boundary")
            return
        sheet = tiles[boundary - 1]["sheet"]
        self._click(f"#written li[data-sheet='{sheet}'] .crop", "boundary", ctrl=True)

    def _confirm(self) -> None:
        wall = self._wall
        path = f"/api/wall/{wall['theme']}/{wall['nominal']}/confirm"
        with self.page.expect_response(lambda answer: answer.url.endswith(path)) as ruled:
            self._press("Enter", "confirmation")
        assert ruled.value.status == 200, ruled.value.text()
        ruled.value.finished()
        self.effort.ruling_ms.append(ruled.value.request.timing["responseEnd"])

    def _click(self, selector: str, why: str, *, shift: bool = False, ctrl: bool = False) -> None:
        # By its own event, not by coordinates: where a tile lies under the key or the bar, a person scrolls.
        held = {"shiftKey": shift, "ctrlKey": ctrl}
        self.page.locator(selector).dispatch_event("click", held)
        self.effort.actions[why] += 1

    def _press(self, key: str, why: str) -> None:
        self.page.keyboard.press(key)
        self.effort.actions[why] += 1
