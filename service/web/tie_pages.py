"""The page of an open tie, with exactly what may be chosen and what each choice does; and drawing lots."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from otbor.errors import ConflictError, OtborError
from otbor.i18n import gettext as _
from otbor.i18n import speaking
from reports.shootout_pdf import shootout_pdf
from reports.shown_names import not_for_posting
from reports.wording import cut_caption, tie_note
from scoring.explain import count_back_words, tie_sentences
from scoring.grouping import group_members
from scoring.model import CategoryStandings, StandingRow, Status
from scoring.rules import CountBack, TiePolicy
from service import decision_effect, decisions
from service.accounts import Right
from service.decision_effect import Now
from service.decision_wording import kind_about, kind_name, policy_name, sentence
from service.decisions import Decision, StaleEffectError
from service.event import Event
from service.tie_options import OpenTie, choice_data, open_parts, open_tie
from service.web.decision_forms import Typed
from service.web.render import page
from service.web.sessions import ChangeMaker, EventHere

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Prize:
    """Players of equal scores within the prize places."""

    category: str
    rows: tuple[StandingRow, ...]

    @property
    def numbers(self) -> str:
        """Their numbers, for an address."""
        return ",".join(str(row.player.number) for row in self.rows)


@router.get("/decisions/ties")
def ties(request: Request, event: EventHere, account: ChangeMaker, group: str = "") -> Response:
    """The tie of a category; without one, the list of all that are open, or the only one."""
    now = decision_effect.now(event)
    parts = open_parts(now)
    if not group and len(parts) == 1:
        group = parts[0].category
    if not group:
        if not parts:
            return RedirectResponse("/decisions", 303)
        return page(request, "ties.html", parts=[(part, tie_note(part)) for part in parts])
    tie = open_tie(now, group)
    roster = {player.number: player for player in event.players()}
    return page(
        request,
        "tie.html",
        part=tie.part,
        note=tie_note(tie.part),
        rows=tie.rows,
        numbers=",".join(str(row.player.number) for row in tie.rows),
        rule=tie_sentences(event.regulation().tie_rule, 0),
        chosen=sentence(tie.entry, roster) if tie.entry else "",
        entry=tie.entry,
        waiting=tie.waiting.value,
        may_choose=account.may(Right.LINE),
        options=_options(tie),
        many=len(parts) > 1,
    )


@router.get("/decisions/ties.pdf")
def sheet(event: EventHere, _account: ChangeMaker) -> Response:
    """The sheet on which a shoot-out is kept, for every category that has a tie."""
    with speaking(event.info.language):
        standings = decision_effect.now(event).standings
        data = shootout_pdf(standings, generated_note=not_for_posting())
    headers = {"Content-Disposition": 'attachment; filename="ties.pdf"'}
    return Response(data, media_type="application/pdf", headers=headers)


def _options(tie: OpenTie) -> list[dict[str, Any]]:
    """What may be chosen, with the effect of each in a sentence."""
    found = []
    after = {outcome.policy: outcome.part for outcome in tie.outcomes}
    for policy in tie.steps:
        data = choice_data(policy, tie.part.category, tie.chosen)
        fields = [("group", data["group"]), *(("step", step) for step in _list(data["steps"]))]
        fields += [("key", key) for key in _list(data["keys"])]
        if data["themes"]:
            fields.append(("themes", data["themes"]))
        found.append(
            {
                "policy": policy.value,
                "name": policy_name(policy),
                "fields": fields,
                "effect": _effect_of(policy, tie, after),
                "counted": _counted(tie) if policy is TiePolicy.COUNT_BACK else [],
            }
        )
    return found


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _effect_of(policy: TiePolicy, tie: OpenTie, after: dict[TiePolicy, CategoryStandings]) -> str:
    if policy in after:
        return cut_caption(after[policy]) + "."
    return {
        TiePolicy.SHOOT_OUT: _(
            "Nobody moves before it is played; then its points are entered here."
        ),
        TiePolicy.COUNT_BACK: _("What would come of each comparison:"),
        TiePolicy.LOT: _("Nobody moves before the lot is drawn; the seed is recorded."),
    }[policy]


def _counted(tie: OpenTie) -> list[dict[str, Any]]:
    names = {row.player.number: row.player.name for row in tie.rows}
    return [
        {
            "key": counted.key.value,
            "name": count_back_words(counted.key),
            "decides": counted.decides,
            "order": [
                {
                    "names": ", ".join(names[number] for number in group),
                    "value": _value(counted.key, counted.values[group[0]]),
                }
                for group in counted.order
            ],
        }
        for counted in tie.counted
    ]


def _value(key: CountBack, values: tuple[int, ...]) -> str:
    """What is compared, as people count it: the larger is the better, so wrongs are kept negative."""
    if key is CountBack.FEWEST_WRONGS:
        values = tuple(-value for value in values)
    return " / ".join(str(value).replace("-", "\u2212") for value in values)


def open_prizes(now: Now) -> list[Prize]:
    """Ties within the prize places."""
    return [
        Prize(part.category, tuple(row for row in part.rows if row.player.number in numbers))
        for part in now.standings.categories
        for numbers in part.cut.shared_prizes
    ]


def waiting_for_shoot_out(event: Event) -> list[tuple[str, str]]:
    """Categories whose tie waits for a shoot-out, with the numbers of those who play it."""
    return [
        (part.category, ",".join(map(str, part.cut.tied)))
        for part in open_parts(decision_effect.now(event))
        if part.cut.waiting is TiePolicy.SHOOT_OUT
    ]


def groups(event: Event) -> list[str]:
    """The categories (or sites) among which lines are drawn."""
    return [name for name, _players in group_members(event.players(), event.regulation())]


def lot_form(
    request: Request, event: Event, typed: Typed, error: OtborError | None = None
) -> Response:
    """Who draws lots for what. The result is not shown beforehand: it would be no lot then."""
    now = decision_effect.now(event)
    wanted = str(typed.get("group", ""))
    parts = [part for part in open_parts(now) if part.cut.waiting is TiePolicy.LOT]
    if not wanted and len(parts) == 1:
        wanted = parts[0].category
    part = next((part for part in parts if part.category == wanted), None)
    return page(
        request,
        "lot.html",
        status=error.http_status if error is not None else 200,
        title=kind_name(Decision.LOT),
        about=kind_about(Decision.LOT),
        parts=parts,
        part=part,
        note=tie_note(part) if part else "",
        rows=[row for row in part.rows if row.status is Status.TIED] if part else [],
        token=_token(now, part) if part else "",
        seed=str(typed.get("seed", "")),
        why=str(typed.get("why", "")),
        error=None if isinstance(error, StaleEffectError) else error,
        stale=isinstance(error, StaleEffectError),
    )


def draw(event: Event, group: str, seed: str, seen: str, who: str, why: str) -> None:
    """Draw lots among those who are tied, and enter the lot.

    Raises:
        ConflictError: Nobody waits for a lot there.
        StaleEffectError: The tied are others than were shown.
    """
    # One moment: nobody can come into the tie between the look and the draw.
    with event.database.writing():
        now = decision_effect.now(event)
        part = next((part for part in open_parts(now) if part.category == group), None)
        if part is None or part.cut.waiting is not TiePolicy.LOT:
            raise ConflictError(
                _("Nobody waits for a lot in “{group}”.").format(group=group),
                _("See the decisions: it may have been drawn already."),
            )
        if seen != _token(now, part):
            raise StaleEffectError(
                _("The effect is no longer the one that you were shown."),
                _("Look at it as it is now, and decide again."),
            )
        data = decisions.lot_for(now.standings, group, seed.strip() or secrets.token_hex(8))
        decisions.decide(event, Decision.LOT, data, who=who, why=why)


def _token(now: Now, part: CategoryStandings) -> str:
    told = repr((part.category, sorted(part.cut.tied), part.cut.left, [e.id for e in now.standing]))
    return hashlib.sha256(told.encode()).hexdigest()
