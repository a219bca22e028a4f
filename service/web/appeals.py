"""The jury's page of appeals: what waits, what each decision would change, and entering one for a player."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jury.appeals import LONGEST_TEXT, State
from otbor.errors import NotFoundError, OtborError
from otbor.i18n import gettext as _
from scoring.key_forms import LONGEST
from service import (
    accounts,
    answers,
    appeal_decisions,
    appeal_log,
    appeals,
    desk_queue,
    kept_from,
    times,
)
from service.accounts import Account, Right
from service.answers import Answer
from service.appeal_decisions import Choice
from service.appeal_log import Appeal, AppealError
from service.event import Event
from service.settings import settings
from service.web import appeal_view
from service.web.changes import changes_json
from service.web.errors import not_signed_in
from service.web.render import page
from service.web.sessions import AppealsClerk, ChangeMaker, EventHere, token_of

router = APIRouter(include_in_schema=False)


@router.get("/appeals")
def all_appeals(
    request: Request, event: EventHere, account: AppealsClerk, done: int = 0
) -> Response:
    """All appeals, those that wait first; `done` is the one that was just decided."""
    hidden = kept_from.hidden_sheets(event, account)
    found = appeal_log.appeals(event)
    last = next((appeal for appeal in found if appeal.id == done), None)
    return _list(request, event, account, hidden, found, last)


def _list(
    request: Request,
    event: Event,
    account: Account,
    hidden: frozenset[str],
    found: list[Appeal],
    last: Appeal | None,
    error: OtborError | None = None,
) -> Response:
    decides = account.may(Right.CHANGE)
    entries = [
        line
        | {
            "kept": line["appeal"].sheet in hidden,
            "may": decides and line["appeal"].sheet not in hidden,
        }
        for line in appeal_view.listed(event, appeal_view.ordered(found))
    ]
    return page(
        request,
        "appeals.html",
        status=error.http_status if error else 200,
        entries=entries,
        waiting=sum(appeal.state is State.OPEN for appeal in found),
        last=appeal_view.listed(event, [last])[0] if last else None,
        time=appeal_view.time_left(event),
        decides=decides,
        moment=times.moment,
        now=appeals.clock(),
        error=error,
    )


@router.post("/appeals/deadline")
def set_deadline(
    request: Request, event: EventHere, account: ChangeMaker, minutes: Annotated[str, Form()] = ""
) -> Response:
    """Let appeals end so many minutes from now; 0: now."""
    try:
        number = int(minutes) if minutes.strip().isdigit() and len(minutes) < 8 else -1
        appeals.set_deadline(event, number, who=account.name)
    except AppealError as error:
        hidden = kept_from.hidden_sheets(event, account)
        return _list(request, event, account, hidden, appeal_log.appeals(event), None, error)
    return RedirectResponse("/appeals", 303)


@router.get("/appeals/new")
def new_appeal(request: Request, event: EventHere, account: AppealsClerk) -> Response:
    """The form for an appeal that a player hands in on paper or by word."""
    return _new(request, event, account, {})


@router.post("/appeals/new")
def file_appeal(
    request: Request,
    event: EventHere,
    account: AppealsClerk,
    player: Annotated[str, Form()] = "",
    theme: Annotated[int, Form()] = 0,
    nominal: Annotated[int, Form()] = 0,
    text: Annotated[str, Form()] = "",
    about: Annotated[str, Form()] = "answer",
    late: Annotated[bool, Form()] = False,
) -> Response:
    """File it, or show the form again with the reason why not."""
    given = {
        "player": player,
        "theme": theme,
        "nominal": nominal,
        "text": text,
        "about": about,
        "late": late,
    }
    number = int(player) if player.strip().isdigit() and len(player) < 9 else 0
    try:
        filed = appeals.file(
            event,
            number,
            theme,
            nominal,
            text,
            who=account.name,
            whole=about == "question",
            # Only who decides on appeals may say that one was handed in in time.
            late=late and account.may(Right.CHANGE),
        )
    except (AppealError, NotFoundError) as error:
        return _new(request, event, account, given, error)
    return RedirectResponse(
        f"/appeals/{filed.id}" if account.may(Right.CHANGE) else f"/appeals?done={filed.id}", 303
    )


def _new(
    request: Request,
    event: Event,
    account: Account,
    given: dict[str, Any],
    error: OtborError | None = None,
) -> Response:
    regulation = event.regulation()
    return page(
        request,
        "appeal_new.html",
        status=error.http_status if error else 200,
        given={"player": "", "theme": 1, "nominal": 0, "text": "", "about": "answer", "late": False}
        | given,
        themes=event.key().themes,
        nominals=regulation.nominals,
        most=LONGEST_TEXT,
        time=appeal_view.time_left(event),
        decides=account.may(Right.CHANGE),
        moment=times.moment,
        now=appeals.clock(),
        error=error,
    )


@router.get("/appeals/{appeal_id}")
def one_appeal(
    request: Request,
    event: EventHere,
    account: ChangeMaker,
    appeal_id: int,
    also: Annotated[list[str] | None, Query()] = None,
    form: str = "",
    chosen: bool = False,
) -> Response:
    """One appeal, with what each decision would change; `also` and `form` are what is chosen with it."""
    appeal = _allowed(event, account, appeal_id)
    hidden = kept_from.hidden_sheets(event, account)
    choice = Choice(sheets=_sheets(also, hidden), form=form.strip()[: LONGEST + 1])
    found = None
    if not chosen and not appeal.whole:
        found = appeal_decisions.all_of(event, appeal)
        choice = _usual(event, appeal, choice, hidden, found)
    return _opened(request, event, appeal, choice, hidden, found=found)


def _usual(
    event: Event, appeal: Appeal, choice: Choice, hidden: frozenset[str], found: list[Answer]
) -> Choice:
    """Equal answers that were ruled as this one are marked at first: they are to be judged alike."""
    current = appeal_decisions.current_verdict(event, appeal)
    equal = tuple(
        other.answer.sheet
        for other in appeal_decisions.others(event, appeal, found=found)
        if other.equal and other.answer.ruling is current and other.answer.sheet not in hidden
    )
    return Choice(choice.verdict, equal, choice.form)


def _opened(
    request: Request,
    event: Event,
    appeal: Appeal,
    choice: Choice,
    hidden: frozenset[str],
    *,
    found: list[Answer] | None = None,
    why: str = "",
    error: OtborError | None = None,
) -> Response:
    with event.database.reading():
        shown = appeal_view.opened(event, appeal, choice, hidden, found)
        open_ones = [a for a in appeal_log.appeals(event) if a.state is State.OPEN]
    undo = None
    if appeal.state in (State.ACCEPTED, State.REJECTED):
        undo = changes_json(appeal_decisions.reopen(event, appeal.id, who="", dry_run=True))
    return page(
        request,
        "appeal.html",
        status=error.http_status if error else 200,
        shown=shown,
        appeal=appeal,
        choice=choice,
        undo=undo,
        waiting=len(open_ones),
        shared={"glance": settings().glance, "words": {}},
        longest=LONGEST,
        moment=times.moment,
        now=appeals.clock(),
        why=why,
        error=error,
    )


@router.post("/appeals/{appeal_id}/decide")
def decide(
    request: Request,
    event: EventHere,
    account: ChangeMaker,
    appeal_id: int,
    do: Annotated[str, Form()],
    why: Annotated[str, Form()] = "",
    also: Annotated[list[str] | None, Form()] = None,
    form: Annotated[str, Form()] = "",
    shown: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Accept in one of the ways that were shown, or reject; shown again with the reason if refused.

    `shown` holds «way:fingerprint» of every way whose effect was on the page.
    """
    appeal = _allowed(event, account, appeal_id)
    hidden = kept_from.hidden_sheets(event, account)
    choice = Choice(sheets=_sheets(also, hidden), form=form.strip()[: LONGEST + 1])
    why = why.strip()[:LONGEST_TEXT]
    try:
        if do == "reject":
            appeal_decisions.reject(event, appeal_id, who=account.name, why=why)
        else:
            effects = dict(entry.split(":", 1) for entry in shown or () if ":" in entry)
            appeal_decisions.accept(
                event,
                appeal_id,
                appeal_view.chosen(do, choice, whole=appeal.whole),
                who=account.name,
                why=why,
                shown=effects.get(do, ""),
                must_see=True,
            )
    except ValueError as error:
        raise NotFoundError(_("There is no such decision."), _("Open the appeal again.")) from error
    except OtborError as error:
        found = appeal_log.find(event, appeal_id)
        return _opened(request, event, found, choice, hidden, why=why, error=error)
    return RedirectResponse(f"/appeals?done={appeal_id}", 303)


