"""A fingerprint of results: printed on the paper, kept in the PDF, and checked against the event.

It is the SHA-256 of a canonical text of the standings, so the order of rows, the layout of the page and
its language don't change it, and one point more for one player does. A second number in the PDF's
properties, the seal, is the SHA-256 of the file itself: it tells an edited file from one as printed.
Neither needs a secret, so they catch mistakes and mix-ups, and whoever edits a posted file; not a forger
who writes a new file with numbers of their own. Against that stands the event itself: only results that
are really there have their fingerprint.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pypdfium2 as pdfium

from scoring.model import StandingRow, Standings

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U, so a printed fingerprint can be read out."""

SHORT_LENGTH = 16
"""Characters printed: 80 bits."""

_SEAL = re.compile(rb"otbor-seal=([0-9a-f]{64})")
_FINGERPRINT = re.compile(r"otbor-fingerprint=([0-9a-f]{64})")
_NO_SEAL = "0" * 64


def canonical(standings: Standings) -> bytes:
    """The standings as one canonical text: everything that is posted, in an order of its own.

    Categories by name, rows by number; fields are named one by one, so a field that is added to the
    model later doesn't change the fingerprint of results that are posted already.
    """
    regulation = standings.regulation
    data = {
        "title": standings.title,
        "themes": regulation.themes,
        "nominals": list(regulation.nominals),
        "categories": [
            {
                "category": part.category,
                "places": part.cut.places,
                "tied": sorted(part.cut.tied),
                "rows": [_row(row) for row in sorted(part.rows, key=lambda row: row.player.number)],
            }
            for part in sorted(standings.categories, key=lambda part: part.category)
        ],
    }
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def fingerprint(standings: Standings) -> str:
    """The whole fingerprint: 64 hexadecimal digits."""
    return hashlib.sha256(canonical(standings)).hexdigest()


def short(whole: str) -> str:
    """The printed form of a whole fingerprint: its first 80 bits, such as `4Q7K-09TZ-XW2B-M5HE`."""
    number = int(whole[:20], 16)
    chars = [ALPHABET[number >> 5 * at & 31] for at in reversed(range(SHORT_LENGTH))]
    return "-".join("".join(chars[at : at + 4]) for at in range(0, SHORT_LENGTH, 4))


def keywords(whole: str) -> str:
    """What the PDF's properties say; `seal` fills in the second number when the file is complete."""
    return f"otbor-fingerprint={whole} otbor-seal={_NO_SEAL}"


def seal(pdf: bytes) -> bytes:
    """The complete PDF with its seal in place; one without room for a seal comes back as it is."""
    found = _SEAL.search(pdf)
    if found is None:
        return pdf
    return pdf[: found.start(1)] + _digest(pdf, found).encode() + pdf[found.end(1) :]


class Match(StrEnum):
    """What a check of a PDF comes to."""

    SAME = "same"
    EDITED = "edited"
    """It bears these results' fingerprint, but the file was changed after it was printed."""
    OTHER = "other"
    """It bears the fingerprint of other results: of an earlier publication, or of another event."""
    NONE = "none"
    """It is a PDF without a fingerprint."""
    NO_PDF = "no_pdf"


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome, with both printed forms; `found` is empty where there is none."""

    match: Match
    found: str
    expected: str


def verify(pdf: bytes, standings: Standings) -> Verification:
    """Say whether a posted PDF shows these standings.

    Args:
        pdf: The file's bytes.
        standings: The results as they are (or were, for an older publication).
    """
    return verify_fingerprint(pdf, fingerprint(standings))


def verify_fingerprint(pdf: bytes, whole: str) -> Verification:
    """Say whether a posted PDF bears this whole fingerprint and is as it was printed."""
    expected = short(whole)
    try:
        document = pdfium.PdfDocument(pdf)
        try:
            words = document.get_metadata_value("Keywords")
        finally:
            document.close()
    except pdfium.PdfiumError:
        return Verification(Match.NO_PDF, "", expected)
    found = _FINGERPRINT.search(words)
    if found is None:
        return Verification(Match.NONE, "", expected)
    if found[1] != whole:
        return Verification(Match.OTHER, short(found[1]), expected)
    sealed = _SEAL.search(pdf)
    intact = sealed is not None and sealed[1].decode() == _digest(pdf, sealed)
    return Verification(Match.SAME if intact else Match.EDITED, short(found[1]), expected)


def _digest(pdf: bytes, place: re.Match[bytes]) -> str:
    """SHA-256 of the file with zeros for the seal."""
    digest = hashlib.sha256(pdf[: place.start(1)])
    digest.update(_NO_SEAL.encode())
    digest.update(pdf[place.end(1) :])
    return digest.hexdigest()


def _row(row: StandingRow) -> dict[str, Any]:
    player = row.player
    return {
        "number": player.number,
        "name": player.name,
        "school": player.school,
        "city": player.city,
        "places": list(row.places) if row.places else None,
        "score": row.score,
        "status": row.status.value,
        "cells": list(row.cells),
    }
