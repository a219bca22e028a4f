"""Each player's own page, found by the code on the strip of the blank: no sign-in, and nobody else's data.

It shows what the newest publication says, and takes appeals against it. Whoever has the code is the player.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from jury.appeals import LONGEST_TEXT, State, Window
from otbor.errors import NotFoundError, OtborError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from reports.codes import printed
from reports.distance import distance_text
from reports.order import theme_sums
from reports.own_page import accepted_text
from reports.shown_names import Names, shown_about, shown_name
from reports.wording import places_text, points_text, status_text
from scoring.model import Status, Verdict
from service import answers, appeal_log, appeals, player_codes, posted, publications, times
from service.accounts import TooManyAttemptsError
from service.appeal_log import Appeal, AppealError
from service.appeal_wording import outcome, state_word
from service.attempts import Attempts
from service.event import Event
from service.posted import PostedAnswer, PostedPlayer
from service.web.render import page
from service.web.sessions import EventHere

router = APIRouter(include_in_schema=False)

# A withdrawn appeal can be filed again; nobody needs to do so every minute.
_filings = Attempts(most=30, seconds=3600.0)


class TooManyFilingsError(TooManyAttemptsError):
    """A player files and withdraws without end."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.message = _("Too many appeals in a short time.")
        self.hint = _("Wait an hour, or hand it in at the desk.")


SIGNS = {Verdict.RIGHT: "✓", Verdict.WRONG: "✗", Verdict.BLANK: "–", None: "?"}


def code_holder(request: Request, code: str) -> tuple[int, str]:
    """Whose page a code in the address opens.

    Raises:
        WrongCodeError: Nobody's.
        TooManyGuessesError: Too many wrong ones from there.
    """
    return player_codes.player_of(request.app.state.event, code, _address(request))


Holder = Annotated[tuple[int, str], Depends(code_holder)]


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


@router.get("/p")
def entry(request: Request, event: EventHere, code: str = "") -> Response:
    """Where a code is typed in; with `?code=`, as the posted pages link here, the way to its page."""
    if code:
        return _go_to(request, event, code)
    return page(request, "own/entry.html", code="", error=None)


@router.post("/p")
def enter(request: Request, event: EventHere, code: Annotated[str, Form()] = "") -> Response:
    """A code that was typed."""
    return _go_to(request, event, code)


def _go_to(request: Request, event: Event, text: str) -> Response:
    try:
        _number, code = player_codes.player_of(event, text, _address(request))
    except OtborError as error:
        headers = {"Retry-After": str(error.wait)} if hasattr(error, "wait") else None
        return page(
            request,
            "own/entry.html",
            status=error.http_status,
            headers=headers,
            code=text[:40],
            error=error,
        )
    return RedirectResponse(f"/p/{code}", 303)


@router.get("/p/{code}")
def own_page(request: Request, event: EventHere, holder: Holder) -> Response:
    """The page: what is posted of the player, and the player's appeals."""
    number, code = holder
    if request.path_params["code"] != code:
        return RedirectResponse(f"/p/{code}", 303)
    found = posted.posted_player(event, number)
    filed = appeal_log.of_player(event, number)
    about = _time(event) if found else None
    return page(
        request,
        "own/page.html",
        code=code,
        printed=printed(code),
        number=number,
        found=found,
        published=publications.newest(event) is not None,
        withdrawn=publications.ever(event),
        shown=_shown(found, filed) if found else None,
        appeals=[_appeal(appeal) for appeal in reversed(filed)],
        time=about,
        moment=times.moment,
        now=appeals.clock(),
    )


@router.get("/p/{code}/crop/{box}")
def crop(event: EventHere, holder: Holder, box: str) -> Response:
    """The picture of an own answer that is posted, JPEG."""
    found = posted.posted_player(event, holder[0])
    answer = next((a for a in found.answers if a.box == box), None) if found else None
    if found is None or found.sheet is None or answer is None or answer.page_id is None:
        raise NotFoundError(_("There is no such picture."), _("Open your page again."))
    data = answers.crop(event, found.sheet, box, answer.page_id)
    return Response(data, media_type="image/jpeg")


@router.get("/p/{code}/appeal/{theme}/{nominal}")
def appeal_form(
    request: Request, event: EventHere, holder: Holder, theme: int, nominal: int
) -> Response:
    """The form of an appeal on one question."""
    return _form(request, event, holder, theme, nominal)


@router.post("/p/{code}/appeal/{theme}/{nominal}")
def file_appeal(
    request: Request,
    event: EventHere,
    holder: Holder,
    theme: int,
    nominal: int,
    text: Annotated[str, Form()] = "",
    about: Annotated[str, Form()] = "answer",
) -> Response:
    """File an appeal, or show the form again with the reason why not."""
    number, code = holder
    whole = about == "question"
    wait = _filings.begin((event.database.url, number))
    if wait:
        raise TooManyFilingsError(wait)
    try:
        appeals.file(
            event,
            number,
            theme,
            nominal,
            text,
            who=_("player {number}").format(number=number),
            whole=whole,
            own=True,
        )
    except AppealError as error:
        return _form(request, event, holder, theme, nominal, text=text, whole=whole, error=error)
    return RedirectResponse(f"/p/{code}#appeals", 303)


