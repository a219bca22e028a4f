"""What a reading suggests to the jury: where on the wall an answer starts.

The number that comes out orders the wall and nothing else. Where the handwriting network has checked a box
against the forms of the key, it is the calibrated probability of the form that fits best. Else it is
none: the knots below are set by hand so that identical, nearly identical and different readings keep
apart. No verdict on written ink is ever given by a suggestion.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from jury.forms import FormMatch
from jury.normalise import SHORT_BELOW, fold, is_numeral, joined, spellings, words
from scanner.contracts import Ink
from scoring.model import Question, Verdict

# Nothing is known: ink that no reader made out must not sink among the wrong ones.
NEUTRAL = 0.5
# Two texts this similar are one and a slip.
NEARLY = 0.8
# A number or a short word among others («64 шт.») may be right, and stands in many wrong answers too.
SHORT_INSIDE = 0.3
# From here up the suggestion says right, up to there wrong; between them it says nothing.
RIGHT_FROM = 0.8
WRONG_TO = 0.2
# Similarity to the best accepted form → probability, straight lines between. One wrong letter in ten
# (0.9) is the noise of a good reading, one in four (0.75) may be either, half is another word.
KNOTS = ((0.0, 0.02), (0.5, 0.10), (0.75, 0.50), (0.9, 0.85), (1.0, 0.97))
# A reading with all the form's words among others («поэт Пушкин») is as similar as this: high on the wall,
# yet below RIGHT_FROM, since a further word may spoil the answer.
WORDS_INSIDE = 0.85
# A reading that is some of the form's words («Наполеон» for «Наполеон Бонапарт») is at least as similar
# as this: the jury decides whether it is enough.
PART_OF_FORM = 0.75
# At most this, neutral, where a short word differs inside a longer answer («Ежик н тумане») or more stands
# around a short answer («сигнал SOS»).
SHORT_WORD_CAP = 0.75
# What is left of a similarity when a number differs, or a word in an answer of under four letters: at
# best 0.5, another word.
INEXACT_FACTOR = 0.5
# A mismatch says as much as its reader is sure of, but never less than this share. Matches are not
# weakened: noise does not spell an accepted answer by chance.
LEAST_TRUST = 0.3
# A rejected form takes this share of the probability once it is nearer than the accepted ones by the
# margin; halfway at equal nearness, nothing once it is further by the margin.
REJECTED_SHARE = 0.97
REJECTED_MARGIN = 0.1
# A form that a match makes less probable than this is not named, and a rejected one claims nothing.
FORM_FROM_MATCH = 0.1
# Below this similarity no form is named as the one meant.
FORM_FROM = 0.5


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Where an answer starts on the wall.

    `verdict` is None where the reading does not tell; `probability`, 0 to 1, orders the wall; `form` is
    the accepted or rejected form, as the key spells it, that the reading is nearest to.
    """

    verdict: Verdict | None
    probability: float
    form: str | None = None


def suggest(
    text: str,
    confidence: float,
    ink: Ink,
    question: Question,
    matches: Sequence[FormMatch] = (),
) -> Suggestion:
    """Suggest a verdict for one box.

    The probability never falls as the similarity to the best accepted form grows, and is lowered by
    nearness to a rejected form. Numbers, Roman numerals and words under four letters suggest «right»
    only when identical, or when the reader's scores tell them from all that is one sign away.

    Args:
        text: The reading, empty if nothing was made out.
        confidence: The reader's own, 0 to 1; values outside are clipped.
        ink: What the scanner saw in the box.
        question: The question with its accepted and rejected forms.
        matches: How well the box fits each form, if its reader could tell.
    """
    if ink is not Ink.WRITTEN:
        return Suggestion(Verdict.BLANK, 0.0)
    reading = fold(text)
    if reading and matches:
        return _matched(reading, confidence, question, matches)
    return _read(reading, confidence, question)


def _matched(
    reading: str, confidence: float, question: Question, matches: Sequence[FormMatch]
) -> Suggestion:
    """By what the reader's own scores say of every form."""
    accepted = max(
        (found for found in matches if not found.rejected),
        key=lambda found: found.match.probability,
        default=None,
    )
    if accepted is None:
        return _read(reading, confidence, question)
    rejected = max(
        (found for found in matches if found.rejected),
        key=lambda found: found.match.probability,
        default=None,
    )
    probability = accepted.match.probability
    # What the free reading makes likely («поэт Пушкин», a surname alone) goes to the middle of the wall.
    near, _form = _nearest(reading, question.forms, bracketed=True)
    if near >= PART_OF_FORM:
        probability = max(probability, min(NEUTRAL, _probability(near)))
    if _further_number(reading, accepted.form):
        probability = min(probability, NEUTRAL)
    for found in matches:
        if found.rejected:
            continue
        most = SHORT_INSIDE if _only_if_identical(found.form) else NEUTRAL
        probability = max(probability, min(most, found.match.inside))
    meant = accepted
    if rejected is not None and rejected.match.probability >= FORM_FROM_MATCH:
        claim = _claim(rejected, accepted)
        probability *= 1 - REJECTED_SHARE * claim
        meant = rejected if claim > NEUTRAL else accepted
    named = meant.form if meant.match.probability >= FORM_FROM_MATCH else None
    return Suggestion(_verdict(probability), round(probability, 4), named)


