"""The wall of one question: all its answers in one order, and what confirming it rules.

A pure state. What the juror did (the boundary, flips, disputes) is held by whoever shows the wall and
handed in; the wall says what it means for every box.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from jury.boxes import BoxId, BoxVerdict, box_key, sheet_order
from jury.normalise import fold
from jury.suggestion import NEUTRAL
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scanner.contracts import Ink
from scoring.model import Question, Verdict

_DECIDED = (Verdict.RIGHT, Verdict.WRONG)


@dataclass(frozen=True, slots=True)
class WallEntry:
    """One answer on the wall.

    `box` is the key on the blank (`t3r5`); `probability`, 0 to 1, is the suggestion's; `ruling` what is
    ruled on it now, None if nothing; `sure` is False where the scanner asks for a second look; `group` names
    what it says the same as, if that is known better than by its reading (`jury.grouping`).
    """

    sheet: str
    box: str
    ink: Ink
    text: str = ""
    probability: float = NEUTRAL
    ruling: Verdict | None = None
    sure: bool = True
    group: str = ""

    @property
    def id(self) -> BoxId:
        """The box it shows."""
        return (self.sheet, self.box)

    @property
    def says(self) -> str:
        """Equal for answers that say the same; empty for what nobody could read."""
        return self.group or fold(self.text)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a juror has set on a wall; the fields are the arguments of `Wall.rulings`."""

    boundary: int
    flipped: frozenset[BoxId] = frozenset()
    disputed: frozenset[BoxId] = frozenset()
    written_blanks: Mapping[BoxId, Verdict | None] = field(default_factory=dict)
    emptied: frozenset[BoxId] = frozenset()


@dataclass(frozen=True, slots=True)
class Wall:
    """The answers to one question: the written ones in order, the blank ones in a strip apart."""

    question: Question
    written: tuple[WallEntry, ...]
    blanks: tuple[WallEntry, ...]

    def initial_boundary(self) -> int:
        """Where the boundary starts: the number of entries above it.

        It is put where it contradicts fewest of the rulings there are, and of the suggestions where
        there are none; among equal places the highest is taken, with fewest answers counted right.
        """
        prefers = _preferences(self.written)
        # Moving the boundary below an entry gains its agreement if it is right, loses it if wrong.
        gain = best = best_at = 0
        for index, verdict in enumerate(prefers, start=1):
            gain += (verdict is Verdict.RIGHT) - (verdict is Verdict.WRONG)
            if gain > best:
                best, best_at = gain, index
        return best_at

    def initial_marks(self) -> Marks:
        """The marks that a wall opens with: `rulings` of them repeat every ruling there is."""
        boundary = self.initial_boundary()
        sides = {entry.id: _side(index, boundary) for index, entry in enumerate(self.written)}
        return Marks(
            boundary=boundary,
            flipped=frozenset(
                entry.id
                for entry in self.written
                if entry.ruling in _DECIDED and entry.ruling is not sides[entry.id]
            ),
            disputed=frozenset(
                entry.id for entry in self.written if entry.ruling is Verdict.DISPUTED
            ),
            written_blanks={
                entry.id: entry.ruling
                for entry in self.blanks
                if entry.ruling not in (None, Verdict.BLANK)
            },
            emptied=frozenset(entry.id for entry in self.written if entry.ruling is Verdict.BLANK),
        )

    def unseen(self, seen: Collection[BoxId]) -> tuple[BoxId, ...]:
        """The boxes, blank ones too, that were not on the juror's screen. Confirm only if none."""
        return tuple(entry.id for entry in (*self.written, *self.blanks) if entry.id not in seen)

    def rulings(
        self,
        boundary: int,
        flipped: Collection[BoxId] = (),
        disputed: Collection[BoxId] = (),
        written_blanks: Mapping[BoxId, Verdict | None] | None = None,
        emptied: Collection[BoxId] = (),
    ) -> list[BoxVerdict]:
        """What confirming the wall rules: one verdict for every box on it, none left out.

        Args:
            boundary: The number of written answers above the boundary: those are right, the others
                wrong.
            flipped: Written answers that are on the wrong side of it.
            disputed: Written answers for the chief; this goes before a flip.
            written_blanks: Boxes of the blank strip that do hold an answer, each with its verdict: right,
                wrong or disputed. All other ones of the strip are blank.
            emptied: Written boxes without an answer (a stray line, only crossed-out text): blank. This
                goes before all else.

        Returns:
            The verdicts, first those of the written answers in their order, then those of the strip.

        Raises:
            ConflictError: A mark on a box that is not in that part of this wall, a boundary outside it,
                or a box turned into a written one without a verdict of its own.
        """
        turned = dict(written_blanks or {})
        self._check(boundary, {*flipped, *disputed, *emptied}, turned)
        verdicts = []
        for index, entry in enumerate(self.written):
            verdict = _side(index, boundary, flip=entry.id in flipped)
            if entry.id in disputed:
                verdict = Verdict.DISPUTED
            if entry.id in emptied:
                verdict = Verdict.BLANK
            verdicts.append(BoxVerdict(entry.sheet, entry.box, verdict))
        for entry in self.blanks:
            # None cannot be left here: `_check` has refused it.
            verdict = turned.get(entry.id) or Verdict.BLANK
            verdicts.append(BoxVerdict(entry.sheet, entry.box, verdict))
        return verdicts

    def _check(
        self, boundary: int, marked: set[BoxId], turned: Mapping[BoxId, Verdict | None]
    ) -> None:
        strange = marked - {entry.id for entry in self.written}
        strange |= turned.keys() - {entry.id for entry in self.blanks}
        if strange or not 0 <= boundary <= len(self.written):
            raise ConflictError(
                _("The answers on this wall have changed since it was opened."),
                _("Open the question again and confirm it then."),
            )
        for (sheet, _box), verdict in turned.items():
            if verdict is None or verdict is Verdict.BLANK:
                raise ConflictError(
                    _(
                        "The answer on sheet {sheet} is marked as written, but has no verdict."
                    ).format(sheet=sheet),
                    _("Say whether it is right, wrong or disputed, or mark it as blank again."),
                )