@router.post("/p/{code}/withdraw/{appeal_id}")
def withdraw_appeal(event: EventHere, holder: Holder, appeal_id: int) -> Response:
    """Withdraw an own appeal that is not decided yet."""
    number, code = holder
    who = _("player {number}").format(number=number)
    appeals.withdraw(event, appeal_id, who=who, player=number)
    return RedirectResponse(f"/p/{code}#appeals", 303)


def _form(
    request: Request,
    event: Event,
    holder: tuple[int, str],
    theme: int,
    nominal: int,
    *,
    text: str = "",
    whole: bool = False,
    error: OtborError | None = None,
) -> Response:
    number, code = holder
    found = posted.posted_player(event, number)
    answer = found.answer(theme, nominal) if found else None
    if found is None or answer is None or not found.played:
        raise NotFoundError(
            _("There is nothing to appeal against here."), _("Open your page again.")
        )
    regulation = found.publication.standings.regulation
    only_question = answer.verdict in (Verdict.RIGHT, None) or answer.removed
    return page(
        request,
        "own/appeal.html",
        status=error.http_status if error else 200,
        code=code,
        answer=_answer(found, answer, []),
        title=found.key.themes[theme - 1].title if theme <= len(found.key.themes) else "",
        theme=theme,
        nominal=nominal,
        question=answer.question.text,
        cost=points_text(regulation.prices.wrong.of(nominal)),
        only_question=only_question,
        whole=whole or only_question,
        text=text,
        most=LONGEST_TEXT,
        error=error,
        time=_time(event),
        moment=times.moment,
        now=appeals.clock(),
    )


def _time(event: Event) -> dict[str, Any]:
    """Until when appeals are taken, for the page: `left` is seconds, None without an end."""
    window: Window | None = appeals.current_window(event)
    now = appeals.clock()
    return {
        "allowed": event.regulation().appeals.allowed,
        "open": window is not None and window.is_open(now),
        "closes": window.closes if window else None,
        "left": window.left(now) if window else None,
    }


def _shown(found: PostedPlayer, filed: list[Appeal]) -> dict[str, Any]:
    """The result and the answers, theme by theme, ready to be shown."""
    row, part = found.row, found.part
    # As on the posted lists: a strip that somebody finds tells no more than they do.
    names = found.publication.names
    regulation = found.publication.standings.regulation
    status = status_text(row.status)
    away = distance_text(part, row) if found.played else ""
    line = away if row.status is Status.TIED else f"{status[:1].upper()}{status[1:]}. {away}"
    sums = theme_sums(row, regulation)
    here = [appeal for appeal in filed if appeal.publication == found.publication.number]
    return {
        "name": shown_name(row.player, names),
        "number": "" if names is Names.NUMBER else f"№ {row.player.number}",
        "about": shown_about(row.player, names),
        "kind": {Status.IN: "in", Status.TIED: "tied"}.get(row.status, "out"),
        "score": ngettext("{n} point", "{n} points", abs(row.score)).format(
            n=points_text(row.score)
        ),
        "place": _("place {places}").format(places=places_text(row.places)) if row.places else "",
        "line": line.strip(),
        "counts": _("right {rights} · wrong {wrongs} · empty {blanks}").format(
            rights=row.rights, wrongs=row.wrongs, blanks=row.blanks
        ),
        "themes": [
            {
                "number": theme.number,
                "title": theme.title,
                "points": points_text(sums[theme.number - 1]),
                "answers": [
                    _answer(found, answer, here)
                    for answer in found.answers
                    if answer.question.theme == theme.number
                ],
            }
            for theme in found.key.themes[: regulation.themes]
        ],
    }


def _answer(found: PostedPlayer, answer: PostedAnswer, here: list[Appeal]) -> dict[str, Any]:
    """One line: picture, what is accepted, verdict and points, and the appeal on it if there is one."""
    question = answer.question
    points = "" if answer.points is None else points_text(answer.points)
    appeal = next(
        (a for a in reversed(here) if a.box == answer.box and a.state is not State.WITHDRAWN), None
    )
    return {
        "box": answer.box,
        "theme": question.theme,
        "nominal": question.nominal,
        "picture": answer.page_id is not None,
        "reading": answer.reading if answer.verdict is not Verdict.BLANK else "",
        "accepted": accepted_text(found.key, question.theme, question.nominal),
        "kind": answer.verdict.value if answer.verdict else "open",
        "sign": SIGNS.get(answer.verdict, "?"),
        "word": verdict_word(answer.verdict),
        "points": pgettext("statistics", "removed")
        if answer.removed
        else f"+{points}"
        if answer.points and answer.points > 0
        else points,
        "appeal": appeal,
        "appeal_word": state_word(appeal.state) if appeal else "",
    }


def _appeal(appeal: Appeal) -> dict[str, Any]:
    return {"filed": appeal, "word": state_word(appeal.state), "outcome": outcome(appeal)}


def verdict_word(verdict: Verdict | None) -> str:
    """A verdict as the player reads it."""
    return {
        Verdict.RIGHT: pgettext("answer", "right"),
        Verdict.WRONG: pgettext("answer", "wrong"),
        Verdict.BLANK: pgettext("answer", "empty"),
    }.get(verdict) or pgettext("answer", "not confirmed")  # type: ignore[arg-type]
