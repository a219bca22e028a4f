"""A player's own page among the posted ones: own answers, verdicts, what is accepted, how far the line."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.distance import distance_text
from reports.markup import Child, Element, element, group
from reports.order import theme_sums
from reports.own_page import OwnAnswer, OwnPage, accepted_text, theme_title
from reports.shown_names import Names, shown_about, shown_name
from reports.wording import places_text, points_text, status_text
from scoring.model import AnswerKey, CategoryStandings, StandingRow, Standings, Status, Verdict


def player_article(
    standings: Standings,
    part: CategoryStandings,
    row: StandingRow,
    own: OwnPage,
    key: AnswerKey | None,
    names: Names,
    code: str,
    appeal: str,
) -> Element:
    """The page's inside. Its pictures are part of it, so that they too are found by the code alone."""
    answers = {(answer.theme, answer.nominal): answer for answer in own.answers}
    regulation = standings.regulation
    played = row.status is not Status.ABSENT and not row.exempt
    themes = [
        _theme(theme, points, standings, answers, key)
        for theme, points in enumerate(theme_sums(row, regulation), start=1)
    ]
    link = element(
        "p",
        element(
            "a",
            _("Enter an appeal"),
            attributes={"href": f"{appeal}?code={code}", "class": "button"},
        ),
    )
    return element(
        "article",
        group(
            [
                element("h2", shown_name(row.player, names)),
                element(
                    "p",
                    " · ".join(
                        text
                        for text in (
                            "" if names is Names.NUMBER else f"№ {row.player.number}",
                            part.category,
                            shown_about(row.player, names),
                        )
                        if text
                    ),
                    attributes={"class": "soft"},
                ),
                _result(part, row) if played else element("p", status_text(row.status)),
                element("div", group(themes), attributes={"class": "themes"}) if played else None,
                link if appeal and played else None,
            ]
        ),
    )


def _result(part: CategoryStandings, row: StandingRow) -> Element:
    score = ngettext("{n} point", "{n} points", abs(row.score)).format(n=points_text(row.score))
    place = _("place {places}").format(places=places_text(row.places)) if row.places else ""
    status = status_text(row.status)
    away = distance_text(part, row)
    line = away if row.status is Status.TIED else f"{status[:1].upper()}{status[1:]}. {away}"
    counts = _("right {rights} · wrong {wrongs} · empty {blanks}").format(
        rights=row.rights, wrongs=row.wrongs, blanks=row.blanks
    )
    open_boxes = None
    if row.unconfirmed:
        open_boxes = element(
            "p",
            ngettext(
                "{n} answer is not confirmed yet: the score may change.",
                "{n} answers are not confirmed yet: the score may change.",
                row.unconfirmed,
            ).format(n=row.unconfirmed),
        )
    kind = {Status.IN: "in", Status.TIED: "tied"}.get(row.status, "out")
    return element(
        "div",
        element(
            "p",
            element("strong", score),
            element("strong", place) if place else None,
            attributes={"class": "figures"},
        ),
        element("p", line.strip()),
        element("p", counts, attributes={"class": "soft"}),
        open_boxes,
        attributes={"class": f"result {kind}"},
    )


def _theme(
    theme: int,
    points: int,
    standings: Standings,
    answers: Mapping[tuple[int, int], OwnAnswer],
    key: AnswerKey | None,
) -> Element:
    title = theme_title(key, theme)
    caption = _("Theme {number}").format(number=theme)
    lines: list[Child] = [
        _answer(
            nominal,
            answers.get((theme, nominal)),
            accepted_text(key, theme, nominal),
            removed=(theme, nominal) in standings.removed,
        )
        for nominal in standings.regulation.nominals
    ]
    return element(
        "section",
        element(
            "h3",
            element("span", f"{caption}. {title}" if title else caption),
            element("span", points_text(points), attributes={"class": "num"}),
        ),
        element("ul", group(lines), attributes={"class": "answers"}),
    )


def _answer(nominal: int, answer: OwnAnswer | None, accepted: str, *, removed: bool) -> Element:
    verdict = answer.verdict if answer else None
    sign, word, kind = {
        Verdict.RIGHT: ("✓", pgettext("answer", "right"), "right"),
        Verdict.WRONG: ("✗", pgettext("answer", "wrong"), "wrong"),
        Verdict.BLANK: ("–", pgettext("answer", "empty"), "blank"),
    }.get(verdict) or ("?", pgettext("answer", "not confirmed"), "open")  # type: ignore[arg-type]
    image = None
    if answer is not None and answer.crop:
        words = _("Your answer to the question for {nominal}").format(nominal=nominal)
        source = "data:image/jpeg;base64," + b64encode(answer.crop).decode()
        image = element("img", attributes={"src": source, "alt": words})
    reading = None
    if answer is not None and answer.reading and verdict is not Verdict.BLANK:
        reading = element(
            "span",
            answer.reading,
            attributes={"class": "reading", "title": _("as the computer read it")},
        )
    points = "" if answer is None or answer.points is None else points_text(answer.points)
    if answer is not None and answer.points is not None and answer.points > 0:
        points = f"+{points}"
    if removed:
        points = pgettext("statistics", "removed")
    return element(
        "li",
        element("span", nominal, attributes={"class": "nominal num"}),
        element(
            "span",
            image,
            reading,
            element("span", accepted, attributes={"class": "accepted"}) if accepted else None,
            attributes={"class": "what"},
        ),
        element("span", sign, attributes={"class": "sign", "role": "img", "aria-label": word}),
        element("span", points, attributes={"class": "points num"}),
        attributes={"class": kind},
    )
