"""Appeals in the journal: filing one, withdrawing it, and until when they are taken.

Lines of the journal, read by `service.appeal_log`. How one is decided is `service.appeal_decisions`'s.
"""

from __future__ import annotations

import time

from sqlalchemy import Connection

from jury.appeals import (
    LONGEST_TEXT,
    Filed,
    Posted,
    Refusal,
    State,
    Step,
    Window,
    cleaned,
    refusal,
    window,
)
from otbor.errors import NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from scoring.model import Verdict
from service import journal, publications
from service.appeal_log import DEADLINE, FILE, Appeal, AppealError, appeals, find, require_step
from service.event import Event
from service.journal import Kind
from service.posted import posted_player

LONGEST_WAIT = 14 * 24 * 60
"""Minutes that the organizer may give at once."""

clock = time.time
"""UTC seconds; tests put their own here."""


def current_window(event: Event) -> Window | None:
    """Until when appeals are taken now; None if there is nothing to appeal against.

    The regulation in force counts, not that of the publication: an organizer who gives more time says so
    in one place.
    """
    with event.database.reading() as connection:
        newest = publications.newest(event)
        if newest is None:
            return None
        posted = [Posted(newest.number, newest.at)]
        return window(
            posted, event.regulation().appeals, _set_end(event, connection, newest.number)
        )


def _set_end(event: Event, connection: Connection, publication: int) -> float | None:
    """The end that the organizer has set for a publication; the newest counts."""
    ends = [
        float(entry.payload["until"])
        for entry in journal.entries(connection, Kind.APPEAL)
        if entry.payload["step"] == DEADLINE and entry.payload["publication"] == publication
    ]
    return ends[-1] if ends else None


def set_deadline(event: Event, minutes: int, *, who: str, why: str = "") -> Window:
    """Let appeals on the posted results end so many minutes from now; 0: they end now.

    Raises:
        AppealError: Nothing is posted, the regulation allows no appeals, or the number cannot be meant.
    """
    if not 0 <= minutes <= LONGEST_WAIT:
        raise AppealError(
            _("Appeals cannot be taken for {n} minutes more.").format(n=minutes),
            _("Give a number from 0 (they end now) to {most}.").format(most=LONGEST_WAIT),
        )
    with event.database.writing() as connection:
        now = clock()
        found = require_window(event)
        payload = {
            "step": DEADLINE,
            "publication": found.publication,
            "until": now + 60.0 * minutes,
        }
        journal.append(connection, who, Kind.APPEAL, payload, why)
        return require_window(event)


def require_window(event: Event) -> Window:
    """Until when appeals are taken, open or over.

    Raises:
        AppealError: There is nothing to appeal against.
    """
    found = current_window(event)
    if found is not None:
        return found
    if not event.regulation().appeals.allowed:
        raise AppealError(
            _("The regulation allows no appeals."),
            _("The jury's verdicts are final; ask the organizer."),
        )
    raise AppealError(
        _("No results are posted now, so there is nothing to appeal against."),
        _("Wait until they are published."),
    )


def file(
    event: Event,
    player: int,
    theme: int,
    nominal: int,
    text: str,
    *,
    who: str,
    whole: bool = False,
    own: bool = False,
    late: bool = False,
) -> Appeal:
    """File an appeal against what is posted.

    Args:
        event: Where.
        player: Whose.
        theme: The question's theme.
        nominal: Its nominal, as printed.
        text: What the player says.
        who: Who files it; for a player's own, something that names the player.
        whole: About the question as a whole (its key is wrong, it should be removed), not about the
            verdict on the own answer.
        own: The player does it by their own code.
        late: Somebody of the jury says that it was handed in in time and only entered now.

    Raises:
        NotFoundError: There is no such player or question.
        AppealError: It is too late, too long, says nothing, or there is one already.
    """
    with event.database.writing() as connection:
        now = clock()
        found = require_window(event)
        _in_time(found, now, late and not own)
        posted = posted_player(event, player)
        if posted is None:
            raise NotFoundError(
                _("Player {number} is not in the posted results.").format(number=player),
                _("Look the number up in the posted list."),
            )
        answer = posted.answer(theme, nominal)
        if answer is None:
            raise NotFoundError(
                _("There is no question {theme}–{nominal}.").format(theme=theme, nominal=nominal),
                _("Choose one from the list of questions."),
            )
        text = _text(text)
        if not whole:
            _has_verdict(posted.sheet, answer.verdict, answer.removed)
        rule = event.regulation().appeals
        new = Filed(player, (theme, nominal), found.publication, State.OPEN, own)
        why_not = refusal(new, _filed(appeals(event)), rule)
        if why_not is not None:
            raise _refused(why_not, rule.most)
        payload = {
            "step": FILE,
            "player": player,
            "publication": found.publication,
            "theme": theme,
            "nominal": nominal,
            "box": answer.box,
            "sheet": posted.sheet,
            "verdict": answer.verdict.value if answer.verdict else None,
            "whole": whole,
            "own": own,
            "late": late and not own and not found.is_open(now),
            "text": text,
        }
        journal.append(connection, who, Kind.APPEAL, payload)
        return find(event, journal.newest(connection, Kind.APPEAL))


