"""A draw of bouts as it is printed, and its page: who meets whom, and how that came about."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.fitting import fit, paragraph
from reports.flow import Block, draw_blocks, paginate
from reports.fonts import BOLD, CAP_HEIGHT, MM, REGULAR, printable
from reports.page_frame import PageFrame
from reports.paper import LEADING, Paper
from reports.wording import places_text
from scoring.model import Player
from scoring.seeding import Method

LEFT, RIGHT = 12.0, 285.0
GAP_MM = 11.0
COLUMN_MM = (RIGHT - LEFT - GAP_MM) / 2
_LINE_MM = 4.9


@dataclass(frozen=True)
class BoutDraw:
    """The bouts of one category and how they were drawn.

    Args:
        title: The tournament's title.
        category: Whose bouts.
        bouts: The players' numbers bout by bout, best first.
        players: Number → player, for all who are in a bout.
        method: By the snake or drawn.
        seed: The recorded seed of a draw.
        conflicts: Pairs of mates who meet in a bout.
        proven: No split by this method has fewer of them.
        places: Number → places in the standings (see `StandingRow.places`).
        branches: Into how many branches of the grid the bouts fall, in order.
        apart: Numbers of further players who are kept apart, beside mates.
        reserves: Numbers of those who are called if somebody does not come, in this order.
        note: Printed small at the foot of every page.
    """

    title: str
    category: str
    bouts: Sequence[Sequence[int]]
    players: Mapping[int, Player]
    method: Method = Method.SNAKE
    seed: str = ""
    conflicts: Sequence[tuple[int, int]] = ()
    proven: bool = False
    places: Mapping[int, tuple[int, int] | None] = field(default_factory=dict)
    note: str = ""
    branches: int = 1
    apart: Sequence[int] = ()
    reserves: Sequence[int] = ()

    def place(self, number: int) -> str:
        """The player's place as it is printed, empty if there is none."""
        return places_text(self.places.get(number)) if self.places.get(number) else ""

    def mates(self) -> list[tuple[int, int, int]]:
        """Bout (from 1) and both numbers of each pair that could not be kept apart."""
        bout_of = {number: at for at, bout in enumerate(self.bouts, 1) for number in bout}
        return sorted((bout_of[first], first, second) for first, second in self.conflicts)


