"""One form of standings in bytes, the same for the same standings on every machine."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from scoring.model import Standings


def standings_bytes(standings: Standings) -> bytes:
    """All that the standings say, as UTF-8 JSON with sorted names."""
    return json.dumps(asdict(standings), ensure_ascii=False, sort_keys=True).encode()


def fingerprint(standings: Standings) -> str:
    """The SHA-256 of `standings_bytes`, 64 hexadecimal digits."""
    return hashlib.sha256(standings_bytes(standings)).hexdigest()
