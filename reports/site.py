"""The posted pages: plain files that open from a USB stick and from any web host.

    index.html              all categories with their lines (a page per category where there are many)
    p/CODE.html             a player's own page, found only by who holds the code
    style.css, page.js      how it looks; search and sorting, without which all still stands there

Nothing is fetched from elsewhere, all links are relative, and no page tells search engines to keep it:
players are children. The pages of players are linked from nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.changes import PublishedChanges
from reports.fingerprint import fingerprint, short
from reports.markup import Child, Element, element, group
from reports.own_page import OwnPage
from reports.shown_names import Names
from reports.site_category import category_section
from reports.site_changes import changes_section
from reports.site_frame import document, header, tools
from reports.site_player import player_article
from reports.wording import present_text, publication_text
from scoring.model import AnswerKey, Standings

ONE_PAGE = 600
"""As many players stand on one page: some 170 KB, and a search finds everybody."""

OWN_FOLDER = "p"


def site(
    standings: Standings,
    *,
    number: int,
    date: str,
    names: Names | str = Names.FULL,
    players: Mapping[str, OwnPage] | None = None,
    key: AnswerKey | None = None,
    appeal: str = "",
    with_codes: bool | None = None,
    changes: PublishedChanges | None = None,
) -> dict[str, bytes]:
    """Make the pages of one publication in the current language.

    Args:
        standings: What is posted; the order of the rows does not matter.
        number: Which publication this is, from 1; 0 for a draft.
        date: When it was posted, as it shall be read; may be empty.
        names: How players are called, see `reports.shown_names`.
        players: Code → own page; codes as `reports.codes.player_code` makes them. None or empty makes
            no such pages.
        key: Its accepted answers and titles are shown on the players' pages; None shows neither.
        appeal: The address where an appeal is entered, http or https; a player's code is added as
            `?code=`. Empty where the service cannot be reached.
        with_codes: Whether the first page asks for a code; None means that it does if there are
            `players`. True where their pages are made one by one by `own_page`.
        changes: What is different from the publication before; stands above the results.

    Returns:
        Path, with `/`, relative to the publication's folder → bytes. The same input gives the same.

    Raises:
        ValueError: A code can't be a file's name, or `appeal` is no web address.
    """
    how = Names(names)
    _check_address(appeal)
    files = {"style.css": _file("style.css"), "page.js": _file("page.js")}
    total = sum(len(part.rows) for part in standings.categories)
    asks = bool(players) if with_codes is None else with_codes
    about = _publication(number, date)
    news = changes_section(changes, how) if changes is not None else None
    if total <= ONE_PAGE:
        sections = [
            category_section(standings, part, at, how)
            for at, part in enumerate(standings.categories, start=1)
        ]
        files["index.html"] = _index(standings, about, sections, asks, news=news)
    else:
        files["index.html"] = _index(standings, about, [_contents(standings)], asks, news=news)
        for at, part in enumerate(standings.categories, start=1):
            section = category_section(standings, part, at, how)
            files[f"category-{at}.html"] = _index(
                standings, about, [section], asks, back=True, title=part.category
            )
    for code, own in (players or {}).items():
        files |= own_page(
            standings, code, own, number=number, date=date, names=how, key=key, appeal=appeal
        )
    return files


def own_page(
    standings: Standings,
    code: str,
    own: OwnPage,
    *,
    number: int,
    date: str,
    names: Names | str = Names.FULL,
    key: AnswerKey | None = None,
    appeal: str = "",
) -> dict[str, bytes]:
    """The files of one player's own page, as in `site`: so that thousands are made one at a time.

    Beside it an index for the folder, the same for all: many web hosts list a folder that has none, and
    the codes would be there for all to see. Nothing for a player who is not in the standings.

    Raises:
        ValueError: As for `site`.
    """
    if not re.fullmatch(r"[a-z0-9]{8,64}", code):
        raise ValueError(f"code {code!r}")
    _check_address(appeal)
    part = next(
        (
            part
            for part in standings.categories
            if any(row.player.number == own.number for row in part.rows)
        ),
        None,
    )
    if part is None:
        return {}
    row = next(row for row in part.rows if row.player.number == own.number)
    about = _publication(number, date)
    article = player_article(standings, part, row, own, key, Names(names), code, appeal)
    words = _("Each player's page is found by the code printed on the player's blank.")
    return {
        f"{OWN_FOLDER}/{code}.html": document(
            f"№ {own.number} · {standings.title}",
            [header(standings, about, part, home="../index.html"), element("main", article)],
            root="../",
        ),
        f"{OWN_FOLDER}/index.html": document(
            standings.title,
            [
                header(standings, about, None, home="../index.html"),
                element("main", element("p", words)),
            ],
            root="../",
        ),
    }


def _check_address(appeal: str) -> None:
    if appeal and not re.match(r"https?://", appeal):
        raise ValueError("an appeal's address begins with http:// or https://")


def _publication(number: int, date: str) -> str:
    text = publication_text(number)
    return f"{text} · {date}" if date else text


def _index(
    standings: Standings,
    about: str,
    sections: list[Element],
    with_codes: bool,
    *,
    back: bool = False,
    title: str = "",
    news: Element | None = None,
) -> bytes:
    many = len(standings.categories) > 1
    contents = element(
        "nav",
        *(
            element("a", part.category, attributes={"href": f"#c{at}"})
            for at, part in enumerate(standings.categories, start=1)
        ),
        attributes={"class": "categories", "aria-label": _("Categories")},
    )
    main: list[Child] = [
        tools(with_codes),
        news,
        contents if many and len(sections) == len(standings.categories) else None,
        *sections,
        None
        if standings.categories
        else element("p", pgettext("standings", "There are no players yet.")),
    ]
    seal = _("Fingerprint of these results: {code}").format(code=short(fingerprint(standings)))
    return document(
        f"{title} · {standings.title}" if title else standings.title,
        [
            header(standings, about, None, home="index.html" if back else ""),
            element("main", group(main)),
            element("footer", element("p", seal, attributes={"class": "soft"})),
        ],
    )


def _contents(standings: Standings) -> Element:
    """A list of the categories, where each has a page of its own."""
    return element(
        "ul",
        *(
            element(
                "li",
                element("a", part.category, attributes={"href": f"category-{at}.html"}),
                element("span", present_text(part), attributes={"class": "soft"}),
            )
            for at, part in enumerate(standings.categories, start=1)
        ),
        attributes={"class": "contents"},
    )


@cache
def _file(name: str) -> bytes:
    return resources.files("reports").joinpath("site_files", name).read_bytes()
