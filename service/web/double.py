"""The page on double reading: what is read twice, and how far that is. Only the organizer changes it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jury.double import Scope
from otbor.errors import OtborError
from service import double, double_status
from service.accounts import Account, Right
from service.double_status import scope_about, scope_name
from service.web.render import page
from service.web.sessions import EventHere, having

router = APIRouter()

Onlooker = Annotated[Account, Depends(having(Right.DECIDE))]
Setter = Annotated[Account, Depends(having(Right.SETTINGS))]


@router.get("/double", include_in_schema=False)
def double_page(request: Request, event: EventHere, account: Onlooker) -> Response:
    """What is read twice and how far it is."""
    return _page(request, event, account)


@router.get("/api/double")
def double_counts(event: EventHere, _account: Onlooker) -> dict[str, Any]:
    """The counts of the page."""
    return double_status.status(event).as_dict()


@router.post("/double", include_in_schema=False)
def set_double(
    request: Request,
    event: EventHere,
    account: Setter,
    scope: Annotated[Scope, Form()],
    votes: Annotated[int | None, Form()] = None,
) -> Response:
    """Set what is read twice; asks first if single votes would become rulings.

    Args:
        request: The request.
        event: Where.
        account: The organizer.
        scope: What is to be read twice.
        votes: How many single votes the organizer has agreed to turn into rulings, None if not asked yet.
    """
    try:
        with event.database.writing():
            single = 0 if scope is Scope.ALL else double.only_votes(event)
            unchanged = double.scope_of(event) is scope
            # Another number than was agreed to: more has been read meanwhile.
            if single and not unchanged and votes != single:
                return _page(request, event, account, asked=scope, single=single)
            double.set_scope(event, scope, who=account.name)
    except OtborError as error:
        return _page(request, event, account, error=error)
    return RedirectResponse("/double", 303)


def _page(
    request: Request,
    event: EventHere,
    account: Account,
    *,
    asked: Scope | None = None,
    single: int = 0,
    error: OtborError | None = None,
) -> Response:
    found = double_status.status(event)
    return page(
        request,
        "double.html",
        status=error.http_status if error else 200,
        found=found,
        scopes=[(scope, scope_name(scope), scope_about(scope)) for scope in Scope],
        chosen=asked or found.scope,
        asked=asked,
        single=single,
        error=error,
        may_set=account.may(Right.SETTINGS),
    )