def draw_page(paper: Paper, draw: BoutDraw) -> None:
    """Print the whole draw, on as many pages as it needs; ends on the last of them."""
    frame = PageFrame(
        draw.title,
        draw.category,
        LEFT,
        RIGHT,
        subtitle=_("the draw of the bouts"),
        about=ngettext("{n} bout", "{n} bouts", len(draw.bouts)).format(n=len(draw.bouts)),
        note=draw.note,
        legend=_("in each bout: number, player, school, place in the standings"),
    )
    sentences = paragraph(_how(draw), REGULAR, 11, (RIGHT - LEFT) * MM)
    blocks = [_bout(draw, at, bout) for at, bout in enumerate(draw.bouts, start=1)]
    blocks += _mates(draw)
    blocks += _reserves(draw)
    top = frame.top + len(sentences) * _LINE_MM + 2.0
    columns = _columns(blocks, frame.bottom(paper) - top)
    pages = -(-len(columns) // 2)
    for page in range(pages):
        if page:
            paper.next_page()
        else:
            paper.bookmark(printable(f"{draw.category}: {_('the draw of the bouts')}"), "draw")
        frame.draw(paper, page + 1, pages)
        for at, line in enumerate(sentences):
            paper.text(LEFT, frame.top + 2.6 + at * _LINE_MM, line, 11)
        for at, column in enumerate(columns[2 * page : 2 * page + 2]):
            with paper.moved(at * (COLUMN_MM + GAP_MM)):
                draw_blocks(paper, column, top, LEFT, LEFT + COLUMN_MM)


def _columns(blocks: Sequence[Block], room: float) -> list[list[Block]]:
    """The blocks column by column; a draw that fills no more than one is spread over two."""
    columns = paginate(blocks, room)
    if len(columns) > 1:
        return columns
    for height in itertools.accumulate(block.height for block in blocks):
        # The least height that suffices; a hair more, against the rounding of sums.
        halves = paginate(blocks, height + 0.01)
        if len(halves) <= 2:
            return halves
    return columns


def _how(draw: BoutDraw) -> str:
    if draw.method is Method.DRAWN:
        words = [_("Drawn by lot with the seed “{seed}”: the same seed gives the same bouts.")]
    else:
        words = [_("Seeded by the snake, in the order of the standings.")]
    count = len(draw.conflicts)
    if count:
        words.append(
            ngettext(
                "{n} pair of mates meets in a bout.", "{n} pairs of mates meet in a bout.", count
            ).format(n=count)
        )
        if draw.proven:
            by_snake = draw.method is Method.SNAKE
            words.append(
                _("No split by the snake has fewer.") if by_snake else _("No split has fewer.")
            )
    else:
        words.append(_("No mates meet in a bout."))
    if draw.branches > 1:
        words.append(
            _("The bouts fall into {n} branches, in order; mates are spread over them.").format(
                n=draw.branches
            )
        )
    if draw.apart:
        words.append(_("Kept apart like mates: {names}.").format(names=_named(draw, draw.apart)))
    return " ".join([words[0].format(seed=draw.seed), *words[1:]])


def _named(draw: BoutDraw, numbers: Sequence[int]) -> str:
    return ", ".join(draw.players[number].name for number in numbers)


def _reserves(draw: BoutDraw) -> list[Block]:
    """Who is called if somebody does not come: the host at the door has no other paper at hand."""
    if not draw.reserves:
        return []
    rows = [_player(draw, number) for number in draw.reserves]
    title = _sentence(_("Reserves, in this order"), BOLD, 11, with_next=True)
    return [title, *rows]


def _bout(draw: BoutDraw, at: int, bout: Sequence[int]) -> Block:
    rows = [_player(draw, number) for number in bout]
    head = 8.4
    height = head + sum(row.height for row in rows) + 3.2

    def paint(paper: Paper, y: float) -> None:
        paper.text(LEFT, y + 5.6, _("Bout {number}").format(number=at), 12.5, BOLD)
        paper.line(LEFT, y + 7.6, LEFT + COLUMN_MM, y + 7.6, 0.4)
        row_y = y + head
        for row in rows:
            row.draw(paper, row_y)
            row_y += row.height

    return Block(height, paint)


def _player(draw: BoutDraw, number: int) -> Block:
    player = draw.players[number]
    about = ", ".join(text for text in (player.school, player.city) if text)
    name = fit(player.name, BOLD, 11, 66.0 * MM, least=8.5, lines=4)
    school = fit(about, REGULAR, 8.5, 36.0 * MM, least=6.5, lines=3)
    first = 1.0 + 11 * CAP_HEIGHT / MM
    lines = max((len(text.lines) - 1) * text.size * LEADING / MM for text in (name, school))
    height = first + lines + 2.0

    def paint(paper: Paper, y: float) -> None:
        paper.text(LEFT + 9.0, y + first, str(number), 9, align="right", grey=0.3)
        paper.fitted(LEFT + 11.5, y + first, name, BOLD)
        paper.fitted(LEFT + 80.0, y + first, school)
        place = fit(draw.place(number), REGULAR, 10.5, 13 * MM, least=6, lines=1)
        paper.fitted(LEFT + COLUMN_MM, y + first, place, align="right")
        paper.line(LEFT, y + height, LEFT + COLUMN_MM, y + height, 0.1, grey=0.6)

    return Block(height, paint)


def _mates(draw: BoutDraw) -> list[Block]:
    """The pairs that could not be kept apart, each with its bout and what they share."""
    blocks: list[Block] = []
    for bout, first, second in draw.mates():
        pair = [draw.players[number] for number in (first, second)]
        words = pgettext("draw", "Bout {number}: {first} and {second}").format(
            number=bout, first=pair[0].name, second=pair[1].name
        )
        blocks.append(_sentence(words, REGULAR, 9.5))
    if blocks:
        title = _("Mates who could not be kept apart")
        blocks.insert(0, _sentence(title, BOLD, 11, with_next=True))
    return blocks


def _sentence(text: str, font: str, size: float, *, with_next: bool = False) -> Block:
    lines = paragraph(text, font, size, COLUMN_MM * MM)
    step = size * LEADING / MM

    def paint(paper: Paper, y: float) -> None:
        for at, line in enumerate(lines):
            paper.text(LEFT, y + (at + 1) * step, line, size, font)

    return Block(len(lines) * step + 1.4, paint, with_next=with_next)
