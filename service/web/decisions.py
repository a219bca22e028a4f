"""Decisions in the browser: all that were made, a new one with its effect beforehand, and taking one back.

Looking at an effect is a GET with the decision's fields in the address: it changes nothing. Deciding is a
POST of the same fields with the reason and the token of the effect that was shown.
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from otbor.errors import NotFoundError, OtborError
from otbor.i18n import gettext as _
from scoring.explain import count_back_words
from scoring.model import Player
from scoring.rules import CountBack
from scoring.ties import CHOOSABLE
from service import decision_effect, decisions
from service.accounts import Account
from service.decision_wording import kind_about, kind_name, policy_name, sentence
from service.decisions import Decision, Effect, Entry, StaleEffectError
from service.event import Event
from service.times import moment
from service.web import decision_forms as forms
from service.web import movers, roster_search, tie_pages
from service.web.decision_forms import Typed
from service.web.errors import InputError
from service.web.render import page
from service.web.sessions import ChangeMaker, EventHere
from service.web.typed import Form

router = APIRouter(include_in_schema=False)

# Fields that are not the decision's.
_OTHER = frozenset({"why", "seen", "lang"})
SUGGESTED = 8


@router.get("/decisions")
def decided(request: Request, event: EventHere, account: ChangeMaker, done: str = "") -> Response:
    """Every decision, what may be decided, and what waits for a decision."""
    everything = decisions.entries(event)
    now = decision_effect.now(event)
    read_at = time.time()
    return page(
        request,
        "decisions.html",
        done=done,
        kinds=_kinds(event, account),
        problem=now.problem,
        ties=[part for part in now.standings.categories if part.cut.undecided],
        prizes=tie_pages.open_prizes(now),
        idle=[_listed(event, entry, account, read_at) for entry in now.idle],
        standing=[_listed(event, e, account, read_at) for e in reversed(everything) if not e.back],
        back=[_listed(event, e, account, read_at) for e in reversed(everything) if e.back],
    )


@router.get("/decisions/new/{kind}")
def form(request: Request, kind: str, event: EventHere, account: ChangeMaker) -> Response:
    """The form of a new decision; filled in, with its effect."""
    return _form(request, event, account, _kind(kind), request.query_params)


@router.post("/decisions/new/{kind}")
def decide(
    request: Request, kind: str, event: EventHere, account: ChangeMaker, typed: Form
) -> Response:
    """Decide; if the effect is another one than was shown, show it as it is now instead."""
    which = _kind(kind)
    forms.check_right(account, which)
    try:
        why = forms.reason(typed)
        seen = str(typed.get("seen", "")) or "nothing"
        if which is Decision.LOT:
            tie_pages.draw(
                event,
                str(typed.get("group", "")),
                str(typed.get("seed", "")),
                seen,
                account.name,
                why,
            )
        else:
            data = forms.read(which, typed)
            if data is None:
                raise InputError(_("The decision is not complete."), _("Fill in every field."))
            decisions.decide(event, which, data, who=account.name, why=why, seen=seen)
    except OtborError as error:
        return _form(request, event, account, which, typed, error)
    return RedirectResponse("/decisions?done=new", 303)


@router.get("/decisions/{entry_id}/back")
def back_form(request: Request, entry_id: int, event: EventHere, account: ChangeMaker) -> Response:
    """What taking a decision back would change."""
    return _back_form(request, event, account, entry_id)


@router.post("/decisions/{entry_id}/back")
def take_back(
    request: Request, entry_id: int, event: EventHere, account: ChangeMaker, typed: Form
) -> Response:
    """Take it back; if the effect is another one than was shown, show it as it is now instead."""
    forms.check_right(account, _entry(event, entry_id).kind)
    try:
        seen = str(typed.get("seen", "")) or "nothing"
        why = forms.reason(typed)
        decisions.take_back(event, entry_id, who=account.name, why=why, seen=seen)
    except OtborError as error:
        return _back_form(request, event, account, entry_id, error, str(typed.get("why", "")))
    return RedirectResponse("/decisions?done=back", 303)


@router.get("/api/players")
def players(event: EventHere, _account: ChangeMaker, q: str = "") -> Response:
    """Players whose number, name or school may be meant, for the search while somebody types."""
    found = roster_search.search(event.players(), q.removeprefix("№").strip(), SUGGESTED)
    return JSONResponse(
        [
            {"number": player.number, "name": player.name, "about": about_player(player)}
            for player in found.players
        ]
    )


def about_player(player: Player) -> str:
    """Category, school and town."""
    return ", ".join(part for part in (player.category, player.school, player.city) if part)


def _kind(kind: str) -> Decision:
    if kind not in set(Decision):
        raise NotFoundError(_("There is no such decision."), _("Choose one from the list."))
    return Decision(kind)


def _kinds(event: Event, account: Account) -> list[dict[str, Any]]:
    """What may be decided, in three groups; with why not where the regulation does not know it."""
    regulation = event.regulation()
    return [
        {
            "title": title,
            "kinds": [
                {
                    "kind": kind.value,
                    "name": kind_name(kind),
                    "about": kind_about(kind),
                    "why_not": forms.not_allowed(kind, regulation),
                }
                for kind in kinds
                if account.may(forms.right_for(kind))
            ],
        }
        for title, kinds in (
            (_("Questions"), forms.QUESTION_KINDS),
            (_("Players"), forms.PLAYER_KINDS),
            (_("The line"), forms.LINE_KINDS),
        )
    ]


def _listed(event: Event, entry: Entry, account: Account, read_at: float) -> dict[str, Any]:
    back = entry.taken_back
    return {
        "id": entry.id,
        "kind": entry.kind.value,
        "sentence": sentence(entry, _roster(event)),
        "why": entry.why,
        "who": entry.who,
        "at": moment(entry.at, read_at),
        "mine": account.may(forms.right_for(entry.kind)),
        "back": {"who": back.who, "why": back.why, "at": moment(back.at, read_at)}
        if back
        else None,
    }


def _roster(event: Event) -> dict[int, Player]:
    return {player.number: player for player in event.players()}


def _entry(event: Event, entry_id: int) -> Entry:
    for entry in decisions.entries(event):
        if entry.id == entry_id:
            return entry
    raise NotFoundError(_("There is no such decision."), _("Choose one from the list."))


def _form(
    request: Request,
    event: Event,
    account: Account,
    kind: Decision,
    typed: Typed,
    error: OtborError | None = None,
) -> Response:
    """The form with what was typed, its effect if it can be worked out, and what is wrong."""
    forms.check_right(account, kind)
    if kind is Decision.LOT:
        return tie_pages.lot_form(request, event, typed, error)
    effect, data = None, None
    matches: tuple[Player, ...] = ()
    try:
        matches = _matches(event, kind, typed)
        data = None if matches else forms.read(kind, typed)
        if data is not None:
            effect = decisions.preview(event, kind, data)
    except OtborError as problem:
        error = error or problem
    roster = _roster(event)
    return page(
        request,
        "decide.html",
        status=_status(error),
        kind=kind.value,
        title=kind_name(kind),
        about=kind_about(kind),
        why_not=forms.not_allowed(kind, event.regulation()),
        typed=typed,
        why=str(typed.get("why", "")),
        error=None if isinstance(error, StaleEffectError) else error,
        stale=isinstance(error, StaleEffectError),
        matches=[
            (player, about_player(player), _address(kind, typed, player)) for player in matches
        ],
        said=sentence(Entry(0, 0.0, "", "", kind, data), roster) if effect and data else "",
        fields=[(name, value) for name, value in typed.multi_items() if name not in _OTHER],
        asked=_asked(event, kind, typed, roster),
        **_effect(effect, roster),
    )


def _back_form(
    request: Request,
    event: Event,
    account: Account,
    entry_id: int,
    error: OtborError | None = None,
    why: str = "",
) -> Response:
    entry = _entry(event, entry_id)
    forms.check_right(account, entry.kind)
    effect = None
    try:
        effect = decisions.preview_back(event, entry_id)
    except OtborError as problem:
        error = error or problem
    roster = _roster(event)
    return page(
        request,
        "decision_back.html",
        status=_status(error),
        entry=_listed(event, entry, account, time.time()),
        why=why,
        error=None if isinstance(error, StaleEffectError) else error,
        stale=isinstance(error, StaleEffectError),
        **_effect(effect, roster),
    )


def _status(error: OtborError | None) -> int:
    return error.http_status if error is not None else 200


def _effect(effect: Effect | None, roster: dict[int, Player]) -> dict[str, Any]:
    """What the template of an effect wants."""
    if effect is None:
        return {"effect": None, "token": "", "idle": [], "unranked": ""}
    return {
        "effect": movers.shown(effect.before, effect.after, effect.changes),
        "token": effect.token,
        "idle": [(entry.id == 0, sentence(entry, roster)) for entry in effect.newly_idle],
        "unranked": _unranked(effect),
    }


def _unranked(effect: Effect) -> str:
    """What is to be said where there are no standings before or after."""
    if not effect.after.categories:
        return _("There are no standings then: a decision or a number of places is still missing.")
    if not effect.before.categories:
        return _("There are no standings now; with this there are.")
    return ""


def _matches(event: Event, kind: Decision, typed: Typed) -> tuple[Player, ...]:
    """Whom a name means that was typed instead of a number; none if it is a number.

    Raises:
        NotFoundError: Nobody.
    """
    text = str(typed.get("number", "")).removeprefix("№").strip()
    if kind not in forms.PLAYER_KINDS or not text or (text.isascii() and text.isdigit()):
        return ()
    found = roster_search.search(event.players(), text, SUGGESTED).players
    if not found:
        raise NotFoundError(
            _("Nobody on the roster is found by “{text}”.").format(text=text[:60]),
            _("Type a number, a part of the name or the school."),
        )
    return found


def _address(kind: Decision, typed: Typed, player: Player) -> str:
    """The form's address with this player instead of the name that was typed."""
    others = [(n, v) for n, v in typed.multi_items() if n not in {*_OTHER, "number"}]
    return f"/decisions/new/{kind.value}?{urlencode([*others, ('number', player.number)])}"


