"""Edge colourings of bipartite graphs: the exact tool behind a fair split into bouts.

Take schools on the left, pots of strength on the right, and every player as an edge between the two; a
colour is a bout. De Werra's theorem says that a bipartite graph can be coloured with any number k of
colours such that at every vertex each two colours differ by one edge at most. So every school can be spread
over the bouts as evenly as numbers allow while every pot is spread as well, both at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence


def even_colouring(
    edges: Sequence[tuple[Hashable, Hashable]], colours: int, wished: Sequence[int]
) -> list[int]:
    """Colour the edges so that at each vertex the colours differ by one in number at most.

    Each vertex is split into copies of degree `colours`, the last of what is left; a proper colouring of
    that graph (König: it exists, since no vertex has more edges than there are colours) puts every colour
    once on each full copy. Edges are coloured one after another by alternating paths.

    Args:
        edges: Left and right vertex of each edge; left and right names may coincide.
        colours: How many colours, at least 1.
        wished: The colour that each edge takes if that is free when its turn comes.

    Returns:
        The colour of each edge, from 0.
    """
    graph = _Graph(colours)
    seen: defaultdict[tuple[str, Hashable], int] = defaultdict(int)
    for (left, right), wish in zip(edges, wished, strict=True):
        copies: list[Hashable] = []
        for side in (("left", left), ("right", right)):
            copies.append((side, seen[side] // colours))
            seen[side] += 1
        graph.add(copies[0], copies[1], wish)
    return graph.coloured()


class _Graph:
    """Edges with colours, always properly coloured: no two edges of one colour meet."""

    def __init__(self, colours: int) -> None:
        self.colours = colours
        self.ends: list[tuple[Hashable, Hashable]] = []
        self.colour: list[int] = []
        self.at: defaultdict[Hashable, dict[int, int]] = defaultdict(dict)

    def add(self, left: Hashable, right: Hashable, wish: int) -> None:
        """Add an edge, recolouring others where no colour is free at both ends."""
        free = [
            colour
            for colour in range(self.colours)
            if colour not in self.at[left] and colour not in self.at[right]
        ]
        if free:
            colour = min(free, key=lambda each: (abs(each - wish), each))
        else:
            colour = next(each for each in range(self.colours) if each not in self.at[left])
            other = next(each for each in range(self.colours) if each not in self.at[right])
            self._swap_path(right, colour, other)
        edge = len(self.ends)
        self.ends.append((left, right))
        self.colour.append(colour)
        self.at[left][colour] = self.at[right][colour] = edge

    def _swap_path(self, start: Hashable, first: int, second: int) -> None:
        """Exchange two colours on the path that leaves `start` with `first`.

        In a bipartite graph it never ends at the left vertex that lacks `first`, so that `first` is free
        at both ends of the new edge afterwards.
        """
        path: list[int] = []
        vertex, colour = start, first
        while (edge := self.at[vertex].get(colour)) is not None:
            path.append(edge)
            left, right = self.ends[edge]
            vertex = right if vertex == left else left
            colour = second if colour == first else first
        for edge in path:
            for vertex in self.ends[edge]:
                del self.at[vertex][self.colour[edge]]
        for edge in path:
            self.colour[edge] = second if self.colour[edge] == first else first
            for vertex in self.ends[edge]:
                self.at[vertex][self.colour[edge]] = edge

    def coloured(self) -> list[int]:
        """The colours of the edges in the order in which they were added."""
        return list(self.colour)
