"""Disputes and forms of the key as data for the browser. Names of players are only among the effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from jury.normalise import fold
from jury.suggestion import Suggestion
from scoring.model import Question, Theme, Verdict
from service import sightings
from service.answers import Answer
from service.disputes import Disputed, DisputedGroup, DisputedQuestion
from service.event import Event
from service.key_changes import Effect, FormEntry
from service.web.changes import changes_json
from service.web.wall_view import crop_size, picture_versions, theme_of

# Of equal answers elsewhere the counts say most; so many of each are shown.
SHOWN_ELSEWHERE = 12


def question_json(event: Event, found: DisputedQuestion, who: str) -> dict[str, Any]:
    """One question with its groups."""
    asked = found.question
    theme = theme_of(event.key(), asked)
    first = next((group.answers[0].answer.box for group in found.groups), "")
    seen = sightings.seen_by(event, first, who) if first else set()
    versions = picture_versions(event)
    return {
        **_place(theme, asked),
        "key_version": event.key_version(),
        "key": {
            "text": asked.text,
            "answer": asked.answer,
            "accepted": list(asked.accepted),
            "rejected": list(asked.rejected),
            "remark": asked.remark,
        },
        "crop": crop_size(event, asked),
        "groups": [_group(group, versions, seen) for group in found.groups],
    }


def _place(theme: Theme, asked: Question) -> dict[str, Any]:
    return {"theme": asked.theme, "nominal": asked.nominal, "title": theme.title}


def _group(group: DisputedGroup, versions: Mapping[int, str], seen: set[int]) -> dict[str, Any]:
    answers = [disputed.answer for disputed in group.answers]
    readings = Counter(answer.text for answer in answers if answer.text)
    reading = readings.most_common(1)[0][0] if readings else ""
    likeliest = max(answers, key=lambda answer: answer.suggestion.probability).suggestion
    elsewhere = Counter(answer.ruling for answer in group.elsewhere)
    proposed = dict.fromkeys(d.remark.form for d in group.answers if d.remark.form)
    shown: list[Answer] = []
    for verdict in (Verdict.RIGHT, Verdict.WRONG):
        of_it = [answer for answer in group.elsewhere if answer.ruling is verdict]
        shown += of_it[:SHOWN_ELSEWHERE]
    return {
        "reading": reading,
        "suggestion": likeliest.verdict.value if likeliest.verdict else None,
        "form": _form(likeliest, reading),
        "proposed": list(proposed),
        "answers": [_disputed(disputed, versions, seen) for disputed in group.answers],
        "elsewhere": {
            "right": elsewhere[Verdict.RIGHT],
            "wrong": elsewhere[Verdict.WRONG],
            "open": elsewhere[None],
            "shown": [answer_json(answer, versions, seen) for answer in shown],
        },
    }


def _form(suggestion: Suggestion, reading: str) -> str | None:
    """The form of the key that is meant, where it is not the reading itself."""
    form = suggestion.form
    return form if form is not None and fold(form) != fold(reading) else None


def _disputed(disputed: Disputed, versions: Mapping[int, str], seen: set[int]) -> dict[str, Any]:
    return {
        **answer_json(disputed.answer, versions, seen),
        "by": disputed.by,
        "at": disputed.at,
        "remark": disputed.remark.text,
        "proposed": disputed.remark.form,
        "notes": [
            {
                "who": note.who,
                "verdict": note.verdict.value if note.verdict else None,
                "text": note.text,
            }
            for note in disputed.notes
        ],
    }


def answer_json(answer: Answer, versions: Mapping[int, str], seen: set[int]) -> dict[str, Any]:
    """An answer with the addresses of its pictures; `seen` tells whether this person saw it."""
    version = versions.get(answer.page_id, "0")
    query = f"{answer.sheet}/{answer.box}?page={answer.page_id}&v={version}"
    return {
        "sheet": answer.sheet,
        "page": answer.page_id,
        "seen": answer.page_id in seen,
        "crop": f"/api/crop/{query}",
        "around": f"/api/around/{query}",
        "text": answer.text or "",
        "ruling": answer.ruling.value if answer.ruling else None,
    }


def effect_json(event: Event, found: Effect, who: str, *, names: bool) -> dict[str, Any]:
    """What a form would change; who gains and loses only for those who may see results."""
    change = found.change
    asked = event.key().question(change.theme, change.nominal)
    every = [*found.contradicting, *found.suggested, *found.disputed]
    seen = sightings.seen_by(event, every[0].box, who) if every else set()
    versions = picture_versions(event)
    return {
        "form": change.form,
        "accepted": change.accepted,
        "moved": change.moved,
        "state": found.state,
        "crop": crop_size(event, asked),
        "agreeing": found.agreeing,
        "suggested": len(found.suggested),
        "contradicting": [answer_json(answer, versions, seen) for answer in found.contradicting],
        "disputed": [answer.sheet for answer in found.disputed],
        "crossing": len(found.standings.crossing),
        "players": changes_json(found.standings) if names else [],
    }


def form_json(entry: FormEntry) -> dict[str, Any]:
    """A form that was added to the key."""
    change = entry.change
    return {
        "id": entry.id,
        "at": entry.at,
        "who": entry.who,
        "why": entry.why,
        "theme": change.theme,
        "nominal": change.nominal,
        "form": change.form,
        "accepted": change.accepted,
        "back": entry.back,
    }
