"""What is different from the publication before, at the head of the posted pages."""

from __future__ import annotations

from otbor.i18n import gettext as _
from reports.changes import (
    ChangeLine,
    PublishedChanges,
    change_lines,
    changes_summary,
    changes_title,
    question_sentences,
)
from reports.markup import Element, element, group
from reports.shown_names import Names, shown_name

OPEN_UP_TO = 12
"""A longer list is folded, so that the results themselves stay in sight."""


def changes_section(published: PublishedChanges, names: Names) -> Element:
    """The section with the list."""
    lines = change_lines(published.changes)
    return element(
        "section",
        group(
            [
                element("h2", changes_title(published)),
                *(element("p", text) for text in question_sentences(published.changes)),
                element(
                    "details",
                    element("summary", changes_summary(lines)),
                    element("ul", group([_item(line, names) for line in lines])),
                    attributes={"open": len(lines) <= OPEN_UP_TO},
                )
                if lines
                else element("p", changes_summary(lines)),
            ]
        ),
        attributes={"class": "changes"},
    )


def _item(line: ChangeLine, names: Names) -> Element:
    number = "" if names is Names.NUMBER else f" (№\u00a0{line.player.number})"
    score = _("score {score}").format(score=line.score) if line.score else ""
    place = _("place {places}").format(places=line.place) if line.place else ""
    facts = " · ".join(text for text in (line.category, score, place) if text)
    return element(
        "li",
        element("b", shown_name(line.player, names)),
        f"{number}: {facts}",
        element("strong", f" · {line.remark}") if line.remark else None,
    )
