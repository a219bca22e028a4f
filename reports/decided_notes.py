"""What was decided beside the verdicts, said beneath the line: without it nobody can check a posted sum.

Removed questions, changed nominals, and how every tie was decided, with the seed of a lot. The posted
papers, the posted pages, the workbook and the jury's protocol all say the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable

from otbor.i18n import gettext as _
from reports.fitting import paragraph
from reports.flow import Block
from reports.fonts import MM, REGULAR
from reports.paper import LEADING, Paper
from reports.wording import removed_sentences
from scoring.explain import count_back_words
from scoring.model import CategoryStandings, Player, Standings, TieStep
from scoring.rules import CountBack, TiePolicy

Called = Callable[[Player], str]
"""How a player is named."""


def called(player: Player) -> str:
    """The name and the number, which is not said twice where it stands for the name."""
    number = f"№ {player.number}"
    return number if player.name == number else f"{player.name} ({number})"


def decided_sentences(
    standings: Standings, part: CategoryStandings, name: Called = called
) -> list[str]:
    """Each decision that shows in the figures or in the order, in a sentence of its own.

    Args:
        standings: All of the event.
        part: The category; only its own ties are said.
        name: How players are called.
    """
    players = {row.player.number: row.player for row in part.rows}
    return [
        *question_decisions(standings),
        *(
            _step(step, [players[n] for group in step.order for n in group if n in players], name)
            for step in part.cut.steps
            if _tells(step)
        ),
    ]


def question_decisions(standings: Standings) -> list[str]:
    """The removed questions and those that are worth something else than printed."""
    valued = [
        _("Question {theme}–{nominal} is worth {worth}.").format(
            theme=theme, nominal=nominal, worth=worth
        )
        for theme, nominal, worth in standings.changed
        if (theme, nominal) not in standings.removed
    ]
    return removed_sentences(standings.removed) + valued


def note_blocks(sentences: list[str], left: float, right: float, size: float) -> list[Block]:
    """The sentences as lines of a size in points, between two edges in mm; nothing if there are none."""
    height = size * LEADING * 1.1 / MM
    lines = [
        line
        for text in sentences
        for line in paragraph(text, REGULAR, size, (right - left - 2.0) * MM)
    ]
    # The first line stays with what it belongs to, and no line stands alone on the next page.
    blocks = [
        _line(line, left, size, height, with_next=index in (0, len(lines) - 2))
        for index, line in enumerate(lines[:-1])
    ]
    return [*blocks, _last_line(lines[-1], left, right, size, height)] if lines else []


def _line(text: str, left: float, size: float, height: float, *, with_next: bool) -> Block:
    def draw(paper: Paper, y: float) -> None:
        paper.text(left, y + size * LEADING * 0.95 / MM, text, size)

    return Block(height, draw, with_next)


def _last_line(text: str, left: float, right: float, size: float, height: float) -> Block:
    """The last of the lines, and the rule under which the table goes on."""
    line = _line(text, left, size, height, with_next=False)

    def draw(paper: Paper, y: float) -> None:
        line.draw(paper, y)
        paper.line(left, y + height + 1.2, right, y + height + 1.2, 0.1, grey=0.5)

    return Block(height + 1.2, draw)


def _tells(step: TieStep) -> bool:
    """A comparison that separated nobody has decided nothing."""
    return len(step.order) > 1 or step.policy in (TiePolicy.ALL_IN, TiePolicy.NONE_IN)


def _step(step: TieStep, players: list[Player], name: Called) -> str:
    """How one tie was decided and in which order the players came out; equal ones with «=» between."""
    by_number = {player.number: name(player) for player in players}
    groups = [[by_number[n] for n in group if n in by_number] for group in step.order]
    order = ", ".join(" = ".join(group) for group in groups if group)
    if step.policy is TiePolicy.SHOOT_OUT:
        return _("Decided by a shoot-out, best first: {order}.").format(order=order)
    if step.policy is TiePolicy.COUNT_BACK:
        return _("Decided by comparing ({key}), best first: {order}.").format(
            key=count_back_words(CountBack(step.key)), order=order
        )
    if step.policy is TiePolicy.LOT and step.seed:
        return _("Decided by lot (seed “{seed}”), best first: {order}.").format(
            seed=step.seed, order=order
        )
    if step.policy is TiePolicy.LOT:
        return _("Decided by lot, best first: {order}.").format(order=order)
    together = ", ".join(by_number[number] for number in sorted(by_number))
    if step.policy is TiePolicy.ALL_IN:
        return _("Equal on the line and all in: {names}.").format(names=together)
    return _("Equal on the line and none in: {names}.").format(names=together)
