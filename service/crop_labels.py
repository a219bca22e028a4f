"""What surely stands on the picture of a confirmed answer: texts from which a network may learn.

The jury says whether an answer is right, not how it is spelled, and a right answer with a slip in it still
fits its form. So a text is sure only where the free reading, which knows no key, says a form of the key sign
for sign, and where no two ways to write it look nearly alike. All other texts are guesses and are marked as
such: see `Won`. `tests/bench_hands.py` measures how often both are what was really written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from jury.forms import FormMatch, written_forms
from scanner.contracts import Ink
from scanner.readers.alphabet import folded
from scanner.readers.rivals import ROMAN_SIGNS
from scanner.readers.verification import probabilities
from scoring.model import Question, Verdict
from service import verification
from service.answers import Answer
from service.event import Event
from service.verification import BoxKey

# A picture fits an accepted form from here up; a rejected one must be plain, since a wrong answer may be
# anything.
RIGHT_FROM, REJECTED_FROM = 0.5, 0.9
# Read as one number or as two, with a gap after the thousands: only a year never has one.
_FIRST_YEAR, _LAST_YEAR = 1000, 2099
_WORD = re.compile(r"[^\W_]+")
_ROMAN = re.compile(f"[{ROMAN_SIGNS}]{{2,}}")
_CAPITALS = re.compile(r"\b[^\W\d_]{2,}\b")


class Won(StrEnum):
    """How a text was won.

    `READ`: the free reading says just this, and it is a form of the key. `FITS`: the picture fits this
    form best, a slip may be overlooked. `CHECKED`: a person has looked, after the export. `NOT`: no text.
    """

    READ = "read"
    FITS = "fits"
    CHECKED = "checked"
    NOT = ""


SURE = frozenset({Won.READ, Won.CHECKED})
"""The texts from which training learns."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text, and how it was won; empty if nothing is known."""

    text: str = ""
    won: Won = Won.NOT


NOTHING = Label()


def labels(event: Event, ruled: Sequence[Answer]) -> list[Label]:
    """The text of each of these answers, as the ruling, the reading and the trace together give it.

    Args:
        event: Where the traces are.
        ruled: Answers with a verdict.
    """
    questions = verification.by_box(event.key())
    matches = verification.current(event.database, questions)
    found: list[Label] = []
    asked: list[tuple[int, BoxKey, tuple[str, ...]]] = []
    for at, answer in enumerate(ruled):
        question = questions[answer.box]
        found.append(read_label(answer, question))
        place = (answer.page_id, answer.box)
        if found[at].won is Won.NOT and _fits(answer, matches.get(place, ())):
            asked.append((at, place, ways(question, rejected=_is_wrong(answer))))
    traces = verification.traces(event.database, {place for _at, place, _texts in asked})
    pairs = [(traces.get(place, b""), text) for _at, place, texts in asked for text in texts]
    scores = iter(probabilities(pairs))
    for at, _place, texts in asked:
        best = max([(next(scores), text) for text in texts], default=(0.0, ""), key=itemgetter(0))
        if best[0] >= _least(ruled[at]):
            found[at] = Label(best[1], Won.FITS)
    return found


def read_label(answer: Answer, question: Question) -> Label:
    """The form that an answer was freely read as, if that is beyond doubt."""
    if answer.ink is not Ink.WRITTEN or answer.ruling not in (Verdict.RIGHT, Verdict.WRONG):
        return NOTHING
    said = folded(answer.text or "")
    texts = ways(question, rejected=_is_wrong(answer))
    text = next((text for text in texts if folded(text) == said), None) if said else None
    if text is None or _ambiguous(text, question):
        return NOTHING
    return Label(text, Won.READ)


def ways(question: Question, *, rejected: bool) -> tuple[str, ...]:
    """All ways to write the accepted forms of a question, or the rejected ones."""
    forms = question.rejected if rejected else question.forms
    found = [text for form in forms for text in written_forms(form, bracketed=not rejected)]
    # A bracket in the key is its editor's remark; nobody writes it.
    return tuple(
        dict.fromkeys(text for text in found if not set(text) & set("[]()") and folded(text))
    )


def _ambiguous(text: str, question: Question) -> bool:
    """True if what is written may look just so and be another text: full stops, gaps, like signs."""
    plain = folded(text)
    if "." in plain or any(_ROMAN.fullmatch(word) for word in _WORD.findall(plain)):
        return True
    if any(_may_have_gap(word) for word in _WORD.findall(plain)):
        return True
    others = {folded(way) for side in (False, True) for way in ways(question, rejected=side)}
    if any(other != plain and _signs(other) == _signs(plain) for other in others):
        return True
    # An abbreviation may have full stops and gaps: SOS, S.O.S.
    forms = (*question.forms, *question.rejected)
    capitals = [word for form in forms for word in _CAPITALS.findall(form) if word.isupper()]
    return any(folded(word) == plain for word in capitals)


def _may_have_gap(word: str) -> bool:
    return word.isdecimal() and len(word) > 3 and not _FIRST_YEAR <= int(word) <= _LAST_YEAR


def _signs(text: str) -> str:
    """Its letters and digits alone."""
    return "".join(_WORD.findall(text))


def _fits(answer: Answer, matches: tuple[FormMatch, ...]) -> bool:
    """True if the picture fits a form of the kind that the verdict speaks of."""
    if answer.ink is not Ink.WRITTEN or answer.ruling not in (Verdict.RIGHT, Verdict.WRONG):
        return False
    fitting = [found.match.probability for found in matches if found.rejected is _is_wrong(answer)]
    return max(fitting, default=0.0) >= _least(answer)


def _is_wrong(answer: Answer) -> bool:
    return answer.ruling is Verdict.WRONG


def _least(answer: Answer) -> float:
    return REJECTED_FROM if _is_wrong(answer) else RIGHT_FROM
