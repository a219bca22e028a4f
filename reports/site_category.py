"""One category on the posted pages: the table with its line, the tie, those without a place."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from reports.decided_notes import called, decided_sentences
from reports.markup import Child, Element, element, group
from reports.order import ordered, theme_sums
from reports.shown_names import Names, shown_about, shown_name, shown_player
from reports.wording import (
    cut_caption,
    is_listed,
    places_text,
    points_text,
    present_text,
    special_text,
    status_text,
    tie_note,
    tied_rows,
)
from scoring.model import CategoryStandings, Player, StandingRow, Standings, Status

TIE_MARK = "◊"


def category_section(
    standings: Standings, part: CategoryStandings, at: int, names: Names
) -> Element:
    """The section of a category; `at` is its number on the page, from 1."""
    rows = ordered(part.rows)
    listed = [row for row in rows if is_listed(row)]
    others = [row for row in rows if not is_listed(row)]
    return element(
        "section",
        group(
            [
                element("h2", part.category),
                element("p", present_text(part), attributes={"class": "soft"}),
                _tie(part, names),
                _table(standings, part, listed, names)
                if listed
                else element("p", _("Nobody took part in this category.")),
                *_notes(standings, part, names),
                _others(others, names) if others else None,
            ]
        ),
        attributes={"id": f"c{at}"},
    )


def _tie(part: CategoryStandings, names: Names) -> Element | None:
    note = tie_note(part)
    if not note:
        return None
    who = ", ".join(
        shown_name(row.player, names)
        if names is Names.NUMBER
        else f"{shown_name(row.player, names)} (№\u00a0{row.player.number})"
        for row in tied_rows(part)
    )
    return element(
        "p",
        element("strong", f"{TIE_MARK} {note}"),
        " ",
        who,
        attributes={"class": "tie"},
    )


def _notes(standings: Standings, part: CategoryStandings, names: Names) -> list[Element]:
    """What was decided: removed questions, and how ties were."""

    def name(player: Player) -> str:
        return called(shown_player(player, names))

    return [
        element("p", text, attributes={"class": "soft"})
        for text in decided_sentences(standings, part, name)
    ]


def _table(
    standings: Standings, part: CategoryStandings, rows: list[StandingRow], names: Names
) -> Element:
    regulation = standings.regulation
    head: list[Child] = [
        _column(pgettext("standings", "place"), "num"),
        _column("№", "num wide"),
        _column(pgettext("standings", "player"), ""),
        *(
            _column(_("T{theme}").format(theme=theme), "num extra")
            for theme in range(1, regulation.themes + 1)
        ),
        _column(pgettext("standings", "right"), "num wide"),
        _column(pgettext("standings", "wrong"), "num wide"),
        _column(pgettext("standings", "score"), "num"),
    ]
    sure = sum(row.status is Status.IN for row in rows)
    lines: list[Child] = []
    for at, row in enumerate(rows):
        if at == sure:
            lines.append(_cut(part, len(head)))
        lines.append(_row(standings, row, names))
    if sure == len(rows):
        lines.append(_cut(part, len(head)))
    return element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", group(lines)),
        attributes={"class": "standings"},
    )


def _column(title: str, kind: str) -> Element:
    return element("th", title, attributes={"scope": "col", "class": kind or None})


def _cut(part: CategoryStandings, columns: int) -> Element:
    return element(
        "tr",
        element("td", cut_caption(part), attributes={"colspan": columns}),
        attributes={"class": "cut"},
    )


def _row(standings: Standings, row: StandingRow, names: Names) -> Element:
    shown = not row.exempt
    place = places_text(row.places)
    if row.status is Status.TIED:
        place = f"{TIE_MARK}\u00a0{place}"
    star = "*" if row.unconfirmed else ""
    kind = {Status.IN: "in", Status.TIED: "tied"}.get(row.status)
    cells: list[Child] = [
        element("td", place, attributes={"class": "num"}),
        element("td", row.player.number, attributes={"class": "num wide"}),
        _name(row, names),
        *(
            element("td", points_text(points) if shown else "", attributes={"class": "num extra"})
            for points in theme_sums(row, standings.regulation)
        ),
        element("td", row.rights if shown else "", attributes={"class": "num wide"}),
        element("td", row.wrongs if shown else "", attributes={"class": "num wide"}),
        element(
            "td",
            points_text(row.score) + star if shown else "",
            attributes={
                "class": "num score",
                "title": _("not all answers are confirmed") if star else None,
            },
        ),
    ]
    return element("tr", *cells, attributes={"class": kind})


def _name(row: StandingRow, names: Names) -> Element:
    """The name; under it, small, the number (on a phone), school and town."""
    about = ", ".join(text for text in (special_text(row), shown_about(row.player, names)) if text)
    number = (
        None
        if names is Names.NUMBER
        else element("i", f"№\u00a0{row.player.number} ", attributes={"class": "narrow"})
    )
    below = element("small", number, about) if about or number else None
    return element("td", element("b", shown_name(row.player, names)), below)


def _others(rows: list[StandingRow], names: Names) -> Element:
    """Absent, out of competition, disqualified, declined: in words, with a score where there is one."""
    items = []
    for row in rows:
        words = [status_text(row.status)]
        if row.status.value in ("out_of_competition", "declined"):
            words.append(points_text(row.score))
        number = "" if names is Names.NUMBER else f" (№\u00a0{row.player.number})"
        items.append(element("li", f"{shown_name(row.player, names)}{number}: {', '.join(words)}"))
    return element(
        "details",
        element("summary", _("Without a place: {n}").format(n=len(rows))),
        element("ul", group(items)),
        attributes={"open": len(rows) <= 5},
    )
