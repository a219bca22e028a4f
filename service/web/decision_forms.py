"""What the forms of decisions ask for, and the decision's data out of what was typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from otbor.errors import AccessError
from otbor.i18n import gettext as _
from scoring.model import Regulation
from scoring.rules import Announcing, CountBack, ReserveCall, TiePolicy
from service.accounts import Account, Right
from service.decisions import LARGEST, Decision
from service.web.errors import InputError

Typed = ImmutableMultiDict[str, Any]
"""The fields of an address or of a form."""

PLAYER_KINDS = (
    Decision.DISQUALIFY,
    Decision.OUT_OF_COMPETITION,
    Decision.PENALTY,
    Decision.LATE,
    Decision.BRING,
    Decision.EXEMPT,
    Decision.DECLINE,
    Decision.CALL,
)
QUESTION_KINDS = (Decision.REMOVE, Decision.NOMINAL)
LINE_KINDS = (Decision.ANNOUNCE, Decision.TIE, Decision.SHOOT_OUT, Decision.LOT)

# What is decided on a question, and what the jury judges in a shoot-out, is the chief's business too.
_OF_THE_CHIEF = frozenset({*QUESTION_KINDS, Decision.SHOOT_OUT})
LONGEST_REASON = 500


def right_for(kind: Decision) -> Right:
    """The right that a decision of this kind needs, and taking it back."""
    return Right.CHANGE if kind in _OF_THE_CHIEF else Right.LINE


def check_right(account: Account, kind: Decision) -> None:
    """Refuse somebody who may not decide this.

    Raises:
        AccessError: The account's role lacks the right.
    """
    if not account.may(right_for(kind)):
        raise AccessError(
            _("This part is not open to you as “{name}”.").format(name=account.name),
            _("Ask the organizer, or sign in with another account."),
        )


def not_allowed(kind: Decision, regulation: Regulation) -> str:
    """Why the regulation does not know such a decision; empty if it does."""
    rule = regulation.cut_rule
    return {
        Decision.REMOVE: not regulation.removal
        and _("The regulation lets no question be removed."),
        Decision.EXEMPT: not regulation.exempt and _("The regulation exempts nobody."),
        Decision.CALL: regulation.reserve_call is ReserveCall.SCORE
        and _("The reserve moves up by itself."),
        Decision.ANNOUNCE: rule.announcing is Announcing.FIXED
        and _("The regulation itself says how many go on."),
    }.get(kind) or ""


def read(kind: Decision, typed: Typed) -> dict[str, Any] | None:
    """The data of a decision; None while the form is not filled in.

    Raises:
        InputError: Something that was typed cannot be.
    """
    return _READERS.get(kind, _player)(typed)


def reason(typed: Typed) -> str:
    """Why it is decided.

    Raises:
        InputError: There is no reason, or it is a long story.
    """
    text = " ".join(str(typed.get("why", "")).split())
    if not text:
        raise InputError(
            _("The reason is missing."), _("Write it in a few words: it stays with the decision.")
        )
    if len(text) > LONGEST_REASON:
        raise InputError(
            _("The reason is longer than {n} characters.").format(n=LONGEST_REASON),
            _("Say it in fewer words."),
        )
    return text


def _text(typed: Typed, name: str) -> str:
    return str(typed.get(name, "")).strip()


def _whole(text: str, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number; a minus may be typed in any of its forms."""
    try:
        number = int(text.strip().replace("\u2212", "-").replace("\u2013", "-"))
    except ValueError:
        number = LARGEST + 1
    if not least <= number <= most:
        raise InputError(
            _("“{text}” cannot stand here: a whole number is expected.").format(text=text[:40]),
            _("Check how it is typed."),
        )
    return number


def _player(typed: Typed) -> dict[str, Any] | None:
    text = _text(typed, "number").removeprefix("№").strip()
    return {"number": _whole(text, 1)} if text else None


def _penalty(typed: Typed) -> dict[str, Any] | None:
    who = _player(typed)
    points = _text(typed, "points")
    return {**who, "points": _whole(points, 1)} if who and points else None


def _late(typed: Typed) -> dict[str, Any] | None:
    who = _player(typed)
    themes = _text(typed, "themes")
    return {**who, "themes": _whole(themes, 1)} if who and themes else None


def _brought(typed: Typed) -> dict[str, Any] | None:
    who = _player(typed)
    points = _text(typed, "points")
    return {**who, "points": _whole(points)} if who and points else None


def _question(typed: Typed) -> dict[str, Any] | None:
    text = _text(typed, "question")
    if not text:
        return None
    theme, _dash, nominal = text.partition("-")
    return {"theme": _whole(theme), "nominal": _whole(nominal)}


def _nominal(typed: Typed) -> dict[str, Any] | None:
    question = _question(typed)
    worth = _text(typed, "worth")
    return {**question, "worth": _whole(worth, 1)} if question and worth else None


def _places(typed: Typed) -> dict[str, Any] | None:
    places = _text(typed, "places")
    if not places:
        return None
    return {
        "places": _whole(places, 1),
        "group": _text(typed, "group"),
        "by_chief": bool(_text(typed, "by_chief")),
    }


def _tie(typed: Typed) -> dict[str, Any] | None:
    steps = [str(step) for step in typed.getlist("step") if step]
    keys = [str(key) for key in typed.getlist("key") if key]
    if not steps:
        return None
    if not set(steps) <= set(TiePolicy) or not set(keys) <= set(CountBack):
        raise InputError(_("There is no such step."), _("Choose one from the list."))
    if TiePolicy.COUNT_BACK in steps and not keys:
        return None
    plays = TiePolicy.SHOOT_OUT in steps
    return {
        "steps": steps,
        "themes": _whole(_text(typed, "themes") or "1", 1, 99) if plays else 0,
        "keys": keys if TiePolicy.COUNT_BACK in steps else [],
        "group": _text(typed, "group"),
    }


def numbers(text: str) -> list[int]:
    """Players' numbers as people type several: with commas, spaces, semicolons; each once.

    Raises:
        InputError: Something else stands there.
    """
    words = text.replace(",", " ").replace(";", " ").replace("№", " ").split()
    return list(dict.fromkeys(_whole(word, 1) for word in words))


def _shoot_out(typed: Typed) -> dict[str, Any] | None:
    who = numbers(_text(typed, "players"))
    if not who or not _text(typed, "filled"):
        return None
    scores: list[list[int | None]] = []
    for number in who:
        points = _text(typed, f"p{number}")
        away = bool(_text(typed, f"a{number}"))
        if bool(points) is away:
            raise InputError(
                _("№ {number}: either points, or “did not come”.").format(number=number),
                _("Every player of the shoot-out needs one of the two; 0 is a number of points."),
            )
        scores.append([number, None if away else _whole(points)])
    return {"scores": scores}


_READERS: dict[Decision, Callable[[Typed], dict[str, Any] | None]] = {
    Decision.REMOVE: _question,
    Decision.NOMINAL: _nominal,
    Decision.PENALTY: _penalty,
    Decision.LATE: _late,
    Decision.BRING: _brought,
    Decision.ANNOUNCE: _places,
    Decision.TIE: _tie,
    Decision.SHOOT_OUT: _shoot_out,
}
