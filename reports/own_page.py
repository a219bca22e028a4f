"""What a player's own page shows: plain values that the service fills in."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.model import AnswerKey, Verdict


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """One box.

    Args:
        theme: From 1.
        nominal: What the question is worth, as printed.
        verdict: What the jury said; None if it has not.
        points: What that is worth; None while it is not confirmed.
        reading: What the reader or the jury read; empty if nothing.
        crop: The picture of the box, JPEG; empty if there is none.
    """

    theme: int
    nominal: int
    verdict: Verdict | None
    points: int | None
    reading: str = ""
    crop: bytes = b""


@dataclass(frozen=True, slots=True)
class OwnPage:
    """A player's boxes, theme by theme and row by row.

    Args:
        number: The player.
        answers: All boxes; those left out are shown as empty places.
        code: The code of the player's page on the web; empty where there are no such pages.
    """

    number: int
    answers: tuple[OwnAnswer, ...]
    code: str = ""


def accepted_text(key: AnswerKey | None, theme: int, nominal: int) -> str:
    """All accepted answers, the first before the others; empty where the key is not shown."""
    if key is None:
        return ""
    try:
        forms = key.question(theme, nominal).forms
    except KeyError:
        return ""
    return " / ".join(dict.fromkeys(form for form in forms if form))


def theme_title(key: AnswerKey | None, theme: int) -> str:
    """The theme's title; empty where the key is not shown or lacks it."""
    if key is None or not 0 < theme <= len(key.themes):
        return ""
    return key.themes[theme - 1].title