@router.post("/appeals/{appeal_id}/reopen")
def reopen(
    event: EventHere, account: ChangeMaker, appeal_id: int, why: Annotated[str, Form()] = ""
) -> Response:
    """Take the decision back; the appeal waits again."""
    _allowed(event, account, appeal_id)
    appeal_decisions.reopen(event, appeal_id, who=account.name, why=why.strip()[:LONGEST_TEXT])
    return RedirectResponse(f"/appeals/{appeal_id}", 303)


@router.post("/appeals/{appeal_id}/withdraw")
def withdraw(event: EventHere, account: AppealsClerk, appeal_id: int) -> Response:
    """Withdraw it because the player says so."""
    appeals.withdraw(event, appeal_id, who=account.name)
    return RedirectResponse(f"/appeals?done={appeal_id}", 303)


@router.get("/api/waiting")
def waiting(request: Request, event: EventHere) -> dict[str, int]:
    """For the menu: what waits for this person, by the menu's names. Pages ask by themselves."""
    account = accounts.session(event, token_of(request), extend=False)
    if account is None:
        raise not_signed_in()
    found = {}
    if account.may(Right.APPEAL):
        found["appeals"] = appeal_log.open_count(event)
    if account.may(Right.DECIDE):
        found["disputes"] = sum(part.disputed for part in answers.progress_of_all(event))
    if account.may(Right.DESK):
        found["desk"] = len(desk_queue.waiting(event))
    return found


def _allowed(event: Event, account: Account, appeal_id: int) -> Appeal:
    """The appeal, unless the account is kept from its player.

    Raises:
        NotFoundError: There is none.
        KeptFromError: The account does not judge this player.
    """
    appeal = appeal_log.find(event, appeal_id)
    if appeal.sheet is not None:
        kept_from.require(event, account, appeal.sheet)
    return appeal


def _sheets(given: list[str] | None, hidden: frozenset[str]) -> tuple[str, ...]:
    return tuple(sheet for sheet in dict.fromkeys(given or ()) if sheet not in hidden)