def _claim(rejected: FormMatch, accepted: FormMatch) -> float:
    """The rejected form's share of the two, by their likelihoods."""
    lead = rejected.match.ratio * len(rejected.form) - accepted.match.ratio * len(accepted.form)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, lead))))


def _only_if_identical(form: str) -> bool:
    """Numbers and words under four letters are never right by likeness."""
    found = words(fold(form))
    return _length(found) < SHORT_BELOW or any(is_numeral(word) for word in found)


def _further_number(reading: str, form: str) -> bool:
    """True if the form was read, and a number that it has none of («Елизавета II», of an Елизавета)."""
    read, wanted = words(reading), words(fold(form))
    rest = [word for word in read if not is_numeral(word)]
    if len(rest) == len(read) or any(map(is_numeral, wanted)):
        return False
    return Levenshtein.normalized_similarity(" ".join(rest), " ".join(wanted)) >= NEARLY


def _read(reading: str, confidence: float, question: Question) -> Suggestion:
    """By the free reading alone."""
    if not reading:
        return Suggestion(None, NEUTRAL)
    near, form = _nearest(reading, question.forms, bracketed=True)
    near_rejected, rejected = _nearest(reading, question.rejected, bracketed=False)
    if near == near_rejected == 1.0:  # one picture, accepted and rejected («ВВС», «BBC»)
        return Suggestion(None, NEUTRAL, form)
    trust = max(LEAST_TRUST, min(1.0, confidence))
    probability = _lowered(_trusted(_probability(near), trust), near, near_rejected)
    meant = rejected if near_rejected > near else form
    like_any = max(near, near_rejected) >= FORM_FROM
    return Suggestion(_verdict(probability), probability, meant if like_any else None)


def _verdict(probability: float) -> Verdict | None:
    if probability >= RIGHT_FROM:
        return Verdict.RIGHT
    return Verdict.WRONG if probability <= WRONG_TO else None


def _probability(similarity: float) -> float:
    """The value at a similarity on the line through KNOTS."""
    for (left, low), (right, high) in pairwise(KNOTS):
        if similarity <= right:
            return low + (high - low) * (similarity - left) / (right - left)
    return KNOTS[-1][1]


def _trusted(probability: float, trust: float) -> float:
    """Pull a mismatch of an unsure reading towards neutral."""
    return probability if probability >= NEUTRAL else NEUTRAL - (NEUTRAL - probability) * trust


def _lowered(probability: float, near: float, near_rejected: float) -> float:
    """Take away what a rejected form claims; an identical reading leaves no doubt either way."""
    if near == 1.0:
        return probability
    if near_rejected == 1.0:
        return probability * (1 - REJECTED_SHARE)
    lead = (near_rejected - near + REJECTED_MARGIN) / (2 * REJECTED_MARGIN)
    # A form unlike the reading claims nothing, even if the accepted ones are less like it still.
    claim = min(1.0, max(0.0, lead)) if near_rejected >= FORM_FROM else 0.0
    return probability * (1 - REJECTED_SHARE * claim)


def _nearest(reading: str, forms: tuple[str, ...], *, bracketed: bool) -> tuple[float, str | None]:
    """The nearest of the forms and its similarity; (0.0, None) without forms."""
    best: tuple[float, str | None] = (0.0, None)
    for form in forms:
        for spelling in _spellings(form, bracketed):
            similarity = _similarity(reading, spelling)
            if similarity > best[0]:
                best = (similarity, form)
    return best


@lru_cache(maxsize=8192)
def _spellings(form: str, bracketed: bool) -> tuple[str, ...]:
    return spellings(form) if bracketed else (fold(form),)


def _similarity(reading: str, form: str) -> float:
    """How like two folded texts are, 0 to 1; 1 only if a person would call them identical."""
    if joined(reading) == joined(form):
        return 1.0
    read, wanted = words(reading), words(form)
    if not read or not wanted:
        return 0.0
    likeness = Levenshtein.normalized_similarity
    found = [max(likeness(want, word) for word in read) for want in wanted]
    similarity = max(
        likeness(reading, form),
        likeness(" ".join(sorted(read)), " ".join(sorted(wanted))),
        WORDS_INSIDE * sum(found) / len(found),
        PART_OF_FORM if set(read) <= set(wanted) else 0.0,
    )
    missing = set(wanted) - set(read)
    short = min(_length(read), _length(wanted)) < SHORT_BELOW
    if _other_number(read, wanted) or (short and missing):
        return similarity * INEXACT_FACTOR
    if short or any(len(word) < SHORT_BELOW for word in missing):
        return min(similarity, SHORT_WORD_CAP)
    return similarity


def _other_number(read: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """True if the two do not hold the same numbers, Arabic or Roman."""
    return sorted(filter(is_numeral, read)) != sorted(filter(is_numeral, wanted))


def _length(found: tuple[str, ...]) -> int:
    return sum(map(len, found))
