"""The head of every page: which parts there are, and who may see each."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from service.accounts import Account, Right


@dataclass(frozen=True, slots=True)
class Part:
    """One entry of the menu; `right` is None for what everybody who is signed in may see."""

    address: str
    word: str
    right: Right | None = None


def parts(account: Account) -> list[Part]:
    """The entries for somebody, in the order in which they are shown, in the current language."""
    every = [
        Part("/", _("Questions")),
        Part("/disputes", _("Disputes"), Right.DECIDE),
        Part("/standings", _("Standings"), Right.RESULTS),
        Part("/pages", _("Pages"), Right.PAGES),
    ]
    return [part for part in every if part.right is None or account.may(part.right)]
