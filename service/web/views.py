"""The pages of the jury: sign-in, the questions, the wall."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jury.progress import QuestionProgress
from otbor.errors import OtborError
from scoring.model import AnswerKey
from service import accounts, answers, effect
from service.accounts import SignInError, TooManyAttemptsError
from service.settings import settings
from service.web import effect_view, hall, keys, wall_view, work
from service.web.render import page
from service.web.sessions import (
    EventHere,
    Juror,
    SignedIn,
    Visitor,
    drop_token,
    set_token,
    token_of,
)
from service.web.words import words

router = APIRouter(include_in_schema=False)


@router.get("/sign-in")
def sign_in_page(request: Request, visitor: Visitor, next: str = "/") -> Response:
    """The form; who is signed in already goes on."""
    if visitor is not None:
        return RedirectResponse(own_address(next), 303)
    return page(request, "sign_in.html", next=own_address(next), name="", error=None)


@router.post("/sign-in")
def sign_in(
    request: Request,
    event: EventHere,
    name: Annotated[str, Form()] = "",
    pin: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Open a session, or show the form again with the reason."""
    address = request.client.host if request.client else ""
    try:
        token = accounts.sign_in(event, name, pin, address)
    except (SignInError, TooManyAttemptsError) as error:
        return _refused(request, error, name, next)
    account = accounts.session(event, token, extend=False)
    address = own_address(next)
    response = RedirectResponse(hall.landing(account, address) if account else address, 303)
    set_token(request, response, token)
    return response


def _refused(request: Request, error: OtborError, name: str, next: str) -> Response:
    headers = {}
    if isinstance(error, TooManyAttemptsError):
        headers["Retry-After"] = str(error.wait)
    return page(
        request,
        "sign_in.html",
        status=error.http_status,
        headers=headers,
        next=own_address(next),
        name=name,
        error=error,
    )


@router.post("/sign-out")
def sign_out(request: Request, event: EventHere) -> Response:
    """End the session."""
    accounts.sign_out(event, token_of(request))
    response = RedirectResponse("/sign-in", 303)
    drop_token(request, response)
    return response


@router.get("/")
def home(request: Request, event: EventHere, account: SignedIn) -> Response:
    """All questions with what is left of each."""
    parts = work.parts_shown(event, account)
    return page(
        request,
        "home.html",
        rows=_rows(event.key(), parts),
        nominals=event.regulation().nominals,
        left=work.left(parts),
        disputed=sum(part.disputed for part in parts),
        second=work.waiting_for_another(parts),
        total=sum(part.total for part in parts),
        next=work.next_question(
            work.parts_for(event, account, parts),
            account,
            taken=work.taken_by_others(event, account),
            weights=effect_view.weights(event),
        ),
        marks=effect_view.of_questions(event, parts),
        groups=effect_view.group_rows(effect.current(event)),
        unsettled=effect.current(event).unsettled,
        effect_words=effect_view.words(),
        present={place: claim.name for place, claim in work.present(event).items()},
    )


def _rows(key: AnswerKey, parts: list[QuestionProgress]) -> list[dict[str, Any]]:
    """Themes with the counts of their questions."""
    counts = {(part.theme, part.nominal): work.question_counts(part) for part in parts}
    return [
        {"theme": theme, "cells": [counts[theme.number, q.nominal] for q in theme.questions]}
        for theme in key.themes
    ]


@router.get("/wall/{theme}/{nominal}")
def wall(request: Request, theme: int, nominal: int, event: EventHere, account: Juror) -> Response:
    """The wall of one question; what is on it comes as data."""
    key = event.key()
    question = answers.find_question(key, theme, nominal)
    order = [(other.theme, other.nominal) for other in key.questions()]
    return page(
        request,
        "wall.html",
        question=question,
        theme=wall_view.theme_of(key, question),
        shared={
            "event": event.info.code,
            "account": account.id,
            "glance": settings().glance,
            "decides": account.may(accounts.Right.DECIDE),
            "theme": theme,
            "nominal": nominal,
            "order": order,
            "words": words(),
            "keys": keys.as_json(),
        },
        groups=keys.groups(),
        shown=keys.shown,
    )


def own_address(address: str) -> str:
    """An address to go on to if it is one of ours, else the first page.

    Two slashes, or a slash and a backslash, lead to other sites; control characters browsers drop.
    """
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isprintable() else "/"
