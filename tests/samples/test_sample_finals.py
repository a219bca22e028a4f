"""Guards the sample's final: the same bytes for the same seed, and every kind of stake that a jury meets."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from samples.event_files import load_event
from samples.finals import plan_finals
from samples.generate import FINAL_CATEGORY, SAMPLE_CODE, _final
from samples.making import HandKind, Workshop
from samples.plan_search import plan_sample
from scanner.codes import SheetCode
from scanner.geometry import SheetKind, default
from scanner.pages import PageSource, count_pages
from scanner.recognition import recognise

EVENT = load_event()


def test_the_planned_final_has_every_kind_of_stake() -> None:
    plan = plan_sample(EVENT, 1, None)
    players = [player for player in plan.players if player.category == FINAL_CATEGORY]
    assert EVENT.key.final is not None
    planned = plan_finals(players, plan.scores, EVENT.key.final, 1, 4)
    scores = plan.scores
    staking = [one for one in planned if scores[one.player.number] > 0]
    assert sum(one.stake is None for one in staking) == 1
    assert sum((one.stake or 0) > scores[one.player.number] for one in staking) == 1
    assert sum(one.struck is not None for one in staking) == 1
    absent = {p.number for p in players if scores.get(p.number, 0) > 0}
    assert len(absent - {one.player.number for one in staking}) == 1
    assert all(len(one.cells) == 4 for one in planned)
    assert planned == plan_finals(players[::-1], scores, EVENT.key.final, 1, 4)


def test_the_final_is_scanned_to_the_same_bytes_and_read_as_final_sheets(tmp_path: Path) -> None:
    full = plan_sample(EVENT, 1, None)
    some = [p for p in full.players if p.category != FINAL_CATEGORY or p.number < 30]
    workshop = Workshop(
        event=replace(EVENT, players=tuple(some)),
        geometry=default(),
        plan=full,
        blanks=b"",
        seed=1,
        hand=HandKind.FONTS,
        strokes=None,
    )
    digests = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        made = _final(tmp_path / name, workshop, SAMPLE_CODE)
        assert made is not None
        digests.append(hashlib.sha256(made.read_bytes()).hexdigest())
    assert digests[0] == digests[1]
    source = PageSource()
    result = recognise(source.page(made, 0).gray, default(), SAMPLE_CODE)
    source.close()
    assert result.code is not None and count_pages(made) > 1
    assert isinstance(result.code, SheetCode) and result.code.kind is SheetKind.FINAL