def _asked(event: Event, kind: Decision, typed: Typed, roster: dict[int, Player]) -> dict[str, Any]:
    """What a form needs beside its fields: questions, the player, the groups, the players of a shoot-out."""
    asked: dict[str, Any] = {"player": None}
    if kind in forms.QUESTION_KINDS:
        asked["questions"] = event.key().themes
    elif kind in forms.PLAYER_KINDS:
        number = str(typed.get("number", "")).removeprefix("№").strip()
        if number.isascii() and number.isdigit():
            asked["player"] = roster.get(int(number[:12]))
    elif kind is Decision.SHOOT_OUT:
        asked["playing"] = _playing(typed, roster)
        asked["waiting"] = [] if asked["playing"] else tie_pages.waiting_for_shoot_out(event)
    else:
        asked["groups"] = tie_pages.groups(event)
        asked["policies"] = [(step.value, policy_name(step)) for step in CHOOSABLE]
        asked["compared"] = [(key.value, count_back_words(key)) for key in CountBack]
    return asked


def _playing(typed: Typed, roster: dict[int, Player]) -> list[dict[str, Any]]:
    """The rows of the table of a shoot-out."""
    try:
        wanted = forms.numbers(str(typed.get("players", "")))
    except InputError:
        return []
    return [
        {
            "number": number,
            "name": roster[number].name if number in roster else "",
            "about": about_player(roster[number]) if number in roster else "",
            "points": str(typed.get(f"p{number}", "")),
            "away": bool(typed.get(f"a{number}")),
        }
        for number in wanted
    ]
