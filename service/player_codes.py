"""The codes of the players' own pages: the secret they are made from, and whom one belongs to.

The secret lies in the event's folder, in a file of its own: whoever has it can make every player's code, so
it is neither in the database nor in anything that is posted.
"""

from __future__ import annotations

import hmac
import math
import os
import secrets
from functools import lru_cache
from typing import ClassVar

from otbor.errors import EventError, NotFoundError
from otbor.i18n import gettext as _
from otbor.i18n import ngettext
from reports.codes import player_code, typed
from service.accounts import TooManyAttemptsError
from service.attempts import Attempts
from service.event import Event

FILE = "player-codes.key"
_BYTES = 32


def event_secret(event: Event) -> bytes:
    """The event's secret, made when it is first asked for and the same ever after.

    Raises:
        EventError: The file is damaged, or the folder cannot be written to.
    """
    path = event.folder / FILE
    try:
        if not path.exists():
            # Whole or not at all, and never over one that another process has just made.
            part = path.with_name(f"{FILE}.{os.getpid()}")
            part.write_text(secrets.token_hex(_BYTES) + "\n", encoding="ascii")
            part.chmod(0o600)
            if path.exists():
                part.unlink()
            else:
                part.replace(path)
        secret = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise EventError(
            _("The file {path} cannot be written: {error}.").format(
                path=path, error=error.strerror or error
            ),
            _("Make the event's folder writable."),
        ) from error
    except ValueError:
        secret = b""
    if len(secret) < _BYTES:
        raise EventError(
            _("The file {path} is damaged.").format(path=path),
            _("Put it back from a copy: the codes printed on the blanks were made with it."),
        )
    return secret


def codes(event: Event) -> dict[int, str]:
    """Player → code, for the whole roster."""
    return dict(_codes(event_secret(event), tuple(player.number for player in event.players())))


@lru_cache(maxsize=8)
def _codes(secret: bytes, numbers: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Made once for a roster: of 3,000 players it takes 20 ms, and every visit to a page asks."""
    return tuple((number, player_code(secret, number)) for number in numbers)


class WrongCodeError(NotFoundError):
    """A code that opens no page."""

    code: ClassVar[str] = "wrong_code"


class TooManyGuessesError(TooManyAttemptsError):
    """Too many wrong codes from one address; `wait` is how many seconds to wait."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.message = _("Too many wrong codes.")
        minutes = math.ceil(wait / 60)
        self.hint = ngettext(
            "Wait {n} minute and type the code as it stands on the strip of the blank.",
            "Wait {n} minutes and type the code as it stands on the strip of the blank.",
            minutes,
        ).format(n=minutes)


# Only wrong ones are counted: a whole class may open its pages from one address.
_guesses = Attempts(most=20, seconds=300.0)


def player_of(event: Event, text: str, address: str = "") -> tuple[int, str]:
    """Whose page a code opens, and the code as we write it.

    Every code of the event is compared, each in constant time, so that the time taken tells nothing.

    Args:
        event: Where.
        text: As typed, or out of an address.
        address: From where; wrong codes are counted by it.

    Raises:
        WrongCodeError: It opens no page.
        TooManyGuessesError: Twenty wrong ones within five minutes.
    """
    who = (event.database.url, "code", address)
    wait = _guesses.wait(who)
    if wait:
        raise TooManyGuessesError(wait)
    code = typed(text)
    found = None
    for number, known in codes(event).items():
        if hmac.compare_digest(known, code):
            found = number
    if found is not None:
        return found, code
    _guesses.begin(who)
    raise WrongCodeError(
        _("This code opens no page."),
        _(
            "It has 12 letters and digits, such as K7QF-3M2X-9ATB; there is no 0, O, 1, I or L in it."
        ),
    )
