"""The secret from which the codes of the players' own pages are made.

It lies in the event's folder, in a file of its own: whoever has it can make every player's code, so it is
neither in the database nor in anything that is posted.
"""

from __future__ import annotations

import os
import secrets

from otbor.errors import EventError
from otbor.i18n import gettext as _
from reports.codes import player_code
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
    secret = event_secret(event)
    return {player.number: player_code(secret, player.number) for player in event.players()}
