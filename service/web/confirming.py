"""Confirming a wall: all looking and comparing before the writer's lock, under it only entering.

Jurors confirm different walls, but there is one writer at a time: whoever holds the lock lets all others
wait. So a confirmation is checked and turned into verdicts first, and under the lock it is asked in one
statement whether anything has come that it rests on. Mostly nothing has; else it is checked again there.
"""

from __future__ import annotations

from typing import ClassVar

from jury.boxes import BoxVerdict, box_key
from jury.double import Scope
from otbor.errors import ConflictError
from otbor.i18n import gettext as _
from service import (
    answers,
    claims,
    double,
    double_readings,
    last_rulings,
    second_looks,
    sightings,
    versions,
)
from service.accounts import Account, Right
from service.event import Event
from service.last_rulings import Lasts
from service.versions import Version
from service.web.wall_view import ConfirmBody, open_wall


class WallChangedError(ConflictError):
    """The wall is not the one that the juror was looking at."""

    code: ClassVar[str] = "wall_changed"


def confirm(
    event: Event, theme: int, nominal: int, body: ConfirmBody, account: Account
) -> tuple[str, int]:
    """Rule on every answer of a wall, if the juror saw it as it is.

    Args:
        event: Where.
        theme: Which wall.
        nominal: Which wall.
        body: What the juror says, and of which wall.
        account: Who rules.

    Returns:
        The batch, and how many verdicts are new.

    Raises:
        NotFoundError: There is no such question.
        ClaimedError: Somebody else is on it.
        WallChangedError: It has changed.
        UnseenError: The juror has not seen an answer whose verdict would be new.
        DecidedError: The chief has decided an answer otherwise.
    """
    with event.database.reading():
        question = answers.find_question(event.key(), theme, nominal)
        box = box_key(question.theme, question.row)
        near = double_readings.setting(event).scope is Scope.NEAR
        claims.require(event, box, account)
        then, lasts = versions.current(event), last_rulings.of_box(event, box)
        verdicts = _verdicts(event, theme, nominal, body, account)

    def decided() -> list[BoxVerdict]:
        # Here nobody else can change anything: what is found now still holds when it is recorded.
        claims.require(event, box, account)
        if _rests(event, box, then, lasts):
            return verdicts
        return _verdicts(event, theme, nominal, body, account)

    with event.database.writing():
        batch, entered = double.enter(
            event, decided, account.name, origin=box, decides=account.may(Right.DECIDE)
        )
        claims.release(event, box, account)
    if near:
        second_looks.open_new(event, account.name)
    return batch, entered


def _rests(event: Event, box: str, then: Version, lasts: Lasts) -> bool:
    """True if nothing has come on which a confirmation rests: of rulings only those on this wall count."""
    now = versions.current(event)
    return now == then or (now[1:] == then[1:] and last_rulings.of_box(event, box) is lasts)


def _verdicts(
    event: Event, theme: int, nominal: int, body: ConfirmBody, account: Account
) -> list[BoxVerdict]:
    """The verdicts that a confirmation means, if the wall still is what the juror saw.

    A verdict that stands already and stays as it is was given by somebody who saw the answer.

    Raises:
        WallChangedError: It is not.
        UnseenError: The juror has not seen an answer whose verdict would be new.
    """
    opened = open_wall(event, theme, nominal, account)
    if opened.fingerprint() != body.fingerprint:
        raise WallChangedError(
            _("This question has changed since you opened it; nothing was recorded."),
            _("A sheet came in, or somebody else ruled on it. Load it again and confirm it then."),
        )
    verdicts = opened.verdicts(body.marks)
    shown = (*opened.wall.written, *opened.wall.blanks)
    stands = {entry.id: entry.ruling for entry in shown}
    new = [given.id for given in verdicts if stands[given.id] is not given.verdict]
    sightings.require(event, opened.box, account.name, [opened.page_of(at) for at in new])
    return verdicts
