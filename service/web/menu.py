"""The head of every page: which parts there are, and who may see each."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from service.accounts import Account, Right, Role


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of the menu; `right` is None for what everybody who is signed in may see.

    `count` names what `/api/waiting` counts beside it; empty for nothing. `seldom` is true for what goes
    under "More" where the row would get too long.
    """

    address: str
    word: str
    right: Right | None = None
    count: str = ""
    seldom: bool = False


# With more entries than this the seldom ones go under "More".
LONGEST_ROW = 7


def rows(account: Account, *, final: bool) -> tuple[list[Part], list[Part]]:
    """What stands in the head's row, and what under "More".

    Args:
        account: For whom.
        final: Whether the event has a final stake.
    """
    every = [part for part in parts(account) if final or part.address != "/final"]
    if len(every) <= LONGEST_ROW:
        return every, []
    return [p for p in every if not p.seldom], [p for p in every if p.seldom]


def parts(account: Account) -> list[Part]:
    """The entries for somebody, in the order in which they are shown, in the current language."""
    every = [
        Part("/", _("Questions")),
        Part("/disputes", _("Disputes"), Right.DECIDE, "disputes"),
        Part("/double", _("Double reading"), Right.DECIDE, seldom=True),
        Part("/appeals", _("Appeals"), Right.APPEAL, "appeals"),
        Part("/final", _("Final"), Right.RULE),
        Part("/standings", _("Standings"), Right.RESULTS),
        Part("/decisions", _("Decisions"), Right.CHANGE, seldom=True),
        Part("/publications", _("Publications"), Right.PUBLISH, seldom=True),
        Part("/desk", _("Desk"), Right.DESK, "desk"),
        Part("/pages", _("Pages"), Right.PAGES, seldom=True),
        Part("/people", _("People"), Right.PEOPLE, seldom=True),
    ]
    if account.role is Role.SPECTATOR:
        every.insert(0, Part("/hall", _("Hall screen")))
    return [part for part in every if part.right is None or account.may(part.right)]
