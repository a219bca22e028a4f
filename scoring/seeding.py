"""The next stage begins: players into bouts, by the snake or drawn, school-mates kept apart.

The number of pairs from one school that meet in a bout is the least possible, and the result says whether
that is proven: by a lower bound that the split reaches, or by a search through all splits.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from scoring.apart import (
    Marks,
    Split,
    Task,
    clashing_pairs,
    exhaustive,
    improve,
    lower_bound,
    shaken,
)
from scoring.colouring import even_colouring
from scoring.folding import fold
from scoring.lots import draw_order

# Some seconds at most; 32 players in 8 bouts need a few thousand as a rule.
MOST_NODES = 200_000
_SHAKES = 40


class Method(StrEnum):
    """How players come into bouts."""

    SNAKE = "snake"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who goes on. `apart` are further marks whose bearers should not meet (last year's finalists)."""

    number: int
    school: str = ""
    team: str = ""
    apart: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seeding:
    """The bouts, each with its players' numbers, best first.

    `conflicts` are the pairs that share a school, team or mark and meet in a bout; `branch_conflicts`
    those that are in one branch of the grid. `bound` is a number of pairs below which none can be.
    `proven`: no split has fewer conflicts. `branches_proven`: nor fewer pairs in one branch.
    `moved` is how many do not stand where the plain snake or draw had put them.
    """

    method: Method
    seed: str
    bouts: tuple[tuple[int, ...], ...]
    conflicts: tuple[tuple[int, int], ...]
    branch_conflicts: tuple[tuple[int, int], ...]
    bound: int
    proven: bool
    branches_proven: bool
    moved: int


