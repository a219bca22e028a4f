"""The head of every page: which parts there are, and who may see each."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from service.accounts import Account, Right, Role


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of the menu; `right` is None for what everybody who is signed in may see.

    `count` names what `/api/waiting` counts beside it; empty for nothing. `row` is true for what keeps its
    place in the row where the other parts go under "More". `under` are the beginnings of the addresses of
    the pages that belong to it, besides its own address and what lies below that.
    """

    address: str
    word: str
    right: Right | None = None
    count: str = ""
    row: bool = False
    under: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether the page at this address belongs to the part."""
        below = () if self.address == "/" else (self.address + "/",)
        return path == self.address or path.startswith((*below, *self.under))


# With more entries than this the others go under "More": the event's title must stay readable.
LONGEST_ROW = 5


def rows(account: Account, *, final: bool) -> tuple[list[Part], list[Part]]:
    """What stands in the head's row, and what under "More".

    Args:
        account: For whom.
        final: Whether the event has a final stake.
    """
    every = [part for part in parts(account) if final or part.address != "/final"]
    if len(every) <= LONGEST_ROW:
        return every, []
    return [p for p in every if p.row], [p for p in every if not p.row]


def parts(account: Account) -> list[Part]:
    """The entries for somebody, as the day goes: before, during and after the checking of answers."""
    every = [
        Part("/people", _("People"), Right.PEOPLE),
        Part("/double", _("Double reading"), Right.DECIDE),
        Part("/", _("Questions"), row=True, under=("/wall/",)),
        Part("/desk", _("Desk"), Right.DESK, "desk", row=True),
        Part("/pages", _("Pages"), Right.PAGES),
        Part("/disputes", _("Disputes"), Right.DECIDE, "disputes", row=True),
        Part("/effect", _("Who goes on"), Right.RESULTS),
        Part("/hall", _("Hall screen"), Right.RESULTS),
        Part("/final", _("Final"), Right.RULE),
        Part("/decisions", _("Decisions"), Right.CHANGE),
        Part("/standings", _("Standings"), Right.RESULTS, row=True),
        Part("/publications", _("Publications"), Right.PUBLISH),
        Part("/appeals", _("Appeals"), Right.APPEAL, "appeals"),
    ]
    if account.role is Role.SPECTATOR:
        every.insert(0, Part("/hall", _("Hall screen")))
    return [part for part in every if part.right is None or account.may(part.right)]
