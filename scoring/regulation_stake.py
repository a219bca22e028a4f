"""The final stake out of a regulation's TOML."""

from __future__ import annotations

from otbor.i18n import gettext as _
from scoring.fields import Fields
from scoring.rules import (
    FinalStake,
    Mending,
    NoAnswer,
    NobodyPositive,
    Remedy,
    StakeFault,
)

_FIELDS = (
    "who",
    "least",
    "most",
    "step",
    *StakeFault,
    "no_answer",
    "nobody_positive",
    "single_wins",
    "lead_factor",
)


def read_stake(fields: Fields | None) -> FinalStake | None:
    """The final stake of a round; None if the round has none.

    Raises:
        TableError: A field is unknown or missing, or two contradict each other.
    """
    if fields is None:
        return None
    fields.known_only(*_FIELDS)
    everyone = _who(fields)
    step = fields.integer("step", 1)
    least = fields.integer("least", step)
    most = None if fields.data.get("most", "sum") == "sum" else fields.integer("most", 1)
    if most is not None and most < least:
        raise fields.refused(
            _("the largest stake {most} is less than the smallest {least}").format(
                most=most, least=least
            ),
            _("Change one of the two."),
            "most",
        )
    if least % step or (most or 0) % step:
        raise fields.refused(
            _("the limits of the stake are no multiples of the step {step}").format(step=step),
            _("Change “least”, “most” or “step”."),
            "step",
        )
    if everyone and most is None:
        raise fields.refused(
            _("everyone may stake, but nobody can stake a sum that is not positive"),
            _("Give “most” as a number, or set “who” to “positive”."),
            "who",
        )
    mendings = tuple(
        (fault, _mending(fields, fault, least, most, step))
        for fault in StakeFault
        if fault in fields.data
    )
    return FinalStake(
        everyone=everyone,
        least=least,
        most=most,
        step=step,
        mendings=mendings,
        no_answer=fields.word("no_answer", NoAnswer.CHIEF),
        nobody_positive=_nobody(fields, everyone),
        single_wins=fields.yes("single_wins", False),
        lead_factor=_factor(fields),
    )


def _who(fields: Fields) -> bool:
    value = fields.data.get("who")
    if value not in ("positive", "everyone"):
        raise fields.refused(
            _("“who” must say who may stake"),
            _("Write “positive” (players with a positive sum) or “everyone”."),
            "who",
        )
    return value == "everyone"


def _nobody(fields: Fields, everyone: bool) -> NobodyPositive:
    if "nobody_positive" not in fields.data and not everyone:
        raise fields.refused(
            _("“{field}” is missing").format(field="nobody_positive"),
            _("Say who wins when nobody may stake: “no_winner” or “best_sum”."),
        )
    return fields.word("nobody_positive", NobodyPositive.BEST_SUM)


def _factor(fields: Fields) -> int | None:
    return fields.integer("lead_factor", 2) if "lead_factor" in fields.data else None


def _mending(fields: Fields, fault: StakeFault, least: int, most: int | None, step: int) -> Mending:
    value = fields.data[fault]
    if not isinstance(value, int) or isinstance(value, bool):
        remedy = fields.as_word(fault, value, Remedy)
        if remedy is Remedy.COUNT:
            raise fields.refused(
                _("“{field}” does not say what counts").format(field=fault),
                _("Write the number of points itself, without quotes."),
                fault,
            )
        return Mending(remedy)
    if value < least or value % step or (most is not None and value > most):
        raise fields.refused(
            _("{stake} is itself no stake that the regulation allows").format(stake=value),
            _("Give a stake between the least and the most, in the step of the regulation."),
            fault,
        )
    return Mending(Remedy.COUNT, value)