def build_wall(question: Question, entries: Iterable[WallEntry]) -> Wall:
    """Put the answers to one question in order.

    Written answers stand by probability, the likeliest first; those that say the same side by side, in the
    place of their mean. The blank strip (blank, dash, crossed out) is in the order of the
    sheets, those first where the scanner was not sure. The order of `entries` does not matter.

    Raises:
        ValueError: An entry belongs to another question, or a box is there twice.
    """
    given = sorted(entries, key=lambda entry: sheet_order(entry.sheet))
    if any(entry.box != box_key(question.theme, question.row) for entry in given):
        raise ValueError("an answer to another question")
    if len({entry.id for entry in given}) != len(given):
        raise ValueError("a box twice on one wall")
    groups = _groups(entry for entry in given if entry.ink is Ink.WRITTEN)
    groups.sort(key=lambda group: (-_mean(group), group[0].says))
    return Wall(
        question=question,
        written=tuple(entry for group in groups for entry in group),
        blanks=tuple(
            sorted(
                (entry for entry in given if entry.ink is not Ink.WRITTEN),
                key=lambda entry: entry.sure,
            )
        ),
    )


def _groups(entries: Iterable[WallEntry]) -> list[list[WallEntry]]:
    """Those that say the same together, the likeliest first; what nobody could read stays single."""
    together: defaultdict[tuple[str, BoxId | None], list[WallEntry]] = defaultdict(list)
    for entry in entries:
        together[entry.says, None if entry.says else entry.id].append(entry)
    return [
        sorted(group, key=lambda entry: -entry.probability)  # stable: sheets stay in order
        for group in together.values()
    ]


def _mean(group: Sequence[WallEntry]) -> float:
    return sum(entry.probability for entry in group) / len(group)


def _preferences(written: Sequence[WallEntry]) -> list[Verdict | None]:
    """What speaks for every entry: its ruling, else its reading; nothing for disputed and emptied ones.

    Those that say the same share the mean of their probabilities, so that no boundary goes through them.
    """
    shared = {group[0].says or str(group[0].id): _mean(group) for group in _groups(written)}
    prefers: list[Verdict | None] = []
    for entry in written:
        if entry.ruling is not None:
            prefers.append(entry.ruling if entry.ruling in _DECIDED else None)
        else:
            likely = shared[entry.says or str(entry.id)]
            # In the middle are those with a form of the key in them or near it: more often right (94 of 100
            # on the sample event). What nobody could read is there too, and speaks for nothing.
            right = likely >= NEUTRAL if entry.says else likely > NEUTRAL
            prefers.append(Verdict.RIGHT if right else Verdict.WRONG)
    return prefers


def _side(index: int, boundary: int, *, flip: bool = False) -> Verdict:
    return Verdict.RIGHT if (index < boundary) is not flip else Verdict.WRONG
