"""Addresses under which others reach the web pages: what an invitation says."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from otbor.errors import ConflictError
from otbor.i18n import gettext as _

LONGEST = 120


def web_address(text: str) -> str:
    """An address as it is printed: `http://192.168.1.5:8300`, without a slash at its end.

    Raises:
        ConflictError: It is no address of a web server.
    """
    given = text.strip().removesuffix("/")
    if "://" not in given:
        given = f"http://{given}"
    try:
        parts = urlsplit(given)
        fits = bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if (
        not fits
        or parts.scheme not in ("http", "https")
        or parts.path
        or parts.query
        or parts.fragment
        or "@" in parts.netloc
        or parts.netloc.endswith(":")
        or len(given) > LONGEST
        or not given.isprintable()
        or " " in given
    ):
        raise ConflictError(
            _("“{address}” is not an address of these pages.").format(
                address=text.strip()[:LONGEST]
            ),
            _("Write it as in the browser, such as http://192.168.1.5:8300."),
        )
    return given


def only_here(address: str) -> bool:
    """True for an address that leads every other computer to itself."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
