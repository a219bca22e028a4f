"""The final stake said in plain sentences."""

from __future__ import annotations

from otbor.i18n import gettext as _
from otbor.i18n import ngettext, pgettext
from scoring.rules import FinalStake, NoAnswer, NobodyPositive, Remedy, StakeFault


def stake_sentences(rule: FinalStake | None) -> list[str]:
    """Who stakes how much, what it counts, and when the final is not played."""
    if rule is None:
        return []
    return [
        _("Final question, answered in writing: the stake is won or lost."),
        _("Everybody may stake.")
        if rule.everyone
        else _("Only players with a positive sum may stake."),
        _range(rule),
        *_faults(rule),
        {
            NoAnswer.CHIEF: _("What a stake without an answer means, the chief judge decides."),
            NoAnswer.WRONG: _("A stake without an answer is lost."),
            NoAnswer.NOTHING: _("A stake without an answer is neither won nor lost."),
        }[rule.no_answer],
        *_unplayed(rule),
    ]


def _range(rule: FinalStake) -> str:
    if rule.most is None:
        said = _("The stake is at least {least} and at most the player's sum").format(
            least=rule.least
        )
    elif rule.everyone:
        said = _("The stake is at least {least} and at most {most}").format(
            least=rule.least, most=rule.most
        )
    else:
        said = _("The stake is at least {least} and at most {most} or the player's sum").format(
            least=rule.least, most=rule.most
        )
    if rule.step > 1:
        return _("{range}, in steps of {step}.").format(range=said, step=rule.step)
    return f"{said}."


def _faults(rule: FinalStake) -> list[str]:
    names = {
        StakeFault.MISSING: pgettext("stake", "a missing stake"),
        StakeFault.TOO_LOW: pgettext("stake", "a stake that is zero or too low"),
        StakeFault.TOO_HIGH: pgettext("stake", "a stake that is too high"),
        StakeFault.OFF_STEP: pgettext("stake", "a stake between the steps"),
        StakeFault.UNREADABLE: pgettext("stake", "an unreadable stake"),
        StakeFault.DOUBLED: pgettext("stake", "two stakes at once"),
    }
    faults = [fault for fault in StakeFault if rule.step > 1 or fault is not StakeFault.OFF_STEP]
    by_chief = [names[fault] for fault in faults if rule.mending(fault).remedy is Remedy.CHIEF]
    said = []
    for fault in faults:
        mending = rule.mending(fault)
        counts = {
            Remedy.COUNT: str(mending.stake),
            Remedy.LEAST: pgettext("stake", "the least"),
            Remedy.MOST: pgettext("stake", "the most"),
        }
        if mending.remedy in counts:
            said.append(
                _("{fault} counts as {stake}.").format(
                    fault=_capital(names[fault]), stake=counts[mending.remedy]
                )
            )
        elif mending.remedy is Remedy.NOT_PLAYING:
            said.append(
                _("{fault} means that the player does not play the final.").format(
                    fault=_capital(names[fault])
                )
            )
    if by_chief:
        said.append(_("The chief judge decides on: {faults}.").format(faults=", ".join(by_chief)))
    return said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unplayed(rule: FinalStake) -> list[str]:
    said = []
    if not rule.everyone:
        said.append(
            {
                NobodyPositive.NO_WINNER: _("If nobody has a positive sum, there is no winner."),
                NobodyPositive.BEST_SUM: _("If nobody has a positive sum, the best sum wins."),
            }[rule.nobody_positive]
        )
    if rule.single_wins:
        said.append(_("If only one has a positive sum, that player wins and it is not played."))
    if rule.lead_factor:
        said.append(
            ngettext(
                "If the leader has more than {factor} time the positive sum of the next, the leader "
                "wins and it is not played.",
                "If the leader has more than {factor} times the positive sum of the next, the leader "
                "wins and it is not played.",
                rule.lead_factor,
            ).format(factor=rule.lead_factor)
        )
    return said