def seed_bouts(
    entrants: Sequence[Entrant],
    bouts: int,
    *,
    method: Method = Method.SNAKE,
    seed: str = "",
    branches: int = 1,
) -> Seeding:
    """Put the players into bouts whose sizes differ by one at most.

    By the snake each pot of `bouts` players of neighbouring strength gives one player to each bout, also
    where a player is moved to keep school-mates apart. Drawn, everybody may come into any bout; the draw
    follows from the seed alone.

    Args:
        entrants: Best first; for a draw the order does not matter.
        bouts: How many bouts there are.
        method: By the snake or drawn.
        seed: The recorded seed of a draw.
        branches: Into how many branches of the grid the bouts fall, in order; mates are kept in different
            branches first of all where that is possible without more conflicts in bouts.

    Raises:
        ConflictError: Fewer players than bouts, a draw without a seed, or branches of unequal size.
        ValueError: A number is there twice.
    """
    _check(entrants, bouts, method, seed, branches)
    by_number = {entrant.number: entrant for entrant in entrants}
    order = [entrant.number for entrant in entrants]
    if method is Method.DRAWN:
        order = list(draw_order(order, seed))
    pots = tuple(index // bouts for index in range(len(order)))
    wished = [_plain(index, bouts, method) for index in range(len(order))]
    task = Task(
        marks=tuple(_marks(by_number[number]) for number in order),
        pots=pots,
        bouts=bouts,
        branches=branches,
        free=method is Method.DRAWN,
    )
    split, proven, branches_proven = _best_split(task, wished, seed)
    members = [
        sorted((i for i, at in enumerate(split) if at == bout), key=lambda i: (pots[i], i))
        for bout in range(bouts)
    ]
    in_branches = [task.branch(bout) for bout in split]
    return Seeding(
        method=method,
        seed=seed,
        bouts=tuple(tuple(order[index] for index in each) for each in members),
        conflicts=_numbered(clashing_pairs(task, split), order),
        branch_conflicts=_numbered(clashing_pairs(task, in_branches), order)
        if branches > 1
        else (),
        bound=lower_bound(task, bouts),
        proven=proven,
        branches_proven=branches_proven,
        moved=sum(at != wish for at, wish in zip(split, wished, strict=True)),
    )


def _check(
    entrants: Sequence[Entrant], bouts: int, method: Method, seed: str, branches: int
) -> None:
    if len({entrant.number for entrant in entrants}) != len(entrants):
        raise ValueError("two players have one number")
    if not 1 <= bouts <= len(entrants):
        raise ConflictError(
            _("{players} players cannot fill {bouts} bouts.").format(
                players=len(entrants), bouts=bouts
            ),
            _("Choose fewer bouts."),
        )
    if method is Method.DRAWN and not seed:
        raise ConflictError(
            _("A draw needs a seed that is recorded."),
            _("Give any number or words that were announced before the draw."),
        )
    if branches < 1 or bouts % branches:
        raise ConflictError(
            _("{bouts} bouts do not fall into {branches} equal branches.").format(
                bouts=bouts, branches=branches
            ),
            _("Choose a number of branches that divides the bouts."),
        )


def _marks(entrant: Entrant) -> Marks:
    named = [("school", entrant.school), ("team", entrant.team)]
    named += [("apart", mark) for mark in sorted(entrant.apart)]
    # Further marks may overlap, so that each is a kind of its own.
    return frozenset(
        (kind if kind != "apart" else f"apart {fold(name)}", fold(name))
        for kind, name in named
        if fold(name)
    )


def _plain(index: int, bouts: int, method: Method) -> int:
    """Where the plain snake (1…8, 8…1, 1…8) or the plain draw puts the player at this index."""
    pot, at = divmod(index, bouts)
    return bouts - 1 - at if method is Method.SNAKE and pot % 2 else at


def _best_split(task: Task, wished: list[int], seed: str) -> tuple[Split, bool, bool]:
    """The split with the fewest clashes; whether none can have fewer in bouts, and in branches."""
    bound = lower_bound(task, task.bouts)
    branch_bound = lower_bound(task, task.branches) if task.branches > 1 else 0

    def clashes(split: Split) -> tuple[int, int]:
        if task.branches == 1:
            return len(clashing_pairs(task, split)), 0
        branch = [task.branch(bout) for bout in split]
        return len(clashing_pairs(task, split)), len(clashing_pairs(task, branch))

    best = improve(task, wished, wished)
    for kind in sorted({kind for marks in task.marks for kind, _name in marks}):
        even = improve(task, _even(task, kind, wished), wished)
        best = min(best, even, key=lambda split: (*clashes(split), _far(split, wished)))
    dice = random.Random(f"otbor:{seed}")
    for _turn in range(_SHAKES):
        if clashes(best) == (bound, branch_bound):
            break
        again = improve(task, shaken(task, best, dice), wished)
        best = min(best, again, key=clashes)
    pairs, in_branches = clashes(best)
    if pairs == bound:
        return best, True, in_branches == branch_bound
    found, complete = exhaustive(task, pairs, MOST_NODES)
    if found is not None:
        best = improve(task, found, wished)
    return best, complete, clashes(best)[1] == branch_bound


def _even(task: Task, kind: str, wished: list[int]) -> Split:
    """Spread the marks of one kind as evenly as numbers allow, over branches and then over bouts."""
    count = len(task.marks)
    vertex = [
        next((mark for mark in sorted(marks) if mark[0] == kind), ("", str(index)))
        for index, marks in enumerate(task.marks)
    ]
    size = task.bouts // task.branches
    branch = even_colouring(
        [(vertex[i], task.pots[i]) for i in range(count)],
        task.branches,
        [wish // size for wish in wished],
    )
    split = [0] * count
    for each in range(task.branches):
        inside = [i for i in range(count) if branch[i] == each]
        bouts = even_colouring(
            [(vertex[i], task.pots[i]) for i in inside], size, [wished[i] % size for i in inside]
        )
        for player, bout in zip(inside, bouts, strict=True):
            split[player] = each * size + bout
    return split


def _far(split: Split, wished: list[int]) -> int:
    return sum(abs(at - wish) for at, wish in zip(split, wished, strict=True))


def _numbered(pairs: list[tuple[int, int]], order: list[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((min(p), max(p)) for p in ((order[a], order[b]) for a, b in pairs)))
