"""The chief's page of disputes, and forms for the key: pages and data, for those who may decide."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from jury.remarks import LONGEST_TEXT
from scoring.key_forms import LONGEST
from scoring.model import Verdict
from service import disputes, kept_from, key_changes
from service.accounts import Right
from service.disputes import Given
from service.event import Event
from service.settings import settings
from service.web import dispute_keys, keys
from service.web.changes import changes_json
from service.web.dispute_view import effect_json, form_json, question_json
from service.web.dispute_words import words
from service.web.render import page
from service.web.sessions import Decider, EventHere

router = APIRouter()


class GivenBody(BaseModel):
    """A verdict on an answer, and the page on which it was seen."""

    verdict: Verdict
    page: int


class RuleBody(BaseModel):
    """The chief's verdicts on disputed answers to one question, by sheet."""

    verdicts: dict[str, GivenBody] = Field(max_length=5000)
    why: str = Field("", max_length=LONGEST_TEXT)


class FormBody(BaseModel):
    """A form for the key.

    `anew` are the sheets whose equal answers, ruled otherwise so far, are ruled as the form says; all of
    them if null. `verdicts` are further ones by sheet: those of a disputed group.
    """

    form: str = Field(max_length=10 * LONGEST)
    accepted: bool = True
    anew: list[str] | None = Field(None, max_length=5000)
    verdicts: dict[str, Verdict] = Field({}, max_length=5000)


class AddBody(FormBody):
    """The same, to be added; `state` is that of the effect that was looked at."""

    anew: list[str] | None = Field([], max_length=5000)
    state: str
    why: str = Field("", max_length=LONGEST_TEXT)


@router.get("/disputes", include_in_schema=False)
def disputes_page(request: Request, event: EventHere, account: Decider) -> Response:
    """All disputed answers; what is on the page comes as data."""
    return page(
        request,
        "disputes.html",
        shared={
            "event": event.info.code,
            "account": account.id,
            "glance": settings().glance,
            "words": words(),
            "keys": dispute_keys.as_json(),
        },
        groups=dispute_keys.groups(),
        shown=keys.shown,
    )


@router.get("/api/disputes")
def all_disputes(event: EventHere, account: Decider) -> dict[str, Any]:
    """Every question with disputed answers, equal ones together, and the forms added to the key."""
    with event.database.reading():
        hidden = kept_from.hidden_sheets(event, account)
        found = disputes.questions(event, hidden)
        return {
            "questions": [question_json(event, one, account.name) for one in found],
            "forms": _forms(event),
        }


@router.get("/api/disputes/places")
def places(event: EventHere, account: Decider) -> dict[str, Any]:
    """Which questions have disputed answers, and the forms added to the key."""
    with event.database.reading():
        found = disputes.places(event, kept_from.hidden_sheets(event, account))
        return {
            "places": [{"theme": one.theme, "nominal": one.nominal} for one in found],
            "forms": _forms(event),
        }


@router.get("/api/disputes/{theme}/{nominal}")
def one_question(theme: int, nominal: int, event: EventHere, account: Decider) -> dict[str, Any]:
    """One question; without groups if nothing of it is disputed any more."""
    with event.database.reading():
        hidden = kept_from.hidden_sheets(event, account)
        found = disputes.question(event, theme, nominal, hidden)
        return question_json(event, found, account.name)


@router.post("/api/disputes/{theme}/{nominal}/rule")
def rule(
    theme: int, nominal: int, body: RuleBody, event: EventHere, account: Decider
) -> dict[str, Any]:
    """Rule on disputed answers; refused with 409 if one has changed or was not seen."""
    given = {sheet: Given(one.verdict, one.page) for sheet, one in body.verdicts.items()}
    hidden = kept_from.hidden_sheets(event, account)
    batch, entered = disputes.rule(
        event, theme, nominal, given, who=account.name, why=body.why, hidden=hidden
    )
    return {"batch": batch, "entered": entered}


@router.post("/api/disputes/undo")
def undo(event: EventHere, account: Decider) -> dict[str, Any]:
    """Take back the last ruling or form of this person; `undone` is null if there is none."""
    hidden = kept_from.hidden_sheets(event, account)
    undone = disputes.undo_last(event, account.name, hidden)
    if undone is None:
        return {"undone": None}
    return {
        "undone": {
            "theme": undone.theme,
            "nominal": undone.nominal,
            "changed": undone.changed,
            "form": undone.form.change.form if undone.form else None,
        }
    }


@router.post("/api/key/{theme}/{nominal}/effect")
def form_effect(
    theme: int, nominal: int, body: FormBody, event: EventHere, account: Decider
) -> dict[str, Any]:
    """What adding a form to the key would change; nothing is changed."""
    with event.database.reading():
        found = key_changes.effect(
            event,
            theme,
            nominal,
            body.form,
            accepted=body.accepted,
            verdicts=body.verdicts,
            anew=body.anew,
            hidden=kept_from.hidden_sheets(event, account),
        )
        names = account.may(Right.RESULTS)
        return effect_json(event, found, account.name, names=names)


@router.post("/api/key/{theme}/{nominal}/forms")
def add_form(
    theme: int, nominal: int, body: AddBody, event: EventHere, account: Decider
) -> dict[str, Any]:
    """Add a form to the key and rule with it; refused with 409 if anything has changed since."""
    meant = Verdict.RIGHT if body.accepted else Verdict.WRONG
    entry = key_changes.add_form(
        event,
        theme,
        nominal,
        body.form,
        accepted=body.accepted,
        who=account.name,
        why=body.why,
        verdicts={**dict.fromkeys(body.anew or [], meant), **body.verdicts},
        state=body.state,
        hidden=kept_from.hidden_sheets(event, account),
    )
    return {"added": form_json(entry)}


@router.post("/api/key/forms/{entry_id}/take-back")
def take_form_back(entry_id: int, event: EventHere, account: Decider) -> dict[str, Any]:
    """Take a form out of the key again, with the rulings that were given with it."""
    entry, changes, undone = key_changes.take_back(event, entry_id, who=account.name)
    names = account.may(Right.RESULTS)
    return {
        "taken_back": form_json(entry),
        "changed": undone,
        "players": changes_json(changes) if names else [],
    }


def _forms(event: Event) -> list[dict[str, Any]]:
    """The forms that are in the key because somebody added them, the newest first."""
    return [form_json(entry) for entry in reversed(key_changes.entries(event)) if not entry.back]
