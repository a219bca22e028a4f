"""What all posted pages share: the document, its head, and the tools that need the script."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import language
from reports.markup import Child, Element, element, group, page
from reports.wording import provisional_text
from scoring.model import CategoryStandings, Standings


def header(
    standings: Standings, about: str, part: CategoryStandings | None, *, home: str = ""
) -> Element:
    """The head of every page: the way back, the title, which publication, and a warning.

    `part` is the category whose warning is wanted, None for all; `home` is where the way back leads.
    """
    banner = None
    if standings.unconfirmed:
        whole = part or (standings.categories[0] if len(standings.categories) == 1 else None)
        text = provisional_text(standings, whole) if whole else _open_everywhere(standings)
        banner = element("p", text, attributes={"class": "banner", "role": "status"})
    back = element("a", _("All results"), attributes={"href": home, "class": "back"})
    return element(
        "header",
        group(
            [
                back if home else None,
                element("h1", standings.title),
                element("p", about, attributes={"class": "soft"}),
                banner,
            ]
        ),
    )


def _open_everywhere(standings: Standings) -> str:
    rows = tuple(row for part in standings.categories for row in part.rows)
    return provisional_text(standings, CategoryStandings("", rows, standings.categories[0].cut))


def tools(with_codes: bool) -> Element:
    """The search and the way to one's own page; both need the script, and are hidden until it runs."""
    search = element(
        "label",
        element("span", _("Search"), attributes={"class": "label"}),
        element(
            "input",
            attributes={
                "type": "search",
                "id": "search",
                "placeholder": _("name, number or school"),
                "autocomplete": "off",
                "spellcheck": "false",
            },
        ),
    )
    found = element(
        "output",
        attributes={
            "id": "found",
            "for": "search",
            "data-none": _("Nobody found"),
            "data-some": _("Found: {n}"),
        },
    )
    own = element(
        "form",
        element(
            "label",
            element("span", _("My page"), attributes={"class": "label"}),
            element(
                "input",
                attributes={
                    "id": "code",
                    "placeholder": _("code from the blank"),
                    "autocomplete": "off",
                    "autocapitalize": "characters",
                    "spellcheck": "false",
                    "maxlength": 24,
                },
            ),
        ),
        element("button", _("Open"), attributes={"type": "submit"}),
        element(
            "p",
            _("A code has 12 letters and digits, such as K7QF-3M2X-9ATB."),
            attributes={"id": "code-wrong", "role": "alert", "hidden": True},
        ),
        attributes={"id": "own"},
    )
    without = element(
        "noscript",
        element(
            "p", _("Your own page is the file p/CODE.html, CODE being yours in small letters.")
        ),
    )
    return element(
        "div",
        element("div", search, found, own if with_codes else None, attributes={"class": "tools"}),
        without if with_codes else None,
        attributes={"class": "only-script", "data-sort": _("Sort by “{column}”")},
    )


def document(title: str, body: list[Child], *, root: str = "") -> bytes:
    """A whole page; `root` leads from its folder to the publication's own."""
    head = [
        element("meta", attributes={"charset": "utf-8"}),
        element(
            "meta",
            attributes={"name": "viewport", "content": "width=device-width, initial-scale=1"},
        ),
        element("meta", attributes={"name": "color-scheme", "content": "light dark"}),
        element("meta", attributes={"name": "robots", "content": "noindex, nofollow, noarchive"}),
        element("meta", attributes={"name": "referrer", "content": "no-referrer"}),
        element("title", title),
        element("link", attributes={"rel": "stylesheet", "href": f"{root}style.css"}),
        # A classic script: browsers refuse modules from a USB stick.
        element("script", attributes={"src": f"{root}page.js", "defer": True}),
    ]
    return page(language(), head, body)
