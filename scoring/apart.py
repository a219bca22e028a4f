"""Who should not meet: pairs that share a mark, how few of them can be together, and the search for it."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

Marks = frozenset[tuple[str, str]]
Split = list[int]


@dataclass(frozen=True, slots=True)
class Task:
    """Players by index, best first: their marks and pots, and the bouts to fill.

    A mark is a kind («school») with a name. `pots` hold the pot of each player: no two of one pot meet in
    a bout. Bouts come in `branches` of equal size, in order.
    """

    marks: tuple[Marks, ...]
    pots: tuple[int, ...]
    bouts: int
    branches: int = 1
    free: bool = False

    def branch(self, bout: int) -> int:
        """The branch of a bout."""
        return bout * self.branches // self.bouts

    def clash(self, one: int, other: int) -> bool:
        """True if the two should not meet."""
        return bool(self.marks[one] & self.marks[other])


def fewest_pairs(members: int, bouts: int) -> int:
    """The least number of pairs that must be together when so many are spread over so many bouts."""
    full, rest = divmod(members, bouts)
    return rest * (full + 1) * full // 2 + (bouts - rest) * full * (full - 1) // 2


def clashing_pairs(task: Task, split: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs that are together in one group of the split and share a mark."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for player, group in enumerate(split):
        groups[group].append(player)
    return sorted(
        pair for group in groups.values() for pair in combinations(group, 2) if task.clash(*pair)
    )


def lower_bound(task: Task, groups: int) -> int:
    """A number of pairs below which no split into so many groups can be.

    The members of one mark meet at least `fewest_pairs` times. Marks of one kind share no pair, so these
    add up. Pairs of another kind count on top as far as they share no mark of the first: among the members
    of a mark those with different first marks.
    """
    kinds = sorted({kind for marks in task.marks for kind, _name in marks})
    best = 0
    for first in kinds:
        total = sum(fewest_pairs(size, groups) for size in _sizes(task, first).values())
        extra = 0
        for second in kinds:
            if second == first:
                continue
            names: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
            for player, marks in enumerate(task.marks):
                own = frozenset(mark for mark in marks if mark[0] == first)
                for mark in marks:
                    if mark[0] == second:
                        names[mark].add(own or player)
            extra = max(extra, sum(fewest_pairs(len(each), groups) for each in names.values()))
        best = max(best, total + extra)
    return best


def _sizes(task: Task, kind: str) -> Counter[tuple[str, str]]:
    return Counter(mark for marks in task.marks for mark in marks if mark[0] == kind)


def improve(task: Task, split: Split, wished: Sequence[int]) -> Split:
    """Exchange players of one pot while that helps.

    First fewer clashes in bouts, then fewer in branches, then less far from the wished bouts. Where pots
    are of no account (`free`) any two may be exchanged.
    """
    split = list(split)
    clashes = [
        [other for other in range(len(split)) if other != player and task.clash(player, other)]
        for player in range(len(split))
    ]

    def cost(player: int, bout: int, without: int) -> tuple[int, int, int]:
        branch = task.branch(bout)
        mates = [split[other] for other in clashes[player] if other != without]
        return (
            mates.count(bout),
            sum(task.branch(mate) == branch for mate in mates),
            abs(bout - wished[player]),
        )

    better = True
    while better:
        better = False
        for one, other in combinations(range(len(split)), 2):
            here, there = split[one], split[other]
            if here == there or not (task.free or task.pots[one] == task.pots[other]):
                continue
            before = _add(cost(one, here, other), cost(other, there, one))
            after = _add(cost(one, there, other), cost(other, here, one))
            if after < before:
                split[one], split[other] = there, here
                better = True
    return split


def _add(one: tuple[int, int, int], other: tuple[int, int, int]) -> tuple[int, int, int]:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def shaken(task: Task, split: Split, dice: random.Random) -> Split:
    """The split with some players of one pot exchanged at random, to begin a search elsewhere."""
    split = list(split)
    for _turn in range(max(2, len(split) // 4)):
        one, other = dice.sample(range(len(split)), 2)
        if task.free or task.pots[one] == task.pots[other]:
            split[one], split[other] = split[other], split[one]
    return split


def exhaustive(task: Task, best: int, nodes: int) -> tuple[Split | None, bool]:
    """Look for a split with fewer clashing pairs than `best`, through all that there are.

    Branch and bound: players with most clashes first; a branch is left when its pairs so far, and those
    that the largest marks must still bring, reach the best. Bouts with nobody in them are alike, so that
    only the first of them is tried.

    Args:
        task: The task.
        best: The number of pairs of the best split known.
        nodes: How many placements may be tried.

    Returns:
        The better split, None if none was found; and whether the search came to its end, which proves
        that no better one exists than the one returned or, if none is, than the known one.
    """
    search = _Search(task, best, nodes)
    search.place(0, 0)
    return search.found, search.left > 0


class _Search:
    """The state of one exhaustive search."""

    def __init__(self, task: Task, best: int, nodes: int) -> None:
        count = len(task.marks)
        self.task, self.best, self.left = task, best, nodes
        self.found: Split | None = None
        self.clashes = [
            {other for other in range(count) if other != player and task.clash(player, other)}
            for player in range(count)
        ]
        self.order = sorted(range(count), key=lambda player: (-len(self.clashes[player]), player))
        self.members: list[list[int]] = [[] for _bout in range(task.bouts)]
        self.smallest, self.larger = divmod(count, task.bouts)
        kinds = sorted({kind for marks in task.marks for kind, _name in marks})
        kind = max(
            kinds,
            key=lambda each: sum(
                fewest_pairs(size, task.bouts) for size in _sizes(task, each).values()
            ),
            default="",
        )
        # Of the marks of this kind: how many bearers wait, how many are in each bout, and how many pairs
        # those who wait must bring.
        self.mark = [
            next((mark for mark in sorted(marks) if mark[0] == kind), None) for marks in task.marks
        ]
        self.waiting = Counter(mark for mark in self.mark if mark)
        self.there = {mark: [0] * task.bouts for mark in self.waiting}
        self.to_come = sum(
            _pairs_to_come(tuple(self.there[mark]), self.waiting[mark]) for mark in self.waiting
        )

    def place(self, index: int, pairs: int) -> None:
        """Place the players from `index` on."""
        if pairs + self.to_come >= self.best:
            return
        if index == len(self.order):
            self.best = pairs
            self.found = [0] * len(self.order)
            for bout, members in enumerate(self.members):
                for player in members:
                    self.found[player] = bout
            return
        player = self.order[index]
        for more, bout in self._choices(player):
            self.left -= 1
            if self.left <= 0:
                return
            before = self.to_come
            self.members[bout].append(player)
            self._count(player, bout, 1)
            self.place(index + 1, pairs + more)
            self.members[bout].pop()
            self._count(player, bout, -1)
            self.to_come = before

    def _choices(self, player: int) -> list[tuple[int, int]]:
        """The bouts that may take a player, those with the fewest clashes first."""
        choices = []
        empty_tried = False
        for bout, members in enumerate(self.members):
            if not members:
                if empty_tried:
                    continue
                empty_tried = True
            if self._fits(player, members):
                choices.append((len(self.clashes[player].intersection(members)), bout))
        return sorted(choices)

    def _count(self, player: int, bout: int, step: int) -> None:
        """Note that a player came into a bout (1) or left it (−1)."""
        mark = self.mark[player]
        if mark is None:
            return
        there = self.there[mark]
        if step > 0:
            self.to_come -= _pairs_to_come(tuple(sorted(there)), self.waiting[mark])
        there[bout] += step
        self.waiting[mark] -= step
        if step > 0:
            self.to_come += _pairs_to_come(tuple(sorted(there)), self.waiting[mark])

    def _fits(self, player: int, members: list[int]) -> bool:
        size = len(members)
        if size > self.smallest or (size == self.smallest and not self._larger_left()):
            return False
        if self.task.free:
            return True
        return all(self.task.pots[other] != self.task.pots[player] for other in members)

    def _larger_left(self) -> bool:
        return sum(len(members) > self.smallest for members in self.members) < self.larger


@cache
def _pairs_to_come(there: tuple[int, ...], waiting: int) -> int:
    """The fewest pairs that so many more bearers of a mark bring into bouts with so many (ascending)."""
    if not waiting:
        return 0
    return there[0] + _pairs_to_come(tuple(sorted((there[0] + 1, *there[1:]))), waiting - 1)
