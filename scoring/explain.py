"""A regulation said in plain sentences, in the current language, from the data alone."""

from __future__ import annotations

from dataclasses import dataclass

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from scoring.explain_appeals import appeal_sentences
from scoring.explain_stake import stake_sentences
from scoring.model import Regulation
from scoring.rules import (
    Announcing,
    CarryOver,
    CountBack,
    Counted,
    CutRule,
    Formula,
    Grouping,
    Part,
    Price,
    ReserveCall,
    Stage,
    TiePolicy,
    TieRule,
)


@dataclass(frozen=True, slots=True)
class Section:
    """One round with what holds in it."""

    title: str
    sentences: tuple[str, ...]


def explain(regulation: Regulation) -> tuple[Section, ...]:
    """Everything that a regulation lays down, round by round.

    Every field of the data is said, also where it holds by default: what is not in the sentences does not
    hold.
    """
    written = Section(
        regulation.name or _("Written round"),
        (
            _grid(regulation.themes, regulation.nominals),
            *_prices(regulation),
            _("If a question is removed, all points given for it are written off.")
            if regulation.removal
            else _("No question can be removed."),
            *(
                [_("Players may be exempted from this round: they go on without a place in it.")]
                if regulation.exempt
                else []
            ),
            *cut_sentences(regulation.rule),
            *tie_sentences(regulation.tie_rule, regulation.prizes),
            _reserve(regulation),
            *stake_sentences(regulation.final),
            *appeal_sentences(regulation.appeals),
        ),
    )
    return (written, *(_stage(stage) for stage in regulation.stages))


def _grid(themes: int, nominals: tuple[int, ...]) -> str:
    return ngettext(
        "{n} theme; the questions of a theme are worth {nominals}.",
        "{n} themes; the questions of a theme are worth {nominals}.",
        themes,
    ).format(n=themes, nominals=", ".join(map(str, nominals)))


def _prices(regulation: Regulation) -> list[str]:
    prices = regulation.prices
    return [
        _("A right answer: {worth}.").format(worth=_worth(prices.right)),
        _("A wrong answer: {worth}.").format(worth=_worth(prices.wrong)),
        _("Nothing written: {worth}.").format(worth=_worth(prices.blank)),
        _("A question asked before the player came: {worth}.").format(worth=_worth(prices.missing)),
    ]


def _worth(price: Price) -> str:
    if price.times:
        return _("plus the nominal") if price.times > 0 else _("minus the nominal")
    return points_words(price.points)


def points_words(points: int) -> str:
    """A number of points in words, with a true minus sign."""
    number = f"−{-points}" if points < 0 else str(points)
    return ngettext("{n} point", "{n} points", abs(points)).format(n=number)


def cut_sentences(rule: CutRule) -> list[str]:
    """Who goes on."""
    if rule.announcing is Announcing.REQUIRED:
        places = [_announced(rule)]
    elif rule.formula is not None:
        places = [_formula(rule, rule.formula)]
    else:
        places = [_fixed(rule)]
    if rule.at_least > 1:
        places.append(
            ngettext(
                "There is at least {n} place.", "There are at least {n} places.", rule.at_least
            ).format(n=rule.at_least)
        )
    if rule.announcing is Announcing.BY_CHIEF:
        places.append(_("Another number may be announced only with the leave of the chief judge."))
    if rule.quotas:
        quotas = ", ".join(f"{name} — {count}" for name, count in rule.quotas)
        places.append(_("Places already set: {quotas}.").format(quotas=quotas))
    if rule.sure is not None and rule.least_score is not None:
        places.append(
            _(
                "The {sure} best go on whatever their scores; further places are given only for a "
                "score of at least {score}."
            ).format(sure=rule.sure, score=f"{rule.least_score:+d}".replace("-", "−"))
        )
    return places


def _announced(rule: CutRule) -> str:
    return {
        Grouping.CATEGORY: _(
            "How many of each category go on, the organizer announces before the start."
        ),
        Grouping.SITE: _("How many of each site go on, the organizer announces before the start."),
        Grouping.ALL: _("How many go on, the organizer announces before the start."),
        Grouping.BOUT: _("How many of each bout go on, the organizer announces before the start."),
    }[rule.each]


def _fixed(rule: CutRule) -> str:
    n = rule.places
    if n == 1 and rule.each is Grouping.BOUT:
        return _("The winner of each bout goes on.")
    return {
        Grouping.CATEGORY: ngettext(
            "The {n} best of each category goes on.", "The {n} best of each category go on.", n
        ),
        Grouping.SITE: ngettext(
            "The {n} best of each site goes on.", "The {n} best of each site go on.", n
        ),
        Grouping.ALL: ngettext("The {n} best goes on.", "The {n} best go on.", n),
        Grouping.BOUT: ngettext(
            "The {n} best of each bout goes on.", "The {n} best of each bout go on.", n
        ),
    }[rule.each].format(n=n)


def _formula(rule: CutRule, formula: Formula) -> str:
    text = "N" if formula.numerator == 1 else f"{formula.numerator}N"
    if formula.divisor > 1:
        text += f"/{formula.divisor}"
    if formula.plus:
        text += f" {'+' if formula.plus > 0 else '−'} {abs(formula.plus)}"
    counted = {
        Counted.PRESENT: _("N is the number of those who play"),
        Counted.REGISTERED: _("N is the number of those registered"),
    }[rule.counted]
    sentence = {
        Grouping.CATEGORY: _(
            "The number of those who go on from each category is {formula}, rounded down; {counted}."
        ),
        Grouping.SITE: _(
            "The number of those who go on from each site is {formula}, rounded down; {counted}."
        ),
        Grouping.ALL: _("The number of those who go on is {formula}, rounded down; {counted}."),
        Grouping.BOUT: _(
            "The number of those who go on from each bout is {formula}, rounded down; {counted}."
        ),
    }[rule.each]
    return sentence.format(formula=text, counted=counted)


