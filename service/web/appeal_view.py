"""Appeals ready to be shown to those who decide: the answer, the key, equal answers, what would change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from jury.appeals import State, Step
from otbor.errors import OtborError
from otbor.i18n import gettext as _
from otbor.i18n import pgettext
from scoring.model import Standings, Verdict
from service import answers, appeal_decisions, appeals, sheets
from service.answers import Answer
from service.appeal_decisions import VERDICTS, Choice
from service.appeal_log import Appeal
from service.appeal_wording import outcome, state_word
from service.event import Event
from service.results import event_standings
from service.web.changes import changes_json
from service.web.own import SIGNS
from service.web.wall_view import picture_versions
from service.wording import verdict_name

MOST_SHOWN = 15
"""Players of an effect that are listed; how many more there are is said."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to decide, with what it would change; `problem` if it is not possible."""

    name: str
    word: str
    sign: str
    shown: str = ""
    players: tuple[dict[str, Any], ...] = ()
    more: int = 0
    crossing: int = 0
    changed: int = 0
    problem: str = ""


def listed(event: Event, found: list[Appeal]) -> list[dict[str, Any]]:
    """The lines of the list."""
    with event.database.reading() as connection:
        pages = sheets.counting_pages(connection)
    versions = picture_versions(event)
    return [
        {
            "appeal": appeal,
            "word": state_word(appeal.state),
            "outcome": outcome(appeal),
            "picture": None
            if appeal.whole or appeal.sheet not in pages
            else picture(appeal.sheet, appeal.box, pages[appeal.sheet], versions),
        }
        for appeal in found
    ]


def ordered(found: list[Appeal]) -> list[Appeal]:
    """Those that wait first, the one that waits longest at the head; then the newest decisions."""
    waiting = [appeal for appeal in found if appeal.state is State.OPEN]
    rest = [appeal for appeal in found if appeal.state is not State.OPEN]
    return waiting + sorted(rest, key=lambda a: a.steps[-1][0] if a.steps else a.at, reverse=True)


def opened(
    event: Event,
    appeal: Appeal,
    choice: Choice,
    hidden: Collection[str],
    found: list[Answer] | None = None,
) -> dict[str, Any]:
    """One appeal with all that its decision needs; answers of `hidden` sheets are left out.

    `found` is what `appeal_decisions.all_of` gave, where it is known already.
    """
    key = event.key()
    question = answers.find_question(key, appeal.theme, appeal.nominal)
    found = appeal_decisions.all_of(event, appeal) if found is None else found
    own = None if appeal.whole else next((a for a in found if a.sheet == appeal.sheet), None)
    current = None if appeal.whole else appeal_decisions.current_verdict(event, appeal)
    versions = picture_versions(event)
    equal = [
        _other(other.answer, versions, choice, equal=other.equal)
        for other in appeal_decisions.others(event, appeal, choice.form, found)
        if other.answer.sheet not in hidden
    ]
    return {
        "appeal": appeal,
        "word": state_word(appeal.state),
        "outcome": outcome(appeal),
        "title": key.themes[appeal.theme - 1].title,
        "question": question,
        "picture": _picture(own, versions) if own else None,
        "reading": own.text or "" if own else "",
        "current": current,
        "current_word": verdict_name(current),
        "current_sign": SIGNS.get(current, "?"),
        "others": equal,
        "ways": ways(event, appeal, choice, current) if appeal.state is State.OPEN else [],
        "since": len(appeal_decisions.still_ruled(event, appeal)),
        "steps": [
            {"at": at, "who": who, "word": step_word(step), "why": why}
            for at, who, step, why in appeal.steps
        ],
    }


def ways(event: Event, appeal: Appeal, choice: Choice, current: Verdict | None) -> list[Way]:
    """How an appeal can be accepted, each with its effect."""
    if appeal.whole:
        removed = Way("remove", _("remove the question"), "⊘")
        right = Way("right", _("accept the marked answers"), SIGNS[Verdict.RIGHT])
        found = [(removed, replace(choice, remove=True, sheets=(), form=""))]
        if choice.sheets or choice.form:
            found.insert(0, (right, replace(choice, verdict=Verdict.RIGHT, remove=False)))
    else:
        words = {
            Verdict.RIGHT: _("accept: right"),
            Verdict.BLANK: _("accept: nothing written"),
            Verdict.WRONG: _("accept: wrong"),
        }
        found = [
            (
                Way(verdict.value, words[verdict], SIGNS[verdict]),
                # A form makes answers right; the other verdicts come without it.
                replace(choice, verdict=verdict, form=choice.form if not at else ""),
            )
            for at, verdict in enumerate(VERDICTS)
            if verdict is not current
            and (verdict is not Verdict.WRONG or current in (None, Verdict.DISPUTED))
        ]
    before = event_standings(event)
    return [_way(event, appeal, way, chosen, before) for way, chosen in found]


def chosen(way: str, choice: Choice, *, whole: bool) -> Choice:
    """The choice that a way stands for: the same as `ways` showed it."""
    if whole and way == "remove":
        return replace(choice, remove=True, sheets=(), form="")
    verdict = Verdict(way)
    form = choice.form if verdict is Verdict.RIGHT else ""
    return replace(choice, verdict=verdict, form=form, remove=False)


def _way(event: Event, appeal: Appeal, way: Way, choice: Choice, before: Standings) -> Way:
    try:
        found = appeal_decisions.effect(event, appeal, choice, before)
    except OtborError as error:
        return replace(way, problem=str(error))
    players = changes_json(found.changes)
    return replace(
        way,
        shown=found.shown,
        players=tuple(players[:MOST_SHOWN]),
        more=max(0, len(players) - MOST_SHOWN),
        crossing=len(found.changes.crossing),
        changed=len(found.boxes),
    )


def _other(
    answer: Answer, versions: dict[int, str], choice: Choice, *, equal: bool
) -> dict[str, Any]:
    return {
        "sheet": answer.sheet,
        "picture": _picture(answer, versions),
        "text": answer.text or "",
        "equal": equal,
        "word": verdict_name(answer.ruling),
        "sign": SIGNS.get(answer.ruling, "?"),
        "kind": answer.ruling.value if answer.ruling else "open",
        "checked": answer.sheet in choice.sheets,
    }


def picture(sheet: str, box: str, page_id: int, versions: dict[int, str]) -> dict[str, Any]:
    """Where the pictures of an answer are."""
    query = f"{sheet}/{box}?page={page_id}&v={versions.get(page_id, '0')}"
    return {
        "page": page_id,
        "crop": f"/api/crop/{query}",
        "around": f"/api/around/{query}",
    }


def _picture(answer: Answer, versions: dict[int, str]) -> dict[str, Any]:
    return picture(answer.sheet, answer.box, answer.page_id, versions)


def step_word(step: Step) -> str:
    """What somebody did with an appeal."""
    return {
        Step.WITHDRAW: pgettext("appeal step", "withdrawn"),
        Step.ACCEPT: pgettext("appeal step", "accepted"),
        Step.REJECT: pgettext("appeal step", "rejected"),
        Step.REOPEN: pgettext("appeal step", "decision taken back"),
    }[step]


def time_left(event: Event) -> dict[str, Any]:
    """Until when appeals are taken now; as the player's page has it."""
    window = appeals.current_window(event)
    now = appeals.clock()
    return {
        "allowed": event.regulation().appeals.allowed,
        "posted": window is not None,
        "open": window is not None and window.is_open(now),
        "closes": window.closes if window else None,
        "left": window.left(now) if window else None,
    }
