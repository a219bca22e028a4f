"""The ledger of rulings: an append-only log in pure form.

Nothing in it is ever changed or removed. A later entry on a box supersedes the earlier one, and taking
rulings back means appending entries that say again what held before. Every function returns the entries
to append; the caller keeps the log.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from jury.boxes import BoxId, BoxVerdict
from scoring.model import Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """One entry of the ledger.

    Args:
        id: Grows with every entry; 1 is the first.
        sheet: The sheet's name.
        box: The box's key on its blank.
        verdict: None means that the box has no ruling again.
        by: Who ruled.
        at: When.
        batch: What was confirmed together and is taken back together.
        supersedes: The id of the entry on the same box that this one follows; None for the first.
        restores: The id of the entry that an undo brings back; None elsewhere.
        undoes: The batch that this entry takes back, empty if none.
        why: The reason, where one was given.
    """

    id: int
    sheet: str
    box: str
    verdict: Verdict | None
    by: str
    at: datetime
    batch: str
    supersedes: int | None = None
    restores: int | None = None
    undoes: str = ""
    why: str = ""

    @property
    def box_id(self) -> BoxId:
        """The box it is about."""
        return (self.sheet, self.box)


def latest(log: Iterable[Ruling]) -> dict[BoxId, Ruling]:
    """The last entry on every box that was ever ruled on, withdrawn ones too. Ids decide, not order."""
    return {entry.box_id: entry for entry in sorted(log, key=lambda entry: entry.id)}


def current(log: Iterable[Ruling]) -> dict[BoxId, Ruling]:
    """What is ruled now: for every box with a verdict its last entry."""
    return {box: entry for box, entry in latest(log).items() if entry.verdict is not None}


def standing(log: Iterable[Ruling]) -> dict[BoxId, Ruling]:
    """For every box with a verdict the ruling that holds: after an undo the one that came back."""
    known = list(log)
    by_id = {entry.id: entry for entry in known}
    return {box: _meant(entry, by_id) for box, entry in current(known).items()}


def news(log: Iterable[Ruling], verdicts: Iterable[BoxVerdict]) -> list[BoxVerdict]:
    """Of some verdicts those that say something new: another verdict, or another reason for it."""
    now = standing(log)
    return [
        given
        for given in verdicts
        if (held := now.get(given.id)) is None
        or held.verdict is not given.verdict
        or given.why not in (None, held.why)
    ]


def enter(
    log: Sequence[Ruling],
    verdicts: Iterable[BoxVerdict],
    *,
    by: str,
    at: datetime,
    batch: str,
    why: str = "",
) -> list[Ruling]:
    """The entries that record verdicts given together.

    Raises:
        ValueError: The batch is already in the log, or a box has two verdicts.
    """
    _check_new(log, batch)
    before = latest(log)
    entries: list[Ruling] = []
    for new_id, given in enumerate(verdicts, start=_next_id(log)):
        earlier = before.get(given.id)
        entries.append(
            Ruling(
                id=new_id,
                sheet=given.sheet,
                box=given.box,
                verdict=given.verdict,
                by=by,
                at=at,
                batch=batch,
                supersedes=earlier.id if earlier else None,
                why=why if given.why is None else given.why,
            )
        )
    if len({entry.box_id for entry in entries}) != len(entries):
        raise ValueError("two verdicts on one box in one batch")
    return entries


def withdraw(log: Sequence[Ruling], *, by: str, at: datetime, batch: str, why: str) -> list[Ruling]:
    """The entries by which every box that has a ruling has none again, whatever it had before.

    Raises:
        ValueError: The batch is already in the log.
    """
    _check_new(log, batch)
    return [
        Ruling(
            id=new_id,
            sheet=last.sheet,
            box=last.box,
            verdict=None,
            by=by,
            at=at,
            batch=batch,
            supersedes=last.id,
            why=why,
        )
        for new_id, last in enumerate(current(log).values(), start=_next_id(log))
    ]


def undo(
    log: Sequence[Ruling], undone: str, *, by: str, at: datetime, batch: str, why: str = ""
) -> list[Ruling]:
    """The entries that take a batch back: each box has again what it had before, maybe no ruling.

    Boxes on which a later ruling stands keep that one: it was given after the batch and does not fall
    with it. An undo is a batch too and can be taken back. Undoing what is already undone gives nothing.

    Args:
        log: All entries so far.
        undone: The batch to take back.
        by: Who takes it back.
        at: When.
        batch: The new entries' own batch.
        why: The reason, where one was given.

    Raises:
        ValueError: `batch` is already in the log.
    """
    _check_new(log, batch)
    by_id = {entry.id: entry for entry in log}
    first_id = _next_id(log)
    entries: list[Ruling] = []
    for last in sorted(latest(log).values(), key=lambda entry: entry.id):
        taken = _of_batch(last, undone, by_id)
        if taken is None:
            continue
        before = by_id[taken.supersedes] if taken.supersedes else None
        restored = _meant(before, by_id) if before else None
        entries.append(
            Ruling(
                id=first_id + len(entries),
                sheet=last.sheet,
                box=last.box,
                verdict=restored.verdict if restored else None,
                by=by,
                at=at,
                batch=batch,
                supersedes=last.id,
                restores=restored.id if restored else None,
                undoes=undone,
                why=why,
            )
        )
    return entries


def undoable(log: Iterable[Ruling], by: str, kept: Collection[str] = ()) -> str | None:
    """The last batch of a juror that still stands somewhere and is no undo; None if there is none.

    Pressing «undo» again and again thus walks back through the juror's own work. Batches in `kept` are
    passed over: they are taken back elsewhere, with what belongs to them.
    """
    known = list(log)
    by_id = {entry.id: entry for entry in known}
    standing = (_meant(entry, by_id) for entry in latest(known).values())
    own = [
        entry
        for entry in standing
        if entry.by == by and not entry.undoes and entry.batch not in kept
    ]
    return max(own, key=lambda entry: entry.id).batch if own else None


def _meant(entry: Ruling, by_id: Mapping[int, Ruling]) -> Ruling:
    """The ruling that an entry stands for: its own, or the one that it restores."""
    return by_id[entry.restores] if entry.restores is not None else entry


def _of_batch(last: Ruling, batch: str, by_id: Mapping[int, Ruling]) -> Ruling | None:
    """The entry of a batch that decides a box now, either itself or restored; None if none does."""
    if last.batch == batch:
        return last
    meant = _meant(last, by_id)
    return meant if meant.batch == batch else None


def _next_id(log: Iterable[Ruling]) -> int:
    return max((entry.id for entry in log), default=0) + 1


def _check_new(log: Iterable[Ruling], batch: str) -> None:
    if any(entry.batch == batch for entry in log):
        raise ValueError(f"the batch {batch} is already in the log")
