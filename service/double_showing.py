"""Who is shown what of double reading: a juror their own verdicts, the chief both sides of a difference."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from jury.boxes import BoxId
from jury.double import Reading, Scope, State
from jury.remarks import Remark, read_remark
from scoring.model import Verdict
from service import double_readings, rulings
from service.double_readings import setting
from service.event import Event


@dataclass(frozen=True, slots=True)
class Shown:
    """What one person sees as ruled on a wall, and why what is disputed for them is so."""

    ruled: dict[BoxId, Verdict]
    reasons: dict[BoxId, str]


@dataclass(frozen=True, slots=True)
class Note:
    """What one person said of an answer; `text` may be empty."""

    who: str
    verdict: Verdict | None
    text: str = ""


def shown_to(event: Event, who: str, box: str) -> Shown | None:
    """What a person may see of a box on every sheet; None where everybody sees the same: the rulings."""
    now = setting(event)
    if now.scope is Scope.NONE:
        return None
    known = double_readings.known(event, box, now)
    ruled: dict[BoxId, Verdict] = {}
    reasons: dict[BoxId, str] = {}
    for where, state in known.boxes.items():
        verdict = state.shown(who)
        if verdict is None:
            continue
        ruled[where] = verdict
        if verdict is not Verdict.DISPUTED:
            continue
        own = state.readings.get(who)
        if state.decided or not state.under:
            reasons[where] = known.meant[where].why
        elif own is not None:
            # The ledger's own reason would say what the other one ruled.
            reasons[where] = own.why
    return Shown(ruled, reasons)


def differences(event: Event) -> dict[BoxId, list[Reading]]:
    """What was read twice, differently, and waits for the chief: all readings, by the readers' names."""
    boxes = rulings.disputes(event)
    found: dict[BoxId, list[Reading]] = {}
    for key in sorted({box for _sheet, box in boxes}):
        found |= _differing(event, key)
    return dict(sorted(found.items()))


def notes(event: Event, boxes: Collection[BoxId]) -> dict[BoxId, list[Note]]:
    """Both readers' verdicts and remarks on disputed boxes, for the chief's page."""
    found: dict[BoxId, list[Note]] = {}
    for key in {box for _sheet, box in boxes}:
        for where, given in _differing(event, key).items():
            if where in boxes:
                found[where] = [_note(reading) for reading in given]
    return found


def _note(reading: Reading) -> Note:
    said = read_remark(reading.why) if reading.verdict is Verdict.DISPUTED else Remark()
    return Note(reading.by, reading.verdict, said.text)


def _differing(event: Event, key: str) -> dict[BoxId, list[Reading]]:
    known = double_readings.known(event, key)
    return {
        where: list(state.readings.values())
        for where, state in sorted(known.boxes.items())
        if state.ruling is Verdict.DISPUTED and not state.decided and state.state is State.DIFFER
    }