def withdraw(
    event: Event, appeal_id: int, *, who: str, why: str = "", player: int | None = None
) -> Appeal:
    """Withdraw an appeal that is not decided yet.

    Args:
        event: Where.
        appeal_id: Which.
        who: Who does it.
        why: A remark.
        player: Only if it is this player's; any if None.

    Raises:
        NotFoundError: There is no such appeal (of this player).
        AppealError: It is not open.
    """
    with event.database.writing() as connection:
        appeal = find(event, appeal_id)
        if player is not None and appeal.player != player:
            raise NotFoundError(
                _("There is no appeal {id}.").format(id=appeal_id),
                _("Look at your own page again."),
            )
        require_step(appeal, Step.WITHDRAW)
        payload = {"step": Step.WITHDRAW.value, "appeal": appeal_id}
        journal.append(connection, who, Kind.APPEAL, payload, why)
        return find(event, appeal_id)


def _filed(known: list[Appeal]) -> list[Filed]:
    return [
        Filed(old.player, old.question, old.publication, old.state, own=old.own) for old in known
    ]


def _in_time(found: Window, now: float, late: bool) -> None:
    if late or found.is_open(now):
        return
    raise AppealError(
        _("The time for appeals on publication {number} is over.").format(number=found.publication),
        _("Ask the organizer: what was handed in in time can still be entered."),
    )


def _text(text: str) -> str:
    text = cleaned(text)
    if not text:
        raise AppealError(
            _("An appeal says why the verdict is wrong."), _("Write a sentence and send it again.")
        )
    if len(text) > LONGEST_TEXT:
        raise AppealError(
            ngettext(
                "This text is {n} character too long.",
                "This text is {n} characters too long.",
                len(text) - LONGEST_TEXT,
            ).format(n=len(text) - LONGEST_TEXT),
            _("An appeal has at most {most} characters.").format(most=LONGEST_TEXT),
        )
    return text


def _has_verdict(sheet: str | None, verdict: Verdict | None, removed: bool) -> None:
    """Refuse an appeal against a verdict where there is none, or none to gain by."""
    if removed:
        raise AppealError(
            _("This question is removed: it counts for nobody."),
            _("An appeal against the removal is one about the question as a whole."),
        )
    if sheet is None or verdict is None:
        raise AppealError(
            _("There is no verdict on this answer yet."), _("Wait for the next publication.")
        )
    if verdict is Verdict.RIGHT:
        raise AppealError(
            _("This answer counts as right already."),
            _("An appeal about the question as a whole is possible."),
        )


def _refused(why: Refusal, most: int) -> AppealError:
    if why is Refusal.OPEN_ALREADY:
        return AppealError(
            _("There is an appeal on this question already; it waits for the jury."),
            _("To write another one, withdraw it first."),
        )
    if why is Refusal.DECIDED_ALREADY:
        return AppealError(
            _("An appeal on this question has been decided."),
            _("It is decided once on each publication."),
        )
    return AppealError(
        ngettext(
            "{n} appeal on a publication is all that a player may file.",
            "{n} appeals on a publication are all that a player may file.",
            most,
        ).format(n=most),
        _("One that is open can be withdrawn; then another one is possible."),
    )
