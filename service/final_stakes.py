"""The stakes of one category as the jury looks at them: what the boxes say, what it means, what is entered.

What the network reads is a proposal; a stake counts once somebody who saw its picture has entered it. Players
whose final sheet was not scanned have no line here: they count as the regulation says of a missing stake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from otbor.errors import ConflictError, NotFoundError
from otbor.i18n import gettext as _
from scanner.readers import numbers
from scanner.readers.numbers import NumberReading, read_number
from scoring.model import Player, Standings, Verdict
from scoring.rules import FinalStake
from scoring.stakes import CheckedStake, Opening, StakeSheet, check_stake, limits, opening
from service import final_entries, finals, number_boxes, sightings
from service.event import Event
from service.results import event_standings

# More digits than any blank has cells for.
LONGEST = 9
UNREADABLE = finals.UNREADABLE


@dataclass(frozen=True, slots=True)
class StakeLine:
    """One scanned stake.

    Args:
        player: Whose.
        page_id: The scan that counts.
        points: The player's sum at this moment.
        allowed: The least and the most that may be staked, None if this player may not stake.
        reading: What the network made of the boxes.
        entered: The line of the journal that says the stake, 0 if nobody has entered it.
        sheet: What is entered, or what the reading proposes.
        checked: What that counts as by the regulation.
    """

    player: Player
    page_id: int
    points: int
    allowed: tuple[int, int] | None
    reading: NumberReading
    entered: int
    sheet: StakeSheet
    checked: CheckedStake

    @property
    def doubtful(self) -> bool:
        """True where a person should look twice: an unsure reading, or a stake that is not allowed."""
        if self.entered:
            return self.checked.stake is None
        return self.allowed is not None and (
            not self.reading.sure or self.checked.fault is not None
        )

    @property
    def text(self) -> str:
        """The stake as it is typed: a number, empty, `?`, or two with a slash between."""
        if self.sheet.unreadable:
            return UNREADABLE
        return "/".join(map(str, self.sheet.stakes))


@dataclass(frozen=True, slots=True)
class StakeWall:
    """All scanned stakes of a category, those first that need a person.

    `without_sheet` are the players of the final of whom no final sheet was scanned; of `unsettled` nobody
    has said yet that they handed in nothing.
    """

    category: str
    opening: Opening
    lines: tuple[StakeLine, ...]
    without_sheet: tuple[Player, ...]
    unsettled: tuple[int, ...] = ()

    @property
    def open(self) -> int:
        """How many stakes nobody has entered yet."""
        return sum(not line.entered and line.allowed is not None for line in self.lines)


def stake_wall(event: Event, category: str, standings: Standings | None = None) -> StakeWall:
    """The stakes of a category as they are now.

    Args:
        event: Whose.
        category: Which.
        standings: As they are now, if they are known already.

    Raises:
        ConflictError: The regulation has no final stake.
        NotFoundError: There is no such category.
    """
    rule = finals.rule_of(event.regulation())
    standings = standings or event_standings(event)
    part = next((part for part in standings.categories if part.category == category), None)
    if part is None:
        raise NotFoundError(
            _("There is no category “{name}”.").format(name=_sayable(category)),
            _("Choose one of: {names}.").format(
                names=", ".join(part.category for part in standings.categories)
            ),
        )
    sums = finals.sums_of(standings, category)
    players = {row.player.number: row.player for row in part.rows}
    pages = number_boxes.final_pages(event)
    seen = number_boxes.tables_of(event, number_boxes.STAKE)
    said, staked = final_entries.sheets(event), final_entries.staked(event)
    lines = []
    for number, points in sums.items():
        if number not in pages:
            continue
        allowed = limits(points, rule)
        reading = reading_of(seen, pages[number], allowed, rule)
        sheet = said.get(number, StakeSheet(number))
        if number not in staked:
            sheet = replace(proposed(number, reading), ruled=sheet.ruled, verdict=sheet.verdict)
        lines.append(
            StakeLine(
                player=players[number],
                page_id=pages[number],
                points=points,
                allowed=allowed,
                reading=reading,
                entered=staked.get(number, 0),
                sheet=sheet,
                checked=check_stake(finals.as_allowed(sheet, points, rule), points, rule),
            )
        )
    return StakeWall(
        category,
        opening(sums, rule),
        tuple(sorted(lines, key=_order)),
        tuple(players[number] for number in sorted(sums.keys() - pages.keys())),
        tuple(
            number
            for number in sorted(sums.keys() - pages.keys() - staked.keys())
            if limits(sums[number], rule)
        ),
    )


def _sayable(text: str) -> str:
    """What somebody typed, so that it can stand in a sentence."""
    return "".join(char if char.isprintable() else "�" for char in text[:40])


def _order(line: StakeLine) -> tuple[bool, bool, bool, int]:
    """Open ones first, among them the doubtful; then what waits for the chief."""
    return (line.allowed is None, bool(line.entered), not line.doubtful, line.player.number)


def reading_of(
    seen: dict[int, numbers.Floats],
    page_id: int,
    allowed: tuple[int, int] | None,
    rule: FinalStake,
) -> NumberReading:
    """What the stake boxes of a page say.

    A clear number is shown as it stands, allowed or not; an unclear one is sought among those allowed.
    """
    table = seen.get(page_id)
    free = read_number(table)
    if free.sure or allowed is None:
        return free
    possible = range(allowed[0], allowed[1] + 1)
    return read_number(table, [value for value in possible if value % rule.step == 0])


def proposed(number: int, reading: NumberReading) -> StakeSheet:
    """What a reading proposes: a stake, none, or that nobody can read it."""
    if reading.value is not None:
        return StakeSheet(number, (reading.value,))
    return StakeSheet(number, unreadable=not (reading.read and reading.sure))


def parsed(number: int, text: str) -> StakeSheet:
    """What somebody typed of a stake; see `StakeLine.text`.

    Raises:
        ConflictError: It is none of these.
    """
    text = text.strip()
    parts = [part for part in text.replace(" ", "/").split("/") if part]
    digits = all(part.isascii() and part.isdigit() and len(part) <= LONGEST for part in parts)
    if text != UNREADABLE and not digits:
        raise ConflictError(
            _("“{text}” is no stake.").format(text=_sayable(text)),
            _("Write the stake as a number, leave it empty, or write ? if nobody can read it."),
        )
    if text == UNREADABLE:
        return StakeSheet(number, unreadable=True)
    return StakeSheet(number, tuple(map(int, parts)))


@dataclass(frozen=True, slots=True)
class Given:
    """A stake as somebody enters it: what they typed, and what they were looking at."""

    number: int
    text: str
    page_id: int
    entered: int = 0


def enter(event: Event, category: str, given: Sequence[Given], who: str) -> int:
    """Enter stakes that somebody has seen, all or none; returns how many.

    Raises:
        ConflictError: One of them is no stake, or has changed since it was looked at.
        UnseenError: The picture of one has not been on this person's screen.
        NotFoundError: A player is not in the final of this category, or has no scanned sheet.
    """
    with event.database.writing() as connection:
        lines = {line.player.number: line for line in stake_wall(event, category).lines}
        sheets = [parsed(one.number, one.text) for one in given]
        strangers = sorted(one.number for one in given if one.number not in lines)
        if strangers:
            raise NotFoundError(
                _("Not in the final: {numbers}.").format(numbers=", ".join(map(str, strangers))),
                _("Load the page again; nothing was recorded."),
            )
        for one in given:
            line = lines[one.number]
            if (line.page_id, line.entered) != (one.page_id, one.entered):
                raise ConflictError(
                    _("A stake has changed since you looked at it; nothing was recorded."),
                    _("Somebody else has entered it, or another scan counts. Look at it again."),
                )
        pages = [one.page_id for one in given]
        sightings.require(event, number_boxes.STAKE, who, pages)
        said = [
            (
                sheet.number,
                {
                    "stakes": list(sheet.stakes),
                    "unreadable": sheet.unreadable,
                    "page": lines[sheet.number].page_id,
                },
            )
            for sheet in sheets
        ]
        if said:
            final_entries.append(connection, who, said)
    return len(given)


def tried(event: Event, category: str, number: int, text: str) -> StakeLine:
    """The line of a player as if this stake had been entered; nothing is recorded.

    Raises:
        ConflictError: It is no stake.
        NotFoundError: The player has no scanned final sheet in this category.
    """
    rule = finals.rule_of(event.regulation())
    for line in stake_wall(event, category).lines:
        if line.player.number == number:
            sheet = replace(parsed(number, text), ruled=line.sheet.ruled)
            allowed = finals.as_allowed(sheet, line.points, rule)
            checked = check_stake(allowed, line.points, rule)
            return replace(line, sheet=allowed, checked=checked)
    raise NotFoundError(
        _("Not in the final: {numbers}.").format(numbers=number),
        _("Load the page again; nothing was recorded."),
    )


def rule_stake(
    event: Event, category: str, number: int, stake: int | None, *, who: str, why: str
) -> None:
    """Set a player's stake by the chief's word, or (None) leave it to the regulation again.

    Raises:
        ConflictError: The regulation does not allow this stake.
        NotFoundError: The player is not in the final of this category.
    """
    rule = finals.rule_of(event.regulation())
    with event.database.writing() as connection:
        sums = finals.sums_of(event_standings(event), category)
        if number not in sums:
            raise NotFoundError(
                _("Not in the final: {numbers}.").format(numbers=number),
                _("Load the page again; nothing was recorded."),
            )
        if stake is not None:
            check_stake(StakeSheet(number, ruled=stake), sums[number], rule)
        final_entries.append(connection, who, [(number, {"ruled": stake})], why)


def nothing_handed_in(event: Event, category: str, who: str) -> int:
    """Say of all players without a scanned sheet that they handed in nothing; returns how many.

    They have no stake and no answer then; what that means says the regulation. A sheet that is scanned
    later counts instead.
    """
    with event.database.writing() as connection:
        said = {
            "stakes": [],
            "unreadable": False,
            "verdict": Verdict.BLANK.value,
            "page": final_entries.NO_SHEET,
        }
        unsettled = stake_wall(event, category).unsettled
        if unsettled:
            final_entries.append(connection, who, [(number, said) for number in unsettled])
    return len(unsettled)


def undo(event: Event, who: str) -> list[int]:
    """Take back what somebody entered last; returns the players, none if there is nothing."""
    with event.database.writing() as connection:
        return final_entries.take_back_last(connection, who)


def remedy_text(line: StakeLine) -> str:
    """What the regulation makes of the stake, as a short sentence; empty if it stands as it is."""
    if line.allowed is None:
        return _("The sum is not positive: this player does not stake.")
    if line.sheet.ruled is not None and line.checked.stake == line.sheet.ruled:
        return _("The chief has set {stake}.").format(stake=line.sheet.ruled)
    if line.checked.fault is None:
        return ""
    if line.checked.stake is None:
        return _("The regulation leaves it to the chief.")
    if line.checked.stake == 0:
        return _("By the regulation this player does not play the final.")
    return _("By the regulation it counts as {stake}.").format(stake=line.checked.stake)
