"""Unguessable codes: whoever holds a player's code may see that player's own page, and nobody else's.

A code is derived from a secret of the event and the player's number, so it can be printed on the blank
long before there are results, and made again at any time without being kept anywhere.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""31 characters, none of which looks like another: no 0 and o, no 1, i and l."""

LENGTH = 12
"""59 bits: somebody who tries a million addresses a second meets a page of 3,000 after years."""


def player_code(secret: bytes, number: int) -> str:
    """The code of a player: HMAC-SHA-256 of the number under the event's secret, in 12 characters.

    Args:
        secret: At least 16 random bytes, the same for the whole life of the event.
        number: The player's number.

    Raises:
        ValueError: The secret is too short to be one.
    """
    if len(secret) < 16:
        raise ValueError("a secret has at least 16 bytes")
    digest = hmac.new(secret, f"otbor player {number}".encode(), hashlib.sha256).digest()
    value = int.from_bytes(digest, "big")
    chars = []
    for _index in range(LENGTH):
        # 256 bits against 59: the remainder's bias is far below anything that could be noticed.
        value, at = divmod(value, len(ALPHABET))
        chars.append(ALPHABET[at])
    return "".join(chars)


def printed(code: str) -> str:
    """The code as it stands on paper: `K7QF-3M2X-9ATB`."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4)).upper()


# Cyrillic letters that look like one of ours in capitals, as they are printed, and the digit that З is.
_LOOK_ALIKE = str.maketrans("авекмнрстухз", "abekmhpctyx3")


def typed(text: str) -> str:
    """The code that somebody typed: small letters, without dashes and spaces; empty if it is none.

    Letters of a Russian keyboard are taken for the Latin ones that they look like.
    """
    folded = unicodedata.normalize("NFKC", text).lower().translate(_LOOK_ALIKE)
    code = "".join(char for char in folded if char.isalnum())
    return code if len(code) == LENGTH and all(char in ALPHABET for char in code) else ""