def tie_sentences(rule: TieRule, prizes: int) -> list[str]:
    """What a tie across the line means, step by step."""
    said = [_step(rule, step, first=index == 0) for index, step in enumerate(rule.steps)]
    if rule.steps[-1] is TiePolicy.SHOOT_OUT:
        said.append(_("A shoot-out that ends in a tie is played again."))
    if rule.steps[-1] is TiePolicy.COUNT_BACK:
        said.append(_("What is still equal then stays undecided until the organizer chooses."))
    if prizes == 1:
        said.append(_("A tie for the first place is decided in the same way."))
    elif prizes:
        said.append(
            _("A tie within the first {n} places is decided in the same way.").format(n=prizes)
        )
    return said


def _step(rule: TieRule, step: TiePolicy, *, first: bool) -> str:
    if step is TiePolicy.UNDECIDED:
        return _(
            "The regulation does not say how a tie across the line is decided: until the organizer "
            "chooses, everybody of that score is undecided."
        )
    if step is TiePolicy.ALL_IN:
        return _("Everybody with the score of the last one in goes on too.")
    if step is TiePolicy.NONE_IN:
        return _("Of those who tie across the line nobody goes on.")
    if step is TiePolicy.LOT:
        if first:
            return _("A tie is decided by lot; the draw is recorded.")
        return _("What is still equal then is decided by lot; the draw is recorded.")
    if step is TiePolicy.COUNT_BACK:
        keys = "; ".join(count_back_words(key) for key in rule.keys)
        if first:
            return _("A tie is decided by comparing in turn: {keys}.").format(keys=keys)
        return _("What is still equal then is compared in turn: {keys}.").format(keys=keys)
    if first:
        message = ngettext(
            "A tie is decided by a shoot-out of {n} theme.",
            "A tie is decided by a shoot-out of {n} themes.",
            rule.themes,
        )
    else:
        message = ngettext(
            "What is still equal then is decided by a shoot-out of {n} theme.",
            "What is still equal then is decided by a shoot-out of {n} themes.",
            rule.themes,
        )
    return message.format(n=rule.themes)


def count_back_words(key: CountBack) -> str:
    """What a count-back compares, as words that can stand in a list."""
    return {
        CountBack.MOST_RIGHTS: pgettext("count-back", "more right answers"),
        CountBack.FEWEST_WRONGS: pgettext("count-back", "fewer wrong answers"),
        CountBack.MOST_DEAREST: pgettext("count-back", "more of the dearest questions"),
        CountBack.DEAREST_FIRST: pgettext(
            "count-back", "more of the dearest questions, then of the next dearest, and so on"
        ),
        CountBack.MOST_WON: pgettext("count-back", "more points won, those lost not counted"),
        CountBack.BEST_THEME: pgettext("count-back", "the better best theme"),
        CountBack.LAST_THEMES: pgettext(
            "count-back", "the better last theme, then the one before it, and so on"
        ),
    }[key]


def _reserve(regulation: Regulation) -> str:
    if regulation.reserve_call is ReserveCall.HOST:
        return _("The place of a player who does not come goes to whom the host chooses.")
    if regulation.reserve:
        return ngettext(
            "The next {n} below the line is the reserve and moves up if somebody declines.",
            "The next {n} below the line are the reserve and move up in order if somebody declines.",
            regulation.reserve,
        ).format(n=regulation.reserve)
    return _("If somebody declines, the next one moves up.")


def _stage(stage: Stage) -> Section:
    carried = {
        CarryOver.NONE: _("Everybody starts from 0."),
        CarryOver.OWN: _("The points of the round before are kept."),
        CarryOver.DIFFERENCE: _(
            "Everybody starts with the own score of the round before less that of the last one in."
        ),
    }
    said = []
    if stage.bout_size:
        said.append(_("It is played in bouts of up to {n} players.").format(n=stage.bout_size))
    if stage.seeded_enter:
        said.append(_("Seeded players enter here."))
    said += [_part(part) for part in stage.parts]
    said.append(carried[stage.carry_over])
    if stage.cut is not None:
        said += cut_sentences(stage.cut)
        said += tie_sentences(stage.ties, stage.prizes)
    else:
        said += _last(stage)
    return Section(stage.name, (*said, *stake_sentences(stage.final)))


def _last(stage: Stage) -> list[str]:
    """How the last stage ends: nobody goes on from it, so that ties matter for the prizes alone."""
    said = [_("The places follow the points; whoever has the most wins.")]
    if stage.prizes > 1:
        said.append(
            _("The first {n} places are prizes; a tie for one of them has to be decided.").format(
                n=stage.prizes
            )
        )
    else:
        said.append(_("A tie for the first place has to be decided."))
    if stage.ties.steps[0] is TiePolicy.UNDECIDED:
        return [*said, _("The regulation does not say how such a tie is decided.")]
    return said + tie_sentences(stage.ties, 0)


def _part(part: Part) -> str:
    grid = _grid(part.themes, part.nominals)
    return f"{part.name}: {grid}" if part.name else grid
