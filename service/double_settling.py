"""What two readings come to, entered in the ledger: by both names where they agree, else for the chief."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, Row

from jury import ledger
from jury.boxes import BoxId
from jury.double import DoubleBox, Reading, State
from jury.remarks import Remark, read_remark
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from scoring.model import Verdict
from service import double_readings, rulings, times
from service.double_readings import Known
from service.event import Event
from service.store.tables import ruling
from service.wording import verdict_name

_LONGEST_BY = ruling.c.who.type.length or 120  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Said:
    """What the ledger should say of a box; `restores` names the ruling that comes back."""

    verdict: Verdict | None = None
    by: str = ""
    why: str = ""
    restores: int | None = None


def settle(
    event: Event,
    connection: Connection,
    touched: Collection[BoxId],
    key: str | None,
    *,
    who: str,
    batch: str,
    origin: str,
) -> None:
    """Bring the ledger to what the readings of some boxes come to now; votes never touch a decision.

    Args:
        event: Where.
        connection: One from `Database.writing()`; the votes are in it already.
        touched: The boxes.
        key: The box key that all of them share, None if they differ.
        who: Whose votes have changed.
        batch: The batch of those votes.
        origin: Where they came from.
    """
    known = double_readings.known(event, key)
    at = times.now()
    entries = []
    with speaking(event.info.language):
        for where in sorted(touched):
            box = known.boxes[where]
            said = _said(known, where, box, who)
            if box.decided or _holds(known, where, said):
                continue
            last = known.last.get(where)
            entries.append(
                ledger.Ruling(
                    id=0,
                    sheet=where[0],
                    box=where[1],
                    verdict=said.verdict,
                    by=said.by,
                    at=at,
                    batch=batch,
                    supersedes=last.id if last else None,
                    restores=said.restores,
                    why=said.why,
                )
            )
    rulings.append(connection, entries, origin)


def _said(known: Known, where: BoxId, box: DoubleBox, who: str) -> _Said:
    """Two readings speak for themselves; less than two leave what one person ruled alone, or nothing."""
    given = sorted(box.readings.values(), key=lambda reading: (reading.at, reading.by))
    if box.state is State.AGREED and given[0].verdict is not Verdict.DISPUTED:
        return _Said(given[0].verdict, _names(given), _("two readings agree"))
    if box.state in (State.AGREED, State.DIFFER):
        return _Said(Verdict.DISPUTED, _names(given), _difference(given))
    base = known.base.get(where)
    if base is not None and any(not reading.is_vote for reading in given):
        return _Said(Verdict(base.verdict), who, restores=base.id)
    return _Said(by=who)


def _holds(known: Known, where: BoxId, said: _Said) -> bool:
    """True if the ledger says so already."""
    held: Row | None = known.meant.get(where)
    if held is None or held.verdict is None:
        return said.verdict is None
    if said.restores is not None:
        return bool(held.id == said.restores)
    return (held.verdict, held.who, held.why) == (said.verdict, said.by, said.why)


def _names(given: list[Reading]) -> str:
    """The readers' names, as far as the ledger has room for them."""
    room = (_LONGEST_BY - 3 * (len(given) - 1)) // len(given)
    whole = " + ".join(reading.by for reading in given)
    if len(whole) <= _LONGEST_BY:
        return whole
    return " + ".join(reading.by[: max(1, room)] for reading in given)[:_LONGEST_BY]


def _difference(given: list[Reading]) -> str:
    """Who says what, with the remarks; a form proposed for the key stands at the end, as remarks have it."""
    parts, form = [], ""
    for reading in given:
        remark = read_remark(reading.why) if reading.verdict is Verdict.DISPUTED else Remark()
        form = form or remark.form
        said = f"{reading.by}: {verdict_name(reading.verdict)}"
        parts.append(f"{said} ({remark.text})" if remark.text else said)
    return "; ".join(parts) + (f" [+ {form}]" if form else "")
